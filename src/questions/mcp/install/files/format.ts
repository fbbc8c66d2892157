/** A format of configuration files, and helpers that its implementations share. */

import { isDeepStrictEqual } from 'node:util';
import { SocraticodeError } from '../../../../base/errors.js';
import { commandText } from '../../../../params/command-line.js';
import type { Entry } from './entry.js';

export type Data = Record<string, unknown>;

export interface Format {
  /** The file's data as plain objects, and the keys that lead to its servers. Throws BAD_CONFIG. */
  read(text: string): { data: Data; path: readonly string[] };
  /** Text to paste into a file. */
  snippet(entry: Entry): string;
  /** Text of a new file. */
  create(entry: Entry): string;
  /** Adds the entry, or replaces the one of our name. Throws BAD_CONFIG. */
  put(text: string, entry: Entry): string;
  /** Takes the entry out: `certain` always does, `likely` also removes a section or a line break that `put` may have made. */
  without(text: string): { certain: string; likely: string | null };
}

/** Reports a file that must stay as it is. */
export function refusal(message: string, cause?: unknown): SocraticodeError {
  const hint = `Correct the file, or edit it by hand: \`${commandText('mcp install', { print: true })}\` shows the entry.`;
  return new SocraticodeError('BAD_CONFIG', message, { hint, cause });
}

/** Compares as JSON: parsers make objects with other prototypes. */
export const equal = (one: unknown, other: unknown): boolean => isDeepStrictEqual(plain(one), plain(other));

/** Plain data; integers beyond JSON's become text. */
export function plain(value: unknown): unknown {
  if (value === undefined) return undefined;
  return JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each)));
}

/** Line ending that a text uses. */
export const endingOf = (text: string): string => (/\r?\n/.exec(text) ?? ['\n'])[0];
