/**
 * Canonical CBOR, the envelope around the payload of every record, and the rules that all kinds share. One value has one encoding (RFC
 * 8949 section 4.2.1), so that two machines write the same record. cbor-x writes shortest heads and definite lengths with the options
 * below but keeps the order of keys, so keys are sorted here. Its pure JavaScript entry is imported, not the one that loads a native
 * helper, since without it it imports in half the time.
 */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { Encoder } from 'cbor-x/encode';
import { SocraticodeError } from '../base/errors.js';
import { type Decoded, type DecodeFault, MAX_RECORD_BYTES, RECORD_LIMITS } from './format.js';

/** Values that can be encoded. Plain objects are written as maps with text keys; decoding gives Maps. */
export type CborValue =
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | readonly CborValue[]
  | ReadonlyMap<string | number, CborValue>
  | { readonly [key: string]: CborValue };

const OPTIONS = {
  useRecords: false,
  mapsAsObjects: false,
  tagUint8Array: false,
  variableMapSize: true,
  structuredClone: false,
  pack: false,
};
const encoder = new Encoder(OPTIONS);

const MAX_DEPTH = 16;
const MAX_UINT = 0xffff_ffff;
const LONE_SURROGATE = /\p{Surrogate}/u;
const BYTE_ORDER_MARK = '\ufeff';

function refuse(what: string): never {
  throw new SocraticodeError('INTERNAL', `cannot encode as canonical CBOR: ${what}`);
}

/** Returns whether `text` has no lone surrogate, so that UTF-8 can hold it. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

function checkText(text: string): string {
  if (!isWellFormed(text)) refuse('text with a lone surrogate');
  if (text.startsWith(BYTE_ORDER_MARK)) refuse('text that starts with a byte order mark');
  return text;
}

/** Orders keys as their encodings are ordered: unsigned integers by value, then text by UTF-8 length, then bytewise. */
function compareKeys(a: string | number, b: string | number): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  if (typeof b === 'number') return 1;
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length - right.length || Buffer.compare(left, right);
}

function canonicalMap(entries: Array<[string | number, CborValue]>, depth: number): Map<string | number, unknown> {
  for (const [key] of entries) {
    if (typeof key === 'string') checkText(key);
    else if (!Number.isInteger(key) || key < 0 || key > MAX_UINT) refuse(`the map key ${key}`);
  }
  entries.sort((a, b) => compareKeys(a[0], b[0]));
  return new Map(entries.map(([key, value]) => [key, canonical(value, depth)]));
}

/** Copies `value` into a form that cbor-x writes canonically. */
function canonical(value: CborValue, depth: number): unknown {
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || value > MAX_UINT || value < -1 - MAX_UINT) refuse(`the number ${value}`);
    return value + 0;
  }
  if (typeof value === 'string') return checkText(value);
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object') refuse(`a ${typeof value}`);
  if (value instanceof Uint8Array) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (depth >= MAX_DEPTH) refuse(`more than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return value.map((item) => canonical(item, depth + 1));
  if (value instanceof Map) return canonicalMap([...value], depth + 1);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) refuse('an object of a class');
  return canonicalMap(Object.entries(value), depth + 1);
}

/**
 * Returns the only encoding of `value`, in bytes of its own. Throws INTERNAL for floats, integers beyond 32 bits, undefined, class
 * instances, lone surrogates, text that starts with a byte order mark, and more than 16 levels.
 */
export function encodeCanonical(value: CborValue): Uint8Array {
  return new Uint8Array(encoder.encode(canonical(value, 0)));
}

// One pass over untrusted bytes decodes what a record holds and refuses everything else: a strict subset of RFC 8949 section 4.2.1 with
// integers of at most 32 bits, byte and text strings, arrays, maps with sorted unique keys, false, true and null, each in its only
// encoding. cbor-x decodes tags, records, packed tables and bignums whatever its options are, and some of those take minutes or all memory.

/** Limits of one CBOR item: bytes, nesting, items in total, entries of one array or map, bytes of one string. */
export interface CborLimits {
  maxBytes: number;
  maxDepth: number;
  maxItems: number;
  maxEntries: number;
  maxString: number;
}

/**
 * Decodes exactly one item of the subset: maps become Maps, byte strings become Uint8Arrays of their own. Throws RECORD_CORRUPT with the
 * first fault and its byte offset. Limits bound the time and the memory for any input.
 */
export function decodeCanonical(bytes: Uint8Array, limits: CborLimits): unknown {
  return new CborReader(bytes, limits).read();
}

const MAJOR_BYTES = 2;
const MAJOR_TEXT = 3;
const MAJOR_ARRAY = 4;
const MAJOR_MAP = 5;
const MAJOR_TAG = 6;
const MAJOR_SIMPLE = 7;
/** Heads below this one are integers of one byte. Arrays of numbers consist mostly of those, so they have a fast path. */
const SMALL_INTEGERS = 24;
const SIMPLE_VALUES: ReadonlyMap<number, boolean | null> = new Map([
  [0xf4, false],
  [0xf5, true],
  [0xf6, null],
]);

class CborReader {
  private readonly bytes: Buffer;
  private at = 0;
  private items = 0;

  constructor(
    { buffer, byteOffset, byteLength }: Uint8Array,
    private readonly limits: CborLimits,
  ) {
    this.bytes = Buffer.from(buffer, byteOffset, byteLength);
  }

  read(): unknown {
    const { maxBytes } = this.limits;
    if (this.bytes.length > maxBytes) this.fail('too large', maxBytes);
    const value = this.item(0);
    if (this.at < this.bytes.length) this.fail('trailing bytes', this.at);
    return value;
  }

  private fail(reason: string, offset: number): never {
    corrupt(`CBOR: ${reason} at byte ${offset}`);
  }

  private item(depth: number): unknown {
    const start = this.at;
    if (start >= this.bytes.length) this.fail('truncated', start);
    if (++this.items > this.limits.maxItems) this.fail('too many items', start);
    const head = this.bytes[start];
    if (head < SMALL_INTEGERS) {
      this.at++;
      return head;
    }
    const major = head >> 5;
    if (major === MAJOR_TAG) this.fail('tag', start);
    if (major === MAJOR_SIMPLE) return this.simple(head, start);
    const argument = this.argument(head & 0x1f, start);
    if (major === MAJOR_BYTES || major === MAJOR_TEXT) return this.string(major, argument, start);
    if (major === MAJOR_ARRAY || major === MAJOR_MAP) return this.container(major, argument, depth, start);
    return major === 0 ? argument : -1 - argument;
  }

  private simple(head: number, start: number): boolean | null {
    const value = SIMPLE_VALUES.get(head);
    if (value === undefined) this.fail('float or simple value', start);
    this.at++;
    return value;
  }

  /** Reads the argument of the head at `start`, of which `info` is the lower part, in its shortest form. */
  private argument(info: number, start: number): number {
    this.at = start + 1;
    if (info < SMALL_INTEGERS) return info;
    if (info === 27) this.fail('64-bit integer', start);
    if (info > 27) this.fail('indefinite length or reserved head', start);
    const width = 1 << (info - SMALL_INTEGERS);
    if (this.at + width > this.bytes.length) this.fail('truncated', start);
    const value = this.bytes.readUIntBE(this.at, width);
    if (value < (width === 1 ? SMALL_INTEGERS : 2 ** (4 * width))) this.fail('not the shortest form', start);
    this.at += width;
    return value;
  }

  private string(major: number, length: number, start: number): string | Uint8Array {
    const { at, bytes } = this;
    if (length > bytes.length - at) this.fail('string longer than the input', start);
    if (length > this.limits.maxString) this.fail('string too long', start);
    const end = at + length;
    this.at = end;
    if (major === MAJOR_BYTES) return new Uint8Array(bytes.subarray(at, end));
    // No record has such text: the encoder refuses it, since many decoders drop the mark.
    if (length >= 3 && bytes.readUIntBE(at, 3) === 0xefbbbf) this.fail('byte order mark', start);
    if (!isUtf8(bytes.subarray(at, end))) this.fail('text is not UTF-8', start);
    return bytes.toString('utf8', at, end);
  }

  /** Reads an array or map of so many entries, of which each takes at least one byte or two, so that no length allocates by itself. */
  private container(major: number, entries: number, depth: number, start: number): unknown {
    const { maxDepth, maxEntries } = this.limits;
    if (depth >= maxDepth) this.fail('nested too deeply', start);
    if (entries > maxEntries) this.fail('too many entries', start);
    const items = major === MAJOR_MAP ? entries * 2 : entries;
    if (items > this.bytes.length - this.at) this.fail('more entries than the input has bytes', start);
    if (major === MAJOR_MAP) return this.map(entries, depth + 1);
    const values: unknown[] = [];
    for (let i = 0; i < entries; i++) values.push(this.item(depth + 1));
    return values;
  }

  private map(entries: number, depth: number): Map<unknown, unknown> {
    const values = new Map<unknown, unknown>();
    let former: Buffer | null = null;
    for (let i = 0; i < entries; i++) {
      const start = this.at;
      const major = this.bytes[start] >> 5;
      if (major !== 0 && major !== MAJOR_TEXT) this.fail('map key is neither text nor unsigned', start);
      const value = this.item(depth);
      const key = this.bytes.subarray(start, this.at);
      const order: number = former === null ? -1 : former.compare(key);
      if (order >= 0) this.fail(order > 0 ? 'map keys out of order' : 'duplicate map key', start);
      former = key;
      values.set(value, this.item(depth));
    }
    return values;
  }
}

// Checks of untrusted decoded values, for the payloads of all kinds. Each of them throws RECORD_CORRUPT.

export function corrupt(what: string): never {
  throw new SocraticodeError('RECORD_CORRUPT', what);
}

/** Returns a number from 0 to `limit`. Decoding has already checked that it is an integer. */
export function count(value: unknown, limit: number, what: string): number {
  if (typeof value !== 'number' || value < 0 || value > limit) corrupt(`${what} is not a number up to ${limit}`);
  return value;
}

export function bytesOf(value: unknown, what: string): Uint8Array {
  return value instanceof Uint8Array ? value : corrupt(`${what} are not a byte string`);
}

// The envelope. Magic and version come first, at fixed offsets, so that they are readable before anything else is decoded; the kind, the
// id of the blob and a checksum follow. The checksum detects damage, not malice: anybody who can write a note can compute it, so payloads
// are validated anyway.

const MAGIC = 'gsc';
/** Encoding of an array of six whose first item is the text "gsc". */
const MAGIC_BYTES = Uint8Array.of(0x86, 0x63, 0x67, 0x73, 0x63);
/** CBOR head of an empty text, and the longest text whose head is one byte. */
const TEXT_HEAD = 0x60;
const MAX_KIND_LENGTH = 23;
const CHECKSUM_BYTES = 8;
const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

type Opened = { ok: true; payload: Uint8Array } | { ok: false; reason: DecodeFault; detail: string };

function fault(reason: DecodeFault, detail: string): Opened & { ok: false } {
  return { ok: false, reason, detail };
}

function checksum(payload: Uint8Array): Uint8Array {
  return createHash('sha256').update(payload).digest().subarray(0, CHECKSUM_BYTES);
}

/** Makes `payload` a record of `kind` about blob `oid` (hex); null if it exceeds 1 MiB. Throws INTERNAL for a bad oid. */
export function seal(kind: string, version: number, oid: string, payload: Uint8Array): Uint8Array | null {
  if (!OID.test(oid)) throw new SocraticodeError('INTERNAL', `not a blob id: ${oid}`);
  const bytes = encodeCanonical([MAGIC, version, kind, Buffer.from(oid, 'hex'), checksum(payload), payload]);
  return bytes.length > MAX_RECORD_BYTES ? null : bytes;
}

/** Version at its fixed offset; -1 if the bytes there are no small integer. */
function readVersion(bytes: Uint8Array): number {
  const first = bytes[MAGIC_BYTES.length] ?? 0xff;
  if (first < 24) return first;
  return first === 0x18 ? (bytes[MAGIC_BYTES.length + 1] ?? -1) : -1;
}

/**
 * Returns whether these are the first bytes of a record of another kind. Versions are counted per kind, so the kind is compared first.
 */
function isOfAnotherKind(bytes: Uint8Array, kind: string): boolean {
  const at = MAGIC_BYTES.length + (bytes[MAGIC_BYTES.length] < 24 ? 1 : 2);
  const length = bytes[at] - TEXT_HEAD;
  if (!(length >= 0 && length <= MAX_KIND_LENGTH)) return false;
  return Buffer.from(bytes.subarray(at + 1, at + 1 + length)).toString('latin1') !== kind;
}

/** Returns the id of the blob that a record claims to describe; null if the bytes are no envelope. `open` has to check the rest. */
export function aboutBlob(bytes: Uint8Array): string | null {
  if (bytes.length > MAX_RECORD_BYTES || MAGIC_BYTES.some((byte, i) => bytes[i] !== byte)) return null;
  try {
    const about = (decodeCanonical(bytes, RECORD_LIMITS) as unknown[])[3];
    const oid = about instanceof Uint8Array ? Buffer.from(about).toString('hex') : '';
    return OID.test(oid) ? oid : null;
  } catch {
    return null;
  }
}

/** Checks everything around the payload, for the version that this program writes. Never throws. */
export function open(kind: string, version: number, oid: string, bytes: Uint8Array): Opened {
  const start = checkStart(kind, bytes);
  if (!start.ok) return start;
  if (start.version > version) return fault('too-new', `version ${start.version}, this program reads ${version}`);
  if (start.version < version) return fault('outdated', `version ${start.version}, this program writes ${version}`);
  return openWhole(kind, oid, bytes);
}

/** Checks everything around the payload of a record of any version, even one that this program does not know. Never throws. */
export function openAnyVersion(kind: string, oid: string, bytes: Uint8Array): Opened {
  const start = checkStart(kind, bytes);
  return start.ok ? openWhole(kind, oid, bytes) : start;
}

/** Checks size, magic, version and kind without decoding anything. */
function checkStart(kind: string, bytes: Uint8Array): { ok: true; version: number } | (Opened & { ok: false }) {
  if (bytes.length > MAX_RECORD_BYTES) return fault('too-large', `${bytes.length} bytes`);
  if (MAGIC_BYTES.some((byte, i) => bytes[i] !== byte)) return fault('not-a-record', 'no magic');
  const version = readVersion(bytes);
  if (version < 0) return fault('malformed', 'no version');
  if (isOfAnotherKind(bytes, kind)) return fault('not-a-record', `not a ${kind} record`);
  return { ok: true, version };
}

function openWhole(kind: string, oid: string, bytes: Uint8Array): Opened {
  try {
    return openFields(kind, oid, decodeCanonical(bytes, RECORD_LIMITS) as unknown[]);
  } catch (error) {
    return fault('malformed', error instanceof Error ? error.message : String(error));
  }
}

function openFields(kind: string, oid: string, fields: unknown[]): Opened {
  const [, , foundKind, foundOid, sum, payload] = fields;
  if (foundKind !== kind) return fault('not-a-record', `not a ${kind} record`);
  if (!(foundOid instanceof Uint8Array) || !(sum instanceof Uint8Array) || !(payload instanceof Uint8Array)) {
    return fault('malformed', 'blob id, checksum or payload is not a byte string');
  }
  const about = Buffer.from(foundOid).toString('hex');
  if (!OID.test(about)) return fault('malformed', 'the blob id has a wrong length');
  if (about !== oid) return fault('wrong-blob', `the record is about ${about}`);
  if (Buffer.compare(checksum(payload), sum) !== 0) return fault('checksum', 'the payload is damaged');
  return { ok: true, payload };
}

// Each kind of record has its own payload in the common envelope, a reader that trusts nothing, and a writer that reads its own output.
// The same record gives the same bytes on every machine, and each byte sequence that decodes is the only encoding of its record.

export interface RecordKind<T> {
  readonly name: string;
  /** Version of the payload's format, counted per kind. */
  readonly version: number;
  /** Builds the payload of a record. Throws INTERNAL for values that it cannot hold; `read` refuses everything else. */
  write(record: T): CborValue;
  /** Reads the record of an untrusted payload. Throws RECORD_CORRUPT for anything that `write` cannot have written. */
  read(payload: unknown): T;
}

/**
 * Encodes the record of blob `oid` without reading it back, for callers whose reader decodes it before trusting it. Null if it exceeds 1
 * MiB.
 */
export function sealRecord<T>(kind: RecordKind<T>, oid: string, record: T): Uint8Array | null {
  return seal(kind.name, kind.version, oid, encodeCanonical(kind.write(record)));
}

/**
 * Encodes the record of blob `oid` (hex of SHA-1 or SHA-256); null if it exceeds 1 MiB. Throws INTERNAL for a record that `decodeRecord`
 * would refuse, so that a writer's bug never reaches the notes of a repository.
 */
export function encodeRecord<T>(kind: RecordKind<T>, oid: string, record: T): Uint8Array | null {
  const bytes = sealRecord(kind, oid, record);
  if (bytes === null) return null;
  const check = decodeRecord(kind, bytes, oid);
  if (!check.ok)
    throw new SocraticodeError('INTERNAL', `the record of ${oid} would be ${check.reason}: ${check.detail}`);
  return bytes;
}

/** Decodes the record of blob `oid`. Never throws, and takes milliseconds and few megabytes for any input. */
export function decodeRecord<T>(kind: RecordKind<T>, bytes: Uint8Array, oid: string): Decoded<T> {
  const opened = open(kind.name, kind.version, oid, bytes);
  if (!opened.ok) return opened;
  try {
    return { ok: true, record: kind.read(decodeCanonical(opened.payload, RECORD_LIMITS)) };
  } catch (error) {
    return { ok: false, reason: 'malformed', detail: error instanceof Error ? error.message : String(error) };
  }
}
