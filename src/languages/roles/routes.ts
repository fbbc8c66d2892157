/** Calls and decorators that declare routes, by the names that frameworks give them, and functions without a name that answer them. */
import { wordSet } from '../language.js';
import { headText } from './declarations.js';
import { NO_HANDLER, type ReferenceKind } from './relation-facts.js';
import type { FactSink } from './relations.js';
import { lastPart } from './scan.js';

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
  ...['All', 'Add', 'Match', 'Method', 'MethodFunc'].map((name): [string, string] => [name, 'ANY']),
  ...['add_url_rule', 'add_api_route', 'api_route', 'websocket'].map((name): [string, string] => [name, 'ANY']),
  ['use', 'USE'],
  ['register', 'USE'],
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
const SERVER_NAMES: ReadonlySet<string> = new Set([
  ...['HandleFunc', 'Handle', 'add_url_rule', 'add_api_route'],
  ...['MapGet', 'MapPost', 'MapPut', 'MapPatch', 'MapDelete'],
]);
const MAPPED = /^Map[A-Z]/;
/** A path behind a host: `example.org/x`. */
const HOST = /^(?:[\w.-]+(?=\/))?(\/.*)$/;

/** Methods before a path: `GET|POST /x`. */
const LISTED_METHODS = /^([A-Z]+(?:\|[A-Z]+)*) (.*)$/;

/** A router by its name, on which a route may begin without a slash, and such a route. */
const ROUTER = /(?:^|[._])(?:\w*[a-z]R|r)outer$/;
const PLAIN_PATH = /^[\w:*][\w:*./-]*$/;
const NAMED_ROUTE = /^[\w-]+(?:[./][\w:-]+)+$/;

/** Receivers that are clients: their `get('/users')` looks like that of a server. */
const CLIENT_RECEIVER =
  /(?:^|\.)(?:axios|http|https|client|fetch(?:er)?|request|agent|supertest|api|request\.instance|got|ky|\$http|httpClient|requests|session|cy|page|map|cache|params|headers|config|settings|req|res|response)(?:\(\))?$/i;

/** Calls whose callback declares routes below theirs: `r.Route("/x", func(r chi.Router) { … })`, Ktor's `route("/x") { … }`. */
const HOLDERS: ReadonlySet<string> = new Set(['Route', 'route', 'register']);

/** Are the routes that are declared within a call below its path? */
export function holdsRoutes({ name, literal }: Pick<RouteUse, 'name' | 'literal'>): boolean {
  return HOLDERS.has(name) && literal.startsWith('/');
}

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

/** Routes that a call declares: one for each method that it lists. `routeNames`: functions that declare some without a receiver. */
export function calledRoutes(use: RouteUse, routeNames?: ReadonlySet<string>): RoutePattern[] {
  const listed = LISTED_METHODS.exec(use.literal);
  const found = calledRoute(listed === null ? use : { ...use, literal: listed[2] }, routeNames);
  if (found === null) return [];
  const methods = listed === null ? [found.method] : listed[1].split('|');
  return methods.map((method) => ({ ...found, method }));
}

function calledRoute(use: RouteUse, routeNames?: ReadonlySet<string>): RoutePattern | null {
  const { name, literal } = use;
  const method = ROUTE_NAMES.get(name);
  // Decorators alone are called so; gorilla's `Path` is a part of a route.
  if (method === undefined || name === 'Path') return null;
  if (SERVER_NAMES.has(name)) {
    const path = HOST.exec(literal)?.[1] ?? (MAPPED.test(name) ? literal : '');
    return path === '' ? null : { method, path };
  }
  if (lacksSlash(use, method)) return { method, path: `/${literal}` };
  return literal.startsWith('/') && serves(use, method, routeNames) ? { method, path: literal } : null;
}

/** Koa's router joins the prefix and the name, `router.post("carts.move", …)`; gin adds the slash, and clients have no `GET`. */
function lacksSlash({ name, receiver, literal }: RouteUse, method: string): boolean {
  if (NAMED_ROUTE.test(literal) && method === name.toUpperCase() && ROUTER.test(receiver)) return true;
  return BARE_METHODS.has(name) && receiver !== '' && PLAIN_PATH.test(literal);
}

function serves({ name, receiver }: RouteUse, method: string, routeNames?: ReadonlySet<string>): boolean {
  // Functions without a receiver (`get('/x')`) fetch more often than they serve.
  if (receiver === '') return name === 'route' || routeNames?.has(name) === true;
  // Clients have no `GET`, and a group of gin is often called `api`. A client registers nothing below a path.
  return method === name || name === 'register' || !CLIENT_RECEIVER.test(receiver);
}

/** Decorators of functions that get the messages of a topic or a queue. */
const TOPIC_DECORATORS = wordSet(
  'KafkaListener RabbitListener JmsListener SqsListener EventPattern MessagePattern SubscribeMessage Topic Processor subscriber agent task shared_task',
);

/** Does a decorator of that name state a topic or a queue? */
export const takesTopic = (name: string): boolean => TOPIC_DECORATORS.has(name);

/** Can a call or a decorator of that name declare a route? */
export function mayDeclareRoute(name: string): boolean {
  return (
    ROUTE_NAMES.has(name) ||
    DECORATED_ROUTES.has(name) ||
    BARE_METHODS.has(name) ||
    TOPIC_DECORATORS.has(name) ||
    /^Grpc(?:Stream)?Method$/.test(name)
  );
}

/** Routes, or parts of routes, that a decorator declares: one for each method that it lists. */
export function decoratedRoutes({ name, literal }: RouteUse): RoutePattern[] {
  const listed = LISTED_METHODS.exec(literal);
  const path = listed === null ? literal : listed[2];
  // With a path, it states the request of a client: `@GET("carts/{id}")` of Retrofit.
  if (BARE_METHODS.has(name)) return path === '' ? [{ method: name, path: '' }] : [];
  if (name === 'GrpcMethod' || name === 'GrpcStreamMethod') return [{ method: 'GRPC', path: `/${path}` }];
  if (TOPIC_DECORATORS.has(name))
    return path === '' ? [] : path.split('|').map((each) => ({ method: 'TOPIC', path: `/${each}` }));
  if (!DECORATED_ROUTES.has(name) && !path.startsWith('/')) return [];
  const method = ROUTE_NAMES.get(name) ?? (DECORATED_ROUTES.has(name) ? 'ANY' : undefined);
  if (method === undefined) return [];
  const methods = listed === null || method !== 'ANY' ? [method] : listed[1].split('|');
  return methods.map((each) => ({ method: each, path }));
}

// Paths that a name holds. The text of a route has the name as `{=NAME}`, and its value is stated where the name gets it.

/** A constant or a setting that is named like the beginning of a path: `API_V1 = "/api/v1"`, `apiPrefix: '/api'`. */
const HELD_PATH =
  /^[ \t]*(?:(?:export|const|let|var|static|readonly|private|public|final|String)\s+){0,5}["']?(\w*(?:[pP]refix|[aA]pi|[bB]ase|[mM]ount)\w*|[A-Z][A-Z\d_]*)["']?\s*(?::\s*\w+\s*)?[:=]\s*(["'`])(\/[\w./-]{1,100})\2\s*(?:as const)?\s*[,;]?[ \t]*(?:#.*|\/\/.*)?$/gm;
/** Argument whose value a call gives: it is no setting. */
const ARGUMENT = /^(?:url_)?prefix$/;
const MAX_HELD = 500;
/** Mark of a stated value among the routes of a file. */
export const HELD_VALUE = 'VALUE';

/** States the values of names that can begin a path. */
export function heldPaths(sink: FactSink): void {
  let count = 0;
  for (const { 0: whole, 1: name, 3: path, index } of sink.source.matchAll(HELD_PATH)) {
    if (ARGUMENT.test(name) || ++count > MAX_HELD) continue;
    const at = index + whole.indexOf(name);
    sink.reference(at, at + name.length, 'route', NO_HANDLER, { literal: `${HELD_VALUE} ${path} ${name}` });
  }
}

/** A part of a path: a text, or a name of which the last part counts. */
const PART = /^(?:[fr]?(["'`])([^"'`\n]*)\1|([A-Za-z_$][\w$]*(?:(?:\.|\(\)\.)[A-Za-z_$][\w$]*){0,5}))$/;

/** `/{=API_V1}/users` of `settings.API_V1 + "/users"`, `f"{API_V1}/users"`, `${API_V1}/users`; '' for other expressions. */
export function pathExpression(written: string): string {
  const whole = written.trim();
  if (whole.length === 0 || whole.length > MAX_EXPRESSION) return '';
  let path = '';
  for (const piece of whole.split('+')) {
    const match = PART.exec(piece.trim());
    if (match === null) return '';
    const text =
      match[2]?.replace(/\$?\{\s*([\w$.]+)\s*\}/g, (_, name: string) => heldMark(name)) ?? heldMark(match[3]);
    path += path === '' && !text.startsWith('/') ? `/${text}` : text;
  }
  return path;
}

const MAX_EXPRESSION = 150;
const heldMark = (name: string): string => `/{=${lastPart(name)}}`;

// Functions without a name that answer a route. They become symbols, so that a request leads to their lines.

/** A call, or an entry of a table, as it is written. */
interface WrittenUse extends RouteUse {
  kind: ReferenceKind;
  at: number;
  end: number;
}

/** A function without a name, and the use that hands it on. `at` is a place between the two that no name has. */
export interface RouteClosure<Use> {
  name: string;
  at: number;
  start: number;
  end: number;
  use: Use;
}

const MAX_CLOSURES = 2_000;
/** Distance in which a function without a name begins behind the path. */
const MAX_DISTANCE = 600;
/** An arrow behind parameters. In `params: { :id => 1 }` and `['uses' => 'Carts@show']` it stands behind a key. */
const CLOSURE =
  /(?:\)(?:\s*:[^={}]{1,100})?|[(,]\s*(?:async\s+)?[a-z_$][\w$]{0,100})\s*=>|\bfunction\b|\bfunc\b|\bfn\s*\(|\bdo\b|\)\s*\{|\basync\s+move\b|[(,]\s*(?:move\s*)?\|[\w\s,:&]{0,100}\||\.(?:query|mutation|subscription)\(/;
/** A name as the last argument: it answers, and functions before it are middleware. */
const NAMED_LAST = /,\s*[\w$.]{1,100}\s*,?\s*\)$/;
/** Calls whose function declares routes, and handles none. */
const DECLARING: ReadonlySet<string> = new Set([
  ...['route', 'Route', 'use', 'mount', 'Mount', 'include_router', 'register'],
]);

/** Functions without a name that answer a route, in the order of the uses. */
export function routeClosures<Use extends WrittenUse>(
  text: string,
  uses: readonly Use[],
  routeNames?: ReadonlySet<string>,
): RouteClosure<Use>[] {
  const found: RouteClosure<Use>[] = [];
  for (const use of uses) {
    const name = closureName(use, routeNames);
    if (name === '' || found.length >= MAX_CLOSURES) continue;
    // The path is before the call in `router.route('/x').get(…)`.
    const path = use.kind === 'route' ? -1 : text.slice(use.at, use.end).indexOf(use.literal);
    const at = use.at + (path < 0 ? use.name.length - 1 : path);
    const end = use.receiver === '' ? blockEnd(text, use.end) : use.end;
    const start = path < 0 ? at + 1 : at + use.literal.length;
    if (start >= end) continue;
    if (!CLOSURE.test(headText(text, start, end, MAX_DISTANCE))) continue;
    if (use.kind === 'call' && NAMED_LAST.test(text.slice(Math.max(start, end - 150), end))) continue;
    // At the place of the use stands the use itself.
    found.push({ name, at: at === use.at ? at + 1 : at, start: at === use.at ? start + 1 : start, end, use });
  }
  return found;
}

/** End of a block that follows a call: `get '/carts' do`. */
function blockEnd(text: string, end: number): number {
  if (!/^[ \t]*do\b/.test(text.slice(end, end + 20))) return end;
  const line = text.lastIndexOf('\n', end) + 1;
  const closing = `\n${/^[ \t]*/.exec(text.slice(line, end))?.[0] ?? ''}end`;
  const at = text.indexOf(closing, end);
  return at < 0 ? end : at + closing.length;
}

/**
 * Name of the symbol that a function becomes, such as `GET /carts`; '' if the use states no route. `MAYBE` and `RPC` mark fields of GraphQL
 * and procedures of gRPC that the graph has yet to confirm.
 */
function closureName({ kind, name, receiver, literal }: WrittenUse, routeNames?: ReadonlySet<string>): string {
  if (kind === 'route')
    return name === NO_HANDLER && !/^(?:USE|VALUE) /.test(literal)
      ? literal.replace(/^MAYBE /, 'GQL ').replace(/^RPC /, 'GRPC ')
      : '';
  if (kind !== 'call' || literal === '' || DECLARING.has(name)) return '';
  const [pattern] = calledRoutes({ name, receiver, literal }, routeNames);
  return pattern === undefined ? '' : `${pattern.method} ${pattern.path.replaceAll('{=', '{')}`;
}
