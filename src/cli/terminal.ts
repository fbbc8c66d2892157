/**
 * Additions to an answer in a terminal: a pager for long answers, places as links, and a line that names the commit of
 * the answer.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { groupDigits, shortOid, visibleLine } from '../base/printable.js';
import type { Io } from '../questions/asker.js';
import { isOff, lastValue } from '../questions/pen.js';
import type { Session } from '../session/session.js';
import type { Look } from './command.js';

/** Options of pagers, as git sets them: a short text ends the pager, colours work, and the text stays on the screen. */
const PAGER_ENVIRONMENT = { LESS: 'FRX', LV: '-c' };
/** Exit status of a shell that does not find the program. */
const NOT_FOUND = 127;
const DEFAULT_ROWS = 24;

/**
 * The command line of the pager, or null for none: GIT_PAGER, core.pager, PAGER, or less, in git's order. A pager is a program,
 * and `.git/config` may come in an archive, so only the user's own settings name one.
 */
export function pagerOf(
  { stdout, env }: Pick<Io, 'stdout' | 'env'>,
  { pager }: Pick<Look, 'pager'>,
  config: Session['gitConfig'],
): string | null {
  if (!pager || stdout.isTTY !== true || env.TERM === 'dumb') return null;
  const own = config.filter(({ scope }) => scope === 'system' || scope === 'global');
  const switched = lastValue(config, 'pager.socraticode');
  if (switched !== undefined && isOff(switched)) return null;
  const named = lastValue(own, 'pager.socraticode');
  const ours = named === undefined || /^(?:true|yes|on|1)$/i.test(named) ? undefined : named;
  const command = ours ?? env.GIT_PAGER ?? lastValue(own, 'core.pager') ?? env.PAGER ?? 'less';
  return command === '' || command === 'cat' ? null : command;
}

/** True if the text is longer than the screen. */
export function isLong(text: string, { rows = DEFAULT_ROWS }: { rows?: number }): boolean {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) if (++lines >= rows) return true;
  return false;
}

/** Shows the text in the pager until the user leaves it; resolves to false if the program does not exist. */
export function page(text: string, pager: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    // Ctrl-C is for the pager, which ends by itself.
    const ignore = () => {};
    process.on('SIGINT', ignore);
    const done = (isShown: boolean) => {
      process.off('SIGINT', ignore);
      resolve(isShown);
    };
    const child = spawn(pager, [], {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...PAGER_ENVIRONMENT, ...env },
    });
    child.once('error', () => done(false));
    child.once('close', (status) => done(status !== NOT_FOUND));
    // A reader may leave before the end.
    child.stdin?.on('error', ignore);
    child.stdin?.end(text);
  });
}

/** A path as the pen colours it, with its line behind it. Text of a repository has no escape sequences: they are made visible. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences that `questions/pen.ts` writes
const PLACE = /\x1b\[35m([^\x1b\n]+)\x1b\[0m(?::\x1b\[32m(\d+)[^\x1b\n]*\x1b\[0m)?/g;
const WITH_LINE = /^(.+?):(\d+)(?:-\d+)?$/;
/** Editors whose addresses are `NAME://file/PATH:LINE`. */
const EDITORS = ['vscode', 'vscodium', 'cursor', 'windsurf', 'zed'];

/** True for a terminal that is not dumb, unless the command line says no. A pager gets no links, since it may print them as garbage. */
export const wantsLinks = ({ stdout, env }: Pick<Io, 'stdout' | 'env'>, { hyperlinks }: Look): boolean =>
  hyperlinks && stdout.isTTY === true && env.TERM !== 'dumb' && env.GIT_PAGER_IN_USE !== 'true';

/** Makes each place in the text whose file is in the work tree at `root` a link (OSC 8), which terminals open. Linear in the text. */
export function withLinks(text: string, root: string, config: Session['gitConfig']): string {
  const own = config.filter(({ scope }) => scope === 'system' || scope === 'global');
  const editor = lastValue(own, 'socraticode.web.editor');
  const files = new Map<string, boolean>();
  const isFile = (path: string) => {
    const known = files.get(path) ?? existsSync(join(root, path));
    files.set(path, known);
    return known;
  };
  return text.replace(PLACE, (shown: string, place: string, line: string | undefined) => {
    const [, path, from] = isFile(place) ? ['', place, line] : (WITH_LINE.exec(place) ?? ['', place, line]);
    if (!isFile(path)) return shown;
    return `\x1b]8;;${address(join(root, path), from, editor)}\x1b\\${shown}\x1b]8;;\x1b\\`;
  });
}

function address(path: string, line: string | undefined, editor: string | undefined): string {
  const url = pathToFileURL(path);
  if (editor !== undefined && EDITORS.includes(editor))
    return `${editor}://file${url.pathname}${line === undefined ? '' : `:${line}`}`;
  // Names the machine, so that a terminal on another one does not open a file of its own.
  return `file://${hostname()}${url.pathname}${line === undefined ? '' : `#${line}`}`;
}

interface Header {
  ref: string;
  commit: string;
  overlay: number;
}

/**
 * The line under an answer that names its commit: `HEAD is 2c8cd3ac9; 2 uncommitted files included`. Null if the answer is
 * about no commit, or its text names it.
 */
export function commitLine(document: object, text: string): string | null {
  const { ref, commit, overlay = 0 } = document as Partial<Header>;
  if (typeof ref !== 'string' || typeof commit !== 'string' || !('coverage' in document)) return null;
  const short = shortOid(commit);
  if (text.includes(short)) return null;
  const name = visibleLine(ref.replace(/^refs\/(?:heads|tags|remotes)\//, ''));
  const what = commit.startsWith(ref) ? short : `${name} is ${short}`;
  const also =
    overlay === 0 ? '' : `; ${groupDigits(overlay)} uncommitted ${overlay === 1 ? 'file' : 'files'} included`;
  return what + also;
}
