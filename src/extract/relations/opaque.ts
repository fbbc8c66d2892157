/** Parts of a text that hold no names: comments, contents of strings. */
import type { TextRange } from '../../languages/roles/scan.js';

/** Offsets of a text without names, or (`isCode`) of code inside such a text: an interpolation. */
export interface OpaqueRange extends TextRange {
  isCode: boolean;
}

/** Ranges without names, in order and apart from each other. */
export function withoutNames(ranges: readonly OpaqueRange[]): TextRange[] {
  const sorted = [...ranges].sort((a, b) => a.start - b.start || b.end - a.end);
  const found: TextRange[] = [];
  const open: OpaqueRange[] = [];
  let from = 0;
  const close = (to: number): void => {
    const top = open[open.length - 1];
    if (top !== undefined && !top.isCode && to > from) found.push({ start: from, end: to });
    from = to;
  };
  const leave = (at: number): void => {
    for (let top = open[open.length - 1]; top !== undefined && top.end <= at; top = open[open.length - 1]) {
      close(top.end);
      open.pop();
    }
  };
  for (const range of sorted) {
    leave(range.start);
    close(range.start);
    open.push(range);
  }
  leave(Number.POSITIVE_INFINITY);
  return found;
}
