/** Imports of JavaScript, TypeScript, and files that hold these: relative paths, tsconfig paths, packages, aliases. */
import { SCRIPT_NAMES } from '../library-names.js';
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
import { Styles } from '../web/rules.js';
import { type Flavour, importTargets, Packages, Probe } from './packages.js';
import { homes, mappedPaths, splitPackage, TsConfigs, twins } from './tsconfig.js';

/** Names that bundlers usually give to the sources' directory, for projects without a configuration of them. */
const ALIASES = ['@/', '~/', '@@/', '~~/'];
const ALIAS_TARGETS = ['src', 'app', ''];
/** Directories that are served as `/`, beside the project's own. */
const SERVED = ['', 'public', 'static', 'src'];
const DECLARATIONS = /\.d\.[cm]?ts$/;
const URL_SCHEME = /^[a-z][a-z\d+.-]+:/i;
const TYPESCRIPT: ReadonlySet<string> = new Set(['typescript', 'tsx']);
/** Languages with scripts and style blocks in one file, whose imports look the same. */
const COMPONENTS: ReadonlySet<string> = new Set(['vue', 'svelte', 'astro']);

export const ECMASCRIPT: ImportRules = {
  readsNames: false,
  libraryNames: SCRIPT_NAMES,
  create: (project) => new EcmaScript(project),
};

class EcmaScript implements ImportResolver {
  private readonly packages: Packages;
  private readonly configs: TsConfigs;
  private readonly styles: Styles;
  /** Cache by flavour, directory and specifier: the rest of the importing file does not matter. */
  private readonly known: Record<Flavour | 'component', Map<string, Map<string, Resolution>>> = {
    typescript: new Map(),
    javascript: new Map(),
    component: new Map(),
  };
  private readonly probes: Record<Flavour, Probe>;

  constructor(private readonly project: Project) {
    this.packages = new Packages(project);
    this.styles = new Styles(project);
    this.configs = new TsConfigs(project, this.packages);
    this.probes = { typescript: new Probe(project, 'typescript'), javascript: new Probe(project, 'javascript') };
  }

  resolve(file: number, { specifier, kind }: Specified): Resolution {
    const language = this.project.language(file);
    const isComponent = COMPONENTS.has(language);
    const flavour = isComponent || TYPESCRIPT.has(language) ? 'typescript' : 'javascript';
    const directory = this.project.directory(file);
    const key = kind === 'include' ? `./${specifier}` : specifier;
    const byKey = getOrMake(
      this.known[isComponent ? 'component' : flavour],
      directory,
      () => new Map<string, Resolution>(),
    );
    return getOrMake(byKey, key, () => {
      const found = this.find(directory, key, this.probes[flavour]);
      return isComponent && found.kind === 'unresolved' ? this.styles.find(directory, 'scss', key) : found;
    });
  }

  /** A file that declares names for all files is a peer in its package, and wherever a configuration names it. */
  isPeer(file: number, other: number): boolean {
    const path = this.project.path(other);
    if (!DECLARATIONS.test(path)) return true;
    const home = [...homes(this.project, directoryOf(path))][0] ?? '';
    return isWithin(this.project.path(file), home) || this.configs.covers(this.project.directory(file), path);
  }

  private find(directory: string, written: string, probe: Probe): Resolution {
    const specifier = withoutLoaders(written);
    if (isRelative(specifier)) return this.relative(directory, specifier, probe) ?? UNRESOLVED;
    const mapped = this.mapped(directory, specifier, probe);
    if (mapped !== null) return mapped;
    if (specifier.startsWith('/')) return this.below(directory, SERVED, specifier, probe) ?? UNRESOLVED;
    if (specifier.startsWith('#')) return this.imported(directory, specifier, probe) ?? UNRESOLVED;
    const alias = ALIASES.find((prefix) => specifier.startsWith(prefix));
    if (alias !== undefined)
      return this.below(directory, ALIAS_TARGETS, specifier.slice(alias.length), probe) ?? UNRESOLVED;
    if (URL_SCHEME.test(specifier)) return external(specifier.split('/', 1)[0]);
    return this.bare(directory, specifier, probe);
  }

  private relative(directory: string, specifier: string, probe: Probe): Resolution | null {
    const path = join(directory, specifier);
    if (path === null) return null;
    const found = this.path(path, namesDirectory(specifier), probe);
    if (found !== null) return found;
    for (const mapping of this.configs.of(directory)) {
      for (const twin of twins(mapping, path)) {
        const there = this.path(twin, false, probe);
        if (there !== null) return there;
      }
    }
    return null;
  }

  private path(path: string, isDirectory: boolean, probe: Probe): Resolution | null {
    return (isDirectory ? null : probe.file(path)) ?? this.packages.directory(path, probe);
  }

  /** Resolves by `paths`, then by `baseUrl`, of the nearest configuration first. */
  private mapped(directory: string, specifier: string, probe: Probe): Resolution | null {
    for (const mapping of this.configs.of(directory)) {
      for (const target of mappedPaths(mapping, specifier) ?? []) {
        const found = this.mappedPath(target, probe);
        if (found !== null) return found;
      }
      const path = mapping.baseUrl === null ? null : join(mapping.baseUrl, specifier);
      const found = path === null ? null : this.path(path, false, probe);
      if (found !== null) return found;
    }
    return null;
  }

  /** A target may also name a built file: `"@shop/cart": ["packages/cart/dist"]`. */
  private mappedPath(target: string, probe: Probe): Resolution | null {
    const path = join('', target);
    return path === null ? null : this.path(path, false, probe);
  }

  /** Looks for a path in these folders of each project around a directory, the nearest first. */
  private below(directory: string, places: readonly string[], rest: string, probe: Probe): Resolution | null {
    for (const home of homes(this.project, directory)) {
      for (const place of places) {
        const path = join(under(home, place), rest);
        const found = path === null || path === '' ? null : this.path(path, false, probe);
        if (found !== null) return found;
      }
    }
    return null;
  }

  private imported(directory: string, specifier: string, probe: Probe): Resolution | null {
    const own = this.packages.nearest(directory);
    const targets = own === null ? null : importTargets(own, specifier);
    if (own === null || targets === null) return null;
    const found = this.packages.locate(own.directory, targets.filter(isRelative), probe);
    if (found !== null) return found;
    const outside = targets.find((target) => !isRelative(target) && !target.startsWith('#'));
    return outside === undefined ? null : this.bare(own.directory, outside, probe);
  }

  private bare(directory: string, specifier: string, probe: Probe): Resolution {
    const [name, rest] = splitPackage(specifier);
    if (name === '' || name === '.' || name === '..') return UNRESOLVED;
    const found = this.packages.find(name, directory);
    if (found === null) return external(name);
    return this.packages.entry(found, rest === '' ? '.' : `./${rest}`, probe) ?? UNRESOLVED;
  }
}

function isRelative(specifier: string): boolean {
  return specifier === '.' || specifier === '..' || specifier.startsWith('./') || specifier.startsWith('../');
}

/** Does it mean a directory, even beside a file of that name? `.`, `./` and `..` do. */
function namesDirectory(specifier: string): boolean {
  return (
    specifier.endsWith('/') ||
    specifier === '.' ||
    specifier === '..' ||
    specifier.endsWith('/.') ||
    specifier.endsWith('/..')
  );
}

/** `raw-loader!./text.md?inline` to `./text.md`. */
function withoutLoaders(specifier: string): string {
  const path = specifier.slice(specifier.lastIndexOf('!') + 1);
  const query = path.indexOf('?', 1);
  return query < 0 ? path : path.slice(0, query);
}
