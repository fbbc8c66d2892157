/** Circles of imports that a change closes, widens, narrows or opens. */
import type { Graph } from '../../../../graph/graph.js';
import { dependenciesOf } from '../../../../graph/query/dependencies.js';
import { classByName } from '../../../../search/path-classes.js';
import { fileCycles, fileImports, shortestWay } from '../../cycles/find-cycles.js';
import type { CycleChange } from '../output.js';
import type { Sides } from './sides.js';

/** New imports listed of one circle. */
const MAX_CLOSING = 5;

interface Group {
  nodes: readonly number[];
  /** Paths after the change. */
  paths: ReadonlySet<string>;
}

/** Circles of tests come last; added circles first, then grown, shrunk and removed ones; larger ones before smaller ones. */
export function cycleChanges(sides: Sides): CycleChange[] {
  const { before, after, pathAfter, accepts } = sides;
  const then = groupsOf(before, pathAfter);
  const now = groupsOf(after, (file) => after.tables.files[file].path);
  const list: CycleChange[] = [];
  for (const group of now) {
    const { size, shared } = overlap(group, then);
    if (shared === group.nodes.length) continue;
    const change = size === 0 ? 'added' : 'grown';
    list.push({ ...described(after, group, change), was: size, closedBy: closing(sides, group) });
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
        Number(isAside(a)) - Number(isAside(b)) || order.indexOf(a.change) - order.indexOf(b.change) || b.size - a.size,
    );
}

function groupsOf(graph: Graph, pathOf: (file: number) => string): Group[] {
  return fileCycles(graph).map((nodes) => ({ nodes, paths: new Set(nodes.map((node) => pathOf(graph.fileOf(node)))) }));
}

/** Files of the groups of the other side that meet this one, and files that it shares with one of them: the most. */
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

function closing({ before, after, moved }: Sides, { nodes }: Group): CycleChange['closedBy'] {
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

/** Only tests, samples and the like are in it. */
const isAside = ({ shortest }: CycleChange): boolean => shortest.every(({ path }) => classByName(path) !== null);
