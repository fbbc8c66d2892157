/** Definitions of a name, which of several is meant, and the nearest names to one that nothing has. */
import { editDistance } from '../../base/edit-distance.js';
import { nameKey } from '../../extract/terms.js';
import { semanticsOf } from '../../languages/registry.js';
import type { Graph } from '../graph.js';
import { firstOf, overloadsOf } from './overloads.js';
import { isProduction, type NodePlace, placeOf } from './place.js';
import { isFunction, isPlain, isType, usesOf } from './uses.js';

const MAX_SUGGESTIONS = 3;
/** Edits beyond a third of the name make another name. */
const EDITS_PER_LETTER = 3;
/** Shorter words occur in too many names. */
const MIN_PART = 4;

export interface FoundTarget {
  /** The nodes of one definition (several where it is overloaded, or merged from parts), or one file's node. */
  nodes: number[];
  isFile: boolean;
  /** Further definitions of that name that were not meant: in tests, examples, generated files. */
  others: number;
  /** Members of that name that nothing uses, which were not meant beside a function that is used: what to ask for instead. */
  alternatives?: string[];
}

export interface Candidate extends NodePlace {
  /** Uses that lead there. */
  uses: number;
  /** Name to ask for to mean this one. */
  pick: string;
}

export type TargetResult = FoundTarget | { candidates: Candidate[] };

export type Accept = (node: number) => boolean;

export const FIELDS: ReadonlySet<string> = new Set(['field', 'property']);

/** Parts of a name, whatever the language writes between them. */
export function wordsOf(text: string): string[] {
  return text
    .replace(/\(\)$/, '')
    .split(/::|->|[.#/\\]/)
    .filter((word) => word !== '');
}

/** Definitions whose qualified name ends with these words, as groups: overloads and merged parts are one. */
export function candidatesOf(
  graph: Graph,
  words: readonly string[],
  accept: Accept,
  prefersExact = words.length > 1,
): number[][] {
  const last = words[words.length - 1];
  if (last === undefined) return [];
  const wanted = words.join('.');
  const all = graph.nodesNamed(last).filter((node) => accept(node) && endsWith(graph.qualifiedName(node), wanted));
  const exact = prefersExact ? all.filter((node) => graph.qualifiedName(node) === wanted) : [];
  const code = (exact.length > 0 ? exact : all).filter((node) => !isPlain(graph, node));
  const nodes = code.length > 0 ? code : all;
  const types = nodes.filter((node) => graph.kind(node) !== 'impl');
  const members = new Set(nodes);
  const groups = new Map<string, number[]>();
  for (const node of types.length > 0 ? types : nodes) {
    // A constructor that has its class's name is meant by neither more nor less than the class.
    if (graph.kind(node) === 'constructor' && members.has(graph.container(node))) continue;
    const key = `${placeOfParts(graph, firstOf(graph, node))} ${graph.qualifiedName(node)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [node]);
    else group.push(node);
  }
  return [...groups.values()].map((group) => [...new Set(group.flatMap((node) => overloadsOf(graph, node)))]);
}

/** The file of a symbol; the folder of a type whose parts can stand in several files, as those of a partial class do. */
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
 * One definition that people work on beats any number of them in tests and copies, and a function or type that is used beats
 * members that nothing uses, such as an option of the same name; else people have to choose.
 */
export function choose(graph: Graph, groups: number[][]): TargetResult {
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

export function fileCandidate(graph: Graph, file: number): Candidate {
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

/** `words`: the parts of the name as asked for; nearest first. */
export function nearestNames(graph: Graph, words: readonly string[]): string[] {
  const last = words[words.length - 1] ?? '';
  const wanted = nameKey(last);
  const owner = nameKey(words[words.length - 2] ?? '');
  const limit = editsOf(wanted);
  const found: { node: number; score: number }[] = [];
  for (const name of graph.names()) {
    const score = scoreOf(nameKey(name), wanted, limit);
    if (score === null) continue;
    const node = graph
      .nodesNamed(name)
      .find((each) => !isPlain(graph, each) && (score === 0 || isIn(graph, each, owner)));
    if (node !== undefined) found.push({ node, score });
  }
  found.sort((a, b) => a.score - b.score || a.node - b.node);
  return [...new Set(found.map(({ node }) => graph.qualifiedName(node)))].slice(0, MAX_SUGGESTIONS);
}

const editsOf = (key: string): number => Math.max(1, Math.floor(key.length / EDITS_PER_LETTER));

/** Is a definition in a type, or a file, of about that name? What is elsewhere and only resembles the name is no suggestion. */
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

/** Fewer is nearer; null for another name. */
function scoreOf(key: string, wanted: string, limit: number): number | null {
  if (key === wanted) return 0;
  const distance = Math.abs(key.length - wanted.length) > limit ? Number.POSITIVE_INFINITY : editDistance(wanted, key);
  if (distance <= limit) return distance;
  return wanted.length >= MIN_PART && key.includes(wanted) ? limit + 1 + (key.length - wanted.length) / 100 : null;
}
