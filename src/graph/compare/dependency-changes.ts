/** Finds dependencies between files that a change adds, removes or alters, and circles of imports that it closes or opens. */
import type { CycleChange, DependencyChange, GraphDiffResponse } from '../../questions/graph/diff/question.js';
import { classByName } from '../../search/path-classes.js';
import type { Graph } from '../graph.js';
import { type Dependency, dependenciesOf } from '../query/file-edges.js';
import { fileCycles, fileImports, shortestWay } from '../query/statistics.js';
import { CONFIDENCE, EVIDENCE_TIERS } from '../tables.js';
import type { GraphVersions } from './correspondence.js';

/** Minimum confidence of a use that counts: less likely ones change with definitions elsewhere, though nobody touched them. */
const LEAST_CONFIDENCE = 0.9;
const IS_PLAUSIBLE = EVIDENCE_TIERS.map((tier) => CONFIDENCE[tier] >= LEAST_CONFIDENCE);

/** The dependency of one file on another, with the symbols that it uses. */
interface Link {
  dependency?: Dependency;
  /** Symbols that it uses, each with the first edge that does. */
  names: Map<string, number>;
}

type Links = ReadonlyMap<string, Map<string, Link>>;

const NO_LINK: Link = { names: new Map() };
const ORDER: readonly DependencyChange['change'][] = ['added', 'removed', 'changed'];

interface DependencyChanges {
  list: DependencyChange[];
  counts: Pick<GraphDiffResponse['counts'], 'dependencies' | 'uses'>;
}

/** Changed dependencies: added ones first, then removed and altered ones, each by path. Those of tests come last. */
export function dependencyChanges({ before, after, pathAfter, accepts }: GraphVersions): DependencyChanges {
  const then = linksOf(before, (file) => pathAfter(file));
  const now = linksOf(after, (file) => after.tables.files[file].path);
  const list: DependencyChange[] = [];
  const counts = { dependencies: { added: 0, removed: 0, changed: 0 }, uses: { added: 0, removed: 0 } };
  for (const from of new Set([...then.keys(), ...now.keys()])) {
    if (!accepts(from)) continue;
    const [old, own] = [then.get(from), now.get(from)];
    for (const to of new Set([...(old?.keys() ?? []), ...(own?.keys() ?? [])])) {
      const [was, is] = [old?.get(to) ?? NO_LINK, own?.get(to) ?? NO_LINK];
      const gained = missingIn(was, is);
      const lost = missingIn(is, was);
      counts.uses.added += gained.length;
      counts.uses.removed += lost.length;
      const change = changeOf(was, is, gained.length + lost.length);
      if (from === to || change === null) continue;
      counts.dependencies[change]++;
      const isThere = change !== 'removed' && (is.dependency !== undefined || gained.length > 0);
      const place = isThere ? placeOf(after, is, gained) : placeOf(before, was, lost);
      list.push({ change, from, to, ...place, gained, lost });
    }
  }
  const rank = ({ change, from, to }: DependencyChange) =>
    `${classByName(from) === null ? 0 : 1} ${ORDER.indexOf(change)} ${from}\n${to}`;
  const ranked = list.map((change) => ({ change, key: rank(change) })).sort((a, b) => (a.key < b.key ? -1 : 1));
  return { list: ranked.map(({ change }) => change), counts };
}

function changeOf(was: Link, is: Link, names: number): DependencyChange['change'] | null {
  if (was.dependency === undefined && is.dependency !== undefined) return 'added';
  if (was.dependency !== undefined && is.dependency === undefined) return 'removed';
  return names > 0 ? 'changed' : null;
}

function missingIn(one: Link, other: Link): string[] {
  return [...other.names.keys()].filter((name) => !one.names.has(name)).sort();
}

/** The import, else the first of the uses that changed. */
function placeOf(graph: Graph, { dependency, names }: Link, changed: readonly string[]) {
  const edge = dependency?.edge ?? names.get(changed[0]) ?? -1;
  return { line: Math.max(1, graph.tables.edgeLine[edge]), use: graph.edgeKind(edge) };
}

function linksOf(graph: Graph, pathOf: (file: number) => string): Links {
  const { nodeBase, edgeBase, edgeTo, edgeTier } = graph.tables;
  const names: string[] = [];
  const links = new Map<string, Map<string, Link>>();
  for (let file = 0; file < graph.fileCount; file++) {
    const own = new Map<number, Link>();
    const linkTo = (to: number): Link => {
      const link = own.get(to) ?? { names: new Map() };
      own.set(to, link);
      return link;
    };
    for (const [to, dependency] of dependenciesOf(graph).get(file) ?? []) linkTo(to).dependency = dependency;
    for (let edge = edgeBase[nodeBase[file]]; edge < edgeBase[nodeBase[file + 1]]; edge++) {
      const target = edgeTo[edge];
      if (target < 0 || graph.isFile(target) || !IS_PLAUSIBLE[edgeTier[edge]]) continue;
      names[target] ??= graph.qualifiedName(target);
      const used = linkTo(graph.fileOf(target)).names;
      if (!used.has(names[target])) used.set(names[target], edge);
    }
    links.set(pathOf(file), new Map([...own].map(([to, link]) => [pathOf(to), link])));
  }
  return links;
}

// Circles of imports.

/** Maximum number of new imports that are listed for one circle. */
const MAX_CLOSING = 5;

interface Group {
  nodes: readonly number[];
  /** Paths after the change. */
  paths: ReadonlySet<string>;
}

/** Changed circles: added ones first, then grown, shrunk and removed ones, larger before smaller. Those of tests come last. */
export function cycleChanges(versions: GraphVersions): CycleChange[] {
  const { before, after, pathAfter, accepts } = versions;
  const then = groupsOf(before, pathAfter);
  const now = groupsOf(after, (file) => after.tables.files[file].path);
  const list: CycleChange[] = [];
  for (const group of now) {
    const { size, shared } = overlap(group, then);
    if (shared === group.nodes.length) continue;
    const change = size === 0 ? 'added' : 'grown';
    list.push({ ...described(after, group, change), was: size, closedBy: closing(versions, group) });
  }
  for (const group of then) {
    const { size, shared } = overlap(group, now);
    if (shared === group.nodes.length) continue;
    list.push({
      ...described(before, group, size === 0 ? 'removed' : 'shrunk'),
      was: group.nodes.length,
      closedBy: [],
    });
  }
  const order: readonly CycleChange['change'][] = ['added', 'grown', 'shrunk', 'removed'];
  return list
    .filter(({ shortest }) => shortest.some(({ path }) => accepts(path)))
    .sort(
      (a, b) =>
        Number(isSecondary(a)) - Number(isSecondary(b)) ||
        order.indexOf(a.change) - order.indexOf(b.change) ||
        b.size - a.size,
    );
}

function groupsOf(graph: Graph, pathOf: (file: number) => string): Group[] {
  return fileCycles(graph).map((nodes) => ({ nodes, paths: new Set(nodes.map((node) => pathOf(graph.fileOf(node)))) }));
}

/** The group of the other graph that shares most files with this one: its number of files, and that of those shared. 0 for none. */
function overlap({ paths }: Group, others: readonly Group[]): { size: number; shared: number } {
  let best = { size: 0, shared: 0 };
  for (const other of others) {
    const shared = [...paths].filter((path) => other.paths.has(path)).length;
    if (shared > best.shared) best = { size: other.nodes.length, shared };
  }
  return best;
}

function described(graph: Graph, { nodes }: Group, change: CycleChange['change']) {
  return { change, size: nodes.length, shortest: shortestWay(graph, nodes, fileImports(graph)) };
}

/** Imports of values inside a circle that the graph before lacks, or has of types alone. */
function closing({ before, after, moved }: GraphVersions, { nodes }: Group): CycleChange['closedBy'] {
  const inside = new Set(nodes.map((node) => after.fileOf(node)));
  const found: CycleChange['closedBy'] = [];
  const pathOf = (file: number) => after.tables.files[file].path;
  const older = (file: number) => before.findFile(moved.get(pathOf(file)) ?? pathOf(file));
  for (const from of inside) {
    for (const [to, { edge, types }] of dependenciesOf(after).get(from) ?? []) {
      if (types || !inside.has(to) || !after.isFileEdge(edge)) continue;
      const known = dependenciesOf(before).get(older(from))?.get(older(to));
      if (known === undefined || known.types)
        found.push({ from: pathOf(from), to: pathOf(to), line: after.tables.edgeLine[edge] });
    }
  }
  return found.slice(0, MAX_CLOSING);
}

/** Does the circle consist of tests, samples and the like? */
const isSecondary = ({ shortest }: CycleChange): boolean => shortest.every(({ path }) => classByName(path) !== null);
