/**
 * Follows lines through an edit. Lines that both texts have once, in the same order, are fixed points (patience diff, Bram
 * Cohen); from each, equal neighbours are fixed as well. Lines between two fixed points became the lines between them in the
 * newer text. Linear but for sorting, for any input.
 */
import type { Lines } from './anchor.js';

/** Lines of a text, compared without the carriage return at their end. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** The lines in the newer text that lines of the older one became; null if nothing is left of them. */
export function followLines(before: readonly string[], after: readonly string[], { start, end }: Lines): Lines | null {
  const to = fixedPoints(before, after);
  const last = Math.min(end, before.length) - 1;
  let above = start - 2;
  while (above >= 0 && to[above] < 0) above--;
  let below = last + 1;
  while (below < before.length && to[below] < 0) below++;
  const first = above < 0 ? 0 : to[above] + 1;
  const until = below >= before.length ? after.length - 1 : to[below] - 1;
  if (until < first) return null;
  // Blank lines at the edges belong to the surroundings.
  let [from, through] = [first, until];
  while (from < through && after[from].trim() === '') from++;
  while (through > from && after[through].trim() === '') through--;
  return { start: from + 1, end: through + 1 };
}

/** For each older line the newer line that it is, or -1; increasing. */
function fixedPoints(before: readonly string[], after: readonly string[]): Int32Array {
  const to = new Int32Array(before.length).fill(-1);
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) to[head] = head++;
  let tail = 0;
  const room = Math.min(before.length, after.length) - head;
  while (tail < room && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  for (let i = 1; i <= tail; i++) to[before.length - i] = after.length - i;
  for (const [old, now] of increasing(uniquePairs(before, after, { head, tail }))) to[old] = now;
  return spread(before, after, to);
}

interface Middle {
  head: number;
  tail: number;
}

/** Pairs of lines that occur once in the middle of either text, by the older line. */
function uniquePairs(before: readonly string[], after: readonly string[], { head, tail }: Middle): [number, number][] {
  const places = (lines: readonly string[]) => {
    const found = new Map<string, number>();
    for (let i = head; i < lines.length - tail; i++) found.set(lines[i], found.has(lines[i]) ? -1 : i);
    return found;
  };
  const now = places(after);
  const pairs: [number, number][] = [];
  for (const [line, old] of places(before)) {
    const place = now.get(line) ?? -1;
    if (old >= 0 && place >= 0) pairs.push([old, place]);
  }
  return pairs.sort((a, b) => a[0] - b[0]);
}

/** A longest subsequence whose newer lines increase, too. */
function increasing(pairs: readonly [number, number][]): [number, number][] {
  const ends: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  for (const [i, [, now]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]][1] < now) low = middle + 1;
      else high = middle;
    }
    previous[i] = low > 0 ? ends[low - 1] : -1;
    ends[low] = i;
  }
  const chain: [number, number][] = [];
  for (let i = ends.at(-1) ?? -1; i >= 0; i = previous[i]) chain.push(pairs[i]);
  return chain.reverse();
}

/** Fixes equal neighbours of fixed lines, downwards and then upwards. */
function spread(before: readonly string[], after: readonly string[], to: Int32Array): Int32Array {
  const taken = new Uint8Array(after.length);
  for (const now of to) if (now >= 0) taken[now] = 1;
  const fix = (old: number, now: number) => {
    if (to[old] >= 0 || now < 0 || now >= after.length || taken[now] === 1 || before[old] !== after[now]) return;
    to[old] = now;
    taken[now] = 1;
  };
  for (let i = 1; i < before.length; i++) if (to[i - 1] >= 0) fix(i, to[i - 1] + 1);
  for (let i = before.length - 2; i >= 0; i--) if (to[i + 1] >= 0) fix(i, to[i + 1] - 1);
  return to;
}
