/** Reads and writes columns and strings of cached graphs in a container file. Everything that is read is checked. */
import { SocraticodeError } from '../../base/errors.js';
import { Sections } from '../../base/sections.js';

export function corrupt(name: string, what: string): never {
  throw new SocraticodeError('SHARD_CORRUPT', `${name}: ${what}`);
}

/** Runs a reader, and reports any error in it as a damaged file. */
export function reading<M, T>(bytes: Buffer, magic: string, name: string, read: (sections: Sections<M>) => T): T {
  try {
    return read(new Sections<M>(bytes, magic, name));
  } catch (cause) {
    if (cause instanceof SocraticodeError) throw cause;
    throw new SocraticodeError('SHARD_CORRUPT', `${name} is damaged`, { cause });
  }
}

export function unsigned(values: Int32Array): Uint32Array {
  return new Uint32Array(values.buffer, values.byteOffset, values.length);
}

export function signed(values: Uint32Array): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset, values.length);
}

/** Makes two sections: the text of all strings, and the length of each in UTF-16 units. */
export function stringSections(prefix: string, strings: readonly string[]): Record<string, Uint8Array | Uint32Array> {
  return {
    [`${prefix}Lengths`]: Uint32Array.from(strings, (text) => text.length),
    [`${prefix}Text`]: Buffer.from(strings.join('')),
  };
}

export function readStrings(sections: Sections<unknown>, prefix: string, name: string): string[] {
  const lengths = sections.u32(`${prefix}Lengths`);
  // Decoding all strings at once and slicing takes a tenth of the time of decoding each.
  const text = sections.bytes(`${prefix}Text`).toString('utf8');
  const strings: string[] = new Array(lengths.length);
  let at = 0;
  for (let i = 0; i < lengths.length; i++) {
    strings[i] = text.slice(at, at + lengths[i]);
    at += lengths[i];
  }
  if (at !== text.length) corrupt(name, 'strings of the wrong length');
  return strings;
}

/** Checks that every value is below `limit`. */
export function below(values: Uint8Array | Uint16Array | Uint32Array, limit: number, name: string): void {
  const isBelow =
    values instanceof Uint32Array
      ? areWordsBelow(values, limit)
      : values instanceof Uint8Array
        ? areBytesBelow(values, limit)
        : values.every((value) => value < limit);
  if (!isBelow) corrupt(name, 'an index out of range');
}

/** A loop for arrays of one width runs several times as fast as one for all, and these columns have millions of values. */
function areWordsBelow(values: Uint32Array, limit: number): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] >= limit) return false;
  return true;
}

function areBytesBelow(values: Uint8Array, limit: number): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] >= limit) return false;
  return true;
}

/** Checks the bases of lists: ascending from 0 to `end`, one more value than lists. */
export function bases(values: Uint32Array, lists: number, end: number, name: string): void {
  if (values.length !== lists + 1 || values[0] !== 0 || values[lists] !== end)
    corrupt(name, 'lists of the wrong length');
  for (let i = 0; i < lists; i++) if (values[i] > values[i + 1]) corrupt(name, 'lists out of order');
}

export function sameLength(name: string, length: number, ...columns: readonly ArrayLike<number>[]): void {
  for (const column of columns) if (column.length !== length) corrupt(name, 'columns of different lengths');
}
