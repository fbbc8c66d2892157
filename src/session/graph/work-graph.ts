/**
 * The graph of what is checked out with what is not committed: that of HEAD, linked again with the files that differ. The
 * facts of those files are nobody's record, so they are kept with the graph: the next process parses none of them again.
 */
import { remember } from '../../base/remember.js';
import { Graph } from '../../graph/graph.js';
import { factsKey, type LinkedSnapshot, type LinkFacts } from '../../graph/link-input.js';
import type { FactsListener } from '../../overlay/overlay.js';
import type { IdleParsers } from '../indexing/parsers.js';
import type { Session } from '../session.js';
import { cacheKey, type GraphCache } from './graph-cache.js';
import type { Dirty } from './link-work.js';
import { decodeWork, decodeWorkFacts, encodeWork, type LinkedGraph } from './linked-files.js';
import { type Beside, readBeside } from './work-beside.js';

export type Relinking = NonNullable<LinkedGraph['relinking']>;

export interface WorkContext {
  parsers: IdleParsers;
  /** The graph of the commit that a search was about, and what it can be linked again from: read, or made again. */
  base: (searched: Dirty, signal?: AbortSignal) => Promise<{ graph: Graph; relinking: Relinking }>;
}

interface State {
  key: string;
  base: string;
  graph: Graph;
  /** Null where it came from a file. */
  snapshot: LinkedSnapshot | null;
}

/** As many as there can be uncommitted files. */
const OFFERS_KEPT = 5_000;
/** Edits come in bursts: only the last of them is written. */
const SAVE_AFTER_MS = 300;

export class WorkGraph {
  private latest: State | null = null;
  /** Of the uncommitted files that were linked last, packed, by `factsKey`; null as long as none were looked for. */
  private facts: ReadonlyMap<string, Uint8Array> | null = null;
  /** Of files that were parsed for the search index, since the last link. */
  private readonly offered = new Map<string, LinkFacts>();
  private unsaved = false;
  private saving: NodeJS.Timeout | null = null;
  /** One state after the other: each is linked from the one before. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly session: Session,
    private readonly cache: GraphCache,
    private readonly context: WorkContext,
  ) {}

  /** Was something uncommitted when a graph was asked for last, here or in another process? */
  get isExpected(): boolean {
    return this.latest !== null || this.cache.keys('work').length > 0;
  }

  /** Keeps facts that somebody else has had parsed: they are asked for next. */
  readonly offer: FactsListener = (unit, { lines, symbols, relations }) => {
    remember(this.offered, factsKey(unit), { lines, symbols, relations }, OFFERS_KEPT);
  };

  /** The graph of a commit, named `base`, with the uncommitted files of a search in their places. */
  patch(base: string, searched: Dirty, signal?: AbortSignal): Promise<Graph> {
    const turn = this.turn.catch(() => {}).then(() => this.find(base, searched, signal));
    this.turn = turn;
    return turn;
  }

  /** Keeps the latest state for the next process. */
  save(): void {
    if (this.saving !== null) clearTimeout(this.saving);
    this.saving = null;
    if (!this.unsaved || this.latest === null) return;
    this.unsaved = false;
    const { key, graph } = this.latest;
    this.cache.write('work', key, encodeWork({ tables: graph.tables, facts: this.facts ?? new Map() }), null);
  }

  /** Forgets what it has linked, and keeps none of it. */
  forget(): void {
    if (this.saving !== null) clearTimeout(this.saving);
    this.saving = null;
    this.unsaved = false;
    this.latest = null;
    this.facts = null;
  }

  private async find(base: string, searched: Dirty, signal?: AbortSignal): Promise<Graph> {
    const { files, replaced, objects } = searched.state;
    const differing = files.map(({ path, oid, language }) => [path, oid, language]);
    const beside = readBeside(searched.state);
    const key = cacheKey(base, differing, replaced.map(({ path }) => path).sort(), beside.identity);
    if (this.latest?.key === key) return this.latest.graph;
    const known = this.read(key, base);
    const found = known ?? (await this.link({ key, base, beside }, searched, signal));
    // A file that changed while it was read is in no state that could come again.
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
    { key, base, beside }: { key: string; base: string; beside: Beside },
    searched: Dirty,
    signal?: AbortSignal,
  ): Promise<State> {
    const { linkWork } = await import('./link-work.js');
    const { graph, relinking } = await this.context.base(searched, signal);
    const own = this.latest?.base === base ? this.latest.snapshot : null;
    this.facts ??= this.readFacts();
    const { snapshot, facts } = await linkWork(this.session, {
      ...{ searched, beside, committed: graph.tables.files, surroundings: relinking.surroundings, signal },
      ...{ kept: this.facts, parsed: this.offered, parsers: () => this.context.parsers.get() },
      previous: own ?? { tables: graph.tables, memory: relinking.memory },
    });
    this.facts = facts;
    this.offered.clear();
    return { key, base, graph: new Graph(snapshot.tables), snapshot };
  }

  /** Those that an earlier process kept. */
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
