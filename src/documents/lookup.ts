/** Finds the one definition, file or package that a name in a document means, or none: several candidates are no answer. */
import { posix } from 'node:path';
import { addTo, getOrMake } from '../base/lists.js';
import type { Graph } from '../graph/graph.js';
import { isProduction } from '../graph/query/node-place.js';
import { isLocalFunction, isPlain, isType, parentsOf } from '../graph/query/uses.js';
import { conventionsOf, languageOf, sameFamily } from '../languages/registry.js';
import { antoraPath, type DocumentFacts, isDistinctive, type Mention, partsOf } from './read.js';
import type { Documented, Resolver } from './resolve.js';

/** Most types that are searched for a member: in a hostile repository inheritance has no end. */
const MAX_ANCESTORS = 50;

export class Lookup {
  private readonly known = new Map<string, readonly number[]>();
  private types: Map<string, number[]> | null = null;

  constructor(readonly graph: Graph) {}

  /** Definitions of a simple name in code that people work on, one for each place. */
  named(name: string): readonly number[] {
    return getOrMake(this.known, name, () => this.find(name));
  }

  private find(name: string): number[] {
    const { graph } = this;
    const places = new Map<string, number>();
    for (const node of graph.nodesNamed(name)) {
      const file = graph.fileOf(node);
      if (isPlain(graph, node) || graph.kind(node) === 'impl' || isLocalFunction(graph, node)) continue;
      if (!isProduction(graph, file) || conventionsOf(graph.tables.files[file].language).builtins?.has(name)) continue;
      const key = `${file} ${graph.qualifiedName(node)}`;
      // A class and its constructor of the same name count as one.
      if (graph.kind(node) === 'constructor' && places.has(`${file} ${graph.qualifiedName(graph.container(node))}`))
        continue;
      if (!places.has(key)) places.set(key, node);
    }
    return [...places.values()];
  }

  /** Definitions whose qualified name is, or ends with, these words. */
  qualified(words: readonly string[]): readonly number[] {
    const all = this.named(words[words.length - 1]);
    if (words.length === 1) return all;
    const wanted = words.join('.');
    const names = all.map((node) => this.graph.qualifiedName(node));
    const exact = all.filter((_, i) => names[i] === wanted);
    return exact.length > 0 ? exact : all.filter((_, i) => names[i].endsWith(`.${wanted}`));
  }

  /** Definitions that other files can name without an instance. */
  topLevel(name: string): readonly number[] {
    const { graph } = this;
    return this.named(name).filter((node) => graph.isFile(graph.container(node)) && graph.isExported(node));
  }

  /** First of the top-level definitions; -1 if there are none. Makes no list for unknown names, of which manuals import thousands. */
  firstTopLevel(name: string): number {
    const { graph } = this;
    const isOuter = (node: number) => graph.isFile(graph.container(node)) && graph.isExported(node);
    return graph.nodesNamed(name).some(isOuter) ? (this.topLevel(name)[0] ?? -1) : -1;
  }

  /** Finds a member of a type, or of a type that it inherits from; -1 for none. */
  member(type: number, name: string): number {
    const { graph } = this;
    const all = this.named(name);
    if (all.length === 0) return -1;
    const family = new Set(this.namesakesOf(type));
    for (const each of family) {
      const found = all.find((node) => graph.container(node) === each);
      if (found !== undefined) return found;
      if (family.size > MAX_ANCESTORS) break;
      for (const parent of parentsOf(graph, each)) family.add(parent);
    }
    return -1;
  }

  /** A type and its other parts: `impl` blocks, a class and an interface of one name in one file. */
  private namesakesOf(type: number): number[] {
    const { graph } = this;
    const file = graph.fileOf(type);
    return graph.namesakes(type).filter((other) => graph.fileOf(other) === file && isType(graph, other));
  }

  /** Types that a variable of this name holds by custom: `dataSource` and `data_source` hold a `DataSource`. */
  typesLike(variable: string): readonly number[] {
    this.types ??= this.typesByKey();
    return this.types.get(keyOf(variable)) ?? [];
  }

  private typesByKey(): Map<string, number[]> {
    const { graph } = this;
    const found = new Map<string, number[]>();
    for (let node = 0; node < graph.nodeCount; node++) {
      if (!graph.isExported(node) || !TYPES.has(graph.kind(node)) || !isProduction(graph, graph.fileOf(node))) continue;
      addTo(found, keyOf(graph.name(node)), node);
    }
    return found;
  }
}

const TYPES: ReadonlySet<string> = new Set(['class', 'interface', 'trait', 'struct']);
const keyOf = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** The one element of a list; -1 if there are none or several. */
export const only = (list: readonly number[]): number => (list.length === 1 ? list[0] : -1);

export interface Written {
  text: string;
  /** Path of the document that contains it. */
  from: string;
  /** Links lead from the document first, other paths from the top of the repository. */
  isLink: boolean;
}

/** Finds the file of a path. `isEnding`: only the end of its path matches, which is less certain. Null for none and for several. */
export function resolvePath(graph: Graph, { text, from, isLink }: Written): { node: number; isEnding: boolean } | null {
  const here = posix.join(posix.dirname(from), text);
  const top = posix.normalize(text.replace(/^\/+/, ''));
  const linked = isLink ? [antoraPath(from, text) ?? here, here, top] : [top, here];
  for (const path of text.startsWith('/') ? [top] : linked) {
    const node = fileAt(graph, path, isLink ? posix.extname(from) : '');
    if (node >= 0) return { node, isEnding: false };
  }
  const end = `/${top.replace(/\/+$/, '')}`;
  if (isLink || !/^[^.].*\/[^/]+\.\w+$/.test(top)) return null;
  const found = graph.tables.files.flatMap(({ path }, file) =>
    path.endsWith(end) && isProduction(graph, file) ? [file] : [],
  );
  return found.length === 1 ? { node: graph.fileNode(found[0]), isEnding: true } : null;
}

/** A file, or the document that a link without an extension means; -1 for none. */
function fileAt(graph: Graph, path: string, extension: string): number {
  const bare = path.replace(/\/+$/, '');
  const spellings = extension === '' ? [bare] : [bare, bare + extension, `${bare}/index${extension}`];
  for (const each of spellings) {
    const file = graph.findFile(each);
    if (file >= 0) return graph.fileNode(file);
  }
  return -1;
}

// Packages and repositories of our own

/** Packages that manifests of a snapshot name, by ecosystem, in the form that `packageOf` returns. */
export type Published = ReadonlyMap<string, ReadonlySet<string>>;

/** A package is ours if at least this share of the names that documents import from it is defined here. */
const OWN_SHARE = 0.6;

/**
 * Finds the packages of this repository. A package is ours if a manifest names it. In an ecosystem without manifests it is ours if the
 * repository defines most of what documents import from it. One name alone may be chance: then a folder must have the package's name, too.
 */
export function ownPackages(
  documents: Iterable<DocumentFacts>,
  lookup: Lookup,
  published: Published = new Map(),
): ReadonlySet<string> {
  const names = new Map<string, Set<string>>();
  for (const { mentions } of documents) {
    for (const { kind, text, from } of mentions) {
      // Some languages import packages whole, so a use of a package in a sample counts like an import.
      if ((kind !== 'import' && kind !== 'use') || from === undefined) continue;
      const root = packageOf(from);
      const known = names.get(root);
      const [name] = partsOf(text);
      if (known === undefined) names.set(root, new Set([name]));
      else known.add(name);
    }
  }
  let folders: ReadonlySet<string> | null = null;
  const isFolder = (name: string): boolean => {
    folders ??= new Set(lookup.graph.tables.files.flatMap(({ path }) => path.split('/').slice(0, -1)));
    return folders.has(name);
  };
  const own = new Set<string>();
  const named = new Set([...published.values()].flatMap((roots) => [...roots]));
  for (const [root, all] of names) {
    if (root === '') continue;
    if (named.has(root)) own.add(root);
    if (own.has(root)) continue;
    const definitions = [...all].map((name) => lookup.firstTopLevel(name)).filter((node) => node >= 0);
    if (definitions.some((node) => published.has(ecosystemOf(lookup, node)))) continue;
    const ours = definitions.length;
    if (ours / all.size >= OWN_SHARE && (ours > 1 || isFolder(root.slice(root.lastIndexOf('/') + 1)))) own.add(root);
  }
  return own;
}

/** Names that documents import from their own packages. */
export function importedNames(documents: readonly DocumentFacts[], own: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { mentions } of documents)
    for (const { kind, text, from } of mentions)
      if (kind === 'import' && from !== undefined && own.has(packageOf(from))) found.add(text);
  return found;
}

/** Files that every repository has: a link to one proves nothing. */
const COMMON = /^\/(?:readme|licen[cs]e|changelog|contributing|security|package\.json)[^/]*$/i;

/**
 * Finds the repositories on forges, as owner and name, that are this one: most paths that links name in them exist here. Asks no remote, so
 * that an answer depends on the snapshot alone.
 */
export function ownRepositories(
  documents: Iterable<DocumentFacts>,
  exists: (path: string) => boolean,
): ReadonlySet<string> {
  const linked = new Map<string, Set<string>>();
  for (const { mentions } of documents)
    for (const { kind, text, from } of mentions) {
      // Files only: the graph does not know which folders exist.
      if (kind !== 'link' || from === undefined || !/\.\w+$/.test(text)) continue;
      const known = linked.get(from);
      if (known === undefined) linked.set(from, new Set([text]));
      else known.add(text);
    }
  const own = [...linked].filter(([, paths]) => {
    const here = [...paths].filter((path) => exists(path.slice(1)));
    return here.length / paths.size >= OWN_SHARE && (here.length > 1 || here.some((path) => !COMMON.test(path)));
  });
  return new Set(own.map(([name]) => name));
}

function ecosystemOf({ graph }: Lookup, node: number): string {
  return languageOf(graph.tables.files[graph.fileOf(node)].language)?.packages?.ecosystem ?? '';
}

/** `@scope/name` of `@scope/name/part`, `a` of `a.b`, `a::b` and `npm:a@1`; '' for a relative path. */
export function packageOf(from: string): string {
  if (/^\.|^crate\b|^self\b|^super\b/.test(from)) return '';
  const name = from.replace(/^(?:npm|jsr):/, '');
  // `github.com/shop/cart`: a host comes first.
  const whole = /^@[^/]+\/[^/@]+|^[\w-]+(?:\.[\w-]+)+\/[^/]+\/[^/]+/.exec(name)?.[0];
  return whole ?? name.split(/[./@]|::/)[0];
}

// Calls in samples, by names that the document does not import. A sample is an excerpt, so such a call may be one of the reader's own code.
// It makes no link, and a claim only with further proof.

/** The one definition of a name that is distinctive, or that samples of other documents import; -1 for none. */
export function unboundCallee(resolver: Resolver, { facts }: Documented, { text, language = '' }: Mention): number {
  const { graph, lookup, importedNames } = resolver;
  const words = partsOf(text);
  const name = words[words.length - 1];
  if (facts.defined.includes(name) || (!isDistinctive(name) && (words.length > 1 || !importedNames.has(name))))
    return -1;
  const node = only(words.length > 1 ? lookup.named(name) : lookup.topLevel(name));
  if (node < 0 || (words.length > 1 && graph.isFile(graph.container(node)) && !isModule(resolver, node, words)))
    return -1;
  return sameFamily(graph.tables.files[graph.fileOf(node)].language, language) ? node : -1;
}

/** Does the word before a function at top level name its package or its module? */
function isModule({ graph }: Resolver, node: number, words: readonly string[]): boolean {
  const [module] = words.slice(-2);
  return graph.path(node).split(/[/.]/).includes(module);
}
