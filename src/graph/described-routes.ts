/**
 * Finds routes that descriptions name: procedures of gRPC's services, root fields of GraphQL's schemas, and operations of OpenAPI, with the
 * functions that answer them.
 */
import { addTo, getOrMake } from '../base/lists.js';
import { conventionsOf } from '../languages/registry.js';
import { fieldName, procedureName } from '../languages/roles/remote.js';
import type { Graph } from './graph.js';
import { folderOf } from './query/entry-patterns.js';
import { hasAttribute, isTest } from './query/node-place.js';
import { isFunction, isType, outgoing } from './query/uses.js';
import { edgesWith, type FoundRoute, routeAt } from './route-tables.js';
import { EVIDENCE_TIERS } from './tables.js';

/** A type that implements a service by the name of the type that it extends, in Go, Java, Kotlin, Python, C#, Ruby. */
const SERVER_TYPE = /^(?:Unimplemented(\w+)Server|(\w+?)(?:Servicer|(?:Coroutine)?ImplBase))$/;
/** Types that extend one which is named like the type around it: `CartService.CartServiceBase`, `Shop::CartService::Service`. */
const INNER_TYPE = /(?:^|[.:])(\w+)(?:\.|::)(?:\1Base|Service)$/;
const ROOT_TYPE = /(Query|Mutation|Subscription)(?:Type|Resolver)?$/i;
const FIELD_DECORATORS: ReadonlySet<string> = new Set(['field', 'mutation', 'subscription']);

export function describedRoutes(graph: Graph): FoundRoute[] {
  const described = describedNames(graph);
  return [...serviceRoutes(graph, described.services), ...fieldRoutes(graph, described.fields)];
}

/** Members of the services and root types that files describe, by the name of the type. */
export function describedNames(graph: Graph): Record<'services' | 'fields', Map<string, Set<string>>> {
  const found = { services: new Map<string, Set<string>>(), fields: new Map<string, Set<string>>() };
  for (const [file, { language }] of graph.tables.files.entries()) {
    const { describes } = conventionsOf(language);
    if (describes === undefined || describes === 'operations') continue;
    for (let node = graph.fileNode(file) + 1; node < graph.tables.nodeBase[file + 1]; node++) {
      const type = graph.container(node);
      if (graph.isFile(type) || (describes === 'services' && graph.kind(type) !== 'interface')) continue;
      const names = found[describes].get(graph.name(type)) ?? new Set();
      found[describes].set(graph.name(type), names.add(graph.name(node)));
    }
  }
  return found;
}

function serviceRoutes(graph: Graph, services: ReadonlyMap<string, ReadonlySet<string>>): FoundRoute[] {
  const found: FoundRoute[] = [];
  const done = new Set<number>();
  for (const kind of ['extends', 'implements'] as const)
    for (const edge of edgesWith(
      graph.tables,
      [kind],
      'edgeName',
      (name) => SERVER_TYPE.test(name) || /Base$|^Service$/.test(name) || services.has(name),
    )) {
      const { from: type, name, receiver } = graph.edge(edge);
      const match = SERVER_TYPE.exec(name);
      const service =
        match?.[1] ?? match?.[2] ?? INNER_TYPE.exec(`${receiver}.${name}`)?.[1] ?? (kind === 'implements' ? name : '');
      const names = services.get(service);
      if (
        service === '' ||
        done.has(type) ||
        isTest(graph, graph.fileOf(type)) ||
        (match === null && names === undefined)
      )
        continue;
      done.add(type);
      for (const node of functionsOf(graph, type)) {
        const procedure = procedureName(graph.name(node));
        if (graph.kind(node) === 'constructor' || names?.has(procedure) === false) continue;
        found.push(
          routeAt(node, { method: 'GRPC', path: `/${service}/${procedure}`, line: graph.startLine(node) }, node),
        );
      }
    }
  return found;
}

/** The path of a field of a type that is named like a root type; '' for others. */
export function rootField(graph: Graph, at: number, path: string): string {
  const root = ROOT_TYPE.exec(graph.name(at))?.[1];
  return root === undefined ? '' : `/${rootName(root)}/${fieldName(path.slice(1))}`;
}

/** Returns a test for paths of fields that a schema has, or that a document asks for; '' for others. */
export function fieldsAskedFor(graph: Graph): (path: string) => string {
  let known: { fields: ReadonlyMap<string, ReadonlySet<string>>; asked: ReadonlySet<string> } | undefined;
  return (path) => {
    known ??= { fields: describedNames(graph).fields, asked: new Set(graph.tables.strings) };
    const [, root, name] = path.split('/');
    return known.fields.get(root)?.has(name) || known.asked.has(`GQL ${path}`) ? path : '';
  };
}

const rootName = (root: string): string => root[0].toUpperCase() + root.slice(1).toLowerCase();

/** Annotations of Java for a root field: Spring's and those of DGS. */
const MAPPED_FIELD = /^(?:(Query|Mutation|Subscription)Mapping|Dgs(Query|Mutation|Subscription))$/;

function fieldRoutes(graph: Graph, fields: ReadonlyMap<string, ReadonlySet<string>>): FoundRoute[] {
  const found: FoundRoute[] = [];
  const add = (root: string, name: string, node: number) => {
    const type = rootName(root);
    const known = fields.get(type);
    // A schema that names the type names all its fields.
    if (known === undefined || known.has(name))
      found.push(routeAt(node, { method: 'GQL', path: `/${type}/${name}`, line: graph.startLine(node) }, node));
  };
  const decorated = decoratedFields(graph, add);
  for (const { node, root, isBuilt } of rootTypes(graph)) {
    for (const member of functionsOf(graph, node)) {
      const name = graph.name(member);
      const resolved = /^resolve_(\w+)$/.exec(name)?.[1];
      if (resolved !== undefined) add(root, fieldName(resolved), member);
      else if (decorated.has(member) || isBuilt || fields.get(root)?.has(fieldName(name)))
        add(root, fieldName(name), member);
    }
    for (const { name, handler } of mutationFields(graph, node)) add(root, name, handler);
  }
  for (const { node, root } of extendedTypes(graph))
    for (const member of functionsOf(graph, node)) {
      const name = graph
        .name(member)
        .replace(/^Get(?=[A-Z])/, '')
        .replace(/Async$/, '');
      if (graph.kind(member) !== 'constructor' && graph.isExported(member)) add(root, fieldName(name), member);
    }
  return found;
}

/** Adds root fields that a decorator states, and returns the functions whose decorator makes them fields of their type. */
function decoratedFields(graph: Graph, add: (root: string, name: string, node: number) => void): ReadonlySet<number> {
  const decorated = new Set<number>();
  const isField = (name: string) => ROOT_TYPE.test(name) || FIELD_DECORATORS.has(name) || MAPPED_FIELD.test(name);
  for (const edge of edgesWith(graph.tables, ['decorator'], 'edgeName', isField)) {
    const { from, name, literal, receiver } = graph.edge(edge);
    if (!isFunction(graph, from) || isTest(graph, graph.fileOf(from))) continue;
    const mapped = MAPPED_FIELD.exec(name);
    // Ariadne: `@query.field("cart")`.
    const held = name === 'field' && literal !== '' ? /^(query|mutation|subscription)/i.exec(receiver)?.[1] : undefined;
    if (mapped !== null) add(mapped[1] ?? mapped[2], literal || graph.name(from), from);
    else if (held !== undefined) add(held, literal, from);
    else if (/^(?:Query|Mutation|Subscription)$/.test(name) && hasAttribute(graph, graph.container(from), /^Resolver$/))
      add(name, literal || graph.name(from), from);
    else if (FIELD_DECORATORS.has(name)) decorated.add(from);
  }
  return decorated;
}

/** Fields that a class of their own answers: `create_cart = CreateCart.Field()` of graphene. */
function mutationFields(graph: Graph, type: number): { name: string; handler: number }[] {
  const fields = functionsOf(graph, type, (node) => graph.kind(node) === 'field');
  const edges = [type, ...fields].flatMap((node) => [...outgoing(graph, node)]);
  return edges.flatMap((edge) => {
    const { kind, name, receiver, startLine } = graph.edge(edge);
    if (kind !== 'call' || name !== 'Field' || receiver === '') return [];
    const own = fields.filter((node) => graph.startLine(node) === startLine);
    const classes = graph
      .nodesNamed(receiver.slice(receiver.lastIndexOf('.') + 1))
      .filter((node) => isType(graph, node));
    const answers = classes.flatMap((node) => functionsOf(graph, node)).filter((node) => graph.name(node) === 'mutate');
    if (own.length !== 1 || classes.length !== 1 || answers.length !== 1) return [];
    return [{ name: fieldName(graph.name(own[0])), handler: answers[0] }];
  });
}

/** Types of Hot Chocolate, whose methods are the fields: `Query` of the server, `[QueryType]`, `[ExtendObjectType("Query")]`. */
function* extendedTypes(graph: Graph): Generator<{ node: number; root: string }> {
  if (!graph.tables.strings.some((text) => /^HotChocolate(?:\.|$)/.test(text))) return;
  for (const root of ['Query', 'Mutation', 'Subscription'])
    for (const node of graph.nodesNamed(root)) {
      const { language } = graph.tables.files[graph.fileOf(node)];
      if (graph.kind(node) === 'class' && conventionsOf(language).controllerPaths !== undefined) yield { node, root };
    }
  const isExtension = (name: string) => /^(?:ExtendObjectType|(?:Query|Mutation|Subscription)Type)$/.test(name);
  for (const edge of edgesWith(graph.tables, ['decorator'], 'edgeName', isExtension)) {
    const { from, name, literal, startLine } = graph.edge(edge);
    const written = name === 'ExtendObjectType' ? literal || typeOnLine(graph, from, startLine) : name;
    const root = ROOT_TYPE.exec(written)?.[1];
    if (root !== undefined && isType(graph, from)) yield { node: from, root: rootName(root) };
  }
}

/** `[ExtendObjectType(typeof(Query))]`, `[ExtendObjectType<Query>]`, `[ExtendObjectType(OperationTypeNames.Query)]` */
function typeOnLine(graph: Graph, from: number, line: number): string {
  const names = [...outgoing(graph, from)]
    .map((edge) => graph.edge(edge))
    .filter(({ startLine }) => startLine === line);
  return names.find(({ name }) => /^(?:Query|Mutation|Subscription)$/.test(name))?.name ?? '';
}

/** Functions of a type in its file; in some languages they are written outside of its lines. */
function functionsOf(
  graph: Graph,
  type: number,
  counts: (node: number) => boolean = (node) => isFunction(graph, node),
): number[] {
  const end = graph.tables.nodeBase[graph.fileOf(type) + 1];
  const name = graph.name(type);
  const found: number[] = [];
  for (let node = graph.fileNode(graph.fileOf(type)) + 1; node < end; node++) {
    const holder = graph.container(node);
    const isOwn = holder === type || (graph.kind(holder) === 'impl' && graph.name(holder) === name);
    if (isOwn && counts(node)) found.push(node);
  }
  return found;
}

/** Types that answer the fields of a root type: `Query`, `QueryType`, `queryResolver` of gqlgen. */
function* rootTypes(graph: Graph): Generator<{ node: number; root: string; isBuilt: boolean }> {
  const roots = ['Query', 'Mutation', 'Subscription'];
  for (const root of roots)
    for (const name of [root, `${root}Type`, `Types::${root}Type`, `${root.toLowerCase()}Resolver`])
      for (const node of graph.nodesNamed(name)) {
        const file = graph.fileOf(node);
        const isDescription = conventionsOf(graph.tables.files[file].language).describes !== undefined;
        if (!isType(graph, node) || isDescription || isTest(graph, file)) continue;
        yield { node, root, isBuilt: name.startsWith(root.toLowerCase()) };
        // A query of several parts inherits them.
        for (const base of basesOf(graph, node)) yield { node: base, root, isBuilt: false };
      }
  for (const edge of edgesWith(
    graph.tables,
    ['decorator'],
    'edgeName',
    (name) => name === 'Object' || name === 'graphql_object',
  )) {
    const node = graph.source(edge);
    const root = /^(Query|Mutation|Subscription)(?:Root)?$/.exec(graph.name(node))?.[1];
    if (root !== undefined && graph.kind(node) === 'impl') yield { node, root, isBuilt: true };
  }
}

function basesOf(graph: Graph, type: number): number[] {
  return [...outgoing(graph, type)]
    .filter((edge) => graph.edgeKind(edge) === 'extends')
    .map((edge) => graph.target(edge))
    .filter((base) => base >= 0 && base !== type && isType(graph, base));
}

// Operations that a document of OpenAPI describes: the function of their id answers them, unless code declares the route.

/** An operation with its id. */
interface Operation {
  node: number;
  method: string;
  path: string;
  id: string;
}

const OPERATION = /^([A-Z]+) (\/.*)$/;
/** Files and types that send requests, or that a generator writes: they answer none. */
const CLIENT_FILE = /(?:^|[/_.-])(?:clients?|sdk|generated|gen|stubs?|mocks?)(?:[/_.-]|$)/i;
const CLIENT_TYPE = /client|wrapper|mock|stub|sdk/i;

export function operationsOf(graph: Graph): Operation[] {
  const found: Operation[] = [];
  for (const [file, { language }] of graph.tables.files.entries()) {
    if (conventionsOf(language).describes !== 'operations' || isTest(graph, file)) continue;
    let last: Omit<Operation, 'id'> | undefined;
    for (let node = graph.fileNode(file) + 1; node < graph.tables.nodeBase[file + 1]; node++) {
      const kind = graph.kind(node);
      const match = kind === 'function' ? OPERATION.exec(graph.name(node)) : null;
      if (match !== null) last = { node, method: match[1], path: match[2] };
      // The id stands on a line of its operation.
      else if (kind === 'constant' && last !== undefined && graph.startLine(node) <= graph.endLine(last.node))
        found.push({ ...last, id: graph.name(node) });
    }
  }
  return found;
}

/** Routes of operations that no code declares as a path. */
export function operationRoutes(
  graph: Graph,
  operations: readonly Operation[],
  routes: readonly FoundRoute[],
): FoundRoute[] {
  if (operations.length === 0) return [];
  const declared = new Set(routes.map(({ method, path }) => `${method} ${shapeOf(path)}`));
  const byName = functionsByName(graph, new Set(operations.map(({ id }) => plainId(id))));
  const open = operations.flatMap((operation) => {
    const isDeclared = ['ANY', operation.method].some((each) => declared.has(`${each} ${shapeOf(operation.path)}`));
    if (isDeclared) return [];
    return [{ ...operation, serving: servingFunctions(graph, byName.get(plainId(operation.id)) ?? [], operation.id) }];
  });
  // Managers and models have methods of the same names: the folder counts that answers most operations alone.
  const folders = new Map<string, number>();
  for (const { serving } of open) {
    const folder = serving.length === 1 ? folderOf(graph.path(serving[0])) : '';
    if (serving.length === 1) folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  const weightOf = (node: number) => folders.get(folderOf(graph.path(node))) ?? 0;
  return open.flatMap(({ node, method, path, serving }) => {
    const most = Math.max(0, ...serving.map(weightOf));
    const best = serving.length === 1 ? serving : serving.filter((each) => most > 1 && weightOf(each) === most);
    const handler = best.length === 1 ? best[0] : -1;
    return handler < 0 ? [] : [routeAt(node, { method, path, line: graph.startLine(node) }, handler)];
  });
}

/** A path with `*` for each parameter, without a version or `/api` in front. */
const shapeOf = (path: string): string =>
  path
    .replace(/^(?:\/(?:api|rest|v\d+))+(?=\/)/i, '')
    .replace(/(?<=\/)(?:[:{<[][^/]*|[^/]*\})(?=\/|$)/g, '*')
    .replace(/\/$/, '');

const plainId = (id: string): string =>
  id
    .slice(id.lastIndexOf('.') + 1)
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/** Functions by the letters of their names, of those asked for. */
function functionsByName(graph: Graph, names: ReadonlySet<string>): Map<string, number[]> {
  const found = new Map<string, number[]>();
  const { strings, nodeName, nodeBase, files } = graph.tables;
  const isAsked = new Map<number, boolean>();
  for (const [file, { language }] of files.entries()) {
    if (conventionsOf(language).describes !== undefined || isTest(graph, file)) continue;
    for (let node = graph.fileNode(file) + 1; node < nodeBase[file + 1]; node++) {
      if (!isFunction(graph, node)) continue;
      const isWanted = getOrMake(isAsked, nodeName[node], () => names.has(plainId(strings[nodeName[node]])));
      if (!isWanted) continue;
      addTo(found, plainId(graph.name(node)), node);
    }
  }
  return found;
}

/** Functions that may answer an operation. */
function servingFunctions(graph: Graph, nodes: readonly number[], id: string): number[] {
  const serving = nodes.filter((node) => {
    const type = graph.container(node);
    const isOfClient = !graph.isFile(type) && (graph.kind(type) === 'interface' || CLIENT_TYPE.test(graph.name(type)));
    return !isOfClient && !CLIENT_FILE.test(graph.path(node)) && !sendsRequest(graph, node);
  });
  // `operationId: shop.carts.get_cart` names the module, too.
  const module = id.includes('.') ? `/${id.slice(0, id.lastIndexOf('.')).replaceAll('.', '/')}` : '';
  return serving.filter((node) => `/${graph.path(node).replace(/\.\w+$/, '')}`.endsWith(module));
}

function sendsRequest(graph: Graph, node: number): boolean {
  return [...outgoing(graph, node)].some((edge) => graph.edgeKind(edge) === 'request');
}

const EXTERNAL = EVIDENCE_TIERS.indexOf('external');
/** A client that a generator made, by its name: `api`, `cartsApi`, `client`, `this.shopService`. */
const GENERATED = /(?:^|[._])\w*(?:api|client|sdk)(?:\(\))?$/i;

/** Calls of clients from outside that are named like an operation: they send its request. */
export function callsOfOperations(graph: Graph, operations: readonly Operation[]): { edge: number; text: string }[] {
  if (operations.length === 0) return [];
  const { edgeTier, edgeTo, edgeName, strings } = graph.tables;
  const texts = new Map<string, string>();
  for (const { id, method, path } of operations)
    texts.set(plainId(id), texts.has(plainId(id)) ? '' : `${method} **${path.replace(/\{[^/}]*\}/g, '*')}`);
  const found: { edge: number; text: string }[] = [];
  for (const edge of edgesWith(graph.tables, ['call'], 'edgeReceiver', (receiver) => GENERATED.test(receiver))) {
    if (edgeTo[edge] >= 0 || edgeTier[edge] !== EXTERNAL) continue;
    const text = texts.get(plainId(strings[edgeName[edge]])) ?? '';
    if (text !== '') found.push({ edge, text });
  }
  return found;
}
