/** Makes places in coloured text clickable: OSC 8 links, which terminals open. Loaded for terminals alone. */
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Io } from '../questions/asker.js';
import { lastValue } from '../questions/writing/pen.js';
import type { Session } from '../session/session.js';
import type { Look } from './context.js';

/** A path as the pen colours it, with its line behind it. Text of a repository has no escape sequences: they are made visible. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences that `writing/pen.ts` writes
const PLACE = /\x1b\[35m([^\x1b\n]+)\x1b\[0m(?::\x1b\[32m(\d+)[^\x1b\n]*\x1b\[0m)?/g;
const WITH_LINE = /^(.+?):(\d+)(?:-\d+)?$/;
/** Editors whose addresses are `NAME://file/PATH:LINE`. */
const EDITORS = ['vscode', 'vscodium', 'cursor', 'windsurf', 'zed'];

/** True for a terminal that is not dumb, unless the command line says no. A pager may print links as garbage, so it gets none. */
export const wantsLinks = ({ stdout, env }: Pick<Io, 'stdout' | 'env'>, { hyperlinks }: Look): boolean =>
  hyperlinks && stdout.isTTY === true && env.TERM !== 'dumb' && env.GIT_PAGER_IN_USE !== 'true';

/** The text with a link at each place whose file is in the work tree at `root`. Time and size are linear in the text. */
export function withLinks(text: string, root: string, config: Session['gitConfig']): string {
  const own = config.filter(({ scope }) => scope === 'system' || scope === 'global');
  const editor = lastValue(own, 'socraticode.web.editor');
  const files = new Map<string, boolean>();
  const isFile = (path: string) => {
    const known = files.get(path) ?? existsSync(join(root, path));
    files.set(path, known);
    return known;
  };
  return text.replace(PLACE, (shown: string, told: string, line: string | undefined) => {
    const [, path, from] = isFile(told) ? ['', told, line] : (WITH_LINE.exec(told) ?? ['', told, line]);
    if (!isFile(path)) return shown;
    return `\x1b]8;;${address(join(root, path), from, editor)}\x1b\\${shown}\x1b]8;;\x1b\\`;
  });
}

function address(path: string, line: string | undefined, editor: string | undefined): string {
  const url = pathToFileURL(path);
  if (editor !== undefined && EDITORS.includes(editor))
    return `${editor}://file${url.pathname}${line === undefined ? '' : `:${line}`}`;
  // The machine is named, so that a terminal on another one does not open a file of its own.
  return `file://${hostname()}${url.pathname}${line === undefined ? '' : `#${line}`}`;
}
