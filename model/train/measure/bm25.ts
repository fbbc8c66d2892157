/**
 * BM25 (Robertson and Zaragoza, 2009) over the candidates of a round: what the model has to beat. It sees every term,
 * those outside the vocabulary and the whole compound identifiers too.
 */
import type { Dataset } from '../dataset/read.js';
import { MEASURE } from '../recipe.js';
import type { Round } from './rank.js';

/** Scores of queries x candidates. */
export function bm25Scores(dataset: Dataset, round: Round): Float64Array {
  const n = round.length;
  const scores = new Float64Array(n * n);
  const { postings, lengths, mean } = invert(dataset, round);
  for (const [i, pair] of round.entries()) {
    for (const [term] of termsOf(dataset, 2 * pair)) {
      const found = postings.get(term) ?? [];
      const idf = Math.log(1 + (n - found.length + 0.5) / (found.length + 0.5));
      for (const [candidate, count] of found) {
        const norm = MEASURE.k1 * (1 - MEASURE.b + (MEASURE.b * lengths[candidate]) / mean);
        scores[i * n + candidate] += (idf * count * (MEASURE.k1 + 1)) / (count + norm);
      }
    }
  }
  return scores;
}

function invert(dataset: Dataset, round: Round) {
  const postings = new Map<number, [candidate: number, count: number][]>();
  const lengths = new Float64Array(round.length);
  for (const [candidate, pair] of round.entries()) {
    for (const [term, count] of termsOf(dataset, 2 * pair + 1)) {
      const found = postings.get(term) ?? [];
      found.push([candidate, count]);
      postings.set(term, found);
      lengths[candidate] += count;
    }
  }
  const mean = lengths.reduce((a, b) => a + b, 0) / round.length;
  return { postings, lengths, mean };
}

function* termsOf({ termStart, term, termCount }: Dataset, side: number): Generator<[term: number, count: number]> {
  for (let i = termStart[side]; i < termStart[side + 1]; i++) yield [term[i], termCount[i]];
}
