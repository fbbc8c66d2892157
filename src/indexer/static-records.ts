/** Writes records of the built-in model's vectors, for users who set `vectors.share` to `always`. */
import type { VectorShard } from '../shard/vector-shard.js';
import type { VectorContext } from './vector-plan.js';
import { RecordQueue } from './vector-records.js';
import { hashKey, readTexts, type VectorUnit } from './vector-units.js';

/**
 * Writes a record for each blob that has none and whose chunks all have a vector. Returns the bytes written. Throws the
 * errors of writing notes.
 */
export async function writeStaticRecords(
  units: readonly VectorUnit[],
  vectors: readonly VectorShard[],
  context: Pick<VectorContext, 'shards' | 'objects' | 'store' | 'signal'>,
): Promise<number> {
  const queue = new RecordQueue(context.store);
  const blobs = new Map<string, VectorUnit[]>();
  for (const unit of units) if (!unit.isLocal) blobs.set(unit.oid, [...(blobs.get(unit.oid) ?? []), unit]);
  for (const [oid, parts] of blobs) {
    if (context.signal?.aborted) break;
    const isWhole = parts.every(({ shard, first, count }) => hasRows(vectors[shard], first, count));
    if (context.store.has(oid) || !isWhole) continue;
    const languages: Parameters<RecordQueue['add']>[1]['languages'] = {};
    for (const unit of parts) {
      const texts = await readTexts(unit, context.shards[unit.shard], context.objects, Number.POSITIVE_INFINITY);
      if (texts === null) continue;
      const hashes = Buffer.from(texts.map(hashKey).join(''), 'latin1');
      const { rows, dimensions } = vectors[unit.shard];
      const own = rows.slice(unit.first * dimensions, (unit.first + unit.count) * dimensions);
      languages[unit.language] = { hashes: new Uint8Array(hashes), rows: own };
    }
    if (Object.keys(languages).length > 0)
      await queue.add(oid, { dimensions: vectors[parts[0].shard].dimensions, languages });
  }
  await queue.finish();
  return queue.bytesAdded;
}

function hasRows(vectors: VectorShard, first: number, count: number): boolean {
  for (let row = first; row < first + count; row++) if (!vectors.has(row)) return false;
  return true;
}
