/**
 * Encodes the vectors of one blob's chunks; `cbor.ts` has the rules for the bytes. Everything else about the vectors (embedder, version
 * of the embedded text) is part of the profile in the name of the notes ref.
 */
import { createHash } from 'node:crypto';
import { bytesOf, corrupt, count, decodeRecord, encodeRecord, type RecordKind } from './cbor.js';
import { readLanguages, writeLanguages } from './columns.js';
import {
  type ChunkVectors,
  type Decoded,
  HASH_BYTES,
  MAX_CHUNKS,
  MAX_DIMENSIONS,
  MIN_DIMENSIONS,
  VECTOR_FORMAT,
  type VectorRecord,
} from './format.js';

export const VECTORS_KIND = 'vectors';

/**
 * Absolute value of a row's largest component. Readers check it, so that one direction has one encoding: neither another scale nor -128.
 */
const LARGEST = 127;

/** Throws RECORD_CORRUPT unless each row has a direction in its only encoding. */
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

/** Hash of a chunk's embedded text for `hashes`: the first 8 bytes of the SHA-256 of its UTF-8. */
export function textHash(text: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(text, 'utf8').digest().subarray(0, HASH_BYTES));
}

/**
 * Encodes the vectors of blob `oid` (hex of SHA-1 or SHA-256). Null if they exceed 1 MiB (some 4,000 chunks of 256 dimensions, 255 of
 * 4,096); the vectors of such a blob stay local, like those of an embedder that costs nothing. Throws INTERNAL for vectors that
 * `decodeVectorRecord` would refuse, such as a row of zeros.
 */
export function encodeVectorRecord(oid: string, record: VectorRecord): Uint8Array | null {
  return encodeRecord(VECTORS, oid, record);
}

/**
 * Decodes the vectors of blob `oid`. Never throws, and takes milliseconds and few megabytes for any input. The rows may still be wrong or
 * belong to other chunks: compare `hashes` with the texts.
 */
export function decodeVectorRecord(bytes: Uint8Array, oid: string): Decoded<VectorRecord> {
  return decodeRecord(VECTORS, bytes, oid);
}
