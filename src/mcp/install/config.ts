/** One client's configuration as text: what stands under our name, and the text with and without our entry. */
import { isDeepStrictEqual } from 'node:util';
import { SocraticodeError } from '../../base/errors.js';
import type { Entry } from './entry.js';

export interface ConfigText {
  /** What stands under our name, undefined where nothing does, and what we would write. Throws BAD_CONFIG. */
  look(text: string): { existing: unknown; wanted: Entry };
  /** What to add by hand. */
  snippet(entry: Entry): string;
  /** The text with our entry, in place of another of that name. Throws BAD_CONFIG. */
  add(text: string): string;
  /** The text without the entry of our name, as it was before `add`; null where there was no file. Throws BAD_CONFIG. */
  remove(text: string): string | null;
}

/** A file that must be left as it is. */
export function refusal(message: string, cause?: unknown): SocraticodeError {
  const hint = 'Correct the file, or add by hand what `git socraticode mcp install --print` shows.';
  return new SocraticodeError('BAD_CONFIG', message, { hint, cause });
}

/** Parsers make objects of different kinds, and numbers that JSON cannot hold: this compares what was written. */
export const equal = (one: unknown, other: unknown): boolean => isDeepStrictEqual(plain(one), plain(other));

export function plain(value: unknown): unknown {
  if (value === undefined) return undefined;
  return JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each)));
}

/** Windows editors write a byte order mark, which no parser wants and every edit has to keep. */
export function splitMark(text: string): [mark: string, rest: string] {
  return text.startsWith('\ufeff') ? ['\ufeff', text.slice(1)] : ['', text];
}

/** The line ending that a text uses. */
export const endingOf = (text: string): string => (/\r?\n/.exec(text) ?? ['\n'])[0];

/** Whatever was edited must say what it said before, our entry apart: else a bug here has just been found. */
export function checkEdit(after: unknown, expected: unknown): void {
  if (!equal(after, expected)) throw refusal('it cannot be edited safely in the form it has');
}
