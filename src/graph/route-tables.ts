/**
 * Finds routes that no call declares: files by their paths, and tables that include one another. Also what completes routes of all kinds for
 * `routes.ts`: prefixes of applications and loaded folders, handlers by the names of their types, values of names in paths, topics that
 * constants hold, and the services that hosts name.
 */
import { addTo, firstFrom, getOrMake } from '../base/lists.js';
import type { FileRoute } from '../languages/language.js';
import { conventionsOf } from '../languages/registry.js';
import type { SymbolKind } from '../languages/roles/definitions.js';
import { HELD_VALUE, type RoutePattern } from '../languages/roles/routes.js';
import type { Graph } from './graph.js';
import { folderOf } from './query/entry-patterns.js';
import { isTest } from './query/node-place.js';
import { isFunction, isType, outgoing, parentsOf } from './query/uses.js';
import { EDGE_KINDS, type EdgeKind, type GraphTables } from './tables.js';

/** A route with its whole path. */
export interface FoundRoute extends RoutePattern {
  /** Node that declares it. */
  at: number;
  line: number;
  /** Node of the function that answers, -1 if it has no name. */
  handler: number;
}

export interface Declared extends RoutePattern {
  line: number;
  /** Node of the router that it is declared on. */
  router?: number;
}

export function routeAt(at: number, { method, path, line }: Declared, handler: number): FoundRoute {
  return { method, path: path.startsWith('/') ? path : `/${path}`, at, line, handler };
}

/** Joins two paths. The second one stays alone if there is no first one, or if it starts at the root (`~/x`). */
export function joinedPath(prefix: string, path: string): string {
  if (path.startsWith('~/')) return path.slice(1);
  if (prefix === '' || prefix === '/') return path;
  const whole = `${prefix.replace(/\/$/, '')}${path === '' ? '' : '/'}${path.replace(/^\//, '')}`;
  return whole.startsWith('/') ? whole : `/${whole}`;
}

/** The path of a route below that of a group: `/` is the group's own path. */
export function belowPath(prefix: string, path: string): string {
  return prefix === '' ? path : joinedPath(prefix, path === '/' ? '' : path);
}

// Files that are routes by their paths.

/** A package whose import shows that a framework is used in a folder or above. */
const FRAMEWORKS: Readonly<Record<string, { config: RegExp; module: RegExp }>> = {
  next: { config: /(?:^|\/)next\.config\.[cm]?[jt]s$/, module: /^next(?:\/|$)/ },
  remix: {
    config: /(?:^|\/)(?:remix|react-router)\.config\.[cm]?[jt]s$/,
    module: /^(?:@remix-run|@react-router)\/|^react-router/,
  },
};
/** Exports of pages that are no page. */
const PAGE_DATA =
  /^(?:get(?:Server|Static)\w+|generate\w+|metadata|config|links|meta|headers|handle|shouldRevalidate|loader|action|load)$/;

export function fileRoutes(graph: Graph): FoundRoute[] {
  const { files } = graph.tables;
  const roots = new Map<string, Set<string>>();
  const rootsOf = (name: string) => {
    const known = roots.get(name) ?? frameworkFolders(graph, name);
    roots.set(name, known);
    return known;
  };
  const found: FoundRoute[] = [];
  for (const [file, { path, language }] of files.entries()) {
    for (const route of conventionsOf(language).fileRoutes ?? []) {
      const match = route.path.exec(path);
      if (match === null || isTest(graph, file)) continue;
      const root = path.slice(0, match.index === 0 ? 0 : match.index + 1);
      const folder = root.replace(/(?:^|\/)src\/$/, '/').replace(/^\//, '');
      if (route.needs !== undefined && !rootsOf(route.needs).has(folder)) continue;
      found.push(...routesOfFile(graph, file, route, match[1]));
      break;
    }
  }
  return found;
}

/** Folders with a configuration of the framework, or with code that imports it, each with its slash. */
function frameworkFolders(graph: Graph, name: string): Set<string> {
  const { config, module } = FRAMEWORKS[name];
  const found = new Set<string>();
  const { files, edgeName, strings } = graph.tables;
  for (const { path } of files) if (config.test(path)) found.add(folderOf(path));
  const names = new Set<number>();
  for (const [at, text] of strings.entries()) if (module.test(text)) names.add(at);
  if (names.size === 0) return found;
  for (let edge = 0; edge < edgeName.length; edge++) {
    if (!names.has(edgeName[edge]) || !graph.isFileEdge(edge)) continue;
    const path = graph.path(graph.source(edge));
    const root = /^(.*?)(?:src\/)?(?:app|pages|components|lib|middleware\.ts)(?:\/|$)/.exec(path)?.[1];
    if (root !== undefined) found.add(root);
  }
  return found;
}

function routesOfFile(
  graph: Graph,
  file: number,
  { style, methods, named, shown }: FileRoute,
  written: string,
): FoundRoute[] {
  const path = style === 'next' ? folderPath(written) : flatPath(written);
  const at = graph.fileNode(file);
  const own: number[] = [];
  for (let node = at + 1; node < graph.tables.nodeBase[file + 1]; node++)
    if (graph.container(node) === at && graph.isExported(node)) own.push(node);
  const found = own.flatMap((handler) => {
    const name = graph.name(handler);
    const method = methods?.has(name) ? name : named?.get(name);
    return method === undefined ? [] : [{ method, path, at, line: graph.startLine(handler), handler }];
  });
  if (shown === undefined || (found.length > 0 && named !== undefined && style === 'remix')) return found;
  const pages = own.filter((node) => isFunction(graph, node) && !PAGE_DATA.test(graph.name(node)));
  const handler =
    pages.length === 1
      ? pages[0]
      : (pages.find((node) => /^(?:\p{Lu}|default$|handler)/u.test(graph.name(node))) ?? -1);
  return [...found, { method: shown, path, at, line: handler < 0 ? 1 : graph.startLine(handler), handler }];
}

/** `carts/[id]/(shop)/` is `/carts/:id`. */
function folderPath(written: string): string {
  const parts = written.split('/').filter((part) => part !== '' && !/^(?:\(.*\)|@.*)$/.test(part));
  if (parts.at(-1) === 'index') parts.pop();
  return `/${parts.map((part) => part.replace(/^\[{1,2}\.{3}(\w+)\]{1,2}$/, '*$1').replace(/\[{1,2}(\w+)(?:=\w+)?\]{1,2}/g, ':$1')).join('/')}`;
}

/** `carts.$id_.edit` is `/carts/:id/edit`. */
function flatPath(written: string): string {
  const parts = written.split(/[./](?![^[]*\])/).filter((part) => part !== '' && !part.startsWith('_'));
  if (parts.at(-1) === 'index') parts.pop();
  const named = parts.map((part) =>
    part
      .replace(/[_+]$/, '')
      .replace(/^\(|\)$/g, '')
      .replace(/[[\]]/g, ''),
  );
  return `/${named.map((part) => (part === '$' ? '*' : part.replace(/^\$/, ':'))).join('/')}`;
}

// Tables of routes, which the table of another file can include below a path.

/** A table that includes another one. */
interface Inclusion {
  by: number;
  path: string;
}

/** Maximum number of tables that include one another. */
const MAX_INCLUDE_DEPTH = 10;
/** Maximum number of paths below which one table is included. */
const MAX_INCLUDE_PREFIXES = 20;

/** Routes of tables, and paths below which a table includes the routes of a router in some file. */
export function tableRoutes(graph: Graph): { routes: FoundRoute[]; routers: ReadonlyMap<number, string[]> } {
  const files = tableFiles(graph);
  const inclusions = new Map<number, Inclusion[]>();
  const entries = files.flatMap((file) => entriesOf(graph, file));
  const tables = new Set(entries.map(({ table }) => table));
  const include = (table: number, by: Inclusion) => addTo(inclusions, table, by);
  const routers = new Map<number, string[]>();
  const direct: TableEntry[] = [];
  for (const entry of entries) {
    const { module, held, table, path } = entry;
    const file = module === '' ? -1 : moduleFile(graph, files, module);
    if (file >= 0) include(graph.fileNode(file), { by: table, path });
    else if (held >= 0 && tables.has(held)) include(held, { by: table, path });
    else direct.push(entry);
  }
  const prefixes = (table: number) => prefixesOf(graph, table, inclusions, 0);
  for (const { held, table, path } of direct) {
    if (held < 0) continue;
    const file = graph.fileOf(held);
    for (const prefix of prefixes(table)) addTo(routers, file, joinedPath(prefix, path === '/' ? '' : path));
  }
  const own = direct.filter(({ held }) => held < 0);
  const routes = own.flatMap(({ table, path, line, handler, module }) =>
    prefixes(table).map((prefix) => {
      const declared = { method: module === '' ? 'ANY' : 'USE', path: joinedPath(prefix, path), line };
      return routeAt(graph.fileNode(graph.fileOf(table)), declared, handler);
    }),
  );
  return { routes, routers };
}

function tableFiles(graph: Graph): number[] {
  const found = new Set<number>();
  const languages = new Set(graph.tables.files.map(({ language }) => language));
  for (const language of languages) {
    const table = conventionsOf(language).routeTable;
    if (table === undefined) continue;
    for (const node of graph.nodesNamed(table.variable)) {
      const file = graph.fileOf(node);
      if (graph.tables.files[file].language === language && !isTest(graph, file)) found.add(file);
    }
  }
  return [...found];
}

interface TableEntry {
  /** Variable that holds the table; the file for its main table. */
  table: number;
  path: string;
  line: number;
  handler: number;
  /** Module whose table it includes, '' for none. */
  module: string;
  /** Variable whose table or router it includes, -1 for none. */
  held: number;
}

/** Maximum number of uses in one entry of a table. */
const MAX_IN_ENTRY = 100;

function entriesOf(graph: Graph, file: number): TableEntry[] {
  const { routeTable } = conventionsOf(graph.tables.files[file].language);
  if (routeTable === undefined) return [];
  const first = graph.fileNode(file);
  const found: TableEntry[] = [];
  for (let node = first; node < graph.tables.nodeBase[file + 1]; node++) {
    if (node !== first && (graph.container(node) !== first || isFunction(graph, node) || isType(graph, node))) continue;
    const table = node === first || graph.name(node) === routeTable.variable ? first : node;
    found.push(...entriesIn(graph, node, table, routeTable));
  }
  return found;
}

type RouteTable = NonNullable<ReturnType<typeof conventionsOf>['routeTable']>;

function entriesIn(graph: Graph, node: number, table: number, { entries, include }: RouteTable): TableEntry[] {
  const found: TableEntry[] = [];
  const edges = [...outgoing(graph, node)].map((edge) => graph.edge(edge));
  /** Entries that include a list which they hold. */
  const around: { endLine: number; path: string }[] = [];
  for (const [at, { kind, name, literal, startLine, endLine }] of edges.entries()) {
    if (kind !== 'call' || !entries.has(name)) continue;
    while (around.length > 0 && around[around.length - 1].endLine < startLine) around.pop();
    // Two entries can share a line; edges are in the order of the text.
    const rest = edges.slice(at + 1, at + 1 + MAX_IN_ENTRY);
    const next = rest.findIndex((edge) => edge.kind === 'call' && entries.has(edge.name));
    const own = (next < 0 ? rest : rest.slice(0, next)).filter((edge) => edge.startLine <= endLine);
    const included = own.find((edge) => edge.kind === 'call' && edge.name === include);
    const written = `/${literal.replace(/^\^?\/?/, '').replace(/\$$/, '')}`;
    const path = joinedPath(around[around.length - 1]?.path ?? '', written);
    const held = included?.literal === '' ? heldBy(graph, table, own) : -1;
    if (included?.literal === '' && held < 0) {
      if (around.length < MAX_INCLUDE_DEPTH && endLine > startLine) around.push({ endLine, path });
      continue;
    }
    const handler = own.find(({ to }) => to >= 0 && (isFunction(graph, to) || isType(graph, to)))?.to ?? -1;
    found.push({ table, path, line: startLine, handler, module: included?.literal ?? '', held });
  }
  return found;
}

/** `include(items_urls)`, `include(router.urls)`: the variable, or this table's file for a router in it; -1 for none. */
function heldBy(graph: Graph, table: number, own: readonly { to: number; name: string; receiver: string }[]): number {
  const held = own.find(({ to }) => to >= 0 && !isFunction(graph, to) && !graph.isFile(to));
  if (held !== undefined) return held.to;
  const isRouter = own.some(({ name, receiver }) => name === 'urls' || /router$/i.test(receiver));
  return isRouter ? graph.fileNode(graph.fileOf(table)) : -1;
}

function moduleFile(graph: Graph, files: readonly number[], module: string): number {
  const end = `/${module.replaceAll('.', '/')}`;
  return (
    files.find((file) => `/${graph.tables.files[file].path.replace(/(?:\/__init__)?\.\w+$/, '')}`.endsWith(end)) ?? -1
  );
}

/** All paths below which a table is included; the empty one for a table that none includes. */
function prefixesOf(
  graph: Graph,
  table: number,
  inclusions: ReadonlyMap<number, readonly Inclusion[]>,
  depth: number,
): string[] {
  const all = inclusions.get(table);
  if (depth >= MAX_INCLUDE_DEPTH) return [''];
  if (all === undefined) {
    // `urlpatterns = more + …`: a variable that nothing includes is part of the main table.
    const main = graph.fileNode(graph.fileOf(table));
    return table === main ? [''] : prefixesOf(graph, main, inclusions, depth + 1);
  }
  return all
    .flatMap(({ by, path }) => prefixesOf(graph, by, inclusions, depth + 1).map((prefix) => joinedPath(prefix, path)))
    .slice(0, MAX_INCLUDE_PREFIXES);
}

// Applications: what begins the paths of all their routes.

/** Text of an edge: its name, its receiver or its literal. */
type EdgeText = 'edgeName' | 'edgeReceiver' | 'edgeLiteral';

/** Edges of some kinds with a text that is wanted, in order. Each text is judged once, and the one loop over all edges is soon a fast one. */
export function edgesWith(
  tables: GraphTables,
  kinds: readonly EdgeKind[],
  column: EdgeText,
  isWanted: (text: string) => boolean,
): number[] {
  const { edgeKind, strings } = tables;
  const texts = tables[column];
  const isKind = Uint8Array.from(EDGE_KINDS, (kind) => Number(kinds.includes(kind)));
  const judged = new Uint8Array(strings.length);
  const found: number[] = [];
  for (let edge = 0; edge < edgeKind.length; edge++) {
    if (isKind[edgeKind[edge]] === 0) continue;
    const id = texts[edge];
    if (judged[id] === 0) judged[id] = isWanted(strings[id]) ? 2 : 1;
    if (judged[id] === 2) found.push(edge);
  }
  return found;
}

/** The nearest of some folders above a path; the only one if none is above. */
function nearest<T extends { folder: string }>(all: readonly T[], path: string): T | undefined {
  const above = all.filter(({ folder }) => path.startsWith(folder));
  if (above.length === 0) return all.length === 1 ? all[0] : undefined;
  return above.reduce((best, each) => (each.folder.length > best.folder.length ? each : best));
}

/** Whole paths of routes of NestJS: behind the prefix of the application and the version of the controller or the method. */
export function applicationPrefixes(graph: Graph): (at: number, path: string) => string {
  const { edgeLiteral, strings } = graph.tables;
  const found = { setGlobalPrefix: [], enableVersioning: [] } as Record<string, { folder: string; text: string }[]>;
  for (const edge of edgesWith(graph.tables, ['call'], 'edgeName', (name) => Object.hasOwn(found, name))) {
    const at = graph.source(edge);
    if (isTest(graph, graph.fileOf(at))) continue;
    found[graph.edge(edge).name].push({ folder: folderOf(graph.path(at)), text: strings[edgeLiteral[edge]] });
  }
  const { setGlobalPrefix: prefixes, enableVersioning: versioned } = found;
  if (prefixes.length === 0 && versioned.length === 0) return (_, path) => path;
  const versions = new Map<number, string>();
  if (versioned.length > 0)
    for (const edge of edgesWith(graph.tables, ['decorator'], 'edgeName', (name) => name === 'Version'))
      versions.set(graph.source(edge), strings[edgeLiteral[edge]]);
  return (at, path) => {
    const file = graph.path(at);
    const version = versions.get(at) ?? versions.get(graph.container(at)) ?? '';
    const mark = nearest(versioned, file)?.text ?? '';
    const whole = version === '' || mark === '' ? path : joinedPath(`/${mark}${version}`, path);
    const [written = '', ...left] = nearest(prefixes, file)?.text.split(' ') ?? [];
    const prefix = written.replace(/^\/|\/$/g, '');
    const isLeft = left.some((each) => each.replace(/^\//, '') === path.replace(/^\//, ''));
    return prefix === '' || isLeft ? whole : joinedPath(`/${prefix}`, whole);
  };
}

const LOADER = /^(?:@fastify\/autoload|fastify-autoload)$/;

/** Paths of the files that Fastify loads from a folder of routes: those of their folders, `_id` for a parameter. */
export function loadedFolders(graph: Graph): (path: string) => string {
  const loaders = edgesWith(graph.tables, ['import'], 'edgeName', (name) => LOADER.test(name)).map((edge) => {
    const at = graph.source(edge);
    const file = graph.fileOf(at);
    const nodes = Array.from({ length: graph.tables.nodeBase[file + 1] - graph.fileNode(file) }, (_, i) => at + i);
    const prefix = nodes
      .flatMap((node) => [...outgoing(graph, node)].map((each) => graph.edge(each)))
      .find(({ kind, name, literal }) => kind === 'call' && name === 'register' && literal.startsWith('/'));
    return { folder: folderOf(graph.path(at)), prefix: prefix?.literal ?? '' };
  });
  return (path) => {
    const loader = loaders.find(({ folder }) => path.startsWith(folder));
    const below = loader && /^(?:.*\/)?routes\/((?:[^/]+\/)*)[^/]+$/.exec(path.slice(loader.folder.length))?.[1];
    if (loader === undefined || below === undefined) return '';
    return joinedPath(loader.prefix, `/${below.replace(/\/$/, '').replace(/(?:^|(?<=\/))_(?=[^/])/g, ':')}`).replace(
      /\/$/,
      '',
    );
  };
}

// Handlers that a table names by their types.

/** The method of that name in the one type whose name has the same letters: `API::CartsController` for `Api.CartsController`. */
export function namedHandler(graph: Graph, edge: number, plainType: (node: number) => string): number {
  const { edgeName, edgeReceiver, strings } = graph.tables;
  const written = strings[edgeReceiver[edge]];
  const wanted = plainName(written);
  if (wanted === '') return -1;
  const methods = graph.nodesNamed(strings[edgeName[edge]]).filter((node) => isFunction(graph, node));
  const found = methods.filter((node) => plainType(graph.container(node)) === wanted);
  if (found.length === 1) return found[0];
  // `Admin\Settings\IndexController`, where only `Admin` is imported: the file is named like the type.
  const end = `/${written.replaceAll('.', '/')}`;
  const placed = methods.filter((node) => {
    const path = graph.path(node);
    return `/${path.slice(0, path.lastIndexOf('.'))}`.endsWith(end);
  });
  return placed.length === 1 ? placed[0] : -1;
}

/** Letters of the whole names of types, each made once: hundreds of controllers have a method `index`. */
export function plainTypes(graph: Graph): (node: number) => string {
  const known = new Map<number, string>();
  return (node) => getOrMake(known, node, () => plainName(graph.qualifiedName(node)));
}

const plainName = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

// Values of names in paths.

export function* edgesOfKind(edgeKind: Uint8Array, kind: number): Generator<number> {
  for (let edge = edgeKind.indexOf(kind); edge >= 0; edge = edgeKind.indexOf(kind, edge + 1)) yield edge;
}

const HELD_NAME = /\/\{=([\w$]+)\}/g;

/** Puts the values of names into paths: the one of the file, or the only one of the repository; a name without one adds nothing. */
export function giveValues(graph: Graph, routes: readonly FoundRoute[]): void {
  if (!routes.some(({ path }) => path.includes('{='))) return;
  const values = new Map<string, Set<string>>();
  const add = (name: string, path: string) => values.set(name, (values.get(name) ?? new Set()).add(path));
  const { edgeKind, edgeLiteral, strings } = graph.tables;
  for (const edge of edgesOfKind(edgeKind, EDGE_KINDS.indexOf('route'))) {
    const [method, path, name] = strings[edgeLiteral[edge]].split(' ', 3);
    const file = graph.fileOf(graph.source(edge));
    if (method !== HELD_VALUE || isTest(graph, file)) continue;
    add(name, path);
    add(`${file} ${name}`, path);
  }
  const held = (at: number, name: string) => {
    const own = values.get(`${graph.fileOf(at)} ${name}`) ?? values.get(name);
    return own?.size === 1 ? [...own][0].replace(/\/$/, '') : '';
  };
  for (const route of routes)
    if (route.path.includes('{='))
      route.path = route.path.replace(HELD_NAME, (_, name: string) => held(route.at, name)) || '/';
}

/** Kinds of definitions that hold a value for good. */
const HOLDING: ReadonlySet<string> = new Set<SymbolKind>(['constant', 'variable', 'enum-member', 'property', 'field']);
/** Kinds of uses that begin another value, and those that are one. */
const ENDS_VALUE: ReadonlySet<string> = new Set(['call', 'decorator', 'new']);
const IS_VALUE: ReadonlySet<string> = new Set(['read', 'value']);
const CAPITALS = /^[A-Z][A-Z\d_]+$/;
const NAMES_TOPIC = /topic|event|queue|channel|subject|message|pattern/i;

/**
 * The constant that a use names first behind itself, on its lines, as its definition is called: `Topics.PAID`; '' for none. Both ends of a
 * topic or of an event are given the same one, whatever its value is. `wanted`: its last name, if the text told it.
 */
export function heldConstant(graph: Graph, edge: number, wanted = ''): string {
  const { edgeLine } = graph.tables;
  const { from, endLine } = graph.edge(edge);
  const [, end] = graph.edgeRange(from);
  const owners = new Map<string, number>();
  for (let next = edge + 1; next < end && edgeLine[next] <= endLine; next++) {
    const { kind, to, name, receiver } = graph.edge(next);
    if (ENDS_VALUE.has(kind)) break;
    if (!IS_VALUE.has(kind)) continue;
    if (to >= 0 && receiver === '') owners.set(name, to);
    // The name before a dot is none of its own.
    if ((wanted !== '' && name !== wanted) || (next + 1 < end && graph.edge(next + 1).receiver === name)) continue;
    const found = to < 0 ? partOf(graph, owners.get(receiver), name) : heldName(graph, to);
    if (found !== '' && (CAPITALS.test(name) || NAMES_TOPIC.test(found))) return found;
  }
  return '';
}

const heldName = (graph: Graph, node: number): string =>
  !graph.isFile(node) && HOLDING.has(graph.kind(node)) ? graph.qualifiedName(node) : '';

/** Parts of an object are no symbols: they are called after what holds them. */
function partOf(graph: Graph, owner: number | undefined, name: string): string {
  if (owner === undefined) return '';
  return `${graph.isFile(owner) ? '' : graph.qualifiedName(owner)}.${name}`;
}

const HELD_TOPIC = /^TOPIC \/\{=(\w+)\}$/;

/** Topics whose names constants of other files hold. */
export class HeldTopics {
  /** Texts of constants, as files say that know them. */
  private values?: ReadonlyMap<string, string>;

  constructor(private readonly graph: Graph) {}

  /** The text of a route or a request with the name of its topic; '' if that is not known. */
  textOf(edge: number, text: string): string {
    const name = HELD_TOPIC.exec(text)?.[1];
    if (name === undefined) return text;
    const path = this.pathOf(edge, name);
    return path === '' ? '' : `TOPIC /${path}`;
  }

  /** The topic that a use names by a constant: its value, or else its name; '' without one. */
  pathOf(edge: number, wanted = ''): string {
    const held = heldConstant(this.graph, edge, wanted);
    if (held === '') return '';
    this.values ??= this.readValues();
    return this.values.get(held) || held;
  }

  private readValues(): ReadonlyMap<string, string> {
    const { edgeKind, edgeLiteral, strings } = this.graph.tables;
    const found = new Map<string, string>();
    for (const kind of [EDGE_KINDS.indexOf('route'), EDGE_KINDS.indexOf('request')])
      for (const edge of edgesOfKind(edgeKind, kind)) {
        const topic = /^TOPIC \/([^{}]+)$/.exec(strings[edgeLiteral[edge]])?.[1];
        const held = topic === undefined ? '' : heldConstant(this.graph, edge);
        if (topic !== undefined && held !== '') found.set(held, (found.get(held) ?? topic) === topic ? topic : '');
      }
    return found;
  }
}

/** Edges of a node by their lines. */
export class LineEdges {
  private readonly known = new Map<number, number[]>();

  constructor(private readonly graph: Graph) {}

  /** Edges of a node that begin on the lines from `first` to `last`, in the order of the lines. */
  between(node: number, first: number, last: number): number[] {
    const { edgeLine } = this.graph.tables;
    const all = this.sorted(node);
    const from = firstFrom(all.length, (i) => edgeLine[all[i]] < first);
    let end = from;
    while (end < all.length && edgeLine[all[end]] <= last) end++;
    return all.slice(from, end);
  }

  private sorted(node: number): number[] {
    const { edgeLine } = this.graph.tables;
    const edges = this.known.get(node) ?? [...outgoing(this.graph, node)].sort((a, b) => edgeLine[a] - edgeLine[b]);
    this.known.set(node, edges);
    return edges;
  }
}

/** The type whose decorators begin the paths of a controller: itself, or else the nearest class above, from which it inherits them. */
export function routedType(graph: Graph, type: number, decorated: ReadonlyMap<number, unknown>): number {
  const seen = [type];
  for (let i = 0; i < seen.length && i < MAX_CLASSES; i++) {
    if (decorated.has(seen[i])) return seen[i];
    for (const parent of parentsOf(graph, seen[i]))
      if (!seen.includes(parent) && isType(graph, parent)) seen.push(parent);
  }
  return type;
}

/** Maximum number of classes above a controller. */
const MAX_CLASSES = 8;

/** A host within a cluster has no domain: `cart-service:8080`, `cart.shop.svc.cluster.local`. */
const SERVICE_HOST = /^([a-z][\w-]*)(?:\.[\w-]+)?(?:\.svc(?:\.cluster\.local)?)?(?::\d+)?$/i;
const PUBLIC = /^[\w-]+\.(?:\w{2,10})(?::\d+)?$/;

/** Returns a test whether a route stands in the folder of the service that a host names. */
export function inServiceOf(host: string): (route: { path: string }) => boolean {
  const name = PUBLIC.test(host) && !host.includes('.svc') ? '' : plainService(SERVICE_HOST.exec(host)?.[1] ?? '');
  return ({ path }) =>
    name !== '' &&
    path
      .split('/')
      .slice(0, -1)
      .some((folder) => plainService(folder) === name);
}

const plainService = (name: string): string => plainName(name).replace(/(?:service|server|svc|backend|api|app)$/, '');
