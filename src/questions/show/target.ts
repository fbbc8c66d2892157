/** Targets as people type and paste them: a path, lines of a file, a symbol, or a symbol of a file. */
import { SocraticodeError } from '../../base/errors.js';

/** Lines, counted from 1; `end` may be beyond the file, and Infinity means its end. */
export interface LineRange {
  start: number;
  end: number;
}

/** How a text can be split into a path and what to show of it; the whole text as a path comes first. */
export interface Reading {
  path: string;
  lines: LineRange | null;
  /** Name of a symbol in the file. */
  symbol: string | null;
}

/** `:10`, `:10-40`, `:10-`, `:10,40`, `:10,+20` as `git log -L` has them; `:10:5` of compilers; `#L10-L40` of web pages. */
const LINES =
  /^(?<path>.+?)(?::|#L)(?<start>\d{1,9})(?:-L?(?<end>\d{1,9})|(?<open>-)|,(?<until>\+?\d{1,9})|:\d{1,9})?$/s;
const SYMBOL = /^(?<path>.+?)(?:#|(?<!:):(?!:))(?<symbol>[^:#].*)$/s;

/** The readings of a target, the most literal one first. Throws BAD_ARGUMENT for lines that cannot be. */
export function readingsOf(target: string): Reading[] {
  const whole = { path: target, lines: null, symbol: null };
  const lines = LINES.exec(target)?.groups;
  if (lines !== undefined) return [whole, { path: lines.path, lines: rangeOf(target, lines), symbol: null }];
  const named = SYMBOL.exec(target)?.groups;
  return named === undefined ? [whole] : [whole, { path: named.path, lines: null, symbol: named.symbol }];
}

function rangeOf(target: string, { start: first, end, open, until }: Record<string, string | undefined>): LineRange {
  const start = Number(first);
  const last = open !== undefined ? Infinity : Number(end ?? until ?? first);
  const range = { start, end: until?.startsWith('+') ? start + last - 1 : last };
  if (start < 1) throw new SocraticodeError('BAD_ARGUMENT', `lines are counted from 1: ${target}`, { hint: FORMS });
  if (range.end < start)
    throw new SocraticodeError('BAD_ARGUMENT', `the lines end before they begin: ${target}`, { hint: FORMS });
  return range;
}

const FORMS = 'Lines are written PATH:10, PATH:10-40, or PATH:10,+20 for twenty lines.';
