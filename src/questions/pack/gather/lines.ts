/** Ranges of lines in one file: kept apart, joined where they meet. */

/** First and last line, counted from 1, inclusive. */
export interface Range {
  startLine: number;
  endLine: number;
}

/** So few lines between two ranges cost less than a second heading, and show how they belong together. */
export const MAX_GAP = 5;

/** Union of a range with those it meets: `joined` replaces `met` of the sorted, disjoint `ranges`. */
export function join<T extends Range>(ranges: readonly T[], added: Range, gap = MAX_GAP): { joined: Range; met: T[] } {
  let { startLine, endLine } = added;
  const met: T[] = [];
  // Twice: what joins makes the range longer, which may then meet what stood before it.
  for (let known = -1; known !== met.length; ) {
    known = met.length;
    for (const range of ranges) {
      if (met.includes(range) || range.startLine > endLine + gap + 1 || range.endLine < startLine - gap - 1) continue;
      met.push(range);
      startLine = Math.min(startLine, range.startLine);
      endLine = Math.max(endLine, range.endLine);
    }
  }
  return { joined: { startLine, endLine }, met };
}

export function contains(ranges: readonly Range[], { startLine, endLine }: Range): boolean {
  return ranges.some((range) => range.startLine <= startLine && range.endLine >= endLine);
}

/** Is any line of it in one of them? */
export function meets(ranges: readonly Range[], { startLine, endLine }: Range): boolean {
  return ranges.some((range) => range.startLine <= endLine && range.endLine >= startLine);
}

/** Lines of a text, without what ends them. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The part of a range that speaks most of the words (`weigh`, for a line) in at most `count` lines. */
export function densest(lines: readonly string[], range: Range, count: number, weigh: (line: string) => number): Range {
  const { startLine, endLine } = range;
  if (endLine - startLine < count) return range;
  const weights = lines.slice(startLine - 1, endLine).map(weigh);
  let best = 0;
  let sum = weights.slice(0, count).reduce((total, weight) => total + weight, 0);
  let most = sum;
  for (let at = 1; at + count <= weights.length; at++) {
    sum += weights[at + count - 1] - weights[at - 1];
    if (sum > most) [best, most] = [at, sum];
  }
  return { startLine: startLine + best, endLine: startLine + best + count - 1 };
}
