/**
 * The vectors of one blob's chunks as bytes; `record-kind.ts` says what holds for them. Everything about vectors that
 * these bytes do not say (embedder, version of the text that is embedded) is part of the profile in the notes ref.
 */
import { createHash } from 'node:crypto';
import { bytesOf, corrupt, count } from './checks.js';
import { readLanguages, writeLanguages } from './languages.js';
import { HASH_BYTES, MAX_CHUNKS, MAX_DIMENSIONS, MIN_DIMENSIONS, VECTOR_FORMAT } from './limits.js';
import { decodeRecord, encodeRecord, type RecordKind } from './record-kind.js';
import type { ChunkVectors, Decoded, VectorRecord } from './types.js';

export type { ChunkVectors, VectorRecord } from './types.js';

export const VECTORS_KIND = 'vectors';

/** Size of a row's largest component. Checked, so that a direction is not written at several scales, nor as -128. */
const LARGEST = 127;

/** Throws RECORD_CORRUPT unless each row has a direction, and this is the only way to write it. */
function checkRows(rows: Int8Array, dimensions: number): void {
  for (let start = 0; start < rows.length; start += dimensions) {
    let largest = 0;
    for (let i = start; i < start + dimensions; i++) {
      const size = rows[i] < 0 ? -rows[i] : rows[i];
      if (size > largest) largest = size;
    }
    if (largest === 0) corrupt('a row of zeros has no direction');
    if (largest !== LARGEST) corrupt(`the largest component of a row is ${largest} instead of ${LARGEST}`);
  }
}

function readVectors(value: unknown, dimensions: number): ChunkVectors {
  if (!Array.isArray(value) || value.length !== 2) corrupt('vectors are not an array of two');
  const hashes = bytesOf(value[0], 'hashes');
  const bytes = bytesOf(value[1], 'rows');
  if (hashes.length % HASH_BYTES !== 0) corrupt('hashes end within a hash');
  const chunks = count(hashes.length / HASH_BYTES, MAX_CHUNKS, 'chunk count');
  if (bytes.length !== chunks * dimensions) corrupt(`${bytes.length} bytes are not ${chunks} rows of ${dimensions}`);
  const rows = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  checkRows(rows, dimensions);
  return { hashes, rows };
}

const VECTORS: RecordKind<VectorRecord> = {
  name: VECTORS_KIND,
  version: VECTOR_FORMAT,
  write: ({ dimensions, languages }) => [
    dimensions,
    writeLanguages(languages, ({ hashes, rows }) => [
      hashes,
      new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength),
    ]),
  ],
  read(payload) {
    if (!Array.isArray(payload) || payload.length !== 2) corrupt('the payload is not an array of two');
    const dimensions = count(payload[0], MAX_DIMENSIONS, 'dimensions');
    if (dimensions < MIN_DIMENSIONS) corrupt(`only ${dimensions} dimensions`);
    return { dimensions, languages: readLanguages(payload[1], (value) => readVectors(value, dimensions)) };
  },
};

/** What `hashes` holds for a chunk: the first 8 bytes of the SHA-256 of its embedded text in UTF-8. */
export function textHash(text: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(text, 'utf8').digest().subarray(0, HASH_BYTES));
}

/**
 * The vectors of blob `oid` (hex of SHA-1 or SHA-256) as bytes. Null if they exceed 1 MiB (some 4,000 chunks of 256
 * dimensions, 255 of 4096): the vectors of such a blob stay local, as if the embedder were not worth a note.
 * Throws INTERNAL for what `decodeVectorRecord` would refuse, a row of zeros among it.
 */
export function encodeVectorRecord(oid: string, record: VectorRecord): Uint8Array | null {
  return encodeRecord(VECTORS, oid, record);
}

/**
 * Reads the vectors of blob `oid`. Never throws; takes milliseconds and few megabytes whatever the bytes are. Nothing
 * says that the rows are good, nor that they are about the chunks of this blob: compare `hashes` with the texts.
 */
export function decodeVectorRecord(bytes: Uint8Array, oid: string): Decoded<VectorRecord> {
  return decodeRecord(VECTORS, bytes, oid);
}
