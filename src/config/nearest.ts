/** Suggestions for a mistyped name. */
import { editDistance } from '../base/edit-distance.js';

/** Words longer than this are no typing errors; it bounds the work as well. */
const MAX_LENGTH = 64;

/**
 * The candidate that `word` most likely meant, or null if none is near: at most a third of its letters differ (and
 * one in any case). Case does not matter, and `limit` is near `search.limit`.
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
    // The last part alone counts one edit more, so that a full match wins.
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
