/**
 * An anchor: what an entry is about, by the hash of the bytes. Path, symbol, blob and commit are hints that say where to look
 * first; whether the entry still holds is decided by the bytes alone.
 */
import { createHash } from 'node:crypto';
import type { CborValue } from '../record/cbor.js';
import { bytesOf, corrupt } from '../record/checks.js';
import { countField, mapField, oidBytes, oidField, optional, textField } from './fields.js';

/** Lines counted from 1, both included. */
export interface Lines {
  start: number;
  end: number;
}

export interface Anchor {
  path: string;
  /** Qualified name of the symbol; null for lines and files. */
  symbol: string | null;
  /** Null for a whole file. */
  lines: Lines | null;
  /** Blob that the bytes were read from. */
  blob: string;
  /** Commit that was checked out; null if none was, or the bytes were not committed. */
  commit: string | null;
  /** Number of the bytes. */
  size: number;
  /** First 16 bytes of their SHA-256, in hex. */
  content: string;
}

const HASH_BYTES = 16;
const MAX_PATH = 4_096;
const MAX_SYMBOL = 512;
const MAX_LINE = 0x7fff_ffff;
const FIELDS = ['path', 'symbol', 'lines', 'blob', 'commit', 'size', 'content'] as const;

/** Largest file that anchors can be set in, in bytes. */
export const MAX_ANCHORED_BYTES = 16 << 20;

export function contentHash(bytes: Uint8Array): string {
  return createHash('sha256')
    .update(bytes)
    .digest('hex')
    .slice(0, HASH_BYTES * 2);
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Offsets of lines in a text, without the end of the last line; the whole text for null. Null if there are no such lines. */
export function spanOf(bytes: Buffer, lines: Lines | null): { start: number; end: number } | null {
  if (lines === null) return { start: 0, end: bytes.length };
  let start = 0;
  for (let line = 1; line < lines.start; line++) {
    const next = bytes.indexOf(NEWLINE, start);
    if (next < 0) return null;
    start = next + 1;
  }
  let end = start;
  for (let line = lines.start; ; line++) {
    const next = bytes.indexOf(NEWLINE, end);
    if (next < 0) return line < lines.end && bytes.length === end ? null : { start, end: bytes.length };
    if (line === lines.end) return { start, end: next > start && bytes[next - 1] === RETURN ? next - 1 : next };
    end = next + 1;
  }
}

interface Place {
  path: string;
  symbol: string | null;
  lines: Lines | null;
  blob: string;
  commit: string | null;
}

/** The anchor of lines in a file's text; null if the file has no such lines. */
export function anchorAt(bytes: Buffer, place: Place): Anchor | null {
  const span = spanOf(bytes, place.lines);
  if (span === null) return null;
  const text = bytes.subarray(span.start, span.end);
  return { ...place, size: text.length, content: contentHash(text) };
}

export function writeAnchor({ path, symbol, lines, blob, commit, size, content }: Anchor): CborValue {
  return {
    ...{ path, size, blob: oidBytes(blob), content: Buffer.from(content, 'hex') },
    ...(symbol !== null && { symbol }),
    ...(lines !== null && { lines: [lines.start, lines.end] }),
    ...(commit !== null && { commit: oidBytes(commit) }),
  };
}

/** Throws RECORD_CORRUPT for anything that `writeAnchor` cannot have written. */
export function readAnchor(value: unknown): Anchor {
  const { path, symbol, lines, blob, commit, size, content } = mapField(value, FIELDS, 'the anchor');
  const hash = bytesOf(content, 'the content');
  if (hash.length !== HASH_BYTES) corrupt('the content is no hash');
  return {
    path: textField(path, MAX_PATH, 'the path'),
    symbol: optional(symbol, (it) => textField(it, MAX_SYMBOL, 'the symbol')) ?? null,
    lines: optional(lines, readLines) ?? null,
    blob: oidField(blob, 'the blob'),
    commit: optional(commit, (it) => oidField(it, 'the commit')) ?? null,
    size: countField(size, MAX_ANCHORED_BYTES, 'the size'),
    content: Buffer.from(hash).toString('hex'),
  };
}

function readLines(value: unknown): Lines {
  if (!Array.isArray(value) || value.length !== 2) corrupt('the lines are no pair');
  const [start, end] = value.map((line) => countField(line, MAX_LINE, 'a line'));
  if (start < 1 || end < start) corrupt('the lines are in no order');
  return { start, end };
}
