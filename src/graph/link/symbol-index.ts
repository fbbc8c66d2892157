/** Indexes of symbols by name: those of one file's facts, and all definitions of a snapshot, whose nodes are columns. */
import { SparseMap } from '../../base/cache.js';
import { addTo, firstFrom } from '../../base/lists.js';
import { SYMBOL_KINDS, type SymbolKind } from '../../extract/facts.js';
import { getOrMake } from '../../languages/roles/project.js';
import {
  type Binding,
  type Export,
  type Import,
  type ImportedName,
  PARENT,
  type Reference,
  type Relations,
  SIGNATURE,
} from '../../languages/roles/relation-facts.js';
import type { CompilerOccurrence } from '../../record/format.js';
import { decodeReferences, type LinkFacts, type LinkSymbol } from '../../record/link-facts.js';
import { decodeOccurrences } from '../../record/store.js';
import type { GraphTables, SourceFile } from '../tables.js';
import type { Strings } from './link-memory.js';
import { FUNCTIONS, SPACES, type SymbolRef, TYPES, VALUES } from './values.js';

export interface Alias {
  /** Index of the import in the file. */
  at: number;
  name: ImportedName;
}

const NO_NUMBERS: readonly number[] = [];
const NO_BINDINGS: readonly Binding[] = [];
const NO_ALIASES: readonly Alias[] = [];
const NO_EXPORTS: readonly Export[] = [];
const NO_REFERENCES: readonly Reference[] = [];
const NO_TYPES: readonly string[] = [];

/** Binding names of a function's result, and of the instance that a function outside of its type belongs to. */
export const RESULT = '()';
export const INSTANCE = 'this';
/** Binding name of the value of `this` in a method of an object literal. */
export const OWN = '{this}';
/** Binding names of values that a function hands to its callback, and `OWN`. */
const GIVEN: ReadonlySet<string> = new Set(['{}', '{=}', OWN]);

/** Maximum number of symbols of one name among which a definition is searched. Hostile input has thousands. */
const MAX_SAME_NAME = 500;

/** Facts without the references. */
export type IndexedFacts = Omit<LinkFacts, 'relations'> & { relations: Omit<Relations, 'references'> };

export class FileIndex {
  readonly symbols: readonly LinkSymbol[];
  readonly imports: readonly Import[];
  /** Names that a compiler resolved, in order; null if no compiler's index covers the file. */
  readonly occurrences: readonly CompilerOccurrence[] | null;
  /** Compiler's symbol for each symbol, 0 for none; null if no compiler's index covers the file. */
  readonly monikers: readonly number[] | null;
  /** Indexes of imports that bring all names of another file into scope. */
  readonly wildcards: number[] = [];
  /** First names of imports with dots: `import shop.cart` makes `shop` known. */
  readonly packages = new SparseMap<string, true>();
  private readonly symbolsByName = new SparseMap<string, number[]>();
  private readonly bindingsByName = new SparseMap<string, Binding[]>();
  private readonly results = new SparseMap<number, Binding>();
  private readonly parameters = new SparseMap<string, Binding>();
  private readonly further = new SparseMap<string, Binding[]>();
  private readonly typeParametersOf = new SparseMap<number, Binding[]>();
  private readonly instances = new SparseMap<number, Binding>();
  private readonly givenValues = new SparseMap<string, Binding>();
  private membersBySymbol: Map<number, number[]> | null = null;
  private outerFunctions: number[] | null = null;
  private readonly aliasesByName = new SparseMap<string, Alias[]>();
  private readonly exportsByName = new SparseMap<string, Export[]>();
  private readonly decoratorsOf = new SparseMap<number, string[]>();
  private readonly namedIn = new SparseMap<number, string[]>();
  private readonly heritageOf = new SparseMap<number, Reference[]>();
  private readonly statedParentsOf = new SparseMap<number, Binding[]>();

  readonly facts: IndexedFacts;
  private read: Reference[] | null;

  /** `bytes`: the facts as they are encoded, from which the references can be read again. */
  constructor(
    facts: LinkFacts,
    private readonly bytes: Uint8Array | null = null,
  ) {
    const { symbols, relations } = facts;
    const { references, ...others } = relations;
    this.facts = { ...facts, relations: others };
    this.read = bytes === null ? references : null;
    this.symbols = symbols;
    this.imports = relations.imports;
    for (let i = 0; i < symbols.length; i++) addTo(this.symbolsByName, symbols[i].name, i);
    for (const binding of relations.bindings) this.addBinding(binding);
    relations.imports.forEach((item, at) => {
      this.addImport(item, at);
    });
    for (const item of relations.exports) addTo(this.exportsByName, item.name, item);
    for (const reference of relations.references) {
      if (reference.symbol >= 0 && isHeritage(reference)) addTo(this.heritageOf, reference.symbol, reference);
      if (reference.kind === 'value' && reference.receiver === '' && SPACES.has(symbols[reference.symbol]?.kind))
        addTo(this.namedIn, reference.symbol, reference.name);
      if (reference.kind === 'decorator') addTo(this.decoratorsOf, reference.symbol, reference.name);
    }
    this.occurrences = facts.compiled === undefined ? null : decodeOccurrences(facts.compiled).occurrences;
    this.monikers = this.occurrences && this.monikersOf(this.occurrences);
  }

  /** References of the file: most of its facts, and asked for while it is linked alone. */
  get references(): Reference[] {
    this.read ??= this.bytes === null ? [] : decodeReferences(this.bytes);
    return this.read;
  }

  /** Forgets the references until somebody asks for them again. */
  release(): void {
    if (this.bytes !== null) this.read = null;
  }

  symbolsNamed(name: string): readonly number[] {
    return this.symbolsByName.get(name) ?? NO_NUMBERS;
  }

  bindingsNamed(name: string): readonly Binding[] {
    return this.bindingsByName.get(name) ?? NO_BINDINGS;
  }

  /** Binding of a function's result, if the facts have it. */
  result(symbol: number): Binding | undefined {
    return this.results.get(symbol);
  }

  /** All results (`()`) or parameters (`(0)`) of a symbol: a type that can be called has one per signature. */
  ofSignatures(symbol: number, name: string): readonly Binding[] {
    const first = name === RESULT ? this.results.get(symbol) : this.parameters.get(`${symbol} ${name}`);
    if (first === undefined) return NO_BINDINGS;
    const others = this.further.get(`${symbol} ${name}`);
    return others === undefined ? [first] : [first, ...others];
  }

  /** Binding of a function's parameter, if the facts have its type. */
  parameter(symbol: number, index: number): Binding | undefined {
    return this.parameters.get(`${symbol} (${index})`);
  }

  /** Types of all parameters of an overload; undefined for other functions. */
  signature(symbol: number): readonly string[] | undefined {
    const types = this.parameters.get(`${symbol} ${SIGNATURE}`)?.type;
    return types === undefined ? undefined : types === '' ? NO_TYPES : types.split(',');
  }

  /** Type parameters of a symbol, in order. */
  typeParameters(symbol: number): readonly Binding[] {
    return this.typeParametersOf.get(symbol) ?? NO_BINDINGS;
  }

  /** Binding with the type that a function outside of it belongs to. */
  instance(symbol: number): Binding | undefined {
    return this.instances.get(symbol);
  }

  /** Binding of the value that a function hands to its callback; `mark` is `{}` or `{=}`. */
  given(symbol: number, mark: string): Binding | undefined {
    return this.givenValues.get(`${symbol}${mark}`);
  }

  /** Symbols directly inside of a symbol, in order. */
  membersOf(symbol: number): readonly number[] {
    if (this.membersBySymbol === null) {
      this.membersBySymbol = new Map();
      for (let i = 0; i < this.symbols.length; i++) addTo(this.membersBySymbol, this.symbols[i].container, i);
    }
    return this.membersBySymbol.get(symbol) ?? NO_NUMBERS;
  }

  /** The innermost function or value around a symbol by its lines, whatever contains it by name; -1 for none. */
  functionAround(symbol: number): number {
    this.outerFunctions ??= functionsAround(this.symbols);
    return this.outerFunctions[symbol];
  }

  aliases(name: string): readonly Alias[] {
    return this.aliasesByName.get(name) ?? NO_ALIASES;
  }

  exportsNamed(name: string): readonly Export[] {
    return this.exportsByName.get(name) ?? NO_EXPORTS;
  }

  heritage(symbol: number): readonly Reference[] {
    return this.heritageOf.get(symbol) ?? NO_REFERENCES;
  }

  /** Bindings with the parents of a type that its text names with their arguments. */
  statedParents(symbol: number): readonly Binding[] {
    return this.statedParentsOf.get(symbol) ?? NO_BINDINGS;
  }

  isDecorated(symbol: number, names: ReadonlySet<string>): boolean {
    return this.decoratorsOf.get(symbol)?.some((name) => names.has(name)) ?? false;
  }

  /** Symbols with decorators, and the names of those. */
  decorated(): Iterable<[symbol: number, names: readonly string[]]> {
    return this.decoratorsOf;
  }

  /** Modules, and the names of values in them outside of their members. */
  naming(): Iterable<[module: number, names: readonly string[]]> {
    return this.namedIn;
  }

  namedInside(module: number): readonly string[] {
    return this.namedIn.get(module) ?? [];
  }

  exportNames(): Iterable<string> {
    return this.exportsByName.keys();
  }

  aliasNames(): Iterable<string> {
    return this.aliasesByName.keys();
  }

  /** Symbols that inherit from others, with the references to their parents. */
  inheriting(): Iterable<[symbol: number, references: readonly Reference[]]> {
    return this.heritageOf;
  }

  /** Matches a compiler's definitions with the innermost symbols of their name around their line. */
  private monikersOf(occurrences: readonly CompilerOccurrence[]): number[] {
    const found = new Array<number>(this.symbols.length).fill(0);
    const definitions = occurrences.filter(({ isDefinition }) => isDefinition);
    // A symbol with its decorators can hold a parameter of its own name.
    const ordered = [...definitions.filter(({ isLocal }) => !isLocal), ...definitions.filter(({ isLocal }) => isLocal)];
    for (const { line, name, moniker } of ordered) {
      const named = this.symbolsNamed(name);
      if (named.length > MAX_SAME_NAME) continue;
      const around = named.filter((i) => {
        const { startLine, endLine } = this.symbols[i];
        return startLine <= line && line <= endLine && found[i] === 0;
      });
      const innermost = around.at(-1);
      if (innermost !== undefined) found[innermost] = moniker;
    }
    return found;
  }

  private addBinding(binding: Binding): void {
    if (binding.name === RESULT) {
      if (!this.results.has(binding.scope) || this.results.get(binding.scope)?.type === '')
        this.results.set(binding.scope, binding);
      else this.addFurther(binding);
    } else if (GIVEN.has(binding.name)) this.givenValues.set(`${binding.scope}${binding.name}`, binding);
    else if (isParameter(binding.name)) {
      const key = `${binding.scope} ${binding.name}`;
      if (!this.parameters.has(key)) this.parameters.set(key, binding);
      else this.addFurther(binding);
    } else if (isTypeParameter(binding.name)) addTo(this.typeParametersOf, binding.scope, binding);
    else if (binding.name === INSTANCE) this.instances.set(binding.scope, binding);
    else if (binding.name === PARENT) addTo(this.statedParentsOf, binding.scope, binding);
    else addTo(this.bindingsByName, binding.name, binding);
  }

  private addFurther(binding: Binding): void {
    const kind = this.symbols[binding.scope]?.kind;
    if (kind === 'interface' || kind === 'type') addTo(this.further, `${binding.scope} ${binding.name}`, binding);
  }

  private addImport(item: Import, at: number): void {
    if (item.kind === 'declare') return;
    const whole = item.names.length === 0 && (item.kind === 'include' || item.kind === 'include-system');
    if (whole) this.wildcards.push(at);
    for (const name of item.names) {
      if (name.alias === '') this.wildcards.push(at);
      else addTo(this.aliasesByName, name.alias, { at, name });
      if (name.name === '*' && name.alias.includes('.'))
        this.packages.set(name.alias.slice(0, name.alias.indexOf('.')), true);
    }
  }
}

/** Is it the name of a binding for the type of a parameter: `(0)`? */
export function isParameter(name: string): boolean {
  return name.startsWith('(') && name !== RESULT;
}

/** Is it the name of a binding for a type parameter: `<T>`? */
export function isTypeParameter(name: string): boolean {
  return name.startsWith('<');
}

export function isHeritage({ kind }: Reference): boolean {
  return kind === 'extends' || kind === 'implements';
}

function functionsAround(symbols: readonly LinkSymbol[]): number[] {
  const open: number[] = [];
  return symbols.map(({ kind, startLine, endLine }, i) => {
    while (open.length > 0 && symbols[open[open.length - 1]].endLine < Math.max(startLine, endLine)) open.pop();
    const around = open.at(-1) ?? -1;
    if (FUNCTIONS.has(kind) || VALUES.has(kind)) open.push(i);
    return around;
  });
}

// Nodes of a snapshot as columns.

/** Kind of blocks that add to a type elsewhere, and state it by its name: `impl Cart`, `extension Cart`. */
const BLOCK = 'impl';

const EXPORTED = 1;
const FIXED = 2;
const ARITY_UNIT = 4;
/** Unit of the upper half of a moniker. */
const HIGH = 2 ** 32;
const KIND_CODES: ReadonlyMap<string, number> = new Map(SYMBOL_KINDS.map((kind, i) => [kind, i + 1]));

interface NodeSource {
  /** Number of the unchanged file in the previous graph, -1 if there is none. */
  before: number;
  symbols: readonly LinkSymbol[];
  /** Compiler's symbol of each symbol, 0 for none; null without compilers' records. */
  monikers: readonly number[] | null;
  lines: number;
}

/** Node columns as in `GraphTables`, but with preliminary numbers of strings. */
export class Nodes {
  readonly base: Uint32Array;
  readonly name: Uint32Array;
  readonly kindCode: Uint8Array;
  readonly flags: Uint8Array;
  /** Made for the first symbol that states types of its parameters. */
  parameters: Uint32Array = new Uint32Array(0);
  readonly container: Int32Array;
  readonly startLine: Uint32Array;
  readonly endLine: Uint32Array;
  /** As `GraphTables.nodeMoniker`. */
  readonly moniker: Uint32Array;
  private readonly file: Uint32Array;
  private byName: { base: Uint32Array; nodes: Uint32Array } | null = null;
  private byMoniker: Map<number, number[]> | null = null;
  private typeIds: Int32Array | null = null;
  private readonly idsOfTypes = new Map<string, number>();
  private readonly partsByName = new Map<string, Map<number, number[]>>();
  private readonly namesByPart = new Map<string, string[]>();

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

  /** Symbols of a name in one file, in order. */
  symbolsNamed(file: number, name: string): readonly number[] {
    const nodes = this.named(name);
    const [first, end] = [this.base[file] + 1, this.base[file + 1]];
    const found: number[] = [];
    for (let i = firstFrom(nodes.length, (at) => nodes[at] < first); i < nodes.length && nodes[i] < end; i++)
      found.push(nodes[i] - first);
    return found;
  }

  /** Does a file have a symbol of that name? */
  hasNamed(file: number, name: string): boolean {
    const nodes = this.named(name);
    return nodes[firstFrom(nodes.length, (at) => nodes[at] <= this.base[file])] < this.base[file + 1];
  }

  /** Names of symbols that begin or end with a part. */
  namesWith(part: string, isEnd: boolean): readonly string[] {
    const key = `${isEnd ? '*' : ''}${part}`;
    let found = this.namesByPart.get(key);
    if (found === undefined) {
      this.byName ??= this.sortByName();
      const { base } = this.byName;
      found = [];
      for (let id = 0; id + 1 < base.length; id++) {
        if (base[id] === base[id + 1]) continue;
        const name = this.strings.at(id);
        if (isEnd ? name.endsWith(part) : name.startsWith(part)) found.push(name);
      }
      // The numbers of strings depend on earlier snapshots.
      this.namesByPart.set(key, found.sort());
    }
    return found;
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
      addTo(found, moniker, node);
    }
    return found;
  }

  fileOf(node: number): number {
    return this.file[node];
  }

  nodeOf({ file, symbol }: SymbolRef): number {
    return this.base[file] + 1 + symbol;
  }

  refOf(node: number): SymbolRef {
    return { file: this.file[node], symbol: this.symbolOf(node) };
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

  /** The symbol as the facts of its file have it. */
  symbolAt(node: number): LinkSymbol {
    const flags = this.flags[node];
    const arity = Math.floor(flags / ARITY_UNIT) - 1;
    const parameters = this.parameters[node] ?? 0;
    const container = this.container[node];
    return {
      name: this.nameOf(node),
      kind: this.kind(node),
      container: this.isFile(container) ? -1 : this.symbolOf(container),
      exported: (flags & EXPORTED) !== 0,
      ...((flags & FIXED) !== 0 && { fixed: true as const }),
      ...(arity >= 0 && { arity }),
      ...(parameters > 0 && { parameters }),
      startLine: this.startLine[node],
      endLine: this.endLine[node],
    };
  }

  /** The name of a symbol with those of the symbols around it, however they are spelled: `Shop.Cart` for `class Shop::Cart`. */
  wholeName(node: number): string {
    const names: string[] = [];
    for (let at = node; at >= 0 && !this.isFile(at); at = this.container[at]) names.unshift(this.nameOf(at));
    return names.join('.').replaceAll('::', '.');
  }

  /** Equal for symbols of one kind and whole name, in whatever file. */
  typeId(node: number): number {
    this.typeIds ??= new Int32Array(this.name.length);
    if (this.typeIds[node] === 0) {
      const id = getOrMake(
        this.idsOfTypes,
        `${this.kindCode[node]} ${this.wholeName(node)}`,
        () => this.idsOfTypes.size + 1,
      );
      this.typeIds[node] = id;
    }
    return this.typeIds[node];
  }

  /** Types and modules of a name that can be parts of this one, in order: blocks for it, and what has its kind and whole name. */
  partsNamed(name: string, node: number): readonly number[] {
    if (this.kind(node) === BLOCK) return NO_NUMBERS;
    const groups = getOrMake(this.partsByName, name, () => this.groupParts(name));
    const blocks = groups.get(0) ?? NO_NUMBERS;
    const same = groups.get(this.typeId(node)) ?? NO_NUMBERS;
    return blocks.length === 0 ? same : [...blocks, ...same].sort((a, b) => a - b);
  }

  /** Types and modules of a name by `typeId`, and all blocks under 0. */
  private groupParts(name: string): Map<number, number[]> {
    const found = new Map<number, number[]>();
    for (const node of this.named(name)) {
      const kind = this.kind(node);
      if (TYPES.has(kind) || SPACES.has(kind)) addTo(found, kind === BLOCK ? 0 : this.typeId(node), node);
    }
    return found;
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
      this.flags[node] =
        (symbol.exported ? EXPORTED : 0) | (symbol.fixed ? FIXED : 0) | (((symbol.arity ?? -1) + 1) * ARITY_UNIT);
      if (symbol.parameters !== undefined) this.parametersOfAll()[node] = symbol.parameters;
      this.container[node] = at + 1 + symbol.container;
      this.startLine[node] = symbol.startLine;
      this.endLine[node] = symbol.endLine;
    });
    from.monikers?.forEach((moniker, i) => {
      this.moniker[2 * (at + 1 + i)] = moniker % HIGH;
      this.moniker[2 * (at + 1 + i) + 1] = Math.floor(moniker / HIGH);
    });
  }

  private parametersOfAll(): Uint32Array {
    if (this.parameters.length === 0) this.parameters = new Uint32Array(this.name.length);
    return this.parameters;
  }

  private copy(tables: GraphTables, file: number, at: number): void {
    const start = tables.nodeBase[file];
    const end = tables.nodeBase[file + 1];
    this.name.set(tables.nodeName.subarray(start, end), at);
    this.kindCode.set(tables.nodeKind.subarray(start, end), at);
    this.flags.set(tables.nodeFlags.subarray(start, end), at);
    const parameters = tables.nodeParameters.subarray(start, end);
    if (parameters.some((marks) => marks > 0)) this.parametersOfAll().set(parameters, at);
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
