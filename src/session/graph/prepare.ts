/** Graphs made ready to be asked: from memory, from a cached file, or linked anew from whatever was linked before. */
import { unlessAborted } from '../../base/abortable.js';
import { SocraticodeError } from '../../base/errors.js';
import { remember } from '../../base/remember.js';
import type { ObjectReader } from '../../git/objects.js';
import type { Graph } from '../../graph/graph.js';
import { LINK_VERSION } from '../../graph/link/version.js';
import type { LinkedSnapshot, SourceFile } from '../../graph/link-input.js';
import type { Supplier } from '../background-indexer.js';
import { IdleParsers } from '../indexing/parsers.js';
import { Uncommitted } from '../overlay/overlay.js';
import { atPresent } from '../retry.js';
import type { ScopeOrigin, Session } from '../session.js';
import { SnapshotPreparer } from '../snapshot/prepare.js';
import { targetRef, workTreeUse } from '../snapshot/target.js';
import { stateOf } from '../snapshot/view-cache.js';
import { cacheKey, GraphCache } from './graph-cache.js';
import { type GraphNote, type LinkedGraph, readGraph, readLatest, relinkable, writeGraph } from './linked-files.js';
import { type Relinking, WorkGraph } from './work-graph.js';

export interface GraphOptions {
  /** Branch, tag, commit or tree; what is checked out without one. */
  ref?: string;
  /** Leave out what is not committed. */
  committed?: boolean;
  signal?: AbortSignal;
}

/** A snapshot's graph, and what an answer says about where it comes from. */
export interface PreparedGraph {
  graph: Graph;
  /** What was asked in the end: HEAD may have moved since. */
  origin: ScopeOrigin;
  coverage: GraphNote['coverage'];
  /** Text of its files, also of those that are not committed. Null for one that has changed meanwhile. */
  objects: ObjectReader;
  /** Files of the work tree that differ from HEAD, and those of them that the graph knows as they are now. */
  dirty: number;
  overlay: number;
  /** Paths of those. */
  uncommitted: ReadonlySet<string>;
}

/** Graphs of a process that stays: each of a large repository takes some ten megabytes. */
const GRAPHS_KEPT = 3;

/** One per session, which ends it. */
export class GraphPreparer {
  /** By key; the most recent last. */
  private readonly linked = new Map<string, LinkedGraph>();
  private readonly underWay = new Map<string, Promise<LinkedGraph>>();
  private readonly cache: GraphCache;
  private readonly parsers = new IdleParsers();
  private readonly work: WorkGraph;
  private readonly uncommitted: Uncommitted;

  /** `uncommitted`: that of the session, if it has one. */
  constructor(
    private readonly session: Session,
    private readonly snapshots = new SnapshotPreparer(session),
    uncommitted?: Uncommitted,
  ) {
    // Without git nothing is indexed either, so there is nothing to write.
    this.cache = new GraphCache(session.shards.directory, session.readChanges === null);
    this.work = new WorkGraph(session, this.cache, {
      parsers: this.parsers,
      base: ({ origin }, signal) => this.relinkable(origin, signal),
    });
    this.uncommitted = uncommitted ?? new Uncommitted(session, snapshots);
    this.uncommitted.onFacts = this.work.offer;
    session.onClose(() => {
      this.parsers.stop();
      this.work.save();
    });
  }

  /** The graph of a ref, or of what is checked out with what is not committed. Throws what search throws. */
  prepare(options: GraphOptions = {}): Promise<PreparedGraph> {
    return atPresent(this.session, targetRef(options), () => this.tryPrepare(options));
  }

  private async tryPrepare(options: GraphOptions): Promise<PreparedGraph> {
    const use = workTreeUse(options);
    if (use === 'ignored') return this.committed(await this.session.origin(options.ref), options.signal);
    const look = this.uncommitted.look(use);
    const origin = await this.session.origin(options.ref, { unborn: use === 'included' });
    // Most often the answer where nothing was uncommitted before: read while git looks at the work tree.
    if (look.isPending && !this.work.isExpected) this.recall(graphKey(origin));
    const searched = await this.uncommitted.prepare(origin, look, options.signal);
    const { state, objects, dirty, overlay, prepared } = searched;
    if (state === null) {
      const base = await this.link(searched.origin, options.signal);
      return answer(base, { origin: searched.origin, objects, dirty });
    }
    const graph = await this.work.patch(graphKey(searched.origin), { ...searched, state }, options.signal);
    this.parsers.rest();
    const uncommitted = new Set(state.files.map(({ path }) => path));
    return { graph, origin: searched.origin, coverage: prepared.extra.coverage, objects, dirty, overlay, uncommitted };
  }

  /** The graph of a snapshot as committed; indexes first what no shard knows. Who asks while it is being made waits for the same. */
  async committed(origin: ScopeOrigin, signal?: AbortSignal): Promise<PreparedGraph> {
    return answer(await this.link(origin, signal), { origin, objects: this.session.objects, dirty: 0 });
  }

  /** Has a snapshot linked and kept, with what the next one is linked from. */
  async keepLinked(origin: ScopeOrigin, signal?: AbortSignal): Promise<void> {
    await this.relinkable(origin, signal);
  }

  /** The same if it is linked already; null where it would have to be made. */
  known(origin: ScopeOrigin): Pick<LinkedGraph, 'graph' | 'note'> | null {
    return this.recall(graphKey(origin));
  }

  /** Forgets every graph: their files were removed. */
  forget(): void {
    this.linked.clear();
    this.work.forget();
  }

  private link(origin: ScopeOrigin, signal?: AbortSignal): Promise<LinkedGraph> {
    const key = graphKey(origin);
    const underWay = this.underWay.get(key);
    if (underWay !== undefined) {
      // Whoever began it may have given up: that is no reason for others to.
      const linked = underWay.catch((error: unknown) => {
        if (signal?.aborted) throw error;
        return this.link(origin, signal);
      });
      return unlessAborted(linked, signal);
    }
    const known = this.recall(key);
    if (known !== null) return Promise.resolve(known);
    const linking = this.make(origin, key, signal).finally(() => this.underWay.delete(key));
    this.underWay.set(key, linking);
    return linking;
  }

  /** From memory or its file, unless what it lacked might be there by now. */
  private recall(key: string): LinkedGraph | null {
    const known = this.linked.get(key) ?? readGraph(this.cache, key);
    if (known === null || (known.note.state !== null && known.note.state !== this.localState())) return null;
    remember(this.linked, key, known, GRAPHS_KEPT);
    return known;
  }

  private localState(): string {
    const { shards, unreadable } = this.session.shards.readManifest();
    return stateOf(
      shards.map(({ file }) => file),
      unreadable,
    );
  }

  private make(origin: ScopeOrigin, key: string, signal?: AbortSignal): Promise<LinkedGraph> {
    const { supplier } = this.session;
    return supplier === null ? this.build(origin, key, signal) : this.order(supplier, { origin, key, signal });
  }

  /** Linked by somebody else: what is there then is a file. Throws NOT_READY. */
  private async order(
    supplier: Supplier,
    { origin, key, signal }: { origin: ScopeOrigin; key: string; signal?: AbortSignal },
  ): Promise<LinkedGraph> {
    await supplier.link(origin, signal);
    const known = this.recall(key);
    if (known !== null) return known;
    // Linked, and already out of date: another process indexes at this moment; or its file could not be written.
    throw new SocraticodeError('NOT_READY', 'the graph that was linked is no longer there');
  }

  private async build(origin: ScopeOrigin, key: string, signal?: AbortSignal): Promise<LinkedGraph> {
    // Loaded here: most questions find their graph linked, and reading it takes less time than loading this.
    const [prepared, { linkCommitted }] = await Promise.all([
      this.snapshots.prepare(origin, signal),
      import('./link-committed.js'),
    ]);
    const request = { origin, prepared, previous: this.latest(), parsers: () => this.parsers.get(), signal };
    const { graph, relinking } = await linkCommitted(this.session, request);
    this.parsers.rest();
    const { coverage } = prepared.extra;
    const note = { coverage, state: isFinal(coverage, graph.tables.files) ? null : this.localState() };
    return this.keep({ key, graph, note, relinking });
  }

  private keep(linked: LinkedGraph): LinkedGraph {
    writeGraph(this.cache, linked);
    // One of them is enough to link the next from, and each holds the facts of a whole repository.
    for (const other of this.linked.values()) other.relinking = null;
    remember(this.linked, linked.key, linked, GRAPHS_KEPT);
    return linked;
  }

  private async relinkable(origin: ScopeOrigin, signal?: AbortSignal): Promise<{ graph: Graph; relinking: Relinking }> {
    const known = await this.link(origin, signal);
    const { graph } = known;
    const relinking = relinkable(this.cache, known) ?? (await this.remake(known, origin, signal));
    if (relinking === null)
      throw new SocraticodeError('INTERNAL', 'a graph has nothing that it can be linked again from');
    return { graph, relinking };
  }

  /** Links a graph again whose memory is gone. */
  private async remake(
    known: LinkedGraph,
    origin: ScopeOrigin,
    signal?: AbortSignal,
  ): Promise<LinkedGraph['relinking']> {
    const { supplier } = this.session;
    if (supplier === null) return (await this.build(origin, known.key, signal)).relinking;
    await supplier.link(origin, signal);
    return relinkable(this.cache, known);
  }

  /** Of this process if it has linked something, else what another one linked last. */
  private latest(): LinkedSnapshot | null {
    for (const { graph, relinking } of [...this.linked.values()].reverse()) {
      if (relinking !== null) return { tables: graph.tables, memory: relinking.memory };
    }
    return readLatest(this.cache);
  }
}

function graphKey(origin: ScopeOrigin): string {
  return cacheKey(LINK_VERSION, origin.key);
}

/** Could another record, or another grammar, make it better? */
function isFinal({ covered, total }: GraphNote['coverage'], files: readonly SourceFile[]): boolean {
  return covered === total && files.every(({ state }) => state !== 'degraded' && state !== 'unreadable');
}

function answer(base: LinkedGraph, rest: Pick<PreparedGraph, 'origin' | 'objects' | 'dirty'>): PreparedGraph {
  return { graph: base.graph, coverage: base.note.coverage, ...rest, overlay: 0, uncommitted: new Set() };
}
