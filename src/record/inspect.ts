/** What can be said of a note without using it: is it the record of its blob, and of what shape? */
import { decodeSyntaxRecord, SYNTAX_KIND } from './codec.js';
import { openAnyVersion } from './envelope.js';
import type { Decoded, DecodeFault, SyntaxRecord, VectorRecord } from './types.js';
import { decodeVectorRecord, VECTORS_KIND } from './vector-codec.js';

/** A record that is whole: chunks by language; null for a blob that is not indexed, or a version that is not known. */
export interface RecordShape {
  ok: true;
  chunks: ReadonlyMap<string, number> | null;
  /** Bytes of the blob, which chunks cover from end to end; null where no chunk tells. */
  size: number | null;
  /** Of a version that this program knows, so that everything in it was checked. */
  isRead: boolean;
}

export type Inspection = RecordShape | { ok: false; reason: DecodeFault; detail: string };

/** Is the kind one whose records this program can look into? */
export function isKnownKind(kind: string): boolean {
  return kind === SYNTAX_KIND || kind === VECTORS_KIND;
}

/**
 * Inspects the note of blob `oid` under a ref of a known kind. `isOwn`: under a profile that this version writes, where
 * records of other versions are as bad as none; elsewhere magic, kind, blob and checksum are all that is asked of those.
 */
export function inspectRecord(kind: string, bytes: Uint8Array, oid: string, isOwn: boolean): Inspection {
  const found = kind === SYNTAX_KIND ? syntaxShape(decodeSyntaxRecord(bytes, oid)) : vectorShape(bytes, oid);
  if (found.ok || isOwn || !(found.reason === 'too-new' || found.reason === 'outdated')) return found;
  const opened = openAnyVersion(kind, oid, bytes);
  return opened.ok ? { ok: true, chunks: null, size: null, isRead: false } : opened;
}

function syntaxShape(decoded: Decoded<SyntaxRecord>): Inspection {
  if (!decoded.ok) return decoded;
  const { record } = decoded;
  if ('skip' in record) return { ok: true, chunks: null, size: null, isRead: true };
  const entries = Object.entries(record.facts).map(([id, facts]): [string, number] => [id, facts.chunks.length]);
  const ends = Object.values(record.facts).flatMap(({ chunks }) => chunks.at(-1)?.end ?? []);
  // Read as two languages, a blob has one size all the same.
  const size = ends.length === 0 ? null : Math.max(...ends);
  return { ok: true, chunks: new Map(entries), size, isRead: true };
}

function vectorShape(bytes: Uint8Array, oid: string): Inspection {
  const decoded: Decoded<VectorRecord> = decodeVectorRecord(bytes, oid);
  if (!decoded.ok) return decoded;
  const { dimensions, languages } = decoded.record;
  const entries = Object.entries(languages).map(([id, { rows }]): [string, number] => [id, rows.length / dimensions]);
  return { ok: true, chunks: new Map(entries), size: null, isRead: true };
}
