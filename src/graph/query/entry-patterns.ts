/**
 * Patterns of code that runs although no code calls it by name: main functions, routes of web frameworks, folders of
 * scripts, hooks of language runtimes, tests, and functions that decorators register.
 */
import { conventionsOf } from '../../languages/registry.js';
import type { Graph } from '../graph.js';
import { isRunnableTest } from './node-place.js';
import { outgoing } from './uses.js';

/** Does a program of its language start there? */
export function isMain(graph: Graph, node: number): boolean {
  const { mainNames, mainInTypes = false } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  const kind = graph.kind(node);
  if (mainNames?.has(graph.name(node)) !== true) return false;
  if (kind === 'method') return mainInTypes;
  return kind === 'function' && graph.isFile(graph.container(node));
}

/** HTTP methods by names that declare a route: `app.get('/users', …)`, `@app.route('/users')`, `r.HandleFunc("/users", …)`. */
const ROUTE_NAMES: ReadonlyMap<string, string> = new Map([
  ...['get', 'post', 'put', 'patch', 'delete', 'head', 'options'].flatMap((name): [string, string][] => [
    [name, name.toUpperCase()],
    // echo, gin: `GET`; chi: `Get`.
    [name.toUpperCase(), name.toUpperCase()],
    [name[0].toUpperCase() + name.slice(1), name.toUpperCase()],
    // Spring: `@GetMapping`; ASP.NET: `[HttpGet]`, `app.MapGet`.
    [`${name[0].toUpperCase()}${name.slice(1)}Mapping`, name.toUpperCase()],
    [`Http${name[0].toUpperCase()}${name.slice(1)}`, name.toUpperCase()],
    [`Map${name[0].toUpperCase()}${name.slice(1)}`, name.toUpperCase()],
  ]),
  ...['route', 'all', 'any', 'Any', 'Route', 'RequestMapping', 'Path', 'HandleFunc', 'Handle', 'handle'].map(
    (name): [string, string] => [name, 'ANY'],
  ),
  ...['add_url_rule', 'add_api_route', 'websocket'].map((name): [string, string] => [name, 'ANY']),
  ['use', 'USE'],
  ['mount', 'USE'],
  ['Mount', 'USE'],
  ['include_router', 'USE'],
]);

/** Decorators of controllers: their argument is a path whether or not it begins with a slash. */
const DECORATED_ROUTES: ReadonlySet<string> = new Set([
  ...['Get', 'Post', 'Put', 'Patch', 'Delete', 'Head', 'Options', 'All', 'Route', 'Controller'],
  ...['GetMapping', 'PostMapping', 'PutMapping', 'PatchMapping', 'DeleteMapping', 'RequestMapping', 'Path'],
  ...['HttpGet', 'HttpPost', 'HttpPut', 'HttpPatch', 'HttpDelete'],
]);
/** Decorators of JAX-RS that give only the method: the path is in `@Path`. */
const BARE_METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/** Calls that only servers make, whatever the receiver is. */
const SERVER_NAMES: ReadonlySet<string> = new Set(['HandleFunc', 'Handle', 'add_url_rule', 'add_api_route']);
/** Method and path in one text: `mux.HandleFunc("GET example.org/x", …)`. */
const METHOD_AND_PATH = /^(?:([A-Z]+) )?(?:[\w.-]+(?=\/))?(\/.*)$/;

/** Receivers that are clients: their `get('/users')` looks like that of a server. */
const CLIENT_RECEIVER =
  /(?:^|\.)(?:axios|http|https|client|fetch(?:er)?|request|agent|supertest|api|got|ky|\$http|httpClient|requests|session|cy|page|map|cache|params|headers|config|settings|req|res|response)(?:\(\))?$/i;

/** HTTP method and path of a route; ANY is left out. */
export interface RoutePattern {
  method: string;
  path: string;
}

interface RouteUse {
  name: string;
  receiver: string;
  literal: string;
}

/** Route that a call declares, null for all others. */
export function calledRoute({ name, receiver, literal }: RouteUse, language: string): RoutePattern | null {
  const method = ROUTE_NAMES.get(name);
  const written = METHOD_AND_PATH.exec(literal);
  if (method === undefined || written === null) return null;
  if (SERVER_NAMES.has(name)) return { method: written[1] ?? method, path: written[2] };
  if (!literal.startsWith('/')) return null;
  // Clients have no `GET`, and a group of gin is often called `api`.
  if (method === name && receiver !== '') return { method, path: literal };
  // Functions without a receiver (`get('/x')`) fetch more often than they serve.
  const serves =
    receiver === ''
      ? name === 'route' || conventionsOf(language).routeNames?.has(name)
      : !CLIENT_RECEIVER.test(receiver);
  return serves ? { method, path: literal } : null;
}

/** Route, or part of a route, that a decorator declares; null for all others. */
export function decoratedRoute({ name, literal }: RouteUse): RoutePattern | null {
  if (literal === '' && BARE_METHODS.has(name)) return { method: name, path: '' };
  if (!DECORATED_ROUTES.has(name) && !literal.startsWith('/')) return null;
  const method = ROUTE_NAMES.get(name) ?? (DECORATED_ROUTES.has(name) ? 'ANY' : undefined);
  return method === undefined ? null : { method, path: literal };
}

/** Decorators of click, typer and their like: `@app.command()`, `@app.command("add-user")`. */
const COMMAND_DECORATORS: ReadonlySet<string> = new Set(['command', 'group', 'callback']);

/** Name of the command that a decorator makes of a function, null for all other decorators. */
export function commandName(
  { name, receiver, literal }: { name: string; receiver: string; literal: string },
  functionName: string,
): string | null {
  if (!COMMAND_DECORATORS.has(name) || receiver === '') return null;
  return literal === '' ? functionName.replaceAll('_', '-') : literal;
}

/** Does a file run from its top? In other languages, code at top level only declares, or is inside of a macro. */
export function hasTopLevelCode(language: string, path: string): boolean {
  const { topLevelCode = false, scriptPath } = conventionsOf(language);
  return topLevelCode || scriptPath?.test(path) === true;
}

const BIN_FOLDER = /(?:^|\/)(?:s?bin|exe|scripts)\/[^/]+$/;

/** Is it in a place where command line programs are by convention? */
export function isProgramPath(language: string, path: string): boolean {
  return BIN_FOLDER.test(path) || conventionsOf(language).programPath?.test(path) === true;
}

const HIDDEN = /(?:^|\/)\.[^/]+(?:rc$|\/)/i;

/** Do tools load the file by its name? Then nothing imports it, and it starts nothing by itself. */
export function isToolFile(language: string, path: string): boolean {
  return HIDDEN.test(path) || conventionsOf(language).toolPath?.test(path) === true;
}

/** Does the language itself call members of that name? */
export function isRuntimeHook(graph: Graph, node: number): boolean {
  const { runtimeNames, runtimeName } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  const name = graph.name(node);
  if (graph.isFile(graph.container(node))) return false;
  return runtimeNames?.has(name) === true || runtimeName?.test(name) === true;
}

/** Top-level functions that run when their package or module is loaded. */
export function isInitializer(graph: Graph, node: number): boolean {
  const { initializers } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  return initializers?.has(graph.name(node)) === true && graph.isFile(graph.container(node));
}

/** Does a test runner find it by its name? */
export function isFoundByRunner(graph: Graph, node: number): boolean {
  const file = graph.fileOf(node);
  const { testName } = conventionsOf(graph.tables.files[file].language);
  return testName?.test(graph.name(node)) === true && isRunnableTest(graph, file);
}

/** Decorators and annotations that describe a function and pass it to no other code. */
const INERT_DECORATORS: ReadonlySet<string> = new Set([
  ...['Override', 'Deprecated', 'SuppressWarnings', 'SafeVarargs', 'Nullable', 'NonNull', 'Nonnull', 'NotNull'],
  ...[
    'CanIgnoreReturnValue',
    'InlineMe',
    'VisibleForTesting',
    'CheckReturnValue',
    'JvmStatic',
    'JvmOverloads',
    'Throws',
  ],
  ...['staticmethod', 'classmethod', 'abstractmethod', 'override', 'final', 'overload', 'deprecated', 'wraps'],
  ...['lru_cache', 'cache', 'contextmanager', 'asynccontextmanager', 'tailrec', 'inline', 'Suppress'],
]);

/** A decorator that may call the function it decorates, or pass it on; null if there is none. */
export function registrar(graph: Graph, node: number): string | null {
  for (const edge of outgoing(graph, node)) {
    if (graph.edgeKind(edge) !== 'decorator') continue;
    const { name, receiver } = graph.edge(edge);
    if (!INERT_DECORATORS.has(name)) return receiver === '' ? name : `${receiver}.${name}`;
  }
  return null;
}
