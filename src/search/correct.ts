/** Replaces query words that no live document has by words that were probably meant. */
import { type LexicalScores, scoreBm25f } from './bm25.js';
import type { Corpus } from './corpus.js';
import type { ParsedQuery } from './query.js';
import type { Vocabulary } from './vocabulary.js';
import { CORRECTION } from './weights.js';

interface Corrected {
  query: ParsedQuery;
  lexical: LexicalScores;
  /**
   * Terms searched for instead, by misspelt word. An empty list is for an unknown identifier, whose parts are searched
   * for. Empty if all words are known.
   */
  corrections: Record<string, string[]>;
}

/** Shortest unknown identifier that is reported, in characters. A shorter one, such as `v3`, can be anything. */
const MIN_IDENTIFIER = 5;

/** Scores a query. If no document has some of its words, corrects those words and scores the query again. */
export async function scoreCorrected(corpus: Corpus, query: ParsedQuery, vocabulary: Vocabulary): Promise<Corrected> {
  const lexical = scoreQuery(corpus, query, query.terms);
  const missing = lexical.terms.filter(({ df }) => df === 0);
  const unknown = missing.filter(({ term }) => !query.wholes.has(term));
  const replaced = new Map<string, string[]>();
  for (const { term } of unknown) {
    const similar = (await vocabulary.similar(term)).slice(0, CORRECTION.kept);
    if (similar.length > 0) replaced.set(term, similar);
  }
  const word = (term: string) => query.typed.get(term) ?? term;
  const corrections = Object.fromEntries([...replaced].map(([term, found]) => [word(term), found]));
  // An unknown identifier is not a misspelling: its parts find similar names. Report it all the same, so that the user
  // knows.
  for (const { term } of missing)
    if (query.wholes.has(term) && word(term).length >= MIN_IDENTIFIER) corrections[word(term)] ??= [];
  if (replaced.size === 0) return { query, lexical, corrections };
  const terms = [...new Set(query.terms.flatMap((term) => replaced.get(term) ?? [term]))];
  return { query: { ...query, terms }, lexical: scoreQuery(corpus, query, terms), corrections };
}

/** Scores terms, and of the phrasal ones those that the snapshot has. */
function scoreQuery(corpus: Corpus, { phrasal }: ParsedQuery, terms: readonly string[]): LexicalScores {
  const further = phrasal.filter((term) => !terms.includes(term));
  const scored = scoreBm25f(corpus, [...terms, ...further]);
  return { ...scored, terms: scored.terms.filter(({ term, df }) => df > 0 || !further.includes(term)) };
}
