/** Matches the files of a snapshot with those of the previous one, and reads the facts of each. */
import { noRelations } from '../../languages/roles/relation-facts.js';
import { decodeLinkFacts, encodeLinkFacts } from '../../record/facts-bytes.js';
import { factsKey, type LinkFacts, type LinkInput, type SourceFile } from '../link-input.js';
import type { GraphTables } from '../types.js';
import { FileIndex } from './file-index.js';
import type { LinkMemory } from './memory.js';

export interface Before {
  tables: GraphTables;
  memory: LinkMemory;
}

const NOTHING = new Uint8Array(0);
const EMPTY: LinkFacts = { lines: 0, symbols: [], relations: noRelations() };

/** Does a file have facts? */
export function hasFacts({ state }: Pick<SourceFile, 'state'>): boolean {
  return state === 'linked' || state === 'degraded';
}

/** Numbers of files by the key of their facts. */
export function factsByKey({ tables, memory }: Before): Map<string, number> {
  const found = new Map<string, number>();
  tables.files.forEach((file, i) => {
    if (hasFacts(file) && memory.facts[i].length > 0) found.set(factsKey(file), i);
  });
  return found;
}

/** End of the range of unchanged files from `file` on that was contiguous in the previous snapshot. */
export function keptUntil({ older, kept }: SnapshotFiles, file: number, isKept: (file: number) => boolean): number {
  let end = file + 1;
  while (end < older.length && kept[end] === 1 && older[end] === older[end - 1] + 1 && isKept(end)) end++;
  return end;
}

export class SnapshotFiles {
  readonly files: readonly SourceFile[];
  /** Number in the previous snapshot of the file with the same path, -1 if there is none. */
  readonly older: Int32Array;
  /** 1 if that file has equal content, language and state. */
  readonly kept: Uint8Array;
  /** Number in this snapshot of each file of the previous one, -1 if it is gone. */
  readonly newer: Int32Array;
  private readonly indexes: (FileIndex | undefined)[] = [];
  private readonly olderIndexes = new Map<number, FileIndex>();
  private byKey: Map<string, number> | null = null;

  constructor(
    private readonly input: LinkInput,
    readonly before: Before | null,
  ) {
    this.files = input.files;
    this.older = new Int32Array(input.files.length).fill(-1);
    this.kept = new Uint8Array(input.files.length);
    this.newer = new Int32Array(before?.tables.files.length ?? 0).fill(-1);
    if (before !== null) this.match(before.tables);
  }

  /** Returns the index of a file's facts. */
  readonly index = (file: number): FileIndex => {
    this.indexes[file] ??= new FileIndex(this.facts(file));
    return this.indexes[file];
  };

  /** Returns the index of the facts of a file of the previous snapshot. */
  olderIndex(file: number): FileIndex {
    let index = this.olderIndexes.get(file);
    if (index === undefined) {
      const bytes = this.before?.memory.facts[file] ?? NOTHING;
      index = new FileIndex(bytes.length === 0 ? EMPTY : decodeLinkFacts(bytes));
      this.olderIndexes.set(file, index);
    }
    return index;
  }

  /** Encodes a file's facts for the next snapshot; empty if there are none or they exceed the format's limits. */
  bytes(file: number): Uint8Array {
    if (!hasFacts(this.files[file])) return NOTHING;
    const remembered = this.rememberedBytes(file);
    if (remembered.length > 0) return remembered;
    try {
      return encodeLinkFacts(this.index(file).facts);
    } catch {
      return NOTHING;
    }
  }

  private facts(file: number): LinkFacts {
    if (!hasFacts(this.files[file])) return EMPTY;
    const bytes = this.rememberedBytes(file);
    if (bytes.length > 0) return decodeLinkFacts(bytes);
    return this.input.facts.get(factsKey(this.files[file])) ?? EMPTY;
  }

  /** Encoded facts from the previous snapshot, under this path or another; empty if it has none. */
  private rememberedBytes(file: number): Uint8Array {
    if (this.before === null) return NOTHING;
    if (this.kept[file] === 1) return this.before.memory.facts[this.older[file]];
    this.byKey ??= factsByKey(this.before);
    const same = this.byKey.get(factsKey(this.files[file]));
    return same === undefined ? NOTHING : this.before.memory.facts[same];
  }

  private match({ files: olderFiles }: GraphTables): void {
    const byPath = new Map(olderFiles.map(({ path }, i) => [path, i]));
    this.files.forEach(({ path, oid, language, state, compiled }, i) => {
      const at = byPath.get(path);
      if (at === undefined) return;
      const older = olderFiles[at];
      this.older[i] = at;
      this.newer[at] = i;
      const same = older.oid === oid && older.language === language && older.state === state;
      this.kept[i] = same && older.compiled === compiled ? 1 : 0;
    });
  }
}
