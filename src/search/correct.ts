/** Query words that no live document has are replaced by what was probably meant. */
import { type LexicalScores, scoreBm25f } from './bm25.js';
import type { Corpus } from './corpus.js';
import type { ParsedQuery } from './query.js';
import type { Vocabulary } from './vocabulary.js';
import { CORRECTION } from './weights.js';

export interface Corrected {
  query: ParsedQuery;
  lexical: LexicalScores;
  /** Word -> terms searched for instead, none for an identifier whose parts are searched for; empty if all are known. */
  corrections: Record<string, string[]>;
}

/** Of fewer characters it may be anything: `v3`. */
const MIN_IDENTIFIER = 5;

/** Scores a query; words without any document are corrected and the query scored again. */
export async function scoreCorrected(corpus: Corpus, query: ParsedQuery, vocabulary: Vocabulary): Promise<Corrected> {
  const lexical = scoreBm25f(corpus, query.terms);
  const missing = lexical.terms.filter(({ df }) => df === 0);
  const unknown = missing.filter(({ term }) => !query.wholes.has(term));
  const replaced = new Map<string, string[]>();
  for (const { term } of unknown) {
    const similar = (await vocabulary.similar(term)).slice(0, CORRECTION.kept);
    if (similar.length > 0) replaced.set(term, similar);
  }
  const word = (term: string) => query.typed.get(term) ?? term;
  const corrections = Object.fromEntries([...replaced].map(([term, found]) => [word(term), found]));
  // An identifier that nothing has is no misspelling: its parts find what is near. But whoever asks has to know.
  for (const { term } of missing)
    if (query.wholes.has(term) && word(term).length >= MIN_IDENTIFIER) corrections[word(term)] ??= [];
  if (replaced.size === 0) return { query, lexical, corrections };
  const terms = [...new Set(query.terms.flatMap((term) => replaced.get(term) ?? [term]))];
  return { query: { ...query, terms }, lexical: scoreBm25f(corpus, terms), corrections };
}
