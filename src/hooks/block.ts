/**
 * Our lines inside a hook file. They stand at the top: a hook that ends with `exit 0` or `exec` would never reach what
 * is appended to it, and ours only starts something in the background. Texts are Latin-1 strings, so that every byte
 * survives, whatever its encoding.
 */

import type { HookEvent } from './events.js';
import { type Fallback, shimLines } from './shim.js';

const BEGIN = '# >>> git-socraticode >>>';
const END = '# <<< git-socraticode <<<';
/** Says in a file that there was none before. */
const CREATED = '# (There was no hook here before: uninstalling deletes the file.)';
const SHEBANG = '#!/bin/sh\n';

/** A hook that we may add to runs in one of these. */
const SHELL = /^#!\s*(?:\/\S*\/)?(?:env\s+(?:-S\s+)?)?(?:\/\S*\/)?(?:sh|bash|dash|ash|ksh|zsh|busybox\s+sh)(?:\s|$)/;
/** Scripts that hand themselves to another interpreter, or read data behind their own end, by line. */
const READS_ITSELF = /\bexec\b[^\n]*\$\{?0\b|\b(?:tail|head|sed|awk|perl|python3?|node|ruby)\b[^\n]*"?\$\{?0\b/;
/** A directive holds for the whole file only if it stands before the first command. */
const HEADER = /^(?:#![^\n]*\n)?(?:# ?shellcheck [^\n]*\n)*/;

function hookBlock(event: HookEvent, fallback: Fallback | null, created = false): string {
  const about = '# Keeps the code index up to date in the background. Remove with: git socraticode hooks uninstall';
  const first = created ? `${BEGIN}\n${CREATED}\n` : `${BEGIN}\n`;
  return Buffer.from(`${first}${about}\n${shimLines(event, fallback)}${END}\n`, 'utf8').toString('latin1');
}

export function newHookFile(event: HookEvent, fallback: Fallback | null): string {
  return `${SHEBANG}${hookBlock(event, fallback, true)}`;
}

/** Why no lines can be added to this hook, or null. `shebangless` hooks are run by a shell whatever they begin with. */
export function obstacle(text: string, shebangless = false): string | null {
  if (text.includes('\0')) return 'it is a program, not a script';
  const first = text.split('\n', 1)[0];
  if (!(shebangless && !first.startsWith('#!')) && !SHELL.test(first.replace(/\r$/, '')))
    return 'it is not a shell script';
  if (READS_ITSELF.test(withoutBlock(text))) return 'it reads itself, and more lines could confuse it';
  return count(text, BEGIN) > 1 || count(text, BEGIN) !== count(text, END)
    ? 'its git-socraticode lines were edited'
    : null;
}

export function hasBlock(text: string): boolean {
  return locate(text) !== null;
}

/** The text with our block, in range of an older one or after the first line. */
export function withBlock(text: string, event: HookEvent, fallback: Fallback | null): string {
  const range = locate(text);
  if (range !== null) {
    const created = text.slice(range.start, range.end).includes(CREATED);
    const block = hookBlock(event, fallback, created);
    const tail = text.slice(range.end);
    // A block without its last newline stands for a file that had none.
    return text.slice(0, range.start) + (range.addedNewline ? block.slice(0, -1) : block) + tail;
  }
  const header = HEADER.exec(text)?.[0] ?? '';
  const block = hookBlock(event, fallback);
  if (header === '' && text.startsWith('#')) {
    // One line without a newline.
    if (!text.includes('\n')) return `${text}\n${block.slice(0, -1)}`;
  }
  return header + block + text.slice(header.length);
}

/** The text as it was before; null stands for no file. */
export function withoutBlock(text: string): string {
  const range = locate(text);
  if (range === null) return text;
  return text.slice(0, range.start - (range.addedNewline ? 1 : 0)) + text.slice(range.end);
}

/** True if nothing would be left of a file that we made. */
export function isAllOurs(text: string): boolean {
  const range = locate(text);
  return range !== null && text.includes(CREATED) && withoutBlock(text) === SHEBANG;
}

interface BlockRange {
  start: number;
  end: number;
  addedNewline: boolean;
}

function locate(text: string): BlockRange | null {
  const start = text.indexOf(`${BEGIN}\n`);
  if (start < 0 || (start > 0 && text[start - 1] !== '\n')) return null;
  const at = text.indexOf(`\n${END}`, start);
  if (at < 0) return null;
  const end = at + 1 + END.length;
  if (end === text.length) return { start, end, addedNewline: true };
  return text[end] === '\n' ? { start, end: end + 1, addedNewline: false } : null;
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
