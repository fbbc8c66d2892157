/**
 * From an uploaded unit to the rows of a store, and from a stored payload to the input of ranking.
 *
 * A publisher uploads the text of a blob with its record, in the formats of git objects and notes. Everything else is derived
 * where the store is written: the text must hash to the blob's id, the record must pass the checks for records of strangers,
 * and no publisher can store postings or vectors that its text does not have.
 */
import { createHash } from 'node:crypto';
import type { FleetProfile, RecordRow, UnitRow } from './contract.js';
import {
  type BlobFacts,
  builtinModel,
  computeStaticVectors,
  contradiction,
  DENSE,
  decodeChunksAndSymbols,
  decodeVectorRecord,
  encodeLexical,
  inUtf8,
  isSocraticodeError,
  LexicalBuilder,
  LexicalShard,
  pathTerms,
  SocraticodeError,
  VectorShard,
  wordVector,
} from './internal.js';
import { unitKey } from './keys.js';
import {
  checked,
  damaged,
  deflated,
  inflated,
  limitsOf,
  packed,
  REBUILD,
  sealed,
  unchecked,
  unpacked,
  unsealed,
} from './sealed.js';

/** Bytes of an upload: text as deflated, record and vectors together. */
export const MAX_UNIT_BYTES = 4 << 20;
/** Bytes of a blob. `maxFileBytes` is 1 MiB unless somebody configured more. */
export const MAX_TEXT_BYTES = 4 << 20;
/** A shard of one unit has less than five times the size of its text: a short term costs more than its length. */
const MAX_SHARD_BYTES = 32 << 20;
const MAX_PAYLOAD_BYTES = 48 << 20;
/** Longer terms are left out of the search row: nobody types them, and the engine would cut them. */
const MAX_TERM = 80;
/** Weight of the path's words in the search row: a file's name says what it is about. */
const NAME_WORDS = 3;
const FORMAT = 2;

/** One file content as it is uploaded. */
export interface UnitUpload {
  /** Hex id of the blob, SHA-1 or SHA-256. */
  oid: string;
  language: string;
  /** One of its paths: its words go into the search row. */
  path: string;
  /** Syntax record, as in notes. */
  record: Uint8Array;
  /** `deflateRaw` of the blob. */
  text: Uint8Array;
  /** Vector record, as in notes; empty for the built-in model, whose vectors follow from the text. */
  vectors: Uint8Array;
}

/** Place and rules for storing units. */
export interface UnitPlace {
  profile: FleetProfile;
  /** Family id. */
  family: string;
  /** False leaves the text out: answers then have no excerpts. */
  keepsText: boolean;
  /** Seconds since 1970. */
  now: number;
}

export interface StoredUnit {
  unit: UnitRow;
  record: RecordRow;
}

/** Throws FLEET_BAD_UNIT for an upload that is no true unit. */
export function makeUnit(upload: UnitUpload, place: UnitPlace): StoredUnit {
  const { oid, language, path } = upload;
  const { profile, family } = place;
  if (upload.text.length + upload.record.length + upload.vectors.length > MAX_UNIT_BYTES) bad(oid, 'is too large');
  const stored = textOf(upload);
  const text = inUtf8(stored);
  const key = unitKey(family, oid, language);
  const builder = new LexicalBuilder(oid.length / 2);
  builder.add(oid, language, factsOf(upload, text), text);
  const file = encodeLexical(builder.finish());
  const kept = text === stored ? upload.text : deflated(text);
  const lexical = new LexicalShard(file, key);
  const vectors = vectorsOf(upload, lexical, profile);
  const payload = sealed([FORMAT, packed(file), vectors.dimensions, bytesOf(vectors.rows), presentOf(vectors)]);
  return {
    unit: { key, family, ...searchRow({ lexical, vectors }, path, profile) },
    record: {
      key,
      family,
      oid,
      payload,
      text: place.keepsText ? checked(kept) : new Uint8Array(0),
      addedAt: place.now,
    },
  };
}

function bad(oid: string, why: string): never {
  throw new SocraticodeError('FLEET_BAD_UNIT', `the unit of blob ${oid.slice(0, 12)} ${why}`);
}

function textOf({ oid, text }: UnitUpload): Buffer {
  let blob: Buffer;
  try {
    blob = inflated(text, MAX_TEXT_BYTES, 'the text');
  } catch {
    bad(oid, 'has a text that is not deflated, or too long');
  }
  const hash = createHash(oid.length === 64 ? 'sha256' : 'sha1');
  if (hash.update(`blob ${blob.length}\0`).update(blob).digest('hex') !== oid) bad(oid, 'has the text of another blob');
  return blob;
}

function factsOf({ oid, language, record }: UnitUpload, text: Uint8Array): BlobFacts {
  const decoded = decodeChunksAndSymbols(record, oid);
  if (!decoded.ok) bad(oid, `has a record that is ${decoded.reason}`);
  const wrong = contradiction(decoded.record, text);
  if (wrong !== null) bad(oid, `has a record with ${wrong}`);
  const facts = 'skip' in decoded.record ? undefined : ownOf(decoded.record.facts, language);
  return facts ?? bad(oid, `has no chunks as ${language}`);
}

function ownOf<T>(record: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function vectorsOf(
  { oid, language, vectors }: UnitUpload,
  lexical: LexicalShard,
  { content, dimensions }: FleetProfile,
): VectorShard {
  if (content === dimensions) return computeStaticVectors(lexical);
  const count = lexical.meta.documents;
  if (vectors.length === 0) {
    return new VectorShard({
      dimensions: content,
      rows: new Int8Array(count * content),
      present: new Uint8Array(count),
    });
  }
  const decoded = decodeVectorRecord(vectors, oid);
  const own = decoded.ok ? ownOf(decoded.record.languages, language) : undefined;
  if (!decoded.ok || own === undefined || own.rows.length !== count * content) bad(oid, 'has vectors of other chunks');
  return new VectorShard({ dimensions: content, rows: own.rows });
}

/** The part of a search row that follows from a unit and one of its paths. A rebuild makes it again from the record alone. */
export function searchRow(
  { lexical, vectors }: OpenedUnit,
  path: string,
  profile: FleetProfile,
): Pick<UnitRow, 'terms' | 'vector'> {
  return { terms: searchTerms(lexical, path), vector: fileVector(vectors, path, profile) };
}

/**
 * Marks a term in the search row, once for each definition with this name: in a repository whose documents use a name 700
 * times, the file that defines it is not among the best 200 by the term alone. No other term contains the mark.
 */
export const definedAs = (term: string): string => `=${term}`;

/** Terms of the search row: those of the chunks as often as they occur, marked names of their definitions, and words of the path. */
function searchTerms(shard: LexicalShard, path: string): string {
  const words: string[] = [];
  const add = (term: string, times: number) => {
    if (term.length <= MAX_TERM) for (let i = 0; i < times; i++) words.push(term);
  };
  for (let i = 0; i < shard.terms.length; i++) {
    let times = 0;
    let definitions = 0;
    shard.eachPosting(i, (_, body, name) => {
      times += body + name;
      definitions += name;
    });
    add(shard.terms.at(i), times);
    add(definedAs(shard.terms.at(i)), definitions);
  }
  const { stem, directories } = pathTerms(path);
  for (const term of stem) add(term, NAME_WORDS);
  for (const term of directories) add(term, 1);
  return words.join(' ');
}

/** Mean of the first chunks' unit vectors and the path's, of length 1: `denseFile` of the ranking. Zeros if the model knows nothing. */
function fileVector(vectors: VectorShard, path: string, { content, dimensions }: FleetProfile): Float32Array {
  const sum = new Float32Array(dimensions);
  const count = Math.min(vectors.count, DENSE.fileChunks);
  for (let row = 0; row < count; row++) {
    const factor = 1 / (count * (Math.sqrt(vectors.squares[row]) || 1));
    for (let i = 0; i < content; i++) sum[i] += factor * vectors.rows[row * content + i];
  }
  const { words, directories } = pathTerms(path);
  const named = wordVector(
    builtinModel(),
    [...words, ...directories].map((term) => [term, 1] as const),
    DENSE.path,
  );
  const pathAt = dimensions - named.length;
  for (let i = 0; i < named.length; i++) sum[pathAt + i] += named[i];
  const scale = 1 / (Math.hypot(...sum) || 1);
  return sum.map((x) => x * scale);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Int8Array) => new Uint8Array(buffer, byteOffset, byteLength);

/** One byte a row, 0 for a row without a vector; empty if all rows have one. */
const presentOf = ({ present }: VectorShard) => present ?? new Uint8Array(0);

/** Input of ranking from one unit: a shard with this unit alone, and a row for each of its documents. */
export interface OpenedUnit {
  lexical: LexicalShard;
  vectors: VectorShard;
}

/** Opens a stored payload. Throws FLEET_STORE if it is damaged. */
export function openPayload(key: string, payload: Uint8Array): OpenedUnit {
  const what = `the record of unit ${key}`;
  const value = unsealed(payload, what, limitsOf(MAX_PAYLOAD_BYTES));
  if (!Array.isArray(value) || value.length !== 5 || value[0] !== FORMAT) damaged(what);
  const [, file, dimensions, rows, present] = value as [number, Uint8Array, number, Uint8Array, Uint8Array];
  const lexical = shardOf(unpacked(file, MAX_SHARD_BYTES, what), key, what);
  const columns = { dimensions, rows: new Int8Array(rows.buffer, rows.byteOffset, rows.length) };
  return { lexical, vectors: new VectorShard({ ...columns, present: present.length > 0 ? present : null }) };
}

function shardOf(file: Buffer, key: string, what: string): LexicalShard {
  try {
    return new LexicalShard(file, key);
  } catch (cause) {
    if (!isSocraticodeError(cause, 'SHARD_CORRUPT')) throw cause;
    throw new SocraticodeError('FLEET_STORE', `${what} is damaged, or another version wrote it`, {
      hint: REBUILD,
      cause,
    });
  }
}

/**
 * Bytes of a stored text, in a buffer of their own size, since a server caches them: zlib's buffer keeps 16 kB in memory for a
 * text of 3. Null if the fleet stores no texts. Throws FLEET_STORE.
 */
export function openText(key: string, text: Uint8Array): Buffer | null {
  if (text.length === 0) return null;
  const what = `the text of unit ${key}`;
  return Buffer.from(new Uint8Array(inflated(unchecked(text, what), MAX_TEXT_BYTES, what)).buffer);
}
