/**
 * Canonical CBOR: one value has one encoding (RFC 8949 section 4.2.1), so that two machines write the same record.
 * cbor-x writes shortest heads and definite lengths with the options below but keeps the order of keys, so keys are
 * sorted here. Its pure JavaScript entry is imported, not the one that loads a native helper: fetched bytes are
 * untrusted, and without the helper it imports in half the time.
 */
import { Decoder } from 'cbor-x/decode';
import { Encoder } from 'cbor-x/encode';
import { SocraticodeError } from '../base/errors.js';
import { type CborLimits, prescan } from './prescan.js';

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
  copyBuffers: true,
};
const encoder = new Encoder(OPTIONS);
const decoder = new Decoder(OPTIONS);

const MAX_DEPTH = 16;
const MAX_UINT = 0xffff_ffff;
const LONE_SURROGATE = /\p{Surrogate}/u;
const BYTE_ORDER_MARK = '\ufeff';

function refuse(what: string): never {
  throw new SocraticodeError('INTERNAL', `cannot encode as canonical CBOR: ${what}`);
}

/** True if `text` has no lone surrogate, so that UTF-8 can hold it. */
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
 * Returns the only encoding of `value`, in bytes of its own. Throws INTERNAL for floats, integers beyond 32 bits,
 * undefined, class instances, lone surrogates, text that starts with a byte order mark, and more than 16 levels.
 */
export function encodeCanonical(value: CborValue): Uint8Array {
  return new Uint8Array(encoder.encode(canonical(value, 0)));
}

/**
 * Decodes bytes that `prescan` accepts: maps become Maps, byte strings become Uint8Arrays of their own. Throws
 * RECORD_CORRUPT with the first fault and its byte offset, before the decoder runs.
 */
export function decodeCanonical(bytes: Uint8Array, limits: CborLimits): unknown {
  const fault = prescan(bytes, limits);
  if (fault !== null) throw new SocraticodeError('RECORD_CORRUPT', `CBOR: ${fault.reason} at byte ${fault.offset}`);
  return decoder.decode(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
