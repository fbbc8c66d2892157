/**
 * Imports and crates of Rust: the crates of the repository, and the files of their modules. Modules without a file of their own are part of
 * their parent's.
 */
import type { Dependency, PackageRules, PublishedModule, PublishedPackage } from '../language.js';
import {
  ancestors,
  baseName,
  directoryOf,
  entries,
  external,
  field,
  getOrMake,
  type ImportResolver,
  type ImportRules,
  type Json,
  join,
  type Project,
  parseToml,
  type Resolution,
  type Specified,
  stemOf,
  text,
  UNRESOLVED,
  under,
} from '../roles/project.js';

/** Files whose child modules are next to them, and not in a directory of their name. */
const DIRECTORY_FILES: ReadonlySet<string> = new Set(['mod.rs', 'lib.rs', 'main.rs']);

const TYPE = /^[A-Z]/;

export const RUST: ImportRules = {
  readsNames: true,
  create: (project) => new Rust(project),
};

/** A module: the file with its text, and the directory with its children's files. */
interface Module {
  file: number;
  directory: string;
}

class Rust implements ImportResolver {
  private readonly crates: Crates;

  constructor(private readonly project: Project) {
    this.crates = new Crates(project);
  }

  resolve(file: number, specified: Specified): Resolution {
    const { specifier } = specified;
    if (specified.kind === 'module') return this.declaredModule(file, specified);
    const names = specifier.split('::').filter((name) => name !== '');
    if (names.length === 0) return UNRESOLVED;
    const start = this.start(file, specified, names);
    if (start === null) {
      return this.crates.mayDependOn(names[0], this.project.directory(file)) ? external(names[0]) : UNRESOLVED;
    }
    const place = this.walk(start.module, names.slice(start.used));
    const files = this.withNames(place.module, place.isWhole, specified.names).filter((found) => found >= 0);
    return files.length === 0 ? UNRESOLVED : this.project.toFiles([...new Set(files)], 'path');
  }

  /** The file of `mod x;`, or the one that `#[path]` names, relative to the directory of the file itself. */
  private declaredModule(file: number, specified: Specified): Resolution {
    const { specifier } = specified;
    if (specifier.endsWith('.rs') || specifier.includes('/')) {
      const path = join(this.project.directory(file), specifier);
      return (path === null ? null : this.project.at(path)) ?? UNRESOLVED;
    }
    const found = this.child(this.within(file, this.enclosing(file, specified)), specifier);
    return found === null ? UNRESOLVED : this.project.toFiles([found.file], 'path');
  }

  /** The module that the rest of the path starts from, and the number of names that led there; null outside of the repository. */
  private start(file: number, specified: Specified, names: readonly string[]): { module: Module; used: number } | null {
    const inline = [...this.enclosing(file, specified)];
    const [first] = names;
    if (first === 'crate' || first === '$crate') return { module: this.rootOf(file), used: 1 };
    if (first === 'self') return this.climb(file, inline, names, 1);
    if (first === 'super') return this.climb(file, inline, names, 0);
    // Since 2018 a path may begin with a child of the current module; otherwise a crate of that name comes first.
    const here = this.within(file, inline);
    if (!specified.specifier.startsWith('::') && this.child(here, first) !== null) return { module: here, used: 0 };
    // Names of a type: `use Kind::*` of an enum of this file. Names of crates are in small letters.
    if (TYPE.test(first)) return { module: here, used: 0 };
    const crate = this.crates.find(first, this.project.directory(file));
    if (crate !== null) return { module: this.crateRoot(crate), used: 1 };
    return this.project.input.topLevelNames(file).includes(first) ? { module: here, used: 0 } : null;
  }

  private climb(
    file: number,
    inline: string[],
    names: readonly string[],
    used: number,
  ): { module: Module; used: number } {
    let at = file;
    let count = used;
    while (names[count] === 'super') {
      count++;
      if (inline.pop() === undefined) at = this.parent(at);
      if (at < 0) return { module: { file: -1, directory: '' }, used: count };
    }
    return { module: this.within(at, inline), used: count };
  }

  private enclosing(file: number, { symbol }: Specified): readonly string[] {
    if (symbol === undefined || symbol < 0) return [];
    return this.project.input.enclosingModules?.(file, symbol) ?? [];
  }

  /** An inline module of a file. */
  private within(file: number, inline: readonly string[]): Module {
    return { file, directory: inline.reduce(under, this.childDirectory(file)) };
  }

  /** Follows names as long as they are modules with files; the other names are in the text of the last one. */
  private walk(start: Module, names: readonly string[]): { module: Module; isWhole: boolean } {
    let module = start;
    for (const name of names) {
      const next = this.child(module, name);
      if (next === null) return { module, isWhole: false };
      module = next;
    }
    return { module, isWhole: true };
  }

  /** Files of imported names: a name that is a module has its file; any other is defined or re-exported by the module itself. */
  private withNames(module: Module, isWhole: boolean, names: Specified['names']): number[] {
    if (!isWhole || names.length === 0) return [module.file];
    return names.map(({ name }) => (name === '*' ? module.file : (this.child(module, name)?.file ?? module.file)));
  }

  private child({ directory }: Module, name: string): Module | null {
    const below = under(directory, name);
    let file = this.project.find(`${below}.rs`);
    if (file < 0) file = this.project.find(`${below}/mod.rs`);
    return file < 0 ? null : { file, directory: below };
  }

  private childDirectory(file: number): string {
    const path = this.project.path(file);
    if (DIRECTORY_FILES.has(baseName(path)) || this.crates.isRoot(path)) return directoryOf(path);
    return under(directoryOf(path), stemOf(path));
  }

  /** The file of the parent of a file's module; -1 for the root of a crate. */
  private parent(file: number): number {
    const path = this.project.path(file);
    if (this.crates.isRoot(path)) return -1;
    const directory = baseName(path) === 'mod.rs' ? directoryOf(directoryOf(path)) : directoryOf(path);
    const home = directoryOf(directory);
    for (const candidate of [`${directory}.rs`, under(directory, 'mod.rs')]) {
      const found = this.project.find(candidate);
      if (found >= 0 && found !== file && !(candidate === `${directory}.rs` && directory === home)) return found;
    }
    return this.rootOf(file).file;
  }

  private rootOf(file: number): Module {
    return this.crateRoot({ root: this.crates.rootOf(this.project.path(file)) });
  }

  private crateRoot({ root }: Pick<CargoCrate, 'root'>): Module {
    return { file: this.project.find(root), directory: directoryOf(root) };
  }
}

interface CargoCrate {
  /** Path of `lib.rs`, `main.rs`, or the file that the manifest names instead; it may be missing. */
  root: string;
}

interface CargoPackage {
  directory: string;
  manifest: Json | undefined;
  /** Name in other crates; '' for a manifest without a package. */
  name: string;
  root: string;
}

/** Directories of a package in which every file is a crate of its own, and every directory with a `main.rs`, too. */
const CRATE_DIRECTORIES = ['src/bin', 'tests', 'examples', 'benches'];
const OWN_CRATES: ReadonlySet<string> = new Set(['std', 'core', 'alloc', 'proc_macro', 'test']);
const DEPENDENCY_FIELDS = ['dependencies', 'dev-dependencies', 'build-dependencies'];

class Crates {
  private packages: CargoPackage[] | null = null;
  private byName: Map<string, CargoPackage> | null = null;
  private byDirectory: Map<string, CargoPackage> | null = null;
  private explicitRoots: Set<string> | null = null;
  private readonly roots = new Map<string, string>();
  private readonly homes = new Map<string, CargoPackage | null>();

  constructor(private readonly project: Project) {}

  /** The crate of `name` in a file of `directory`: a renamed dependency, or a package of the repository. */
  find(name: string, directory: string): CargoCrate | null {
    const own = this.packageOf(directory);
    const renamed = own === null ? null : this.dependency(own, name);
    const found = renamed ?? this.named().get(name) ?? null;
    return found === null || !this.project.has(found.root) ? null : found;
  }

  /** Is it a crate of the language, or one that a manifest names? Otherwise the name is an alias. */
  mayDependOn(name: string, directory: string): boolean {
    const own = this.packageOf(directory);
    if (own === null || OWN_CRATES.has(name)) return true;
    const dashed = name.replaceAll('_', '-');
    return [own, ...this.workspaceOf(own)].some(({ directory: at }) => {
      const text = this.project.manifest(under(at, 'Cargo.toml')) ?? '';
      return text.includes(name) || text.includes(dashed);
    });
  }

  /** Does a crate begin with this file? */
  isRoot(path: string): boolean {
    return this.rootOf(path) === path;
  }

  /** The root file of a file's crate, by the file's directory. */
  rootOf(path: string): string {
    return getOrMake(this.roots, path, () => this.findRoot(path));
  }

  private findRoot(path: string): string {
    const home = this.packageOf(directoryOf(path));
    if (this.explicit().has(path)) return path;
    const base = home?.directory ?? '';
    if (path === under(base, 'build.rs')) return path;
    for (const place of CRATE_DIRECTORIES) {
      const at = under(base, place);
      if (directoryOf(path) === at) return path;
      if (!path.startsWith(`${at}/`)) continue;
      const top = path.slice(at.length + 1).split('/', 1)[0];
      const main = `${at}/${top}/main.rs`;
      if (this.project.has(main)) return main;
      return this.project.has(`${at}/${top}.rs`) ? `${at}/${top}.rs` : path;
    }
    if (path === under(base, 'src/main.rs')) return path;
    if (home !== null && this.project.has(home.root)) return home.root;
    return this.nearestRoot(directoryOf(path)) ?? path;
  }

  /** The nearest `lib.rs` or `main.rs` upwards, for files without a manifest. */
  private nearestRoot(directory: string): string | null {
    for (const at of ancestors(directory)) {
      for (const name of ['lib.rs', 'main.rs']) if (this.project.has(under(at, name))) return under(at, name);
    }
    return null;
  }

  private dependency(own: CargoPackage, name: string): CargoPackage | null {
    for (const [manifest, directory] of [
      [own.manifest, own.directory] as const,
      ...this.workspaceOf(own).map((found) => [field(found.manifest, 'workspace'), found.directory] as const),
    ]) {
      for (const fieldName of DEPENDENCY_FIELDS) {
        const written = field(manifest, fieldName);
        const dependency = field(written, name) ?? field(written, name.replaceAll('_', '-'));
        const path = text(field(dependency, 'path'));
        const at = path === undefined ? null : join(directory, path);
        const byPath = at === null ? undefined : this.directories().get(at);
        if (byPath !== undefined) return byPath;
        const renamed = text(field(dependency, 'package'));
        if (renamed !== undefined) return this.named().get(crateName(renamed)) ?? null;
      }
    }
    return null;
  }

  private workspaceOf({ directory }: CargoPackage): CargoPackage[] {
    for (const at of ancestors(directory)) {
      const found = this.directories().get(at);
      if (found !== undefined && field(found.manifest, 'workspace') !== undefined) return [found];
    }
    return [];
  }

  private packageOf(directory: string): CargoPackage | null {
    return getOrMake(this.homes, directory, () => {
      for (const at of ancestors(directory)) {
        const found = this.directories().get(at);
        if (found !== undefined && found.name !== '') return found;
      }
      return null;
    });
  }

  private named(): Map<string, CargoPackage> {
    if (this.byName !== null) return this.byName;
    this.byName = new Map();
    for (const found of this.all())
      if (found.name !== '' && !this.byName.has(found.name)) this.byName.set(found.name, found);
    return this.byName;
  }

  private directories(): Map<string, CargoPackage> {
    this.byDirectory ??= new Map(this.all().map((found) => [found.directory, found]));
    return this.byDirectory;
  }

  /** Files that manifests name as roots of libraries, binaries or tests. */
  private explicit(): Set<string> {
    if (this.explicitRoots !== null) return this.explicitRoots;
    this.explicitRoots = new Set();
    for (const { directory, manifest, root } of this.all()) {
      if (baseName(root) !== 'lib.rs' || this.project.has(root)) this.explicitRoots.add(root);
      for (const kind of ['bin', 'test', 'example', 'bench']) {
        const targets = field(manifest, kind);
        for (const target of Array.isArray(targets) ? targets : []) {
          const path = join(directory, text(field(target, 'path')) ?? '');
          if (path !== null && path !== directory) this.explicitRoots.add(path);
        }
      }
    }
    return this.explicitRoots;
  }

  private all(): CargoPackage[] {
    this.packages ??= this.project.manifestsNamed('Cargo.toml').map((path) => {
      const manifest = parseToml(this.project.manifest(path) ?? '');
      const directory = directoryOf(path);
      const library = field(manifest, 'lib');
      const name = text(field(library, 'name')) ?? text(field(field(manifest, 'package'), 'name')) ?? '';
      const written = text(field(library, 'path'));
      const root = (written === undefined ? null : join(directory, written)) ?? under(directory, 'src/lib.rs');
      const main = under(directory, 'src/main.rs');
      return {
        directory,
        manifest,
        name: entries(manifest).length === 0 ? '' : crateName(name),
        root: this.project.has(root) || !this.project.has(main) ? root : main,
      };
    });
    return this.packages;
  }
}

function crateName(name: string): string {
  return name.replaceAll('-', '_');
}

export const CARGO: PackageRules = {
  published: (project) => project.manifestsNamed('Cargo.toml').flatMap((manifest) => published(project, manifest)),
  dependencies(_, content): Dependency[] {
    const value = parseToml(content);
    const tables = [value, field(value, 'workspace')];
    return tables.flatMap((table) =>
      DEPENDENCY_FIELDS.flatMap((name) =>
        entries(field(table, name)).map(([dependency, written]) => ({
          name: text(field(written, 'package')) ?? dependency,
          version: text(written) ?? text(field(written, 'version')) ?? '',
        })),
      ),
    );
  },
};

function published(project: Project, manifest: string): PublishedPackage[] {
  const value = parseToml(project.manifest(manifest) ?? '');
  const name = text(field(field(value, 'package'), 'name'));
  const library = field(value, 'lib');
  const root = under(directoryOf(manifest), text(field(library, 'path')) ?? 'src/lib.rs');
  if (name === undefined || !project.has(root)) return [];
  const crate = text(field(library, 'name')) ?? name.replaceAll('-', '_');
  const home = directoryOf(root);
  const modules: PublishedModule[] = [{ specifier: crate, files: [project.find(root)] }];
  for (const file of project.filesOfLanguages(['rust'])) {
    const path = project.path(file);
    if (path === root || !path.startsWith(`${home}/`) || path.startsWith(`${home}/bin/`)) continue;
    if (baseName(path) === 'main.rs') continue;
    const names = path
      .slice(home.length + 1)
      .replace(/(?:\/mod)?\.rs$/, '')
      .split('/');
    modules.push({ specifier: [crate, ...names].join('::'), files: [file] });
  }
  return [{ name, manifest, modules }];
}
