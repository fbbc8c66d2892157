/**
 * Graphs of targets (`Graphs`). That of a commit is found in memory or in a file, or linked (`CommitGraphs`); that of the work tree is the
 * graph of HEAD, relinked with the uncommitted files (`WorkGraph`).
 */
import { SingleFlight } from '../../base/async.js';
import { cacheKey, onePer, remember } from '../../base/cache.js';
import { SocraticodeError } from '../../base/errors.js';
import { phase } from '../../base/progress.js';
import type { ObjectReader } from '../../git/objects.js';
import { Graph } from '../../graph/graph.js';
import { factsKey, LINK_VERSION, type LinkedSnapshot, type SourceFile } from '../../graph/tables.js';
import type { FactsListener } from '../../overlay/overlay.js';
import type { LinkFacts } from '../../record/link-facts.js';
import { retried } from '../retry.js';
import type { Session } from '../session.js';
import { corporaOf } from '../snapshot/corpora.js';
import { type OpenTarget, type Snapshots, snapshotsOf } from '../snapshot/overlay.js';
import type { DirtySnapshot, SnapshotOrigin } from '../snapshot/snapshot.js';
import { type TargetOptions, targetRef } from '../snapshot/target.js';
import { localStateOf } from '../snapshot/view-cache.js';
import { type IdleParsers, parsersOf, whilePending } from '../speculation.js';
import { GRAPHS, WORK } from '../state-kinds.js';
import {
  decodeWork,
  decodeWorkFacts,
  encodeWork,
  type GraphNote,
  isNear,
  type LinkedGraph,
  readGraph,
  readNearest,
  relinkable,
  writeGraph,
} from './codec.js';
import { readUnindexedChanges, type UnindexedChanges } from './sources.js';

export interface LinkOptions {
  /** Accepts a graph of the files that were read so far while the first index takes long; its coverage says how many. */
  partly?: boolean;
  signal?: AbortSignal;
}

/** Options of a question about what `ref` names; default: what is checked out. */
export type GraphOptions = Pick<TargetOptions, 'ref' | 'committed'> & LinkOptions;

/** Graph of a snapshot with the facts about the snapshot that every answer states. */
export interface PreparedGraph {
  graph: Graph;
  /** Snapshot of the graph: HEAD may have moved since the question began. */
  origin: SnapshotOrigin;
  coverage: GraphNote['coverage'];
  /** Reads the text of its files, uncommitted ones included; null for a file that has changed since. */
  objects: ObjectReader;
  /** Number of files that differ from HEAD. `overlay`: number of those that the graph has as they are in the work tree. */
  dirty: number;
  overlay: number;
  /** Paths of the files that `overlay` counts. */
  uncommitted: ReadonlySet<string>;
  /** Set on a graph that has only the files that were read so far, which `partly` allows. */
  isPart?: true;
}

/** Limit on the graphs that a long-lived process keeps in memory; that of a large repository takes some ten megabytes. */
const MAX_CACHED_GRAPHS = 3;

/** Graphs of targets: that of a commit, or that of the work tree with its uncommitted files. */
export class Graphs {
  readonly commits: CommitGraphs;
  private readonly parsers: IdleParsers;
  private readonly work: WorkGraph;
  private readonly snapshots: Snapshots;

  constructor(private readonly session: Session) {
    this.snapshots = snapshotsOf(session);
    this.parsers = parsersOf(session);
    this.commits = new CommitGraphs(session, this.parsers);
    this.work = new WorkGraph(session, this.commits, this.parsers);
    this.snapshots.onFacts = this.work.offer;
    session.onClose(() => this.work.save());
  }

  /** Opens a target and returns its graph; asks again if the commit vanishes meanwhile. Throws the errors of a search. */
  prepare(options: GraphOptions = {}): Promise<PreparedGraph> {
    return retried(this.session, targetRef(options), async () => this.of(await this.snapshots.open(options), options));
  }

  /** Returns the graph of a target that its question opened, and opens again if it has to. Missing files are indexed first. */
  async of(target: OpenTarget, options: LinkOptions = {}): Promise<PreparedGraph> {
    const { origin: requested, status } = target;
    if (status.use === 'ignored') return this.committed(requested, options);
    // If nothing was uncommitted before, the graph of HEAD is probably the answer.
    whilePending(status, () => {
      if (!this.work.isExpected) this.commits.recall(graphKey(requested));
    });
    const snapshot = await this.snapshots.of(target, options.signal);
    const { state, origin, objects, dirty, overlay, coverage } = snapshot;
    const graph = state && (await phase('graph', () => this.work.patch({ ...snapshot, state }, options)));
    this.parsers.rest();
    // Uncommitted files are linked only on top of a whole graph.
    if (!graph) return answer(await this.commits.link(origin, options), { origin, objects, dirty });
    return {
      graph,
      origin,
      coverage,
      objects,
      dirty,
      overlay,
      uncommitted: new Set(state.files.map(({ path }) => path)),
    };
  }

  /** Returns the graph of a snapshot as committed. Missing files are indexed first. Simultaneous calls share the work. */
  async committed(origin: SnapshotOrigin, options: LinkOptions = {}): Promise<PreparedGraph> {
    return answer(await this.commits.link(origin, options), { origin, objects: this.session.objects, dirty: 0 });
  }

  /** Returns the graph if it is linked already; else null. */
  known(origin: SnapshotOrigin): Pick<LinkedGraph, 'graph' | 'note'> | null {
    return this.commits.recall(graphKey(origin));
  }

  /** Forgets every graph because their files were removed. */
  forget(): void {
    this.commits.forget();
    this.work.forget();
  }
}

/** The graphs that all questions of a session share, since each holds tens of megabytes. */
export const graphsOf = onePer((session: Session) => new Graphs(session));

function answer(base: LinkedGraph, rest: Pick<PreparedGraph, 'origin' | 'objects' | 'dirty'>): PreparedGraph {
  const { graph, note, isPart } = base;
  return { graph, coverage: note.coverage, ...rest, overlay: 0, uncommitted: new Set(), ...(isPart && { isPart }) };
}

type Relinking = NonNullable<LinkedGraph['relinking']>;

/** Graphs of commits: from memory, from a cached file, or linked from the graph that was linked last. */
export class CommitGraphs {
  /** By key; the most recent last. */
  private readonly linked = new Map<string, LinkedGraph>();
  private readonly underWay = new SingleFlight<LinkedGraph>();

  constructor(
    private readonly session: Session,
    private readonly parsers: IdleParsers,
  ) {}

  link(origin: SnapshotOrigin, options: LinkOptions = {}): Promise<LinkedGraph> {
    const { partly, signal } = options;
    const key = graphKey(origin);
    const find = async () => this.recall(key) ?? phase('graph', () => this.linkAnew(origin, key, options));
    return this.underWay.run(partly ? partKey(origin) : key, find, signal);
  }

  /** Links a snapshot, and finds what the next graph is relinked from. Null for a graph of some files only, from which none is. */
  async linkWithMemory(
    origin: SnapshotOrigin,
    options: LinkOptions,
  ): Promise<{ graph: Graph; relinking: Relinking } | null> {
    const known = await this.link(origin, options);
    if (known.isPart) return null;
    const { graph } = known;
    const relinking = relinkable(this.session.state, known) ?? (await this.remake(known, origin, options.signal));
    if (relinking === null)
      throw new SocraticodeError('INTERNAL', 'a graph has nothing that it can be linked again from');
    return { graph, relinking };
  }

  /** Links the files of a snapshot that were read so far, caches that graph, and returns their number. */
  async keepPart(origin: SnapshotOrigin, signal?: AbortSignal): Promise<number> {
    const { linkPart } = await import('./link.js');
    const part = await linkPart(this.session, origin, signal);
    if (part === null) return 0;
    writeGraph(this.session.state, { ...part, key: partKey(origin), relinking: null });
    return part.note.coverage.covered;
  }

  /** Reads a graph from memory or its file. Returns null if the local state that both depend on has changed. */
  recall(key: string): LinkedGraph | null {
    const isCurrent = ({ note }: LinkedGraph) => note.state === null || note.state === this.localState();
    const held = this.linked.get(key);
    // Another process may have written a newer file than the graph that is held.
    const known = held && isCurrent(held) ? held : phase('graph', () => readGraph(this.session.state, key));
    if (known === null || !isCurrent(known)) return null;
    remember(this.linked, key, known, MAX_CACHED_GRAPHS);
    return known;
  }

  forget(): void {
    this.linked.clear();
  }

  private localState(): string {
    const { shards, unreadable } = this.session.shards.readManifest();
    return localStateOf(
      shards.map(({ file }) => file),
      unreadable,
    );
  }

  /** Links in this process, unless a background indexer does it; then reads the file that it wrote. Throws NOT_READY. */
  private async linkAnew(origin: SnapshotOrigin, key: string, options: LinkOptions): Promise<LinkedGraph> {
    const { backgroundIndexer, state } = this.session;
    if (backgroundIndexer === null) return this.buildOnce(origin, key, options.signal);
    const made = await backgroundIndexer.link(origin, options);
    const known = this.recall(key);
    if (known !== null) return known;
    const part = made === 'part' ? readGraph(state, partKey(origin)) : null;
    if (part !== null) return { ...part, isPart: true };
    // The file could not be written, or another process is indexing and has outdated it.
    throw new SocraticodeError('NOT_READY', 'the graph that was linked is no longer there');
  }

  /** Builds the graph, unless another process has made it meanwhile: it would take the same seconds for the same file. */
  private async buildOnce(origin: SnapshotOrigin, key: string, signal?: AbortSignal): Promise<LinkedGraph> {
    const release = await this.session.state.claim(GRAPHS, key, signal);
    try {
      return this.recall(key) ?? (await this.build(origin, key, signal));
    } finally {
      release();
    }
  }

  private async build(origin: SnapshotOrigin, key: string, signal?: AbortSignal): Promise<LinkedGraph> {
    // Imported on demand: most questions find their graph linked, and reading it takes less time than this import.
    const [{ corpus, coverage }, { linkCommitted }] = await Promise.all([
      corporaOf(this.session).of(origin, signal),
      import('./link.js'),
    ]);
    const parsers = () => this.parsers.get();
    const request = { origin, shards: corpus.live.shards, previous: this.nearest, parsers, signal };
    const { graph, relinking } = await linkCommitted(this.session, request);
    this.parsers.rest();
    const note = { coverage, state: isFinal(coverage, graph.tables.files) ? null : this.localState() };
    return this.keep({ key, graph, note, relinking });
  }

  private keep(linked: LinkedGraph): LinkedGraph {
    writeGraph(this.session.state, linked);
    // One memory is enough to link the next graph from, and each holds the facts of a whole repository.
    for (const other of this.linked.values()) other.relinking = null;
    remember(this.linked, linked.key, linked, MAX_CACHED_GRAPHS);
    return linked;
  }

  /** Links a graph again because its memory is missing. */
  private async remake(
    known: LinkedGraph,
    origin: SnapshotOrigin,
    signal?: AbortSignal,
  ): Promise<LinkedGraph['relinking']> {
    const { backgroundIndexer } = this.session;
    if (backgroundIndexer === null) return (await this.build(origin, known.key, signal)).relinking;
    await backgroundIndexer.link(origin, { signal });
    return relinkable(this.session.state, known);
  }

  /** Compares the graph that this process linked last with cached ones, which may be nearer. */
  private readonly nearest = (files: readonly SourceFile[]): LinkedSnapshot | null => {
    const own = [...this.linked.values()].reverse().find(({ relinking }) => relinking !== null);
    const last = own?.relinking ? { tables: own.graph.tables, memory: own.relinking.memory } : null;
    return last !== null && isNear(last.tables.files, files) ? last : (readNearest(this.session.state, files) ?? last);
  };
}

function partKey({ key, compiled }: SnapshotOrigin): string {
  return cacheKey(LINK_VERSION, key, compiled ?? null, 'part');
}

function graphKey({ key, compiled }: SnapshotOrigin): string {
  return compiled === undefined ? cacheKey(LINK_VERSION, key) : cacheKey(LINK_VERSION, key, compiled);
}

/** Returns whether no other record or grammar can improve the graph. */
function isFinal({ covered, total }: GraphNote['coverage'], files: readonly SourceFile[]): boolean {
  return covered === total && files.every(({ state }) => state !== 'degraded' && state !== 'unreadable');
}

interface WorkState {
  /** Of the graph of the commit with these uncommitted files. */
  key: string;
  /** Of the graph of the commit. */
  commitKey: string;
  graph: Graph;
  /** Null if the graph came from a file. */
  snapshot: LinkedSnapshot | null;
}

/** Limit on the uncommitted files of an overlay. */
const MAX_CACHED_OFFERS = 5_000;
/** Edits come in bursts: only the state after the last one is written. */
const SAVE_AFTER_MS = 300;

/** The graph of the work tree: that of the commit, relinked with the uncommitted files. */
class WorkGraph {
  private latest: WorkState | null = null;
  /** Packed facts of the files that were linked last, by `factsKey`; null before they are first read. */
  private facts: ReadonlyMap<string, Uint8Array> | null = null;
  /** Facts of files that were parsed for the search index since the last link. */
  private readonly offered = new Map<string, LinkFacts>();
  private unsaved = false;
  private saving: NodeJS.Timeout | null = null;
  /** Queue of one: each state is linked from the one before. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly session: Session,
    private readonly commits: CommitGraphs,
    private readonly parsers: IdleParsers,
  ) {}

  /** True if the previous question found uncommitted files, in this process or another. */
  get isExpected(): boolean {
    return this.latest !== null || this.session.state.keys(WORK).length > 0;
  }

  /** Remembers facts that were parsed for the search index, since linking needs them next. */
  readonly offer: FactsListener = (unit, { lines, symbols, relations }) => {
    remember(this.offered, factsKey(unit), { lines, symbols, relations }, MAX_CACHED_OFFERS);
  };

  /** Relinks the graph of the commit with the uncommitted files of a snapshot. Null with `partly` if only a part of that graph is linked. */
  patch(snapshot: DirtySnapshot, options: LinkOptions): Promise<Graph | null> {
    const turn = this.turn.catch(() => {}).then(() => this.find(snapshot, options));
    this.turn = turn;
    return turn;
  }

  /** Caches the latest state for the next process. */
  save(): void {
    if (this.saving !== null) clearTimeout(this.saving);
    this.saving = null;
    if (!this.unsaved || this.latest === null) return;
    this.unsaved = false;
    const { key, graph } = this.latest;
    this.session.state.write(WORK, key, encodeWork({ tables: graph.tables, facts: this.facts ?? new Map() }));
  }

  /** Forgets the graph without writing it. */
  forget(): void {
    if (this.saving !== null) clearTimeout(this.saving);
    this.saving = null;
    this.unsaved = false;
    this.latest = null;
    this.facts = null;
  }

  private async find(snapshot: DirtySnapshot, options: LinkOptions): Promise<Graph | null> {
    const commitKey = graphKey(snapshot.origin);
    const { files, replaced, objects } = snapshot.state;
    const differing = files.map(({ path, oid, language }) => [path, oid, language]);
    const unindexed = readUnindexedChanges(snapshot.state);
    const key = cacheKey(commitKey, differing, replaced.map(({ path }) => path).sort(), unindexed.identity);
    if (this.latest?.key === key) return this.latest.graph;
    const known = this.read(key, commitKey);
    const found = known ?? (await this.link({ key, commitKey, unindexed }, snapshot, options));
    if (found === null) return null;
    // A file changed while it was read, so this state cannot occur again and is not cached.
    if (objects.moved.size > 0) return found.graph;
    this.latest = found;
    if (known === null) this.saveSoon();
    return found.graph;
  }

  private read(key: string, commitKey: string): WorkState | null {
    const work = this.session.state.read(WORK, key, ({ content }) => decodeWork(content));
    if (work === null) return null;
    this.facts = work.facts;
    return { key, commitKey, graph: new Graph(work.tables), snapshot: null };
  }

  private async link(
    { key, commitKey, unindexed }: { key: string; commitKey: string; unindexed: UnindexedChanges },
    dirty: DirtySnapshot,
    options: LinkOptions,
  ): Promise<WorkState | null> {
    const { linkWork } = await import('./link.js');
    const committed = await this.commits.linkWithMemory(dirty.origin, options);
    if (committed === null) return null;
    const { graph, relinking } = committed;
    const { signal } = options;
    const own = this.latest?.commitKey === commitKey ? this.latest.snapshot : null;
    this.facts ??= this.readFacts();
    const { snapshot, facts } = await linkWork(this.session, {
      ...{ dirty, unindexed, committed: graph.tables.files, unlinked: relinking.unlinked, signal },
      ...{ cached: this.facts, parsed: this.offered, parsers: () => this.parsers.get() },
      previous: own ?? { tables: graph.tables, memory: relinking.memory },
    });
    this.facts = facts;
    this.offered.clear();
    return { key, commitKey, graph: new Graph(snapshot.tables), snapshot };
  }

  /** Reads the facts that an earlier process cached. */
  private readFacts(): ReadonlyMap<string, Uint8Array> {
    const { state } = this.session;
    const [newest] = state.keys(WORK);
    const facts = newest === undefined ? null : state.read(WORK, newest, ({ content }) => decodeWorkFacts(content));
    return facts ?? new Map();
  }

  private saveSoon(): void {
    this.unsaved = true;
    if (this.saving !== null) clearTimeout(this.saving);
    this.saving = setTimeout(() => this.save(), SAVE_AFTER_MS);
    this.saving.unref();
  }
}
