/**
 * How often terms occur in the views of a question, for BM25F over candidates alone. Counts are summed over the views that the
 * reader may see, so that no score tells of a repository that he may not.
 */

import { remember } from '../../base/remember.js';
import type { Collection } from '../../search/bm25.js';
import type { FleetEngine } from '../contract.js';
import { viewKey } from '../keys.js';
import { decodeStats, type ViewStats } from '../view.js';
import type { LiveView } from './views.js';

/** Views that are counted: a sample of a fleet ranks like the whole (docs/design). Their keys are hashes, so the first are a random sample. */
const SAMPLE = 64;
/** Views whose counts stay in memory; 8 bytes a term, about 0.4 MB of a repository. */
const KEPT = 256;

interface TermCounts extends Omit<ViewStats, 'df'> {
  /** Hashes of terms in ascending order, and how many chunks have each: a collision changes one term's weight. */
  hashes: Uint32Array;
  counts: Uint32Array;
}

export interface Statistics extends Collection {
  averages: ViewStats['averages'];
}

export class FleetStatistics {
  private readonly known = new Map<string, TermCounts>();

  constructor(private readonly engine: Pick<FleetEngine, 'readViews'>) {}

  /** Throws FLEET_STORE if statistics cannot be read. */
  async of(views: readonly LiveView[]): Promise<Statistics> {
    const sample = [...views].sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, SAMPLE);
    const missing = sample.filter((view) => !this.known.has(nameOf(view)));
    if (missing.length > 0) await this.load(missing);
    const counted = sample.flatMap((view) => this.touch(nameOf(view)));
    return sumOf(counted);
  }

  private touch(name: string): TermCounts[] {
    const counts = this.known.get(name);
    if (counts === undefined) return [];
    remember(this.known, name, counts, KEPT);
    return [counts];
  }

  private async load(views: readonly LiveView[]): Promise<void> {
    const read = await this.engine.readViews({ parts: 'stats', keys: views.map(({ key }) => key) });
    const rows = new Map((read?.views ?? []).map((row) => [viewKey(row.repo, row.ref), row]));
    for (const view of views) {
      const row = rows.get(view.key);
      // A view that moved meanwhile has counts that are as good for this question.
      if (row !== undefined && row.commit !== '')
        remember(this.known, nameOf(view), packed(decodeStats(row.stats)), KEPT);
    }
  }
}

const nameOf = ({ key, commit }: LiveView) => `${key}${commit}`;

function packed({ df, ...rest }: ViewStats): TermCounts {
  const all = [...df].map(([term, count]) => [hashOf(term), count] as const).sort((a, b) => a[0] - b[0]);
  return {
    ...rest,
    hashes: Uint32Array.from(all, ([hash]) => hash),
    counts: Uint32Array.from(all, ([, count]) => count),
  };
}

/** FNV-1a over UTF-16 units. */
function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

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
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hashes[middle] < hash) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === hash ? counts[low] : 0;
}
