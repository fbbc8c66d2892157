/** Mean reciprocal rank of the right candidates. */
import type { Dataset } from '../dataset/read.js';

/** Held-out pairs; each query's right code is its own, and all the others' codes are its wrong ones. */
export type Round = readonly number[];

/**
 * Scores are queries x candidates. A wrong candidate that scores the same counts as half before the right one, so that
 * knowing nothing is not rewarded. Pairs with the same query, or the same code, are neither right nor wrong.
 */
export function reciprocalRanks(scores: ArrayLike<number>, round: Round, { hash }: Dataset): number {
  const n = round.length;
  let sum = 0;
  for (const [i, pair] of round.entries()) {
    const own = scores[i * n + i];
    let rank = 1;
    for (const [j, other] of round.entries()) {
      if (hash[2 * pair] === hash[2 * other] || hash[2 * pair + 1] === hash[2 * other + 1]) continue;
      const score = scores[i * n + j];
      if (score > own) rank++;
      else if (score === own) rank += 0.5;
    }
    sum += 1 / rank;
  }
  return sum;
}

/** Sum of two scores of n queries x n candidates, each brought to 0 to 1 within its query. */
export function addScores(left: ArrayLike<number>, right: ArrayLike<number>, n: number): Float64Array {
  const sum = new Float64Array(n * n);
  for (const scores of [left, right]) {
    for (let from = 0; from < sum.length; from += n) {
      let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let i = from; i < from + n; i++) {
        lowest = Math.min(lowest, scores[i]);
        highest = Math.max(highest, scores[i]);
      }
      const range = highest - lowest || 1;
      for (let i = from; i < from + n; i++) sum[i] += (scores[i] - lowest) / range;
    }
  }
  return sum;
}
