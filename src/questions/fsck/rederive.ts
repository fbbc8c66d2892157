/** Derives records again, the way that indexing does, and compares them byte by byte. */
import type { Progress } from '../../base/progress.js';
import { type DerivedBlob, deriveBlobs } from '../../indexer/derive.js';
import type { ParserPool } from '../../indexer/parser-pool.js';
import type { PlannedBlob } from '../../indexer/plan.js';
import { blobOid } from '../../overlay/work-file.js';
import { MAX_BLOB_BYTES } from '../../record/limits.js';
import { type Check, placeOf } from './check.js';
import { type CheckedNotes, reject } from './checks/check-notes.js';
import type { FsckReport } from './output.js';

export type Rederived = NonNullable<FsckReport['rederived']>;

/** How many: a number of records spread over all, or every one. */
export type Sample = number | 'all';

/** Blob ids are random numbers: every n-th of them in order is as good a choice as any, and always the same one. */
export function sampleOf(oids: readonly string[], sample: Sample): string[] {
  const sorted = [...oids].sort();
  if (sample === 'all' || sample >= sorted.length) return sorted;
  return Array.from({ length: sample }, (_, i) => sorted[Math.floor((i * sorted.length) / sample)]);
}

/** Languages as a record has them; where it says why the blob is not indexed, no language matters. */
export function plannedBlob(check: Check, oid: string, languages: readonly string[] | null): PlannedBlob {
  const place = check.headFiles.get(oid);
  const named = languages !== null && languages.length > 0 ? [...languages] : (place?.languages ?? [null]);
  return { oid, languages: named, path: place?.path ?? '', sharded: false };
}

/** Records of blobs, as `deriveBlobs` gives them; no note is asked, and none of the settings that choose files. */
export function deriveAgain(
  check: Check,
  blobs: readonly PlannedBlob[],
  pool: ParserPool,
): AsyncGenerator<DerivedBlob> {
  return deriveBlobs(blobs, {
    ...{ objects: check.objects, store: { read: async () => null }, pool, signal: check.signal },
    ...{ maxFileBytes: MAX_BLOB_BYTES, onBadRecord: () => {}, relations: true },
  });
}

/** Rejects those of the good notes that a derivation contradicts. `notes` are syntax records of our own. */
export async function rederive(
  check: Check,
  notes: CheckedNotes,
  { sample, pool, progress }: { sample: Sample; pool: ParserPool; progress: Progress },
): Promise<Rederived> {
  const oids = [...notes.shapes.keys()];
  const report: Rederived = { of: oids.length, equal: 0, different: 0, notComparable: {}, vectorsCompared: 0 };
  const chosen = sampleOf(oids, sample);
  const blobs = chosen.map((oid) => plannedBlob(check, oid, [...(notes.shapes.get(oid)?.keys() ?? [])]));
  let done = 0;
  for await (const derived of deriveAgain(check, blobs, pool)) {
    compare(check, notes, derived, report);
    progress.update(++done, blobs.length);
  }
  return report;
}

function compare(check: Check, notes: CheckedNotes, derived: DerivedBlob, report: Rederived): void {
  const { oid, note, bytes, units } = derived;
  const reason = bytes === null ? 'not-here' : degradedReason(derived);
  if (reason !== null || note === null) {
    const key = reason ?? 'not-derived';
    report.notComparable[key] = (report.notComparable[key] ?? 0) + 1;
    return;
  }
  // Equal bytes have equal names.
  if (blobOid(note, check.session.repository.objectFormat) === notes.good.get(oid)) {
    report.equal++;
    return;
  }
  report.different++;
  const languages = [...(notes.shapes.get(oid)?.keys() ?? [])];
  const as = languages.length === 0 ? units[0]?.language : languages.join(', ');
  const message = `the record of ${oid.slice(0, 12)} (${as}) is not what this blob gives`;
  check.findings.add('note-differs', notes.ref, message, placeOf(check, oid));
  reject(notes, oid, languages.length === 0 ? null : languages);
}

/** Why the blob could not be parsed on this machine: then nothing can be said of its record. */
function degradedReason({ units }: DerivedBlob): string | null {
  const state = units.find((unit) => unit.facts !== null && unit.state !== undefined)?.state;
  if (state !== undefined) return state;
  return units.some((unit) => unit.state === 'too-large') ? 'too-large' : null;
}
