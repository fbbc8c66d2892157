/**
 * Lists: of what has something in common, sorted ones that are searched by halves, and the lines of a text; maps that make what they lack;
 * and a hash of texts.
 */

/** A map, or what stands for one. */
interface Table<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of a key. If there is none, it is made and kept. */
export function getOrMake<K, V>(table: Table<K, V>, key: K, make: () => V): V {
  let value = table.get(key);
  if (value === undefined) {
    value = make();
    table.set(key, value);
  }
  return value;
}

export function addTo<K, T>(lists: Table<K, T[]>, key: K, one: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [one]);
  else list.push(one);
}

/** Lists by key, each in the order of `all`, as are the keys. */
export function groupBy<T, K>(all: Iterable<T>, keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) addTo(groups, keyOf(one), one);
  return groups;
}

/** Index of the first of `count` sorted items that is not before what is looked for; `count` if all are. Searches by halves. */
export function firstFrom(count: number, isBefore: (index: number) => boolean, least = 0): number {
  let [low, high] = [least, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of a number in ascending ones; -1 if it is absent. */
export function indexIn(sorted: ArrayLike<number>, wanted: number): number {
  const at = firstFrom(sorted.length, (i) => sorted[i] < wanted);
  return sorted[at] === wanted ? at : -1;
}

/** A longest part of a list of pairs in which the second numbers rise. Patience sorting: `ends[n]` is the best end of n + 1 pairs. */
export function longestRising<Pair extends readonly [number | string, number]>(pairs: readonly Pair[]): Pair[] {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [n, [, place]] of pairs.entries()) {
    const length = firstFrom(ends.length, (i) => pairs[ends[i]][1] < place);
    before.push(length === 0 ? -1 : ends[length - 1]);
    ends[length] = n;
  }
  const list: Pair[] = [];
  for (let n = ends.at(-1) ?? -1; n >= 0; n = before[n]) list.push(pairs[n]);
  return list.reverse();
}

const LINE_FEED = 0x0a;

const breakFrom = (text: string | Buffer, from: number): number =>
  typeof text === 'string' ? text.indexOf('\n', from) : text.indexOf(LINE_FEED, from);

/** Offset at which each line begins: in UTF-16 units of a text, in bytes of a file. A line break at the very end begins one more. */
export function lineStarts(text: string | Buffer): number[] {
  const starts = [0];
  for (let at = breakFrom(text, 0); at >= 0; at = breakFrom(text, at + 1)) starts.push(at + 1);
  return starts;
}

/** Line of an offset, counted from 1, in lines that begin at `starts`. */
export const lineAt = (starts: readonly number[], offset: number): number =>
  firstFrom(starts.length, (line) => starts[line] <= offset);

/** Line of one offset, counted from 1; the text is read up to it. */
export function lineOf(text: string | Buffer, offset: number): number {
  let line = 1;
  for (let at = breakFrom(text, 0); at >= 0 && at < offset; at = breakFrom(text, at + 1)) line++;
  return line;
}

/** FNV-1a over UTF-16 units. */
export const hashOf = (text: string): number => hashOfPart(text, 0, text.length);

export function hashOfPart(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
