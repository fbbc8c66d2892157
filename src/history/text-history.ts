/**
 * Three questions to the history of code. `textHistory` finds the lineages of the code that ranked chunks belong to, across files: when code
 * appears or disappears, the other files of that commit are searched for it. `symbolHistory` finds every place where a name was ever defined,
 * by the changes that changed how often it occurs; of those versions only the ones that may define it are parsed. `findRemovedText` finds
 * versions of files from which words were removed.
 */
import { isSocraticodeError } from '../base/errors.js';
import { getOrMake } from '../base/lists.js';
import type { Progress } from '../base/progress.js';
import type { BlobFacts, Chunk } from '../extract/facts.js';
import { readCommit } from '../git/commits.js';
import { diffTrees, type TreeChange } from '../git/diff.js';
import { ChangeTable, type CommitChanges, countInBlobs, type WalkWindow, walkHistory } from '../git/log.js';
import type { Scratch } from '../git/merge.js';
import type { ObjectReader } from '../git/objects.js';
import {
  type BlobSource,
  baseOf,
  definitionKeys,
  type FileVersion,
  likeness,
  MOVED_SIMILARITY,
  mayDefine,
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
    return getOrMake(this.diffs, commit, () => this.read(commit));
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

interface SymbolHistory {
  lineages: Lineage[];
  window: WalkWindow;
  /** Number of file versions that were parsed; `leftOut`: left out because there were too many. */
  examined: number;
  leftOut: number;
  ignoredCase: boolean;
}

/** Maximum number of versions that are parsed, newest first. A name in more versions is a common word. */
const MAX_VERSIONS = 3_000;

/** Maximum number of versions parsed when case is ignored. Such a name is a guess, worth a second or two. */
const MAX_GUESSED_VERSIONS = 500;

interface SymbolOptions {
  /** Last part of a qualified name: `total` of `Cart.total`. */
  name: string;
  /** Names of the containers before it, innermost last. */
  containers: readonly string[];
  /** Derives the facts of many versions at a time. */
  prefetch: (
    versions: Iterable<FileVersion>,
    progress: Progress,
    each: (version: FileVersion, facts: BlobFacts | null, bytes: Buffer | null) => void,
  ) => Promise<void>;
  /** Makes a progress meter; `unit` names what it counts. */
  meter: (unit: string) => Progress;
  /** Opens a store for objects that are not kept. */
  openScratch: () => Pick<Scratch, 'git' | 'close'>;
  /** Takes versions that may define the name, with the commits that brought them, as they are found. */
  onFound?: (found: FileVersion & { commit: string }) => void;
}

/** Looks for the name as written; if it was never defined so, ignoring case. */
export async function symbolHistory(scope: HistoryScope, options: SymbolOptions): Promise<SymbolHistory> {
  const table = new ChangeTable();
  const meter = options.meter('commits');
  let done = 0;
  const onCommit = (listed: number) => meter.update(++done, listed);
  const window = await walkHistory(scope.git, { ...scope.walk, onCommit }, (commit) =>
    table.add(commit, scope.accepts),
  );
  meter.finish();
  const exact = await historyOf(scope, { table, window }, options, false);
  return exact.lineages.length > 0 ? exact : historyOf(scope, { table, window }, options, true);
}

interface Walked {
  table: ChangeTable;
  window: WalkWindow;
}

async function historyOf(
  scope: HistoryScope,
  { table, window }: Walked,
  options: SymbolOptions,
  ignoreCase: boolean,
): Promise<SymbolHistory> {
  const { name, containers } = options;
  const hits = await findMentions(scope, table, options, ignoreCase);
  if (window.end !== 'root') await addTip(scope, name, hits);
  const promising = await definingVersions(scope, name, [...hits.values()], ignoreCase);
  const versions = promising.slice(0, ignoreCase ? MAX_GUESSED_VERSIONS : MAX_VERSIONS);
  const traced = new TracedName(scope.source, name, ignoreCase);
  const paths = new Set<string>();
  await options.prefetch(versions, options.meter('versions'), (version, facts, bytes) => {
    if (traced.learn(version, facts, bytes).length > 0) paths.add(version.path);
  });
  const { commits } = await readPathHistory(scope, paths);
  const all = paths.size === 0 ? [] : await followPaths(scope, commits, traced, paths);
  const lineages = all.filter(({ places }) => places.some(({ key }) => isInside(key, name, containers)));
  return {
    lineages,
    window,
    examined: versions.length,
    leftOut: promising.length - versions.length,
    ignoredCase: ignoreCase,
  };
}

/** Most blobs that are read to tell how often a name stands in equally many lines. Beyond them the lines decide. */
const MAX_COUNTED = 20_000;

/**
 * Versions before and after the changes that changed how often a name occurs, and of merges that have it, newest first. All versions
 * where git cannot search them, since nothing may be concluded then.
 */
async function findMentions(
  scope: HistoryScope,
  table: ChangeTable,
  options: SymbolOptions,
  ignoreCase: boolean,
): Promise<Map<string, FileVersion>> {
  const isHit = await hitTest(scope, table, options, ignoreCase);
  const hits = new Map<string, FileVersion>();
  for (const { path, newOid, oldOids } of table.changes()) {
    if (!isHit(newOid, oldOids)) continue;
    for (const oid of [newOid, ...oldOids].filter((each) => each >= 0)) {
      const version = table.version(oid, path);
      hits.set(`${version.oid} ${version.path}`, version);
    }
  }
  return hits;
}

/** Returns whether a change is a hit, by the numbers of its blobs. Where git cannot search, every change is one. */
async function hitTest(
  scope: HistoryScope,
  table: ChangeTable,
  options: SymbolOptions,
  ignoreCase: boolean,
): Promise<(now: number, olds: readonly number[]) => boolean> {
  const { name } = options;
  // Without a text git finds nothing, and with two lines either of them.
  if (scope.partial || name === '' || name.includes('\n')) return () => true;
  const order = table.byPath();
  let scratch: ReturnType<typeof options.openScratch> | undefined;
  const count = async (blobs: readonly number[], how: { occurrences?: boolean; counted?: FoundPiece }) => {
    scratch ??= options.openScratch();
    const counts: (number | null)[] = [];
    const counted = async (piece: readonly (number | null)[], from: number) => {
      for (const [i, each] of piece.entries()) counts[blobs[from + i]] = each;
      await how.counted?.(
        blobs.slice(from, from + piece.length).filter((_, i) => piece[i] !== 0),
        piece.length,
      );
    };
    const oids = blobs.map((blob) => table.idOf(blob));
    const text = { text: name, ignoreCase };
    await countInBlobs(scratch.git, oids, text, { ...how, signal: scope.walk.signal, counted });
    return counts;
  };
  const meter = options.meter('versions');
  try {
    const lines = await count(order, { counted: teller(scope, table, { ...options, meter, total: order.length }) });
    const tied = tiedBlobs(table, lines);
    const exact = await count(
      order.filter((blob) => tied.has(blob)),
      { occurrences: true },
    );
    return (now, olds) => isChanged([now, ...olds], lines, exact);
  } catch (error) {
    // Without a place for its trees, or with a damaged object, every version may have the name.
    if (!isSocraticodeError(error, 'GIT_FAILED') && !isSocraticodeError(error, 'DISK')) throw error;
    return () => true;
  } finally {
    meter.finish();
    scratch?.close();
  }
}

/** Takes the blobs of a piece that have the name, and how many it has in all. */
type FoundPiece = (found: readonly number[], size: number) => Promise<void>;

/** Shows progress, and tells versions that may define the name as they are found. */
function teller(
  scope: HistoryScope,
  table: ChangeTable,
  { name, meter, total, onFound }: Pick<SymbolOptions, 'name' | 'onFound'> & { meter: Progress; total: number },
): FoundPiece {
  let done = 0;
  return async (found, size) => {
    done += size;
    meter.update(done, total);
    if (onFound === undefined) return;
    const some = found.slice(0, READ_AT_ONCE);
    const versions = some.map((blob) => ({ ...table.version(blob), commit: table.broughtBy(blob) }));
    for (const { commit, ...version } of await definingVersions(scope, name, versions, false))
      if (commit !== undefined) onFound({ ...version, commit });
  };
}

/** Counts by blob; null for one that cannot be read, undefined for one that was not counted. */
type Counts = readonly (number | null | undefined)[];

const countOf = (counts: Counts, blob: number): number | null | undefined => (blob < 0 ? 0 : counts[blob]);

/** Blobs of changes that left the number of lines with the name. */
function tiedBlobs(table: ChangeTable, lines: Counts): Set<number> {
  const tied = new Set<number>();
  for (const { newOid, oldOids } of table.changes()) {
    const count = countOf(lines, newOid);
    if (tied.size >= MAX_COUNTED || oldOids.length !== 1 || !count || count !== countOf(lines, oldOids[0])) continue;
    tied.add(newOid).add(oldOids[0]);
  }
  return tied;
}

/** Did a change change how often the name occurs? `blobs`: the new version, then those of the parents. */
function isChanged(blobs: readonly number[], lines: Counts, exact: Counts): boolean {
  if (blobs.every((blob) => countOf(lines, blob) === 0)) return false;
  const [now, before] = blobs.map((blob) => countOf(lines, blob));
  // A merge has changes of its own only where it differs from every parent.
  if (blobs.length !== 2 || now === null || now !== before) return true;
  return exact[blobs[0]] !== exact[blobs[1]];
}

/** Number of blobs read at a time, so that requests to git are batched. */
const READ_AT_ONCE = 64;

async function definingVersions<T extends FileVersion>(
  { source }: HistoryScope,
  name: string,
  all: readonly T[],
  ignoreCase: boolean,
): Promise<T[]> {
  const found: T[] = [];
  for (let i = 0; i < all.length; i += READ_AT_ONCE) {
    const some = all.slice(i, i + READ_AT_ONCE);
    const contents = await Promise.all(some.map(({ oid }) => source.bytes(oid)));
    found.push(...some.filter((_, j) => contents[j] !== null && mayDefine(contents[j] as Buffer, name, ignoreCase)));
  }
  return found;
}

/** Adds files of the tip that contain the name. A walk that ends before the first commit may have missed them. */
async function addTip(
  { tip, source, accepts }: HistoryScope,
  name: string,
  hits: Map<string, FileVersion>,
): Promise<void> {
  for (const [path, oid] of tip) {
    if (hits.has(`${oid} ${path}`) || !accepts(path)) continue;
    if ((await source.bytes(oid))?.includes(name)) hits.set(`${oid} ${path}`, { oid, path });
  }
}

/** Does the qualified name of a key end with the containers and the name? Without containers, every key matches. */
function isInside(key: string, name: string, containers: readonly string[]): boolean {
  if (containers.length === 0) return true;
  const symbol = `.${baseOf(key).slice(key.indexOf(' ') + 1)}`.toLowerCase();
  return symbol.endsWith(`.${[...containers, name].join('.')}`.toLowerCase());
}

interface RemovedText {
  /** Best versions first. */
  versions: FileVersion[];
  window: WalkWindow;
  /** Number of versions that were read; `leftOut`: matching ones left out because there were too many. */
  examined: number;
  leftOut: number;
}

/** Maximum number of versions to rank. Parsing that many takes seconds if they are new. */
const MAX_PROMISING = 800;
/** Maximum number of versions that are read; older ones are skipped. */
const MAX_EXAMINED = 60_000;

/** Weight of a word that the next version still has, relative to one that it lacks. */
const STAYED = 0.25;

/** Finds versions whose next version has fewer of some words, and ranks them: rare words count more. `words`: lower-case beginnings of words. */
export async function findRemovedText(
  scope: HistoryScope,
  words: readonly string[],
  progress: Progress,
): Promise<RemovedText> {
  const commits: CommitChanges[] = [];
  let count = 0;
  const window = await walkHistory(scope.git, scope.walk, ({ commit, changes }) => {
    const own = changes.filter(({ path, type }) => isFile(type) && count <= MAX_EXAMINED && scope.accepts(path));
    count += own.length;
    if (own.length > 0) commits.push({ commit, changes: own });
  });
  const counter = new WordCounter(scope.source, words);
  const drops = new Map<string, { version: FileVersion; gone: boolean[]; had: boolean[] }>();
  let done = 0;
  for (const { changes } of commits) {
    // Reads all files of a commit at once, so that requests to git are batched.
    await Promise.all(
      changes.map(async ({ path, oldOids, newOid }) => {
        const after = await counter.count(newOid);
        for (const oid of oldOids) {
          const before = oid === null ? null : await counter.count(oid);
          if (oid === null || before === null) continue;
          const gone = before.map((n, i) => n > (after?.[i] ?? 0));
          const key = `${oid} ${path}`;
          if (gone.includes(true) && !drops.has(key))
            drops.set(key, { version: { oid, path }, gone, had: before.map((n) => n > 0) });
        }
      }),
    );
    progress.update(++done, commits.length);
  }
  progress.finish();
  const idf = counter.idf();
  const score = ({ gone, had }: { gone: boolean[]; had: boolean[] }) =>
    idf.reduce((sum, weight, i) => sum + weight * (gone[i] ? 1 : had[i] ? STAYED : 0), 0);
  const ranked = [...drops.values()].map((drop) => ({ version: drop.version, score: score(drop) }));
  // The sort is stable, so among equal scores the newest version stays first.
  ranked.sort((a, b) => b.score - a.score);
  const versions = ranked.slice(0, MAX_PROMISING).map(({ version }) => version);
  return { versions, window, examined: counter.size, leftOut: ranked.length - versions.length };
}

/** Counts how often each word begins in a blob. */
class WordCounter {
  private readonly counts = new Map<string, Promise<number[] | null>>();
  private readonly documents: number[];
  private readonly expression: RegExp;
  private read = 0;

  constructor(
    private readonly source: BlobSource,
    private readonly words: readonly string[],
  ) {
    this.documents = words.map(() => 0);
    // Words need no escaping, as they have letters and digits only. The longest alternative comes first, to be matched.
    const longestFirst = [...words].sort((a, b) => b.length - a.length);
    this.expression = new RegExp(longestFirst.join('|'), 'g');
  }

  get size(): number {
    return this.read;
  }

  count(oid: string | null): Promise<number[] | null> {
    if (oid === null) return Promise.resolve(null);
    return getOrMake(this.counts, oid, () => this.scan(oid));
  }

  private async scan(oid: string): Promise<number[] | null> {
    const bytes = await this.source.bytes(oid);
    if (bytes === null) return null;
    this.read++;
    const counts = this.words.map(() => 0);
    for (const [word] of bytes.toString('utf8').toLowerCase().matchAll(this.expression))
      counts[this.words.indexOf(word)]++;
    for (const [i, n] of counts.entries()) if (n > 0) this.documents[i]++;
    return counts;
  }

  idf(): number[] {
    return this.documents.map((n) => Math.log(1 + (this.read - n + 0.5) / (n + 0.5)));
  }
}
