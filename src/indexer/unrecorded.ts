/**
 * Blobs that the shards know and the notes do not: `compact` dropped their records, or somebody deleted the notes. The
 * manifest remembers them, so that their records are written again when a snapshot has them again.
 */
import type { LexicalShard } from '../shard/lexical.js';
import type { CompleteSnapshot, Manifest } from '../shard/manifest.js';
import { needsRecord } from './plan.js';

/** Beyond, the notes are listed in every run. */
const MAX_UNRECORDED = 100_000;

/** What a manifest says about the notes. */
export type NotesKnown = Pick<Manifest, 'notes' | 'unrecorded' | 'complete'>;

/**
 * After a run. `hasRecord` is null where the notes held all that the manifest says; `tried` are the blobs of the run, whose
 * records are written now.
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
  // Which of the other snapshots have such blobs, nobody has looked.
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
