/**
 * Symbol table of a snapshot, and the context in which one file is linked: its view of the table, remembered answers,
 * and limits on the work. Each lookup in another file is recorded for the file that is being linked.
 */
import type { Semantics } from '../../languages/language.js';
import { conventionsOf, semanticsOf } from '../../languages/registry.js';
import {
  type Framework,
  frameworkOf,
  libraryNamesOf,
  libraryParentsOf,
  type Resolver,
  typeReaderOf,
} from '../../languages/resolver.js';
import { getOrMake } from '../../languages/roles/project.js';
import type { Binding, Export, Import, Reference } from '../../languages/roles/relation-facts.js';
import type { ReadType } from '../../languages/roles/type-expressions.js';
import type { LinkSymbol } from '../../record/link-facts.js';
import { classByName } from '../../search/path-classes.js';
import type { SourceFile } from '../tables.js';
import {
  frameworkName,
  MAX_FILE_SCANNED,
  monikerName,
  namesOfPath,
  PATHS,
  packagesOfPath,
  partName,
  pathName,
  Recorder,
  SharedAnswers,
  WILDCARDS,
} from './invalidation.js';
import type { SnapshotFiles } from './link-memory.js';
import type { Family } from './members.js';
import type { Alias, FileIndex, Nodes } from './symbol-index.js';
import type { Lineage } from './type-parts.js';
import {
  type AbstractValue,
  type ExpectedKinds,
  type NameResolution,
  rankOf,
  type SymbolRef,
  type TypeRef,
} from './values.js';

/** Mutually recursive functions, see `QUESTIONS`. */
type Questions = typeof import('./questions.js').QUESTIONS;

/** Maximum depth of nested queries. Access paths, aliases, re-exports and parents can be endless in hostile input. */
const MAX_DEPTH = 40;
/** Maximum number of queries for one reference. */
const MAX_STEPS = 500;
/** Maximum number of queries for all references of one file, about a second. */
const MAX_FILE_STEPS = 300_000;

/** State of the evaluation when a span in it began. */
interface Span {
  outermost: number;
  cutExports: number;
  isExporting: boolean;
}

export class Context {
  readonly symbols: SymbolTable;
  readonly accessPaths = new Map<string, AbstractValue | null>();
  readonly types = new Map<string, AbstractValue | null>();
  /** Values that properties of types can have, by type and property. */
  readonly memberValues = new Map<string, readonly string[] | null>();
  readonly genericAliases = new Map<string, SymbolRef | null>();
  /** How often an alias is being applied, by `keyOf`. It ends aliases that stand for themselves with other arguments. */
  readonly applying = new Map<number, number>();
  readonly parents = new Map<number, readonly TypeRef[]>();
  /** Members of types without arguments, by expected kinds, type and name. */
  readonly members = new Map<ExpectedKinds | null, Map<number, Map<string, NameResolution | null>>>();
  /** By type; the type itself and its instances apart. */
  readonly lineages = new Map<number, Lineage>();
  /** Number of types whose parents or parts are being found: until then they lack some. */
  unsettled = 0;
  /** Constructors that classes without their own inherit. */
  readonly constructors = new Map<number, SymbolRef | null>();
  readonly parts = new Map<number, readonly SymbolRef[]>();
  /** Files that imports of this one lead to. */
  loaded: ReadonlySet<number> | null = null;
  /** Bindings that are being evaluated, each with its depth. It ends cycles such as `x = x.next()`. */
  readonly active = new Map<Binding, number>();
  /** Exports looked up by the current query, to end cycles of files that re-export each other. */
  readonly exporting = new Set<string>();
  /** Remembered answers of `exportedBy`, by name, and by file and expected kinds. */
  readonly exports = new Map<string, Map<number, NameResolution | null>>();
  /** Members of types by name, as `evidence.ts` compares them. */
  readonly families = new Map<string, readonly Family[]>();
  /** Part with most methods of types that were asked for, by keys. */
  readonly mainParts = new Map<number, SymbolRef>();
  /** Names that the file asks of its values, by the place of the value. */
  asked: ReadonlyMap<string, ReadonlySet<string>> | null = null;
  /** Definitions of other files that names of this file mean without an import, by what is expected. */
  readonly withoutImport = new Map<ExpectedKinds, Map<string, NameResolution | null>>();
  /** Files that a file includes. */
  readonly included = new Map<number, ReadonlySet<number>>();
  private depth = 0;
  /** Depth of the outermost active binding on which answers of the current span depend; -1 for other limits. */
  private outermost = Number.POSITIVE_INFINITY;
  /** Number of exports left out because the query around them looks them up too. */
  private cutExports = 0;
  private steps = 0;
  private allSteps = 0;

  constructor(
    snapshot: Snapshot,
    readonly recorder: Recorder,
    readonly ask: Questions,
  ) {
    this.symbols = new SymbolTable(snapshot, recorder);
  }

  /** A context for an answer that all files share: as `file` sees it, with lookups of its own, and no deeper than this one. */
  forShared(file: number): Context {
    const inner = new Context(this.symbols.snapshot, new Recorder(file, this.symbols.snapshot.nodes, true), this.ask);
    inner.depth = this.depth;
    inner.unsettled = 1;
    return inner;
  }

  /** Is an answer the same later on? Not while types lack parents or parts, or an export is left out that is being looked up. */
  get isSettled(): boolean {
    return this.unsettled === 0 && this.exporting.size === 0;
  }

  /** Was a query left out because of its depth, so that the answer may be another one elsewhere? */
  get isCut(): boolean {
    return this.outermost < 0;
  }

  get file(): number {
    return this.recorder.file;
  }

  /** Resets the limits of one reference. Must be called before each reference. */
  begin(): void {
    this.depth = 0;
    this.steps = 0;
  }

  /** Starts a query unless a limit is reached. Returns false if it must not run; otherwise `leave` must follow. */
  enter(): boolean {
    if (this.depth >= MAX_DEPTH) this.outermost = -1;
    if (this.depth >= MAX_DEPTH || this.exhausted) return false;
    this.depth++;
    this.steps++;
    this.allSteps++;
    return true;
  }

  leave(): void {
    this.depth--;
  }

  /** Is the binding being evaluated? Its value cannot be part of itself, so the current answer depends on it. */
  isActive(binding: Binding): boolean {
    const number = this.active.get(binding);
    if (number !== undefined) this.outermost = Math.min(this.outermost, number);
    return number !== undefined;
  }

  /** Notes that the current answer ended a recursion, so it would be another one elsewhere. */
  cut(): void {
    this.outermost = -1;
  }

  /** Notes that an export was left out because the query around this one looks it up too. */
  cutExport(): void {
    this.cutExports++;
  }

  /** Starts a span: the evaluation of one answer. `endSpan` must follow. */
  startSpan(): Span {
    const { outermost, cutExports } = this;
    this.outermost = Number.POSITIVE_INFINITY;
    return { outermost, cutExports, isExporting: this.exporting.size > 0 };
  }

  /** Ends a span. Returns whether its answer is the same everywhere, so that it may be remembered. */
  endSpan({ outermost, cutExports, isExporting }: Span): boolean {
    const own = this.outermost;
    this.outermost = Math.min(own, outermost);
    if (this.exhausted) return false;
    return this.active.size === 0 || (own >= this.active.size && !(isExporting && this.cutExports > cutExports));
  }

  /** Was a limit reached? Then the last answer may be incomplete and must not be remembered. */
  get exhausted(): boolean {
    return this.steps >= MAX_STEPS || this.allSteps >= MAX_FILE_STEPS || this.symbols.scanned >= MAX_FILE_SCANNED;
  }
}

/** Resolution of an import, with files by number. */
export type ResolvedImport =
  | { kind: 'files'; files: readonly number[]; tier: 'path' | 'package' }
  | { kind: 'external' }
  | { kind: 'unresolved' };

const EXTERNAL: ResolvedImport = { kind: 'external' };
const UNRESOLVED: ResolvedImport = { kind: 'unresolved' };

/** Folders of tests, including helper files that are not tests themselves. */
const TEST_FOLDER = /(?:^|\/)tests?\//;

/** Data that linking all files shares: semantics, path numbers and resolved imports. */
export class Snapshot {
  private readonly semanticsByFile: Semantics[];
  readonly numbers: ReadonlyMap<string, number>;
  private readonly lists = new WeakMap<readonly string[], readonly number[]>();
  private readonly paths = new Map<string, readonly number[]>();
  private readonly resolved = new Map<number, ResolvedImport[]>();
  private readonly tests: boolean[] = [];
  private readonly symbols = new Map<number, LinkSymbol>();
  readonly parents = new SharedAnswers<readonly TypeRef[]>([]);
  readonly parts = new SharedAnswers<readonly SymbolRef[]>([]);
  /** By file. */
  readonly included = new SharedAnswers<ReadonlySet<number>>(new Set());
  private readonly frameworks = new Map<string, Framework | null>();
  readonly index: (file: number) => FileIndex;
  /** Does the text of a symbol name parents? */
  readonly inherits: (file: number, symbol: number) => boolean;

  constructor(
    readonly files: readonly SourceFile[],
    readonly nodes: Nodes,
    readonly resolver: Resolver,
    private readonly facts: Pick<SnapshotFiles, 'index' | 'inherits' | 'isRead'>,
  ) {
    this.index = facts.index;
    this.inherits = facts.inherits;
    const known = new Map<string, Semantics>();
    this.semanticsByFile = files.map(({ language }) => {
      const semantics = known.get(language) ?? semanticsOf(language);
      known.set(language, semantics);
      return semantics;
    });
    this.numbers = new Map(files.map(({ path }, i) => [path, i]));
  }

  semantics(file: number): Semantics {
    return this.semanticsByFile[file];
  }

  /** Symbols of a name in a file, in order. Most files that are asked have none, which the nodes tell without reading the facts. */
  symbolsNamed(file: number, name: string): readonly number[] {
    return this.facts.isRead(file) ? this.index(file).symbolsNamed(name) : this.nodes.symbolsNamed(file, name);
  }

  /** A symbol of a file. Of most files that are asked, only the nodes are looked at. */
  symbol(file: number, symbol: number): LinkSymbol {
    if (this.facts.isRead(file)) return this.index(file).symbols[symbol];
    const node = this.nodes.base[file] + 1 + symbol;
    return getOrMake(this.symbols, node, () => this.nodes.symbolAt(node));
  }

  /** The framework of a language, if the repository uses it. */
  framework(language: string): Framework | null {
    let found = this.frameworks.get(language);
    if (found === undefined) {
      const framework = frameworkOf(language);
      const isUsed = framework !== undefined && this.files.some(({ path }) => framework.path.test(path));
      found = isUsed ? { ...framework, names: new Set([...framework.names, ...this.columnsOf(framework)]) } : null;
      this.frameworks.set(language, found);
    }
    return found;
  }

  /** Columns of tables, which a framework makes attributes: first arguments of calls on the table. */
  private columnsOf({ schema, table }: Framework): string[] {
    return this.files.flatMap(({ path }, file) =>
      schema.test(path)
        ? this.index(file).references.flatMap(({ receiver, literal }) =>
            receiver === table && literal !== '' ? [literal] : [],
          )
        : [],
    );
  }

  /** Is it a test, or a helper file beside tests? */
  isTest(file: number): boolean {
    const { path } = this.files[file];
    this.tests[file] ??= TEST_FOLDER.test(path) || classByName(path) === 'test';
    return this.tests[file];
  }

  /** Resolves import number `at` of a file. */
  resolution(file: number, at: number, item: Import): ResolvedImport {
    const list = this.resolved.get(file) ?? [];
    this.resolved.set(file, list);
    list[at] ??= this.resolve(file, item);
    return list[at];
  }

  filesOfPath(file: number, scope: number, specifier: string): readonly number[] {
    const key = `${file} ${scope} ${specifier}`;
    let files = this.paths.get(key);
    if (files === undefined) {
      const names = [{ name: '*', alias: specifier }];
      const found = this.resolve(file, { kind: 'import', specifier, names, symbol: scope, startLine: 0, endLine: 0 });
      files = found.kind === 'files' ? found.files : [];
      this.paths.set(key, files);
    }
    return files;
  }

  private resolve(file: number, item: Import): ResolvedImport {
    const found = this.resolver.resolve(file, item);
    if (found.kind === 'external') return EXTERNAL;
    if (found.kind !== 'files') return UNRESOLVED;
    let files = this.lists.get(found.paths);
    if (files === undefined) {
      files = found.paths.map((path) => this.numbers.get(path) ?? -1).filter((number) => number >= 0);
      this.lists.set(found.paths, files);
    }
    return files.length === 0 ? UNRESOLVED : { kind: 'files', files, tier: found.tier };
  }
}

const PACKAGE = /(?:^|\/)__init__\.\w+$/;

export class SymbolTable {
  /** Number of items of equal name that were scanned. In hostile input each use of a name can have thousands. */
  scanned = 0;

  constructor(
    readonly snapshot: Snapshot,
    readonly recorder: Recorder,
  ) {}

  semantics(file: number): Semantics {
    return this.snapshot.semantics(file);
  }

  /** The language's own reader of types; undefined for the default one. */
  readType(file: number): ReadType | undefined {
    return typeReaderOf(this.language(file));
  }

  /** Do libraries of the language that is being linked have members of that name? Then the name shows nothing. */
  isLibraryName(name: string): boolean {
    const names = libraryNamesOf(this.language(this.recorder.file));
    return names.has(name) || this.framework()?.names.has(name) === true;
  }

  /** The framework that the repository uses, if the language that is being linked has one. */
  framework(): Framework | null {
    const language = this.language(this.recorder.file);
    if (frameworkOf(language) === undefined) return null;
    this.recorder.noteEverywhere(frameworkName(language));
    return this.snapshot.framework(language);
  }

  /** Parents of types of libraries that a file of the repository can name, by simple names. */
  libraryParents(file: number): ReadonlyMap<string, readonly string[]> {
    return libraryParentsOf(this.language(file));
  }

  /** Do collections or strings of the language that is being linked have a member of that name? */
  isContainerName(name: string): boolean {
    return conventionsOf(this.language(this.recorder.file)).containerNames?.has(name) === true;
  }

  language(file: number): string {
    return this.snapshot.files[file].language;
  }

  path(file: number): string {
    return this.snapshot.files[file].path;
  }

  /** Returns a symbol without recording it. The symbol must have been found by a lookup that was recorded. */
  symbol(file: number, symbol: number): LinkSymbol {
    return this.snapshot.symbol(file, symbol);
  }

  /** The function or value around the text of a symbol, -1 for none. Lines are not recorded: only for the file being linked. */
  functionAround(file: number, symbol: number): number {
    return this.snapshot.index(file).functionAround(symbol);
  }

  symbolsNamed(file: number, name: string): readonly number[] {
    this.recorder.note(file, name);
    return this.counted(this.snapshot.symbolsNamed(file, name));
  }

  bindingsNamed(file: number, name: string): readonly Binding[] {
    this.recorder.note(file, name);
    return this.counted(this.snapshot.index(file).bindingsNamed(name));
  }

  /** The first symbol of that name directly inside of a symbol; -1 for none. */
  childNamed(file: number, holder: number, name: string): number {
    return this.symbolsNamed(file, name).find((symbol) => this.symbol(file, symbol).container === holder) ?? -1;
  }

  /** Does the symbol contain others? Those follow it in the file. */
  hasMembers(file: number, symbol: number): boolean {
    const { base, container } = this.snapshot.nodes;
    const node = base[file] + 1 + symbol;
    return node + 1 < base[file + 1] && container[node + 1] === node;
  }

  /** The file's facts, for a lookup about a symbol, which is recorded under its name. */
  private indexOf(file: number, symbol: number): FileIndex {
    const index = this.snapshot.index(file);
    this.recorder.note(file, index.symbols[symbol].name);
    return index;
  }

  result(file: number, symbol: number): Binding | undefined {
    return this.indexOf(file, symbol).result(symbol);
  }

  parameter(file: number, symbol: number, number: number): Binding | undefined {
    return this.indexOf(file, symbol).parameter(symbol, number);
  }

  /** Do uses lead to the overloads that the text may mean? */
  areOverloadsTold(file: number): boolean {
    return conventionsOf(this.language(file)).overloadsAreTold === true;
  }

  /** Types of all parameters of an overload; undefined for other functions. */
  signature(file: number, symbol: number): readonly string[] | undefined {
    return this.indexOf(file, symbol).signature(symbol);
  }

  /** Results (`()`) or parameters (`(0)`) of all signatures of a type that can be called. */
  ofSignatures(file: number, symbol: number, name: string): readonly Binding[] {
    return this.indexOf(file, symbol).ofSignatures(symbol, name);
  }

  /** Type parameters of a symbol by their names, in order. */
  typeParameters(file: number, symbol: number): readonly Binding[] {
    return this.indexOf(file, symbol).typeParameters(symbol);
  }

  instance(file: number, symbol: number): Binding | undefined {
    return this.indexOf(file, symbol).instance(symbol);
  }

  given(file: number, symbol: number, mark: string): Binding | undefined {
    return this.indexOf(file, symbol).given(symbol, mark);
  }

  /** Symbols directly inside of a symbol. */
  membersOf(file: number, symbol: number): readonly number[] {
    return this.indexOf(file, symbol).membersOf(symbol);
  }

  heritage(file: number, symbol: number): readonly Reference[] {
    return this.indexOf(file, symbol).heritage(symbol);
  }

  statedParents(file: number, symbol: number): readonly Binding[] {
    return this.indexOf(file, symbol).statedParents(symbol);
  }

  /** Names of values in a module outside of its members: `cart` for `export = cart`. */
  namedInside(file: number, module: number): readonly string[] {
    return this.indexOf(file, module).namedInside(module);
  }

  aliases(file: number, name: string): readonly Alias[] {
    this.recorder.note(file, name);
    return this.counted(this.snapshot.index(file).aliases(name));
  }

  exportsNamed(file: number, name: string): readonly Export[] {
    this.recorder.note(file, name);
    return this.counted(this.snapshot.index(file).exportsNamed(name));
  }

  /** Indexes of imports that bring all names of another file into scope. */
  wildcards(file: number): readonly number[] {
    this.recorder.note(file, WILDCARDS);
    return this.snapshot.index(file).wildcards;
  }

  import(file: number, at: number): Import {
    return this.snapshot.index(file).imports[at];
  }

  resolution(file: number, at: number): ResolvedImport {
    return this.snapshot.resolution(file, at, this.import(file, at));
  }

  /** Files of a module or package that is named at the use, without an import; empty if the repository has none. */
  filesOfPath(file: number, scope: number, specifier: string): readonly number[] {
    if (!this.semantics(file).pathsByName) this.recorder.noteEverywhere(PATHS);
    else {
      for (const name of namesOfPath(specifier)) this.recorder.noteEverywhere(pathName(name));
      for (const name of packagesOfPath(specifier)) this.recorder.noteEverywhere(name);
    }
    return this.snapshot.filesOfPath(file, scope, specifier);
  }

  /** Does a decorator make the symbol a getter, a function for `with`, or a fixture? */
  isDecorated(file: number, symbol: number, meaning: 'getters' | 'contextMakers' | 'fixtures'): boolean {
    const names = this.semantics(file)[meaning];
    return names.size > 0 && this.snapshot.index(file).isDecorated(symbol, names);
  }

  /** Files of the package whose modules the file imports (`shop` after `import shop.cart`). */
  importedPackage(file: number, name: string): readonly number[] {
    if (!this.semantics(file).submodules || !this.snapshot.index(file).packages.has(name)) return [];
    return this.filesOfPath(file, -1, name);
  }

  /** Files of a module that is a member of a package, which is `file`. */
  submodule(file: number, name: string): readonly number[] {
    if (!this.semantics(file).submodules || !PACKAGE.test(this.path(file))) return [];
    return this.filesOfPath(file, -1, `.${name}`);
  }

  /** Nodes of all symbols of that name in the repository. */
  definitions(name: string): Uint32Array {
    this.recorder.noteEverywhere(name);
    return this.snapshot.nodes.named(name);
  }

  /** Names of symbols in the repository that begin or end with a part. */
  namesWith(part: string, isEnd: boolean): readonly string[] {
    this.recorder.noteEverywhere(partName(part, isEnd));
    return this.snapshot.nodes.namesWith(part, isEnd);
  }

  /** Nodes of symbols of that name. Only a change of the name with the prefix `everywhere` has the file linked again. */
  everywhere(everywhere: string, name: string): Uint32Array {
    this.recorder.noteEverywhere(everywhere + name);
    return this.snapshot.nodes.named(name);
  }

  /** Nodes that a compiler's symbol is defined at. */
  definedAs(moniker: number): readonly number[] {
    this.recorder.noteEverywhere(monikerName(moniker));
    return this.counted(this.snapshot.nodes.definedAs(moniker));
  }

  /** Does a compiler's index cover the file? The file must have been found by a lookup that was recorded. */
  isCompiled(file: number): boolean {
    return this.snapshot.files[file].compiled !== undefined;
  }

  counted<List extends { length: number }>(list: List): List {
    this.scanned += list.length;
    return list;
  }

  sameFamily(file: number, other: number): boolean {
    return this.semantics(file).family === this.semantics(other).family;
  }

  /** Is the symbol at top level, or only inside namespaces, in a language where those do not count? */
  isOuter(file: number, symbol: number): boolean {
    const { openEnums, openNamespaces } = this.semantics(file);
    const { nodes } = this.snapshot;
    return nodes.isOuter(nodes.base[file] + 1 + symbol, openNamespaces, openEnums);
  }

  /** Returns the symbol of the best expected kind, the first among equals; -1 if no kind is expected. */
  best(file: number, symbols: Iterable<number>, expected: ExpectedKinds): number {
    let chosen = -1;
    let chosenRank = Number.POSITIVE_INFINITY;
    for (const symbol of symbols) {
      const rank = rankOf(this.symbol(file, symbol).kind, expected);
      if (rank < 0 || rank >= chosenRank) continue;
      chosen = symbol;
      chosenRank = rank;
    }
    return chosen;
  }
}
