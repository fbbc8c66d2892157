/** Evidence from the texts of the first results, which are read to be shown anyway: what they call, and what they define. */
import type { LiveSet } from '../shard/live.js';
import { bestChunks, firstFiles } from './best-chunk.js';
import type { TermMatch } from './bm25.js';
import { callGains } from './calls.js';
import type { ParsedQuery } from './query.js';
import type { Ranking } from './rank.js';
import { CALLS } from './weights.js';

interface Reading {
  query: ParsedQuery;
  terms: readonly TermMatch[];
  /** Text of a document. */
  textOf: (document: number) => Promise<string>;
  /** Told of the documents whose texts come next, where reading many at once is cheaper than one after the other. */
  ahead?: (documents: readonly number[]) => Promise<void>;
}

/** Raises chunks that others call, then chooses the chunk that stands first in each file. */
export async function readBest(
  live: LiveSet,
  ranking: Ranking,
  { query, terms, textOf, ahead }: Reading,
): Promise<void> {
  const { ranked } = ranking;
  // Chosen before calls count, so that all texts are read at once.
  const files = firstFiles(ranked);
  const read = [...ranked.slice(0, CALLS.read), ...[...files.values()].flat()];
  await ahead?.(read.map(({ document }) => document));
  ranking.lift(await callGains(live, ranked, textOf));
  ranking.putFirst(await bestChunks(live, query, { files, terms }, textOf));
}
