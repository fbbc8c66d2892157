/** Files in shards, and the notes with vectors of their chunks, all in memory: what a plan of vectors reads. */
import type { NoteEntry } from '../../src/git/notes.js';
import type { ObjectReader } from '../../src/git/objects.js';
import { hashKey, keyAt, readTexts, type VectorContext, type VectorUnit } from '../../src/indexer/vector-plan.js';
import type { Decoded, VectorRecord } from '../../src/record/format.js';
import type { VectorStore } from '../../src/record/store.js';
import { decodeVectorRecord } from '../../src/record/vector-codec.js';
import { findUnit } from '../../src/shard/live-set.js';
import { buildShard, materialise, type SourceFile } from '../support/generated/corpus.js';
import { makeDirectory } from '../support/repositories/repo.js';

export const DIMENSIONS = 16;
export const shardName = (index: number) => `lexical-${String(index + 1).repeat(16)}.bin`;

/** A file of one class; each word is a method, which is a chunk. */
export const source = (className: string, ...words: string[]): SourceFile => ({
  path: `${className}.ts`,
  className,
  methods: words.map((word) => ({ name: word, words: [word] })),
});

/** A vector that says which text it is of, as far as a test needs it. */
export const vectorOf = (number: number) => Int8Array.from({ length: DIMENSIONS }, (_, i) => (i === 0 ? 127 : number));

/** Each list of files is a shard; its units come in this order. */
export function vectorWorld(...groups: SourceFile[][]) {
  const shards = groups.map((files, i) => buildShard(files, shardName(i)));
  const contents = new Map(groups.flat().map((file) => [materialise(file).oid, materialise(file).bytes]));
  const units = groups.flat().map((file): VectorUnit => {
    const { oid } = materialise(file);
    const found = findUnit(shards, oid, 'typescript');
    if (found === null) throw new Error('no such unit');
    const { unitFirst, unitDocuments } = shards[found.shard];
    const [first, count] = [unitFirst[found.unit], unitDocuments[found.unit]];
    return { oid, language: 'typescript', shard: found.shard, first, count, isLocal: false };
  });
  const notes = new Map<string, Decoded<VectorRecord>>();
  const written: string[] = [];
  const refused: string[] = [];
  const context: VectorContext = {
    shards,
    objects: {
      read: async (oid: string) => {
        const content = contents.get(oid);
        return content === undefined ? null : { oid, type: 'blob', size: content.length, content };
      },
    } as unknown as ObjectReader,
    store: {
      has: (oid: string) => notes.has(oid),
      read: async (oid: string) => notes.get(oid) ?? null,
      write: async (entries: NoteEntry[]) => {
        for (const { target, note } of entries) {
          written.push(target);
          notes.set(target, decodeVectorRecord(note as Uint8Array, target));
        }
      },
    } as unknown as VectorStore,
    maxCharacters: 1_000,
    onBadRecord: (oid, reason) => refused.push(`${oid.slice(0, 7)} ${reason}`),
  };
  return {
    shards,
    units,
    contents,
    notes,
    written,
    refused,
    context,
    place: { directory: makeDirectory('shards'), profile: '0123456789ab' },
  };
}

type World = ReturnType<typeof vectorWorld>;

/** Texts of a unit's chunks as they are embedded. */
export async function textsOf({ context, shards }: World, unit: VectorUnit): Promise<string[]> {
  return (await readTexts(unit, shards[unit.shard], context.objects, 1_000)) ?? [];
}

/** Puts a record into the notes whose vectors are numbered from `from`. */
export async function note(world: World, unit: VectorUnit, from: number, dimensions = DIMENSIONS): Promise<void> {
  const texts = await textsOf(world, unit);
  const hashes = new Uint8Array(Buffer.from(texts.map(hashKey).join(''), 'latin1'));
  const rows = new Int8Array(texts.length * dimensions);
  for (const i of texts.keys()) rows.set(vectorOf(from + i).subarray(0, dimensions), i * dimensions);
  world.notes.set(unit.oid, { ok: true, record: { dimensions, languages: { [unit.language]: { hashes, rows } } } });
}

/** Numbers of the vectors in a record. */
export function numbersIn({ notes }: World, oid: string, language = 'typescript'): number[] {
  const decoded = notes.get(oid);
  if (!decoded?.ok) throw new Error('no record');
  const { dimensions, languages } = decoded.record;
  const { rows } = languages[language];
  return Array.from({ length: rows.length / dimensions }, (_, i) => rows[i * dimensions + 1]);
}

export const keysOf = (hashes: Uint8Array, count: number) => Array.from({ length: count }, (_, i) => keyAt(hashes, i));
