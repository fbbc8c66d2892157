/** What the shards hold of a snapshot: the numbers behind coverage, `status` and the index report. */
import type { LexicalShard } from '../../shard/lexical.js';
import { lookUpUnit, type UnitLookup } from '../../shard/live.js';
import type { Manifest } from '../../shard/manifest.js';
import type { Scope } from '../session.js';

export interface UnitCounts {
  /** Files that have documents. */
  files: number;
  chunks: number;
  skipped: Record<string, number>;
  degraded: Record<string, number>;
  /** Files that no shard knows yet, without those that cannot be read. */
  missing: number;
  unreadableBlobs: number;
}

const SKIP_STATES = new Set<string>(['binary', 'lfs-pointer', 'secret', 'too-large']);

/** Does a unit stand for a file that can be searched? */
export function isSearchable({ state, size }: Pick<UnitLookup, 'state' | 'size'>, maxFileBytes: number): boolean {
  return !(state !== null && SKIP_STATES.has(state)) && size <= maxFileBytes;
}

/** What the shards hold for each file of a scope. */
export function countUnits(scope: Scope, shards: readonly LexicalShard[], manifest: Manifest): UnitCounts {
  const counts: UnitCounts = {
    files: 0,
    chunks: 0,
    skipped: { ...scope.catalog.skipped },
    degraded: {},
    missing: 0,
    unreadableBlobs: 0,
  };
  const unreadable = new Set(manifest.unreadable);
  const seen = new Set<string>();
  const add = (group: Record<string, number>, key: string) => {
    group[key] = (group[key] ?? 0) + 1;
  };
  for (const file of scope.catalog.files) {
    const unit = lookUpUnit(shards, file);
    const first = !seen.has(file.oid);
    seen.add(file.oid);
    if (unit === null) {
      if (!unreadable.has(file.oid)) counts.missing++;
      else add(counts.skipped, 'unreadable');
      if (first && unreadable.has(file.oid)) counts.unreadableBlobs++;
    } else if (unit.state !== null && SKIP_STATES.has(unit.state)) add(counts.skipped, unit.state);
    else if (unit.size > scope.config.maxFileBytes) add(counts.skipped, 'too-large');
    else {
      counts.files++;
      if (unit.state !== null) add(counts.degraded, unit.state);
      if (first) counts.chunks += shards[unit.shard].unitDocuments[unit.unit];
    }
  }
  return counts;
}

/** Coverage as answers state it: what cannot be read counts as not covered. */
export function coverageOf(counts: UnitCounts): { covered: number; total: number } {
  return { covered: counts.files, total: counts.files + counts.missing + (counts.skipped.unreadable ?? 0) };
}
