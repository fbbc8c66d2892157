/**
 * Finds the routes of servers: in calls, controllers and tables, and in routers that are mounted below a path. `joinRoutes` leads requests
 * to them, which changes edges of a graph that is being linked.
 */
import { addTo } from '../base/lists.js';
import { conventionsOf } from '../languages/registry.js';
import { procedureName } from '../languages/roles/remote.js';
import { CLIENT_TYPES, parseRequest } from '../languages/roles/requests.js';
import {
  calledRoutes,
  decoratedRoutes,
  HELD_VALUE,
  holdsRoutes,
  mayDeclareRoute,
  type RoutePattern,
  takesTopic,
} from '../languages/roles/routes.js';
import type { Route } from '../questions/graph/flow/question.js';
import { matchesOf, NAMED, RouteIndex, type ServedRoute } from './across/facts.js';
import {
  callsOfOperations,
  describedNames,
  describedRoutes,
  fieldsAskedFor,
  operationRoutes,
  operationsOf,
  rootField,
} from './described-routes.js';
import type { Graph } from './graph.js';
import { hasAttribute, isProduction, isTest, placeOf } from './query/node-place.js';
import { isFunction, isType, outgoing } from './query/uses.js';
import { MOUNTED, ROUTER_MAKERS } from './route-groups.js';
import {
  applicationPrefixes,
  belowPath,
  type Declared,
  edgesOfKind,
  edgesWith,
  type FoundRoute,
  fileRoutes,
  giveValues,
  HeldTopics,
  inServiceOf,
  joinedPath,
  LineEdges,
  loadedFolders,
  namedHandler,
  plainTypes,
  routeAt,
  routedType,
  tableRoutes,
} from './route-tables.js';
import { EDGE_KINDS, EVIDENCE_TIERS } from './tables.js';

/** Routes as answers list them: in the order of `listRoutes`, without names of routes. */
export function findRoutes(graph: Graph): Route[] {
  return listRoutes(graph).flatMap(({ method, path, line, at, handler }) => {
    if (method === NAMED) return [];
    const place = handler < 0 || graph.isFile(handler) ? null : placeOf(graph, handler);
    return [{ method, route: path, path: graph.path(at), line, handler: place }];
  });
}

const REQUEST = EDGE_KINDS.indexOf('request');
const ROUTE = EDGE_KINDS.indexOf('route');
const ROUTE_TIER = EVIDENCE_TIERS.indexOf('route');
/** Minimum confidence of a match that becomes an edge. */
const LEAST_CONFIDENCE = 0.5;

/** Leads each route to the handler that it names otherwise, and each request to that of the one route that fits it best, in place. */
export function joinRoutes(graph: Graph): void {
  const { edgeKind, edgeTo, edgeTier, edgeLiteral, strings } = graph.tables;
  const hasRequests = edgeKind.includes(REQUEST);
  const operations = operationsOf(graph);
  if (!hasRequests && operations.length === 0 && !edgeKind.includes(ROUTE)) return;
  const lead = (edge: number, to: number) => {
    if (to < 0) return;
    edgeTo[edge] = to;
    edgeTier[edge] = ROUTE_TIER;
  };
  const plainType = plainTypes(graph);
  for (const edge of edgesOfKind(edgeKind, ROUTE))
    if (edgeTo[edge] < 0) lead(edge, namedHandler(graph, edge, plainType));
  const calls = callsOfOperations(graph, operations);
  if (!hasRequests && calls.length === 0) return;
  const nodes = new Map<ServedRoute, number>();
  for (const { method, path, line, at, handler } of listRoutes(graph, operations))
    nodes.set({ method, route: path, path: graph.path(at), line, handler: null }, handler < 0 ? at : handler);
  if (nodes.size === 0) return;
  const index = new RouteIndex([...nodes.keys()], true);
  const known = new Map<string, number>();
  const topics = new HeldTopics(graph);
  for (const edge of edgesOfKind(edgeKind, REQUEST)) {
    const text = topics.textOf(edge, strings[edgeLiteral[edge]]);
    const to = known.get(text) ?? answeringNode(index, nodes, text);
    known.set(text, to);
    lead(edge, to);
  }
  for (const { edge, text } of calls) lead(edge, answeringNode(index, nodes, text));
}

/** Routes that tables of their files name, with the handlers. */
function statedRoutes(graph: Graph, mounts: Mounts, routers: ReadonlyMap<number, string[]>): FoundRoute[] {
  const { edgeKind, edgeLine, edgeTo, edgeLiteral, strings } = graph.tables;
  const found: FoundRoute[] = [];
  const knownField = fieldsAskedFor(graph);
  const topics = new HeldTopics(graph);
  let services: ReadonlyMap<string, unknown> | undefined;
  const isDescribed = (service: string) => {
    services ??= describedNames(graph).services;
    return services.has(service);
  };
  const field = (path: string) => (path === '' ? [] : [{ method: 'GQL', path }]);
  const special: Readonly<Record<string, (path: string, at: number) => Pick<FoundRoute, 'method' | 'path'>[]>> = {
    // Objects of other types end in these words, too: a description has to know the service.
    RPC: (path) => (isDescribed(path.split('/')[1]) ? [{ method: 'GRPC', path }] : []),
    FIELD: (path, at) => field(rootField(graph, at, path)),
    MAYBE: (path) => field(knownField(path)),
    [NAMED]: (path) => [{ method: NAMED, path: belowPath('', path) }],
    [HELD_VALUE]: () => [],
  };
  const plain = (method: string, path: string, at: number) =>
    (routers.get(graph.fileOf(at)) ?? mounts.prefixesOf(at)).map((prefix) => ({
      method,
      path: belowPath(prefix, path),
    }));
  for (const edge of edgesOfKind(edgeKind, ROUTE)) {
    const at = graph.source(edge);
    const [method, path, file] = topics.textOf(edge, strings[edgeLiteral[edge]]).split(' ', 3);
    // `PROVIDE =TOKEN` is no path.
    if (path === undefined || path.startsWith('=') || isTest(graph, graph.fileOf(at))) continue;
    if (method === 'USE' && (edgeTo[edge] >= 0 || file !== undefined || path === '/')) continue;
    const stated = Object.hasOwn(special, method) ? special[method](path, at) : plain(method, path, at);
    for (const route of stated) found.push({ ...route, at, line: edgeLine[edge], handler: edgeTo[edge] });
  }
  return found;
}

/** The node that answers a request, -1 for none: several fit, or the host is a foreign one. */
function answeringNode(index: RouteIndex, nodes: ReadonlyMap<ServedRoute, number>, text: string): number {
  const request = parseRequest(text);
  if (request === null) return -1;
  const isThere = request.host === undefined ? () => true : inServiceOf(request.host);
  const found = matchesOf(index, request, isThere).filter(
    ({ confidence, isBeyond }) => confidence >= LEAST_CONFIDENCE && !isBeyond,
  );
  const targets = new Set(found.map(({ route }) => nodes.get(route) ?? -1));
  // A message runs all that subscribe to its topic.
  return targets.size === 1 || (request.method === 'TOPIC' && targets.size > 0) ? Math.min(...targets) : -1;
}

/** All routes with their whole paths: those of production code first, in the order of their places. */
function listRoutes(graph: Graph, operations = operationsOf(graph)): FoundRoute[] {
  const lines = new LineEdges(graph);
  const mounts = new Mounts(graph, lines);
  const table = tableRoutes(graph);
  const stated = statedRoutes(graph, mounts, table.routers);
  const { called, decorated } = declaredRoutes(graph, mounts);
  const below = (declared: Declared, make: (declared: Declared) => FoundRoute) =>
    mounts
      .prefixesOf(declared.router ?? -1)
      .map((prefix) => make({ ...declared, path: belowPath(prefix, declared.path) }));
  const found = withoutMounts(graph, nested(called), decorated, mounts).flatMap((route) =>
    below(route, (whole) => routeAt(route.edge.from, whole, handlerOf(graph, lines, route))),
  );
  const prefixOf = applicationPrefixes(graph);
  for (const { at, ...declared } of controllerRoutes(graph, decorated)) {
    const path =
      declared.method === 'TOPIC' || declared.method === 'GRPC' ? declared.path : prefixOf(at, declared.path);
    found.push(...below({ ...declared, path }, (whole) => routeAt(at, whole, at)));
  }
  found.push(...table.routes, ...stated, ...describedRoutes(graph));
  found.push(...fileRoutes(graph));
  giveValues(graph, found);
  found.push(...operationRoutes(graph, operations, found));
  const isOwn = ({ at }: FoundRoute) => Number(isProduction(graph, graph.fileOf(at)));
  return found.sort((a, b) => isOwn(b) - isOwn(a) || graph.fileOf(a.at) - graph.fileOf(b.at) || a.line - b.line);
}

/** Routes that calls declare, and those that decorators do, by what is decorated. */
function declaredRoutes(
  graph: Graph,
  mounts: Mounts,
): { called: CalledRoute[]; decorated: ReadonlyMap<number, readonly Declared[]> } {
  const called: CalledRoute[] = [];
  const decorated = new Map<number, Declared[]>();
  const { edgeLiteral, strings } = graph.tables;
  const [read, topics] = [wholeTables(graph), new HeldTopics(graph)];
  for (const number of edgesWith(graph.tables, ['call', 'decorator'], 'edgeName', mayDeclareRoute)) {
    const isCall = graph.edgeKind(number) === 'call';
    if (isCall && strings[edgeLiteral[number]] === '') continue;
    const edge = graph.edge(number);
    if (!isCall && edge.literal === '' && takesTopic(edge.name)) edge.literal = topics.pathOf(number);
    const file = graph.fileOf(edge.from);
    const patterns = patternsOf(edge, !isCall, graph.tables.files[file].language);
    if (patterns.length === 0 || isTest(graph, file)) continue;
    if (isCall && (read.has(file) || isOfClient(graph, file, edge))) continue;
    const router = mounts.routerOf(edge.from, edge.receiver);
    for (const pattern of patterns) {
      const declared = { ...pattern, line: edge.startLine, router };
      if (isCall) called.push({ ...declared, file, number, edge });
      else addTo(decorated, edge.from, declared);
    }
  }
  return { called, decorated };
}

/**
 * Is a call one of a client, in a language whose tables of routes have rules of their own? There other routes stand alone: in a method,
 * `post '/x'` asks for it.
 */
function isOfClient(graph: Graph, file: number, { from, receiver }: { from: number; receiver: string }): boolean {
  const { statesRoutes, routeNames } = conventionsOf(graph.tables.files[file].language);
  return statesRoutes === true && routeNames !== undefined && (receiver !== '' || isFunction(graph, from));
}

/** Files whose calls were all read as a table of routes, so that none of them declares anything by itself. */
function wholeTables(graph: Graph): Set<number> {
  const found = new Set<number>();
  for (const edge of edgesOfKind(graph.tables.edgeKind, ROUTE)) {
    const file = graph.fileOf(graph.source(edge));
    if (conventionsOf(graph.tables.files[file].language).statesRoutes) found.add(file);
  }
  return found;
}

/** Routes that a call or a decorator declares. Middleware for all paths is none. */
function patternsOf(
  use: Parameters<typeof decoratedRoutes>[0],
  isDecorator: boolean,
  language: string,
): RoutePattern[] {
  if (isDecorator) return decoratedRoutes(use);
  return calledRoutes(use, conventionsOf(language).routeNames).filter(
    ({ method, path }) => method !== 'USE' || path !== '/',
  );
}

/** Leaves out calls that mount a router whose own routes are listed. */
function withoutMounts(
  graph: Graph,
  called: readonly CalledRoute[],
  decorated: ReadonlyMap<number, readonly Declared[]>,
  mounts: Mounts,
): CalledRoute[] {
  const routers = new Set<number>();
  for (const { method, router } of [...called, ...[...decorated.values()].flat()])
    if (method !== 'USE' && router !== undefined)
      for (let node = router; ; node = graph.container(node)) {
        routers.add(node);
        if (graph.isFile(node)) break;
      }
  const below = new Map<number, string[]>();
  for (const { method, file, path } of called) if (method !== 'USE') addTo(below, file, path);
  // A router in a local has the whole paths already.
  const isListed = ({ method, path, file }: CalledRoute) =>
    method === 'USE' &&
    (mounts.mountsLocal(file, path) ||
      below.get(file)?.some((each) => each === path || each.startsWith(`${path}/`)) === true);
  return called.filter(
    (route) =>
      !mounts.mountedBy(route.number).some((router) => routers.has(router) || mounts.isMounting(router)) &&
      !isListed(route),
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

/** Adds to each path those of the calls around it, which are no routes themselves. */
function nested(called: readonly CalledRoute[]): CalledRoute[] {
  const enclosing = called.filter(({ edge, path }) => holdsRoutes({ name: edge.name, literal: path }));
  const around = new Set<CalledRoute>();
  const whole = called.map((route) => {
    // On one line, only a plugin that is registered below a path has the routes behind it inside.
    const isInside = ({ edge: { name, startLine }, number }: CalledRoute) =>
      startLine < route.line || (startLine === route.line && name === 'register' && number < route.number);
    const outer = enclosing.filter(
      (each) => each.file === route.file && each.edge.endLine >= route.line && isInside(each),
    );
    for (const each of outer) around.add(each);
    // The outermost begins first.
    const prefix = outer
      .sort((a, b) => a.line - b.line || a.number - b.number)
      .reduce((path, each) => joinedPath(path, each.path), '');
    return prefix === '' ? route : { ...route, path: joinedPath(prefix, route.path === '/' ? '' : route.path) };
  });
  return whole.filter((_, i) => !around.has(called[i]));
}

/** Is it a method of a client, as in Retrofit? Then its decorators state a request. */
function sendsWhatItStates(graph: Graph, node: number): boolean {
  return [...outgoing(graph, node)].some(
    (edge) => graph.edgeKind(edge) === 'request' && /^[A-Z]+$/.test(graph.tables.strings[graph.tables.edgeName[edge]]),
  );
}

/** Routes of decorated functions. Decorators of a type begin the paths of its members; without members they are routes. */
function controllerRoutes(graph: Graph, decorated: ReadonlyMap<number, readonly Declared[]>): DecoratedRoute[] {
  const found: DecoratedRoute[] = [];
  const begun = new Set<number>();
  for (const [node, all] of decorated) {
    if (isType(graph, node)) continue;
    const type = graph.container(node);
    if (hasAttribute(graph, type, CLIENT_TYPES) || sendsWhatItStates(graph, node)) continue;
    const stating = routedType(graph, type, decorated);
    const prefixes = decorated.get(stating)?.map(({ path }) => path) ?? [];
    if (stating !== type) begun.add(stating);
    for (const declared of withPaths(usualPaths(graph, type, all, prefixes), prefixes.length > 0)) {
      begun.add(type);
      const isBelow = prefixes.length > 0 && !WITHOUT_PREFIX.has(declared.method);
      for (const prefix of isBelow ? prefixes : [''])
        found.push({ ...declared, path: pathIn(graph, node, prefix, wholeProcedure(graph, node, declared)), at: node });
    }
  }
  const alone = [...decorated].filter(([node]) => isType(graph, node) && !begun.has(node));
  for (const [at, all] of alone) for (const each of all) if (each.path !== '') found.push({ ...each, at });
  return found;
}

/** Methods of requests that go by a name of their own, and not below the path of a controller. */
const WITHOUT_PREFIX: ReadonlySet<string> = new Set(['TOPIC', 'GRPC']);

/** Gives actions of a controller without any path those of the framework: `[controller]/[action]`. */
function usualPaths(
  graph: Graph,
  type: number,
  all: readonly Declared[],
  prefixes: readonly string[],
): readonly Declared[] {
  const { controllerPaths } = conventionsOf(graph.tables.files[graph.fileOf(type)].language);
  const hasPath = prefixes.length > 0 || all.some(({ path }) => path !== '');
  if (controllerPaths === undefined || hasPath || !/Controller$/.test(graph.name(type))) return all;
  return all.map((declared) => ({ ...declared, path: controllerPaths }));
}

/** Gives a method without a path the path beside it (`@GET @Path("/x")`), or that of its type. */
function withPaths(all: readonly Declared[], isMember: boolean): Declared[] {
  const bare = all.filter(({ path, method }) => path === '' && method !== 'ANY');
  const paths = all.filter(({ method, path }) => method === 'ANY' && path !== '');
  if (bare.length === 0) return all.filter(({ path }) => path !== '' || isMember);
  const combined = bare.flatMap((declared) => paths.map(({ path }) => ({ ...declared, path })));
  if (combined.length === 0 && isMember) combined.push(...bare);
  return [...all.filter(({ method, path }) => method !== 'ANY' && path !== ''), ...combined];
}

/** `@GrpcMethod('CartService')` leaves the name of the procedure out. */
function wholeProcedure(graph: Graph, node: number, { method, path }: Declared): string {
  return method === 'GRPC' && !path.includes('/', 1) ? `${path}/${procedureName(graph.name(node))}` : path;
}

/** Path with `[controller]` and `[action]` of ASP.NET replaced by the names of the class and of the method. */
function pathIn(graph: Graph, node: number, prefix: string, path: string): string {
  return joinedPath(prefix, path)
    .replace('[controller]', () => graph.name(graph.container(node)).replace(/Controller$/, ''))
    .replace('[action]', () => graph.name(node));
}

/**
 * The function without a name in the call that declares the route, or the one handed on last, after middleware: on a line, the next call
 * that declares a route has its own.
 */
function handlerOf(graph: Graph, lines: LineEdges, { edge, number, method }: CalledRoute): number {
  const { from, startLine, endLine } = edge;
  const all = lines.between(from, startLine, endLine);
  const own = all.indexOf(number);
  let [found, made, wraps] = [-1, -1, false];
  for (const other of own < 0 ? [] : all.slice(own + 1)) {
    const use = graph.edge(other);
    const { kind, name, literal, to, startLine: line } = use;
    if (kind === 'call' && literal.startsWith('/') && calledRoutes({ name, receiver: '.', literal }).length > 0) break;
    if (to < 0) continue;
    const isLast = line >= endLine - 1;
    if (!isFunction(graph, to) || !(kind === 'value' || (kind === 'read' && isLast))) {
      wraps ||= kind === 'call' && HANDLER_NAME.test(name);
      if (holdsHandler(graph, use)) made = to;
    } else if (name.startsWith(`${method} `)) return to;
    // `toHandler(deps,\n  handleCart,\n  middleware...,\n)` wraps a handler that middleware may follow.
    else if (isLast || (wraps && HANDLER_NAME.test(name))) found = to;
  }
  return found < 0 ? made : found;
}

/** `carts.list` of a controller that is a parameter; `handle(listHandler)`, `listHandler(db)` of a variable or a function that makes one. */
function holdsHandler(graph: Graph, { kind, name, receiver, to }: ReturnType<Graph['edge']>): boolean {
  if (kind === 'value') return HANDLER_NAME.test(name);
  const isNamed = HANDLER_NAME.test(name) || (kind === 'read' && HANDLER_NAME.test(receiver));
  return isNamed && (kind === 'call' || kind === 'read') && !graph.isFile(to) && !isType(graph, to);
}

const HANDLER_NAME = /handlers?$|controller$|^(?:handle|serve)[A-Z]/i;

// Routers mounted below a path, and groups handed to a function that declares routes on them.

/** Calls that mount their argument: Express and its like, chi, FastAPI, Flask; Fastify; Hono. */
const MOUNT_NAMES: ReadonlySet<string> = new Set([
  ...['use', 'mount', 'Mount', 'include_router', 'register_blueprint', 'register', 'route'],
]);
/** Maximum number of paths below which one router is mounted. */
const MAX_PREFIXES = 20;
/** Maximum depth of nested routers. Hostile code has thousands, whose paths would fill the memory. */
const MAX_MOUNT_DEPTH = 20;
/** Maximum number of lines between the beginning of a call and an argument of it. */
const MAX_ABOVE = 100;

/** Place where a router is mounted: `path` is below the paths of the router `by`. */
interface Mount {
  by: number;
  path: string;
}

/** Mounts of routers. A router is a node: its variable, the function that takes it, or a whole file. */
class Mounts {
  private readonly byRouter = new Map<number, Mount[]>();
  private readonly routersOf = new Map<number, number[]>();
  private readonly mounting = new Set<number>();
  private readonly mountedPaths = new Set<string>();
  private readonly known = new Map<number, string[]>();
  private readonly whole: ReadonlySet<number>;
  private loadedBelow?: (path: string) => string;

  constructor(
    private readonly graph: Graph,
    private readonly lines: LineEdges,
  ) {
    const { edgeKind, edgeName, edgeLiteral, strings } = graph.tables;
    this.whole = wholeTables(graph);
    const isPath = (literal: string) => literal.startsWith('/') || literal.startsWith(`${MOUNTED} /`);
    const mounts = [
      ...edgesOfKind(edgeKind, ROUTE),
      ...edgesWith(graph.tables, ['call', 'value'], 'edgeName', (name) => MOUNT_NAMES.has(name)),
      ...edgesWith(graph.tables, ['call', 'value'], 'edgeLiteral', isPath),
    ];
    for (const edge of [...new Set(mounts)].sort((a, b) => a - b)) {
      const kind = graph.edgeKind(edge);
      if (kind === 'route') this.addStated(edge);
      const name = strings[edgeName[edge]];
      const literal = strings[edgeLiteral[edge]];
      if (kind === 'call' && literal.startsWith(`${MOUNTED} /`)) this.addMade(edge, literal.slice(MOUNTED.length + 1));
      else if (kind === 'call' && MOUNT_NAMES.has(name)) this.addMounted(edge, literal);
      else if (literal.startsWith('/') && (kind === 'value' || ROUTER_MAKERS.has(name))) this.addHanded(edge, literal);
    }
  }

  /** The router on which a call or a decorator at `from` declares a route. */
  routerOf(from: number, receiver: string): number {
    const { graph } = this;
    const file = graph.fileNode(graph.fileOf(from));
    // `app.route().get()` declares on `app`.
    const named = graph.nodesNamed(receiver.replace(/^(\w+)\.\w+\(\).*$/, '$1'));
    return named.find((node) => graph.container(node) === file && !isType(graph, node)) ?? from;
  }

  /** Paths below which a router is mounted; '' for one that nothing mounts. */
  prefixesOf(router: number, depth = 0): readonly string[] {
    const known = this.known.get(router);
    if (known !== undefined) return known;
    if (router < 0) return [''];
    if (depth >= MAX_MOUNT_DEPTH) return [''];
    // Routers that mount each other are below no path.
    this.known.set(router, ['']);
    const file = this.graph.fileNode(this.graph.fileOf(router));
    const { language, path: filePath } = this.graph.tables.files[this.graph.fileOf(router)];
    const usual = conventionsOf(language).routePrefix;
    const mounts =
      this.mountsOf(router) ??
      this.byRouter.get(file) ??
      (usual?.path.test(filePath) ? [{ by: -1, path: usual.prefix }] : this.loaded(filePath));
    const all = mounts.flatMap(({ by, path }) =>
      this.prefixesOf(by, depth + 1).map((prefix) => belowPath(prefix, path)),
    );
    const prefixes = all.length === 0 ? [''] : [...new Set(all)].slice(0, MAX_PREFIXES);
    this.known.set(router, prefixes);
    return prefixes;
  }

  /** Mounts of a router, or of the function that makes it: `app.include_router(make_router())`. */
  private mountsOf(router: number): Mount[] | undefined {
    const { graph } = this;
    for (let node = router; !graph.isFile(node); node = graph.container(node)) {
      const mounts = this.byRouter.get(node);
      if (mounts !== undefined) return mounts;
    }
    return undefined;
  }

  /** Mounts of a file that Fastify loads with its folder. */
  private loaded(path: string): Mount[] {
    this.loadedBelow ??= loadedFolders(this.graph);
    const prefix = this.loadedBelow(path);
    return prefix === '' ? [] : [{ by: -1, path: prefix }];
  }

  /** Does it mount others? */
  isMounting(router: number): boolean {
    return this.mounting.has(router);
  }

  /** Routers and files that a call mounts. */
  mountedBy(edge: number): readonly number[] {
    return this.routersOf.get(edge) ?? [];
  }

  /** `items: itemsRouter` in a router of tRPC. */
  private addStated(edge: number): void {
    const { from, to, literal } = this.graph.edge(edge);
    const [method, path, file] = literal.split(' ', 3);
    if (method !== 'USE' || path === undefined) return;
    const mounted = file === undefined ? to : this.fileEndingWith(file);
    if (mounted >= 0) this.add(mounted, { by: from, path: path === '/' ? '' : path });
  }

  private hasInner(from: number, first: number, last: number): boolean {
    const { edgeName, edgeLiteral, strings } = this.graph.tables;
    return this.lines
      .between(from, first, last)
      .some((edge) => strings[edgeName[edge]] === 'mount' && strings[edgeLiteral[edge]].startsWith('/'));
  }

  /** Node of the one file whose path ends so, -1 for none. */
  private fileEndingWith(end: string): number {
    const found = this.graph.tables.files.flatMap(({ path }, file) => (`/${path}`.endsWith(`/${end}`) ? [file] : []));
    return found.length === 1 ? this.graph.fileNode(found[0]) : -1;
  }

  /** `app.use('/api', router)`, `app.include_router(items.router, prefix="/api")`. */
  private addMounted(edge: number, path: string): void {
    const { graph } = this;
    const { from, name, receiver, startLine, endLine } = graph.edge(edge);
    if (this.whole.has(graph.fileOf(from)) || isTest(graph, graph.fileOf(from))) return;
    if ((receiver === '' && name !== 'mount') || !/^(?:\/|$)/.test(path)) return;
    // `app.use(mount('/api', api))`
    if (name === 'use' && path === '' && this.hasInner(from, startLine, endLine)) return;
    const by = this.routerOf(from, receiver);
    for (const other of this.lines.between(from, startLine, endLine)) {
      const { kind, name: called, startLine: line } = graph.edge(other);
      // A function within the call mounts below the path that the call gives it.
      if (line > startLine && kind === 'call' && MOUNT_NAMES.has(called)) break;
      const to = graph.target(other);
      if (to < 0 || to === by || isType(graph, to)) continue;
      this.add(to, { by, path });
      this.routersOf.set(edge, [...this.mountedBy(edge), to]);
    }
  }

  /** `const carts = makeCarts(db); app.use('/carts', carts);` */
  private addMade(edge: number, path: string): void {
    const { graph } = this;
    const to = graph.target(edge);
    const from = graph.source(edge);
    if (to < 0 || !isFunction(graph, to) || isTest(graph, graph.fileOf(from))) return;
    this.add(to, { by: this.routerOf(from, ''), path });
    this.mountedPaths.add(`${graph.fileOf(from)} ${path}`);
  }

  /** Does a file mount a router below a path that it keeps in a local? */
  mountsLocal(file: number, path: string): boolean {
    return this.mountedPaths.has(`${file} ${path}`);
  }

  /** `users.Register(api.Group("/users"))`, `h.Register(api)`: the function declares routes on its argument. */
  private addHanded(edge: number, path: string): void {
    const { graph } = this;
    const { from, name, kind, receiver, startLine } = graph.edge(edge);
    if (isTest(graph, graph.fileOf(from))) return;
    for (const other of this.lines.between(from, startLine - MAX_ABOVE, startLine)) {
      const call = graph.edge(other);
      if (call.kind !== 'call' || call.endLine < startLine) continue;
      if (call.to < 0 || !isFunction(graph, call.to)) continue;
      this.add(call.to, { by: this.routerOf(from, kind === 'value' ? name : receiver), path });
      this.mountedPaths.add(`${graph.fileOf(from)} ${path}`);
    }
  }

  private add(router: number, mount: Mount): void {
    this.mounting.add(mount.by);
    const all = this.byRouter.get(router) ?? [];
    if (!all.some(({ by, path }) => by === mount.by && path === mount.path)) this.byRouter.set(router, [...all, mount]);
  }
}
