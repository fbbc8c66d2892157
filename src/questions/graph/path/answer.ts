/** Answers `graph path`: the shortest path from one node to another, one step on a line. */
import { SocraticodeError } from '../../../base/errors.js';
import { groupDigits } from '../../../base/printable.js';
import type { Graph } from '../../../graph/graph.js';
import { cut, isTestCode, placeOf } from '../../../graph/query/node-place.js';
import { bodyOf } from '../../../graph/query/overloads.js';
import { resolveTarget } from '../../../graph/query/target.js';
import { meansContainer, possibleUses } from '../../../graph/query/users.js';
import {
  directMembers,
  isFunction,
  isType,
  outgoing,
  overriddenBy,
  overridersOf,
  withInside,
} from '../../../graph/query/uses.js';
import { FILE_EDGE_KINDS } from '../../../graph/tables.js';
import type { Asker } from '../../asker.js';
import { formatCount } from '../../format.js';
import type { Pen } from '../../pen.js';
import { at, more } from '../../view.js';
import { doubt, placeText, VERBS } from '../graph-text.js';
import type { GraphCandidates } from '../output.js';
import { ambiguous, parseErrorsAt, prepareGraph } from '../snapshot-graph.js';
import type { FoundPath, Gaps, GraphPathResponse, PathStep, PathValues } from './question.js';

/** Throws BAD_ARGUMENT for an unknown name, and for two names of the same thing. */
export async function answerPath(asker: Asker, values: PathValues): Promise<GraphPathResponse | GraphCandidates> {
  const { limit, reverse } = values;
  const prepared = await prepareGraph(asker, values);
  const { graph, header, prefix } = prepared;
  const [from, to] = reverse ? [values.to, values.from] : [values.from, values.to];
  const start = resolveTarget(graph, from, { prefix });
  if ('candidates' in start) return ambiguous(prepared, { target: from, ...start, limit });
  const goal = resolveTarget(graph, to, { prefix });
  if ('candidates' in goal) return ambiguous(prepared, { target: to, ...goal, limit });
  if (start.nodes.some((node) => goal.nodes.includes(node)))
    throw new SocraticodeError('BAD_ARGUMENT', `${from} and ${to} are the same`, {
      hint: 'Name two different symbols or files.',
    });
  const errors = parseErrorsAt(graph, [...start.nodes, ...goal.nodes]);
  const found = pathBetween(graph, start.nodes, goal.nodes);
  const gaps = found.path?.by === 'uses' ? undefined : gapsBetween(graph, start.nodes, goal.nodes, limit);
  return { ...header, ...errors, from, to, ...found, ...(gaps && { gaps }) };
}

// Search.

/** `reverse`: there is no path, but one in the other direction. */
export function pathBetween(
  graph: Graph,
  from: readonly number[],
  to: readonly number[],
): Pick<GraphPathResponse, 'path' | 'reverse'> {
  const path = findWay(graph, from, to);
  return { path, reverse: path === null && findWay(graph, to, from) !== null };
}

function findWay(graph: Graph, from: readonly number[], to: readonly number[]): FoundPath | null {
  // The path of a file or type may begin or end at any node in it.
  const [starts, goals] = [from, to].map(
    (nodes) => new Set(Array.from(withInside(graph, nodes), (node) => bodyOf(graph, node))),
  );
  const byUses = search(graph, { starts, goals, next: usesFrom });
  if (byUses !== null) return { by: 'uses', steps: byUses };
  const files = (nodes: Iterable<number>) => new Set([...nodes].map((node) => graph.fileNode(graph.fileOf(node))));
  const byImports = search(graph, { starts: files(from), goals: files(to), next: importsFrom });
  return byImports === null || byImports.length === 0 ? null : { by: 'imports', steps: byImports };
}

/** Most symbols of each side that are looked at: behind more of them nearly everything is reached. */
const MAX_SIDE = 20_000;
/** Entries of each list of gaps, unless a limit is given. */
const GAPS = 10;

/**
 * Why no way by uses is known. `sites`: uses without a known target, in code that `from` reaches, which may mean a symbol that leads to `to`;
 * those that are reached first come first. `unused`: symbols that lead to `to` and that nothing uses, production code first.
 */
export function gapsBetween(graph: Graph, from: readonly number[], to: readonly number[], limit = GAPS): Gaps {
  const reached = allReached(graph, from, (node) => Array.from(usesFrom(graph, node, null), (step) => step.node));
  const leading = allReached(graph, to, (node) => usersOf(graph, node));
  /** Reached nodes by their place: nearer ones are reached first. */
  const order = new Map([...reached].map((node, i) => [node, i]));
  const sites = new Map<number, { edge: number; to: number }>();
  for (const node of leading) {
    if (graph.isFile(node)) continue;
    const isOfCollection = meansContainer(graph, node);
    for (const edge of possibleUses(graph, node))
      if (order.has(graph.source(edge)) && !sites.has(edge) && !isOfCollection(edge))
        sites.set(edge, { edge, to: node });
  }
  const near = ({ edge }: { edge: number }) => order.get(graph.source(edge)) ?? 0;
  const sorted = [...sites.values()].sort((a, b) => near(a) - near(b) || a.edge - b.edge);
  const shown = sorted.map(({ edge, to: node }) => {
    const { startLine, name, receiver, tier } = graph.edge(edge);
    const why = tier === 'ambiguous' ? ('ambiguous' as const) : ('unresolved' as const);
    const place = { from: placeOf(graph, graph.source(edge)), to: placeOf(graph, node) };
    return { ...place, line: Math.max(1, startLine), text: receiver === '' ? name : `${receiver}.${name}`, why };
  });
  const tops = [...leading].filter((node) => !graph.isFile(node) && usersOf(graph, node).next().done);
  // Tests use nearly everything, and say little of how a program comes there.
  tops.sort((a, b) => Number(isTestCode(graph, a)) - Number(isTestCode(graph, b)));
  const unused = tops.map((node) => placeOf(graph, node));
  return { reached: reached.size, leading: leading.size, sites: cut(shown, limit), unused: cut(unused, limit) };
}

/** Nodes, with all in them, and what `next` leads to from any of these, nearest first; no more than about `MAX_SIDE`. */
function allReached(graph: Graph, from: readonly number[], next: (node: number) => Iterable<number>): Set<number> {
  const found = new Set(Array.from(withInside(graph, from), (node) => bodyOf(graph, node)));
  for (const node of found) {
    if (found.size > MAX_SIDE) break;
    for (const to of next(node)) found.add(to);
  }
  return found;
}

/** Users of a node, and members that it may run instead of. */
function* usersOf(graph: Graph, node: number): Generator<number> {
  for (const edge of graph.incoming(node)) if (!graph.isFileEdge(edge)) yield graph.source(edge);
  yield* overriddenBy(graph, node);
}

interface Step {
  node: number;
  use: PathStep['use'];
  line: number;
  confidence: number;
  likely?: true;
}

interface Search {
  starts: ReadonlySet<number>;
  goals: ReadonlySet<number>;
  /** `came`: use by which the node was reached, null for a start. */
  next: (graph: Graph, node: number, came: PathStep['use'] | null) => Iterable<Step>;
}

/** Shortest path from any start to any goal, breadth first; null for none. */
function search(graph: Graph, { starts, goals, next }: Search): PathStep[] | null {
  const came = new Map<number, Step & { from: number }>();
  let level = [...starts].sort((a, b) => a - b);
  while (level.length > 0) {
    const following: number[] = [];
    for (const from of level) {
      for (const step of next(graph, from, came.get(from)?.use ?? null)) {
        if (came.has(step.node) || starts.has(step.node)) continue;
        came.set(step.node, { ...step, from });
        if (goals.has(step.node)) return stepsTo(graph, came, step.node);
        following.push(step.node);
      }
    }
    level = following;
  }
  return null;
}

function stepsTo(graph: Graph, came: ReadonlyMap<number, Step & { from: number }>, goal: number): PathStep[] {
  const steps: PathStep[] = [];
  for (let last = came.get(goal); last !== undefined; last = came.get(last.from)) {
    const { from, node, ...step } = last;
    steps.unshift({ from: placeOf(graph, from), to: placeOf(graph, node), ...step });
  }
  return steps;
}

const doubtOf = ({ likely }: Step): number => Number(likely === true);

/** Uses of other nodes by a node, surest first, so that among equally short paths the better one is found more often. */
function edgesFrom(graph: Graph, node: number): Step[] {
  const found: Step[] = [];
  for (const number of outgoing(graph, node)) {
    const { to: target, kind, startLine: line, confidence, tier } = graph.edge(number);
    const to = target < 0 ? -1 : bodyOf(graph, target);
    if (to >= 0 && to !== node && !FILE_EDGE_KINDS.has(kind))
      found.push({ node: to, use: kind, line, confidence, ...(tier === 'likely' && { likely: true }) });
  }
  return found.sort((a, b) => b.confidence - a.confidence || doubtOf(a) - doubtOf(b) || a.line - b.line);
}

/** Nodes that a node leads to: by its uses, then by what stands in for it or in it. */
function* usesFrom(graph: Graph, node: number, came: PathStep['use'] | null): Generator<Step> {
  yield* edgesFrom(graph, node);
  if (graph.isFile(node)) return;
  // Naming a type, or implementing it, runs no code of that type.
  const isNamed = came === 'type' || came === 'implements';
  if (isFunction(graph, node)) {
    for (const to of overridersOf(graph, node))
      yield { node: to, use: 'override', line: graph.startLine(to), confidence: 1 };
  }
  // A use of a type reaches its constructor; other members of it run only where something uses them.
  const isOfType = isType(graph, node);
  for (const member of directMembers(graph, node)) {
    const isConstructor = graph.kind(member) === 'constructor';
    if (isConstructor ? isNamed : isOfType) continue;
    yield {
      node: member,
      use: isConstructor ? 'constructor' : 'contains',
      line: graph.startLine(member),
      confidence: 1,
    };
  }
}

function* importsFrom(graph: Graph, node: number): Generator<Step> {
  for (const number of outgoing(graph, node)) {
    const { to, kind, startLine: line, confidence } = graph.edge(number);
    if (to >= 0 && FILE_EDGE_KINDS.has(kind)) yield { node: to, use: kind, line, confidence };
  }
}

type StepText = NonNullable<GraphPathResponse['path']>['steps'][number];

/** Verbs of edges, and of steps without an edge. */
const STEP_VERBS: Readonly<Record<string, string>> = {
  ...VERBS,
  override: 'may run instead',
  constructor: 'runs its constructor',
  contains: 'contains',
};

export function pathText({ from, to, path, reverse, gaps }: GraphPathResponse, { pen }: { pen: Pen }): string {
  const ends = `${from} to ${to}`;
  if (path === null) {
    const hint = reverse ? [`there is one from ${to} to ${from}: ${pen.words.reverse}`] : [];
    const head = [`no way leads from ${ends}`, ...hint].map((line) => pen.dim(line));
    return `${[...head, ...gapLines(gaps, pen)].join('\n')}\n`;
  }
  const { by, steps } = path;
  const none = by === 'imports' ? ': no way by calls and uses is known' : '';
  const head = pen.dim(`${formatCount(steps.length, 'step')} by ${by}${none}`);
  const lines = [head, placeText(steps[0].from, pen), ...steps.flatMap((step) => stepLines(step, pen))];
  return `${[...lines, ...gapLines(gaps, pen)].join('\n')}\n`;
}

/** Symbols without a known use that are named. */
const TOPS = 5;

const WHY = { ambiguous: 'several definitions fit', unresolved: 'the target is not known' } as const;

function gapLines(gaps: GraphPathResponse['gaps'], pen: Pen): string[] {
  if (gaps === undefined) return [];
  const { reached, leading, sites, unused } = gaps;
  const tops = unused.list.slice(0, TOPS).map((place) => `  ${placeText(place, pen)}`);
  const sides = `${formatCount(reached, 'symbol')} reached, ${groupDigits(leading)} that lead there`;
  if (sites.list.length === 0)
    return [
      '',
      `no use that is reached has the name of one that leads there  ${pen.dim(`(${sides})`)}`,
      pen.dim(
        `it may be called by a name made at run time, by a library, or not at all${tops.length > 0 ? '; nothing known uses' : ''}`,
      ),
      ...tops,
    ];
  return [
    '',
    `uses that may close the way  ${pen.dim(`(${sides})`)}`,
    ...sites.list.flatMap(({ from, to, line, text, why }) => [
      `  ${at(from.path, line, pen)}  ${text}  ${pen.dim(`in ${from.symbol ?? 'the file'}: ${WHY[why]}, one is`)}`,
      `    ${placeText(to, pen)}`,
    ]),
    ...more(sites.leftOut, pen),
  ];
}

function stepLines(step: StepText, pen: Pen): string[] {
  const { use, line, from, to } = step;
  const verb = Object.hasOwn(STEP_VERBS, use) ? STEP_VERBS[use] : use;
  const there = use === 'override' ? to.path : from.path;
  return [`  ${pen.dim(`${verb} at`)} ${at(there, line, pen)}${doubt(step, pen)}`, placeText(to, pen)];
}
