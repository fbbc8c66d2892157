/**
 * Evidence from calls among the best results: a function that one of them calls may be the one that does it, and a chunk that uses what
 * another defines is about the same thing.
 */
import { eachIdentifier, nameKey } from '../extract/terms.js';
import type { LiveSet } from '../shard/live.js';
import type { RankedChunk } from './rank.js';
import { CALLS } from './weights.js';

type Place = Pick<RankedChunk, 'document' | 'file' | 'score'>;

/** Gains by document, for chunks in front. `best`: ranked chunks, the best first, of which the first `CALLS.read` are read. */
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
  const definitionsOf = definitionsIn(live);
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
  /** 1 by the number of definitions that have the name. */
  share: number;
  isCall: boolean;
}

/** An identifier and a bracket, with at most two spaces between. */
const CALL = /\s{0,2}[(<]/y;

/** Definitions in other files whose names stand in a text; names that more than `CALLS.definitions` have tell nothing. */
function usesIn(live: LiveSet, definitionsOf: (name: string) => readonly number[], user: Place, text: string): Use[] {
  const names = new Map<string, { found: readonly number[]; isCall: boolean } | null>();
  eachIdentifier(text, (identifier, at) => {
    const key = nameKey(identifier);
    if (key.length < CALLS.letters) return;
    let name = names.get(key);
    if (name === undefined) {
      const found = definitionsOf(key);
      // Most identifiers are names of no definition.
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

/** Shards up to which each is searched: a fleet has one a file, and looking into 400 for each of 2,000 names takes a second. */
const FEW = 32;

/** Documents that define a name. */
function definitionsIn(live: LiveSet): (name: string) => readonly number[] {
  const within = (i: number, index: number) =>
    live.shards[i]
      .definitions(index)
      .map(({ document }) => live.bases[i] + document)
      .filter((document) => live.fileOf[document] >= 0);
  if (live.shards.length <= FEW)
    return (name) =>
      live.shards.flatMap(({ names }, i) => {
        const index = names.find(name);
        return index < 0 ? [] : within(i, index);
      });
  const all = new Map<string, number[]>();
  for (const [i, { names }] of live.shards.entries())
    for (let index = 0; index < names.length; index++) {
      const name = names.at(index);
      if (name.length < CALLS.letters) continue;
      const known = all.get(name);
      if (known === undefined) all.set(name, within(i, index));
      else known.push(...within(i, index));
    }
  return (name) => all.get(name) ?? [];
}
