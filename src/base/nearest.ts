/** Suggestions for a mistyped name. */
import { editDistance } from './edit-distance.js';

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
      editDistance(wanted, full),
      short === full ? Number.MAX_VALUE : editDistance(wanted, short) + 1,
    );
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
