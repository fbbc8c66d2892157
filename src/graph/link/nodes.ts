/** Nodes of a snapshot as columns, with an index of all definitions by name. */
import { SYMBOL_KINDS, type SymbolKind } from '../../extract/facts.js';
import type { LinkSymbol, SourceFile } from '../link-input.js';
import type { GraphTables } from '../types.js';
import { SPACES } from './kinds.js';
import type { Strings } from './strings.js';

const EXPORTED = 1;
/** Unit of the upper half of a moniker. */
const HIGH = 2 ** 32;
const KIND_CODES: ReadonlyMap<string, number> = new Map(SYMBOL_KINDS.map((kind, i) => [kind, i + 1]));

interface NodeSource {
  /** Number of the unchanged file in the previous graph, -1 if there is none. */
  before: number;
  symbols: readonly LinkSymbol[];
  /** Compiler's symbol of each symbol, 0 for none; null where no compiler told. */
  monikers: readonly number[] | null;
  lines: number;
}

/** Node columns as in `GraphTables`, but with preliminary numbers of strings. */
export class Nodes {
  readonly base: Uint32Array;
  readonly name: Uint32Array;
  readonly kindCode: Uint8Array;
  readonly flags: Uint8Array;
  readonly container: Int32Array;
  readonly startLine: Uint32Array;
  readonly endLine: Uint32Array;
  /** As `GraphTables.nodeMoniker`. */
  readonly moniker: Uint32Array;
  private readonly file: Uint32Array;
  private byName: { base: Uint32Array; nodes: Uint32Array } | null = null;
  private byMoniker: Map<number, number[]> | null = null;

  constructor(
    files: readonly SourceFile[],
    source: (file: number) => NodeSource,
    private readonly before: GraphTables | null,
    readonly strings: Strings,
  ) {
    const sources = files.map((_, i) => source(i));
    this.base = new Uint32Array(files.length + 1);
    sources.forEach((from, i) => {
      this.base[i + 1] = this.base[i] + this.sizeOf(from);
    });
    const total = this.base[files.length];
    this.name = new Uint32Array(total);
    this.kindCode = new Uint8Array(total);
    this.flags = new Uint8Array(total);
    this.container = new Int32Array(total);
    this.startLine = new Uint32Array(total);
    this.endLine = new Uint32Array(total);
    this.file = new Uint32Array(total);
    this.moniker = new Uint32Array(files.some(({ compiled }) => compiled !== undefined) ? 2 * total : 0);
    sources.forEach((from, i) => {
      this.fill(i, files[i].path, from);
    });
  }

  /** Nodes of all symbols with a name, in order. */
  named(name: string): Uint32Array {
    const id = this.strings.find(name);
    this.byName ??= this.sortByName();
    const { base, nodes } = this.byName;
    return id < 0 || id + 1 >= base.length ? nodes.subarray(0, 0) : nodes.subarray(base[id], base[id + 1]);
  }

  /** Nodes that a compiler's symbol is defined at, in order. */
  definedAs(moniker: number): readonly number[] {
    this.byMoniker ??= this.indexMonikers();
    return this.byMoniker.get(moniker) ?? [];
  }

  private indexMonikers(): Map<number, number[]> {
    const found = new Map<number, number[]>();
    for (let node = 0; 2 * node < this.moniker.length; node++) {
      const moniker = this.moniker[2 * node] + this.moniker[2 * node + 1] * HIGH;
      if (moniker === 0) continue;
      const nodes = found.get(moniker);
      if (nodes === undefined) found.set(moniker, [node]);
      else nodes.push(node);
    }
    return found;
  }

  fileOf(node: number): number {
    return this.file[node];
  }

  /** Index of the node's symbol in the facts of its file. */
  symbolOf(node: number): number {
    return node - this.base[this.file[node]] - 1;
  }

  kind(node: number): SymbolKind {
    return SYMBOL_KINDS[this.kindCode[node] - 1];
  }

  nameOf(node: number): string {
    return this.strings.at(this.name[node]);
  }

  isFile(node: number): boolean {
    return this.kindCode[node] === 0;
  }

  isExported(node: number): boolean {
    return (this.flags[node] & EXPORTED) !== 0;
  }

  /** Is the symbol at top level? With `throughSpaces`, enclosing namespaces and modules do not count; with `throughEnums`, no enum. */
  isOuter(node: number, throughSpaces: boolean, throughEnums = false): boolean {
    let at = this.container[node];
    if (throughEnums && this.kind(node) === 'enum-member' && !this.isFile(at)) at = this.container[at];
    while (throughSpaces && SPACES.has(this.kind(at))) at = this.container[at];
    return this.isFile(at);
  }

  private sizeOf({ before, symbols }: NodeSource): number {
    if (before < 0 || this.before === null) return symbols.length + 1;
    return this.before.nodeBase[before + 1] - this.before.nodeBase[before];
  }

  private fill(file: number, path: string, from: NodeSource): void {
    const at = this.base[file];
    this.file.fill(file, at, this.base[file + 1]);
    if (from.before >= 0 && this.before !== null) {
      this.copy(this.before, from.before, at);
      return;
    }
    this.name[at] = this.strings.id(path);
    this.container[at] = -1;
    this.startLine[at] = 1;
    this.endLine[at] = from.lines;
    from.symbols.forEach((symbol, i) => {
      const node = at + 1 + i;
      this.name[node] = this.strings.id(symbol.name);
      this.kindCode[node] = KIND_CODES.get(symbol.kind) ?? 0;
      this.flags[node] = symbol.exported ? EXPORTED : 0;
      this.container[node] = at + 1 + symbol.container;
      this.startLine[node] = symbol.startLine;
      this.endLine[node] = symbol.endLine;
    });
    from.monikers?.forEach((moniker, i) => {
      this.moniker[2 * (at + 1 + i)] = moniker % HIGH;
      this.moniker[2 * (at + 1 + i) + 1] = Math.floor(moniker / HIGH);
    });
  }

  private copy(tables: GraphTables, file: number, at: number): void {
    const start = tables.nodeBase[file];
    const end = tables.nodeBase[file + 1];
    this.name.set(tables.nodeName.subarray(start, end), at);
    this.kindCode.set(tables.nodeKind.subarray(start, end), at);
    this.flags.set(tables.nodeFlags.subarray(start, end), at);
    this.startLine.set(tables.nodeStartLine.subarray(start, end), at);
    this.endLine.set(tables.nodeEndLine.subarray(start, end), at);
    if (this.moniker.length > 0) this.moniker.set(tables.nodeMoniker.subarray(2 * start, 2 * end), 2 * at);
    const shift = at - start;
    for (let node = start; node < end; node++) {
      const container = tables.nodeContainer[node];
      this.container[node + shift] = container < 0 ? -1 : container + shift;
    }
  }

  /** Sorts the symbols by name (counting sort). */
  private sortByName(): { base: Uint32Array; nodes: Uint32Array } {
    const base = new Uint32Array(this.strings.length + 1);
    for (let node = 0; node < this.name.length; node++) if (!this.isFile(node)) base[this.name[node] + 1]++;
    for (let i = 0; i < this.strings.length; i++) base[i + 1] += base[i];
    const next = base.slice();
    const nodes = new Uint32Array(base[this.strings.length]);
    for (let node = 0; node < this.name.length; node++) if (!this.isFile(node)) nodes[next[this.name[node]]++] = node;
    return { base, nodes };
  }
}
