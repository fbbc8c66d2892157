/** Describes a definition from the graph: callers, callees, relatives, tests that reach it. */
import type { Graph } from '../../../graph/graph.js';
import { explainNoCallers } from '../../../graph/query/no-callers.js';
import { byPlace, cut, placeOf, useOf } from '../../../graph/query/place.js';
import { possibleUses } from '../../../graph/query/possible.js';
import { interfacesOf } from '../../../graph/query/structural.js';
import { TEST_DEPTH, testsAmong } from '../../../graph/query/tests-reaching.js';
import { walkUsers } from '../../../graph/query/users.js';
import {
  CALL_KINDS,
  childrenOf,
  INHERIT_KINDS,
  isFunction,
  isType,
  membersOf,
  outgoing,
  overriddenBy,
  overridersOf,
  RUN_KINDS,
} from '../../../graph/query/uses.js';
import type { EdgeKind } from '../../../graph/types.js';
import type { Place, Use } from '../output-parts.js';
import { sortUses } from '../use-order.js';
import type { Callee, OutsideCall, Parent, SymbolFacts } from './output.js';

/** Everything that the graph tells of one definition; `nodes` are its overloads or parts. */
export function describeSymbol(
  graph: Graph,
  nodes: readonly number[],
  limit: number,
): SymbolFacts & { definitions: Place[] } {
  const own = new Set(nodes.flatMap((node) => [node, ...membersOf(graph, node)]));
  const callers = callersOf(graph, nodes);
  const kinds = nodes
    .flatMap((node) => [...graph.incoming(node)])
    .filter((edge) => !RUN_KINDS.has(graph.edgeKind(edge)));
  const users = walkUsers(graph, [...own], { depth: TEST_DEPTH });
  const related = (find: (node: number) => readonly number[]) =>
    cut(
      [...new Set(nodes.flatMap((node) => [...find(node)]))].map((node) => placeOf(graph, node)).sort(byPlace),
      limit,
    );
  return {
    definitions: nodes.map((node) => placeOf(graph, node)),
    containers: containersOf(graph, nodes[0]),
    decorators: decoratorsOf(graph, nodes),
    callers: cut(callers, limit),
    otherUses: kinds.length,
    ...(callers.length === 0 && { noCallers: explainNoCallers(graph, nodes[0]) }),
    possibleCallers: possibleUses(graph, nodes[0]).length,
    callees: calleesOf(graph, own, limit),
    parents: parentsWithNames(graph, own),
    subtypes: related((node) => (isType(graph, node) ? onceNamed(graph, childrenOf(graph, node)) : [])),
    overrides: related((node) => (isFunction(graph, node) ? overriddenBy(graph, node) : [])),
    overriddenBy: related((node) => (isFunction(graph, node) ? overridersOf(graph, node) : [])),
    tests: cut(testsAmong(graph, users), limit),
  };
}

/** A type and the blocks that implement something for it are one. */
function onceNamed(graph: Graph, types: readonly number[]): number[] {
  const key = (type: number) => `${graph.fileOf(type)} ${graph.qualifiedName(type)}`;
  return [...new Map(types.map((type): [string, number] => [key(type), type]).reverse()).values()];
}

function containersOf(graph: Graph, node: number): Place[] {
  const found: Place[] = [];
  for (let at = graph.container(node); at >= 0 && !graph.isFile(at); at = graph.container(at))
    found.unshift(placeOf(graph, at));
  return found;
}

function decoratorsOf(graph: Graph, nodes: readonly number[]): string[] {
  const found = new Set<string>();
  for (const node of nodes) {
    for (const edge of outgoing(graph, node))
      if (graph.edgeKind(edge) === 'decorator') found.add(useOf(graph, edge).text);
  }
  return [...found];
}

/** Calls, and uses as a value that may be called; of a member also calls of what it overrides, which may run it. */
function callersOf(graph: Graph, nodes: readonly number[]): Use[] {
  const found: Use[] = [];
  const collect = (node: number, kinds: ReadonlySet<EdgeKind>, through?: string) => {
    for (const edge of graph.incoming(node)) {
      if (!kinds.has(graph.edgeKind(edge))) continue;
      found.push({ ...useOf(graph, edge), ...(through !== undefined && { through }) });
    }
  };
  for (const node of nodes) {
    collect(node, RUN_KINDS);
    if (graph.isFile(node)) continue;
    if (graph.kind(node) === 'constructor') collect(graph.container(node), NEW_ONLY);
    for (const parent of overriddenBy(graph, node)) collect(parent, CALL_KINDS, graph.qualifiedName(parent));
  }
  return sortUses(graph, found);
}

const NEW_ONLY: ReadonlySet<EdgeKind> = new Set(['new']);

function calleesOf(graph: Graph, own: ReadonlySet<number>, limit: number): SymbolFacts['callees'] {
  const resolved = new Map<number, Callee>();
  const outside = { external: new Map<string, OutsideCall>(), unresolved: new Map<string, OutsideCall>() };
  for (const node of own) {
    for (const number of outgoing(graph, node)) {
      if (!RUN_KINDS.has(graph.edgeKind(number))) continue;
      const { to, kind: use, tier, confidence, startLine: line } = graph.edge(number);
      if (to < 0) {
        const list = tier === 'external' ? outside.external : outside.unresolved;
        const { text } = useOf(graph, number);
        const known = list.get(text);
        if (known === undefined) list.set(text, { text, use, lines: [line] });
        else if (known.lines.length < MAX_LINES && !known.lines.includes(line)) known.lines.push(line);
      } else if (!own.has(to) || to === node) {
        const known = resolved.get(to);
        if (known === undefined) resolved.set(to, { ...placeOf(graph, to), lines: [line], use, tier, confidence });
        else if (known.lines.length < MAX_LINES && !known.lines.includes(line)) known.lines.push(line);
      }
    }
  }
  return {
    resolved: cut([...resolved.values()], limit),
    external: cut([...outside.external.values()], limit),
    unresolved: cut([...outside.unresolved.values()], limit),
  };
}

const MAX_LINES = 8;

function parentsWithNames(graph: Graph, own: ReadonlySet<number>): Parent[] {
  const found = new Map<string, Parent>();
  for (const node of own) {
    if (!isType(graph, node)) continue;
    for (const number of outgoing(graph, node)) {
      const { kind: use, to } = graph.edge(number);
      if (!INHERIT_KINDS.has(use)) continue;
      const { text } = useOf(graph, number);
      const name = to < 0 ? text : graph.qualifiedName(to);
      found.set(name, { name, use, place: to < 0 ? null : placeOf(graph, to) });
    }
    for (const face of interfacesOf(graph, node)) {
      const name = graph.qualifiedName(face);
      if (!found.has(name)) found.set(name, { name, use: 'implements', place: placeOf(graph, face) });
    }
  }
  return [...found.values()];
}
