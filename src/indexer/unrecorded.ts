/**
 * Tracks blobs that are in the shards but not in the notes, because `compact` dropped their records or a person deleted
 * the notes. The manifest remembers them, so that their records are written again when a snapshot contains them again.
 */
import type { LexicalShard } from '../shard/lexical.js';
import type { CompleteSnapshot, Manifest } from '../shard/manifest.js';
import { needsRecord } from './plan.js';

/** Number of such blobs that a manifest lists. With more, every run lists the notes instead. */
const MAX_UNRECORDED = 100_000;

/** The manifest's knowledge of the notes. */
export type NotesKnown = Pick<Manifest, 'notes' | 'unrecorded' | 'complete'>;

/**
 * Updates that knowledge after a run. `hasRecord` is null if the notes still held everything that the manifest claims.
 * `tried` are the blobs of the run, whose records have now been written.
 */
export function notesKnown(
  manifest: Manifest,
  shards: readonly LexicalShard[],
  run: { tip: string | null; tried: ReadonlySet<string>; hasRecord: ((oid: string) => boolean) | null },
): NotesKnown {
  const { tip, tried, hasRecord } = run;
  const lacking = hasRecord === null ? (manifest.unrecorded ?? []) : findUnrecorded(shards, hasRecord);
  const unrecorded = lacking.filter((oid) => !tried.has(oid));
  const isMore = hasRecord !== null && unrecorded.length > 0;
  // Other snapshots may contain such blobs, and nothing has checked which: none counts as complete any more.
  const complete: CompleteSnapshot[] = isMore ? [] : manifest.complete;
  if (unrecorded.length > MAX_UNRECORDED) return { notes: null, unrecorded: [], complete };
  return { notes: tip, unrecorded, complete };
}

function findUnrecorded(shards: readonly LexicalShard[], hasRecord: (oid: string) => boolean): string[] {
  const found = new Set<string>();
  for (const shard of shards) {
    for (let unit = 0; unit < shard.meta.units; unit++) {
      if (!needsRecord(shard.unitState(unit))) continue;
      const oid = shard.unitOid(unit);
      if (!hasRecord(oid)) found.add(oid);
    }
  }
  return [...found].sort();
}
