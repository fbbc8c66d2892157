/**
 * The published views in memory: the units of each repository at each ref. Every question reads them from here and costs no
 * access to the store. When a question comes and the views are half a second old, they are compared with the store: in parallel
 * at first, before the answer when they are too old.
 */
import type { FleetEngine, ViewRow } from '../contract.js';
import { log } from '../internal.js';
import { KEY_BYTES, keyBytes, keyOf, viewKey } from '../keys.js';
import { decodeFacts, type ViewFacts } from '../view.js';

/** Milliseconds for which the views need no check, and after which a question waits for one: in a bucket it takes 30. */
const FRESH_MS = 500;
const LATE_MS = 1_500;
/** Views whose files are read from the store in one request. */
const READ_AT_ONCE = 64;

/** One published ref with its files. */
export interface LiveView extends Omit<ViewRow, 'facts' | 'stats' | 'links' | 'previous' | 'tree'> {
  key: string;
  facts: ViewFacts;
  /** Number of the file with this unit, or -1. */
  find(unit: string): number;
}

/** The views of one moment. */
export interface ViewSet {
  /** By repository, in the order of names; each has at least one view. */
  repositories: ReadonlyMap<string, readonly LiveView[]>;
  /** Repositories with a view whose bytes are damaged. */
  damaged: ReadonlySet<string>;
}

const EMPTY: ViewSet = { repositories: new Map(), damaged: new Set() };

export class FleetViews {
  private version: string | undefined;
  private readonly live = new Map<string, LiveView | Damaged>();
  private current = EMPTY;
  private checkedAt = Number.NEGATIVE_INFINITY;
  private checking: Promise<ViewSet> | null = null;
  /** Calls of `expire`: all of them, and those before the last check began. */
  private expired = 0;
  private seen = 0;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(
    private readonly engine: Pick<FleetEngine, 'readViews'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The views as they were at most a second and a half ago. Throws FLEET_STORE. */
  async fresh(): Promise<ViewSet> {
    const age = this.now() - this.checkedAt;
    if (age < FRESH_MS) return this.current;
    const { expired } = this;
    this.checking ??= this.refresh().finally(() => {
      this.checking = null;
    });
    if (age < LATE_MS) {
      // The error returns when a question waits for the check.
      this.checking.catch(() => {});
      return this.current;
    }
    const set = await this.checking;
    // The running check may have begun before a publication that the caller knows of.
    return this.seen < expired ? this.fresh() : set;
  }

  /** Has the next question compare the views with the store. */
  expire(): void {
    this.expired++;
    this.checkedAt = Number.NEGATIVE_INFINITY;
  }

  private async refresh(): Promise<ViewSet> {
    const startedAt = this.now();
    const { expired } = this;
    const heads = await this.engine.readViews({
      parts: 'heads',
      ...(this.version !== undefined && { since: this.version }),
    });
    if (heads !== null) {
      await this.take(heads.views);
      this.version = heads.version;
    }
    this.seen = expired;
    if (expired === this.expired) this.checkedAt = startedAt;
    return this.current;
  }

  private async take(heads: readonly ViewRow[]): Promise<void> {
    const published = new Map(
      heads.filter(({ commit }) => commit !== '').map((head) => [viewKey(head.repo, head.ref), head]),
    );
    for (const key of this.live.keys()) if (!published.has(key)) this.live.delete(key);
    const changed = [...published].filter(([key, head]) => !isSame(this.live.get(key), head)).map(([key]) => key);
    for (let from = 0; from < changed.length; from += READ_AT_ONCE) {
      const keys = changed.slice(from, from + READ_AT_ONCE);
      const read = await this.engine.readViews({ parts: 'facts', keys });
      // Views that were deleted between the two reads.
      for (const key of keys) this.live.delete(key);
      for (const row of read?.views ?? [])
        if (row.commit !== '') this.live.set(viewKey(row.repo, row.ref), liveView(row));
    }
    this.current = setOf(this.live.values());
  }
}

/** A view whose facts cannot be read, until it is published again. */
type Damaged = Pick<ViewRow, 'repo' | 'ref' | 'commit' | 'publishedAt' | 'isDefault'> & { facts: null };

function isSame(known: LiveView | Damaged | undefined, head: ViewRow): boolean {
  return known?.commit === head.commit && known.publishedAt === head.publishedAt && known.isDefault === head.isDefault;
}

function liveView(row: ViewRow): LiveView | Damaged {
  const { repo, ref, family, commit, publishedAt, covered, total, isDefault } = row;
  try {
    const facts = decodeFacts(row.facts);
    const find = finder(facts);
    return { key: viewKey(repo, ref), repo, ref, family, commit, publishedAt, covered, total, isDefault, facts, find };
  } catch (error) {
    log.warn(`fleet: ${(error as Error).message}`);
    return { repo, ref, commit, publishedAt, isDefault, facts: null };
  }
}

/** Looks units up in a table of 8 bytes a file. Keys are hashes, so their first bytes are a good hash. */
function finder({ keys, length }: Pick<ViewFacts, 'keys' | 'length'>): LiveView['find'] {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, 2 * length)));
  const table = new Uint32Array(size);
  const view = new DataView(keys.buffer, keys.byteOffset, keys.byteLength);
  for (let file = 0; file < length; file++) {
    let at = view.getUint32(file * KEY_BYTES) & (size - 1);
    while (table[at] !== 0) at = (at + 1) & (size - 1);
    table[at] = file + 1;
  }
  return (unit) => {
    let at = keyBytes(unit).readUInt32BE(0) & (size - 1);
    for (; table[at] !== 0; at = (at + 1) & (size - 1)) if (keyOf(keys, table[at] - 1) === unit) return table[at] - 1;
    return -1;
  };
}

function setOf(views: Iterable<LiveView | Damaged>): ViewSet {
  const repositories = new Map<string, LiveView[]>();
  const damaged = new Set<string>();
  const sorted = [...views].sort((a, b) => order(a.repo, b.repo) || order(a.ref, b.ref));
  for (const view of sorted) {
    if (view.facts === null) damaged.add(view.repo);
    else repositories.set(view.repo, [...(repositories.get(view.repo) ?? []), view]);
  }
  return { repositories, damaged };
}

const order = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
