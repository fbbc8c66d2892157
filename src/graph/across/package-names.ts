/** Lists the names that published packages export, and the names that a snapshot uses of packages outside of it. */
import type { PublishedPackage } from '../../languages/language.js';
import type { Import, Reference } from '../../languages/roles/relation-facts.js';
import type { Graph } from '../graph.js';
import { Recorder } from '../link/invalidation.js';
import { exportedBy } from '../link/modules.js';
import { QUESTIONS } from '../link/questions.js';
import { type FileIndex, RESULT } from '../link/symbol-index.js';
import { Context, type Snapshot } from '../link/symbol-table.js';
import type { SymbolRef } from '../link/values.js';
import { isType, membersOf, parentsOf } from '../query/uses.js';
import type { ExportedName, UsedName } from './facts.js';

/** Maximum numbers of modules, and of names of all of them together. More are hostile. */
const MAX_MODULES = 20_000;
const MAX_NAMES = 300_000;
/** Maximum number of parent types whose members count as a type's own. */
const MAX_PARENTS = 20;
/** Name of the export that replaces a whole module, as `link/modules.ts` has it. Importers know it as the default one. */
const WHOLE = '=';
const DEFAULT = 'default';
const TYPE_NAME = /^[*&\s]*(?:\w+\.)*([A-Za-z_$][\w$]*)/;

/** Lists exported names. `graph` and `snapshot` are of the same files. */
export function listExports(graph: Graph, snapshot: Snapshot, packages: readonly PublishedPackage[]): ExportedName[] {
  const found: ExportedName[] = [];
  let looked = 0;
  packages.forEach(({ modules }, at) => {
    for (const { specifier, files } of modules) {
      if (++looked > MAX_MODULES || found.length > MAX_NAMES) return;
      const listing = new Listing(graph, snapshot);
      for (const file of files) if (file >= 0) listing.addFile(file);
      found.push(...listing.names.map((name) => ({ package: at, module: specifier, ...name })));
    }
  });
  return found;
}

type Listed = Omit<ExportedName, 'package' | 'module'>;

/** Names of one module. */
class Listing {
  readonly names: Listed[] = [];
  private readonly known = new Set<string>();

  constructor(
    private readonly graph: Graph,
    private readonly snapshot: Snapshot,
  ) {}

  addFile(file: number): void {
    const ctx = new Context(this.snapshot, new Recorder(file, this.snapshot.nodes), QUESTIONS);
    for (const name of this.candidates(file, new Set())) {
      ctx.begin();
      const value = exportedBy(ctx, file, name, null)?.value;
      if (value?.is === 'symbol') this.addSymbol(name, file, value);
      else if (value?.is === 'files' && value.files.length > 0) {
        this.add({ name, path: this.snapshot.files[value.files[0]].path, symbol: null, line: 1 });
        if (value.files[0] !== file) this.addNamespace(ctx, name, value.files);
      }
    }
  }

  /** `export * as z from './external'`: members of `z`. */
  private addNamespace(ctx: Context, name: string, files: readonly number[]): void {
    for (const file of files)
      for (const member of this.candidates(file, new Set())) {
        ctx.begin();
        const value = exportedBy(ctx, file, member, null)?.value;
        if (value?.is === 'symbol') this.addSymbol(`${name}.${member}`, -1, value);
      }
  }

  /** Names that other files may import from a file, including those of files that it re-exports. */
  private candidates(file: number, seen: Set<number>): Set<string> {
    if (seen.has(file)) return new Set();
    seen.add(file);
    const names = this.ownExports(file);
    const { exports, importsAreExports } = this.snapshot.semantics(file);
    const exportsImports = importsAreExports && exports !== 'marked';
    this.index(file).imports.forEach((item, at) => {
      const isReexport = item.kind === 'reexport' || item.kind === 'type-reexport';
      if (!isReexport && (!exportsImports || item.symbol >= 0)) return;
      const resolved = this.snapshot.resolution(file, at, item);
      if (resolved.kind !== 'files') return;
      for (const { alias } of item.names)
        if (alias === '') this.addCandidates(names, resolved.files, seen);
        else if (!isLocalName(alias)) names.add(alias);
    });
    return names;
  }

  /** Adds the names of `export * from`, which leaves out the default export. */
  private addCandidates(names: Set<string>, files: readonly number[], seen: Set<number>): void {
    for (const file of files) for (const name of this.candidates(file, seen)) if (name !== DEFAULT) names.add(name);
  }

  /** Names that a file defines and exports. */
  private ownExports(file: number): Set<string> {
    const names = new Set<string>();
    const { everywhere } = this.snapshot.semantics(file);
    const { symbols, exportNames } = this.index(file);
    for (const { name, kind, exported, container } of symbols) {
      const isOuter = container < 0 || this.isSpace(symbols, container);
      if (exported && isOuter && kind !== 'impl' && !isLocalName(name)) names.add(name);
    }
    for (const name of exportNames()) {
      // Names with this prefix are known to all files, so none imports them.
      if (everywhere === '' || !name.startsWith(everywhere)) names.add(name === WHOLE ? DEFAULT : name);
    }
    return names;
  }

  private index(file: number) {
    const index = this.snapshot.index(file);
    return { symbols: index.symbols, imports: index.imports, exportNames: () => index.exportNames() };
  }

  private isSpace(symbols: readonly { kind: string; container: number }[], at: number): boolean {
    for (let container = at; container >= 0; container = symbols[container].container)
      if (symbols[container].kind !== 'namespace') return false;
    return true;
  }

  private addSymbol(name: string, module: number, { file, symbol }: SymbolRef): void {
    const node = this.nodeOf({ file, symbol });
    if (this.known.has(name) || node < 0) return;
    const result = this.snapshot.index(file).result(symbol)?.type;
    const type = result === undefined ? undefined : TYPE_NAME.exec(result)?.[1];
    this.add({
      name,
      path: this.graph.path(node),
      symbol: this.graph.qualifiedName(node),
      line: this.graph.startLine(node),
      ...(file !== module && { reexported: true }),
      ...(type !== undefined && { result: type }),
    });
    if (isType(this.graph, node) && !name.includes('.')) this.addMembers(name, node);
  }

  private addMembers(name: string, type: number): void {
    const seen = new Set([type]);
    for (let level = [type]; level.length > 0 && seen.size <= MAX_PARENTS; ) {
      for (const owner of level)
        for (const member of membersOf(this.graph, owner)) {
          const holder = this.graph.container(member);
          if (holder !== owner && this.graph.kind(holder) !== 'impl') continue;
          const simple = this.graph.name(member);
          if (isLocalName(simple)) continue;
          const place = { path: this.graph.path(member), symbol: this.graph.qualifiedName(member) };
          this.add({ name: `${name}.${simple}`, ...place, line: this.graph.startLine(member) });
        }
      const parents = level.flatMap((owner) => parentsOf(this.graph, owner)).filter((parent) => !seen.has(parent));
      // Code comes before declarations: an embedded struct has the body of a method, an interface only the name.
      level = parents.sort((a, b) => Number(this.isDeclared(a)) - Number(this.isDeclared(b)));
      for (const parent of level) seen.add(parent);
    }
  }

  private isDeclared(type: number): boolean {
    const kind = this.graph.kind(type);
    return kind === 'interface' || kind === 'trait';
  }

  private add(name: Listed): void {
    if (this.known.has(name.name)) return;
    this.known.add(name.name);
    this.names.push(name);
  }

  private nodeOf({ file, symbol }: SymbolRef): number {
    const { nodeBase } = this.graph.tables;
    const node = nodeBase[file] + 1 + symbol;
    return node < nodeBase[file + 1] ? node : -1;
  }
}

/** Is it the name of a result or parameter binding, or `__all__`? Other files use none of them. */
function isLocalName(name: string): boolean {
  return name === '' || name === '*' || name.includes('#') || name === '__all__' || name === RESULT;
}

// Used names.

/** Maximum number of names used by all files together. More are hostile. */
const MAX_USES = 300_000;
/** Maximum number of symbols around one that are looked at. */
const MAX_LEVELS = 64;
/** Maximum number of names of an import: `import a.b.c.d`. */
const MAX_ALIAS_NAMES = 4;
const PATH = /^[A-Za-z_$][\w$]*(?:\(\)|\[\])?(?:\.[A-Za-z_$][\w$]*(?:\(\)|\[\])?)*$/;
/** Name of a written type without its modifiers: `gin.Context` of `*gin.Context`. `Optional[Flask]` does not match. */
const TYPE_PATH = /^[*&?\s]*(?:const\s+|mut\s+|dyn\s+)*([A-Za-z_$][\w$]*(?:(?:\.|::|\\)[A-Za-z_$][\w$]*)*)/;

interface Meaning {
  specifier: string;
  /** `['Flask', 'route']`; empty for the module itself. */
  names: string[];
  /** See `UsedName.told`. */
  isInferred: boolean;
}

/** `ecosystemOf`: by language; undefined for languages without packages. */
export function listUses(snapshot: Snapshot, ecosystemOf: (language: string) => string | undefined): UsedName[] {
  const found: UsedName[] = [];
  for (let file = 0; file < snapshot.files.length && found.length < MAX_USES; file++) {
    const ecosystem = ecosystemOf(snapshot.files[file].language);
    if (ecosystem !== undefined) found.push(...new FileUses(snapshot, file, ecosystem).list());
  }
  return found;
}

class FileUses {
  private readonly index: FileIndex;
  private readonly foreign: ReadonlySet<number>;
  private readonly found = new Map<string, UsedName>();
  private readonly usedImports = new Set<string>();

  constructor(
    snapshot: Snapshot,
    private readonly file: number,
    private readonly ecosystem: string,
  ) {
    this.path = snapshot.files[file].path;
    this.index = snapshot.index(file);
    const isForeign = (item: Import, at: number) =>
      item.kind !== 'declare' && snapshot.resolution(this.file, at, item).kind === 'external';
    this.foreign = new Set(this.index.imports.flatMap((item, at) => (isForeign(item, at) ? [at] : [])));
  }

  private readonly path: string;

  list(): UsedName[] {
    if (this.foreign.size === 0) return [];
    for (const reference of this.index.references) {
      const meaning = this.meaningOf(reference);
      if (meaning !== null) this.add(meaning, reference);
    }
    for (const at of this.foreign) this.addImport(this.index.imports[at]);
    return [...this.found.values()];
  }

  private meaningOf({ receiver, name, symbol }: Reference): Meaning | null {
    if (receiver !== '' && !PATH.test(receiver)) return null;
    const path = receiver === '' ? [name] : [...receiver.split('.'), name];
    return this.ofPath(path, symbol, 0);
  }

  /** The foreign name that a path means in a scope. `steps`: declarations that were followed on the way; two are the most. */
  private ofPath(path: readonly string[], scope: number, steps: number): Meaning | null {
    const binding = this.bindingOf(path, scope);
    if (binding !== null && steps < 2) {
      // A mention of the value alone uses neither its type nor the function that made it.
      if (steps === 0 && path.length === binding.used) return null;
      const value = this.ofText(binding.type, scope, steps) ?? this.ofText(binding.value, scope, steps);
      if (value === null || value.names.length === 0) return null;
      const names = [...value.names, ...path.slice(binding.used).map(plain)];
      // A deeper name is a member of something unknown: its first names alone would be another use.
      return names.length > 2 ? null : { ...value, names, isInferred: true };
    }
    const found = this.aliasOf(path);
    if (found === null) return null;
    const rest = path.slice(found.used).map(plain);
    const names = found.name === '*' ? rest : [found.name, ...rest];
    return { specifier: found.specifier, names: names.slice(0, 2), isInferred: false };
  }

  /** The imported name that a path begins with. `import http.client` makes `http.client` known: two names of the path. */
  private aliasOf(path: readonly string[]): { specifier: string; name: string; used: number } | null {
    for (let used = Math.min(path.length, MAX_ALIAS_NAMES); used > 0; used--) {
      const alias = used === 1 ? plain(path[0]) : path.slice(0, used).map(plain).join('.');
      const found = this.index.aliases(alias).find(({ at }) => this.foreign.has(at));
      if (found !== undefined)
        return { specifier: this.index.imports[found.at].specifier, name: found.name.name, used };
    }
    return null;
  }

  /** The local, parameter or field that a path begins with, and how many names it takes. */
  private bindingOf(path: readonly string[], scope: number): { type: string; value: string; used: number } | null {
    const isField = path[0] === 'this';
    const name = isField ? path[1] : path[0];
    if (name === undefined) return null;
    const bindings = this.index.bindingsNamed(plain(name));
    if (bindings.length === 0) return null;
    for (let at = scope, level = 0; level < MAX_LEVELS; level++) {
      const own = bindings.find((binding) => binding.scope === at);
      if (own !== undefined && !(isField && at < 0)) return { ...own, used: isField ? 2 : 1 };
      if (at < 0) return null;
      at = this.index.symbols[at]?.container ?? -1;
    }
    return null;
  }

  /** The type that a declaration writes, or the one that a first value makes. */
  private ofText(written: string, scope: number, steps: number): Meaning | null {
    const value = written.replace(/^new /, '').slice(0, 200);
    const name = TYPE_PATH.exec(value)?.[1];
    return name === undefined ? null : this.ofPath(name.split(/\.|::|\\/), scope, steps + 1);
  }

  private add({ specifier, names, isInferred }: Meaning, { symbol, startLine }: Reference): void {
    const name = names.join('.');
    this.usedImports.add(`${specifier}\0${names[0] ?? ''}`);
    if (name === '') return;
    this.usedImports.add(`${specifier}\0`);
    this.put({ specifier, name, line: startLine, uses: 1, isInferred }, symbol);
  }

  /** Adds the mere import if none of its names is used. */
  private addImport({ specifier, names, symbol, startLine }: Import): void {
    const listed = names.length === 0 ? [''] : names.map(({ name }) => (name === '*' ? '' : name));
    for (const name of listed) {
      if (this.usedImports.has(`${specifier}\0${name}`)) continue;
      this.put({ specifier, name, line: startLine, uses: 0, isInferred: false }, symbol);
    }
  }

  private put(
    use: { specifier: string; name: string; line: number; uses: number; isInferred: boolean },
    symbol: number,
  ): void {
    const { isInferred, ...rest } = use;
    const key = `${symbol} ${rest.specifier}\0${rest.name}`;
    const known = this.found.get(key);
    if (known !== undefined) {
      known.uses += rest.uses;
      if (!isInferred) delete known.told;
      return;
    }
    const place = { path: this.path, symbol: this.qualifiedName(symbol) };
    this.found.set(key, { ecosystem: this.ecosystem, ...rest, ...place, ...(isInferred && { told: true }) });
  }

  private qualifiedName(symbol: number): string | null {
    const names: string[] = [];
    for (let at = symbol; at >= 0 && names.length < MAX_LEVELS; at = this.index.symbols[at].container)
      names.push(this.index.symbols[at].name);
    return names.length === 0 ? null : names.reverse().join('.');
  }
}

function plain(name: string): string {
  return name.replace(/(?:\(\)|\[\])$/, '');
}
