/**
 * One pass over raw CBOR that refuses everything a record never holds, before any decoder sees it. cbor-x decodes
 * tags, records, packed tables and bignums whatever its options are, and some of those take minutes or all memory.
 * What is left is a strict subset of RFC 8949 section 4.2.1: integers of at most 32 bits, byte and text strings,
 * arrays, maps with sorted unique keys, false, true and null, each in its only encoding.
 */

/** Limits of one CBOR item: bytes, nesting, items in total, entries of one array or map, bytes of one string. */
export interface CborLimits {
  maxBytes: number;
  maxDepth: number;
  maxItems: number;
  maxEntries: number;
  maxString: number;
}

interface CborFault {
  /** Description of the fault, in words for a log line. */
  reason: string;
  /** Byte offset of the fault. */
  offset: number;
}

const MAJOR_BYTES = 2;
const MAJOR_TEXT = 3;
const MAJOR_ARRAY = 4;
const MAJOR_MAP = 5;
const MAJOR_TAG = 6;
const MAJOR_SIMPLE = 7;
/** Heads below this one are integers of one byte. An array of numbers holds mostly those, so they have a fast path. */
const SMALL_INTEGERS = 24;
const FALSE_HEAD = 0xf4;
const NULL_HEAD = 0xf6;

/** Largest depth limit. The stacks below are allocated once for it, so that a scan allocates nothing. */
const HARD_DEPTH = 64;
const left = new Uint32Array(HARD_DEPTH + 1);
const isMap = new Uint8Array(HARD_DEPTH + 1);
const keyStart = new Uint32Array(HARD_DEPTH + 1);
const keyEnd = new Uint32Array(HARD_DEPTH + 1);

/**
 * Results of `readHead`: the argument of the head, and the offset behind it. A negative `next` is an index into
 * HEAD_FAULTS.
 */
let argument = 0;
let next = 0;
const HEAD_FAULTS = ['', 'truncated', 'indefinite length or reserved head', '64-bit integer', 'not the shortest form'];
const TRUNCATED = -1;
const INDEFINITE = -2;
const WIDE = -3;
const LONG_FORM = -4;

/** Reads the head at `at` into `argument` and `next`. */
function readHead(bytes: Uint8Array, at: number): void {
  const info = bytes[at] & 0x1f;
  if (info < 24) {
    argument = info;
    next = at + 1;
    return;
  }
  const width = info === 24 ? 1 : info === 25 ? 2 : info === 26 ? 4 : 0;
  if (width === 0) {
    next = info === 27 ? WIDE : INDEFINITE;
  } else if (at + 1 + width > bytes.length) {
    next = TRUNCATED;
  } else {
    argument = 0;
    for (let i = 1; i <= width; i++) argument = argument * 256 + bytes[at + i];
    const smallest = width === 1 ? 24 : width === 2 ? 0x100 : 0x10000;
    next = argument < smallest ? LONG_FORM : at + 1 + width;
  }
}

/** True for well-formed UTF-8 (no overlong forms, no surrogates) in `bytes[start, end)`. */
export function isUtf8Range(bytes: Uint8Array, start: number, end: number): boolean {
  let i = start;
  while (i < end) {
    const lead = bytes[i++];
    if (lead < 0x80) continue;
    const more =
      lead >= 0xc2 && lead < 0xe0 ? 1 : lead >= 0xe0 && lead < 0xf0 ? 2 : lead >= 0xf0 && lead < 0xf5 ? 3 : 0;
    if (more === 0 || i + more > end) return false;
    const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (bytes[i] < low || bytes[i] > high) return false;
    for (let k = 1; k < more; k++) if ((bytes[i + k] & 0xc0) !== 0x80) return false;
    i += more;
  }
  return true;
}

/** Describes the fault of a string of `argument` bytes at `at`; null if it is well formed. */
function stringFault(bytes: Uint8Array, major: number, at: number, limits: CborLimits): string | null {
  if (argument > bytes.length - at) return 'string longer than the input';
  if (argument > limits.maxString) return 'string too long';
  if (major === MAJOR_BYTES) return null;
  // cbor-x drops a leading byte order mark from long strings, so such text would not survive a round trip.
  if (argument >= 3 && bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf) return 'byte order mark';
  return isUtf8Range(bytes, at, at + argument) ? null : 'text is not UTF-8';
}

/**
 * Describes the fault of an array or map of `argument` entries whose content starts at `at`; null if it is well formed.
 */
function containerFault(
  bytes: Uint8Array,
  major: number,
  at: number,
  depth: number,
  limits: CborLimits,
): string | null {
  if (depth >= Math.min(limits.maxDepth, HARD_DEPTH)) return 'nested too deeply';
  if (argument > limits.maxEntries) return 'too many entries';
  const items = major === MAJOR_MAP ? argument * 2 : argument;
  return items > bytes.length - at ? 'more entries than the input has bytes' : null;
}

/**
 * Describes the fault of the key at [start, end) of the map at `depth`, or returns null and remembers the key for the
 * next one.
 */
function keyFault(bytes: Uint8Array, depth: number, start: number, end: number): string | null {
  const previousEnd = keyEnd[depth];
  let a = keyStart[depth];
  let b = start;
  keyStart[depth] = start;
  keyEnd[depth] = end;
  if (a === previousEnd) return null;
  while (a < previousEnd && b < end) {
    const difference = bytes[a++] - bytes[b++];
    if (difference < 0) return null;
    if (difference > 0) return 'map keys out of order';
  }
  return 'duplicate map key';
}

/** Returns null if `bytes` are exactly one item of the subset within `limits`, else the first fault. Never throws. */
export function prescan(bytes: Uint8Array, limits: CborLimits): CborFault | null {
  if (bytes.length > limits.maxBytes) return { reason: 'too large', offset: limits.maxBytes };
  let at = 0;
  let items = 0;
  let depth = 0;
  left[0] = 1;
  for (;;) {
    while (left[depth] === 0) {
      if (depth === 0) return at === bytes.length ? null : { reason: 'trailing bytes', offset: at };
      depth--;
    }
    const start = at;
    if (at >= bytes.length) return { reason: 'truncated', offset: at };
    if (++items > limits.maxItems) return { reason: 'too many items', offset: at };
    if (bytes[at] < SMALL_INTEGERS && isMap[depth] === 0) {
      left[depth]--;
      at++;
      continue;
    }
    const major = bytes[at] >> 5;
    if (major === MAJOR_TAG) return { reason: 'tag', offset: at };
    if (major === MAJOR_SIMPLE && (bytes[at] < FALSE_HEAD || bytes[at] > NULL_HEAD)) {
      return { reason: 'float or simple value', offset: at };
    }
    readHead(bytes, at);
    if (next < 0) return { reason: HEAD_FAULTS[-next], offset: at };
    at = next;
    const isKey = isMap[depth] === 1 && (left[depth] & 1) === 0;
    if (isKey && major !== 0 && major !== MAJOR_TEXT)
      return { reason: 'map key is neither text nor unsigned', offset: start };
    left[depth]--;
    let reason: string | null = null;
    if (major === MAJOR_BYTES || major === MAJOR_TEXT) {
      reason = stringFault(bytes, major, at, limits);
      at += argument;
    } else if (major === MAJOR_ARRAY || major === MAJOR_MAP) {
      reason = containerFault(bytes, major, at, depth, limits);
      depth++;
      left[depth] = major === MAJOR_MAP ? argument * 2 : argument;
      isMap[depth] = major === MAJOR_MAP ? 1 : 0;
      keyStart[depth] = 0;
      keyEnd[depth] = 0;
    }
    if (reason === null && isKey) reason = keyFault(bytes, depth, start, at);
    if (reason !== null) return { reason, offset: start };
  }
}
