/** Checks records that others may have written: inspects them without use, or derives them again and compares byte by byte. */
import { blobOid, type ObjectReader } from '../git/objects.js';
import type { Repository } from '../git/repository.js';
import { openAnyVersion } from '../record/cbor.js';
import {
  type Decoded,
  type DecodeFault,
  MAX_BLOB_BYTES,
  type SyntaxRecord,
  type VectorRecord,
} from '../record/format.js';
import { decodeCompilerRecord } from '../record/store.js';
import { decodeSyntaxRecord, SYNTAX_KIND } from '../record/syntax-codec.js';
import { decodeVectorRecord, VECTORS_KIND } from '../record/vector-codec.js';
import { type DerivedBlob, deriveBlobs } from './derive.js';
import type { ParserPool } from './parser-pool.js';
import type { PlannedBlob } from './run.js';

interface Deriving {
  objects: Pick<ObjectReader, 'read' | 'info'>;
  signal?: AbortSignal | undefined;
}

/** Derives the records of blobs as indexing does, but without reading notes or applying the settings that choose files. */
export function deriveAgain(
  { objects, signal }: Deriving,
  blobs: readonly PlannedBlob[],
  pool: ParserPool,
): AsyncGenerator<DerivedBlob> {
  return deriveBlobs(blobs, {
    ...{ objects, store: { read: async () => null }, pool, ...(signal && { signal }) },
    ...{ maxFileBytes: MAX_BLOB_BYTES, onBadRecord: () => {}, relations: true },
  });
}

interface Compared {
  /** Null if this machine cannot find out. */
  isEqual: boolean | null;
  /** Reason why it cannot, else ''. */
  why: string;
}

/** Compares a note with the record that its blob gives. `note`: id of the note. */
export function compareAgain(
  derived: DerivedBlob,
  note: string | undefined,
  format: Repository['objectFormat'],
): Compared {
  const reason = derived.bytes === null ? 'not-here' : degradedReason(derived);
  if (reason !== null || derived.note === null) return { isEqual: null, why: reason ?? 'not-derived' };
  // Equal bytes have equal ids.
  return { isEqual: blobOid(derived.note, format) === note, why: '' };
}

/** Reason why the blob could not be parsed on this machine, so that nothing can be said about its record; null if it could. */
function degradedReason({ units }: DerivedBlob): string | null {
  const state = units.find((unit) => unit.facts !== null && unit.state !== undefined)?.state;
  if (state !== undefined) return state;
  return units.some((unit) => unit.state === 'too-large') ? 'too-large' : null;
}

/** Shape of an intact record. `chunks` counts them by language; it is null if the blob is not indexed or the version is unknown. */
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
 * Inspects the note of blob `oid` under a ref of a known kind. `isOwn`: this version writes the ref's profile, so a record of another
 * version is a fault. Under other profiles, only magic, kind, blob id and checksum of such a record are checked.
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
