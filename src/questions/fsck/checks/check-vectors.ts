/** Vector records against the syntax records that they are about. What a provider answered is not asked again. */
import { embeddedText } from '../../../indexer/embedded-text.js';
import { hashKey, keyAt } from '../../../indexer/vector-units.js';
import { decodeChunksAndSymbols } from '../../../record/codec.js';
import { MAX_BLOB_BYTES, MAX_RECORD_BYTES } from '../../../record/limits.js';
import { decodeVectorRecord } from '../../../record/vector-codec.js';
import { chunkFields } from '../../../shard/document.js';
import { type Check, placeOf } from '../check.js';
import { type Sample, sampleOf } from '../rederive.js';
import { type CheckedNotes, reject } from './check-notes.js';
import { readNotes } from './note-reader.js';

/** Both are notes of the profiles in use: is there a row for each chunk? */
export function checkVectorShapes(check: Check, vectors: CheckedNotes, syntax: CheckedNotes): void {
  for (const [oid, shape] of [...vectors.shapes]) {
    const chunks = syntax.shapes.get(oid);
    if (chunks === undefined) continue;
    const wrong = [...(shape ?? [])].find(([language, rows]) => chunks?.get(language) !== rows);
    if (wrong === undefined) continue;
    const [language, rows] = wrong;
    const message = `${rows} vectors of ${oid.slice(0, 12)} as ${language}, which has ${chunks?.get(language) ?? 0} chunks`;
    check.findings.add('vectors-shape', vectors.ref, message, placeOf(check, oid));
    reject(vectors, oid, null);
  }
}

/** Are the vectors about the texts that the chunks have? Returns how many records were compared. */
export async function compareTexts(
  check: Check,
  vectors: CheckedNotes,
  syntax: CheckedNotes,
  sample: Sample,
): Promise<number> {
  const chosen = sampleOf(
    [...vectors.shapes.keys()].filter((oid) => syntax.shapes.has(oid)),
    sample,
  );
  const { objects } = check;
  const rows = readNotes(chosen, objects, (oid) => vectors.good.get(oid) as string, MAX_RECORD_BYTES);
  const facts = readNotes(chosen, objects, (oid) => syntax.good.get(oid) as string, MAX_RECORD_BYTES);
  const blobs = readNotes(chosen, objects, (oid) => oid, MAX_BLOB_BYTES);
  let compared = 0;
  for (const oid of chosen) {
    check.signal?.throwIfAborted();
    const [vector, record, blob] = [(await rows.next()).value, (await facts.next()).value, (await blobs.next()).value];
    if (!vector?.content || !record?.content || !blob?.content) continue;
    compared++;
    if (isAbout(check, oid, vector.content, record.content, blob.content)) continue;
    const message = `the vectors of ${oid.slice(0, 12)} are about other texts than its chunks`;
    check.findings.add('vectors-text', vectors.ref, message, placeOf(check, oid));
    reject(vectors, oid, null);
  }
  return compared;
}

function isAbout(check: Check, oid: string, vector: Buffer, record: Buffer, bytes: Buffer): boolean {
  const rows = decodeVectorRecord(vector, oid);
  const syntax = decodeChunksAndSymbols(record, oid);
  if (!rows.ok || !syntax.ok || !('facts' in syntax.record)) return false;
  const { facts } = syntax.record;
  return Object.entries(rows.record.languages).every(([language, { hashes }]) => {
    const own = facts[language];
    if (own === undefined) return false;
    const fields = chunkFields(bytes, own);
    return own.chunks.every(({ start, end }, i) => {
      const symbol = fields[i].symbol === '' ? null : fields[i].symbol;
      const text = embeddedText(symbol, bytes.toString('utf8', start, end), check.vectors.maxCharacters);
      return keyAt(hashes, i) === hashKey(text);
    });
  });
}
