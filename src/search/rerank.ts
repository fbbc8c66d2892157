/**
 * Evidence from the texts of the first results, which are read to be shown anyway: what they call and define, the best chunk of each
 * file, and the chunks of the file that fit next best.
 */
import { eachIdentifier, nameKey, textTerms } from '../extract/terms.js';
import { type LiveSet, locate } from '../shard/live-set.js';
import { codeLines, definitionsIn, LOOSE } from './definitions.js';
import type { TermMatch } from './lexical.js';
import type { ParsedQuery } from './query.js';
import { asksForChange, type Candidate, type RankedChunk, type Ranking } from './scoring.js';
import { BEST_CHUNK, CALLS, NEXT_PARTS } from './weights.js';

interface Reading {
  query: ParsedQuery;
  terms: readonly TermMatch[];
  /** See `LexicalScores`. */
  otherness?: number;
  textOf: (document: number) => Promise<string>;
  /** Called with the documents whose texts come next, if reading many at once is cheaper than one after the other. */
  ahead?: (documents: readonly number[]) => Promise<void>;
}

/** Raises chunks that others call, then chooses the chunk that comes first for each file. */
export async function readBest(
  live: LiveSet,
  ranking: Ranking,
  { query, terms, otherness = 0, textOf, ahead }: Reading,
): Promise<void> {
  const { ranked } = ranking;
  // Chosen before calls count, so that all texts are read at once.
  const files = firstFiles(ranked);
  const read = [...ranked.slice(0, CALLS.read), ...(describes(query) ? [...files.values()].flat() : [])];
  await ahead?.(read.map(({ document }) => document));
  await Promise.all(read.map(({ document }) => textOf(document)));
  ranking.lift(await callGains(live, ranked, textOf));
  ranking.putFirst(await bestChunks(live, query, { files, terms, otherness }, textOf));
}

/** A module of unit tests below the code that it tests, as in Rust, or something in one. */
const OWN_TESTS = /^(?:\w+_)?tests?(?:_\w+)?(?:\.|$)/;

type FileChunk = Pick<Candidate, 'document' | 'file' | 'own' | 'factor'>;

/**
 * Chooses the chunk that comes first for each file. Words and meaning are much the same throughout a class, so one of its methods often
 * has a little more of them than the definition that a description is about. The order of files does not change.
 */
export async function bestChunks(
  live: LiveSet,
  query: Pick<ParsedQuery, 'kind' | 'text'>,
  {
    files,
    terms,
    otherness = 0,
  }: { files: ReadonlyMap<number, readonly FileChunk[]>; terms: readonly TermMatch[]; otherness?: number },
  textOf: (document: number) => Promise<string>,
): Promise<Map<number, number>> {
  const asksForTests = /\btest/i.test(query.text);
  const gainOf = async (document: number): Promise<number> => {
    const { shard, local } = locate(live, document);
    const kind = shard.documentKind(local);
    const isTest = !asksForTests && OWN_TESTS.test(shard.documentSymbol(local) ?? '');
    const loss = isTest ? BEST_CHUNK.ownTest : LOOSE.has(kind) ? BEST_CHUNK.loose : 0;
    if (!describes(query)) return -loss;
    const text = await textOf(document);
    const isTopLevel = definitionsIn(shard, local, text).some((each) => each.isTopLevel);
    // Accidental words choose no chunk: what a query in other words than the code's shares with the first lines says nothing.
    const gain =
      (isTopLevel ? BEST_CHUNK.topLevel : 0) + BEST_CHUNK.signature * shareOf(terms, codeLines(text, BEST_CHUNK.lines));
    return (1 - otherness) * gain - loss;
  };
  const best = new Map<number, number>();
  for (const [file, chunks] of files) {
    if (chunks.length < 2) continue;
    const scores = await Promise.all(
      chunks.map(async ({ document, own, factor }) => own + factor * (await gainOf(document))),
    );
    best.set(file, chunks[scores.indexOf(Math.max(...scores))].document);
  }
  return best;
}

/** Somebody who describes code looks for a definition; the lines to change may be anywhere. */
const describes = (query: Pick<ParsedQuery, 'kind' | 'text'>): boolean =>
  query.kind === 'natural' && !asksForChange(query);

/** Returns the first files, each with the best of its chunks. `ranked`: the best first. */
function firstFiles(ranked: readonly FileChunk[]): Map<number, FileChunk[]> {
  const files = new Map<number, FileChunk[]>();
  for (const chunk of ranked) {
    const own = files.get(chunk.file);
    if (own === undefined && files.size < BEST_CHUNK.files) files.set(chunk.file, [chunk]);
    else if (own !== undefined && own.length < BEST_CHUNK.chunks) own.push(chunk);
  }
  return files;
}

/** Share of the idf of the query's words that some lines have. */
function shareOf(terms: readonly TermMatch[], lines: readonly string[]): number {
  const own = new Set(lines.flatMap(textTerms));
  const sum = (of: readonly TermMatch[]) => of.reduce((total, { idf }) => total + idf, 0);
  return sum(terms.filter(({ term }) => own.has(term))) / (sum(terms) || 1);
}

// Evidence from calls among the best results: a function that one of them calls may be the one that does it, and a chunk that uses what
// another defines is about the same thing.

type Place = Pick<RankedChunk, 'document' | 'file' | 'score'>;

/** Returns gains by document. `best`: ranked chunks, the best first; the first `CALLS.read` are read. */
export async function callGains(
  live: LiveSet,
  best: readonly Place[],
  textOf: (document: number) => Promise<string>,
): Promise<Map<number, number>> {
  const top = best[0]?.score ?? 0;
  const gains = new Map<number, number>();
  if (top <= 0) return gains;
  const places = new Map(best.map(({ document }, at) => [document, at]));
  const read = best.slice(0, CALLS.read);
  const texts = await Promise.all(read.map(({ document }) => textOf(document)));
  const [called, uses] = [new Map<number, number>(), new Map<number, number>()];
  const definitionsOf = definitionsByName(live);
  const raise = (all: Map<number, number>, document: number, gain: number) =>
    all.set(document, Math.max(all.get(document) ?? 0, gain));
  for (const [at, user] of read.entries())
    for (const { document, share, isCall } of usesIn(live, definitionsOf, user, texts[at])) {
      const place = places.get(document);
      if (place === undefined) continue;
      if (isCall && at < CALLS.best) raise(called, document, (CALLS.called * share * user.score) / top);
      if (place < CALLS.best) raise(uses, user.document, (CALLS.uses * share * best[place].score) / top);
    }
  for (const one of [called, uses])
    for (const [document, gain] of one) gains.set(document, (gains.get(document) ?? 0) + gain);
  return gains;
}

interface Use {
  document: number;
  /** One divided by the number of definitions with the name. */
  share: number;
  isCall: boolean;
}

/** A bracket after an identifier, with at most two spaces between. */
const CALL = /\s{0,2}[(<]/y;

/** Definitions in other files whose names are in a text. A name with more than `CALLS.definitions` definitions does not count. */
function usesIn(live: LiveSet, definitionsOf: (name: string) => readonly number[], user: Place, text: string): Use[] {
  const names = new Map<string, { found: readonly number[]; isCall: boolean } | null>();
  eachIdentifier(text, (identifier, at) => {
    const key = nameKey(identifier);
    if (key.length < CALLS.letters) return;
    let name = names.get(key);
    if (name === undefined) {
      const found = definitionsOf(key);
      // Most identifiers name no definition.
      name = found.length === 0 || found.length > CALLS.definitions ? null : { found, isCall: false };
      names.set(key, name);
    }
    if (name === null || name.isCall) return;
    CALL.lastIndex = at + identifier.length;
    name.isCall = CALL.test(text);
  });
  return [...names.values()].flatMap((name) => {
    if (name === null) return [];
    const { found, isCall } = name;
    return found
      .filter((document) => live.fileOf[document] !== user.file)
      .map((document) => ({ document, share: 1 / found.length, isCall }));
  });
}

/** Number of shards up to which each is searched. A fleet has one per file, and 400 of them take a second for 2,000 names. */
const FEW = 32;

/** Returns the documents that define a name; not all of them, if they are more than `CALLS.definitions`. */
function definitionsByName(live: LiveSet): (name: string) => readonly number[] {
  const addTo = (found: number[], i: number, index: number) =>
    live.shards[i].eachDefinition(index, (local) => {
      const document = live.bases[i] + local;
      if (live.fileOf[document] >= 0) found.push(document);
      return found.length <= CALLS.definitions;
    });
  if (live.shards.length <= FEW)
    return (name) => {
      const found: number[] = [];
      for (const [i, { names }] of live.shards.entries()) {
        const index = names.find(name);
        if (index >= 0) addTo(found, i, index);
      }
      return found;
    };
  const all = new Map<string, number[]>();
  for (const [i, { names }] of live.shards.entries())
    for (let index = 0; index < names.length; index++) {
      const name = names.at(index);
      if (name.length < CALLS.letters) continue;
      const known = all.get(name) ?? [];
      all.set(name, known);
      addTo(known, i, index);
    }
  return (name) => all.get(name) ?? [];
}

/** A definition of the same file, by the lines of its chunk. */
export interface NextPart {
  symbol: string;
  startLine: number;
  endLine: number;
}

type RankedPart = Pick<Candidate, 'document' | 'file' | 'own'>;

interface Shown {
  document: number;
  file: number;
  symbol: string | null;
}

interface ShownFile {
  parts: NextPart[];
  /** Limit on the parts of a result. */
  most: number;
  documents: Set<number>;
  symbols: Set<string | null>;
  /** Best own score of a chunk of the file. */
  best: number;
}

/**
 * Finds the parts of each result's file that fit next best, by document of the file's first result. `ranked`: the best first. The shown
 * part of the right file is the intended one for about half of all descriptions and changes, and one of these parts for another fifth.
 */
export function nextParts(
  live: LiveSet,
  ranked: readonly RankedPart[],
  results: readonly Shown[],
): Map<number, NextPart[]> {
  const files = new Map<number, ShownFile>();
  const next = new Map<number, NextPart[]>();
  for (const { document, file, symbol } of results) {
    const most = files.size < NEXT_PARTS.files ? NEXT_PARTS.each : 0;
    const shown = files.get(file) ?? { parts: [], most, documents: new Set(), symbols: new Set(), best: 0 };
    if (!files.has(file)) next.set(document, shown.parts);
    files.set(file, shown);
    shown.documents.add(document);
    shown.symbols.add(symbol);
  }
  for (const { document, file, own } of ranked) {
    const shown = files.get(file);
    if (shown === undefined) continue;
    shown.best = Math.max(own, shown.best);
    if (shown.parts.length >= shown.most || own < NEXT_PARTS.share * shown.best) continue;
    const { shard, local } = locate(live, document);
    const symbol = shard.documentSymbol(local);
    if (symbol === null || LOOSE.has(shard.documentKind(local))) continue;
    if (shown.documents.has(document) || shown.symbols.has(symbol)) continue;
    shown.symbols.add(symbol);
    shown.parts.push({ symbol, startLine: shard.columns.startLine[local], endLine: shard.columns.endLine[local] });
  }
  return next;
}
