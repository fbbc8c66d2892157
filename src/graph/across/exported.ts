/** Lists the names that the modules of published packages export, each with its definition. */
import type { PublishedPackage } from '../../languages/roles/packages.js';
import type { Graph } from '../graph.js';
import { Context } from '../link/context.js';
import { exportedBy } from '../link/exports.js';
import { RESULT } from '../link/file-index.js';
import { QUESTIONS } from '../link/questions.js';
import { Recorder } from '../link/recorder.js';
import type { Snapshot } from '../link/symbol-table.js';
import type { SymbolRef } from '../link/values.js';
import { isType, membersOf, parentsOf } from '../query/uses.js';
import type { ExportedName } from './facts.js';

/** Modules, and names of all of them together: more are made to be slow. */
const MAX_MODULES = 20_000;
const MAX_NAMES = 300_000;
/** Types above one whose members count as its own. */
const MAX_PARENTS = 20;
const WHOLE = '=';
const DEFAULT = 'default';
const TYPE_NAME = /^[*&\s]*(?:\w+\.)*([A-Za-z_$][\w$]*)/;

/** `graph`: of the same files as `snapshot`. */
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
    const ctx = new Context(this.snapshot, new Recorder(file), QUESTIONS);
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

  /** Names that other files may import from a file, those of files that it passes on among them. */
  private candidates(file: number, seen: Set<number>): Set<string> {
    const names = new Set<string>();
    if (seen.has(file)) return names;
    seen.add(file);
    const { exports, everywhere, importsAreExports } = this.snapshot.semantics(file);
    const { symbols, imports, ...index } = this.index(file);
    for (const { name, kind, exported, container } of symbols) {
      const isOuter = container < 0 || this.isSpace(symbols, container);
      if (exported && isOuter && kind !== 'impl' && !isLocalName(name)) names.add(name);
    }
    for (const name of index.exportNames()) {
      // A name that all files know is imported by none.
      if (everywhere === '' || !name.startsWith(everywhere)) names.add(name === WHOLE ? DEFAULT : name);
    }
    imports.forEach((item, at) => {
      const isReexport = item.kind === 'reexport' || item.kind === 'type-reexport';
      if (!isReexport && (!importsAreExports || exports === 'marked' || item.symbol >= 0)) return;
      const resolved = this.snapshot.resolution(file, at, item);
      if (resolved.kind !== 'files') return;
      for (const { alias } of item.names)
        if (alias !== '' && !isLocalName(alias)) names.add(alias);
        else if (alias === '')
          for (const other of resolved.files)
            for (const name of this.candidates(other, seen)) if (name !== DEFAULT) names.add(name);
    });
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
      ...{
        name,
        path: this.graph.path(node),
        symbol: this.graph.qualifiedName(node),
        line: this.graph.startLine(node),
      },
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
      // Code before its declaration: an embedded struct has the body of a method, an interface the name.
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

/** Bindings of results and parameters have such names, and `__all__` is no name that others use. */
function isLocalName(name: string): boolean {
  return name === '' || name === '*' || name.includes('#') || name === '__all__' || name === RESULT;
}
