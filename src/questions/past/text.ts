/** Text that answers about the past share: how much of the history they are counted from. */
import { formatCount } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { PastWindow } from './output.js';

const DATE_LENGTH = 10;

/** `2024-05-31`, or `no date`. */
export const dateText = (date: string | null): string => date?.slice(0, DATE_LENGTH) ?? 'no date';

/** A line that says how far back the answer looked, and one for commits whose changes are unknown. */
export function windowLines({ commits, end, unknown, oldest }: PastWindow, pen: Pen, isWeighed = true): string[] {
  const since = oldest === null ? '' : ` since ${dateText(oldest)}`;
  const all = end === 'root' ? 'all' : 'the last';
  const lines = [`from ${all} ${formatCount(commits, 'commit')}${since}${isWeighed ? '; newer ones weigh more' : ''}`];
  if (end === 'shallow') lines.push(`this is a shallow clone, its history ends there: ${pen.words.unshallow}`);
  const missing = formatCount(unknown, 'commit');
  if (unknown > 0) lines.push(`the changes of ${missing} are not known: this clone lacks their files`);
  return lines.map((line) => pen.dim(line));
}
