/** How much two texts have in common: git's idea of a rename, on words instead of lines. */

/** From this share on, code that vanished and code that appeared are the same code, as with git's renames. */
export const MOVED_SIMILARITY = 0.5;
/** Words beyond this add nothing to the picture. */
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

/** 0 nothing, 1 the same words equally often. */
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
