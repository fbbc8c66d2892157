/** Where programs start, as data: names of main functions, how frameworks declare routes, where scripts lie. */
import type { Graph } from '../graph.js';

/** Names that a language's runtime calls, by language. */
const MAIN_NAMES: Readonly<Record<string, ReadonlySet<string>>> = {
  go: new Set(['main']),
  rust: new Set(['main']),
  java: new Set(['main']),
  kotlin: new Set(['main']),
  scala: new Set(['main']),
  c: new Set(['main', 'WinMain', 'wmain']),
  cpp: new Set(['main', 'WinMain', 'wmain']),
  csharp: new Set(['Main']),
  dart: new Set(['main']),
  swift: new Set(['main']),
  haskell: new Set(['main']),
  python: new Set(['main']),
  javascript: new Set(['main']),
  typescript: new Set(['main']),
  bash: new Set(['main']),
};

/** Languages whose main function is a static member of some class. */
const MEMBER_MAINS: ReadonlySet<string> = new Set(['java', 'scala', 'csharp', 'kotlin']);

export function isMain(graph: Graph, node: number): boolean {
  const { language } = graph.tables.files[graph.fileOf(node)];
  const kind = graph.kind(node);
  if (!MAIN_NAMES[language]?.has(graph.name(node))) return false;
  if (kind === 'method') return MEMBER_MAINS.has(language);
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

/** Languages whose frameworks have routes as words of their own: `get '/users' do` of Sinatra and of Rails. */
const BARE_ROUTES: Readonly<Record<string, ReadonlySet<string>>> = {
  ruby: new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'mount', 'match']),
  kotlin: new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']),
  elixir: new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'live']),
};

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
    const isBare = name === 'path' || name === 're_path' || name === 'route' || BARE_ROUTES[language]?.has(name);
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

/** Languages whose files run from their top: in others what stands there declares, or is inside of a macro. */
const TOP_LEVEL: ReadonlySet<string> = new Set([
  ...['javascript', 'jsx', 'typescript', 'tsx', 'vue', 'svelte', 'python', 'ruby', 'php', 'bash', 'lua', 'elixir'],
]);

export function hasTopLevelCode(language: string, path: string): boolean {
  return TOP_LEVEL.has(language) || /(?:\.kts|\.sc|\.csx|(?:^|\/)main\.swift)$/.test(path);
}

/** Where command line programs lie by convention. */
export const BIN_PATH =
  /(?:^|\/)(?:s?bin|exe|scripts)\/[^/]+$|(?:^|\/)cmd\/[^/]+\/main\.go$|(?:^|\/)src\/bin\/[^/]+\.rs$|(?:^|\/)__main__\.py$|(?:^|\/)manage\.py$/;

/** Files that tools load by their name: nothing imports them, and they start nothing by themselves. */
export const TOOL_FILE =
  /(?:^|\/)(?:[^/]*\.config\.[cm]?[jt]s|\.[^/]+rc(?:\.[cm]?js)?|setup\.py|conftest\.py|gulpfile\.[jt]s|gruntfile\.[jt]s|rakefile|build\.rs|[^/]*\.gradle\.kts|[^/]*\.gemspec|package\.swift|mix\.exs|\.[^/]+\/.*)$/i;
