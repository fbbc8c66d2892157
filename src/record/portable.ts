/**
 * Records as files, for hosts that drop notes. One file has the records of one kind and profile whose blob ids begin with the same
 * digits. It is a sequence of CBOR items (`portable-file` in `schemas/record.cddl`): a header, then each record in a byte string, in the
 * order of blob ids. Nothing is compressed, because git does that better: it finds the bytes that versions have in common. The file needs
 * no checksum, because every record is checked as one from a note is.
 */
import { groupBy } from '../base/lists.js';
import { aboutBlob, corrupt, encodeCanonical } from './cbor.js';

const PORTABLE_VERSION = 1;
const MAGIC = 'gsc-records';

/** Bytes of the largest file that is read. The largest possible one, of provider vectors, has about 6 MiB. */
export const MAX_PORTABLE_BYTES = 32 << 20;

/** File names have one digit up to 2,000 records, two up to 60,000, and three beyond, so that a file has some ten to hundred records. */
const FILES_BY_DIGITS = [
  { digits: 1, records: 2_000 },
  { digits: 2, records: 60_000 },
  { digits: 3, records: Number.POSITIVE_INFINITY },
];

export interface PortableRecord {
  /** Id of the blob that the record describes. */
  oid: string;
  bytes: Uint8Array;
}

/** Groups records by the name of their file, `<first digits>.cbor`. The same records always give the same names. */
export function byFile(records: readonly PortableRecord[]): Map<string, PortableRecord[]> {
  const { digits } = FILES_BY_DIGITS.find((row) => records.length <= row.records) as (typeof FILES_BY_DIGITS)[number];
  return groupBy(records, ({ oid }) => `${oid.slice(0, digits)}.cbor`);
}

/** Returns whether `byFile` can give this name. */
export function isPortableName(name: string): boolean {
  return /^[0-9a-f]{1,3}\.cbor$/.test(name);
}

/** Encodes the records of one file; the order of `records` does not matter. */
export function encodePortable(kind: string, records: readonly PortableRecord[]): Uint8Array {
  const sorted = [...records].sort((a, b) => (a.oid < b.oid ? -1 : 1));
  const items = sorted.map(({ bytes }) => encodeCanonical(bytes));
  return Buffer.concat([encodeCanonical([MAGIC, PORTABLE_VERSION, kind]), ...items]);
}

interface PortableContent {
  records: PortableRecord[];
  /** Number of items that are not records, including a truncated last one. */
  bad: number;
}

/**
 * Reads an untrusted file: every item that names the blob that it describes. The codec of the kind has to check the items. Throws
 * RECORD_CORRUPT if this is not a file of this kind, or if its version is newer.
 */
export function decodePortable(kind: string, file: Uint8Array): PortableContent {
  if (file.length > MAX_PORTABLE_BYTES) corrupt(`${file.length} bytes of records`);
  const header = encodeCanonical([MAGIC, PORTABLE_VERSION, kind]);
  if (Buffer.compare(file.subarray(0, header.length), header) !== 0) corrupt(`not a file of ${kind} records`);
  const content: PortableContent = { records: [], bad: 0 };
  let at = header.length;
  while (at < file.length) {
    const item = byteString(file, at);
    if (item === null) return { ...content, bad: content.bad + 1 };
    const bytes = file.subarray(item.start, item.end);
    const oid = aboutBlob(bytes);
    if (oid === null) content.bad++;
    else content.records.push({ oid, bytes });
    at = item.end;
  }
  return content;
}

/** Bytes of the length field of a CBOR byte string, by the low five bits of its first byte. */
const LENGTH_BYTES: Readonly<Record<number, number>> = { 24: 1, 25: 2, 26: 4 };
const BYTE_STRING = 2;

/** Offsets of the content of the byte string at `at`; null if there is no byte string or it is truncated. */
function byteString(file: Uint8Array, at: number): { start: number; end: number } | null {
  const low = file[at] & 0x1f;
  const extra = low < 24 ? 0 : LENGTH_BYTES[low];
  if (file[at] >> 5 !== BYTE_STRING || extra === undefined) return null;
  const start = at + 1 + extra;
  let length = extra === 0 ? low : 0;
  for (let i = at + 1; i < start; i++) length = length * 256 + (file[i] ?? 0);
  return start + length <= file.length ? { start, end: start + length } : null;
}
