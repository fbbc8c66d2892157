/** Definitions and files that a person may mean by `Cart.total`, `total`, `src/cart.ts`, `src/cart.ts:Cart.total` or `src/cart.ts:42`. */

import { SocraticodeError } from '../../base/errors.js';
import { shellWord } from '../../base/hygiene.js';
import type { Graph } from '../graph.js';
import {
  type Accept,
  type Candidate,
  candidatesOf,
  choose,
  FIELDS,
  type FoundTarget,
  fileCandidate,
  nearestNames,
  type TargetResult,
  wordsOf,
} from './names.js';
import { findDirectory, findPath, type Prefix, pathsEnding, unknownPath } from './paths.js';
import { isProduction } from './place.js';
import { inheritedMembers, isType, ownerOf } from './uses.js';

export interface TargetOptions {
  /** Only symbols of this file, or of the files below this directory. */
  file?: string;
  prefix?: Prefix;
}

/** Throws BAD_ARGUMENT, with the nearest names or paths as its hint, if nothing is called so. */
export function resolveTarget(graph: Graph, text: string, options: TargetOptions = {}): TargetResult {
  const asked = text.trim();
  if (asked === '') throw new SocraticodeError('BAD_ARGUMENT', 'no symbol or file is named');
  const file = options.file === undefined ? findPath(graph, asked, options.prefix) : -1;
  if (file >= 0) return whole(graph, file);
  const placed = resolvePlaced(graph, asked, options.prefix);
  if (placed !== null) return placed;
  const named = candidatesOf(graph, wordsOf(asked), inside(graph, options));
  if (named.length > 0) return choose(graph, named);
  if (looksLikePath(asked)) {
    const endings = pathsEnding(graph, asked);
    if (endings.length === 1) return whole(graph, endings[0]);
    if (endings.length > 1) return { candidates: endings.map((each) => fileCandidate(graph, each)) };
    throw unknownPath(graph, asked, options.prefix);
  }
  const words = wordsOf(asked);
  const others = [besideType, inheritedBy].map((find) => find(graph, words, inside(graph, options)));
  const further = others.find((groups) => groups.length > 0);
  if (further !== undefined) return choose(graph, further);
  throw unknownName(graph, asked, options);
}

/** `Command.Run` where the method stands in another file than its type, so that only its receiver names the type. */
function besideType(graph: Graph, words: readonly string[], accept: Accept): number[][] {
  const named = words.length < 2 ? [] : candidatesOf(graph, words.slice(0, -1), () => true).flat();
  const types = new Set(named.filter((node) => isType(graph, node)));
  const methods = types.size === 0 ? [] : graph.nodesNamed(words[words.length - 1]);
  return methods
    .filter((node) => graph.kind(node) === 'method' && graph.isFile(graph.container(node)))
    .filter((node) => accept(node) && types.has(ownerOf(graph, node)))
    .map((node) => [node]);
}

/** `Flask.route` where only a type that `Flask` inherits from has a `route`. */
function inheritedBy(graph: Graph, words: readonly string[], accept: Accept): number[][] {
  const [name] = words.slice(-1);
  const types = candidatesOf(graph, words.slice(0, -1), accept).filter(([node]) => isType(graph, node));
  const own = types.filter(([node]) => isProduction(graph, graph.fileOf(node)));
  const groups = (own.length > 0 ? own : types).map((nodes) => inheritedMembers(graph, nodes, name));
  const found = new Map(groups.flatMap((nodes) => (nodes.length > 0 ? [[nodes[0], nodes] as const] : [])));
  return [...found.values()];
}

/** The file that is meant. Throws BAD_ARGUMENT. */
export function resolveFile(
  graph: Graph,
  text: string,
  prefix?: Prefix,
): { file: number } | { candidates: Candidate[] } {
  const asked = text.trim();
  if (asked === '') throw new SocraticodeError('BAD_ARGUMENT', 'no file is named');
  const file = findPath(graph, asked, prefix);
  if (file >= 0) return { file };
  const endings = pathsEnding(graph, asked);
  if (endings.length === 1) return { file: endings[0] };
  if (endings.length > 1) return { candidates: endings.map((each) => fileCandidate(graph, each)) };
  throw unknownPath(graph, asked, prefix);
}

function whole(graph: Graph, file: number): FoundTarget {
  return { nodes: [graph.fileNode(file)], isFile: true, others: 0 };
}

/** `path:42` and `path:name`; null if the text before the colon is no file. */
function resolvePlaced(graph: Graph, asked: string, prefix: Prefix | undefined): TargetResult | null {
  const match = /^(.+?):(?!:)([^:].*)$/s.exec(asked);
  if (match === null) return null;
  const [, path, rest] = match;
  const endings = pathsEnding(graph, path);
  const exact = findPath(graph, path, prefix);
  const file = exact >= 0 ? exact : endings.length === 1 ? endings[0] : -1;
  const line = /^(\d+)(?::\d+)?$/.exec(rest);
  if (file < 0) {
    if (line !== null || looksLikePath(path)) throw unknownPath(graph, path, prefix);
    return null;
  }
  if (line !== null) return atLine(graph, file, Number(line[1]));
  const named = candidatesOf(graph, wordsOf(rest), (node) => graph.fileOf(node) === file, true);
  if (named.length > 0) return choose(graph, named);
  throw unknownName(graph, rest, { file: graph.tables.files[file].path });
}

/** The innermost symbol at a line; the file where there is none. */
function atLine(graph: Graph, file: number, line: number): FoundTarget {
  const first = graph.fileNode(file);
  const lines = graph.endLine(first);
  const { path } = graph.tables.files[file];
  if (line < 1 || line > Math.max(1, lines))
    throw new SocraticodeError('BAD_ARGUMENT', `${path} has no line ${line}`, { hint: `It has ${lines} lines.` });
  const end = graph.tables.nodeBase[file + 1];
  let found = first;
  for (let node = first + 1; node < end && graph.startLine(node) <= line; node++)
    if (graph.endLine(node) >= line && !isAssignedIn(graph, node, found)) found = node;
  return { nodes: [found], isFile: found === first, others: 0 };
}

/** Is the node a member that the method around it makes by assigning it? Its line is the method's. */
function isAssignedIn(graph: Graph, node: number, around: number): boolean {
  return FIELDS.has(graph.kind(node)) && METHODS.has(graph.kind(around)) && isSibling(graph, node, around);
}

const METHODS: ReadonlySet<string> = new Set(['method', 'constructor']);

const isSibling = (graph: Graph, a: number, b: number): boolean => graph.container(a) === graph.container(b);

function inside(graph: Graph, { file, prefix }: TargetOptions): Accept {
  if (file === undefined) return () => true;
  const accepts = acceptsPath(graph, file, prefix);
  const known = graph.tables.files.map(({ path }) => accepts(path));
  return (node) => known[graph.fileOf(node)];
}

/** A file, all files below a directory, or those whose path ends so. Throws BAD_ARGUMENT if there is none. */
export function acceptsPath(graph: Graph, text: string, prefix?: Prefix): (path: string) => boolean {
  const exact = findPath(graph, text, prefix);
  if (exact >= 0) return (path) => path === graph.tables.files[exact].path;
  const directory = findDirectory(graph, text, prefix);
  if (directory !== null) return (path) => path.startsWith(directory);
  const endings = new Set(pathsEnding(graph, text).map((file) => graph.tables.files[file].path));
  if (endings.size === 0) throw unknownPath(graph, text, prefix);
  return (path) => endings.has(path);
}

/** A slash, or an ending that files have; `Cart.total` has none. */
function looksLikePath(text: string): boolean {
  return (
    text.includes('/') ||
    /\.(?:[cm]?[jt]sx?|py|go|rs|java|kts?|cs|[ch](?:pp)?|rb|php|vue|svelte|s?css|html?)$/.test(text)
  );
}

/** For a name that nothing is like: it may be written in another way, or be no symbol. */
function goOn(asked: string): string {
  const words = /^[\w.]+$/.test(asked) ? shellWord(asked) : 'WORDS';
  return `Search for it: git socraticode search ${words}; names with a part of it: git socraticode graph symbols PART`;
}

function unknownName(graph: Graph, asked: string, { file }: TargetOptions): SocraticodeError {
  const words = wordsOf(asked);
  const near = nearestNames(graph, words);
  const where = file === undefined ? '' : ` in ${file}`;
  const elsewhere = file === undefined ? [] : candidatesOf(graph, words, () => true);
  const hint =
    elsewhere.length > 0
      ? `It is defined in ${graph.path(elsewhere[0][0])}.`
      : near.length > 0
        ? `Did you mean ${near.join(', ')}?`
        : goOn(asked);
  return new SocraticodeError('BAD_ARGUMENT', `no symbol ${asked} is defined${where} in this snapshot`, {
    hint,
    // A file that is not indexed is known by its path alone.
    ...(file === undefined && { file: asked }),
  });
}
