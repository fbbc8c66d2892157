/** Builds the memory of a linked snapshot: new columns for linked files, and copied ones for kept files. */
import { IMPORT_KINDS, type Import } from '../../languages/roles/relation-facts.js';
import { type Before, keptUntil, type SnapshotFiles } from './files.js';
import type { LinkMemory } from './memory.js';
import type { Recorded } from './recorder.js';
import type { ResolutionTexts } from './resolutions.js';
import { Strings } from './strings.js';

const KIND_CODES: ReadonlyMap<string, number> = new Map(IMPORT_KINDS.map((kind, i) => [kind, i]));

/** Spare values of a new column, enough for the additions of a usual commit. */
const MIN_ROOM = 4096;

/** Column that grows as needed. */
class Column {
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

  /** Adds all files in order. `recorded` has the lookups of each linked file, and null for a kept one. */
  addAll(recorded: readonly (Recorded | null)[]): void {
    const { before } = this.files;
    for (let file = 0; file < recorded.length; ) {
      const own = recorded[file];
      if (own !== null || before === null) {
        this.add(file++, own);
        continue;
      }
      const end = keptUntil(this.files, file, (next) => recorded[next] === null);
      this.keep(before, file, end);
      file = end;
    }
  }

  private add(file: number, recorded: Recorded | null): void {
    this.facts.push(this.files.bytes(file));
    for (const item of this.files.index(file).imports) this.addImport(item, this.texts.of(file, item));
    if (recorded !== null) this.addRecorded(recorded);
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

  /** Copies a range of files that was contiguous before. Numbers of strings stay valid; numbers of files are mapped. */
  private keep({ memory }: Before, file: number, end: number): void {
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
