/** Finds the routes of servers: those that calls declare, those of controllers, and those in tables. */

import type { Route } from '../../questions/graph/flow/output.js';
import type { Graph } from '../graph.js';
import { calledRoute, decoratedRoute } from '../query/entry-patterns.js';
import { isProduction, isTest } from '../query/place.js';
import { isFunction, isType } from '../query/uses.js';
import { belowPath, joinedPath } from '../route-paths.js';
import { LineEdges } from './line-edges.js';
import { Mounts } from './mounts.js';
import { type Declared, routeAt, tableRoutes } from './route-tables.js';

/** Routes of production code first, in the order of their places. */
export function findRoutes(graph: Graph): Route[] {
  const called: CalledRoute[] = [];
  const decorated = new Map<number, Declared[]>();
  const lines = new LineEdges(graph);
  const mounts = new Mounts(graph, lines);
  const { edgeLiteral, strings } = graph.tables;
  for (let number = 0; number < graph.edgeCount; number++) {
    const kind = graph.edgeKind(number);
    if (kind !== 'decorator' && (kind !== 'call' || strings[edgeLiteral[number]] === '')) continue;
    const edge = graph.edge(number);
    const file = graph.fileOf(edge.from);
    const pattern = kind === 'decorator' ? decoratedRoute(edge) : calledRoute(edge, graph.tables.files[file].language);
    if (pattern === null || isTest(graph, file)) continue;
    const router = mounts.routerOf(edge.from, edge.receiver);
    const declared = { ...pattern, line: edge.startLine, router };
    if (kind === 'call') called.push({ ...declared, file, number, edge });
    else decorated.set(edge.from, [...(decorated.get(edge.from) ?? []), declared]);
  }
  const below = (declared: Declared, make: (declared: Declared) => Route) =>
    mounts
      .prefixesOf(declared.router ?? -1)
      .map((prefix) => make({ ...declared, path: belowPath(prefix, declared.path) }));
  const found = withoutMounts(graph, nested(called), decorated, mounts).flatMap(({ edge, ...declared }) =>
    below(declared, (whole) => routeAt(graph, edge.from, whole, handlerOf(graph, lines, edge))),
  );
  for (const { at, ...declared } of controllerRoutes(graph, decorated))
    found.push(...below(declared, (whole) => routeAt(graph, at, whole, at)));
  found.push(...tableRoutes(graph));
  const isOwn = ({ path }: Route) => Number(isProduction(graph, graph.findFile(path)));
  return found.sort((a, b) => isOwn(b) - isOwn(a) || (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

/** Routes but for calls that mount routers whose own routes are listed. */
function withoutMounts(
  graph: Graph,
  called: readonly CalledRoute[],
  decorated: ReadonlyMap<number, readonly Declared[]>,
  mounts: Mounts,
): CalledRoute[] {
  const routers = new Set<number>();
  for (const { method, router } of [...called, ...[...decorated.values()].flat()])
    if (method !== 'USE' && router !== undefined) routers.add(router).add(graph.fileNode(graph.fileOf(router)));
  return called.filter(
    ({ number }) => !mounts.mountedBy(number).some((router) => routers.has(router) || mounts.isMounting(router)),
  );
}

interface DecoratedRoute extends Declared {
  /** The decorated function or type. */
  at: number;
}

interface CalledRoute extends Declared {
  router: number;
  file: number;
  /** Number of its edge. */
  number: number;
  edge: { name: string; from: number; startLine: number; endLine: number };
}

/** Calls that are given a function in which routes below theirs are declared: `r.Route("/x", func(r chi.Router) { … })`, Ktor's `route("/x") { … }`. */
const ENCLOSING: ReadonlySet<string> = new Set(['Route', 'route']);

/** Paths with those of the calls around them, which are no routes themselves. */
function nested(called: readonly CalledRoute[]): CalledRoute[] {
  const enclosing = called.filter(({ edge }) => ENCLOSING.has(edge.name) && edge.endLine > edge.startLine);
  const around = new Set<CalledRoute>();
  const whole = called.map((route) => {
    const outer = enclosing.filter(
      ({ file, edge }) => file === route.file && edge.startLine < route.line && edge.endLine >= route.line,
    );
    for (const each of outer) around.add(each);
    // The outermost begins first.
    const prefix = outer.sort((a, b) => a.line - b.line).reduce((path, each) => joinedPath(path, each.path), '');
    return prefix === '' ? route : { ...route, path: joinedPath(prefix, route.path === '/' ? '' : route.path) };
  });
  return whole.filter((_, i) => !around.has(called[i]));
}

/** Decorated functions; the decorators of a type are the beginning of its members' paths, and routes of their own if it has none. */
function controllerRoutes(graph: Graph, decorated: ReadonlyMap<number, readonly Declared[]>): DecoratedRoute[] {
  const found: DecoratedRoute[] = [];
  const begun = new Set<number>();
  for (const [node, all] of decorated) {
    if (isType(graph, node)) continue;
    const type = graph.container(node);
    const prefixes = decorated.get(type)?.map(({ path }) => path) ?? [];
    for (const declared of withPaths(all, prefixes.length > 0)) {
      begun.add(type);
      for (const prefix of prefixes.length > 0 ? prefixes : [''])
        found.push({ ...declared, path: pathIn(graph, node, prefix, declared.path), at: node });
    }
  }
  for (const [node, all] of decorated)
    if (isType(graph, node) && !begun.has(node))
      for (const declared of all) if (declared.path !== '') found.push({ ...declared, at: node });
  return found;
}

/** `@GET @Path("/x")`: a method without a path has the path that stands beside it, or that of its type. */
function withPaths(all: readonly Declared[], isMember: boolean): Declared[] {
  const bare = all.filter(({ path, method }) => path === '' && method !== 'ANY');
  const paths = all.filter(({ method, path }) => method === 'ANY' && path !== '');
  if (bare.length === 0) return all.filter(({ path }) => path !== '' || isMember);
  const beside = bare.flatMap((declared) => paths.map(({ path }) => ({ ...declared, path })));
  if (beside.length === 0 && isMember) beside.push(...bare);
  return [...all.filter(({ method, path }) => method !== 'ANY' && path !== ''), ...beside];
}

/** `[controller]` and `[action]` of ASP.NET stand for the names of the class and of the method. */
function pathIn(graph: Graph, node: number, prefix: string, path: string): string {
  return joinedPath(prefix, path)
    .replace('[controller]', () => graph.name(graph.container(node)).replace(/Controller$/, ''))
    .replace('[action]', () => graph.name(node));
}

/**
 * The function handed on at the end of the call that declares the route, after middleware: lines that follow it are a
 * function without a name.
 */
function handlerOf(
  graph: Graph,
  lines: LineEdges,
  { from, startLine, endLine }: { from: number; startLine: number; endLine: number },
): number {
  let found = -1;
  for (const edge of lines.between(from, Math.max(startLine, endLine - 1), endLine)) {
    if (graph.edgeKind(edge) !== 'value') continue;
    const to = graph.target(edge);
    if (to >= 0 && isFunction(graph, to)) found = to;
  }
  return found;
}
