/**
 * Graph of the work tree: that of HEAD, relinked with the uncommitted files. No record holds the facts of those files, so they
 * are kept with the graph and the next process need not parse the files again.
 */
import { remember } from '../../base/remember.js';
import { Graph } from '../../graph/graph.js';
import { factsKey, type LinkedSnapshot, type LinkFacts } from '../../graph/link-input.js';
import type { FactsListener } from '../../overlay/overlay.js';
import type { Session } from '../session.js';
import type { DirtySnapshot } from '../snapshot/snapshot.js';
import type { IdleParsers } from '../speculation.js';
import { cacheKey, type GraphCache } from './graph-cache.js';
import { decodeWork, decodeWorkFacts, encodeWork, type LinkedGraph } from './linked-files.js';
import { readUnindexedChanges, type UnindexedChanges } from './unindexed-changes.js';

export type Relinking = NonNullable<LinkedGraph['relinking']>;

interface WorkContext {
  parsers: IdleParsers;
  /**
   * Returns the graph of the snapshot's commit and the memory to relink it from: read, or linked again. With `partly` null where only
   * a part of it is linked.
   */
  base: (snapshot: DirtySnapshot, options: BaseOptions) => Promise<{ graph: Graph; relinking: Relinking } | null>;
}

interface BaseOptions {
  partly?: boolean;
  signal?: AbortSignal;
}

interface State {
  key: string;
  base: string;
  graph: Graph;
  /** Null if the graph came from a file. */
  snapshot: LinkedSnapshot | null;
}

/** Highest number of uncommitted files in an overlay. */
const OFFERS_KEPT = 5_000;
/** Edits come in bursts: only the state after the last one is written. */
const SAVE_AFTER_MS = 300;

export class WorkGraph {
  private latest: State | null = null;
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
    private readonly cache: GraphCache,
    private readonly context: WorkContext,
  ) {}

  /** True if files were uncommitted at the previous question, in this process or another. */
  get isExpected(): boolean {
    return this.latest !== null || this.cache.keys('work').length > 0;
  }

  /** Keeps facts that were parsed for the search index: linking needs them next. */
  readonly offer: FactsListener = (unit, { lines, symbols, relations }) => {
    remember(this.offered, factsKey(unit), { lines, symbols, relations }, OFFERS_KEPT);
  };

  /** Returns the graph of a commit, named `base`, relinked with the uncommitted files of a snapshot; null with `partly`, as for `base`. */
  patch(base: string, snapshot: DirtySnapshot, options: BaseOptions): Promise<Graph | null> {
    const turn = this.turn.catch(() => {}).then(() => this.find(base, snapshot, options));
    this.turn = turn;
    return turn;
  }

  /** Writes the latest state for the next process. */
  save(): void {
    if (this.saving !== null) clearTimeout(this.saving);
    this.saving = null;
    if (!this.unsaved || this.latest === null) return;
    this.unsaved = false;
    const { key, graph } = this.latest;
    this.cache.write('work', key, encodeWork({ tables: graph.tables, facts: this.facts ?? new Map() }), null);
  }

  /** Forgets the linked graph without writing it. */
  forget(): void {
    if (this.saving !== null) clearTimeout(this.saving);
    this.saving = null;
    this.unsaved = false;
    this.latest = null;
    this.facts = null;
  }

  private async find(base: string, snapshot: DirtySnapshot, options: BaseOptions): Promise<Graph | null> {
    const { files, replaced, objects } = snapshot.state;
    const differing = files.map(({ path, oid, language }) => [path, oid, language]);
    const unindexed = readUnindexedChanges(snapshot.state);
    const key = cacheKey(base, differing, replaced.map(({ path }) => path).sort(), unindexed.identity);
    if (this.latest?.key === key) return this.latest.graph;
    const known = this.read(key, base);
    const found = known ?? (await this.link({ key, base, unindexed }, snapshot, options));
    if (found === null) return null;
    // A file that changed while it was read belongs to no state that can occur again: keep nothing.
    if (objects.moved.size > 0) return found.graph;
    this.latest = found;
    if (known === null) this.saveSoon();
    return found.graph;
  }

  private read(key: string, base: string): State | null {
    const file = this.cache.read('work', key);
    const work = file && decodeWork(file.content);
    if (work === null) return null;
    this.facts = work.facts;
    return { key, base, graph: new Graph(work.tables), snapshot: null };
  }

  private async link(
    { key, base, unindexed }: { key: string; base: string; unindexed: UnindexedChanges },
    dirty: DirtySnapshot,
    options: BaseOptions,
  ): Promise<State | null> {
    const { linkWork } = await import('./link-work.js');
    const committed = await this.context.base(dirty, options);
    if (committed === null) return null;
    const { graph, relinking } = committed;
    const { signal } = options;
    const own = this.latest?.base === base ? this.latest.snapshot : null;
    this.facts ??= this.readFacts();
    const { snapshot, facts } = await linkWork(this.session, {
      ...{ dirty, unindexed, committed: graph.tables.files, unlinked: relinking.unlinked, signal },
      ...{ kept: this.facts, parsed: this.offered, parsers: () => this.context.parsers.get() },
      previous: own ?? { tables: graph.tables, memory: relinking.memory },
    });
    this.facts = facts;
    this.offered.clear();
    return { key, base, graph: new Graph(snapshot.tables), snapshot };
  }

  /** Reads the facts that an earlier process kept. */
  private readFacts(): ReadonlyMap<string, Uint8Array> {
    const [newest] = this.cache.keys('work');
    const file = newest === undefined ? null : this.cache.read('work', newest);
    return file === null ? new Map() : decodeWorkFacts(file.content);
  }

  private saveSoon(): void {
    this.unsaved = true;
    if (this.saving !== null) clearTimeout(this.saving);
    this.saving = setTimeout(() => this.save(), SAVE_AFTER_MS);
    this.saving.unref();
  }
}
