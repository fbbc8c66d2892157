/**
 * Lines that differ between two texts. Lines that stand once in both texts hold the two together, as in the patience diff
 * (Bram Cohen, 2006); what is left between them is compared by its longest common subsequence.
 */
import { longestRising } from './lists.js';

/** Lines of the old text from `first` on, counted from 0, that others replace; one of the two lists may be empty. */
export interface LineChange {
  first: number;
  old: readonly string[];
  fresh: readonly string[];
}

/** Most pairs of lines that are compared in one piece: those of two texts with a thousand lines each. */
const MAX_PAIRS = 1_000_000;
/** Most pairs in all pieces of a text: about 0.3 s. */
const ALL_PAIRS = 20_000_000;
/** Most times that a piece is cut at its own unique lines. */
const MAX_DEPTH = 8;

/** Changes in order, none touching another. A piece that is too large to be compared is one change. `first`: line of `old[0]`. */
export function lineChanges(old: readonly string[], fresh: readonly string[], first = 0): LineChange[] {
  return piece({ first, old, fresh }, { pairs: ALL_PAIRS }, MAX_DEPTH);
}

function piece(whole: LineChange, left: { pairs: number }, depth: number): LineChange[] {
  const change = trimmed(whole);
  const { first, old, fresh } = change;
  if (old.length === 0 && fresh.length === 0) return [];
  if (old.length === 0 || fresh.length === 0) return [change];
  const pairs = old.length * fresh.length;
  if (pairs <= Math.min(MAX_PAIRS, left.pairs)) {
    left.pairs -= pairs;
    return split(change);
  }
  const anchors = depth === 0 ? [] : anchorsOf(old, fresh);
  if (anchors.length === 0) return [change];
  const changes: LineChange[] = [];
  let [i, j] = [0, 0];
  for (const [atOld, atFresh] of [...anchors, [old.length, fresh.length] as const]) {
    const between = { first: first + i, old: old.slice(i, atOld), fresh: fresh.slice(j, atFresh) };
    changes.push(...piece(between, left, depth - 1));
    [i, j] = [atOld + 1, atFresh + 1];
  }
  return changes;
}

/** Leaves out lines at both ends that stay as they are. */
function trimmed({ first, old, fresh }: LineChange): LineChange {
  const most = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < most && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
  const cut = (lines: readonly string[]) => lines.slice(head, lines.length - tail);
  return { first: first + head, old: cut(old), fresh: cut(fresh) };
}

type Anchor = readonly [old: number, fresh: number];

/** The longest list of lines that stand once in both texts, in the same order in both. */
function anchorsOf(old: readonly string[], fresh: readonly string[]): Anchor[] {
  const inFresh = uniqueLines(fresh);
  const pairs: Anchor[] = [];
  for (const [line, at] of uniqueLines(old)) {
    const other = inFresh.get(line);
    if (at >= 0 && other !== undefined && other >= 0) pairs.push([at, other]);
  }
  return longestRising(pairs);
}

/** Place of each line; -1 for one that stands more than once. */
function uniqueLines(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [at, line] of lines.entries()) places.set(line, places.has(line) ? -1 : at);
  return places;
}

/** Leaves out lines within a change that stay as they are, by the longest common subsequence. */
function split(change: LineChange): LineChange[] {
  const { first, old, fresh } = change;
  const common = commonLengths(old, fresh);
  const width = fresh.length + 1;
  const changes: LineChange[] = [];
  let [i, j, fromOld, fromFresh] = [0, 0, 0, 0];
  const flush = () => {
    if (i > fromOld || j > fromFresh)
      changes.push({ first: first + fromOld, old: old.slice(fromOld, i), fresh: fresh.slice(fromFresh, j) });
  };
  while (i < old.length && j < fresh.length) {
    if (old[i] === fresh[j]) {
      flush();
      [fromOld, fromFresh] = [++i, ++j];
    } else if (common[(i + 1) * width + j] >= common[i * width + j + 1]) i++;
    else j++;
  }
  [i, j] = [old.length, fresh.length];
  flush();
  return changes;
}

/** Length of the longest common subsequence of the lines from `i` and from `j` on, at `i * (fresh.length + 1) + j`. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Uint32Array {
  const width = fresh.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--) {
      const at = i * width + j;
      lengths[at] = old[i] === fresh[j] ? lengths[at + width + 1] + 1 : Math.max(lengths[at + width], lengths[at + 1]);
    }
  return lengths;
}
