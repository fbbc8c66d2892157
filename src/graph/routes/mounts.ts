/** Routers that are mounted below a path, and groups of routes that are handed to the function which declares routes on them. */

import type { Graph } from '../graph.js';
import { isTest } from '../query/place.js';
import { isFunction, isType } from '../query/uses.js';
import { belowPath, isRouterMaker } from '../route-paths.js';
import type { LineEdges } from './line-edges.js';

/** Calls that mount what they are given: Express and its like, chi, FastAPI, Flask. */
const MOUNT_NAMES: ReadonlySet<string> = new Set(['use', 'mount', 'Mount', 'include_router', 'register_blueprint']);
/** Maximum number of paths below which one router is mounted. */
const MAX_PREFIXES = 20;
/** Maximum number of routers within one another: hostile code has thousands, whose paths would fill the memory. */
const MAX_DEPTH = 20;
/** Lines above what is handed on where the call that it is handed to may begin. */
const MAX_ABOVE = 100;

/** Place where a router is mounted: the path is below those of the router `by`. */
interface Mount {
  by: number;
  path: string;
}

/** A router is a node: its variable, the function that is given it, or a file as a whole. */
export class Mounts {
  private readonly byRouter = new Map<number, Mount[]>();
  private readonly routersOf = new Map<number, number[]>();
  private readonly mounting = new Set<number>();
  private readonly known = new Map<number, string[]>();

  constructor(
    private readonly graph: Graph,
    private readonly lines: LineEdges,
  ) {
    const { edgeName, edgeLiteral, strings } = graph.tables;
    for (let edge = 0; edge < graph.edgeCount; edge++) {
      const kind = graph.edgeKind(edge);
      if (kind !== 'call' && kind !== 'value') continue;
      const name = strings[edgeName[edge]];
      const literal = strings[edgeLiteral[edge]];
      if (kind === 'call' && MOUNT_NAMES.has(name)) this.addMounted(edge, literal);
      else if (literal.startsWith('/') && (kind === 'value' || isRouterMaker(name))) this.addHanded(edge, literal);
    }
  }

  /** The router on which a call or a decorator at `from` declares a route. */
  routerOf(from: number, receiver: string): number {
    const { graph } = this;
    const file = graph.fileNode(graph.fileOf(from));
    const named = graph.nodesNamed(receiver);
    return named.find((node) => graph.container(node) === file && !isType(graph, node)) ?? from;
  }

  /** Paths below which the routes of a router are; '' for one that nothing mounts. */
  prefixesOf(router: number, depth = 0): readonly string[] {
    const known = this.known.get(router);
    if (known !== undefined) return known;
    if (depth >= MAX_DEPTH) return [''];
    // Routers that mount each other are below no path.
    this.known.set(router, ['']);
    const file = this.graph.fileNode(this.graph.fileOf(router));
    const mounts = this.byRouter.get(router) ?? this.byRouter.get(file) ?? [];
    const all = mounts.flatMap(({ by, path }) =>
      this.prefixesOf(by, depth + 1).map((prefix) => belowPath(prefix, path)),
    );
    const prefixes = all.length === 0 ? [''] : [...new Set(all)].slice(0, MAX_PREFIXES);
    this.known.set(router, prefixes);
    return prefixes;
  }

  /** Does it mount others? */
  isMounting(router: number): boolean {
    return this.mounting.has(router);
  }

  /** Routers and files that a call mounts. */
  mountedBy(edge: number): readonly number[] {
    return this.routersOf.get(edge) ?? [];
  }

  /** `app.use('/api', router)`, `app.include_router(items.router, prefix="/api")`. */
  private addMounted(edge: number, path: string): void {
    const { graph } = this;
    const { from, receiver, startLine, endLine } = graph.edge(edge);
    if (receiver === '' || isTest(graph, graph.fileOf(from)) || (path !== '' && !path.startsWith('/'))) return;
    const by = this.routerOf(from, receiver);
    for (const other of this.lines.between(from, startLine, endLine)) {
      const to = graph.target(other);
      if (to < 0 || to === by || isType(graph, to)) continue;
      this.add(to, { by, path });
      this.routersOf.set(edge, [...this.mountedBy(edge), to]);
    }
  }

  /** `users.Register(api.Group("/users"))`, `h.Register(api)`: the function declares routes on what it is given. */
  private addHanded(edge: number, path: string): void {
    const { graph } = this;
    const { from, name, kind, receiver, startLine } = graph.edge(edge);
    if (isTest(graph, graph.fileOf(from))) return;
    for (const other of this.lines.between(from, startLine - MAX_ABOVE, startLine)) {
      const call = graph.edge(other);
      if (call.kind !== 'call' || call.endLine < startLine) continue;
      if (call.to < 0 || !isFunction(graph, call.to)) continue;
      this.add(call.to, { by: this.routerOf(from, kind === 'value' ? name : receiver), path });
    }
  }

  private add(router: number, mount: Mount): void {
    this.mounting.add(mount.by);
    const all = this.byRouter.get(router) ?? [];
    if (!all.some(({ by, path }) => by === mount.by && path === mount.path)) this.byRouter.set(router, [...all, mount]);
  }
}
