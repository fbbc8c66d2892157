/**
 * Nodes and edges as answers show them: places in files, never numbers; the classes of code that they are in, the files that can name them;
 * and paths, as people type them and as they say how a file is run.
 */
import { isAbsolute, posix } from 'node:path';
import { onePer } from '../../base/cache.js';
import { SocraticodeError } from '../../base/errors.js';
import { nearestPaths, refAdvice } from '../../base/spelling.js';
import { conventionsOf, languageOf, semanticsOf } from '../../languages/registry.js';
import type { PathClass } from '../../search/corpus.js';
import { classByName } from '../../search/path-classes.js';
import { type Graph, type GraphEdge, type NodeKind, UNKNOWN_RECEIVER } from '../graph.js';
import type { EdgeKind, EvidenceTier } from '../tables.js';

export interface NodePlace {
  path: string;
  /** Qualified name; null for a file, or for code outside of symbols. */
  symbol: string | null;
  kind: NodeKind;
  exported: boolean;
  startLine: number;
  endLine: number;
}

/** One use as evidence: its place, and how sure it is. */
export interface UsePlace {
  path: string;
  line: number;
  endLine: number;
  /** Enclosing symbol, null at top level. */
  symbol: string | null;
  kind: EdgeKind;
  tier: EvidenceTier;
  confidence: number;
  /** As written: `this.cart.total`. */
  text: string;
}

/** A list that was cut, with the number of items left out. */
export interface Some<T> {
  list: T[];
  leftOut: number;
}

/** Pages: documents that call functions. */
export const PAGE = /\.x?html?$/i;

export function placeOf(graph: Graph, node: number): NodePlace {
  const isFile = graph.isFile(node);
  const startLine = Math.max(1, graph.startLine(node));
  return {
    path: graph.path(node),
    symbol: isFile ? null : graph.qualifiedName(node),
    kind: graph.kind(node),
    exported: graph.isExported(node),
    startLine,
    endLine: Math.max(startLine, graph.endLine(node)),
  };
}

export function useOf(graph: Graph, number: number): UsePlace {
  const edge = graph.edge(number);
  return {
    path: graph.path(edge.from),
    line: edge.startLine,
    endLine: edge.endLine,
    symbol: graph.isFile(edge.from) ? null : graph.qualifiedName(edge.from),
    kind: edge.kind,
    tier: edge.tier,
    confidence: edge.confidence,
    text: writtenText(edge),
  };
}

/** A use as it is written; a request of a route by the name of the route. */
export function writtenText({ kind, receiver, name, literal }: GraphEdge): string {
  if (kind === 'request' && literal.startsWith(ROUTE_NAME)) return literal.slice(ROUTE_NAME.length);
  return receiver === '' || receiver === UNKNOWN_RECEIVER ? name : `${asWritten(receiver)}.${name}`;
}

const ROUTE_NAME = 'NAME /';

export function cut<T>(all: readonly T[], limit: number): Some<T> {
  return { list: all.slice(0, limit), leftOut: Math.max(0, all.length - limit) };
}

/** By path in the order of its UTF-16 units, then by line. */
export function byPlace(
  a: { path: string; startLine?: number; line?: number },
  b: { path: string; startLine?: number; line?: number },
): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return (a.startLine ?? a.line ?? 0) - (b.startLine ?? b.line ?? 0);
}

/** Path classes of files, computed once a file, since most questions read them. */
const classes = onePer((_: Graph): (PathClass | null | undefined)[] => []);

export function classOf(graph: Graph, file: number): PathClass | null {
  const known = classes(graph);
  let found = known[file];
  if (found === undefined) {
    const { path, isGenerated } = graph.tables.files[file];
    found = classByName(path) ?? (isGenerated ? 'generated' : null);
    known[file] = found;
  }
  return found;
}

export function isTest(graph: Graph, file: number): boolean {
  return classOf(graph, file) === 'test';
}

/** Names that test runners look for, in any folder. */
const RUNNABLE =
  /(?:[._-](?:test|tests|spec|e2e|cy|bench)\.[a-z]+|_(?:test|spec)\.[a-z]+|(?:^|\/)(?:test|tests)_[^/]*|(?:Tests?|Specs?|IT)\.[a-z]+|(?:^|\/)Test[A-Z\d][^/]*\.[a-z]+|\.(?:bats|feature))$/;
/** Names of files that tests load. */
const HELPER =
  /(?:^|\/)(?:tests?|spec)[_-]?(?:helpers?|utils?|utilities|support|common|base|case|config|constants|data|setup|env|fixtures?|suite)\.[a-z]+$/i;
/** Templates, which only an engine renders, and copies that are kept under another ending. */
const NOT_RUN = /\.(?:twig|j2|jinja2?|njk|liquid|erb|haml|slim|blade\.php|bak|backup|orig|old|disabled)$/i;
/** Folders of what tests read. */
const FIXTURE = /(?:^|\/)(?:__)?(?:fixtures?|mocks|snapshots)(?:__)?\/|(?:^|\/)test[_-]?data\//i;

/** Is it in a folder of what tests read? */
export const isTestData = (path: string): boolean => FIXTURE.test(path);

const TEST_FUNCTION = /^(?:test|it|should)/;
const FUNCTION_KINDS: ReadonlySet<NodeKind> = new Set(['function', 'method'] as const);
const RUNNING: ReadonlySet<string | undefined> = new Set(['code', 'markup']);
/** Share of test files with such a name from which on a language's other files in test folders count as helpers. */
const NAMED_SHARE = 0.1;

interface Runnable {
  /** Languages with names for tests. */
  named: ReadonlySet<string>;
  /** By file, as far as computed. */
  files: (boolean | undefined)[];
}

const runnable = onePer((graph: Graph): Runnable => ({ named: languagesWithNamedTests(graph), files: [] }));

/** Is it a test that can be run, judged by its name, and no helper of tests? */
export function isRunnableTest(graph: Graph, file: number): boolean {
  const { path, language, state } = graph.tables.files[file];
  // Text and data, such as a workflow that is called like a test, run nothing by themselves.
  if (!isTest(graph, file) || state === 'none' || !RUNNING.has(languageOf(language)?.plain)) return false;
  if (FIXTURE.test(path) || NOT_RUN.test(path)) return false;
  const known = runnable(graph);
  known.files[file] ??= (!known.named.has(language) || RUNNABLE.test(path)) && !isHelper(graph, file);
  return known.files[file];
}

/** Is it called like a helper of tests, without a test in it? */
function isHelper(graph: Graph, file: number): boolean {
  if (!HELPER.test(graph.tables.files[file].path)) return false;
  for (let node = graph.fileNode(file) + 1; node < graph.tables.nodeBase[file + 1]; node++)
    if (TEST_FUNCTION.test(graph.name(node)) && FUNCTION_KINDS.has(graph.kind(node))) return false;
  return true;
}

function languagesWithNamedTests(graph: Graph): Set<string> {
  const counts = new Map<string, { all: number; named: number }>();
  for (const [file, { path, language }] of graph.tables.files.entries()) {
    if (!isTest(graph, file)) continue;
    const known = counts.get(language) ?? { all: 0, named: 0 };
    known.all++;
    if (RUNNABLE.test(path)) known.named++;
    counts.set(language, known);
  }
  return new Set([...counts].filter(([, { all, named }]) => named >= all * NAMED_SHARE && named > 0).map(([id]) => id));
}

/** Is it code of a test: in a test file, or in a test inside of another file? */
export function isTestCode(graph: Graph, node: number): boolean {
  const file = graph.fileOf(node);
  return isTest(graph, file) || isInnerTest(graph, node, file);
}

/** Is it a test, or part of one, in a file with other code? */
export function isInnerTest(graph: Graph, node: number, file: number): boolean {
  const { testModules, testAttribute } = conventionsOf(graph.tables.files[file].language);
  if (testModules === undefined && testAttribute === undefined) return false;
  for (let at = node; at >= 0 && !graph.isFile(at); at = graph.container(at)) {
    const kind = graph.kind(at);
    if (kind === 'module' && testModules?.test(graph.name(at))) return true;
    if (testAttribute === undefined) continue;
    if (kind === 'function' && hasAttribute(graph, at, testAttribute)) return true;
    if (isOfTestBuild(graph, at)) return true;
  }
  return false;
}

/** Is it in builds for tests alone: `#[cfg(test)]`? */
function isOfTestBuild(graph: Graph, node: number): boolean {
  const { edgeName, edgeLiteral, strings } = graph.tables;
  const [start, end] = graph.edgeRange(node);
  for (let edge = start; edge < end; edge++)
    if (
      graph.edgeKind(edge) === 'decorator' &&
      strings[edgeName[edge]] === 'cfg' &&
      strings[edgeLiteral[edge]] === 'test'
    )
      return true;
  return false;
}

/** Is it private code beside tests, in a file or module that has tests of its own? What only tests use there is a part of them. */
export function isBesideTests(graph: Graph, node: number): boolean {
  const file = graph.fileOf(node);
  const { testAttribute } = conventionsOf(graph.tables.files[file].language);
  if (testAttribute === undefined || graph.isExported(node)) return false;
  const container = graph.container(node);
  for (let at = graph.fileNode(file) + 1; at < graph.tables.nodeBase[file + 1]; at++)
    if (graph.container(at) === container && graph.kind(at) === 'function' && hasAttribute(graph, at, testAttribute))
      return true;
  return false;
}

/** Has it a decorator, an attribute or an annotation of that name? */
export function hasAttribute(graph: Graph, node: number, name: RegExp): boolean {
  const { edgeName, strings } = graph.tables;
  const [start, end] = graph.edgeRange(node);
  for (let edge = start; edge < end; edge++)
    if (graph.edgeKind(edge) === 'decorator' && name.test(strings[edgeName[edge]])) return true;
  return false;
}

/** Is it code that people work on: no test, example, copy or generated file? */
export function isProduction(graph: Graph, file: number): boolean {
  const name = classOf(graph, file);
  return name === null || name === 'legacy' || name === 'declaration' || name === 'forwarding';
}

/** Top folders of a path, deep enough to mean something: `src/cart` of `src/cart/total.ts`; '.' at the top. */
export function topFolder(path: string): string {
  const parts = path.split('/').slice(0, -1);
  return parts.length === 0 ? '.' : parts.slice(0, TOP_FOLDER_DEPTH).join('/');
}

/** Depth of top folders (`packages/core`, `src/engine`): most repositories have all code in one folder at the first level. */
const TOP_FOLDER_DEPTH = 2;

/** Marks of the extractor in a receiver: a known property, a condition, functions that are handed over. */
const MARKS = /\((?:[\w$]{1,40}!?=[^()]*|\?[#:]?[\w$]{1,60})\)|\{[=:]?\}/g;
/** Calls with a type argument. */
const MARKED_CALLS = /\(<[^()<>]*>\)/g;
/** Type argument of a call whose parameter is meant. */
const PLACE_MARKS = /\(:[^()]*\)/g;

/** Receiver without the marks for linking: `this(master=!).slaves` is `this.slaves` in the text. */
function asWritten(receiver: string): string {
  if (!/[({]/.test(receiver)) return receiver;
  return withoutWanted(receiver).replace(PLACE_MARKS, '').replace(MARKS, '').replace(MARKED_CALLS, '()');
}

/** Removes targets of results, which can contain brackets: `keep(=open(0))`. */
function withoutWanted(receiver: string): string {
  const start = receiver.indexOf('(=');
  if (start === -1) return receiver;
  let end = start;
  let depth = 0;
  do {
    if (receiver[end] === '(') depth++;
    else if (receiver[end] === ')') depth--;
    end++;
  } while (depth > 0 && end < receiver.length);
  return receiver.slice(0, start) + withoutWanted(receiver.slice(end));
}

/** Directory to which paths are relative. */
export interface Prefix {
  /** Directory from the top, '' at the top. */
  directory: string;
  /** Absolute path of the work tree, null without one. */
  workTree: string | null;
}

const AT_TOP: Prefix = { directory: '', workTree: null };

/** The file of that path, -1 if there is none. Throws BAD_ARGUMENT for a path that leads out of the repository. */
export function findPath(graph: Graph, text: string, prefix: Prefix = AT_TOP): number {
  for (const path of spellings(text, prefix)) {
    const file = graph.findFile(path);
    if (file >= 0) return file;
  }
  return -1;
}

/** git's mark of a path from the top of the repository. */
const TOP = /^:(?:\/|\(top\))/;

/**
 * Paths from the top that a typed one may mean: first from the directory, as git reads paths, then from the top.
 * `:/path` is only from the top. Throws BAD_ARGUMENT for a path that leads out of the repository.
 */
export function spellings(text: string, { directory, workTree }: Prefix = AT_TOP): string[] {
  if (TOP.test(text)) return spellings(`./${text.replace(TOP, '')}`, { directory: '', workTree });
  if (isAbsolute(text)) {
    const root = workTree === null ? null : `${workTree.replace(/\/+$/, '')}/`;
    const clean = posix.normalize(text);
    if (root === null || !clean.startsWith(root)) throw outside(text);
    return [clean.slice(root.length)];
  }
  const here = posix.normalize(posix.join(directory, text));
  const top = posix.normalize(text);
  if (here.startsWith('../') || here === '..') throw outside(text);
  return top.startsWith('../') || top === here ? [here] : [here, top];
}

function outside(text: string): SocraticodeError {
  return new SocraticodeError('BAD_ARGUMENT', `${text} is outside of this repository`, {
    hint: 'Name a file of the repository, from the current directory or from its top.',
  });
}

/** Files whose path ends with these segments: `cart.ts`, `shop/cart.ts`. */
export function pathsEnding(graph: Graph, text: string): number[] {
  const end = `/${text.replace(/^\.?\/+/, '')}`;
  const found: number[] = [];
  for (const [i, { path }] of graph.tables.files.entries()) if (path.endsWith(end)) found.push(i);
  return found;
}

export function unknownPath(graph: Graph, text: string, prefix: Prefix = AT_TOP): SocraticodeError {
  const directory = findDirectory(graph, text, prefix);
  const near = nearestPaths(
    graph.tables.files.map(({ path }) => path),
    text,
  );
  const hint =
    directory !== null
      ? `${directory || '.'} is a directory; name a file in it.`
      : near.length > 0
        ? `Did you mean ${near.join(', ')}?`
        : 'The status says which files are indexed, and why others are not.';
  const message = `no file ${text} is indexed in this snapshot`;
  return new SocraticodeError('BAD_ARGUMENT', message, { hint: refAdvice(text) ?? hint, file: text });
}

/** Directory of that path with a slash at its end ('' for the top); null if it is empty. */
export function findDirectory(graph: Graph, text: string, prefix: Prefix = AT_TOP): string | null {
  for (const path of spellings(text, prefix)) {
    const directory = path === '.' || path === './' || path === '' ? '' : `${path.replace(/\/+$/, '')}/`;
    if (graph.tables.files.some((file) => file.path.startsWith(directory))) return directory;
  }
  return null;
}

// Files that start by their place.

/** Does a file run from its top? In other languages, code at top level only declares, or is inside of a macro. */
export function hasTopLevelCode(language: string, path: string): boolean {
  const { topLevelCode = false, scriptPath } = conventionsOf(language);
  return topLevelCode || scriptPath?.test(path) === true;
}

const BIN_FOLDER = /(?:^|\/)(?:s?bin|exe|scripts)\/[^/]+$/;

/** Is it in a place where command line programs are by convention? */
export function isProgramPath(language: string, path: string): boolean {
  return BIN_FOLDER.test(path) || conventionsOf(language).programPath?.test(path) === true;
}

const HIDDEN = /(?:^|\/)\.[^/]+(?:rc$|\/)/i;

/** Do tools load the file by its name? Then nothing imports it, and it starts nothing by itself. */
export function isToolFile(language: string, path: string): boolean {
  return HIDDEN.test(path) || conventionsOf(language).toolPath?.test(path) === true;
}

/** Can code of a file name the symbol? A member that its type keeps for itself is named in its file, or in its package if files share one. */
export function reachOf(graph: Graph, node: number): (path: string) => boolean {
  const container = graph.container(node);
  const isOpen = container < 0 || graph.isFile(container) || graph.isExported(node) || !graph.isExported(container);
  if (isOpen) return () => true;
  const home = graph.path(node);
  const isShared = semanticsOf(graph.tables.files[graph.fileOf(node)].language).parts === 'package';
  return (path) => path === home || (isShared && folderOf(path) === folderOf(home));
}

/** Can code of a file name the symbol, where packages keep names of that form to themselves? */
export function packageReach(graph: Graph, node: number): (path: string) => boolean {
  const { packageName } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  if (graph.isFile(node) || packageName?.test(graph.name(node)) !== true) return () => true;
  const home = folderOf(graph.path(node));
  return (path) => folderOf(path) === home;
}

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
