/**
 * Imports and modules of Go: import paths are directories below a module's path, and files of one directory and one
 * package share their names.
 */
import { addTo } from '../../base/lists.js';
import type { Dependency, PackageRules, PublishedModule, PublishedPackage } from '../language.js';
import {
  directoryOf,
  external,
  getOrMake,
  type ImportResolver,
  type ImportRules,
  isWithin,
  join,
  type Project,
  type Resolution,
  type Specified,
  UNRESOLVED,
  under,
} from '../roles/project.js';

/** Most lines with replacements: each module has one, so a file with more is data. */
const MAX_REPLACEMENTS = 2000;
const MODULE = /^[ \t]*module[ \t]+"?([^\s"]+)/m;
const REPLACE = /^[ \t]*(?:replace[ \t]+)?([^\s(]+)(?:[ \t]+v\S+)?[ \t]+=>[ \t]+(\.{1,2}(?:\/\S*)?)/gm;
const TEST_FILE = /_test\.go$/;

export const GO: ImportRules = {
  readsNames: true,
  create: (project) => new Go(project),
};

class Go implements ImportResolver {
  /** Directories by module path. */
  private modules: Map<string, string> | null = null;
  private readonly homes = new Map<string, string>();
  private readonly byDirectory = new Map<string, readonly number[]>();
  private readonly known = new Map<string, Resolution>();

  constructor(private readonly project: Project) {}

  resolve(file: number, { specifier }: Specified): Resolution {
    if (specifier.startsWith('.')) return this.package(join(this.project.directory(file), specifier)) ?? UNRESOLVED;
    const vendored = this.vendored(this.project.directory(file), specifier);
    return vendored ?? getOrMake(this.known, specifier, () => this.find(specifier));
  }

  neighbours(file: number): readonly number[] {
    return this.goFiles(this.project.directory(file));
  }

  /** Same directory and same package; tests see tests, other files don't. */
  isPeer(file: number, other: number): boolean {
    const { declared } = this.project.input;
    if (this.project.directory(file) !== this.project.directory(other)) return false;
    if (declared(file)[0] !== declared(other)[0]) return false;
    return !TEST_FILE.test(this.project.path(other)) || TEST_FILE.test(this.project.path(file));
  }

  private find(specifier: string): Resolution {
    const modules = this.moduleDirectories();
    for (let end = specifier.length; end > 0; end = specifier.lastIndexOf('/', end - 1)) {
      const directory = modules.get(specifier.slice(0, end));
      if (directory === undefined) continue;
      return this.package(join(directory, specifier.slice(end + 1))) ?? UNRESOLVED;
    }
    return external(outsidePackage(specifier));
  }

  /** Files of the package without its tests, which nothing outside the directory can see. */
  private package(directory: string | null): Resolution | null {
    if (directory === null) return null;
    const files = this.goFiles(directory).filter((file) => !TEST_FILE.test(this.project.path(file)));
    return files.length === 0 ? null : this.project.toFiles(files, 'package');
  }

  private goFiles(directory: string): readonly number[] {
    return getOrMake(this.byDirectory, directory, () =>
      this.project.filesIn(directory).filter((file) => this.project.language(file) === 'go'),
    );
  }

  /** Directory in `vendor/` of the file's module, or of the whole repository. */
  private vendored(directory: string, specifier: string): Resolution | null {
    if (!this.project.isDirectory('vendor') && this.project.manifestsNamed('go.mod').length < 2) return null;
    for (const home of new Set([this.homeOf(directory), ''])) {
      const found = this.package(join(under(home, 'vendor'), specifier));
      if (found !== null) return found;
    }
    return null;
  }

  /** The directory of the module that `directory` belongs to. */
  private homeOf(directory: string): string {
    return getOrMake(this.homes, directory, () =>
      directory === '' || this.project.input.manifests.has(under(directory, 'go.mod'))
        ? directory
        : this.homeOf(directoryOf(directory)),
    );
  }

  private moduleDirectories(): Map<string, string> {
    if (this.modules !== null) return this.modules;
    const found = new Map<string, string>();
    const manifests = ['go.mod', 'go.work'].flatMap((name) => this.project.manifestsNamed(name));
    const texts = manifests.map((path) => ({ path, text: this.project.manifest(path) ?? '' }));
    for (const { path, text } of texts) {
      const name = path.endsWith('go.mod') ? MODULE.exec(text)?.[1] : undefined;
      if (name !== undefined && !found.has(name)) found.set(name, directoryOf(path));
    }
    // A path that no module of the repository has can still be the target of a replacement.
    for (const { path, text } of texts) {
      let count = 0;
      for (const [, name, target] of text.matchAll(REPLACE)) {
        if (++count > MAX_REPLACEMENTS) break;
        const directory = join(directoryOf(path), target);
        if (directory !== null && !found.has(name)) found.set(name, directory);
      }
    }
    this.modules = found;
    return found;
  }
}

/** Package of a path: `github.com/owner/name` of all paths below it, the first name for the standard library. */
function outsidePackage(specifier: string): string {
  const names = specifier.split('/', 3);
  return names[0].includes('.') ? names.join('/') : names[0];
}

const REQUIRED = /^[ \t]*(?:require[ \t]+)?([^\s()]+\.[^\s()]+)[ \t]+(v[^\s]+)/gm;
const MAX_DEPENDENCIES = 5_000;
/** Directories that nothing outside the module imports. */
const PRIVATE = /(?:^|\/)(?:internal|testdata|vendor)(?:\/|$)/;

export const GO_MODULES: PackageRules = {
  published(project) {
    const modules = new Map<string, { name: string; manifest: string }>();
    for (const manifest of project.manifestsNamed('go.mod')) {
      const name = MODULE.exec(project.manifest(manifest) ?? '')?.[1];
      if (name !== undefined) modules.set(directoryOf(manifest), { name, manifest });
    }
    return [...modules].map(([home, { name, manifest }]): PublishedPackage => {
      const inner = [...modules.keys()].filter((other) => other !== home && isWithin(other, home));
      return { name, manifest, modules: modulesBelow(project, { home, name, inner }) };
    });
  },
  dependencies(_, content): Dependency[] {
    const found: Dependency[] = [];
    for (const [, name, version] of content.matchAll(REQUIRED)) {
      if (found.length >= MAX_DEPENDENCIES) break;
      found.push({ name, version });
    }
    return found;
  },
};

function modulesBelow(
  project: Project,
  { home, name, inner }: { home: string; name: string; inner: readonly string[] },
): PublishedModule[] {
  const directories = new Map<string, number[]>();
  for (const file of project.filesOfLanguages(['go'])) {
    const directory = project.directory(file);
    if (!isWithin(directory, home) || PRIVATE.test(directory) || inner.some((other) => isWithin(directory, other)))
      continue;
    if (project.path(file).endsWith('_test.go') || project.input.declared(file)[0] === 'main') continue;
    addTo(directories, directory, file);
  }
  return [...directories].map(([directory, files]) => {
    const below = home === '' ? directory : directory.slice(home.length + 1);
    return { specifier: below === '' ? name : `${name}/${below}`, files };
  });
}

/**
 * The last element of a path that is not its version. No package is called `go-toml`: it has the name of a part of the element, or of all
 * without marks, by which the file uses it.
 */
export function packageName(specifier: string, source: string): string {
  const parts = specifier.split('/');
  if (parts.length > 1 && /^v\d+$/.test(parts[parts.length - 1])) parts.pop();
  const last = parts[parts.length - 1].replace(/\.v\d+$/, '');
  const words = last.split(/[-.]/).filter((word) => /^\w+$/.test(word));
  if (words.length < 2) return last;
  const isUsed = (name: string) => new RegExp(`(?<![\\w.])${name}\\.[A-Z]`).test(source);
  return [...words.reverse(), words.join(''), words.reverse().join('')].find(isUsed) ?? last;
}
