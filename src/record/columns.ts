/**
 * Columns of unsigned integers, packed as LEB128 (7 bits a byte, low bits first) into one byte string, and the numbers that stand for
 * kinds and flags in them. Values of one column are alike, and zlib compresses alike values well when they are neighbours. Only the
 * shortest form is accepted, so that equal columns are equal bytes.
 */
import { SocraticodeError } from '../base/errors.js';
import { type CodeSymbol, MAX_ARITY, PARAMETERS_END, PLAIN_CHUNK_KINDS, SYMBOL_KINDS } from '../extract/facts.js';
import { IMPORT_KINDS, REFERENCE_KINDS } from '../languages/roles/relation-facts.js';
import { type CborValue, corrupt } from './cbor.js';
import { MAX_LANGUAGES } from './format.js';

const MAX_UINT = 0xffff_ffff;
/** Bytes of the longest value: 32 bits at 7 bits a byte. */
const MAX_WIDTH = 5;

export class ColumnWriter {
  private bytes = new Uint8Array(256);
  private length = 0;

  /** Appends one column. Throws INTERNAL for a value that is not an unsigned 32-bit integer. */
  column(values: readonly number[]): void {
    this.reserve(values.length * MAX_WIDTH);
    let at = this.length;
    for (const value of values) {
      if (!Number.isInteger(value) || value < 0 || value > MAX_UINT) {
        throw new SocraticodeError('INTERNAL', `facts out of order or out of range: ${value} in a column`);
      }
      let rest = value;
      while (rest > 0x7f) {
        this.bytes[at++] = (rest & 0x7f) | 0x80;
        rest >>>= 7;
      }
      this.bytes[at++] = rest;
    }
    this.length = at;
  }

  finish(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

export class ColumnReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  /** Reads `count` values. Throws RECORD_CORRUPT at the end of the bytes or at a value that is not in shortest form. */
  column(count: number): Uint32Array {
    const { bytes } = this;
    // Every value takes at least one byte. Checked first, so that a false count allocates nothing.
    if (count > bytes.length - this.at) corrupt('column is truncated');
    const values = new Uint32Array(count);
    let at = this.at;
    for (let i = 0; i < count; i++) {
      const byte = bytes[at];
      if (byte < 0x80) {
        values[i] = byte;
        at++;
      } else {
        at = this.long(at, values, i);
      }
    }
    if (at > bytes.length) corrupt('column is truncated');
    this.at = at;
    return values;
  }

  end(): void {
    if (this.at !== this.bytes.length) corrupt('bytes after the last column');
  }

  /** Reads a value of two bytes or more at `at` into `values[i]` and returns the offset after it. */
  private long(start: number, values: Uint32Array, i: number): number {
    let at = start;
    let value = 0;
    let scale = 1;
    for (;;) {
      if (at >= this.bytes.length) corrupt('column is truncated');
      const byte = this.bytes[at++];
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (byte < 0x80) {
        if (byte === 0 || value > MAX_UINT) corrupt('column value is not in shortest form');
        values[i] = value;
        return at;
      }
      if (at - start === MAX_WIDTH) corrupt('column value is too long');
    }
  }
}

/** Maps signed to unsigned integers: 0, -1, 1, -2, 2 … become 0, 1, 2, 3, 4. */
export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

export function unzigzag(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

/** Steps between symbols: 0 for no symbol, else one more than the zigzag distance from the column's last symbol. */
export function symbolSteps(symbols: readonly number[]): number[] {
  let last = 0;
  return symbols.map((symbol) => {
    if (symbol === -1) return 0;
    const step = zigzag(symbol - last) + 1;
    last = symbol;
    return step;
  });
}

// Numbers for kinds and flags in columns. Append to the lists of kinds only at their ends: stored records hold these numbers.

/** First number of the chunk kinds that are not symbol kinds, so that both lists can grow without renumbering the other. */
export const FIRST_PLAIN_KIND = 64;

export const KIND_CODES: ReadonlyMap<string, number> = new Map<string, number>([
  ...SYMBOL_KINDS.map((kind, i): [string, number] => [kind, i]),
  ...PLAIN_CHUNK_KINDS.map((kind, i): [string, number] => [kind, FIRST_PLAIN_KIND + i]),
]);

export const IMPORT_CODES: ReadonlyMap<string, number> = new Map(IMPORT_KINDS.map((kind, i) => [kind, i]));
export const REFERENCE_CODES: ReadonlyMap<string, number> = new Map(REFERENCE_KINDS.map((kind, i) => [kind, i]));

/** Flags of a symbol. */
export const EXPORTED = 1;
export const HAS_DOC = 2;
export const FIXED = 4;
/** Flags of a symbol lie below its number of parameters + 1, which is 0 where that is not known. */
export const ARITY_UNIT = 8;

/** Marks of parameters lie above that number, which is below 16. */
const MARKS_UNIT = 16 * ARITY_UNIT;

/** Flags of the number of parameters and of their types. */
export function parameterFlags({ arity, parameters = 0 }: Pick<CodeSymbol, 'arity' | 'parameters'>): number {
  return arity === undefined ? 0 : (arity + 1) * ARITY_UNIT + parameters * MARKS_UNIT;
}

/** The reverse of `parameterFlags`, for a symbol that has neither yet. Throws RECORD_CORRUPT for more than can be written. */
export function addParameters(symbol: Pick<CodeSymbol, 'arity' | 'parameters'>, flags: number): void {
  const stated = Math.floor((flags % MARKS_UNIT) / ARITY_UNIT);
  const parameters = Math.floor(flags / MARKS_UNIT);
  if (stated > MAX_ARITY + 1 || parameters >= (stated === 0 ? 1 : PARAMETERS_END)) corrupt('parameters of a symbol');
  if (stated > 0) symbol.arity = stated - 1;
  if (stated > 0 && parameters > 0) symbol.parameters = parameters;
}

/** Flags of a reference, one for each sparse column that has a value for it. The kind is stored above them, in units of KIND_UNIT. */
export const HAS_RECEIVER = 1;
export const HAS_LITERAL = 2;
export const HAS_SPAN = 4;
export const KIND_UNIT = 8;

// The map from language id to value in a payload. One blob can be read as several languages.

/** Language ids become keys of plain objects after decoding, so `__proto__` must not match. */
const LANGUAGE_ID = /^[a-z][a-z0-9+#._-]{0,31}$/;

/** Builds the map that `readLanguages` reads, which refuses bad ids and counts. */
export function writeLanguages<T>(
  languages: Readonly<Record<string, T>>,
  write: (value: T) => CborValue,
): ReadonlyMap<string, CborValue> {
  return new Map(Object.entries(languages).map(([id, value]): [string, CborValue] => [id, write(value)]));
}

/**
 * Returns the values by language id, each made by `read` from an untrusted value. Throws RECORD_CORRUPT for anything but a map of 1 to
 * MAX_LANGUAGES ids.
 */
export function readLanguages<T>(map: unknown, read: (value: unknown) => T): Record<string, T> {
  if (!(map instanceof Map)) corrupt('the languages are not a map');
  if (map.size === 0 || map.size > MAX_LANGUAGES) corrupt(`${map.size} languages`);
  const languages: Record<string, T> = {};
  for (const [id, value] of map) {
    if (typeof id !== 'string' || !LANGUAGE_ID.test(id)) corrupt('bad language id');
    languages[id] = read(value);
  }
  return languages;
}
