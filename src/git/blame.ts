/**
 * Authors of lines and their names. `blame` finds the commit that wrote each present line, `log -L` the commits that ever changed a
 * range. Both follow renames, and neither runs a program that the repository names. `.mailmap` maps names and addresses.
 */
import { isSocraticodeError } from '../base/errors.js';
import { decodePath } from './objects.js';
import type { Git } from './process.js';

export interface BlamedLines {
  commit: string;
  /** First line now. `origin`: first line in the commit. Both count from 1. */
  line: number;
  origin: number;
  count: number;
  /** Path that the lines had in the commit. */
  path: string;
}

interface BlameQuestion {
  commit: string;
  path: string;
  /** Range of lines; default: all. */
  startLine?: number;
  endLine?: number;
  /** Text of a file that was edited since, to blame instead of the commit's. It is compared with HEAD. */
  contents?: Buffer;
  /** Follows lines that moved within the file, or from files that the same commit changed. */
  moves?: boolean;
  signal?: AbortSignal;
}

const NOT_COMMITTED = /^0+$/;
/** Paths unquoted and renames followed, whatever the repository's settings are. */
const CONFIG = [
  ['core.quotePath', 'false'],
  ['diff.renames', 'true'],
] as const;

/** Uncommitted lines have no entry. Throws GIT_FAILED, and UNREADABLE_OBJECT if a version is missing here. */
export async function blame(git: Git, question: BlameQuestion): Promise<BlamedLines[]> {
  const { commit, path, startLine, endLine, contents, moves, signal } = question;
  const range = startLine === undefined ? [] : ['-L', `${startLine},${endLine ?? startLine}`];
  const flags = [...(moves === true ? ['-M', '-C'] : []), '-w', '--incremental', '--no-textconv'];
  const source = contents === undefined ? [commit] : ['--contents', '-'];
  const args = ['blame', ...flags, ...range, ...source, '--', path];
  const { stdout } = await git.run(args, { signal, config: CONFIG, input: contents });
  return parseBlame(stdout).filter((run) => !NOT_COMMITTED.test(run.commit));
}

/** Parses `--incremental`: `OID ORIGIN LINE COUNT`, then fields, the last one `filename`. */
export function parseBlame(output: Buffer): BlamedLines[] {
  const runs: BlamedLines[] = [];
  let run: Omit<BlamedLines, 'path'> | null = null;
  for (const line of output.toString('latin1').split('\n')) {
    const head = /^([0-9a-f]{40,64}) (\d+) (\d+) (\d+)$/.exec(line);
    if (head !== null && run === null) {
      const [origin, at, count] = head.slice(2).map(Number);
      run = { commit: head[1], line: at, origin, count };
    } else if (run !== null && line.startsWith('filename ')) {
      runs.push({ ...run, path: unquote(line.slice('filename '.length)) });
      run = null;
    }
  }
  return runs.sort((a, b) => a.line - b.line);
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
};

/** Undoes git's quoting of a path with control characters, quotes or backslashes. `text`: bytes as Latin-1. */
export function unquote(text: string): string {
  const quoted = /^"(.*)"$/.exec(text)?.[1];
  const raw = quoted?.replace(/\\(?:([0-7]{3})|(.))/g, (_, octal: string | undefined, sign: string) =>
    octal === undefined ? (ESCAPES[sign] ?? sign) : String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return decodePath(Buffer.from(raw ?? text, 'latin1'));
}

/** Returns at most `limit` commits that changed a range of lines, newest first. Throws as `blame` does. */
export async function lineLog(
  git: Git,
  { commit, path, startLine, endLine, signal }: Required<Pick<BlameQuestion, 'startLine' | 'endLine'>> & BlameQuestion,
  limit: number,
): Promise<string[]> {
  const flags = ['--format=%H', '--no-patch', '--no-color', '--no-ext-diff', '--no-textconv', `--max-count=${limit}`];
  const args = ['log', ...flags, '-L', `${startLine},${endLine}:${path}`, '--end-of-options', commit, '--'];
  const { stdout } = await git.run(args, { signal, config: CONFIG });
  return stdout
    .toString('latin1')
    .split('\n')
    .filter((line) => /^[0-9a-f]{40,64}$/.test(line));
}

interface Contact {
  author: string;
  email: string;
}

/** Git takes a line for each contact, and refuses all if one is malformed. */
const isPlain = ({ author, email }: Contact): boolean => !/[\n\r\0<>]/.test(author + email) && email.trim() !== '';

/** Contacts that the mailmap changes, before and after. Empty if git can read no mailmap. */
export async function mappedContacts(
  git: Git,
  contacts: readonly Contact[],
  signal?: AbortSignal,
): Promise<{ was: Contact; now: Contact }[]> {
  const plain = contacts.filter(isPlain);
  if (plain.length === 0) return [];
  const input = plain.map(({ author, email }) => `${author} <${email}>\n`).join('');
  const lines = await run(git, Buffer.from(input), signal);
  if (lines.length !== plain.length) return [];
  return plain.flatMap((was, i) => {
    const [, author, email] = /^(.*?) ?<(.*)>$/.exec(lines[i]) ?? [];
    const isSame = author === undefined || (author === was.author.trim() && email === was.email);
    return isSame ? [] : [{ was, now: { author, email } }];
  });
}

async function run(git: Git, input: Buffer, signal: AbortSignal | undefined): Promise<string[]> {
  try {
    const { stdout } = await git.run(['check-mailmap', '--stdin'], { input, signal });
    return stdout.toString('utf8').split('\n').slice(0, -1);
  } catch (error) {
    if (isSocraticodeError(error, 'GIT_FAILED')) return [];
    throw error;
  }
}
