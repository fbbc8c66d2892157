/** The files of a snapshot, as every ecosystem looks at them. Each index is made when it is first asked for. */
import { oneFile, type Resolution, type ResolveInput } from './imports.js';
import type { Json } from './json.js';
import { baseName, commonDepth, directoryOf } from './paths.js';
import { parseJson } from './readers.js';

/** Manifests are short. A longer file of that name is data, and is taken as if it were not there. */
export const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Limit on files that define a name, or have it: beyond, the name does not tell which one is meant. */
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

  /** Is there a graph file in it, or below it? */
  isDirectory(directory: string): boolean {
    this.allDirectories ??= this.listDirectories();
    return this.allDirectories.has(directory);
  }

  /** Graph files with that name (`index.ts`), wherever they are, in order. */
  named(name: string): readonly number[] {
    this.byName ??= groupBy(this.input.files, ({ path }) => baseName(path));
    return this.byName.get(name) ?? [];
  }

  /** In order. */
  filesOfLanguages(languages: readonly string[]): readonly number[] {
    this.byLanguage ??= groupBy(this.input.files, ({ language }) => language);
    const lists = languages.flatMap((language) => this.byLanguage?.get(language) ?? []);
    return lists.sort((a, b) => a - b);
  }

  /** Paths of the manifests with that name, sorted. */
  manifestsNamed(name: string): readonly string[] {
    if (this.manifestNames === null) {
      this.manifestNames = new Map();
      for (const path of this.input.manifests.keys()) append(this.manifestNames, baseName(path), path);
      for (const paths of this.manifestNames.values()) paths.sort();
    }
    return this.manifestNames.get(name) ?? [];
  }

  manifest(path: string): string | undefined {
    const text = this.input.manifests.get(path);
    return text === undefined || text.length > MAX_MANIFEST_BYTES ? undefined : text;
  }

  /** A manifest as JSON with comments; undefined if there is none, or if it can't be understood. */
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

/** Adds a directory and all above it to a set that holds those above whatever it holds. */
export function addWithParents(found: Set<string>, directory: string): void {
  for (let at = directory; !found.has(at); at = directoryOf(at)) found.add(at);
}

export function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

export function append<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (let i = 0; i < items.length; i++) append(groups, keyOf(items[i]), i);
  return groups;
}
