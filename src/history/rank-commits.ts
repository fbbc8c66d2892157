/** Ranks commits by the words of a query in their messages and in the paths that they changed: BM25 over weighed fields. */
import { textTerms } from '../extract/terms.js';
import type { LoggedCommit } from './change-log.js';

export interface RankedCommit {
  commit: LoggedCommit;
  score: number;
}

/** The first line says what a commit is about; a path has few words, which are often those of its neighbours. */
const WEIGHTS = { subject: 3, body: 1, path: 1, symbol: 2 } as const;
/** Saturation and normalisation by length, as usual for BM25 (Robertson and Zaragoza, 2009). */
const K1 = 1.2;
const B = 0.5;

/** Best first, of equals the newer one; commits without any of the terms are left out. `terms`: of the query. */
export function rankCommits(commits: readonly LoggedCommit[], terms: readonly string[]): RankedCommit[] {
  const wanted = new Map(terms.map((term, i) => [term, i]));
  const counted = commits.map((commit) => countTerms(commit, wanted));
  const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const idf = terms.map((_, i) => {
    const having = counted.filter(({ counts }) => counts[i] > 0).length;
    return Math.log(1 + (commits.length - having + 0.5) / (having + 0.5));
  });
  return counted
    .flatMap(({ commit, counts, length }) => {
      const norm = K1 * (1 - B + (B * length) / Math.max(1, average));
      const score = counts.reduce((sum, count, i) => sum + (idf[i] * count * (K1 + 1)) / (count + norm), 0);
      return score > 0 ? [{ commit, score }] : [];
    })
    .sort((a, b) => b.score - a.score || a.commit.age - b.commit.age);
}

/** Adds what the symbols that commits changed have of the query, and orders anew. */
export function rankBySymbols(
  ranked: readonly RankedCommit[],
  terms: readonly string[],
  symbolsOf: (commit: string) => readonly string[],
): RankedCommit[] {
  const wanted = new Set(terms);
  return ranked
    .map(({ commit, score }) => {
      const found = new Set(
        symbolsOf(commit.commit)
          .flatMap(textTerms)
          .filter((term) => wanted.has(term)),
      );
      return { commit, score: score * (1 + (WEIGHTS.symbol * found.size) / (10 * Math.max(1, terms.length))) };
    })
    .sort((a, b) => b.score - a.score || a.commit.age - b.commit.age);
}

interface Counted {
  commit: LoggedCommit;
  /** Weighed occurrences, by the place of the term in the query. */
  counts: number[];
  /** Weighed number of terms. */
  length: number;
}

function countTerms(commit: LoggedCommit, wanted: ReadonlyMap<string, number>): Counted {
  const counts: number[] = new Array(wanted.size).fill(0);
  let length = 0;
  const add = (text: string, weight: number) => {
    for (const term of textTerms(text)) {
      length += weight;
      const place = wanted.get(term);
      if (place !== undefined) counts[place] += weight;
    }
  };
  add(commit.subject, WEIGHTS.subject);
  if (commit.body !== '') add(commit.body, WEIGHTS.body);
  if (commit.paths.length > 0) add(commit.paths.join('\n'), WEIGHTS.path);
  return { commit, counts, length };
}
