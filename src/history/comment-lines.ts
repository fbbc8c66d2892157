/** Tells cheaply whether two texts may differ in comments alone, so that few versions are parsed for their comments. */

/** Marks that open a comment in one language or another, or stand before its further lines. */
const MARK = /\/[/*]|#|--|\{-|=begin|^\*/;
/** Comments over several lines. */
const BLOCKS: readonly (readonly [open: string, close: string])[] = [
  ['/*', '*/'],
  ['<!--', '-->'],
  ['{-', '-}'],
  ['--[[', ']]'],
  ['=begin', '=end'],
];

/** False means that code differs; true means nothing, for the marks may stand in strings. */
export function mayDifferInComments(before: string, after: string): boolean {
  const [old, now] = [readLines(before), readLines(after)];
  const [gone, added] = [markedIn(old, now), markedIn(now, old)];
  if (gone.length + added.length === 0) return false;
  return isCommentBesides(old, now, added) && isCommentBesides(now, old, gone);
}

/** Lines without indentation; true for those that may hold a comment. */
function readLines(text: string): Map<string, boolean> {
  const lines = new Map<string, boolean>();
  let close: string | null = null;
  for (const written of text.split(/[\n\0]/)) {
    const line = written.trim();
    if (line === '') continue;
    const isMarked = close !== null || MARK.test(line);
    lines.set(line, isMarked || (lines.get(line) ?? false));
    const opened: (readonly [string, string])[] = BLOCKS.filter(([open]) => line.includes(open));
    if (close !== null && line.includes(close)) close = null;
    for (const [open, end] of opened) if (line.lastIndexOf(open) > line.lastIndexOf(end)) close = end;
  }
  return lines;
}

type Lines = ReadonlyMap<string, boolean>;

/** Lines that may hold a comment, and that the other text lacks. */
const markedIn = (lines: Lines, others: Lines): string[] =>
  [...lines].filter(([line, mayBeComment]) => mayBeComment && !others.has(line)).map(([line]) => line);

/** Every line that the other text lacks may be a comment, or has one behind it there (`marked`). */
function isCommentBesides(lines: Lines, others: Lines, marked: readonly string[]): boolean {
  const sorted = [...marked].sort();
  for (const [line, mayBeComment] of lines)
    if (!mayBeComment && !others.has(line) && !sorted[firstFrom(sorted, line)]?.startsWith(line)) return false;
  return true;
}

/** Place of the first of sorted texts that is not before `text`: the first of those that begin with it, if any does. */
function firstFrom(sorted: readonly string[], text: string): number {
  let [first, last] = [0, sorted.length];
  while (first < last) {
    const middle = (first + last) >>> 1;
    if (sorted[middle] < text) first = middle + 1;
    else last = middle;
  }
  return first;
}
