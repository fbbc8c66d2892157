/**
 * Frequencies of terms in the views of a question, for BM25F over candidates alone. Counts are summed over the views that the
 * reader may see, so that no score tells of another repository.
 */
import type { FleetEngine } from '../contract.js';
import { type Collection, indexIn } from '../internal.js';
import { viewKey } from '../keys.js';
import { readStats, type ViewStats } from '../view.js';
import { ByteCache } from './byte-cache.js';
import type { LiveView } from './views.js';

/** Views in the sample, which ranks like the whole fleet (docs/design). Keys are hashes, so the first views are a random sample. */
const SAMPLE = 64;
/** Bytes of cached counts: 8 a term, 0.4 MB for most repositories and 10 MB for a large one. */
const CACHE_BYTES = 64 << 20;
/** Bytes of an entry beside its counts. */
const OVERHEAD = 500;

interface TermCounts extends Omit<ViewStats, 'df'> {
  /** Hashes of terms in ascending order, and the chunks that have each. A collision changes the weight of one term. */
  hashes: Uint32Array;
  counts: Uint32Array;
}

export interface Statistics extends Collection {
  averages: ViewStats['averages'];
}

export class FleetStatistics {
  private readonly known: ByteCache<TermCounts>;

  constructor(
    private readonly engine: Pick<FleetEngine, 'readViews'>,
    keptBytes = CACHE_BYTES,
  ) {
    this.known = new ByteCache(keptBytes);
  }

  /** Throws FLEET_STORE if statistics cannot be read. */
  async of(views: readonly LiveView[]): Promise<Statistics> {
    const sample = [...views].sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, SAMPLE);
    const known = sample.map((view) => this.known.get(nameOf(view)));
    const missing = sample.filter((_, i) => known[i] === undefined);
    const read = missing.length > 0 ? await this.load(missing) : new Map<string, TermCounts>();
    return sumOf(sample.flatMap(({ key }, i) => known[i] ?? read.get(key) ?? []));
  }

  private async load(views: readonly LiveView[]): Promise<Map<string, TermCounts>> {
    const found = await this.engine.readViews({ parts: 'stats', keys: views.map(({ key }) => key) });
    const rows = new Map((found?.views ?? []).map((row) => [viewKey(row.repo, row.ref), row]));
    const read = new Map<string, TermCounts>();
    for (const view of views) {
      const row = rows.get(view.key);
      // A view that moved meanwhile has counts that serve this question as well.
      if (row === undefined || row.commit === '') continue;
      const counts = countsOf(row.stats);
      this.known.set(nameOf(view), counts, 8 * counts.hashes.length + OVERHEAD);
      read.set(view.key, counts);
    }
    return read;
  }
}

const nameOf = ({ key, commit }: LiveView) => `${key}${commit}`;

/** Largest count; a larger one counts as this: more chunks than any repository has, and it fits in a number beside a hash. */
const MOST = 2 ** 21 - 1;

function countsOf(bytes: Uint8Array): TermCounts {
  const pairs: number[] = [];
  // Hashes of the prefixes of a term, some of which the next term shares.
  const begun: number[] = [FNV_BASIS];
  const about = readStats(bytes, ({ bytes: term, length, shared }, count) => {
    for (let i = shared; i < length; i++) begun[i + 1] = hashed(begun[i], term[i]);
    pairs.push(begun[length] * (MOST + 1) + Math.min(MOST, count));
  });
  const sorted = Float64Array.from(pairs).sort();
  return {
    ...about,
    hashes: Uint32Array.from(sorted, (pair) => Math.floor(pair / (MOST + 1))),
    counts: Uint32Array.from(sorted, (pair) => pair % (MOST + 1)),
  };
}

/** FNV-1a over UTF-8. */
const FNV_BASIS = 0x811c9dc5;
const hashed = (hash: number, byte: number) => Math.imul(hash ^ byte, 0x01000193) >>> 0;
const hashOf = (term: string): number => Buffer.from(term).reduce(hashed, FNV_BASIS);

function sumOf(parts: readonly TermCounts[]): Statistics {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const average = (name: keyof ViewStats['averages']) =>
    parts.reduce((sum, part) => sum + part.averages[name] * part.count, 0) / Math.max(1, count);
  const averages = {
    body: average('body'),
    name: average('name'),
    enclosing: average('enclosing'),
    path: average('path'),
  };
  return { count, averages, df: (term) => parts.reduce((sum, part) => sum + countOf(part, hashOf(term)), 0) };
}

function countOf({ hashes, counts }: TermCounts, hash: number): number {
  return counts[indexIn(hashes, hash)] ?? 0;
}
