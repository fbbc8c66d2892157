/**
 * Finds the definitions and files that a person may mean by `Cart.total`, `total`, `src/cart.ts`,
 * `src/cart.ts:Cart.total` or `src/cart.ts:42`; and the definition that the name at a line and column means.
 */
import { SocraticodeError } from '../../base/errors.js';
import { addTo } from '../../base/lists.js';
import { shellWord } from '../../base/printable.js';
import { editDistance, refAdvice } from '../../base/spelling.js';
import { nameKey } from '../../extract/terms.js';
import { semanticsOf } from '../../languages/registry.js';
import type { Graph } from '../graph.js';
import { CONFIDENCE, type EvidenceTier } from '../tables.js';
import {
  findDirectory,
  findPath,
  isProduction,
  type NodePlace,
  type Prefix,
  pathsEnding,
  placeOf,
  unknownPath,
} from './node-place.js';
import { firstOf, overloadsOf } from './overloads.js';
import { inheritedMembers, isFunction, isPlain, isType, outgoing, usesOf } from './uses.js';

export interface TargetOptions {
  /** Accepts only symbols of this file, or of the files below this directory. */
  file?: string;
  prefix?: Prefix;
}

/** Resolves a target. Throws BAD_ARGUMENT with the nearest names or paths as its hint if nothing has that name. */
export function resolveTarget(graph: Graph, text: string, options: TargetOptions = {}): TargetResult {
  const requested = text.trim();
  if (requested === '') throw new SocraticodeError('BAD_ARGUMENT', 'no symbol or file is named');
  const file = options.file === undefined ? findPath(graph, requested, options.prefix) : -1;
  if (file >= 0) return whole(graph, file);
  const spelt = spelledOut(graph, requested, inside(graph, options));
  if (spelt.length > 0) return choose(graph, spelt);
  const placed = resolvePlaced(graph, requested, options.prefix);
  if (placed !== null) return placed;
  const words = wordsOf(requested);
  const accept = inside(graph, options);
  const named = firstFound(
    () => candidatesOf(graph, words, accept),
    () => belowModule(graph, words, accept),
    () => inheritedBy(graph, words, accept),
  );
  if (named.length > 0) return choose(graph, named);
  if (looksLikePath(requested)) {
    const endings = pathsEnding(graph, requested);
    if (endings.length === 1) return whole(graph, endings[0]);
    if (endings.length > 1) return { candidates: endings.map((each) => fileCandidate(graph, each)) };
    throw unknownPath(graph, requested, options.prefix);
  }
  throw unknownName(graph, requested, options);
}

function firstFound(...ways: readonly (() => number[][])[]): number[][] {
  for (const way of ways) {
    const found = way();
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * Definitions at the top of a file whose path says the words before their names, as modules and namespaces do that are no symbols:
 * `crate::engine::Engine` of `engine.rs`, `Shop\Cart\Basket` of `src/Cart/Basket.php`.
 */
function belowModule(graph: Graph, words: readonly string[], accept: Accept): number[][] {
  for (let count = 1; count < words.length; count++) {
    const rest = words.slice(count).join('.');
    const module = nameKey(words[count - 1]);
    const isBelow = (depth: number): Accept => {
      return (node) =>
        withDots(graph, node) === rest && modulesOf(graph.path(node)).at(depth) === module && accept(node);
    };
    // A file can have the name of the type in it, or that of its module.
    const found = firstFound(...[-2, -1].map((depth) => () => candidatesOf(graph, words.slice(count), isBelow(depth))));
    if (found.length > 0) return found;
  }
  return [];
}

/** Names of folders and of a file, without those that modules have not. */
function modulesOf(path: string): string[] {
  const names = path.replace(/\.[^./]*$/, '').split('/');
  return names.filter((name) => !NO_MODULES.has(name)).map(nameKey);
}

const NO_MODULES: ReadonlySet<string> = new Set(['src', 'lib', 'mod', 'main', 'index', '__init__']);

/** Symbols whose names are no words with marks between them: `GET /carts/{id}`. */
function spelledOut(graph: Graph, name: string, accept: Accept): number[][] {
  return name.includes(' ')
    ? graph
        .nodesNamed(name)
        .filter(accept)
        .map((node) => [node])
    : [];
}

/** Members that a type inherits, such as `Flask.route` if only a parent of `Flask` has a `route`. */
function inheritedBy(graph: Graph, words: readonly string[], accept: Accept): number[][] {
  const [name] = words.slice(-1);
  const types = candidatesOf(graph, words.slice(0, -1), accept).filter(([node]) => isType(graph, node));
  const own = types.filter(([node]) => isProduction(graph, graph.fileOf(node)));
  const groups = (own.length > 0 ? own : types).map((nodes) => inheritedMembers(graph, nodes, name));
  const found = new Map(groups.flatMap((nodes) => (nodes.length > 0 ? [[nodes[0], nodes] as const] : [])));
  return [...found.values()];
}

/** Resolves a file. Throws BAD_ARGUMENT. */
export function resolveFile(
  graph: Graph,
  text: string,
  prefix?: Prefix,
): { file: number } | { candidates: Candidate[] } {
  const requested = text.trim();
  if (requested === '') throw new SocraticodeError('BAD_ARGUMENT', 'no file is named');
  const file = findPath(graph, requested, prefix);
  if (file >= 0) return { file };
  const endings = pathsEnding(graph, requested);
  if (endings.length === 1) return { file: endings[0] };
  if (endings.length > 1) return { candidates: endings.map((each) => fileCandidate(graph, each)) };
  throw unknownPath(graph, requested, prefix);
}

function whole(graph: Graph, file: number): FoundTarget {
  return { nodes: [graph.fileNode(file)], isFile: true, others: 0 };
}

/** Resolves `path:42` and `path:name`; null if the text before the colon is no file. */
function resolvePlaced(graph: Graph, requested: string, prefix: Prefix | undefined): TargetResult | null {
  const match = /^(.+?):(?!:)([^:].*)$/s.exec(requested);
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
  const accept: Accept = (node) => graph.fileOf(node) === file;
  const spelt = spelledOut(graph, rest, accept);
  const named = spelt.length > 0 ? spelt : candidatesOf(graph, wordsOf(rest), accept, true);
  if (named.length > 0) return choose(graph, named);
  throw unknownName(graph, rest, { file: graph.tables.files[file].path });
}

/** Innermost symbol at a line, or the file. */
function atLine(graph: Graph, file: number, line: number): FoundTarget {
  const first = graph.fileNode(file);
  const lines = graph.endLine(first);
  const { path } = graph.tables.files[file];
  // Of a file without facts the number of lines is not known.
  if (line < 1 || (lines > 0 && line > lines))
    throw new SocraticodeError('BAD_ARGUMENT', `${path} has no line ${line}`, { hint: `It has ${lines} lines.` });
  const end = graph.tables.nodeBase[file + 1];
  let found = first;
  for (let node = first + 1; node < end && graph.startLine(node) <= line; node++)
    if (graph.endLine(node) >= line && !isAssignedIn(graph, node, found) && !isPartOn(graph, node, found, line))
      found = node;
  return { nodes: overloadsOf(graph, found), isFile: found === first, others: 0 };
}

/** Is the node a field of a type that the line begins with, `type pair struct{ n int }`? The line means the type. */
function isPartOn(graph: Graph, node: number, around: number, line: number): boolean {
  const isField = FIELDS.has(graph.kind(node)) || graph.kind(node) === 'enum-member';
  return isField && graph.container(node) === around && !graph.isFile(around) && graph.startLine(around) === line;
}

/** Is the node a member that the method around it assigns? Then it has the method's line. */
function isAssignedIn(graph: Graph, node: number, around: number): boolean {
  return (
    FIELDS.has(graph.kind(node)) && METHODS.has(graph.kind(around)) && graph.container(node) === graph.container(around)
  );
}

const METHODS: ReadonlySet<string> = new Set(['method', 'constructor']);

function inside(graph: Graph, { file, prefix }: TargetOptions): Accept {
  if (file === undefined) return () => true;
  const accepts = acceptsPath(graph, file, prefix);
  const known = graph.tables.files.map(({ path }) => accepts(path));
  return (node) => known[graph.fileOf(node)];
}

/** Accepts a file, all files below a directory, or those whose path ends with the text. Throws BAD_ARGUMENT if there is none. */
export function acceptsPath(graph: Graph, text: string, prefix?: Prefix): (path: string) => boolean {
  const exact = findPath(graph, text, prefix);
  if (exact >= 0) return (path) => path === graph.tables.files[exact].path;
  const directory = findDirectory(graph, text, prefix);
  if (directory !== null) return (path) => path.startsWith(directory);
  const endings = new Set(pathsEnding(graph, text).map((file) => graph.tables.files[file].path));
  if (endings.size === 0) throw unknownPath(graph, text, prefix);
  return (path) => endings.has(path);
}

/** Does the text have a slash, or a file extension? `Cart.total` has none. */
export function looksLikePath(text: string): boolean {
  return (
    text.includes('/') ||
    /\.(?:[cm]?[jt]sx?|py|go|rs|java|kts?|cs|[ch](?:pp)?|rb|php|vue|svelte|s?css|html?)$/.test(text)
  );
}

/** Advice if no name resembles the request: it may be written in another way, or be no symbol. */
function goOn(requested: string): string {
  const words = /^[\w.]+$/.test(requested) ? shellWord(requested) : 'WORDS';
  return `Search for it: git socraticode search ${words}; names with a part of it: git socraticode graph symbols PART`;
}

function unknownName(graph: Graph, requested: string, { file }: TargetOptions): SocraticodeError {
  const words = wordsOf(requested);
  const near = nearestNames(graph, words);
  const where = file === undefined ? '' : ` in ${file}`;
  const elsewhere = file === undefined ? [] : candidatesOf(graph, words, () => true);
  const hint =
    elsewhere.length > 0
      ? `It is defined in ${graph.path(elsewhere[0][0])}.`
      : near.length > 0
        ? `Did you mean ${near.join(', ')}?`
        : goOn(requested);
  const incomplete = graph.tables.files.filter(({ isIncomplete }) => isIncomplete).length;
  const hidden =
    incomplete === 0 ? '' : `; parse errors may hide it in ${incomplete === 1 ? 'a file' : `${incomplete} files`}`;
  return new SocraticodeError('BAD_ARGUMENT', `no symbol ${requested} is defined${where} in this snapshot${hidden}`, {
    hint: refAdvice(requested) ?? hint,
    // A file that is not indexed is known by its path alone.
    ...(file === undefined && { file: requested }),
  });
}

const MAX_SUGGESTIONS = 3;
/** Letters per allowed edit: with more edits than a third of the name it is another name. */
const LETTERS_PER_EDIT = 3;
/** Minimum length of a word to look for in names: shorter ones occur in too many. */
const MIN_PART = 4;

interface FoundTarget {
  /** Nodes of one definition (several if it is overloaded, or merged from parts), or one file's node. */
  nodes: number[];
  isFile: boolean;
  /** Number of further definitions of that name, in tests, examples and generated files. */
  others: number;
  /** Members of that name that nothing uses, beside the function that was chosen: names to request instead. */
  alternatives?: string[];
}

export interface Candidate extends NodePlace {
  /** Number of uses that lead there. */
  uses: number;
  /** Name that means only this one. */
  pick: string;
}

type TargetResult = FoundTarget | { candidates: Candidate[] };

export type Accept = (node: number) => boolean;

const FIELDS: ReadonlySet<string> = new Set(['field', 'property']);

/**
 * Parts of a name, whatever separates them in the language. The number of its parameters, a list of arguments, and brackets around the type
 * of a receiver are no parts: `Cart.total/1`, `Cart::total(1)`, `(*Cart).Total`.
 */
export function wordsOf(text: string): string[] {
  const name = text.replace(/^&?(?:crate|self)::|^&(?=\w)/, '').replace(/^\(\*?([\w.]+)\)\./, '$1.');
  const open = name.endsWith(')') ? name.indexOf('(', 1) : -1;
  return (open < 0 ? name.replace(/\/\d{1,3}$/, '') : name.slice(0, open))
    .split(/::|->|[.#/\\]/)
    .filter((word) => word !== '');
}

/** Definitions whose qualified name ends with these words, in groups: overloads and merged parts are one. */
export function candidatesOf(
  graph: Graph,
  words: readonly string[],
  accept: Accept,
  prefersExact = words.length > 1,
): number[][] {
  if (words.length === 0) return [];
  const wanted = words.join('.');
  const all = nodesCalled(graph, words).filter((node) => accept(node) && endsWith(withDots(graph, node), wanted));
  const exact = prefersExact ? all.filter((node) => withDots(graph, node) === wanted) : [];
  const code = (exact.length > 0 ? exact : all).filter((node) => !isPlain(graph, node));
  const nodes = code.length > 0 ? code : all;
  const types = nodes.filter((node) => graph.kind(node) !== 'impl');
  const members = new Set(nodes);
  const groups = new Map<string, number[]>();
  for (const node of types.length > 0 ? types : nodes) {
    // A constructor with its class's name means the class.
    if (graph.kind(node) === 'constructor' && members.has(graph.container(node))) continue;
    addTo(groups, `${placeOfParts(graph, firstOf(graph, node))} ${withDots(graph, node)}`, node);
  }
  return [...groups.values()].map((group) => [...new Set(group.flatMap((node) => overloadsOf(graph, node)))]);
}

/** Symbols whose own name is the last of the words, or several of them: `aws_instance.web`, `Shop::Cart`. */
function nodesCalled(graph: Graph, words: readonly string[]): readonly number[] {
  const names = new Set<string>();
  for (let i = words.length - 1; i >= 0; i--) for (const join of JOINS) names.add(words.slice(i).join(join));
  // A private member of scripts: `#total`.
  names.add(`#${words[words.length - 1]}`);
  const found = [...names].flatMap((name) => graph.nodesNamed(name));
  if (found.length > 0) return found;
  // A part of such a name alone: `web`.
  const end = words.join('.');
  return [...graph.names()]
    .filter((name) => JOINS.some((join) => name.includes(join)) && wordsOf(name).join('.').endsWith(`.${end}`))
    .flatMap((name) => graph.nodesNamed(name));
}

const JOINS = ['.', '::', '\\'];

const withDots = (graph: Graph, node: number): string =>
  graph.qualifiedName(node).replace(/::|\\/g, '.').replace(/#/g, '');

/** File of a symbol. A type has its folder, since its parts can be in several files, as those of a partial class are. */
function placeOfParts(graph: Graph, node: number): string {
  const { path, language } = graph.tables.files[graph.fileOf(node)];
  const kind = graph.kind(node);
  const isPart = kind !== 'file' && semanticsOf(language).reopens.has(kind);
  return isPart ? `${path.slice(0, path.lastIndexOf('/') + 1)} ${kind}` : path;
}

function endsWith(qualified: string, wanted: string): boolean {
  return qualified === wanted || qualified.endsWith(`.${wanted}`);
}

/**
 * Chooses one definition. Production code comes before any number of tests and copies, and a used function or type
 * before unused members such as an option of the same name. Else people have to choose.
 */
function choose(graph: Graph, groups: number[][]): TargetResult {
  const own = groups.filter(([node]) => isProduction(graph, graph.fileOf(node)));
  if (groups.length === 1 || own.length === 1) {
    const [nodes] = own.length === 1 ? own : groups;
    return { nodes, isFile: false, others: groups.length - 1 };
  }
  const used = own.filter((group) => isUsedCode(graph, group));
  const rest = own.filter((group) => !used.includes(group));
  if (used.length === 1 && rest.every((group) => isUnusedMember(graph, group))) {
    const alternatives = rest.map((group) => candidateOf(graph, group).pick);
    return { nodes: used[0], isFile: false, others: groups.length - own.length, alternatives };
  }
  return { candidates: groups.map((group) => candidateOf(graph, group)).sort(byRank(graph)) };
}

function isUsedCode(graph: Graph, nodes: readonly number[]): boolean {
  return nodes.some((node) => (isFunction(graph, node) || isType(graph, node)) && graph.incoming(node).length > 0);
}

function isUnusedMember(graph: Graph, nodes: readonly number[]): boolean {
  return nodes.every((node) => FIELDS.has(graph.kind(node)) && graph.incoming(node).length === 0);
}

function candidateOf(graph: Graph, nodes: readonly number[]): Candidate {
  const uses = nodes.reduce((sum, node) => sum + usesOf(graph, node), 0);
  const place = placeOf(graph, nodes[0]);
  return { ...place, uses, pick: `${place.path}:${place.symbol}` };
}

function fileCandidate(graph: Graph, file: number): Candidate {
  const place = placeOf(graph, graph.fileNode(file));
  return { ...place, uses: graph.incoming(graph.fileNode(file)).length, pick: place.path };
}

function byRank(graph: Graph): (a: Candidate, b: Candidate) => number {
  const own = ({ path }: Candidate) => (isProduction(graph, graph.findFile(path)) ? 0 : 1);
  const open = ({ exported }: Candidate) => (exported ? 0 : 1);
  return (a, b) =>
    own(a) - own(b) ||
    open(a) - open(b) ||
    b.uses - a.uses ||
    (a.path < b.path ? -1 : a.path > b.path ? 1 : a.startLine - b.startLine);
}

/** Names nearest to the requested one, whose parts are `words`. */
export function nearestNames(graph: Graph, words: readonly string[]): string[] {
  const last = words[words.length - 1] ?? '';
  const wanted = nameKey(last);
  const owner = nameKey(words[words.length - 2] ?? '');
  const limit = editsOf(wanted);
  const found: { name: string; node: number; score: number }[] = [];
  for (const each of graph.names()) {
    const score = scoreOf(nameKey(each), wanted, limit);
    if (score === null) continue;
    for (const node of graph.nodesNamed(each)) {
      if (isPlain(graph, node) || (score > 0 && !isIn(graph, node, owner))) continue;
      found.push({ name: graph.qualifiedName(node), node, score });
    }
  }
  // Of names that are spelled alike, the shorter one is meant more often: a class, and no field of another one.
  found.sort((a, b) => a.score - b.score || a.name.length - b.name.length || a.node - b.node);
  return [...new Set(found.map(({ name }) => name))].slice(0, MAX_SUGGESTIONS);
}

const editsOf = (key: string): number => Math.max(1, Math.floor(key.length / LETTERS_PER_EDIT));

/** Is a definition in a type or file of about that name? A similar name elsewhere is no suggestion. */
function isIn(graph: Graph, node: number, owner: string): boolean {
  if (owner === '') return true;
  const file = graph.path(graph.fileOf(node)).split('/').at(-1)?.split('.')[0] ?? '';
  const around =
    graph
      .qualifiedName(node)
      .split(/[.#]|::/)
      .at(-2) ?? file;
  return editDistance(nameKey(around), owner) <= editsOf(owner);
}

/** Number of edits between two names; null if there are too many. */
function scoreOf(key: string, wanted: string, limit: number): number | null {
  if (key === wanted) return 0;
  const distance = editDistance(wanted, key, limit);
  if (distance <= limit) return distance;
  return wanted.length >= MIN_PART && key.includes(wanted) ? limit + 1 + (key.length - wanted.length) / 100 : null;
}

/** A line of a file, and a name on it. `before`: the line up to the name. */
export interface NamedPlace {
  file: number;
  line: number;
  name: string;
  before: string;
  /** First line from `from` to `to` that has the name, null if none has it. */
  firstLine: (from: number, to: number) => number | null;
}

export interface ResolvedName {
  /** Nodes that the name means there; a file's node for a path. */
  nodes: number[];
  tier: EvidenceTier;
  confidence: number;
}

/** Maximum number of possible definitions of a name whose use there has no certain target. */
const MAX_POSSIBLE = 20;

/** Follows the name. `possible`: definitions of that name if its use has no known target. */
export function definitionAt(graph: Graph, place: NamedPlace): { resolved: ResolvedName | null; possible: number[] } {
  const own = definedAt(graph, place);
  if (own.length > 0) return { resolved: { nodes: own, tier: 'same-file', confidence: 1 }, possible: [] };
  const edges = usesAt(graph, place);
  const known = edges.filter((edge) => graph.target(edge) >= 0);
  if (known.length > 0) return { resolved: resolvedBy(graph, known), possible: [] };
  const imported = importedAt(graph, place);
  if (imported !== null) return { resolved: imported, possible: [] };
  const isUnknown = edges.some((edge) => graph.tier(edge) !== 'external');
  return { resolved: null, possible: isUnknown ? graph.nodesNamed(place.name).slice(0, MAX_POSSIBLE) : [] };
}

/** Definitions of that name whose first mention is on the line. */
function definedAt(graph: Graph, { file, line, name, firstLine }: NamedPlace): number[] {
  const first = graph.fileNode(file);
  const end = graph.tables.nodeBase[file + 1];
  return graph.nodesNamed(name).filter((node) => {
    if (node <= first || node >= end || graph.startLine(node) > line || graph.endLine(node) < line) return false;
    return firstLine(graph.startLine(node), line) === line;
  });
}

/** Uses of the name that begin on the line or reach it. Those with the receiver on the line come first. */
function usesAt(graph: Graph, { file, line, name, before }: NamedPlace): number[] {
  const { nodeBase, edgeBase, edgeLine, edgeSpan } = graph.tables;
  const found: number[] = [];
  for (let edge = edgeBase[nodeBase[file]]; edge < edgeBase[nodeBase[file + 1]]; edge++) {
    if (graph.isFileEdge(edge) || edgeLine[edge] > line || edgeLine[edge] + edgeSpan[edge] < line) continue;
    if (lastPart(graph.edge(edge).name) === name) found.push(edge);
  }
  const onLine = found.filter((edge) => edgeLine[edge] === line);
  const near = onLine.length > 0 ? onLine : found;
  const receiver = /([\p{L}\p{N}_$]+)\s*(?:\(\s*\))?\s*(?:\?\.|!\.|\.|::|->)\s*$/u.exec(before)?.[1];
  const fitting = near.filter((edge) => lastPart(graph.edge(edge).receiver) === (receiver ?? ''));
  return fitting.length > 0 ? fitting : near;
}

const lastPart = (name: string): string => name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1);

function resolvedBy(graph: Graph, edges: readonly number[]): ResolvedName {
  const tiers = edges.map((edge) => graph.tier(edge));
  const best = tiers.reduce((a, b) => (CONFIDENCE[b] > CONFIDENCE[a] ? b : a));
  const nodes = [...new Set(edges.map((edge) => graph.target(edge)))];
  return { nodes: nodes.flatMap((node) => overloads(graph, node)), tier: best, confidence: CONFIDENCE[best] };
}

/** All declarations of an overloaded function: an edge leads to one of them. */
function overloads(graph: Graph, node: number): number[] {
  if (graph.isFile(node)) return [node];
  const [container, kind, file] = [graph.container(node), graph.kind(node), graph.fileOf(node)];
  const same = graph.namesakes(node).filter((other) => graph.fileOf(other) === file && graph.kind(other) === kind);
  return same.filter((other) => graph.container(other) === container);
}

/** Maximum number of re-exporting files that are followed. */
const MAX_BARRELS = 50;

/** The definition that an import on the line brings in, or the imported file if the name is a part of its path. */
function importedAt(graph: Graph, { file, line, name }: NamedPlace): ResolvedName | null {
  const { edgeLine, edgeSpan } = graph.tables;
  for (const edge of outgoing(graph, graph.fileNode(file))) {
    const target = graph.target(edge);
    if (!graph.isFileEdge(edge) || target < 0 || edgeLine[edge] > line || edgeLine[edge] + edgeSpan[edge] < line)
      continue;
    const found = exportedFrom(graph, target, name);
    const isPath = graph.edge(edge).name.includes(name);
    if (found.length > 0) return { nodes: found, tier: 'imported', confidence: CONFIDENCE.imported };
    if (isPath && graph.isFile(target)) return { nodes: [target], tier: graph.tier(edge), confidence: CONFIDENCE.path };
  }
  return null;
}

function exportedFrom(graph: Graph, target: number, name: string): number[] {
  const files = new Set([graph.fileOf(target)]);
  for (const file of files) {
    const found = graph
      .nodesNamed(name)
      .filter((node) => graph.fileOf(node) === file && graph.isFile(graph.container(node)));
    if (found.length > 0) return found;
    for (const edge of outgoing(graph, graph.fileNode(file))) {
      const next = graph.target(edge);
      if (next >= 0 && /reexport/.test(graph.edgeKind(edge)) && files.size < MAX_BARRELS) files.add(graph.fileOf(next));
    }
  }
  return [];
}
