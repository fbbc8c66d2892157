/** Answers `graph path`: the shortest path from one node to another, one step on a line. */
import { SocraticodeError } from '../../../base/errors.js';
import type { Graph } from '../../../graph/graph.js';
import { placeOf } from '../../../graph/query/node-place.js';
import { bodyOf } from '../../../graph/query/overloads.js';
import { resolveTarget } from '../../../graph/query/target.js';
import { directMembers, isFunction, isType, outgoing, overridersOf, withInside } from '../../../graph/query/uses.js';
import { FILE_EDGE_KINDS } from '../../../graph/tables.js';
import type { Asker } from '../../asker.js';
import { formatCount } from '../../format.js';
import type { Pen } from '../../pen.js';
import { at, doubt, placeText, VERBS } from '../graph-text.js';
import type { GraphCandidates } from '../output.js';
import { ambiguous, parseErrorsAt, prepareGraph } from '../snapshot-graph.js';
import type { FoundPath, GraphPathResponse, PathStep, PathValues } from './question.js';

/** Throws BAD_ARGUMENT for an unknown name, and for two names of the same thing. */
export async function answerPath(at: Asker, values: PathValues): Promise<GraphPathResponse | GraphCandidates> {
  const { limit, reverse } = values;
  const prepared = await prepareGraph(at, values);
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
  return { ...header, ...errors, from, to, ...pathBetween(graph, start.nodes, goal.nodes) };
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

interface Step {
  node: number;
  use: PathStep['use'];
  line: number;
  confidence: number;
}

interface Search {
  starts: ReadonlySet<number>;
  goals: ReadonlySet<number>;
  /** `came`: use by which the node was reached, null for a start. */
  next: (graph: Graph, node: number, came: PathStep['use'] | null) => Iterable<Step>;
}

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
  for (let at = came.get(goal); at !== undefined; at = came.get(at.from)) {
    const { from, node, use, line, confidence } = at;
    steps.unshift({ from: placeOf(graph, from), to: placeOf(graph, node), use, line, confidence });
  }
  return steps;
}

/** Uses of a node, surest first, so that among equally short paths the better one is found more often. */
function* usesFrom(graph: Graph, node: number, came: PathStep['use'] | null): Generator<Step> {
  const found: Step[] = [];
  for (const number of outgoing(graph, node)) {
    const { to: target, kind, startLine: line, confidence } = graph.edge(number);
    const to = target < 0 ? -1 : bodyOf(graph, target);
    if (to >= 0 && to !== node && !FILE_EDGE_KINDS.has(kind)) found.push({ node: to, use: kind, line, confidence });
  }
  yield* found.sort((a, b) => b.confidence - a.confidence || a.line - b.line);
  if (graph.isFile(node)) return;
  // Naming a type, or implementing it, runs no code of that type.
  const isNamed = came === 'type' || came === 'implements';
  if (isFunction(graph, node)) {
    for (const to of overridersOf(graph, node))
      yield { node: to, use: 'override', line: graph.startLine(to), confidence: 1 };
  }
  for (const at of directMembers(graph, node)) {
    const use =
      graph.kind(at) !== 'constructor' ? (isType(graph, node) ? null : 'contains') : isNamed ? null : 'constructor';
    if (use !== null) yield { node: at, use, line: graph.startLine(at), confidence: 1 };
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

export function pathText({ from, to, path, reverse }: GraphPathResponse, { pen }: { pen: Pen }): string {
  const ends = `${from} to ${to}`;
  if (path === null) {
    const hint = reverse ? [`there is one from ${to} to ${from}: ${pen.words.reverse}`] : [];
    return `${[`no way leads from ${ends}`, ...hint].map((line) => pen.dim(line)).join('\n')}\n`;
  }
  const { by, steps } = path;
  const none = by === 'imports' ? ': no way by calls and uses is known' : '';
  const head = pen.dim(`${formatCount(steps.length, 'step')} by ${by}${none}`);
  return `${[head, placeText(steps[0].from, pen), ...steps.flatMap((step) => stepLines(step, pen))].join('\n')}\n`;
}

function stepLines(step: StepText, pen: Pen): string[] {
  const { use, line, from, to } = step;
  const verb = Object.hasOwn(STEP_VERBS, use) ? STEP_VERBS[use] : use;
  const there = use === 'override' ? to.path : from.path;
  return [`  ${pen.dim(`${verb} at`)} ${at(there, line, pen)}${doubt(step, pen)}`, placeText(to, pen)];
}
