/** Lists the names that a snapshot uses of packages outside of it. */
import type { Import, Reference } from '../../languages/roles/relation-facts.js';
import type { FileIndex } from '../link/file-index.js';
import type { Snapshot } from '../link/symbol-table.js';
import type { UsedName } from './facts.js';

/** Names used by all files together: more are made to be slow. */
const MAX_USES = 300_000;
const MAX_LEVELS = 64;
const MAX_ALIAS_NAMES = 4;
const PATH = /^[A-Za-z_$][\w$]*(?:\(\)|\[\])?(?:\.[A-Za-z_$][\w$]*(?:\(\)|\[\])?)*$/;
/** The name of a type as written, without what wraps it: `*gin.Context`, `Optional[Flask]` stays as it is. */
const TYPE_PATH = /^[*&?\s]*(?:const\s+|mut\s+|dyn\s+)*([A-Za-z_$][\w$]*(?:(?:\.|::|\\)[A-Za-z_$][\w$]*)*)/;

interface Told {
  specifier: string;
  /** `['Flask', 'route']`; empty for the module itself. */
  names: string[];
  told: boolean;
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
    for (const reference of this.index.facts.relations.references) {
      const told = this.meaningOf(reference);
      if (told !== null) this.add(told, reference);
    }
    for (const at of this.foreign) this.addImport(this.index.imports[at]);
    return [...this.found.values()];
  }

  private meaningOf({ receiver, name, symbol }: Reference): Told | null {
    if (receiver !== '' && !PATH.test(receiver)) return null;
    const path = receiver === '' ? [name] : [...receiver.split('.'), name];
    return this.ofPath(path, symbol, 0);
  }

  private ofPath(path: readonly string[], scope: number, steps: number): Told | null {
    const binding = this.bindingOf(path, scope);
    if (binding !== null && steps < 2) {
      // A mention of the value alone is no use of its type, nor of the function that made it.
      if (steps === 0 && path.length === binding.used) return null;
      const value = this.ofText(binding.type, scope, steps) ?? this.ofText(binding.value, scope, steps);
      if (value === null || value.names.length === 0) return null;
      const names = [...value.names, ...path.slice(binding.used).map(plain)];
      // A deeper name is a member of something that is not known: its first names alone would be another use.
      return names.length > 2 ? null : { ...value, names, told: true };
    }
    const found = this.aliasOf(path);
    if (found === null) return null;
    const rest = path.slice(found.used).map(plain);
    const names = found.name === '*' ? rest : [found.name, ...rest];
    return { specifier: found.specifier, names: names.slice(0, 2), told: false };
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

  /** The local, the parameter or the field that a path begins with, and how many of its names that takes. */
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
  private ofText(written: string, scope: number, steps: number): Told | null {
    const value = written.replace(/^new /, '').slice(0, 200);
    const name = TYPE_PATH.exec(value)?.[1];
    return name === undefined ? null : this.ofPath(name.split(/\.|::|\\/), scope, steps + 1);
  }

  private add({ specifier, names, told }: Told, { symbol, startLine }: Reference): void {
    const name = names.join('.');
    this.usedImports.add(`${specifier}\0${names[0] ?? ''}`);
    if (name === '') return;
    this.usedImports.add(`${specifier}\0`);
    this.put({ specifier, name, line: startLine, uses: 1, told }, symbol);
  }

  /** The import alone, where none of its names is used. */
  private addImport({ specifier, names, symbol, startLine }: Import): void {
    const listed = names.length === 0 ? [''] : names.map(({ name }) => (name === '*' ? '' : name));
    for (const name of listed) {
      if (this.usedImports.has(`${specifier}\0${name}`)) continue;
      this.put({ specifier, name, line: startLine, uses: 0, told: false }, symbol);
    }
  }

  private put(
    use: { specifier: string; name: string; line: number; uses: number; told: boolean },
    symbol: number,
  ): void {
    const { told, ...rest } = use;
    const key = `${symbol} ${rest.specifier}\0${rest.name}`;
    const known = this.found.get(key);
    if (known !== undefined) {
      known.uses += rest.uses;
      if (!told) delete known.told;
      return;
    }
    const place = { path: this.path, symbol: this.qualifiedName(symbol) };
    this.found.set(key, { ecosystem: this.ecosystem, ...rest, ...place, ...(told && { told: true }) });
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
