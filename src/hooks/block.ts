/**
 * Adds our lines to a hook file, and removes them again. They go to the top, because a hook that ends with `exit 0` or
 * `exec` would never reach appended lines, and ours only start a background process. Texts are Latin-1 strings, so that
 * every byte survives whatever the encoding.
 */

import type { HookEvent } from './events.js';
import { type Fallback, shimLines } from './shim.js';

const BEGIN = '# >>> git-socraticode >>>';
const END = '# <<< git-socraticode <<<';
/** Marks a hook file that we created, so that uninstalling deletes it. */
const CREATED = '# (There was no hook here before: uninstalling deletes the file.)';
const SHEBANG = '#!/bin/sh\n';

/** First lines of scripts for a POSIX-like shell, the only hooks that our lines can be added to. */
const SHELL = /^#!\s*(?:\/\S*\/)?(?:env\s+(?:-S\s+)?)?(?:\/\S*\/)?(?:sh|bash|dash|ash|ksh|zsh|busybox\s+sh)(?:\s|$)/;
/** Scripts that pass their own file to another interpreter, or read data from it by line. */
const READS_ITSELF = /\bexec\b[^\n]*\$\{?0\b|\b(?:tail|head|sed|awk|perl|python3?|node|ruby)\b[^\n]*"?\$\{?0\b/;
/**
 * First line and shellcheck directives of a script. A directive applies to the whole file only before the first
 * command.
 */
const HEADER = /^(?:#![^\n]*\n)?(?:# ?shellcheck [^\n]*\n)*/;

function hookBlock(event: HookEvent, fallback: Fallback | null, created = false): string {
  const about = '# Keeps the code index up to date in the background. Remove with: git socraticode hooks uninstall';
  const first = created ? `${BEGIN}\n${CREATED}\n` : `${BEGIN}\n`;
  return Buffer.from(`${first}${about}\n${shimLines(event, fallback)}${END}\n`, 'utf8').toString('latin1');
}

export function newHookFile(event: HookEvent, fallback: Fallback | null): string {
  return `${SHEBANG}${hookBlock(event, fallback, true)}`;
}

/**
 * Returns the reason why no lines can be added to a hook, or null. `shebangless` hooks run in a shell without a `#!`
 * line.
 */
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

/** Returns the text with our block, which replaces an older block or goes after the first line. */
export function withBlock(text: string, event: HookEvent, fallback: Fallback | null): string {
  const range = locate(text);
  if (range !== null) {
    const created = text.slice(range.start, range.end).includes(CREATED);
    const block = hookBlock(event, fallback, created);
    const tail = text.slice(range.end);
    // The block has no final newline if the file had none.
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

/** Returns the text without our block, as it was before installation. */
export function withoutBlock(text: string): string {
  const range = locate(text);
  if (range === null) return text;
  return text.slice(0, range.start - (range.addedNewline ? 1 : 0)) + text.slice(range.end);
}

/** Is this a file that we created, with nothing but our block in it? */
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
