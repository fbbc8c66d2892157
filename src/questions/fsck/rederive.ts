/** Derives records again, the way that indexing does, and compares them byte by byte. */
import type { Progress } from '../../base/progress.js';
import type { DerivedBlob } from '../../indexer/derive.js';
import { compareAgain, deriveAgain } from '../../indexer/derive-again.js';
import type { ParserPool } from '../../indexer/parser-pool.js';
import type { PlannedBlob } from '../../indexer/plan.js';
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
  const { oid, units } = derived;
  const found = compareAgain(derived, notes.good.get(oid), check.session.repository.objectFormat);
  if (found.isEqual === null) {
    report.notComparable[found.why] = (report.notComparable[found.why] ?? 0) + 1;
    return;
  }
  if (found.isEqual) {
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
