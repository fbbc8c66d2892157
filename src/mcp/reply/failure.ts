/** Writes a failed call as a reply with the error and the next step. It is no protocol error, because models see replies only. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { ERROR_CODES, type ErrorCode } from '../../base/error-codes.js';
import { unexpected } from '../../base/errors.js';
import { visibleText } from '../../base/hygiene.js';
import { log } from '../../base/log.js';

/** Next steps for agents, in place of those that name commands or options of the command line (data). */
const HINTS: Partial<Record<ErrorCode, string>> = {
  NOT_A_REPOSITORY: 'Name a git repository with the parameter projectPath.',
  UNBORN_HEAD: 'The repository needs a first commit; or name another ref with the parameter ref.',
  UNKNOWN_REF: 'Name a branch, tag or commit: `git branch -a` and `git tag` list them.',
  EMPTY_QUERY: 'Say what to look for in the parameter query.',
  BAD_ARGUMENT: 'See the descriptions of the parameters.',
  LOCKED: 'Another process is indexing this repository; ask again in some seconds.',
  SHARD_CORRUPT: 'The damaged file was moved aside and is rebuilt; ask again.',
  CANCELLED: 'Ask again to continue; finished work is kept.',
  INTERNAL: 'This is a bug in git-socraticode; other tools may still answer.',
};

/** Mark for hosts that the content is untrusted, as names in messages are, too; models are told in the instructions. */
export const UNTRUSTED = { 'git-socraticode/content': 'untrusted' };

/** Longest message that is passed on, in characters: git's messages can be long. */
const MAX_MESSAGE = 1_000;

export function failure(error: unknown, tool: string): CallToolResult {
  const known = unexpected(error);
  const { code } = known;
  // Written to stderr only, not to a log file, because messages quote the question.
  if (code === 'INTERNAL') log.tell('error', `${tool}: ${(error as Error).stack ?? String(error)}`);
  else log.tell('debug', `${tool}: ${code}: ${known.message}`);
  log.failure(known);
  const hint = visibleText(known.hint === ERROR_CODES[code] ? (HINTS[code] ?? known.hint) : known.hint);
  const said = code === 'INTERNAL' ? withoutPlaces(known.message) : known.message;
  const message = visibleText(said.length > MAX_MESSAGE ? `${said.slice(0, MAX_MESSAGE)}…` : said);
  return {
    isError: true,
    // Further lines are indented: quoted text cannot pass for our hint.
    content: [{ type: 'text', text: `${code}: ${message.replaceAll('\n', '\n ')}\n${hint}` }],
    structuredContent: { error: { code, message, hint } },
    _meta: UNTRUSTED,
  };
}

const ABSOLUTE = /(?:[A-Za-z]:)?(?:[\\/][^\\/\s'":,;()]+){2,}/g;

/** Shortens absolute paths to their last part, since an unexpected message may name any file of this machine. */
const withoutPlaces = (text: string) => text.replace(ABSOLUTE, (path) => `…/${path.split(/[\\/]/).pop()}`);
