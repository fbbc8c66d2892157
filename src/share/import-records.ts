/** Imports exported records into the notes. The files are untrusted, so every record is checked. */
import { SocraticodeError } from '../base/errors.js';
import type { NoteEntry } from '../git/notes.js';
import type { ObjectReader } from '../git/objects.js';
import { decodePortable, type PortableRecord } from '../record/portable.js';
import type { RecordStore } from '../record/store.js';
import type { ExportSource, RecordSet } from './export-source.js';

export interface Imported {
  files: number;
  /** Records that were written to the notes. */
  added: number;
  /** Records that the notes already had. */
  known: number;
  /** Records of blobs that this repository does not have. */
  foreign: number;
  /** Files and items that are not valid records of this kind. */
  bad: number;
}

/** Record store of one kind and profile. */
type ImportStore = Pick<RecordStore<unknown>, 'load' | 'has' | 'accepts' | 'write'>;

const BATCH_RECORDS = 1_000;
const BATCH_BYTES = 4 << 20;

/** Imports one record set into the notes. Throws GIT_FAILED or DISK; batches written before are kept. */
export async function importRecordSet(
  place: ExportSource,
  recordSet: RecordSet,
  { store, objects, signal }: { store: ImportStore; objects: ObjectReader; signal?: AbortSignal },
): Promise<Imported> {
  const { files, refused } = await place.files(recordSet);
  const imported: Imported = { files: files.length, added: 0, known: 0, foreign: 0, bad: refused };
  if (files.length === 0) return imported;
  await store.load();
  const taken = new Set<string>();
  let batch: NoteEntry[] = [];
  let bytes = 0;
  const flush = async () => {
    await store.write(batch);
    imported.added += batch.length;
    [batch, bytes] = [[], 0];
  };
  for (const file of files) {
    if (signal?.aborted) throw new SocraticodeError('CANCELLED', 'cancelled');
    const { records, bad } = readRecords(recordSet.kind, await file.read());
    imported.bad += bad;
    const here = await Promise.all(records.map(async ({ oid }) => (await objects.info(oid))?.type === 'blob'));
    for (const [i, { oid, bytes: note }] of records.entries()) {
      if (taken.has(oid) || store.has(oid)) imported.known++;
      else if (!here[i]) imported.foreign++;
      else if (!store.accepts(note, oid)) imported.bad++;
      else {
        taken.add(oid);
        batch.push({ target: oid, note });
        bytes += note.length;
      }
    }
    if (batch.length >= BATCH_RECORDS || bytes >= BATCH_BYTES) await flush();
  }
  if (batch.length > 0) await flush();
  return imported;
}

function readRecords(kind: string, file: Uint8Array | null): { records: PortableRecord[]; bad: number } {
  if (file === null) return { records: [], bad: 1 };
  try {
    return decodePortable(kind, file);
  } catch {
    return { records: [], bad: 1 };
  }
}
