/**
 * The live set: which documents of which shards belong to the snapshot asked for. Documents get global numbers,
 * shard after shard, so that arrays over all documents can be indexed directly.
 */
import type { LexicalShard } from './lexical.js';
import type { UnitState } from './lexical-format.js';

/** One file of a snapshot that should be searchable. */
export interface CatalogFile {
  path: string;
  oid: string;
  /** Null where only the content can tell the language. */
  language: string | null;
  generated: boolean;
  vendored: boolean;
}

export interface UnitRef {
  shard: number;
  unit: number;
}

export interface LiveFile extends CatalogFile {
  language: string;
  shard: number;
  unit: number;
  /** Every path of the same blob in the same language, `path` among them. */
  paths: string[];
}

export interface LiveSet {
  shards: readonly LexicalShard[];
  /** Global number of each shard's first document, and one past the last. */
  bases: Uint32Array;
  files: LiveFile[];
  /** Global document -> index into `files`, -1 for documents of other snapshots. */
  fileOf: Int32Array;
  /** Number of live documents. */
  count: number;
}

/** Finds a blob's unit, in the newest shard that has it; with a null language, in any language. */
export function findUnit(shards: readonly LexicalShard[], oid: string, language: string | null): UnitRef | null {
  for (let shard = shards.length - 1; shard >= 0; shard--) {
    const unit = language === null ? shards[shard].findAnyUnit(oid) : shards[shard].findUnit(oid, language);
    if (unit >= 0) return { shard, unit };
  }
  return null;
}

/** What the shards hold for one file: a unit, and why it may have no record or no documents. */
export interface UnitLookup extends UnitRef {
  state: UnitState | null;
  size: number;
}

export function lookUpUnit(shards: readonly LexicalShard[], file: CatalogFile): UnitLookup | null {
  const found = findUnit(shards, file.oid, file.language);
  if (found === null) return null;
  const shard = shards[found.shard];
  return { ...found, state: shard.unitState(found.unit), size: shard.unitSize[found.unit] };
}

/** Resolves files to documents. `accept` leaves units out (a path filter, a lowered size limit). */
export function createLiveSet(
  shards: readonly LexicalShard[],
  files: readonly CatalogFile[],
  accept: (file: CatalogFile, unit: UnitLookup) => boolean = () => true,
): LiveSet {
  const bases = new Uint32Array(shards.length + 1);
  for (const [i, shard] of shards.entries()) bases[i + 1] = bases[i] + shard.meta.documents;
  const live: LiveSet = { shards, bases, files: [], fileOf: new Int32Array(bases[shards.length]).fill(-1), count: 0 };
  const byUnit = new Map<number, LiveFile>();
  for (const file of files) {
    const found = lookUpUnit(shards, file);
    if (found === null || !accept(file, found)) continue;
    const shard = shards[found.shard];
    if (shard.unitDocuments[found.unit] === 0) continue;
    const first = bases[found.shard] + shard.unitFirst[found.unit];
    const known = byUnit.get(first);
    if (known !== undefined) known.paths.push(file.path);
    else byUnit.set(first, addFile(live, file, found, first));
  }
  return live;
}

function addFile(live: LiveSet, file: CatalogFile, found: UnitRef, first: number): LiveFile {
  const shard = live.shards[found.shard];
  const language = shard.unitLanguageId(found.unit);
  const added: LiveFile = { ...file, language, shard: found.shard, unit: found.unit, paths: [file.path] };
  const index = live.files.push(added) - 1;
  const documents = shard.unitDocuments[found.unit];
  live.fileOf.fill(index, first, first + documents);
  live.count += documents;
  return added;
}

/** Splits a global document number into its shard and the number within it. */
export function locate(live: LiveSet, document: number): { shard: LexicalShard; local: number } {
  let index = 0;
  while (live.bases[index + 1] <= document) index++;
  return { shard: live.shards[index], local: document - live.bases[index] };
}
