/** Suggestions for a mistyped name, by edit distance. */

/** Longest word that is compared, which bounds the work: longer words are no typing errors. */
const MAX_LENGTH = 64;

/**
 * Candidate that `word` most likely meant: at most a third of its letters differ, or one. Null if none is that near.
 * Case does not matter, and `limit` is near `search.limit`.
 */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  if (word.length > MAX_LENGTH) return null;
  const wanted = word.toLowerCase();
  const budget = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | null = null;
  let bestDistance = budget + 1;
  for (const candidate of candidates) {
    const full = candidate.toLowerCase();
    const short = full.slice(full.lastIndexOf('.') + 1);
    // A match of the last part alone costs one edit more, so that a full match wins.
    const distance = Math.min(
      editDistance(wanted, full, budget),
      short === full ? Number.MAX_VALUE : editDistance(wanted, short, budget) + 1,
    );
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Edits (insert, delete, replace, swap neighbours) from `a` to `b`, both short; beyond `most` it may say Infinity. */
export function editDistance(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  let least = 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    const leastBefore = least;
    least = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
      least = Math.min(least, row[j]);
    }
    // Each further row follows from these two, and has no less.
    if (least > most && leastBefore > most) return Number.POSITIVE_INFINITY;
    beforeLast = last;
    last = row;
  }
  return last[b.length];
}
