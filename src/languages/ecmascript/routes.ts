/** Routes of servers that calls declare by objects, lists or decorators: tRPC, gRPC, GraphQL, Fastify, Nest, Express, Koa and Hono. */
import { headText } from '../roles/declarations.js';
import { NO_HANDLER } from '../roles/relation-facts.js';
import { type Call, elementsOf, type FactSink, type NodeView, type SyntaxNode } from '../roles/relations.js';
import { procedureName } from '../roles/remote.js';
import { pathExpression } from '../roles/routes.js';
import { lastPart, skipSpace, skipString, splitList } from '../roles/scan.js';

/** States the routes of a call: procedures, services, mounted routers. Returns true if it states the call itself as well. */
export function statedByCall(call: Call, sink: FactSink): boolean {
  const { name, view } = call;
  if (MAKERS.test(name)) procedures(call, sink);
  else if (name === 'addService' || name === 'service') service(call, sink);
  if (MOUNTERS.test(name) && view.end - view.start <= MAX_MOUNT) mountedRouters(call, sink);
  if (name === 'route') entryOfFastify(call, sink);
  const literal = literalOf(call, sink);
  if (literal === null) return false;
  const isDecorator = sink.source[call.start - 1] === '@';
  sink.reference(call.callee.nameStart, view.end, isDecorator ? 'decorator' : 'call', call.callee.accessPath, {
    ...{ args: call.list.count, literal },
  });
  return true;
}

/** The path, or the part of one, that a call states otherwise than in its first argument; null for other calls. */
function literalOf(call: Call, sink: FactSink): string | null {
  const { name, receiver, list, start, view, callee } = call;
  const { source } = sink;
  if (source[start - 1] === '@') return decoratorLiteral(call, sink);
  const read = BY_NAME.get(name);
  if (read !== undefined && (name !== 'register' || list.count > 1)) return read(call, sink);
  if (list.literal === '' && list.count > 1 && SERVERS.test(receiver)) return pathElsewhere(call, source);
  // Express: `router.route('/x').get(list).post(add)`.
  CHAINED.lastIndex = view.end;
  if (name === 'route' && list.count === 1 && list.literal.startsWith('/') && CHAINED.test(source)) return '';
  if (VERBS.test(name) && receiver.includes('.route()'))
    return ROUTE_OF_CHAIN.exec(headText(source, start, callee.nameStart, 500))?.[2] ?? null;
  return null;
}

/** Calls of libraries that state paths in options of their own. */
const BY_NAME: ReadonlyMap<string, (call: Call, sink: FactSink) => string | null> = new Map([
  ['register', prefixOfPlugin],
  ['setGlobalPrefix', globalPrefix],
  ['enableVersioning', prefixOfVersions],
]);

// Options and entries of objects.

/** UTF-16 units of the arguments of a call in which options are looked for. */
const MAX_OPTIONS = 2_000;

const writtenList = ({ view }: Call, { source }: FactSink): string =>
  headText(source, view.start, view.end, MAX_OPTIONS);

const KEY = /(?:async\s+)?(?:(["'])?([\w$]+)\1?)\s*(?=[:,}(])/y;
const SPREAD = /\.{3}/y;
const MAX_KEYS = 2_000;

/** An entry of an object: its key, its text as a range, and its value ('' for `{ key }` and for a method). */
interface Entry {
  key: string;
  at: number;
  end: number;
  value: string;
  isMethod: boolean;
}

/** The entries of the object at `open`, up to the first that is written otherwise. */
export function* entriesOf(open: number, limit: number, sink: FactSink): Generator<Entry> {
  const { source, rules } = sink;
  let at = open + 1;
  for (let count = 0; count < MAX_KEYS && at < limit; count++) {
    at = skipSpace(source, at, limit, rules.lexical);
    KEY.lastIndex = at;
    const key = KEY.exec(source);
    SPREAD.lastIndex = at;
    if (key === null && !SPREAD.test(source)) return;
    const from = key === null ? at : skipSpace(source, at + key[0].length, limit, rules.lexical);
    const isMethod = source[from] === '(';
    const start = source[from] === ':' ? skipSpace(source, from + 1, limit, rules.lexical) : from;
    const end = endOfValue(start, limit, sink);
    if (key !== null) {
      const value = start === from ? '' : headText(source, start, end, 300).trim();
      yield { key: key[2], at, end, value, isMethod };
    }
    if (source[end] !== ',') return;
    at = end + 1;
  }
}

/** Place of the comma or the bracket behind a value. */
function endOfValue(from: number, limit: number, sink: FactSink): number {
  const { source, rules } = sink;
  for (let at = from; at < limit; ) {
    const char = source[at];
    if (char === ',' || char === '}' || char === ')' || char === ']') return at;
    if (char === '(' || char === '{' || char === '[') at = sink.closing(at, limit);
    else if (char === '"' || char === "'" || char === '`') at = Math.max(at + 1, skipString(source, at, limit, '"\'`'));
    else if (char === '/') at = Math.max(at + 1, skipSpace(source, at, limit, rules.lexical));
    else at++;
  }
  return limit;
}

const NAME = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/;

/** States a route for each entry of an object of functions. `literal` makes its text from the key. */
function entriesAsRoutes(open: number, limit: number, sink: FactSink, literal: (key: string) => string): void {
  for (const { key, at, end, value, isMethod } of entriesOf(open, limit, sink)) {
    const written = value === '' && !isMethod ? key : value;
    const handler = NAME.test(written) ? written : NO_HANDLER;
    if (handler !== NO_HANDLER || isMethod || /=>|\bfunction\b|\(/.test(written))
      sink.reference(at, end, 'route', handler, { literal: literal(key) });
  }
}

// tRPC.

/** Calls that make a router of tRPC from an object. */
const MAKERS = /^(?:router|createTRPCRouter|createRouter|createCallerRouter|mergeRouters)$/;
/** Begin of a value that is a procedure: `publicProcedure.query(…)`, `t.procedure.input(…)`. */
const PROCEDURE = /^[\w$.]*[pP]rocedure\w*\b/;
const ROUTER = /^(?:[\w$.]*\.)?([\w$]*[rR]outer[\w$]*)$/;

/** States the procedures of `router({ getCart: publicProcedure.query(…), items: itemsRouter, lines: { add: addRoute } })`. */
function procedures(call: Call, sink: FactSink): void {
  const { view } = call;
  const open = skipSpace(sink.source, view.start + 1, view.end, sink.rules.lexical);
  const isWhole = sink.source[open] === '{' && !isInRouter(view.parent);
  if (isWhole) proceduresIn(open, view.end, '', call.name !== 'createRouter', sink);
}

/** Is a call the value of an object that makes a router? That one states its procedures with the whole path. */
function isInRouter(call: NodeView['parent']): boolean {
  let above = call?.parent ?? null;
  if (above?.kind !== 'pair') return false;
  while (above?.kind === 'pair' || above?.kind === 'object') above = above.parent;
  return above?.kind === 'arguments' && /^[\w$.]{0,60}$/.test(nameOf(above)) && MAKERS.test(lastPart(nameOf(above)));
}

/** The text of a call before its arguments. */
const nameOf = (list: SyntaxNode): string =>
  list.parent?.text.slice(0, Math.min(MAX_NAME, Math.max(0, list.start - list.parent.start))) ?? '';
const MAX_NAME = 100;

const NESTED = /^(?:[\w$]+\.)?(?:router|createTRPCRouter)\(\s*\{/;
/** A route of a contract (ts-rest), which is no object of procedures. */
const CONTRACT = /\b(?:method|path|responses)\s*:/;
/** Maximum number of objects around a procedure. */
const MAX_OBJECTS = 4;

function proceduresIn(open: number, limit: number, prefix: string, mayName: boolean, sink: FactSink): void {
  for (const { key, at, end, value, isMethod } of entriesOf(open, limit, sink)) {
    const written = value === '' && !isMethod ? key : value;
    const path = `${prefix}/${key}`;
    const isInside = written.startsWith('{') ? !CONTRACT.test(written) : NESTED.test(written);
    if (isInside && path.split('/').length <= MAX_OBJECTS)
      proceduresIn(sink.source.indexOf('{', at + key.length), end, path, mayName, sink);
    else if (ROUTER.test(written)) sink.reference(at, at + key.length, 'route', written, { literal: `USE ${path}` });
    else if (PROCEDURE.test(written) || /\.(?:query|mutation|subscription)\s*\(/.test(written))
      sink.reference(at, end, 'route', NO_HANDLER, { literal: `TRPC ${path}` });
    else if (mayName && /^[\w$]+$/.test(written))
      sink.reference(at, at + key.length, 'route', written, { literal: `TRPC ${path}` });
  }
}

// gRPC.

/** `server.addService(shop.CartService.service, { getCart, addItem: add })` */
function service(call: Call, sink: FactSink): void {
  const { view } = call;
  const [first, second] = elementsOf(view.start + 1, view.end - 1, sink);
  if (second === undefined || sink.source[second.start] !== '{') return;
  const written = sink.source.slice(first.start, first.end);
  const made = /([A-Za-z_$][\w$]*)(?:\.service|Service|Definition)$/.exec(written)?.[1];
  // Connect: `router.service(CartService, { getCart })`.
  const name = call.name === 'service' ? /^(?:\w+\.)?([A-Z]\w*)$/.exec(written)?.[1] : made;
  if (name !== undefined)
    entriesAsRoutes(second.start, second.end, sink, (key) => `GRPC /${name}/${procedureName(key)}`);
}

/** A service of gRPC as an object: `const carts: CartServiceImplementation = { … }`. */
const SERVICE_OBJECT =
  /:\s*(?:\w{1,40}\.)?([A-Z]\w{1,80}?)(?:Implementation|Handlers)(?:<[^<>\n]{0,80}>)?\s*=\s*(?=\{)/g;

/** States the procedures that objects answer by their types. */
export function serviceObjects(sink: FactSink): void {
  if (!/Implementation\b|Handlers\b/.test(sink.source)) return;
  for (const match of sink.source.matchAll(SERVICE_OBJECT)) {
    const open = match.index + match[0].length;
    const limit = sink.closing(open, sink.source.length);
    entriesAsRoutes(open, limit, sink, (key) => `RPC /${match[1]}/${procedureName(key)}`);
  }
}

// GraphQL.

/** Maps of resolvers: `Query: { cart: … }`, `const Mutation = { … }`, `const carts: QueryResolvers = { … }`. */
const ROOT_FIELDS =
  /\b(?:(Query|Mutation|Subscription)\s*(?::\s*[\w$.<>[\]]{1,80}\s*=|[:=])|\w{1,80}\s*:\s*(?:\w{1,40}\.)?(Query|Mutation|Subscription)Resolvers(?:<[^<>\n]{0,80}>)?\s*=)\s*(?=\{)/g;
/** One field with its type: `const cart: QueryResolvers['cart'] = …`. */
const TYPED_FIELD =
  /\b\w{1,80}\s*:\s*(?:\w{1,40}\.)?(Query|Mutation|Subscription)Resolvers\[\s*["'](\w+)["']\s*\]\s*=/g;
/** Maps that may be part of those: they count where a schema or a document has their fields. */
const MAYBE_ROOTS = /\b(?:const|let|var)\s+\w{0,60}?(?:([qQ]uer(?:y|ies))|[mM]utations?)(?:Resolvers?)?\s*=\s*(?=\{)/g;

/** States the fields that maps of resolvers answer. */
export function resolverMaps(sink: FactSink): void {
  const { source } = sink;
  if (!/\b\w*(?:[qQ]uer(?:y|ies)|[mM]utations?)\b|Resolvers\b/.test(source)) return;
  for (const match of source.matchAll(ROOT_FIELDS)) {
    const open = match.index + match[0].length;
    entriesAsRoutes(open, sink.closing(open, source.length), sink, (key) => `GQL /${match[1] ?? match[2]}/${key}`);
  }
  for (const match of source.matchAll(TYPED_FIELD)) {
    const at = match.index + match[0].length;
    const end = endOfValue(at, source.length, sink);
    const written = headText(source, at, end, 300).trim();
    const handler = NAME.test(written) ? written : NO_HANDLER;
    sink.reference(at, end, 'route', handler, { literal: `GQL /${match[1]}/${match[2]}` });
  }
  for (const match of source.matchAll(MAYBE_ROOTS)) {
    const open = match.index + match[0].length;
    const root = match[1] === undefined ? 'Mutation' : 'Query';
    entriesAsRoutes(open, sink.closing(open, source.length), sink, (key) => `MAYBE /${root}/${key}`);
  }
}

// Fastify.

/** `fastify.route({ method: 'GET', url: '/carts', handler: list })` */
function entryOfFastify({ view }: Call, sink: FactSink): void {
  const open = skipSpace(sink.source, view.start + 1, view.end, sink.rules.lexical);
  if (sink.source[open] !== '{') return;
  const entries = new Map([...entriesOf(open, view.end, sink)].map((entry) => [entry.key, entry]));
  const path = /^(['"`])([^'"`$]*)\1$/.exec(entries.get('url')?.value ?? entries.get('path')?.value ?? '')?.[2];
  const handler = entries.get('handler');
  if (path === undefined || handler === undefined) return;
  const methods = (entries.get('method')?.value ?? '').match(/[A-Z]{3,}/g) ?? ['ANY'];
  const name = NAME.test(handler.value) ? handler.value : handler.value === '' && !handler.isMethod ? 'handler' : '';
  for (const method of methods)
    sink.reference(handler.at, handler.end, 'route', name || NO_HANDLER, {
      literal: `${method} /${path.replace(/^\//, '')}`,
    });
}

/** A prefix that is a name, or put together with one. */
const HELD_PREFIX = /\bprefix\s*:\s*([\w$.]{1,100}(?:\s*\+\s*["'][^"'\n]{0,100}["'])?|`[^`\n]{1,100}`)\s*[,}]/;

/** Fastify, also with its loader of folders; Koa's `new Router({ prefix })` is no call. */
function prefixOfPlugin({ view }: Call, { source, rules }: FactSink): string | null {
  const options = splitList(source, view.start + 1, view.end - 1, ',', rules.lexical).at(-1);
  const given = options && headText(source, options.start, options.end, MAX_OPTIONS);
  if (!given?.startsWith('{')) return null;
  const prefix = /\bprefix\s*:\s*(["'`])(\/?[^"'`$\n]{1,150})\1/.exec(given)?.[2];
  return (prefix ?? pathExpression(HELD_PREFIX.exec(given)?.[1] ?? '')) || null;
}

// Nest.

/** Decorators of Nest. */
function decoratorLiteral(call: Call, sink: FactSink): string | null {
  const { name, list, callee, view } = call;
  const written = writtenList(call, sink);
  const version = name === 'Controller' ? /\bversion\s*:\s*["'](\w+)["']/.exec(written)?.[1] : undefined;
  if (version !== undefined)
    sink.reference(callee.nameStart + 1, view.end, 'decorator', 'Version', { literal: version });
  if (name === 'GrpcMethod' || name === 'GrpcStreamMethod')
    return [...written.matchAll(/["'](\w+)["']/g)].map(([, each]) => each).join('/');
  if (!/^(?:Query|Mutation|Subscription)$/.test(name)) return null;
  return list.literal || (/\bname\s*:\s*["'](\w+)["']/.exec(written)?.[1] ?? '');
}

/** `app.setGlobalPrefix('api', { exclude: ['health'] })`: the prefix, and behind it the paths that do not have it. */
function globalPrefix(call: Call, sink: FactSink): string {
  const left = /\bexclude\s*:\s*\[([^\]]{0,1000})/.exec(writtenList(call, sink))?.[1] ?? '';
  return [call.list.literal, ...[...left.matchAll(/["']([^"'\s]+)["']/g)].map(([, path]) => path)]
    .join(' ')
    .slice(0, 190);
}

/** `app.enableVersioning({ prefix: 'v' })`: the text before a version in paths; '' where paths have no version. */
function prefixOfVersions(call: Call, sink: FactSink): string {
  const written = writtenList(call, sink);
  if (/\bVersioningType\.(?!URI)\w|\btype\s*:\s*[^V\s]/.test(written)) return '';
  return /\bprefix\s*:\s*["'](\w*)["']/.exec(written)?.[1] ?? 'v';
}

// Express, Koa and Hono.

/** A path in front that is put together with a name: a constant alone, or a name and a text. */
const HELD_FIRST =
  /^\(\s*([\w$.]*[A-Z][A-Z\d_]+|[\w$.]*[pP]refix|[\w$.]{1,100}\s*\+\s*["']\/[^"'\n]{0,100}["']|`\$\{[\w$.]{1,100}\}\/[^`\n]{0,100}`)\s*,/;
const SERVERS = /(?:^|[._])(?:app|server|fastify|\w*[rR]outer|api)$/;

const CHAINED = /\s*\.\s*(?:get|post|put|patch|delete|all|head|options)\s*\(/y;
const ROUTE_OF_CHAIN = /\.\s*route\s*\(\s*(['"`])(\/[^'"`$\n]{0,150})\1\s*\)/;
const VERBS = /^(?:get|post|put|patch|delete|all|head|options)$/;
const MOUNTERS = /^(?:use|mount|register|route)$/;

/** The path that a call gives in a list, or by a name; null for none. */
function pathElsewhere({ name, view }: Call, source: string): string | null {
  const first = VERBS.test(name) ? firstOfSeveral(source, view.start) : undefined;
  return first ?? (VERBS.test(name) || MOUNTERS.test(name) ? heldFirst(source, view) || null : null);
}

/** Express: `app.get(['/about'], show)`; of several paths the first counts. */
function firstOfSeveral(source: string, at: number): string | undefined {
  return /^\(\s*\[\s*(["'`])(\/[^"'`\n]{0,150})\1/.exec(source.slice(at, at + 200))?.[2];
}

/** Express: `app.use(API, carts)`, `` router.get(`${API}/carts`, list) ``. */
function heldFirst(source: string, { start, end }: Call['view']): string {
  return pathExpression(HELD_FIRST.exec(headText(source, start, end, 200))?.[1] ?? '');
}

/** `new Router({ prefix: '/carts' })` of Koa: the path that begins its routes; '' for others. */
export function prefixOfRouter({ name, view }: Call, sink: FactSink): string {
  if (!/Router$/.test(name)) return '';
  return (
    /^\(\s*\{[^}]{0,200}?\bprefix\s*:\s*(["'`])(\/[^"'`$\n]{1,150})\1/.exec(
      sink.source.slice(view.start, view.end),
    )?.[2] ?? ''
  );
}

/** `carts.routes()`: what Koa mounts of a router. */
const MOUNTED = /^([A-Za-z_$][\w$.]{0,100})\.(?:routes|middleware)\(\)$/;

/** A router by its name: `carts`, `authRoutes`. */
const LOCAL = /^[a-z_$][\w$]*$/;

/** `router.use(carts.routes())` and `app.use('/carts', carts)` hand the router on. */
function mountedRouters({ view }: Call, sink: FactSink): void {
  for (const { start, end } of elementsOf(view.start + 1, view.end - 1, sink)) {
    const written = end - start > MAX_MOUNT ? '' : sink.source.slice(start, end);
    const router = MOUNTED.exec(written)?.[1] ?? LOCAL.exec(written)?.[0];
    if (router !== undefined)
      sink.reference(start + router.lastIndexOf('.') + 1, start + router.length, 'value', router);
  }
}

/** A call that mounts routers is shorter, in UTF-16 units. */
const MAX_MOUNT = 500;
