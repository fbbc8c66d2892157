/** Measures the similarity of two texts as git does for renames, but by words instead of lines. */

/** Similarity from which removed and added code count as moved. git's renames have the same threshold. */
export const MOVED_SIMILARITY = 0.5;
/** Maximum number of words counted of one text, which is enough to compare it. */
const MAX_WORDS = 20_000;

export type WordCounts = ReadonlyMap<string, number>;

export function countWords(bytes: Buffer): WordCounts {
  const counts = new Map<string, number>();
  let total = 0;
  for (const [word] of bytes.toString('utf8').matchAll(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    if (++total >= MAX_WORDS) break;
  }
  return counts;
}

/** Dice coefficient of two texts: 0 for no common word, 1 for the same words equally often. */
export function similarity(a: WordCounts, b: WordCounts): number {
  let common = 0;
  let total = 0;
  for (const [word, count] of a) {
    common += Math.min(count, b.get(word) ?? 0);
    total += count;
  }
  for (const count of b.values()) total += count;
  return total === 0 ? 1 : (2 * common) / total;
}
