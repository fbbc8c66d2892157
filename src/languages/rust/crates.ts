/** The crates of a repository: their names, and the file that each begins with. */
import { entries, field, type Json, text } from '../roles/json.js';
import { ancestors, baseName, directoryOf, join, under } from '../roles/paths.js';
import { getOrMake, type Project } from '../roles/project.js';
import { parseToml } from '../roles/readers.js';

export interface CargoCrate {
  /** Path of `lib.rs`, `main.rs`, or what the manifest names instead; it need not be there. */
  root: string;
}

interface CargoPackage {
  directory: string;
  manifest: Json | undefined;
  /** Name as other crates write it; '' for a manifest without a package. */
  name: string;
  root: string;
}

/** Below a package's directory, every file in these is a crate of its own, and so is every directory with a `main.rs`. */
const CRATE_DIRECTORIES = ['src/bin', 'tests', 'examples', 'benches'];
const OWN_CRATES: ReadonlySet<string> = new Set(['std', 'core', 'alloc', 'proc_macro', 'test']);
const DEPENDENCY_FIELDS = ['dependencies', 'dev-dependencies', 'build-dependencies'];

export class Crates {
  private packages: CargoPackage[] | null = null;
  private byName: Map<string, CargoPackage> | null = null;
  private byDirectory: Map<string, CargoPackage> | null = null;
  private explicitRoots: Set<string> | null = null;
  private readonly roots = new Map<string, string>();
  private readonly homes = new Map<string, CargoPackage | null>();

  constructor(private readonly project: Project) {}

  /** The crate that `name` means in a file of `directory`: a renamed dependency, or a package of the repository. */
  find(name: string, directory: string): CargoCrate | null {
    const own = this.packageOf(directory);
    const renamed = own === null ? null : this.dependency(own, name);
    const found = renamed ?? this.named().get(name) ?? null;
    return found === null || !this.project.has(found.root) ? null : found;
  }

  /** Is it the language's own crate, or does a manifest have its name? What isn't either is an alias. */
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

  /** Without a manifest: the `lib.rs` or `main.rs` next upwards. */
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

  /** Files that manifests name as the beginning of a library, a binary, a test. */
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
