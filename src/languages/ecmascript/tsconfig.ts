/** Rules of tsconfig.json and jsconfig.json for specifiers: `paths`, `baseUrl`, `rootDirs`, through `extends` and `references`. */
import {
  ancestors,
  directoryOf,
  entries,
  field,
  getOrMake,
  isWithin,
  type Json,
  join,
  type Project,
  text,
  texts,
  under,
} from '../roles/project.js';
import type { Packages } from './packages.js';

interface PathPattern {
  /** Before and after the `*`; `suffix` is null for a pattern without one. */
  prefix: string;
  suffix: string | null;
  /** Relative to the repository root, with one `*` where the pattern has one. */
  targets: string[];
}

interface Mapping {
  /** Exact patterns first, then the longest prefix first: the first pattern that fits counts. */
  paths: PathPattern[];
  baseUrl: string | null;
  rootDirs: string[];
}

/** Directory that relative paths of a configuration start from. */
interface Placed {
  from: string;
  value: string;
}

/** Options as written; an undefined one is inherited. */
interface Options {
  baseUrl?: Placed;
  paths?: { from: string; map: Json };
  rootDirs?: Placed[];
}

/** Names of a directory's configuration; the first one that exists counts. */
const CONFIG_NAMES = ['tsconfig.json', 'jsconfig.json', 'tsconfig.base.json'];
const MAX_EXTENDS = 10;
const MAX_PATTERNS = 2000;
/** Most places of one pattern, and most directories that count as one (`rootDirs`): each is tried for each import. */
const MAX_TARGETS = 50;
const MAX_ROOTS = 50;
/** Most mappings that one file is resolved by. */
const MAX_CHAIN = 8;
const CONFIG_DIRECTORY = '\u0024{configDir}';

export class TsConfigs {
  private readonly chains = new Map<string, readonly Mapping[]>();
  private readonly mappings = new Map<string, Mapping>();
  private readonly shared = new Map<Json, boolean>();
  private readonly placed = new Map<Json, Map<string, PathPattern[]>>();
  private readonly options = new Map<string, Options>();

  constructor(
    private readonly project: Project,
    private readonly packages: Packages,
  ) {}

  /**
   * Mappings that may apply to files of a directory, strongest first: those of the nearest configuration, of configurations in its
   * directory that it references, of configurations further up.
   */
  of(directory: string): readonly Mapping[] {
    const known = this.chains.get(directory);
    if (known !== undefined) return known;
    const above = directory === '' ? [] : this.of(directoryOf(directory));
    const name = CONFIG_NAMES.find((candidate) => this.project.input.manifests.has(under(directory, candidate)));
    const own = name === undefined ? [] : this.withReferences(under(directory, name));
    const chain = own.length === 0 ? above : [...own, ...above].slice(0, MAX_CHAIN);
    this.chains.set(directory, chain);
    return chain;
  }

  /** Does the nearest configuration above a directory name the file, or all files below it? */
  covers(directory: string, path: string): boolean {
    for (const at of ancestors(directory)) {
      const name = CONFIG_NAMES.find((candidate) => this.project.input.manifests.has(under(at, candidate)));
      if (name === undefined) continue;
      const config = this.project.json(under(at, name));
      const isWhole = ['extends', 'include', 'files'].every((key) => field(config, key) === undefined);
      if (isWhole) return isWithin(path, at);
      return [...texts(field(config, 'include')), ...texts(field(config, 'files'))].some((written) => {
        const named = join(at, written.replace(/(?:^|\/)[^/]*\*.*$/, '') || '.');
        return named !== null && isWithin(path, named);
      });
    }
    return false;
  }

  private withReferences(path: string): Mapping[] {
    const directory = directoryOf(path);
    const config = this.project.json(path);
    const references = field(config, 'references');
    const siblings = (Array.isArray(references) ? references : [])
      .map((reference) => join(directory, text(field(reference, 'path')) ?? ''))
      .filter((target) => target !== null && target !== path && directoryOf(target) === directory);
    return [path, ...(siblings as string[])]
      .map((target) => this.mapping(target))
      .filter(({ paths, baseUrl, rootDirs }) => paths.length > 0 || baseUrl !== null || rootDirs.length > 0);
  }

  private mapping(path: string): Mapping {
    const known = this.mappings.get(path);
    if (known !== undefined) return known;
    const mapping = this.place(directoryOf(path), this.optionsOf(path, []));
    this.mappings.set(path, mapping);
    return mapping;
  }

  /** Options with relative paths resolved; those with `configDir` depend on the configuration that is used. */
  private place(directory: string, { baseUrl, paths, rootDirs }: Options): Mapping {
    const at = (written: Placed): string | null => placeOf(written, directory);
    const base = baseUrl === undefined ? null : at(baseUrl);
    return {
      paths: paths === undefined ? [] : this.patterns(paths.map, base ?? paths.from, directory),
      baseUrl: base,
      rootDirs: (rootDirs ?? []).flatMap((placed) => at(placed) ?? []),
    };
  }

  /** Patterns of a map of paths. Many packages inherit one map: it is read once for each place that it is relative to. */
  private patterns(map: Json, from: string, directory: string): PathPattern[] {
    const isShared = getOrMake(this.shared, map, () =>
      entries(map).every(([, targets]) => !texts(targets).some((target) => target.startsWith(CONFIG_DIRECTORY))),
    );
    const places = getOrMake(this.placed, map, () => new Map<string, PathPattern[]>());
    return getOrMake(places, isShared ? from : `${from}\0${directory}`, () =>
      entries(map)
        .slice(0, MAX_PATTERNS)
        .map(([pattern, targets]) => toPattern(pattern, texts(targets).slice(0, MAX_TARGETS), from, directory))
        .sort((a, b) => rank(b) - rank(a)),
    );
  }

  private optionsOf(path: string, trail: readonly string[]): Options {
    const known = this.options.get(path);
    if (known !== undefined) return known;
    if (trail.length >= MAX_EXTENDS || trail.includes(path)) return {};
    const config = this.project.json(path);
    const directory = directoryOf(path);
    const parents = field(config, 'extends');
    const merged: Options = {};
    for (const parent of typeof parents === 'string' ? [parents] : texts(parents).slice(0, MAX_EXTENDS)) {
      const target = this.extended(directory, parent);
      if (target !== null) Object.assign(merged, this.optionsOf(target, [...trail, path]));
    }
    Object.assign(merged, ownOptions(config, directory));
    this.options.set(path, merged);
    return merged;
  }

  /** The configuration that `extends` means, if it is in the repository. */
  private extended(directory: string, parent: string): string | null {
    if (/^\.{0,2}\//.test(parent) || parent === '..' || parent === '.') {
      return this.configAt(join(directory, parent));
    }
    const [name, rest] = splitPackage(parent);
    const found = this.packages.find(name, directory);
    return found === null ? null : this.configAt(join(found.directory, rest));
  }

  private configAt(path: string | null): string | null {
    if (path === null) return null;
    const candidates = [path, `${path}.json`, under(path, 'tsconfig.json')];
    return candidates.find((candidate) => this.project.input.manifests.has(candidate)) ?? null;
  }
}

function placeOf({ from, value }: Placed, directory: string): string | null {
  return value.startsWith(CONFIG_DIRECTORY) ? join(directory, value.slice(CONFIG_DIRECTORY.length)) : join(from, value);
}

function toPattern(pattern: string, targets: readonly string[], from: string, directory: string): PathPattern {
  const star = pattern.indexOf('*');
  return {
    prefix: star < 0 ? pattern : pattern.slice(0, star),
    suffix: star < 0 ? null : pattern.slice(star + 1),
    targets: targets.flatMap((value) => placeOf({ from, value }, directory) ?? []),
  };
}

/** Exact patterns come before all others. */
function rank({ prefix, suffix }: PathPattern): number {
  return suffix === null ? Number.MAX_SAFE_INTEGER : prefix.length;
}

function ownOptions(config: Json | undefined, from: string): Options {
  const compiler = field(config, 'compilerOptions');
  const baseUrl = text(field(compiler, 'baseUrl'));
  const paths = field(compiler, 'paths');
  const rootDirs = field(compiler, 'rootDirs');
  return {
    ...(baseUrl === undefined ? {} : { baseUrl: { from, value: baseUrl } }),
    ...(paths === undefined ? {} : { paths: { from, map: paths } }),
    ...(rootDirs === undefined
      ? {}
      : {
          rootDirs: texts(rootDirs)
            .slice(0, MAX_ROOTS)
            .map((value) => ({ from, value })),
        }),
  };
}

/** `@scope/name/deep` to `@scope/name` and `deep`. */
export function splitPackage(specifier: string): [name: string, rest: string] {
  let end = specifier.indexOf('/');
  if (end >= 0 && specifier.startsWith('@')) end = specifier.indexOf('/', end + 1);
  return end < 0 ? [specifier, ''] : [specifier.slice(0, end), specifier.slice(end + 1)];
}

/** Targets of a specifier by `paths`; null if no pattern fits. */
export function mappedPaths({ paths }: Mapping, specifier: string): string[] | null {
  for (const { prefix, suffix, targets } of paths) {
    if (suffix === null) {
      if (specifier === prefix) return targets;
    } else if (
      specifier.length >= prefix.length + suffix.length &&
      specifier.startsWith(prefix) &&
      specifier.endsWith(suffix)
    ) {
      const rest = specifier.slice(prefix.length, specifier.length - suffix.length);
      return targets.map((target) => target.replace('*', () => rest));
    }
  }
  return null;
}

/** Yields the corresponding path below each of the other root directories. */
export function* twins({ rootDirs }: Mapping, path: string): Generator<string> {
  const homes = rootDirs.filter((root) => root === '' || path.startsWith(`${root}/`));
  const home = homes.sort((a, b) => b.length - a.length)[0];
  if (home === undefined) return;
  const rest = home === '' ? path : path.slice(home.length + 1);
  for (const root of rootDirs) if (root !== home) yield under(root, rest);
}

/** The directory and those above it that hold a configuration or a package: where `~/` may start from. */
export function* homes(project: Project, directory: string): Generator<string> {
  for (const at of ancestors(directory)) {
    if (at === '' || project.input.manifests.has(under(at, 'package.json'))) yield at;
  }
}
