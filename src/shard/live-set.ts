/**
 * The live set: the documents of all shards that belong to one snapshot. Documents get global numbers, shard after shard, so that arrays
 * over all documents can be indexed directly.
 */
import { packStrings, StringTable, UNIT_GENERATED, UNIT_INCOMPLETE, type UnitState } from './lexical-format.js';
import type { LexicalShard } from './lexical-shard.js';

export interface CatalogFile {
  path: string;
  oid: string;
  /** Language id; null if only the content can show the language. */
  language: string | null;
  generated: boolean;
  vendored: boolean;
}

interface UnitRef {
  shard: number;
  unit: number;
}

/** The files of a live set: one per unit, with every path that the blob has in this language. */
export class FileTable {
  constructor(
    private readonly shards: readonly LexicalShard[],
    /** Shard of each file's unit, as an index into `shards`. */
    readonly shard: Uint32Array,
    /** Index of each file's unit within its shard. */
    readonly unit: Uint32Array,
    /** Start of each file's paths in `table`: file i has [pathStart[i], pathStart[i + 1]). */
    readonly pathStart: Uint32Array,
    readonly table: StringTable,
  ) {}

  get length(): number {
    return this.unit.length;
  }

  /** First path of a file, in tree order. */
  path(file: number): string {
    return this.table.at(this.pathStart[file]);
  }

  paths(file: number): string[] {
    const first = this.pathStart[file];
    return Array.from({ length: this.pathStart[file + 1] - first }, (_, i) => this.table.at(first + i));
  }

  oid(file: number): string {
    return this.shards[this.shard[file]].unitOid(this.unit[file]);
  }

  language(file: number): string {
    return this.shards[this.shard[file]].unitLanguageId(this.unit[file]);
  }

  unitFlags(file: number): number {
    return this.shards[this.shard[file]].unitFlags[this.unit[file]];
  }
}

export interface LiveSet {
  shards: readonly LexicalShard[];
  /** Global number of each shard's first document, and the total number of documents at the end. */
  bases: Uint32Array;
  files: FileTable;
  /** File of each global document; -1 for documents of other snapshots. */
  fileOf: Int32Array;
  /** Number of live documents. */
  count: number;
}

/** Finds a blob's unit in the newest shard that has it. With a null language, finds the unit whose language comes from the content. */
export function findUnit(shards: readonly LexicalShard[], oid: string, language: string | null): UnitRef | null {
  for (let shard = shards.length - 1; shard >= 0; shard--) {
    const unit = language === null ? shards[shard].findUnitOfContent(oid) : shards[shard].findUnit(oid, language);
    if (unit >= 0) return { shard, unit };
  }
  return null;
}

/**
 * Result of looking one file up in the shards: its unit, its blob's size in bytes, and the reason why the unit has no record or no
 * documents.
 */
export interface UnitLookup extends UnitRef {
  state: UnitState | null;
  size: number;
  /** May declarations be missing, since the grammar could not read everything? */
  isIncomplete: boolean;
  /** Did a tool write it, as its text says or shows? */
  isGenerated: boolean;
}

export function lookUpUnit(shards: readonly LexicalShard[], file: CatalogFile): UnitLookup | null {
  const found = findUnit(shards, file.oid, file.language);
  if (found === null) return null;
  const shard = shards[found.shard];
  const { unit } = found;
  const isIncomplete = (shard.unitFlags[unit] & UNIT_INCOMPLETE) !== 0;
  const isGenerated = (shard.unitFlags[unit] & UNIT_GENERATED) !== 0;
  const [state, size] = [shard.unitState(unit), shard.unitSize[unit]];
  return { shard: found.shard, unit, state, size, isIncomplete, isGenerated };
}

interface ResolvedFiles {
  live: LiveSet;
  /** Catalog entry of each file of the live set, taken from the file's first path. */
  entries: CatalogFile[];
}

/** Resolves a catalog to documents. `accept` can reject units, for example under a lowered size limit. */
export function createLiveSet(
  shards: readonly LexicalShard[],
  catalog: readonly CatalogFile[],
  accept: (file: CatalogFile, unit: UnitLookup) => boolean = () => true,
): ResolvedFiles {
  const byUnit = new Map<number, number>();
  const found: { entry: CatalogFile; unit: UnitRef; paths: string[] }[] = [];
  const bases = documentBases(shards);
  for (const entry of catalog) {
    const unit = lookUpUnit(shards, entry);
    if (unit === null || !accept(entry, unit) || shards[unit.shard].unitDocuments[unit.unit] === 0) continue;
    const first = bases[unit.shard] + shards[unit.shard].unitFirst[unit.unit];
    const known = byUnit.get(first);
    if (known !== undefined) found[known].paths.push(entry.path);
    else byUnit.set(first, found.push({ entry, unit, paths: [entry.path] }) - 1);
  }
  const pathStart = new Uint32Array(found.length + 1);
  for (const [i, { paths }] of found.entries()) pathStart[i + 1] = pathStart[i] + paths.length;
  const files = new FileTable(
    shards,
    Uint32Array.from(found, ({ unit }) => unit.shard),
    Uint32Array.from(found, ({ unit }) => unit.unit),
    pathStart,
    new StringTable(packStrings(found.flatMap(({ paths }) => paths))),
  );
  return { live: liveSetOf(shards, files), entries: found.map(({ entry }) => entry) };
}

export function liveSetOf(shards: readonly LexicalShard[], files: FileTable): LiveSet {
  const bases = documentBases(shards);
  const fileOf = new Int32Array(bases[shards.length]).fill(-1);
  let count = 0;
  for (let file = 0; file < files.length; file++) {
    const { first, end } = documentsOf({ shards, bases, files }, file);
    fileOf.fill(file, first, end);
    count += end - first;
  }
  return { shards, bases, files, fileOf, count };
}

/** Range [first, end) of a file's global documents. */
export function documentsOf(
  live: Pick<LiveSet, 'shards' | 'bases' | 'files'>,
  file: number,
): { first: number; end: number } {
  const index = live.files.shard[file];
  const shard = live.shards[index];
  const unit = live.files.unit[file];
  const first = live.bases[index] + shard.unitFirst[unit];
  return { first, end: first + shard.unitDocuments[unit] };
}

function documentBases(shards: readonly LexicalShard[]): Uint32Array {
  const bases = new Uint32Array(shards.length + 1);
  for (const [i, shard] of shards.entries()) bases[i + 1] = bases[i] + shard.meta.documents;
  return bases;
}

/** Splits a global document number into its shard and the number within it. */
export function locate(live: LiveSet, document: number): { shard: LexicalShard; local: number } {
  let index = 0;
  while (live.bases[index + 1] <= document) index++;
  return { shard: live.shards[index], local: document - live.bases[index] };
}
