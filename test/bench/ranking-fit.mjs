// How much of a figure is fitted: weights are fitted on some repositories and scored on those they never saw.
// A listwise softmax with a pull towards the start was tried too: on held-out repositories neither beats its start.
import { describe, ndcgUnder } from './ranking-features.mjs';
import { byRepo, mean } from './ranking-judged.mjs';

/** A weight is tried at these multiples of its value. */
const STEPS = [0, 0.5, 0.7, 0.85, 1.2, 1.5, 2];
/** And these where it is 0. */
const FROM_ZERO = [0.3, 0.8, 1.5];
const ROUNDS = 3;

/** Mean over repositories of their queries' mean. */
export function score(queries, weights) {
  return mean([...byRepo(queries).values()].map((own) => mean(own.map((query) => ndcgUnder(query, weights)))));
}

/** Weights one at a time, each moved to where the mean gains most, if that is at least `leastGain`. */
export function fit(queries, start, leastGain) {
  const weights = start.slice();
  const perRepo = byRepo(queries);
  const shareOf = (query) => 1 / perRepo.size / perRepo.get(query.repo).length;
  const sum = (affected) => affected.reduce((total, query) => total + shareOf(query) * ndcgUnder(query, weights), 0);
  for (let round = 0, moved = true; round < ROUNDS && moved; round++) {
    moved = false;
    for (let at = 0; at < weights.length; at++) {
      const { kind, most } = describe(at);
      const affected = queries.filter((query) => kind < 0 || query.kind === kind);
      const before = weights[at];
      let best = { value: before, total: sum(affected) + leastGain };
      for (const value of before === 0 ? FROM_ZERO : STEPS.map((step) => step * before)) {
        if (value > most) continue;
        weights[at] = value;
        const total = sum(affected);
        if (total > best.total) best = { value, total };
      }
      weights[at] = best.value;
      moved ||= best.value !== before;
    }
  }
  return weights;
}

/** Each fold in turn is held out: figures on it of weights fitted to the others, beside those of the start itself. */
export function crossValidate(queries, { start, folds, leastGain }) {
  const repos = [...new Set(queries.map(({ repo }) => repo))];
  return Array.from({ length: Math.min(folds, repos.length) }, (_, fold) => {
    const heldOut = repos.filter((_, i) => i % folds === fold);
    const [own, others] = [true, false].map((own) => queries.filter(({ repo }) => heldOut.includes(repo) === own));
    const fitted = fit(others, start, leastGain);
    return {
      heldOut,
      moved: fitted.reduce((count, weight, i) => count + (weight === start[i] ? 0 : 1), 0),
      seen: { start: score(others, start), fitted: score(others, fitted) },
      unseen: { start: score(own, start), fitted: score(own, fitted) },
    };
  });
}
