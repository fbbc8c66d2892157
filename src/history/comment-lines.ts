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
  return isCommentBesides(old, now) && isCommentBesides(now, old);
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

/** Every line that the other text lacks may be a comment, or has one behind it there. */
function isCommentBesides(lines: ReadonlyMap<string, boolean>, others: ReadonlyMap<string, boolean>): boolean {
  const marked = [...others].filter(([line, mayBeComment]) => mayBeComment && !lines.has(line)).map(([line]) => line);
  for (const [line, mayBeComment] of lines)
    if (!mayBeComment && !others.has(line) && !marked.some((other) => other.startsWith(line))) return false;
  return true;
}
