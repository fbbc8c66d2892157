/** Makes uploads of units from a repository: their texts, records and, with a provider, vectors. */
import {
  type BlobFacts,
  deriveBlobs,
  encodeUnchecked,
  encodeVectorRecord,
  HASH_BYTES,
  type LiveSet,
  noRelations,
  ParserPool,
  type Session,
  syntaxStore,
  type VectorIndex,
} from '../internal.js';
import { MAX_BATCH_BYTES, MAX_BATCH_UNITS } from '../protocol.js';
import { deflated } from '../sealed.js';
import { MAX_TEXT_BYTES, MAX_UNIT_BYTES, type UnitUpload } from '../unit.js';
import type { ContentFile } from './content.js';

interface UploadContext {
  session: Session;
  live: LiveSet;
  /** Vectors of a provider; null for the built-in model, whose vectors follow from the text. */
  vectors: VectorIndex | null;
  maxFileBytes: number;
  signal?: AbortSignal;
  /** Receives files that cannot be uploaded, since they are unreadable or too large. */
  onLeftOut: (file: ContentFile) => void;
}

/** Yields batches that fit one request. */
export async function* uploadsOf(
  files: readonly ContentFile[],
  context: UploadContext,
): AsyncGenerator<{ units: UnitUpload[]; bytes: number }> {
  const { session, maxFileBytes, signal } = context;
  const store = syntaxStore(session.repository, session.objects, session.profile, session.about);
  await store.load(files.length);
  const pool = new ParserPool();
  const plan = files.map(({ oid, language, paths }) => ({
    oid,
    languages: [language],
    path: paths[0],
    sharded: false,
  }));
  let units: UnitUpload[] = [];
  let bytes = 0;
  let next = 0;
  try {
    const derive = { objects: session.objects, store, pool, maxFileBytes, signal, onBadRecord: () => {} };
    for await (const blob of deriveBlobs(plan, derive)) {
      const file = files[next++];
      const facts = blob.units.find(({ language }) => language === file.language)?.facts ?? null;
      const isFit = blob.bytes !== null && facts !== null && blob.bytes.length <= MAX_TEXT_BYTES;
      const upload = isFit ? uploadOf(file, blob.stored ?? (blob.bytes as Uint8Array), { facts, context }) : null;
      const size = upload === null ? 0 : upload.record.length + upload.text.length + upload.vectors.length;
      if (upload === null || size > MAX_UNIT_BYTES) {
        context.onLeftOut(file);
        continue;
      }
      if (units.length === MAX_BATCH_UNITS || (units.length > 0 && bytes + size > MAX_BATCH_BYTES)) {
        yield { units, bytes };
        units = [];
        bytes = 0;
      }
      units.push(upload);
      bytes += size;
    }
  } finally {
    pool.stop();
  }
  if (units.length > 0) yield { units, bytes };
}

function uploadOf(
  file: ContentFile,
  content: Uint8Array,
  { facts, context }: { facts: BlobFacts | null; context: UploadContext },
): UnitUpload {
  const { oid, language, paths } = file;
  // Leaves the relations out: they take half of a record, and ranking does not need them.
  const record = encodeUnchecked(oid, { facts: { [language]: { ...(facts as BlobFacts), relations: noRelations() } } });
  return { oid, language, path: paths[0], record, text: deflated(content), vectors: vectorsOf(file, context) };
}

/** Vector record of a file; empty unless every chunk has a vector. */
function vectorsOf({ file, oid, language }: ContentFile, { live, vectors }: UploadContext): Uint8Array {
  const none = new Uint8Array(0);
  const index = live.files.shard[file];
  const shard = vectors?.vectorsOf(index) ?? null;
  if (shard === null) return none;
  const { dimensions } = shard;
  const first = live.shards[index].unitFirst[live.files.unit[file]];
  const count = live.shards[index].unitDocuments[live.files.unit[file]];
  for (let row = first; row < first + count; row++) if (!shard.has(row)) return none;
  const rows = shard.rows.slice(first * dimensions, (first + count) * dimensions);
  const own = { hashes: new Uint8Array(count * HASH_BYTES), rows };
  return encodeVectorRecord(oid, { dimensions, languages: { [language]: own } }) ?? none;
}
