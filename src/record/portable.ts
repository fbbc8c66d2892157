/**
 * Records as files, for places that drop notes. A file holds the records of one kind and profile whose blob ids begin
 * alike; it is a sequence of CBOR items (`portable-file` in `schemas/record.cddl`): a header, then the records, each in a
 * byte string, by blob id. Nothing is compressed: git does that better, since it finds what versions have in common.
 * Every record is checked as one from a note is, so the file itself needs no checksum.
 */

import { encodeCanonical } from './cbor.js';
import { corrupt } from './checks.js';
import { aboutBlob } from './envelope.js';
import { MAX_RECORD_BYTES } from './limits.js';

export const PORTABLE_VERSION = 1;
const MAGIC = 'gsc-records';

/** The largest file that is read: with the most records there can be, of provider vectors, it has about 6 MiB. */
export const MAX_PORTABLE_BYTES = 32 << 20;

/** Up to how many records the ids' first digit, or first two, tell the files apart: some ten to hundred records each. */
const FILES_BY_DIGITS = [
  { digits: 1, records: 2_000 },
  { digits: 2, records: 60_000 },
  { digits: 3, records: Number.POSITIVE_INFINITY },
];

export interface PortableRecord {
  /** The blob it is about. */
  oid: string;
  bytes: Uint8Array;
}

/** Records by the name of their file, `<first digits>.cbor`; the same records give the same names. */
export function byFile(records: readonly PortableRecord[]): Map<string, PortableRecord[]> {
  const { digits } = FILES_BY_DIGITS.find((row) => records.length <= row.records) as (typeof FILES_BY_DIGITS)[number];
  const files = new Map<string, PortableRecord[]>();
  for (const record of records) {
    const name = `${record.oid.slice(0, digits)}.cbor`;
    const file = files.get(name);
    if (file === undefined) files.set(name, [record]);
    else file.push(record);
  }
  return files;
}

/** Is it a name that `byFile` gives? */
export function isPortableName(name: string): boolean {
  return /^[0-9a-f]{1,3}\.cbor$/.test(name);
}

/** The bytes of one file; the order of `records` does not matter. */
export function encodePortable(kind: string, records: readonly PortableRecord[]): Uint8Array {
  const sorted = [...records].sort((a, b) => (a.oid < b.oid ? -1 : 1));
  const items = sorted.map(({ bytes }) => encodeCanonical(bytes));
  return Buffer.concat([encodeCanonical([MAGIC, PORTABLE_VERSION, kind]), ...items]);
}

export interface PortableContent {
  records: PortableRecord[];
  /** Items that are no records, a broken end included. */
  bad: number;
}

/**
 * What an untrusted file holds: every item that says which blob it is about. What the items say is for the codec of the
 * kind to check. Throws RECORD_CORRUPT for what is no such file of this kind, or of a newer version.
 */
export function decodePortable(kind: string, file: Uint8Array): PortableContent {
  if (file.length > MAX_PORTABLE_BYTES) corrupt(`${file.length} bytes of records`);
  const header = encodeCanonical([MAGIC, PORTABLE_VERSION, kind]);
  if (Buffer.compare(file.subarray(0, header.length), header) !== 0) corrupt(`no file of ${kind} records`);
  const content: PortableContent = { records: [], bad: 0 };
  let at = header.length;
  while (at < file.length) {
    const item = byteString(file, at);
    if (item === null) return { ...content, bad: content.bad + 1 };
    const bytes = file.subarray(item.start, item.end);
    const oid = bytes.length > MAX_RECORD_BYTES ? null : aboutBlob(bytes);
    if (oid === null) content.bad++;
    else content.records.push({ oid, bytes });
    at = item.end;
  }
  return content;
}

/** Bytes that say how long a byte string is, by the low five bits of its first byte. */
const LENGTH_BYTES: Readonly<Record<number, number>> = { 24: 1, 25: 2, 26: 4 };
const BYTE_STRING = 2;

/** Where the content of the byte string at an offset is; null if none is there or it is cut short. */
function byteString(file: Uint8Array, at: number): { start: number; end: number } | null {
  const low = file[at] & 0x1f;
  const extra = low < 24 ? 0 : LENGTH_BYTES[low];
  if (file[at] >> 5 !== BYTE_STRING || extra === undefined) return null;
  const start = at + 1 + extra;
  let length = extra === 0 ? low : 0;
  for (let i = at + 1; i < start; i++) length = length * 256 + (file[i] ?? 0);
  return start + length <= file.length ? { start, end: start + length } : null;
}
