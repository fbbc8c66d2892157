/**
 * The files of a snapshot as every ecosystem sees them: their paths, the file that an import means, and files by the package, namespace or
 * module that they declare. Indexes are made on demand.
 */
import { createRequire } from 'node:module';
import type * as jsonc from 'jsonc-parser';
import type picomatch from 'picomatch';
import type * as toml from 'smol-toml';
import { globFault, plainGlob, SAFE_GLOB_OPTIONS } from '../../base/glob.js';
import { addTo, getOrMake } from '../../base/lists.js';
import type { Import } from './relation-facts.js';

export { getOrMake };

/** Largest manifest. A longer file of that name is data and is ignored. */
export const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Most files that define or have a name; beyond, the name does not show which one is intended. */
const MAX_CANDIDATES = 500;

export class Project {
  private readonly numbers = new Map<string, number>();
  private readonly parsed = new Map<string, Json | undefined>();
  private directories: Map<string, number[]> | null = null;
  private allDirectories: Set<string> | null = null;
  private byName: Map<string, number[]> | null = null;
  private byLanguage: Map<string, number[]> | null = null;
  private manifestNames: Map<string, string[]> | null = null;

  constructor(readonly input: ResolveInput) {
    for (let i = 0; i < input.files.length; i++) this.numbers.set(input.files[i].path, i);
  }

  path(file: number): string {
    return this.input.files[file].path;
  }

  language(file: number): string {
    return this.input.files[file].language;
  }

  directory(file: number): string {
    return directoryOf(this.input.files[file].path);
  }

  /** Number of the graph file with that path, -1 if there is none. */
  find(path: string): number {
    return this.numbers.get(path) ?? -1;
  }

  has(path: string): boolean {
    return this.numbers.has(path);
  }

  /** Looks up exactly that path: a file of the graph, another one, or nothing. */
  at(path: string): Resolution | null {
    if (this.numbers.has(path)) return oneFile(path);
    return this.input.others.has(path) ? { kind: 'asset', path } : null;
  }

  /** The first of the paths that exists. */
  firstAt(paths: Iterable<string>): Resolution | null {
    for (const path of paths) {
      const found = this.at(path);
      if (found !== null) return found;
    }
    return null;
  }

  /** Graph files directly in a directory, in order. */
  filesIn(directory: string): readonly number[] {
    this.directories ??= groupBy(this.input.files, ({ path }) => directoryOf(path));
    return this.directories.get(directory) ?? [];
  }

  /** Is a graph file in the directory, or below it? */
  isDirectory(directory: string): boolean {
    this.allDirectories ??= this.listDirectories();
    return this.allDirectories.has(directory);
  }

  /** Graph files with that name (`index.ts`), wherever they are, in order. */
  named(name: string): readonly number[] {
    this.byName ??= groupBy(this.input.files, ({ path }) => baseName(path));
    return this.byName.get(name) ?? [];
  }

  /** Graph files of these languages, in order. */
  filesOfLanguages(languages: readonly string[]): readonly number[] {
    this.byLanguage ??= groupBy(this.input.files, ({ language }) => language);
    const lists = languages.flatMap((language) => this.byLanguage?.get(language) ?? []);
    return lists.sort((a, b) => a - b);
  }

  /** Paths of the manifests with that name, sorted. */
  manifestsNamed(name: string): readonly string[] {
    if (this.manifestNames === null) {
      this.manifestNames = new Map();
      for (const path of this.input.manifests.keys()) addTo(this.manifestNames, baseName(path), path);
      for (const paths of this.manifestNames.values()) paths.sort();
    }
    return this.manifestNames.get(name) ?? [];
  }

  manifest(path: string): string | undefined {
    const text = this.input.manifests.get(path);
    return text === undefined || text.length > MAX_MANIFEST_BYTES ? undefined : text;
  }

  /** A manifest as JSON with comments; undefined if it is missing or cannot be parsed. */
  json(path: string): Json | undefined {
    if (this.parsed.has(path)) return this.parsed.get(path);
    const text = this.manifest(path);
    const value = text === undefined ? undefined : parseJson(text);
    this.parsed.set(path, value);
    return value;
  }

  /** Candidates that share most directories with `path`, in order; none if there are far too many. */
  nearest(path: string, candidates: readonly number[]): readonly number[] {
    if (candidates.length < 2) return candidates;
    if (candidates.length > MAX_CANDIDATES) return [];
    let best = -1;
    let chosen: number[] = [];
    for (const file of candidates) {
      const depth = commonDepth(path, this.path(file));
      if (depth > best) {
        best = depth;
        chosen = [];
      }
      if (depth === best) chosen.push(file);
    }
    return chosen;
  }

  toFiles(files: readonly number[], tier: 'path' | 'package'): Resolution {
    return { kind: 'files', paths: files.map((file) => this.path(file)), tier };
  }

  private listDirectories(): Set<string> {
    const found = new Set(['']);
    for (const { path } of this.input.files) addWithParents(found, directoryOf(path));
    return found;
  }
}

/** Adds a directory and its ancestors to a set that already holds the ancestors of each member. */
export function addWithParents(found: Set<string>, directory: string): void {
  for (let at = directory; !found.has(at); at = directoryOf(at)) found.add(at);
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (let i = 0; i < items.length; i++) addTo(groups, keyOf(items[i]), i);
  return groups;
}

// Resolution of imports: the file that a module specifier means

/** Result of an import: files, or the reason for none, such as a package outside or a mistake. A file that is not indexed is an `asset`. */
export type Resolution =
  | { kind: 'files'; paths: readonly string[]; tier: 'path' | 'package' }
  | { kind: 'asset'; path: string }
  | { kind: 'external'; package: string }
  | { kind: 'unresolved' };

export interface ResolveInput {
  /** Sorted by path. */
  files: readonly { path: string; language: string }[];
  /** Paths of the snapshot that are no files of the graph. */
  others: ReadonlySet<string>;
  /** Text of every manifest (`isManifest`) by path. */
  manifests: ReadonlyMap<string, string>;
  /** Packages, namespaces or modules that a file declares to be part of, or to have as children: specifiers of its imports of kind `declare` and `module`. Read on demand. */
  declared: (file: number) => readonly string[];
  /** Names that a file defines outside of any symbol. Names directly in a namespace or package that is a symbol are among them. Read on demand. */
  topLevelNames: (file: number) => readonly string[];
  /**
   * Names of the modules of the same file around a symbol, itself included, outermost first: `['tests']` for a symbol in `mod tests { }`.
   * Rust's `super::` counts them; if absent, every import counts as one at top level.
   */
  enclosingModules?: (file: number, symbol: number) => readonly string[];
}

/** `symbol`: see `Import`; only `enclosingModules` needs it. */
export type Specified = Pick<Import, 'kind' | 'specifier' | 'names'> & Partial<Pick<Import, 'symbol'>>;

/** Resolver of one family of languages. Answers for every specifier, in time linear in its length. */
export interface ImportResolver {
  resolve(file: number, specified: Specified): Resolution;
  /** Files for which `isPeer` can be true, in order; the list is shared. Absent if every use needs an import. */
  neighbours?(file: number): readonly number[];
  /** Does `file` see the names of `other`, of the same ecosystem, without any import? */
  isPeer?(file: number, other: number): boolean;
  /** Picks the definition that `file` uses of two files that define one name for different platforms. Null for other files. */
  variant?(file: number, one: number, other: number): number | null;
}

/** How imports of a family of languages are resolved. */
export interface ImportRules {
  /** Do answers depend on `declared` and `topLevelNames`? */
  readsNames: boolean;
  /** Names of members of the language's own types and of well-known libraries. */
  libraryNames?: ReadonlySet<string>;
  /** Parents of types of the language's own libraries, by simple names. A type that it lacks may have any. */
  libraryParents?: ReadonlyMap<string, readonly string[]>;
  framework?: {
    /** A repository with a file of such a path uses it. */
    path: RegExp;
    /** Names of members that it gives classes. */
    names: ReadonlySet<string>;
    /** Its own namespaces. */
    spaces: RegExp;
    /** Files that state the columns of tables, by calls on a value of that name. */
    schema: RegExp;
    table: string;
    /** Files with values of its own, followed by uses of those: a builder, and the local that a part of a view is named after. */
    locals: RegExp;
    /** Types whose members it calls itself, and names of values on which other code calls them. */
    parts: RegExp;
    callers: RegExp;
  };
  create(project: Project): ImportResolver;
}

export const UNRESOLVED: Resolution = { kind: 'unresolved' };

export function external(name: string): Resolution {
  return { kind: 'external', package: name };
}

function oneFile(path: string): Resolution {
  return { kind: 'files', paths: [path], tier: 'path' };
}

/** How the text of an import is a path. */
export interface Paths {
  /** Between the names of a module, which are folders and a file. */
  separator?: string;
  /** Endings that an import leaves out. */
  endings?: readonly string[];
  /** Folders that paths begin in, besides the one of the file and those above it. */
  roots?: readonly string[];
}

/** Imports are paths, from the importing file, from a folder above it, or from a folder by convention. */
export function pathImports(paths: Paths): ImportRules {
  return { readsNames: false, create: (project) => new PathResolver(project, paths) };
}

class PathResolver implements ImportResolver {
  private readonly together = new Map<string, readonly number[]>();

  constructor(
    private readonly project: Project,
    private readonly paths: Paths,
  ) {}

  resolve(file: number, { specifier: written }: Specified): Resolution {
    const { project, paths } = this;
    const directory = project.directory(file);
    const specifier = written.startsWith('|') ? written.slice(1) : written;
    if (/^\w+:|^\/\//.test(specifier) && paths.separator !== '::') return external(specifier);
    const isModule = paths.separator !== undefined && !specifier.includes('/');
    const path = isModule ? specifier.replaceAll(paths.separator ?? '', '/') : specifier;
    for (const from of specifier.startsWith('.') ? [directory] : ancestors(directory)) {
      for (const root of ['', ...(paths.roots ?? [])]) {
        const found = this.at(file, join(under(from, root), path));
        if (found !== null) return found;
      }
    }
    return isModule ? external(specifier.split(paths.separator ?? '', 1)[0]) : UNRESOLVED;
  }

  private at(file: number, path: string | null): Resolution | null {
    const { project, paths } = this;
    if (path === null) return null;
    // `../..` from two folders below the top.
    if (path === '') return this.folder(file, path);
    return project.firstAt([path, ...(paths.endings ?? []).map((ending) => path + ending)]) ?? this.folder(file, path);
  }

  /** Files of the same language in a folder that is imported as a whole. */
  private folder(file: number, path: string): Resolution | null {
    const { project } = this;
    const files = project.filesIn(path).filter((other) => project.language(other) === project.language(file));
    return files.length === 0 ? null : project.toFiles(files, 'path');
  }

  neighbours(file: number): readonly number[] {
    const { project } = this;
    const [directory, language] = [project.directory(file), project.language(file)];
    return getOrMake(this.together, `${language} ${directory}`, () =>
      project.filesIn(directory).filter((other) => project.language(other) === language),
    );
  }

  isPeer(file: number, other: number): boolean {
    return this.project.directory(file) === this.project.directory(other);
  }
}

// Paths of a snapshot: relative to the repository root, `/` between names, '' for the root itself.

/** Longest path: git's own limit for paths in an index is 4,095 bytes. */
const MAX_PATH = 4096;

export function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The name without its last extension: `cart.test` of `src/cart.test.ts`. */
export function stemOf(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}

/** `directory` followed by `rest`, neither of them normalised. */
export function under(directory: string, rest: string): string {
  return directory === '' ? rest : rest === '' ? directory : `${directory}/${rest}`;
}

/** Path that `relative` leads to from `directory`; null if it is outside of the repository. Never ends in `/`. */
export function join(directory: string, relative: string): string | null {
  if (directory.length + relative.length > MAX_PATH) return null;
  const names = directory === '' ? [] : directory.split('/');
  for (const name of relative.split('/')) {
    if (name === '..') {
      if (names.pop() === undefined) return null;
    } else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}

/** Most levels of folders. No real project is deeper, and a look-up must not take as long as a hostile tree is deep. */
const MAX_LEVELS = 64;

/** `directory` and those above it, the root ('') last. */
export function* ancestors(directory: string): Generator<string> {
  let at = directory;
  for (let level = 0; at !== '' && level < MAX_LEVELS; level++) {
    yield at;
    at = directoryOf(at);
  }
  yield '';
}

export function isWithin(path: string, directory: string): boolean {
  return directory === '' || path === directory || path.startsWith(`${directory}/`);
}

/** How many directories two paths have in common. */
export function commonDepth(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let depth = 0;
  for (let i = 0; i < end && a.charCodeAt(i) === b.charCodeAt(i); i++) if (a.charCodeAt(i) === SLASH) depth++;
  return depth;
}

const SLASH = 47;

// Readers of manifests: JSON, TOML and a little YAML. The text can be anything: it gives nothing if it cannot be parsed, and fields of any
// value can be read safely. The libraries are loaded for the first manifest of their kind, since most questions link nothing.

const require = createRequire(import.meta.url);
const MAX_GLOBS = 1_000;

/** Parses JSON with the comments and trailing commas of configurations. Undefined for other text. */
export function parseJson(text: string): Json | undefined {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return orUndefined(() => JSON.parse(json)) ?? orUndefined(() => parseWithComments(json));
}

function parseWithComments(json: string): Json | undefined {
  const { parse } = require('jsonc-parser') as typeof jsonc;
  const errors: jsonc.ParseError[] = [];
  const value = parse(json, errors, { allowTrailingComma: true });
  return errors.length === 0 ? value : undefined;
}

/** Parses TOML; undefined for other text. */
export function parseToml(text: string): Json | undefined {
  return orUndefined(() => (require('smol-toml') as typeof toml).parse(text) as Json);
}

/** Catches the RangeError of deeply nested text, too: such text is no manifest. */
function orUndefined(parse: () => Json | undefined): Json | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/**
 * Matches directories against the patterns of a workspace: `packages/*`, `apps/**`, `!old`, `{apps,libs}/*`. Later patterns win. Patterns
 * that could take long are ignored.
 */
export function directoryMatcher(patterns: readonly string[]): (directory: string) => boolean {
  const compile = require('picomatch') as typeof picomatch;
  const globs = patterns.slice(0, MAX_GLOBS).flatMap((pattern) => {
    const isNegative = pattern.startsWith('!');
    const glob = pattern.slice(isNegative ? 1 : 0).replace(/^(?:\.?\/)+|\/+$/g, '');
    if (glob === '' || globFault(glob) !== null) return [];
    return [{ isNegative, matches: compile(plainGlob(glob), SAFE_GLOB_OPTIONS) }];
  });
  return (directory) => {
    let fits = false;
    for (const { isNegative, matches } of globs) if (fits === isNegative && matches(directory)) fits = !isNegative;
    return fits;
  };
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A field that the object has itself; undefined for everything else, whatever `value` is. */
export function field(value: Json | undefined, name: string): Json | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

export function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The strings of an array; none for everything else. */
export function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Fields in the order of the text; none for everything else. */
export function entries(value: Json | undefined): [string, Json][] {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
}

/** Packages with their versions, in the tables of that name of a manifest. */
export const versionsIn = (
  manifest: Json | undefined,
  tables: readonly string[],
): { name: string; version: string }[] =>
  tables.flatMap((table) =>
    entries(field(manifest, table)).map(([name, version]) => ({ name, version: text(version) ?? '' })),
  );

/** The items of the list `key`, in either style; none if there is no such list. */
export function yamlList(yaml: string, key: string): string[] {
  const lines = yaml.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`${key}:`));
  if (start < 0) return [];
  const inline = plain(lines[start].slice(key.length + 1));
  if (inline.startsWith('[')) {
    return inline
      .replace(/^\[|\]$/g, '')
      .split(',')
      .map(plain)
      .filter((item) => item !== '');
  }
  const items: string[] = [];
  for (const line of lines.slice(start + 1)) {
    const content = line.trim();
    if (content === '' || content.startsWith('#')) continue;
    if (!content.startsWith('- ')) break;
    items.push(plain(content.slice(2)));
  }
  return items.filter((item) => item !== '');
}

/** The word behind a key at top level; '' if there is none. */
export function yamlWord(yaml: string, key: string): string {
  const line = yaml.split('\n').find((text) => text.startsWith(`${key}:`));
  return line === undefined ? '' : plain(line.slice(key.length + 1));
}

/** A scalar without white space, quotes and a comment behind it. */
function plain(scalar: string): string {
  const word = scalar.trim();
  const quote = word[0];
  if (quote === '"' || quote === "'") {
    const end = word.indexOf(quote, 1);
    return end < 0 ? word.slice(1) : word.slice(1, end);
  }
  const comment = word.indexOf(' #');
  return comment < 0 ? word : word.slice(0, comment).trim();
}

/** Most namespaces of a file; one with more is generated, or hostile. */
const MAX_DECLARED = 50;
const NO_FILES: readonly number[] = [];

export class Namespaces {
  private byName: Map<string, number[]> | null = null;
  private readonly resolutions = new Map<string, Resolution>();
  private readonly byStem = new Map<string, Map<string, number[]>>();
  private readonly definers = new Map<string, Map<string, number[]>>();

  /** `undeclared`: the namespace of files that declare none. */
  constructor(
    private readonly project: Project,
    private readonly languages: readonly string[],
    private readonly undeclared: string | null,
  ) {}

  has(namespace: string): boolean {
    return this.index().has(namespace);
  }

  /** Files of a namespace, in order. */
  files(namespace: string): readonly number[] {
    return this.index().get(namespace) ?? NO_FILES;
  }

  /** All files of a namespace. Returns one object for each namespace. */
  resolution(namespace: string): Resolution {
    return getOrMake(this.resolutions, namespace, () => this.project.toFiles(this.files(namespace), 'package'));
  }

  /** Files of all namespaces that a file declares, itself included. */
  neighbours(file: number): readonly number[] {
    const names = this.of(file);
    if (names.length === 1) return this.files(names[0]);
    return [...new Set(names.flatMap((name) => this.files(name)))].sort((a, b) => a - b);
  }

  /** Do two files have a namespace in common? */
  share(file: number, other: number): boolean {
    const names = this.of(file);
    return this.of(other).some((name) => names.includes(name));
  }

  /** Files of a namespace with that name, whatever their extension and their definitions. */
  stems(namespace: string, stem: string): readonly number[] {
    const found = getOrMake(this.byStem, namespace, () => {
      const stems = new Map<string, number[]>();
      for (const file of this.files(namespace)) addTo(stems, stemOf(this.project.path(file)), file);
      return stems;
    });
    return found.get(stem) ?? NO_FILES;
  }

  of(file: number): readonly string[] {
    const declared = this.project.input.declared(file).slice(0, MAX_DECLARED);
    return declared.length === 0 && this.undeclared !== null ? [this.undeclared] : declared;
  }

  /** Files of a namespace that define a name at top level, in order. */
  defining(namespace: string, name: string): readonly number[] {
    const names = getOrMake(this.definers, namespace, () => {
      const found = new Map<string, number[]>();
      for (const file of this.files(namespace)) {
        for (const defined of new Set(this.project.input.topLevelNames(file))) addTo(found, defined, file);
      }
      return found;
    });
    return names.get(name) ?? NO_FILES;
  }

  private index(): Map<string, number[]> {
    if (this.byName !== null) return this.byName;
    this.byName = new Map();
    for (const file of this.project.filesOfLanguages(this.languages)) {
      for (const namespace of new Set(this.of(file))) addTo(this.byName, namespace, file);
    }
    return this.byName;
  }
}
