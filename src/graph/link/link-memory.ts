/**
 * Memory of a linked snapshot, with which the next one is linked: facts, resolved imports and recorded lookups of each
 * file, as columns. Linked files get new columns, unchanged ones keep theirs. Also the files of a snapshot beside those of that memory.
 */
import { IMPORT_KINDS, type Import, noRelations } from '../../languages/roles/relation-facts.js';
import { decodeLinkFacts, encodeLinkFacts, type LinkFacts } from '../../record/link-facts.js';
import { EDGE_KINDS, factsKey, type GraphTables, type LinkInput, type SourceFile } from '../tables.js';
import type { Recorded, ResolutionTexts } from './invalidation.js';
import { FileIndex } from './symbol-index.js';

/** Columns of the memory. In a column with a `…Base`, file `f` has the values from `base[f]` to `base[f + 1] - 1`. */
export interface LinkMemory {
  /** `LINK_VERSION` at the time of linking. */
  version: number;
  /** Fingerprint of everything that import resolution depends on (`Resolver.fingerprint`). */
  fingerprint: string;
  strings: string[];
  /** Encoded facts by file; empty for files without facts. */
  facts: Uint8Array[];
  /** One more value than files. */
  importBase: Uint32Array;
  /** Index into IMPORT_KINDS. */
  importKind: Uint8Array;
  importSymbol: Int32Array;
  /** Indexes into `strings`: the specifier, and the resolution of the import as text. */
  importSpecifier: Uint32Array;
  importResolution: Uint32Array;
  /** One more value than imports. */
  nameBase: Uint32Array;
  /** Indexes into `strings`. */
  importedName: Uint32Array;
  importedAlias: Uint32Array;
  /** Recorded lookups of names in other files: pairs of a file and an index into `strings`. One more base than files. */
  useBase: Uint32Array;
  useFile: Uint32Array;
  useName: Uint32Array;
  /** Recorded lookups of names in the whole repository: indexes into `strings`. One more base than files. */
  lookupBase: Uint32Array;
  lookupName: Uint32Array;
}

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
export function unchangedUntil(
  { older, unchanged }: SnapshotFiles,
  file: number,
  isUnchanged: (file: number) => boolean,
): number {
  let end = file + 1;
  while (end < older.length && unchanged[end] === 1 && older[end] === older[end - 1] + 1 && isUnchanged(end)) end++;
  return end;
}

const HERITAGE: ReadonlySet<number> = new Set([EDGE_KINDS.indexOf('extends'), EDGE_KINDS.indexOf('implements')]);

/** The files of a snapshot, matched by path with those of the previous one; reads the facts of each, from the memory or as given, when asked. */
export class SnapshotFiles {
  readonly files: readonly SourceFile[];
  /** Number in the previous snapshot of the file with the same path, -1 if there is none. */
  readonly older: Int32Array;
  /** 1 if that file has equal content, language and state. */
  readonly unchanged: Uint8Array;
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
    this.unchanged = new Uint8Array(input.files.length);
    this.newer = new Int32Array(before?.tables.files.length ?? 0).fill(-1);
    if (before !== null) this.match(before.tables);
  }

  /** Returns the index of a file's facts. */
  readonly index = (file: number): FileIndex => {
    this.indexes[file] ??= this.read(file);
    return this.indexes[file];
  };

  /** Were the facts of the file read? */
  readonly isRead = (file: number): boolean => this.indexes[file] !== undefined;

  /**
   * Does the text of a symbol name parents? The graph before tells it of unchanged files, which saves reading their facts: each name
   * of a parent gives an edge, unless a compiler knows better.
   */
  readonly inherits = (file: number, symbol: number): boolean => {
    if (this.before === null || this.unchanged[file] === 0 || this.files[file].compiled !== undefined) {
      const index = this.index(file);
      return index.heritage(symbol).length > 0 || index.statedParents(symbol).length > 0;
    }
    const { nodeBase, edgeBase, edgeKind } = this.before.tables;
    const node = nodeBase[this.older[file]] + 1 + symbol;
    return edgeKind.subarray(edgeBase[node], edgeBase[node + 1]).some((kind) => HERITAGE.has(kind));
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
    const packed = this.packed(file);
    if (packed.length > 0) return packed;
    try {
      return encodeLinkFacts(this.given(file));
    } catch {
      return NOTHING;
    }
  }

  private read(file: number): FileIndex {
    if (!hasFacts(this.files[file])) return new FileIndex(EMPTY);
    const bytes = this.packed(file);
    return bytes.length > 0 ? new FileIndex(decodeLinkFacts(bytes), bytes) : new FileIndex(this.given(file));
  }

  /** Facts that were given as objects. */
  private given(file: number): LinkFacts {
    const given = this.input.facts.get(factsKey(this.files[file]));
    return given === undefined || given instanceof Uint8Array ? EMPTY : given;
  }

  /** Encoded facts of a file, from the previous snapshot or as they were given; empty if there are none. */
  private packed(file: number): Uint8Array {
    const remembered = this.rememberedBytes(file);
    if (remembered.length > 0) return remembered;
    const given = this.input.facts.get(factsKey(this.files[file]));
    return given instanceof Uint8Array ? given : NOTHING;
  }

  /** Encoded facts from the previous snapshot, under this path or another; empty if it has none. */
  private rememberedBytes(file: number): Uint8Array {
    if (this.before === null) return NOTHING;
    if (this.unchanged[file] === 1) return this.before.memory.facts[this.older[file]];
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
      this.unchanged[i] = same && older.compiled === compiled ? 1 : 0;
    });
  }
}

/** Strings by number, which columns hold in their place. */
export class Strings {
  private readonly ids: Map<string, number>;
  private readonly list: string[];

  /** Starts with known strings, which keep their numbers. */
  constructor(known: readonly string[]) {
    this.list = known.slice();
    this.ids = new Map();
    for (let i = 0; i < known.length; i++) this.ids.set(known[i], i);
  }

  id(text: string): number {
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    this.ids.set(text, this.list.length);
    this.list.push(text);
    return this.list.length - 1;
  }

  /** Number of a string, -1 if it has none. */
  find(text: string): number {
    return this.ids.get(text) ?? -1;
  }

  at(id: number): string {
    return this.list[id];
  }

  get length(): number {
    return this.list.length;
  }

  /**
   * Renumbers the strings by their first use in these columns, which are changed in place. Returns only the strings in
   * use, so that the result does not depend on earlier snapshots.
   */
  renumber(columns: readonly Uint32Array[]): string[] {
    const numbers = new Uint32Array(this.list.length);
    const used: string[] = [];
    for (const column of columns) {
      for (let i = 0; i < column.length; i++) {
        const id = column[i];
        if (numbers[id] === 0) {
          used.push(this.list[id]);
          numbers[id] = used.length;
        }
        column[i] = numbers[id] - 1;
      }
    }
    return used;
  }
}

const KIND_CODES: ReadonlyMap<string, number> = new Map(IMPORT_KINDS.map((kind, i) => [kind, i]));

/** Spare values of a new column, enough for the additions of an ordinary commit. */
const MIN_ROOM = 4096;

/** Column that grows as needed. */
export class Column {
  private values: Uint32Array;
  private used = 0;

  /** Creates a column for about `expected` values. */
  constructor(expected = 0) {
    this.values = new Uint32Array(expected + MIN_ROOM);
  }

  get length(): number {
    return this.used;
  }

  push(value: number): void {
    if (this.used === this.values.length) this.reserve(1);
    this.values[this.used++] = value;
  }

  append(values: Uint32Array | Uint8Array | Int32Array): void {
    this.reserve(values.length);
    this.values.set(values, this.used);
    this.used += values.length;
  }

  finish(): Uint32Array {
    return this.values.slice(0, this.used);
  }

  private reserve(more: number): void {
    if (this.used + more <= this.values.length) return;
    const larger = new Uint32Array(Math.max(this.used + more, this.values.length * 2));
    larger.set(this.values);
    this.values = larger;
  }
}

/** Base column of lists: the start of each list, and the end of the last. */
class Bases {
  private readonly column = new Column();

  constructor() {
    this.column.push(0);
  }

  close(end: number): void {
    this.column.push(end);
  }

  finish(): Uint32Array {
    return this.column.finish();
  }
}

/** Adds the ends of the lists `first` to `last` - 1, shifted to their new start `at`. */
function closeAll(bases: Bases, known: Uint32Array, first: number, last: number, at: number): void {
  const shift = at - known[first];
  for (let part = first + 1; part <= last; part++) bases.close(known[part] + shift);
}

export class MemoryWriter {
  private readonly strings: Strings;
  private readonly importBase = new Bases();
  private readonly importKind = new Column();
  private readonly importSymbol = new Column();
  private readonly importSpecifier = new Column();
  private readonly importResolution = new Column();
  private readonly nameBase = new Bases();
  private readonly importedName: Column;
  private readonly importedAlias: Column;
  private readonly useBase = new Bases();
  private readonly useFile: Column;
  private readonly useName: Column;
  private readonly lookupBase = new Bases();
  private readonly lookupName: Column;
  private readonly facts: Uint8Array[] = [];

  constructor(
    private readonly files: SnapshotFiles,
    private readonly texts: ResolutionTexts,
    private readonly fingerprint: string,
    private readonly version: number,
  ) {
    const memory = files.before?.memory;
    this.strings = new Strings(memory?.strings ?? []);
    this.useFile = new Column(memory?.useFile.length);
    this.useName = new Column(memory?.useFile.length);
    this.lookupName = new Column(memory?.lookupName.length);
    this.importedName = new Column(memory?.importedName.length);
    this.importedAlias = new Column(memory?.importedName.length);
  }

  /** Adds the next file, with the lookups by which it was linked. */
  add(file: number, recorded: Recorded): void {
    this.facts.push(this.files.bytes(file));
    for (const item of this.files.index(file).imports) this.addImport(item, this.texts.of(file, item));
    this.addRecorded(recorded);
    this.importBase.close(this.importKind.length);
    this.useBase.close(this.useFile.length);
    this.lookupBase.close(this.lookupName.length);
  }

  private addImport({ kind, specifier, symbol, names }: Import, resolution: string): void {
    this.importKind.push(KIND_CODES.get(kind) ?? 0);
    this.importSpecifier.push(this.strings.id(specifier));
    this.importResolution.push(this.strings.id(resolution));
    this.importSymbol.push(symbol);
    for (const { name, alias } of names) {
      this.importedName.push(this.strings.id(name));
      this.importedAlias.push(this.strings.id(alias));
    }
    this.nameBase.close(this.importedName.length);
  }

  private addRecorded({ files, names, lookups }: Recorded): void {
    this.useFile.append(files);
    for (const name of names) this.useName.push(this.strings.id(name));
    for (const name of lookups) this.lookupName.push(this.strings.id(name));
  }

  /** Copies the next files up to `end` - 1, a range that was contiguous before. Numbers of strings stay valid; numbers of files are mapped. */
  keep({ memory }: Before, file: number, end: number): void {
    const [first, last] = [this.files.older[file], this.files.older[file] + end - file];
    for (let at = file; at < end; at++) this.facts.push(this.files.bytes(at));
    const [start, stop] = [memory.importBase[first], memory.importBase[last]];
    closeAll(this.importBase, memory.importBase, first, last, this.importKind.length);
    this.importKind.append(memory.importKind.subarray(start, stop));
    this.importSpecifier.append(memory.importSpecifier.subarray(start, stop));
    this.importResolution.append(memory.importResolution.subarray(start, stop));
    this.importSymbol.append(memory.importSymbol.subarray(start, stop));
    const [firstName, lastName] = [memory.nameBase[start], memory.nameBase[stop]];
    closeAll(this.nameBase, memory.nameBase, start, stop, this.importedName.length);
    this.importedName.append(memory.importedName.subarray(firstName, lastName));
    this.importedAlias.append(memory.importedAlias.subarray(firstName, lastName));
    const [firstUse, lastUse] = [memory.useBase[first], memory.useBase[last]];
    closeAll(this.useBase, memory.useBase, first, last, this.useFile.length);
    this.useName.append(memory.useName.subarray(firstUse, lastUse));
    this.useFile.append(memory.useFile.subarray(firstUse, lastUse).map((other) => this.files.newer[other]));
    closeAll(this.lookupBase, memory.lookupBase, first, last, this.lookupName.length);
    this.lookupName.append(memory.lookupName.subarray(memory.lookupBase[first], memory.lookupBase[last]));
  }

  finish(): LinkMemory {
    const columns = {
      importSpecifier: this.importSpecifier.finish(),
      importResolution: this.importResolution.finish(),
      importedName: this.importedName.finish(),
      importedAlias: this.importedAlias.finish(),
      useName: this.useName.finish(),
      lookupName: this.lookupName.finish(),
    };
    return {
      version: this.version,
      fingerprint: this.fingerprint,
      strings: this.strings.renumber(Object.values(columns)),
      facts: this.facts,
      importBase: this.importBase.finish(),
      importKind: Uint8Array.from(this.importKind.finish()),
      importSymbol: Int32Array.from(this.importSymbol.finish(), (symbol) => symbol | 0),
      nameBase: this.nameBase.finish(),
      useBase: this.useBase.finish(),
      useFile: this.useFile.finish(),
      lookupBase: this.lookupBase.finish(),
      ...columns,
    };
  }
}
