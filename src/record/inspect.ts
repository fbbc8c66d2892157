/** Inspects notes without using them: is a note the record of its blob, and how many chunks does it have? */
import { decodeSyntaxRecord, SYNTAX_KIND } from './codec.js';
import { decodeCompilerRecord } from './compiler-codec.js';
import { openAnyVersion } from './envelope.js';
import type { Decoded, DecodeFault, SyntaxRecord, VectorRecord } from './types.js';
import { decodeVectorRecord, VECTORS_KIND } from './vector-codec.js';

/**
 * Shape of an intact record. `chunks` counts them by language; it is null if the blob is not indexed or the version is
 * unknown.
 */
interface RecordShape {
  ok: true;
  chunks: ReadonlyMap<string, number> | null;
  /** Bytes of the blob, which chunks cover from end to end; null if the record has no chunk. */
  size: number | null;
  /** True if this program knows the version and has checked everything in the record. */
  isRead: boolean;
}

export type Inspection = RecordShape | { ok: false; reason: DecodeFault; detail: string };

/**
 * Inspects the note of blob `oid` under a ref of a known kind. `isOwn` says that this version writes the ref's profile;
 * a record of another version is then a fault. Under other profiles, only magic, kind, blob id and checksum of such a
 * record are checked.
 */
export function inspectRecord(kind: string, bytes: Uint8Array, oid: string, isOwn: boolean): Inspection {
  const found = shapeOf(kind, bytes, oid);
  if (found.ok || isOwn || !(found.reason === 'too-new' || found.reason === 'outdated')) return found;
  const opened = openAnyVersion(kind, oid, bytes);
  return opened.ok ? { ok: true, chunks: null, size: null, isRead: false } : opened;
}

function shapeOf(kind: string, bytes: Uint8Array, oid: string): Inspection {
  if (kind === SYNTAX_KIND) return syntaxShape(decodeSyntaxRecord(bytes, oid));
  if (kind === VECTORS_KIND) return vectorShape(bytes, oid);
  const decoded = decodeCompilerRecord(bytes, oid);
  return decoded.ok ? { ok: true, chunks: null, size: null, isRead: true } : decoded;
}

function syntaxShape(decoded: Decoded<SyntaxRecord>): Inspection {
  if (!decoded.ok) return decoded;
  const { record } = decoded;
  if ('skip' in record) return { ok: true, chunks: null, size: null, isRead: true };
  const entries = Object.entries(record.facts).map(([id, facts]): [string, number] => [id, facts.chunks.length]);
  const ends = Object.values(record.facts).flatMap(({ chunks }) => chunks.at(-1)?.end ?? []);
  // All languages of a blob give the same size.
  return { ok: true, chunks: new Map(entries), size: ends[0] ?? null, isRead: true };
}

function vectorShape(bytes: Uint8Array, oid: string): Inspection {
  const decoded: Decoded<VectorRecord> = decodeVectorRecord(bytes, oid);
  if (!decoded.ok) return decoded;
  const { dimensions, languages } = decoded.record;
  const entries = Object.entries(languages).map(([id, { rows }]): [string, number] => [id, rows.length / dimensions]);
  return { ok: true, chunks: new Map(entries), size: null, isRead: true };
}
