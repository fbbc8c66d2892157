/** Finds the lineages of the code that ranked chunks belong to. */
import type { Chunk } from '../extract/facts.js';
import { nameWithOwner } from '../extract/symbols.js';
import type { ObjectReader } from '../git/objects.js';
import { definitionKey, type Traced, TracedName, TracedText } from './definitions.js';
import { followPaths, type HistoryScope, readPathHistory } from './follow.js';
import { type Lineage, passes } from './lineage.js';
import { MoveFinder } from './moves.js';
import type { FileVersion } from './source.js';
import type { DefinitionPlace } from './trace.js';

/** Chunk that answers a query. */
export interface RankedChunk extends FileVersion {
  /** Byte where the chunk starts. */
  start: number;
}

/** Maximum number of successive moves that code is followed through. */
const MAX_MOVES = 4;
/** Minimum size of a text that is traced. Shorter texts occur in many places by chance. */
const MIN_TEXT_BYTES = 40;

interface Seed {
  place: DefinitionPlace;
  traced: Traced;
}

/** Lineages of the given chunks, each once, in the order of the first chunk that belongs to it. */
export async function textHistory(
  scope: HistoryScope,
  objects: ObjectReader,
  found: readonly RankedChunk[],
  limit: number,
): Promise<Lineage[]> {
  const seeds = await seedsOf(scope, found, limit);
  const paths = new Set(seeds.map(({ place }) => place.path));
  const byTraced = new Map<Traced, Set<string>>();
  for (const { traced, place } of seeds) byTraced.set(traced, (byTraced.get(traced) ?? new Set()).add(place.path));
  const moves = new MoveFinder(scope, objects);
  let lineages: Lineage[] = [];
  for (let round = 0; round <= MAX_MOVES; round++) {
    const { commits } = await readPathHistory(scope, paths);
    const all = new Map<Traced, Lineage[]>();
    for (const [traced, own] of byTraced)
      all.set(traced, await followPaths(scope, ownChanges(commits, own), traced, own));
    lineages = [];
    let grew = false;
    for (const { place, traced } of seeds) {
      const lineage = all.get(traced)?.find((candidate) => passes(candidate, place));
      if (lineage === undefined || lineages.includes(lineage)) continue;
      lineages.push(lineage);
      const own = byTraced.get(traced) as Set<string>;
      for (const path of round === MAX_MOVES ? [] : await moves.pathsBeyond(lineage, traced, own)) {
        own.add(path);
        paths.add(path);
        grew = true;
      }
    }
    if (!grew) break;
  }
  return lineages;
}

type Commits = Awaited<ReturnType<typeof readPathHistory>>['commits'];

function ownChanges(commits: Commits, own: ReadonlySet<string>): Commits {
  const kept = commits.map(({ commit, changes }) => ({ commit, changes: changes.filter(({ path }) => own.has(path)) }));
  return kept.filter(({ changes }) => changes.length > 0);
}

/** Chooses what to trace for each chunk: its definition, or its text. Stops at `limit` different ones. */
async function seedsOf({ source }: HistoryScope, found: readonly RankedChunk[], limit: number): Promise<Seed[]> {
  const seeds: Seed[] = [];
  const names = new Map<string, TracedName>();
  const seen = new Set<string>();
  for (const { oid, path, start } of found) {
    if (seeds.length >= limit) break;
    const facts = await source.facts({ oid, path });
    const chunk = facts?.chunks.find((candidate) => candidate.start === start);
    const bytes = await source.bytes(oid);
    if (!facts || !chunk || bytes === null) continue;
    const symbol = facts.symbols[chunk.symbol];
    let seed: Seed | null;
    if (symbol === undefined) seed = textSeed(path, bytes, chunk, source);
    else {
      const traced = names.get(symbol.name) ?? new TracedName(source, symbol.name);
      names.set(symbol.name, traced);
      seed = {
        traced,
        place: { path, key: definitionKey(nameWithOwner(bytes, facts.symbols, chunk.symbol), symbol.kind) },
      };
    }
    if (seed === null || seen.has(`${seed.place.path}\0${seed.place.key}`)) continue;
    seen.add(`${seed.place.path}\0${seed.place.key}`);
    seeds.push(seed);
  }
  return seeds;
}

function textSeed(path: string, bytes: Buffer, chunk: Chunk, source: HistoryScope['source']): Seed | null {
  const text = bytes.subarray(chunk.start, chunk.end);
  if (text.toString('latin1').trim().length < MIN_TEXT_BYTES) return null;
  const traced = new TracedText(source, text, chunk.kind);
  return { traced, place: { path, key: traced.key } };
}
