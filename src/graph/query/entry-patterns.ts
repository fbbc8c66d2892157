/** Places where programs start: main functions, how frameworks declare routes, folders of scripts. */
import { conventionsOf } from '../../languages/registry.js';
import type { Graph } from '../graph.js';

/** Is it where a program of its language starts? */
export function isMain(graph: Graph, node: number): boolean {
  const { mainNames, mainInTypes = false } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  const kind = graph.kind(node);
  if (mainNames?.has(graph.name(node)) !== true) return false;
  if (kind === 'method') return mainInTypes;
  return kind === 'function' && graph.isFile(graph.container(node));
}

/** `app.get('/users', …)`, `@app.route('/users')`, `r.HandleFunc("/users", …)`: names that declare a route, to the method. */
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
  ...['add_url_rule', 'add_api_route', 'path', 're_path', 'websocket'].map((name): [string, string] => [name, 'ANY']),
  ['use', 'USE'],
  ['mount', 'USE'],
  ['include_router', 'USE'],
]);

/** Decorators of controllers, whose literal is a path whether or not it begins with a slash. */
const DECORATED_ROUTES: ReadonlySet<string> = new Set([
  ...['Get', 'Post', 'Put', 'Patch', 'Delete', 'Head', 'Options', 'All', 'Route', 'Controller'],
  ...['GetMapping', 'PostMapping', 'PutMapping', 'PatchMapping', 'DeleteMapping', 'RequestMapping', 'Path'],
  ...['HttpGet', 'HttpPost', 'HttpPut', 'HttpPatch', 'HttpDelete'],
]);

/** A client's `get('/users')` looks the same as a server's: these receivers are no servers. */
const CLIENT_RECEIVER =
  /(?:^|\.)(?:axios|http|https|client|fetch(?:er)?|request|agent|supertest|api|got|ky|\$http|httpClient|requests|session|cy|page|map|cache|params|headers|config|settings|req|res|response)(?:\(\))?$/i;

/** The HTTP method of an edge that declares a route, null for all others. */
export function routeMethod(
  edge: { name: string; receiver: string; literal: string; kind: string },
  language: string,
): string | null {
  const { name, receiver, literal, kind } = edge;
  if (kind === 'decorator' && DECORATED_ROUTES.has(name)) return ROUTE_NAMES.get(name) ?? 'ANY';
  if (!literal.startsWith('/') && !(name === 'path' && literal.endsWith('/'))) return null;
  const method = ROUTE_NAMES.get(name);
  if (method === undefined || (kind !== 'call' && kind !== 'decorator')) return null;
  // Functions of their own (`get('/x')`) fetch more often than they serve; `path('x/')` of Django has no receiver.
  if (receiver === '') {
    const isBare =
      name === 'path' || name === 're_path' || name === 'route' || conventionsOf(language).routeNames?.has(name);
    return isBare ? method : null;
  }
  return CLIENT_RECEIVER.test(receiver) ? null : method;
}

/** Decorators of click, typer and their like: `@app.command()`, `@app.command("add-user")`. */
const COMMAND_DECORATORS: ReadonlySet<string> = new Set(['command', 'group', 'callback']);

/** The name of the command that a decorator makes of a function, null for all other decorators. */
export function commandName(
  { name, receiver, literal }: { name: string; receiver: string; literal: string },
  functionName: string,
): string | null {
  if (!COMMAND_DECORATORS.has(name) || receiver === '') return null;
  return literal === '' ? functionName.replaceAll('_', '-') : literal;
}

/** Whether a file runs from its top. In other languages code at top level only declares, or is inside of a macro. */
export function hasTopLevelCode(language: string, path: string): boolean {
  const { topLevelCode = false, scriptPath } = conventionsOf(language);
  return topLevelCode || scriptPath?.test(path) === true;
}

const BIN_FOLDER = /(?:^|\/)(?:s?bin|exe|scripts)\/[^/]+$/;

/** Does it lie where command line programs lie by convention? */
export function isProgramPath(language: string, path: string): boolean {
  return BIN_FOLDER.test(path) || conventionsOf(language).programPath?.test(path) === true;
}

const HIDDEN = /(?:^|\/)\.[^/]+(?:rc$|\/)/i;

/** Do tools load the file by its name? Nothing imports it then, and it starts nothing by itself. */
export function isToolFile(language: string, path: string): boolean {
  return HIDDEN.test(path) || conventionsOf(language).toolPath?.test(path) === true;
}
