/**
 * Finds the lineages of the code that ranked chunks belong to, across files: when code appears or disappears, the other
 * files of that commit are searched for it.
 */
import { isSocraticodeError } from '../base/errors.js';
import type { Chunk } from '../extract/facts.js';
import { readCommit } from '../git/commits.js';
import { diffTrees, type TreeChange } from '../git/diff.js';
import type { ObjectReader } from '../git/objects.js';
import {
  definitionKeys,
  type FileVersion,
  likeness,
  MOVED_SIMILARITY,
  type Traced,
  TracedName,
  TracedText,
} from './file-versions.js';
import {
  type DefinitionPlace,
  followPaths,
  type HistoryScope,
  isFile,
  type Lineage,
  passes,
  readPathHistory,
  type TraceEvent,
  type Version,
} from './trace.js';

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
  const filtered = commits.map(({ commit, changes }) => ({
    commit,
    changes: changes.filter(({ path }) => own.has(path)),
  }));
  return filtered.filter(({ changes }) => changes.length > 0);
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
      const key = definitionKeys(bytes, facts, traced.wanted).get(chunk.symbol);
      seed = key === undefined ? null : { traced, place: { path, key } };
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

/** Maximum number of files of one commit that are searched. */
const MAX_FILES = 300;
/**
 * Maximum number of changes in a commit whose files are searched. A larger commit reorganised everything, as moving a
 * repository into a folder of another one does; only git's renames of the file itself are followed there.
 */
export const MAX_COMMIT_CHANGES = 20_000;
/** Maximum number of renames read of a larger commit, about 100 MB. */
const MAX_COMMIT_RENAMES = 300_000;

/** Changes of one commit. */
interface CommitMoves {
  changes: TreeChange[];
  /** True if other changes were left out, because there are too many. */
  isRenamesOnly: boolean;
}

export class MoveFinder {
  private readonly diffs = new Map<string, Promise<CommitMoves>>();

  constructor(
    private readonly scope: HistoryScope,
    private readonly objects: ObjectReader,
  ) {}

  /** Paths that the code of a lineage came from or went to, without those in `known`. */
  async pathsBeyond(lineage: Lineage, traced: Traced, known: ReadonlySet<string>): Promise<string[]> {
    const found: string[] = [];
    for (const event of lineage.events) {
      if (event.type !== 'appeared' && event.type !== 'disappeared') continue;
      const path = await this.otherEnd(event, traced, known);
      if (path !== null) found.push(path);
    }
    return found;
  }

  private async otherEnd(event: TraceEvent, traced: Traced, known: ReadonlySet<string>): Promise<string | null> {
    const version = event.before ?? event.after;
    if (version === null) return null;
    const isGone = event.type === 'disappeared';
    const { changes, isRenamesOnly } = await this.changesOf(event.commit);
    const candidates = changes.filter((change) => {
      if (isRenamesOnly && rank(change, event.path) > 0) return false;
      const path = isGone ? change.path : (change.oldPath ?? change.path);
      const type = isGone ? change.newType : change.oldType;
      return path !== event.path && !known.has(path) && type !== null && isFile(type) && this.scope.accepts(path);
    });
    candidates.sort((a, b) => rank(a, event.path) - rank(b, event.path));
    for (const { path, oldPath, oldOid, newOid } of candidates.slice(0, MAX_FILES)) {
      const place = isGone
        ? { path, oid: newOid, other: oldPath === undefined ? oldOid : null }
        : { path: oldPath ?? path, oid: oldOid, other: oldPath === undefined ? newOid : null };
      if (await this.holds(version, place, traced)) return place.path;
    }
    return null;
  }

  /** Does the version at `oid` have the code, while the version at the other end of the change lacks it? */
  private async holds(
    version: Version,
    { path, oid, other }: { path: string; oid: string | null; other: string | null },
    traced: Traced,
  ): Promise<boolean> {
    if (oid === null) return false;
    for (const definition of await traced.at({ oid, path })) {
      const alike = await likeness(version, { oid, path, definition }, this.scope.source);
      if (alike < MOVED_SIMILARITY) continue;
      const before = other === null ? [] : await traced.at({ oid: other, path });
      if (!before.some(({ key }) => key === definition.key)) return true;
    }
    return false;
  }

  /** Changes of a commit against its first parent, with renames. */
  private changesOf(commit: string): Promise<CommitMoves> {
    let changes = this.diffs.get(commit);
    if (changes === undefined) {
      changes = this.read(commit);
      this.diffs.set(commit, changes);
    }
    return changes;
  }

  private async read(commit: string): Promise<CommitMoves> {
    const info = await readCommit(this.objects, commit);
    if (info === null || info.parents.length === 0) return { changes: [], isRenamesOnly: false };
    const diff = (renames: true | 'only', limit: number) =>
      diffTrees(this.scope.git, info.parents[0], commit, { renames, limit });
    try {
      return { changes: await diff(true, MAX_COMMIT_CHANGES), isRenamesOnly: false };
    } catch (error) {
      const isTooLarge = isSocraticodeError(error, 'BAD_ARGUMENT');
      // If objects are missing, or there are too many renames, the code is not followed beyond this commit.
      const changes = isTooLarge ? await diff('only', MAX_COMMIT_RENAMES).catch(() => []) : [];
      return { changes, isRenamesOnly: true };
    }
  }
}

/** Orders candidates: renames of the file, files of the same name, added or removed files, modified files. */
function rank({ path, oldPath, status }: TreeChange, from: string): number {
  if (oldPath === from || path === from) return 0;
  const name = from.slice(from.lastIndexOf('/') + 1);
  if (path.endsWith(`/${name}`) || oldPath?.endsWith(`/${name}`)) return 1;
  return status === 'modified' ? 3 : 2;
}
