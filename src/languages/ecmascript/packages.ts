/**
 * Packages of npm: the directory of a package name, the file of a path inside it, the subpaths that `exports` names, and the programs under
 * `bin`.
 */
import { type PackageRules, type Program, type PublishedModule, type PublishedPackage, wordSet } from '../language.js';
import {
  ancestors,
  directoryMatcher,
  directoryOf,
  entries,
  field,
  isWithin,
  type Json,
  join,
  type Project,
  parseJson,
  type Resolution,
  text,
  texts,
  under,
  versionsIn,
  yamlList,
} from '../roles/project.js';

interface Package {
  directory: string;
  manifest: Json;
}

const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
/** Entry points of a package without `exports`: declarations for TypeScript, code for a bundler. */
const MAIN_FIELDS = {
  typescript: ['source', 'types', 'typings', 'module', 'main'],
  javascript: ['source', 'module', 'main', 'types', 'typings'],
};
/** Most tests of patterns against directories: 10 patterns in a repository of 30,000 packages. */
const MAX_TESTS = 300_000;
/** Compiling a pattern takes as long as this many tests of it. */
const COMPILED_AS_TESTS = 20;
const LOCAL_DEPENDENCY = /^(?:file|link|portal):(.*)$/s;
/** `"cart": "workspace:@shop/cart@*"` is another name for `@shop/cart`. */
const ALIASED_DEPENDENCY = /^workspace:(@?[^@]+)@/;

export class Packages {
  private readonly nearestByDirectory = new Map<string, Package | null>();
  private workspaces: Map<string, Package> | null = null;

  constructor(private readonly project: Project) {}

  /** The package at exactly that directory. */
  at(directory: string): Package | null {
    const manifest = this.project.json(under(directory, 'package.json'));
    return manifest === undefined ? null : { directory, manifest };
  }

  /** The package that a directory belongs to. */
  nearest(directory: string): Package | null {
    const passed: string[] = [];
    let found: Package | null = null;
    for (const at of ancestors(directory)) {
      const known = this.nearestByDirectory.get(at);
      found = known ?? null;
      if (known !== undefined) break;
      passed.push(at);
      found = this.at(at);
      if (found !== null) break;
    }
    for (const at of passed) this.nearestByDirectory.set(at, found);
    return found;
  }

  /** The package of the repository that `name` means to a file of `directory`; null if it comes from outside. */
  find(name: string, directory: string): Package | null {
    const own = this.nearest(directory);
    if (own === null) return this.workspacePackages().get(name) ?? null;
    if (field(own.manifest, 'name') === name) return own;
    return this.localDependency(own, name) ?? this.workspacePackages().get(name) ?? null;
  }

  /** The file that `subpath` (`.` or `./x`) of a package means. */
  entry(found: Package, subpath: string, probe: Probe): Resolution | null {
    const exported = field(found.manifest, 'exports');
    const targets = exported === undefined ? null : mappedTargets(exported, subpath);
    if (targets !== null) {
      const target = this.locate(found.directory, targets, probe);
      if (target !== null) return target;
    }
    if (subpath === '.') return this.main(found, probe);
    return this.direct(join(found.directory, subpath), probe) ?? this.locate(found.directory, [subpath], probe);
  }

  /** Resolves a directory that is imported by its path. */
  directory(path: string, probe: Probe): Resolution | null {
    const found = this.at(path);
    return found === null ? probe.index(path) : (this.mainField(found, probe) ?? probe.index(path));
  }

  /** The first target that exists, else the first one that is built from a file that exists. */
  locate(directory: string, targets: readonly string[], probe: Probe): Resolution | null {
    for (const target of targets) {
      const found = this.direct(join(directory, target), probe);
      if (found !== null) return found;
    }
    for (const target of targets) {
      const found = sourceOf(directory, target, probe);
      if (found !== null) return found;
    }
    return null;
  }

  private direct(path: string | null, probe: Probe): Resolution | null {
    return path === null ? null : (probe.file(path) ?? probe.index(path));
  }

  private main(found: Package, probe: Probe): Resolution | null {
    const { directory } = found;
    return this.mainField(found, probe) ?? probe.index(directory) ?? probe.index(under(directory, 'src'));
  }

  private mainField({ directory, manifest }: Package, probe: Probe): Resolution | null {
    const targets = MAIN_FIELDS[probe.flavour].flatMap((name) => text(field(manifest, name)) ?? []);
    return this.locate(directory, targets, probe);
  }

  /** A dependency that the manifest places inside the repository, whether or not it is in the workspace. */
  private localDependency({ directory, manifest }: Package, name: string): Package | null {
    for (const fieldName of DEPENDENCY_FIELDS) {
      const version = text(field(field(manifest, fieldName), name));
      if (version === undefined) continue;
      const local = LOCAL_DEPENDENCY.exec(version);
      const path = local === null ? null : join(directory, local[1]);
      if (path !== null) return this.at(path);
      const alias = ALIASED_DEPENDENCY.exec(version);
      if (alias !== null) return this.workspacePackages().get(alias[1]) ?? null;
    }
    return null;
  }

  private workspacePackages(): Map<string, Package> {
    if (this.workspaces !== null) return this.workspaces;
    const found = new Map<string, Package>();
    const candidates = this.project.manifestsNamed('package.json').map(directoryOf);
    let tests = 0;
    for (const { directory, patterns } of this.workspaceGlobs()) {
      tests += patterns.length * COMPILED_AS_TESTS;
      if (tests > MAX_TESTS) break;
      const isMember = directoryMatcher(patterns);
      for (const candidate of candidates) {
        if (!isWithin(candidate, directory)) continue;
        tests += patterns.length;
        if (tests > MAX_TESTS) break;
        const below = directory === '' ? candidate : candidate.slice(directory.length + 1);
        if (candidate !== directory && !isMember(below)) continue;
        const member = this.at(candidate);
        const name = text(field(member?.manifest, 'name'));
        if (member !== null && name !== undefined && !found.has(name)) found.set(name, member);
      }
    }
    this.workspaces = found;
    return found;
  }

  private workspaceGlobs(): { directory: string; patterns: string[] }[] {
    const found: { directory: string; patterns: string[] }[] = [];
    const add = (path: string, patterns: string[]): void => {
      if (patterns.length > 0) found.push({ directory: directoryOf(path), patterns });
    };
    for (const path of this.project.manifestsNamed('package.json')) {
      if (this.project.manifest(path)?.includes('"workspaces"') !== true) continue;
      const workspaces = field(this.project.json(path), 'workspaces');
      add(path, [...texts(workspaces), ...texts(field(workspaces, 'packages'))]);
    }
    for (const path of this.project.manifestsNamed('pnpm-workspace.yaml')) {
      add(path, yamlList(this.project.manifest(path) ?? '', 'packages'));
    }
    for (const path of this.project.manifestsNamed('lerna.json')) {
      add(path, texts(field(this.project.json(path), 'packages')));
    }
    return found;
  }
}

/** Targets of a name in the field `imports`, which begins with `#`. */
export function importTargets({ manifest }: Package, name: string): string[] | null {
  const map = field(manifest, 'imports');
  return map === undefined || entries(map).length === 0 ? null : mappedTargets(map, name);
}

/** Order of conditions: sources first, then types, then those of bundlers. Other conditions follow in their own order. */
const CONDITIONS = ['source', 'types', 'import', 'module', 'default', 'require', 'node', 'browser'];
/** Deepest map of conditions; people write no deeper ones. */
const MAX_DEPTH = 8;
const MAX_TARGETS = 50;
const MAX_PATTERNS = 1000;

interface Subpaths {
  exact: Map<string, Json>;
  /** Longest key first. */
  patterns: [key: string, target: Json][];
}

/** Parsed `exports` maps by the parsed manifest's own object: they are needed again and again. */
const COMPILED = new WeakMap<object, Subpaths>();

/** Paths that `subpath` (`.`, `./deep/x`, or `#x`) may stand for, best first, as written (`./dist/x.js`); null if the map does not name it. */
function mappedTargets(map: Json, subpath: string): string[] | null {
  const { exact, patterns } = subpathsOf(map);
  const target = subpath.includes('*') ? undefined : exact.get(subpath);
  if (target !== undefined) return targetsOf(target, '');
  for (const [key, value] of patterns) {
    const rest = restOf(key, subpath);
    if (rest !== null) return targetsOf(value, rest);
  }
  return null;
}

/** Reads a map of subpaths; a map without any is that of the package itself. */
function subpathsOf(map: Json): Subpaths {
  if (map === null || typeof map !== 'object') return { exact: new Map([['.', map]]), patterns: [] };
  const known = COMPILED.get(map);
  if (known !== undefined) return known;
  const fields = entries(map);
  const subpaths: Subpaths = fields.some(([key]) => key.startsWith('.') || key.startsWith('#'))
    ? {
        exact: new Map(fields),
        patterns: fields
          .filter(([key]) => key.includes('*') || key.endsWith('/'))
          .sort(([a], [b]) => b.length - a.length)
          .slice(0, MAX_PATTERNS),
      }
    : { exact: new Map([['.', map]]), patterns: [] };
  COMPILED.set(map, subpaths);
  return subpaths;
}

/** Text that the `*` of a pattern stands for. Folders (`./lib/`) are an old form of patterns. */
function restOf(pattern: string, subpath: string): string | null {
  const star = pattern.indexOf('*');
  if (star < 0) return subpath.startsWith(pattern) ? subpath.slice(pattern.length) : null;
  const tail = pattern.slice(star + 1);
  const fits =
    subpath.length >= pattern.length - 1 && subpath.startsWith(pattern.slice(0, star)) && subpath.endsWith(tail);
  return fits ? subpath.slice(star, subpath.length - tail.length) : null;
}

function targetsOf(target: Json, rest: string): string[] {
  const found: string[] = [];
  collect(target, rest, found, 0);
  return [...new Set(found)];
}

function collect(target: Json, rest: string, found: string[], depth: number): void {
  if (target === null || depth > MAX_DEPTH || found.length >= MAX_TARGETS) return;
  if (typeof target === 'string') {
    found.push(target.includes('*') ? target.split('*', 8).join(rest) : target.endsWith('/') ? target + rest : target);
  } else if (Array.isArray(target)) {
    for (const item of target.slice(0, MAX_TARGETS)) collect(item, rest, found, depth + 1);
  } else {
    const conditions = entries(target).slice(0, MAX_TARGETS);
    for (const [, value] of conditions.sort(([a], [b]) => rankOf(a) - rankOf(b))) {
      collect(value, rest, found, depth + 1);
    }
  }
}

function rankOf(condition: string): number {
  const rank = CONDITIONS.indexOf(condition);
  return rank < 0 ? CONDITIONS.length : rank;
}

/** Most subpaths of one package. */
const MAX_SUBPATHS = 500;

export const NPM: PackageRules = {
  published(project) {
    const packages = new Packages(project);
    return project.manifestsNamed('package.json').flatMap((manifest) => published(project, packages, manifest));
  },
  dependencies: (_, content) => versionsIn(parseJson(content), DEPENDENCY_FIELDS),
};

function published(project: Project, packages: Packages, manifest: string): PublishedPackage[] {
  const found = packages.at(directoryOf(manifest));
  const name = text(field(found?.manifest, 'name'));
  if (found === null || name === undefined || name === '') return [];
  const probe = new Probe(project, 'typescript');
  const keys = entries(field(found.manifest, 'exports')).map(([key]) => key);
  const subpaths = keys.filter((key) => key.startsWith('./') && !key.includes('*') && !key.endsWith('.json'));
  const modules = ['.', ...subpaths.slice(0, MAX_SUBPATHS)].flatMap((subpath): PublishedModule[] => {
    const entry = packages.entry(found, subpath, probe);
    if (entry?.kind !== 'files') return [];
    return [{ specifier: name + subpath.slice(1), files: entry.paths.map((path) => project.find(path)) }];
  });
  return [{ name, manifest, modules }];
}

/** Folders with built files: the source of `dist/cli.js` is `src/cli.ts`. */
const BUILD_FOLDER = /(?:^|\/)(?:dist|build|lib|out|bin)\//;
const SOURCE_FOLDERS = ['src/', 'source/', ''];
const SOURCE_ENDINGS = ['.ts', '.mts', '.tsx', '.js', '.mjs'];

export function packagePrograms(manifest: string, content: string, has: (path: string) => boolean): Program[] {
  const value = parseJson(content);
  const bin = field(value, 'bin');
  const own = text(field(value, 'name'))?.replace(/^.*\//, '') ?? manifest;
  const named = typeof bin === 'string' ? [[own, bin] as const] : entries(bin);
  return named.flatMap(([name, target]) => {
    const written = typeof target === 'string' ? join(directoryOf(manifest), target) : null;
    const path = written === null ? null : sourceOfProgram(written, has);
    return path === null ? [] : [{ name, path }];
  });
}

function sourceOfProgram(path: string, has: (path: string) => boolean): string | null {
  if (has(path)) return path;
  const stem = path.replace(/\.[cm]?js$/, '');
  for (const folder of SOURCE_FOLDERS) {
    const moved = stem.replace(BUILD_FOLDER, (match) => `${match.startsWith('/') ? '/' : ''}${folder}`);
    const ending = SOURCE_ENDINGS.find((each) => has(moved + each));
    if (ending !== undefined) return moved + ending;
  }
  return null;
}

// Files of a path without its whole extension, and sources of built files that git does not have

/** TypeScript's order; extensions that only bundlers add come last. */
const TYPESCRIPT_ORDER = '.ts .tsx .d.ts .js .jsx .mts .cts .d.mts .d.cts .mjs .cjs .json .vue .svelte'.split(' ');
/** Code comes before the declaration file next to it, which says less. */
const JAVASCRIPT_ORDER = '.js .jsx .ts .tsx .mjs .cjs .mts .cts .json .vue .svelte .d.ts .d.mts .d.cts'.split(' ');

/** Extensions of sources by the extension in an import: modules are imported by the name that they have when built. */
const REWRITES: ReadonlyMap<string, readonly string[]> = new Map([
  ['.js', ['.ts', '.tsx', '.d.ts', '.js', '.jsx']],
  ['.jsx', ['.tsx', '.ts', '.d.ts', '.jsx']],
  ['.mjs', ['.mts', '.d.mts', '.mjs']],
  ['.cjs', ['.cts', '.d.cts', '.cjs']],
  ['.ts', ['.ts', '.d.ts', '.js']],
  ['.tsx', ['.tsx', '.jsx']],
  ['.mts', ['.mts', '.d.mts', '.mjs']],
  ['.cts', ['.cts', '.d.cts', '.cjs']],
]);

export type Flavour = 'typescript' | 'javascript';

export class Probe {
  private readonly order: readonly string[];

  constructor(
    private readonly project: Project,
    readonly flavour: Flavour,
  ) {
    this.order = flavour === 'typescript' ? TYPESCRIPT_ORDER : JAVASCRIPT_ORDER;
  }

  /** The file that `path` names, with or without its extension. */
  file(path: string): Resolution | null {
    if (path === '') return null;
    const rewrites = REWRITES.get(extensionOf(path));
    if (rewrites === undefined) return this.project.at(path) ?? this.withExtension(path);
    if (this.flavour === 'javascript') {
      const exact = this.project.at(path);
      if (exact !== null) return exact;
    }
    const stem = path.slice(0, path.lastIndexOf('.'));
    return this.first(stem, rewrites) ?? this.project.at(path) ?? this.withExtension(path);
  }

  /** `index` in a directory. */
  index(directory: string): Resolution | null {
    return this.withExtension(directory === '' ? 'index' : `${directory}/index`);
  }

  /** A file with this stem, also with another extension: `src/cart.tsx` for `src/cart`. */
  withExtension(stem: string): Resolution | null {
    return this.first(stem, this.order);
  }

  private first(stem: string, extensions: readonly string[]): Resolution | null {
    for (const extension of extensions) {
      const found = this.project.at(stem + extension);
      if (found !== null) return found;
    }
    return null;
  }
}

/** With the dot; '' if the last name has none. */
function extensionOf(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') ? path.slice(dot) : '';
}

/** Directories of built files: they are left out, from the left, until a source is found. */
const BUILT = wordSet(
  'dist lib build out output es esm cjs umd mjs commonjs module types typings declarations dts node browser bundles',
);
/** `index.d.ts`, `index.cjs.js`, `index.min.js` come from `index`. */
const BUILT_ENDING = /(?:\.d)?\.[cm]?[jt]sx?$/;
const BUILT_VARIANT = /[.-](?:cjs|esm|es|mjs|umd|min|module|common|prod|production|development|browser|node)$/;
/** Most built directories in one path: `dist/esm/node/x.js`. */
const MAX_BUILT = 5;
const SOURCE_DIRECTORIES = ['src', 'lib', 'source'];

function sourceOf(directory: string, target: string, probe: Probe): Resolution | null {
  const path = join('', target);
  if (path === null || path === '') return null;
  const ending = BUILT_ENDING.exec(path)?.[0] ?? '';
  if (ending === '' && extensionOf(path) !== '') return null;
  const stem = path.slice(0, path.length - ending.length);
  for (const name of new Set([stem, stem.replace(BUILT_VARIANT, '')])) {
    const found = sourceOfStem(directory, name, probe);
    if (found !== null) return found;
  }
  return null;
}

function sourceOfStem(directory: string, stem: string, probe: Probe): Resolution | null {
  const names = stem.split('/');
  for (let built = 0; built < Math.min(names.length, MAX_BUILT); built++) {
    if (built > 0 && !BUILT.has(names[built - 1])) return null;
    const rest = names.slice(built).join('/');
    for (const source of SOURCE_DIRECTORIES) {
      const path = under(under(directory, source), rest);
      const found = probe.withExtension(path) ?? probe.index(path);
      if (found !== null) return found;
    }
    const adjacent = built === 0 ? null : probe.withExtension(under(directory, rest));
    if (adjacent !== null) return adjacent;
  }
  return null;
}
