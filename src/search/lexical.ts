/**
 * Matching by words: BM25F over the live documents of a snapshot, correction of misspelt words, and synonyms for a query in other words than
 * the code's.
 */
import type { Index } from 'flexsearch';
import { editDistance } from '../base/spelling.js';
import { stem } from '../extract/terms.js';
import { documentsOf, type LiveSet } from '../shard/live-set.js';
import type { MessageField } from './commit-subjects.js';
import type { Corpus } from './corpus.js';
import type { ParsedQuery } from './query.js';
import { BM25F, CORRECTION, OTHER_WORDS, SYNONYMS } from './weights.js';

// BM25F (Zaragoza et al., "Microsoft Cambridge at TREC-13", 2004; Robertson and Zaragoza, 2009). Document frequencies and average lengths
// count only live documents, so that documents of other branches in the same shards change no score.
// tf'(t, d) = sum over fields f of w_f * tf_f(t, d) / (1 - b_f + b_f * len_f(d) / avg_f)
// idf(t) = ln(1 + (N - df(t) + 0.5) / (df(t) + 0.5))
// score(d) = sum over terms t of idf(t) * tf'(t, d) / (k1 + tf'(t, d))

export interface TermMatch {
  term: string;
  /** Number of live documents that have the term in any field. */
  df: number;
  idf: number;
  /** Words of the same meaning that counted along with it. */
  synonyms?: readonly string[];
}

export interface LexicalScores {
  /** Score by global document; zero for documents that do not match. */
  scores: Float64Array;
  /** Sum of the idf of the query terms that occur in the document, by global document. */
  coverage: Float64Array;
  /** Sum of the idf of the query terms that occur in names which the chunk defines, by global document. */
  defined: Float64Array;
  /** Documents with a score, in no particular order. */
  matched: Uint32Array;
  terms: TermMatch[];
  /** How far the query is in other words than the code's: 0 if a chunk has most of its words, up to 1. Undefined: 0. */
  otherness?: number;
  /** With messages of commits: what the chunks and their paths alone have. */
  own?: OwnWords;
}

interface OwnWords {
  terms: TermMatch[];
  /** The most coverage of a document. */
  best: number;
}

/** Statistics of a collection of which a corpus has only a part, such as the candidates of a fleet. */
export interface Collection {
  count: number;
  /** Number of documents with a term in any field; undefined if unknown. */
  df(term: string): number | undefined;
}

interface Scratch {
  weights: Float64Array;
  inName: Uint8Array;
  /** Coverage without messages. */
  ownCoverage: Float64Array;
  /** Documents of one term, and those of all terms. */
  touched: Uint32Array;
  matched: Uint32Array;
  /** Arrays of released scores. */
  spare: Pick<LexicalScores, 'scores' | 'coverage' | 'defined'>[];
}

/** Arrays by corpus, all zeros between two queries: new ones for each query are most of its garbage in a large repository. */
const scratches = new WeakMap<Corpus, Scratch>();
/** Scores of a query, and those that synonyms replace. */
const MAX_SPARE = 2;

function scratchOf(corpus: Corpus): Scratch {
  let scratch = scratches.get(corpus);
  if (scratch === undefined) {
    const total = corpus.live.fileOf.length;
    const [weights, inName, ownCoverage] = [new Float64Array(total), new Uint8Array(total), new Float64Array(total)];
    const [touched, matched] = [new Uint32Array(total), new Uint32Array(total)];
    scratch = { weights, inName, ownCoverage, touched, matched, spare: [] };
    scratches.set(corpus, scratch);
  }
  return scratch;
}

const zeros = (total: number) => ({
  scores: new Float64Array(total),
  coverage: new Float64Array(total),
  defined: new Float64Array(total),
});

/** Gives the arrays of scores that nobody reads any more to the next query. */
export function releaseScores(corpus: Corpus, { scores, coverage, defined, matched }: LexicalScores): void {
  const { spare } = scratchOf(corpus);
  if (spare.length >= MAX_SPARE) return;
  for (const document of matched) {
    scores[document] = 0;
    coverage[document] = 0;
    defined[document] = 0;
  }
  spare.push({ scores, coverage, defined });
}

interface Synonyms {
  words: readonly string[];
  /** Weight of an occurrence of one of them. */
  part: number;
}

type SynonymsOf = (term: string) => Synonyms;

interface Further {
  /** Words that count by a part for a rare term, as if both were one word. */
  synonymsOf?: SynonymsOf;
  /** Messages of commits as a field of the chunks. */
  messages?: MessageField;
}

/** `collection`: documents that document frequencies count; default: the live documents of the corpus. */
export function scoreBm25f(
  corpus: Corpus,
  terms: readonly string[],
  collection?: Collection,
  { synonymsOf, messages }: Further = {},
): LexicalScores {
  const { weights, inName, touched, matched, spare } = scratchOf(corpus);
  const result = spare.pop() ?? zeros(corpus.live.fileOf.length);
  const { scores, coverage, defined } = result;
  const matches: TermMatch[] = [];
  const ownTerms: TermMatch[] = [];
  let count = 0;
  for (const term of terms) {
    const found: TermDocuments = { weights, inName, touched, count: 0 };
    addContent(corpus, term, found);
    addPaths(corpus, term, found);
    if (messages !== undefined) {
      ownTerms.push(countOwn(corpus, term, found));
      addMessages(messages, term, found);
    }
    // Counted without synonyms, but with messages.
    const plain = found.count;
    const isRare = plain < SYNONYMS.rare * corpus.live.count;
    const synonyms = isRare && synonymsOf !== undefined ? addSynonyms(corpus, synonymsOf(term), found, messages) : [];
    const df = Math.max(found.count, collection?.df(term) ?? 0);
    const all = Math.max(df, collection?.count ?? corpus.live.count);
    const idf = idfOf(df, all);
    // Names of files and vectors know the term alone.
    if (synonyms.length === 0) matches.push({ term, df, idf });
    else matches.push({ term, df: plain, idf: idfOf(plain, all), synonyms });
    for (let k = 0; k < found.count; k++) {
      const document = touched[k];
      const tf = weights[document];
      // Every match adds to the score.
      if (scores[document] === 0) matched[count++] = document;
      scores[document] += (idf * tf) / (BM25F.k1 + tf);
      coverage[document] += idf;
      if (inName[document] === 1) defined[document] += idf;
      weights[document] = 0;
      inName[document] = 0;
    }
  }
  const scored = { ...result, matched: matched.slice(0, count), terms: matches };
  if (messages === undefined) return scored;
  return { ...scored, own: { terms: ownTerms, best: takeBest(corpus, scored.matched) } };
}

/** Counts the documents that have a term without messages. */
function countOwn(corpus: Corpus, term: string, { touched, count }: TermDocuments): TermMatch {
  const { ownCoverage } = scratchOf(corpus);
  const idf = idfOf(count, corpus.live.count);
  for (let k = 0; k < count; k++) ownCoverage[touched[k]] += idf;
  return { term, df: count, idf };
}

/** Returns the most coverage of a document without messages, and leaves zeros. */
function takeBest(corpus: Corpus, matched: Uint32Array): number {
  const { ownCoverage } = scratchOf(corpus);
  let best = 0;
  for (const document of matched) {
    best = Math.max(best, ownCoverage[document]);
    ownCoverage[document] = 0;
  }
  return best;
}

/** The documents of one term: `touched` has the first `count`. */
interface TermDocuments extends Pick<Scratch, 'weights' | 'inName' | 'touched'> {
  count: number;
}

function add(found: TermDocuments, document: number, weight: number): void {
  const { weights } = found;
  if (weights[document] === 0) found.touched[found.count++] = document;
  weights[document] += weight;
}

const idfOf = (df: number, count: number): number => Math.log(1 + (count - df + 0.5) / (df + 0.5));

/** Adds the first synonyms that the snapshot has, and returns them. */
function addSynonyms(
  corpus: Corpus,
  { words, part }: Synonyms,
  found: TermDocuments,
  messages: MessageField | undefined,
): string[] {
  const occurring: string[] = [];
  for (const word of words) {
    if (occurring.length === SYNONYMS.most) break;
    const term = stem(word);
    const inContent = addContent(corpus, term, found, part);
    const inPaths = addPaths(corpus, term, found, part);
    if (messages !== undefined) addMessages(messages, term, found, part);
    if (inContent || inPaths) occurring.push(word);
  }
  return occurring;
}

/** Adds the occurrences of a term in chunks, each counting as `part`. Returns whether there are any. */
function addContent(corpus: Corpus, term: string, found: TermDocuments, part = 1): boolean {
  const { live, averages } = corpus;
  const { fileOf } = live;
  let occurs = false;
  for (const [i, shard] of live.shards.entries()) {
    const index = shard.findTerm(term);
    if (index < 0) continue;
    const base = live.bases[i];
    const { bodyLength, nameLength, enclosingLength } = shard.columns;
    shard.eachPosting(index, (local, body, name, enclosing) => {
      const document = base + local;
      if (fileOf[document] < 0) return;
      let weight = fieldWeight(body, bodyLength[local], averages.body, BM25F.body);
      if (name > 0) {
        weight += fieldWeight(name, nameLength[local], averages.name, BM25F.name);
        found.inName[document] = 1;
      }
      if (enclosing > 0) weight += fieldWeight(enclosing, enclosingLength[local], averages.enclosing, BM25F.enclosing);
      occurs = true;
      add(found, document, part * weight);
    });
  }
  return occurs;
}

/** Adds the occurrences of a term in paths, like `addContent`. */
function addPaths(corpus: Corpus, term: string, found: TermDocuments, part = 1): boolean {
  let occurs = false;
  for (const [file, tf] of corpus.pathPostings.of(term)) {
    const weight = fieldWeight(tf, corpus.pathLengths[file], corpus.averages.path, BM25F.path);
    const { first, end } = documentsOf(corpus.live, file);
    for (let document = first; document < end; document++) add(found, document, part * weight);
    occurs ||= first < end;
  }
  return occurs;
}

/** Adds the occurrences of a term in messages, like `addContent`. A weight grows with the frequency, so that each message is added alone. */
function addMessages({ lengths, average, each }: MessageField, term: string, found: TermDocuments, part = 1): void {
  each(term, (document, tf) => {
    add(found, document, part * fieldWeight(tf, lengths[document], average, BM25F.message));
  });
}

function fieldWeight(tf: number, length: number, average: number, field: { weight: number; b: number }): number {
  if (tf === 0) return 0;
  return (field.weight * tf) / (1 - field.b + (field.b * length) / Math.max(average, 1e-9));
}

interface Corrected {
  query: ParsedQuery;
  lexical: LexicalScores;
  /** Terms searched for instead, by misspelt word. The list is empty for an unknown identifier, whose parts are searched for. */
  corrections: Record<string, string[]>;
  /** Words that no document has, and for which nothing else was searched. */
  absent: string[];
}

/** Shortest unknown identifier that is reported, in characters. A shorter one, such as `v3`, can be anything. */
const MIN_IDENTIFIER = 5;
/** Shortest missing word that is reported. */
const MIN_ABSENT = 3;

/**
 * Scores a query. If no chunk has much of it, it is in other words than the code's, and its rare words are searched for together with
 * their synonyms; `--mode lexical` keeps to the words as typed. Further words that no document has are corrected. Messages count for no
 * question in another language: its English words come from a dictionary of programming, of which messages have every second one.
 */
export async function scoreCorrected(
  corpus: Corpus,
  query: ParsedQuery,
  vocabulary: Vocabulary,
  { isLexical = false, messages: given }: { isLexical?: boolean; messages?: MessageField } = {},
): Promise<Corrected> {
  const messages = isLexical || query.english !== undefined ? undefined : given;
  const plain = scoreQuery(corpus, query, query.terms, { messages });
  const missing = (plain.own ?? plain).terms.filter(({ df }) => df === 0);
  const unknown = missing.filter(({ term }) => !query.wholes.has(term));
  const isOther = !isLexical && othernessOf(query, plain) > 0;
  // A dictionary makes no typing errors, and what it lacks is no misspelt English.
  const replaced =
    query.english === undefined ? await replacements(unknown, vocabulary, isOther) : new Map<string, string[]>();
  const word = (term: string) => query.typed.get(term) ?? term;
  const corrections = Object.fromEntries([...replaced].map(([term, found]) => [word(term), found]));
  // An unknown identifier is no misspelling: its parts find similar names. It is reported all the same, so that the user knows.
  for (const { term } of missing)
    if (query.wholes.has(term) && word(term).length >= MIN_IDENTIFIER) corrections[word(term)] ??= [];
  const terms = [...new Set(query.terms.flatMap((term) => replaced.get(term) ?? [term]))];
  if (replaced.size > 0) releaseScores(corpus, plain);
  const corrected =
    replaced.size === 0
      ? { query, lexical: plain }
      : { query: { ...query, terms }, lexical: scoreQuery(corpus, query, terms, { messages }) };
  const lexical = isLexical
    ? corrected.lexical
    : await withSynonyms(corpus, corrected.query, corrected.lexical, messages);
  const found = new Set(lexical.terms.filter(({ df, synonyms }) => df > 0 || synonyms).map(({ term }) => term));
  const absent = unknown.filter(({ term }) => !replaced.has(term) && !found.has(term)).map(({ term }) => word(term));
  const isTold = (typed: string) => typed.length >= MIN_ABSENT && !(typed in corrections);
  return { query: corrected.query, lexical, corrections, absent: [...new Set(absent)].filter(isTold) };
}

/** Finds similar words of the snapshot for unknown ones; in other words than the code's, none for one that has synonyms. */
async function replacements(
  unknown: readonly TermMatch[],
  vocabulary: Vocabulary,
  isOther: boolean,
): Promise<Map<string, string[]>> {
  const replaced = new Map<string, string[]>();
  for (const { term } of unknown) {
    const isKnown = isOther && (await synonyms(term)).length > 0;
    const similar = isKnown ? [] : await vocabulary.similar(term);
    if (similar.length > 0) replaced.set(term, similar.slice(0, CORRECTION.kept));
  }
  return replaced;
}

/** The dictionary is read for the first query that needs it. */
async function synonyms(term: string): Promise<readonly string[]> {
  const { synonymsOf } = await import('./foreign-words.js');
  return synonymsOf(term);
}

/** Returns how far a query is in other words than the code's. The code's own words are in one chunk together. */
function othernessOf({ kind }: ParsedQuery, { coverage, matched, own, ...scored }: LexicalScores): number {
  const terms = own?.terms ?? scored.terms;
  if (kind === 'symbol' || terms.length < OTHER_WORDS.words) return 0;
  const mass = terms.reduce((sum, { idf }) => sum + idf, 0) || 1;
  const best = own?.best ?? matched.reduce((most, document) => Math.max(most, coverage[document]), 0);
  const { none, full } = OTHER_WORDS;
  return Math.min(1, Math.max(0, none - best / mass) / (none - full));
}

/** Scores again with synonyms if the query has other words than the code. In its own words it is found by them, and others blur it. */
async function withSynonyms(
  corpus: Corpus,
  query: ParsedQuery,
  plain: LexicalScores,
  messages: MessageField | undefined,
): Promise<LexicalScores> {
  const otherness = othernessOf(query, plain);
  if (otherness === 0) return plain;
  const words = new Map<string, readonly string[]>();
  const own = new Set(plain.terms.map(({ term }) => term));
  for (const term of own)
    words.set(
      term,
      (await synonyms(term)).filter((word) => !own.has(stem(word))),
    );
  const part = SYNONYMS.weight * otherness;
  const synonymsOf = (term: string) => ({ words: words.get(term) ?? [], part });
  const scored = scoreQuery(corpus, query, query.terms, { synonymsOf, messages });
  releaseScores(corpus, plain);
  // English words for a question in another language come from a dictionary of programming: what they share with code is no accident.
  return { ...scored, otherness: query.english === undefined ? otherness : 0 };
}

/** Scores the terms, and the phrasal terms that the snapshot has. */
function scoreQuery(
  corpus: Corpus,
  { phrasal }: ParsedQuery,
  terms: readonly string[],
  fields: Further,
): LexicalScores {
  const further = phrasal.filter((term) => !terms.includes(term));
  const { own, ...scored } = scoreBm25f(corpus, [...terms, ...further], undefined, fields);
  const found = (matches: TermMatch[]) => matches.filter(({ term, df }) => df > 0 || !further.includes(term));
  return { ...scored, terms: found(scored.terms), ...(own && { own: { ...own, terms: found(own.terms) } }) };
}

// Finds words that a query may have intended: a FlexSearch index from letter trigrams to the terms of a snapshot, used only for query
// words that no document has. FlexSearch is a required dependency, and this is the job that it fits. Documents are found through the
// shards' own postings, which open in a fraction of the time of a FlexSearch export and score exactly.

const WORD = /^\p{Ll}+$/u;

export class Vocabulary {
  private index: Promise<{ index: Index; terms: string[] }> | null = null;

  constructor(private readonly live: LiveSet) {}

  /** Returns terms that differ from `word` by one or two typing errors, the nearest first; none for short words and identifiers. */
  async similar(word: string): Promise<string[]> {
    const allowed = allowedEdits(word);
    if (allowed === 0 || !WORD.test(word)) return [];
    const { index, terms } = await this.open();
    const candidates = index.search(word, { limit: CORRECTION.candidates, suggest: true }) as number[];
    return candidates
      .map((id) => ({ term: terms[id], distance: editDistance(word, terms[id]) }))
      .filter(({ distance }) => distance <= allowed)
      .sort((a, b) => a.distance - b.distance || (a.term < b.term ? -1 : 1))
      .map(({ term }) => term);
  }

  /** Makes the index ahead of the first unknown word, since it takes 0.2 s for the words of 4,000 files. */
  open(): Promise<{ index: Index; terms: string[] }> {
    this.index ??= this.build();
    return this.index;
  }

  private async build(): Promise<{ index: Index; terms: string[] }> {
    const { Index } = await import('flexsearch');
    const index = new Index({ tokenize: 'strict', encode: trigrams, resolution: 1 });
    const terms = this.words();
    for (const [id, term] of terms.entries()) index.add(id, term);
    return { index, terms };
  }

  /** Terms of the snapshot, sorted, so that other content of the shards and the order of indexing make no difference. */
  private words(): string[] {
    const words = new Set<string>();
    for (const [i, shard] of this.live.shards.entries()) {
      for (let index = 0; index < shard.terms.length; index++) {
        const term = shard.terms.at(index);
        if (allowedEdits(term) > 0 && WORD.test(term) && !words.has(term) && this.isLive(i, index)) words.add(term);
      }
    }
    return [...words].sort();
  }

  private isLive(shard: number, term: number): boolean {
    const { shards, bases, fileOf } = this.live;
    const { documents, count } = shards[shard].postings(term);
    for (let i = 0; i < count; i++) if (fileOf[bases[shard] + documents[i]] >= 0) return true;
    return false;
  }
}

/** Number of typing errors that a word may have. Short words resemble too many others, and long ones are identifiers. */
function allowedEdits(word: string): number {
  if (word.length < CORRECTION.minLetters || word.length > CORRECTION.maxLetters) return 0;
  return word.length < CORRECTION.twoEditsFrom ? 1 : 2;
}

/** Letter trigrams of a framed word: `^ab`, `abc`, …, `yz$`. A word with one error still has most of them. */
function trigrams(word: string): string[] {
  const framed = `^${word}$`;
  return Array.from({ length: framed.length - 2 }, (_, i) => framed.slice(i, i + 3));
}
