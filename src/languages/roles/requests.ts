/**
 * Reads requests from the text of calls. A path is put together from strings, templates and names with a known value; each
 * unknown part becomes `*`. The references say where the calls are, so text in strings and comments is none.
 */
import { lineAt, lineStarts } from '../../base/lists.js';
import { wordSet } from '../language.js';
import type { Binding, Reference } from './relation-facts.js';
import {
  HELD_QUEUE,
  isTopicCall,
  lastName,
  PUBLISHES,
  QUEUES,
  SUBSCRIBES,
  stubCalls,
  type TopicReader,
  topicOf,
} from './remote.js';

/** Maximum length of a call that is read: longer ones hold bodies, not paths. */
const MAX_CALL = 1_000;
const MAX_ARGUMENTS = 4;
const MAX_PATH = 500;
/** Maximum length of a text in a record. */
const MAX_TEXT = 200;
const METHOD = /\b(?:method|type)\s*[:=]\s*['"`]?(?:\w+\.)?(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b/i;
const METHOD_NAME = /(?:^|\W)(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b/i;
const URL_OPTION = /\b(?:url|uri|path|resource_path)\s*[:=]\s*/;
/** Clients without a base: as with `fetch`, a path without a host is on the page's own host. */
const BASELESS = /^(?:window|globalThis|self|\$|jquery)$/i;
/** Stands for an unknown value in a text. */
const HOLE = '\0';

/** A call that sends a request. */
export interface RequestCall {
  /** Upper case; ANY if it is unknown. */
  method: string;
  /** Path without scheme, host and query, and with `*` for each unknown part: `/users/*`. */
  route: string;
  /** True if an unknown value precedes the path: the value may end in further parts. */
  below?: true;
  /** True if the client may have a base: the server's path may begin with `/api`, but no more than that. */
  based?: true;
  /** Host of the address, unless it is unknown or this machine. */
  host?: string;
  line: number;
}

// Requests as text, in the facts of a file.

/** `GET /users/*`. Marks before the path: `**` for `below`, `^` for `based`, `//host`. */
function requestText({ method, route, below, based, host }: RequestCall): string {
  return `${method} ${host === undefined ? '' : `//${host}`}${below ? '**' : based ? '^' : ''}${route}`;
}

const REQUEST = /^([A-Z]+) (?:\/\/([\w.:-]+?))?(\*\*|\^)?(\/.*)$/;

/** Reads the text of a request; null for other texts. */
export function parseRequest(text: string): Omit<RequestCall, 'line'> | null {
  const match = REQUEST.exec(text);
  if (match === null) return null;
  const [, method, host, mark, route] = match;
  return {
    ...{ method, route },
    ...(mark === '**' && { below: true as const }),
    ...(mark === '^' && { based: true as const }),
    ...(host !== undefined && { host }),
  };
}

/** Rule of a reference that may send a request; null for others. It costs a mere look-up, since most references send none. */
function clientRule(
  { kind, name, receiver }: Pick<Reference, 'kind' | 'name' | 'receiver'>,
  isBare: boolean,
): ClientRule | null {
  if (kind !== 'call' && !isAddress(kind, name)) return null;
  const only = CLIENT_ONLY.get(name);
  if (only !== undefined && (receiver === '' || /^New|_/.test(name) || isClientName(receiver))) return only;
  const rule = CLIENT_CALLS.get(name);
  if (rule === undefined) return null;
  if (receiver === '') return isBare && BARE_METHODS.has(name) ? rule : null;
  // `webClient.get().uri("/x")`: the method is named before.
  if (name === 'uri') return { ...rule, method: METHOD_NAME.exec(receiver)?.[1].toUpperCase() ?? 'ANY' };
  return sends(name, receiver) ? rule : null;
}

/** Method of a call with these arguments. */
function statedMethod({ method }: ClientRule, list: readonly string[]): string {
  if (method === 'options') return METHOD.exec(list.join(','))?.[1] ?? 'GET';
  if (typeof method !== 'object') return method;
  const found = list.length === 1 ? METHOD.exec(list[0]) : METHOD_NAME.exec(list[method.argument] ?? '');
  return found?.[1] ?? 'ANY';
}

/** `new URL('/carts', base)` */
const isAddress = (kind: Reference['kind'], name: string): boolean => kind === 'new' && name === 'URL';
const isClientName = (receiver: string): boolean => CLIENT_RECEIVER.test(lastName(receiver));
const sends = (name: string, receiver: string): boolean =>
  isClientName(receiver) || CLIENT_CLASS.test(receiver) || (receiver === 'this' && name === 'request');

/**
 * References of one file, with a `request` behind each call that sends one. `text`: the file. `bare`: matches a file in which calls
 * without a receiver (`get '/x'`) send requests.
 */
export function withRequests(
  text: string,
  references: Reference[],
  bindings: readonly Binding[] = [],
  bare?: RegExp,
): Reference[] {
  const isBare =
    references.some(({ kind, name, receiver }) => kind === 'call' && receiver === '' && BARE_METHODS.has(name)) &&
    bare?.test(text) === true;
  const stubs = stubCalls(text, references, bindings);
  const hasQueues = QUEUES.test(text);
  const isClient = references.some(({ kind, name }) => kind === 'decorator' && CLIENT_TYPES.test(name));
  // Most names are none of those that send, which one look-up tells.
  const isOne = (each: Reference) =>
    stubs?.has(each) ||
    (sendingNames().has(each.name) &&
      (clientRule(each, isBare) !== null || procedureCall(each) !== null || isTopicCall(each, hasQueues))) ||
    declaredRequest(each, isClient) !== null;
  const all = [...references, ...generatedRequests(text, references)];
  if (!references.some(isOne)) return all;
  const reader = new CallReader(text);
  return all.flatMap((reference) => {
    const procedure = stubs?.get(reference) ?? procedureCall(reference) ?? declaredRequest(reference, isClient);
    if (procedure !== null) return [reference, { ...reference, kind: 'request' as const, literal: procedure }];
    const topic = topicOf(reference, reader);
    if (topic !== null) return [reference, topic];
    const rule = clientRule(reference, isBare);
    const call = rule === null ? null : reader.read(reference, rule);
    const literal = call === null ? '' : requestText(call);
    if (literal === '' || literal.length > MAX_TEXT) return [reference];
    return [reference, { ...reference, kind: 'request' as const, literal }];
  });
}

// Clients that a generator wrote from a description: a path in a variable, or in the options of a call on an expression.

const GENERATED_PATH = /\blocalVarPath\b[^\n]{0,60}?[=+]\s*([`"'])(\/[^`"'\n]{0,200})\1/g;
const GENERATED_CALL =
  /\)\s*\.(get|post|put|patch|delete|head|options)\s*(?:<[^()\n]{0,300}>)?\(\{\s*(?:\w+:[^,{}]{1,80},\s*){0,4}?url:\s*(["'`])(\/[^"'`\n]{0,200})\2/g;
const METHOD_BEFORE = /http\.Method(\w+)/g;
const METHOD_AFTER = /(?:\bmethod\s*[:=]\s*|Method\s*=\s*|,\s*)["'](GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)["']/;
const NEAR = 400;
const AFTER = 3_000;

/** Requests of a client that a generator wrote, each in the symbol of the use that follows its path. */
function generatedRequests(text: string, references: readonly Reference[]): Reference[] {
  const found: { at: number; method: string; path: string }[] = [];
  if (text.includes('localVarPath'))
    for (const { index, 2: path } of text.matchAll(GENERATED_PATH)) {
      const before = [...text.slice(Math.max(0, index - NEAR), index).matchAll(METHOD_BEFORE)].at(-1)?.[1];
      const method = before ?? METHOD_AFTER.exec(text.slice(index, index + AFTER))?.[1];
      if (method !== undefined) found.push({ at: index, method, path });
    }
  if (text.includes('url: '))
    for (const { index, 1: method, 3: path } of text.matchAll(GENERATED_CALL)) found.push({ at: index, method, path });
  const requests: Reference[] = [];
  const lines = lineStarts(text);
  let next = 0;
  for (const each of found.sort((a, b) => a.at - b.at)) {
    const line = lineAt(lines, each.at);
    while (next < references.length && references[next].startLine < line) next++;
    const use = references[next];
    const route = routeOf(each.path.replace(/\$?\{[^{}]*\}/g, HOLE), true);
    if (use === undefined || route === null) continue;
    const literal = requestText({ method: each.method.toUpperCase(), ...route, line });
    if (literal.length <= MAX_TEXT)
      requests.push({ ...use, kind: 'request', args: -1, literal, startLine: line, endLine: line });
  }
  return requests;
}

/** Names of calls that can send a request or publish to a topic. */
let sending: ReadonlySet<string> | undefined;

function sendingNames(): ReadonlySet<string> {
  sending ??= new Set(
    [CLIENT_CALLS.keys(), CLIENT_ONLY.keys(), PROCEDURE_CALLS, PUBLISHES, SUBSCRIBES].flatMap((names) => [...names]),
  );
  return sending;
}

/** Calls behind a procedure of a client of tRPC, and the names of such clients. */
const PROCEDURE_CALLS = wordSet(
  `useQuery useSuspenseQuery useInfiniteQuery useSuspenseInfiniteQuery useMutation useSubscription query mutate
   mutateAsync subscribe fetch prefetch ensureData invalidate queryOptions infiniteQueryOptions mutationOptions`,
);
const PROCEDURE_CLIENT =
  /^(?:this\.)?(?:\w*trpc\w*|api|utils|client)(?:\(\)|\.(?:client|viewer(?=\(\)))|\.useUtils\(\)|\.useContext\(\))*((?:\.\w+)+)$/i;

/** `trpc.carts.get.useQuery(…)`: the request of a procedure; null for other calls. */
function procedureCall({ kind, name, receiver }: Reference): string | null {
  if (kind !== 'call' || receiver === '' || !PROCEDURE_CALLS.has(name)) return null;
  const path = PROCEDURE_CLIENT.exec(receiver)?.[1];
  const literal = path === undefined ? '' : `TRPC ${path.replaceAll('.', '/')}`;
  return literal === '' || literal.length > MAX_TEXT ? null : literal;
}

/** Decorators of types whose members send the requests that theirs state. */
export const CLIENT_TYPES = /^(?:FeignClient|RegisterRestClient|HttpExchange|ReactiveFeignClient)$/;
const MAPPING = /^(Get|Post|Put|Patch|Delete)(?:Mapping|Exchange)$/;

/** `@GET("carts/{id}")` of Retrofit, `@GetMapping("/carts")` of Feign: the request that a method of an interface sends; null for others. */
function declaredRequest({ kind, name, literal }: Reference, isClient: boolean): string | null {
  if (kind !== 'decorator' || literal === '') return null;
  const method = DECLARED_METHODS.has(name) ? name : isClient ? MAPPING.exec(name)?.[1].toUpperCase() : undefined;
  const found = method === undefined ? null : routeOf(literal.replace(/\{\w+\}/g, HOLE), true);
  const text = found === null || method === undefined ? '' : requestText({ method, ...found, line: 0 });
  return text === '' || text.length > MAX_TEXT ? null : text;
}

const DECLARED_METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/** Calls that look a value up by a name: `config.get('url')`. */
const LOOK_UP = /(?:^|\.)(?:get|getenv|config|env|value|setting)\w*!?\($/i;

class CallReader implements TopicReader {
  private readonly starts: readonly number[];
  private readonly constants = new Map<string, string>();
  private held?: ReadonlyMap<string, string>;
  /** Ends of the calls read so far, by line and name: the second call on a line is searched behind the first. */
  private readonly passed = new Map<string, number>();

  readonly hasQueues: boolean;

  constructor(readonly text: string) {
    this.hasQueues = QUEUES.test(text);
    this.starts = lineStarts(text);
  }

  /**
   * Arguments of a call as text; null if it is not found. Each call is read once, in the order of the text: a second reading would find
   * the next call of that name on the line.
   */
  argumentsOf({ name, startLine }: Reference): string[] | null {
    const key = `${startLine} ${name}`;
    const from = this.passed.get(key) ?? this.starts[startLine - 1] ?? this.text.length;
    const opening = this.openingOf(name, from);
    if (opening < 0) return null;
    this.passed.set(key, opening);
    return splitArguments(this.text.slice(opening + 1, opening + MAX_CALL));
  }

  /** Value of an expression with no unknown part; '' for others. */
  textOf(written: string): string {
    const value = this.valueOf(written, 0);
    return value.includes(HOLE) ? '' : value;
  }

  /** Names of queues by the variables that hold them. */
  queues(): ReadonlyMap<string, string> {
    this.held ??= new Map(
      [...this.text.matchAll(HELD_QUEUE)].map(([, name, queue, given, member]) => [name ?? member, queue ?? given]),
    );
    return this.held;
  }

  read(reference: Reference, rule: ClientRule): RequestCall | null {
    const { receiver, startLine } = reference;
    const list = this.argumentsOf(reference);
    // A handler among the arguments is that of a server.
    if (list === null || list.slice(1).some((each) => HANDLES.test(each))) return null;
    // No client has `GET` with a name behind the path: `api.GET("/carts", s.list)` is that of a server.
    if (DECLARED_METHODS.has(reference.name) && /^\s*[\w.]+\s*$/.test(list[1] ?? '')) return null;
    const path = this.pathOf(
      argumentWithPath(list, rule.path),
      rule.path === 'options' || rule.based || (receiver !== '' && !BASELESS.test(lastName(receiver))),
    );
    if (path === null) return null;
    return { method: statedMethod(rule, list).toUpperCase(), ...path, line: startLine };
  }

  /** Place of the bracket after the name, -1 if there is none nearby. */
  private openingOf(name: string, from: number): number {
    for (let at = this.text.indexOf(name, from), tries = 0; at >= 0 && tries < 20; tries++) {
      if (at > from + MAX_CALL) return -1;
      let end = at + name.length;
      if (this.text[end] === '<') end = closingAngle(this.text, end);
      while (this.text[end] === ' ' || this.text[end] === '!') end++;
      if (!/\w/.test(this.text[at - 1] ?? '')) {
        if (this.text[end] === '(') return end;
        // Ruby: `get "/users"`.
        if (this.text[end - 1] === ' ' && /["']/.test(this.text[end] ?? '')) return end - 1;
      }
      at = this.text.indexOf(name, at + 1);
    }
    return -1;
  }

  /** Null for an expression without a known part of a path. */
  private pathOf(argument: string, isBased: boolean): RequestPath | null {
    const option = /^\s*(?:\{|resource_path\b)/.test(argument) ? URL_OPTION.exec(argument) : null;
    const expression = option === null ? argument : splitArguments(argument.slice(option.index + option[0].length))[0];
    return routeOf(this.valueOf(expression ?? '', 0).slice(0, MAX_PATH), isBased);
  }

  /** Value of an expression, with holes for unknown parts. */
  private valueOf(written: string, depth: number): string {
    const expression = written.trim();
    const pieces = splitSum(expression);
    if (pieces.length > 1) return pieces.map((piece) => this.valueOf(piece, depth)).join('');
    // Swift names its arguments: `URL(string: "…")`.
    const labelled = /^string:\s*(?=")/.exec(expression)?.[0].length ?? 0;
    if (labelled > 0) return this.valueOf(expression.slice(labelled), depth);
    const string = /^(?:[a-zA-Z$@]{0,3})(['"`])/.exec(expression);
    if (string !== null) return stringValue(this.interpolated(expression.slice(string[0].length), depth), string[1]);
    if (depth > 2) return HOLE;
    // `fmt.Sprintf("/users/%d", id)`, `URI.create(BASE + "/x")`: the first argument is the text.
    const call = /^[\w.$:]+!?\(/.exec(expression);
    if (call !== null && LOOK_UP.test(call[0])) return HOLE;
    if (call !== null) return this.valueOf(splitArguments(expression.slice(call[0].length))[0] ?? '', depth + 1);
    const name = /(?:^|\.)([A-Za-z_$][\w$]*)$/.exec(expression)?.[1];
    return name === undefined ? HOLE : this.constant(name, depth);
  }

  /** A text with the values of names in it that are constants: `/${RESOURCE}/items`. */
  private interpolated(text: string, depth: number): string {
    if (depth > 1) return text;
    return text.replace(/\$?\{\s*([A-Za-z_$][\w$]*)\s*\}/g, (whole, name: string) => {
      const value = this.constant(name, depth);
      return value.includes(HOLE) || /["'`\n]/.test(value) ? whole : value;
    });
  }

  /** A name with a string as its only value in the file. */
  private constant(name: string, depth: number): string {
    const known = this.constants.get(name);
    if (known !== undefined) return known;
    this.constants.set(name, HOLE);
    const pattern = new RegExp(
      `(?<![\\w$.])${name.replaceAll('$', '\\$')}[ \\t]*(?::[ \\t]*\\w{1,30}[ \\t]*)?:?=[ \\t]*(?=['"\`])([^\\n;]{1,300})`,
      'g',
    );
    const values = [...this.text.matchAll(pattern)].slice(0, 2);
    const value = values.length === 1 ? this.valueOf(values[0][1], depth + 1) : HOLE;
    this.constants.set(name, value);
    return value;
  }
}

function argumentWithPath(list: readonly string[], place: ClientRule['path']): string {
  if (place === 'options') return list.find((each) => URL_OPTION.test(each)) ?? '';
  // `client.request({ path: '/x', method: 'GET' })`
  return list.length === 1 && /^\s*\{/.test(list[0]) ? list[0] : (list[place] ?? '');
}

/** End of type arguments as in `get<User[]>(`; the place itself if they do not end nearby. */
function closingAngle(text: string, at: number): number {
  let open = 0;
  for (let i = at; i < at + 200 && i < text.length; i++) {
    if (text[i] === '<') open++;
    else if (text[i] === '>' && --open === 0) return i + 1;
  }
  return at;
}

/** Arguments up to the closing bracket, or up to the end of a text that was cut. */
function splitArguments(text: string): string[] {
  const found: string[] = [];
  let start = 0;
  const end = scan(text, (char, at, open) => {
    if (char === ',' && open === 0) {
      found.push(text.slice(start, at));
      start = at + 1;
    }
    return found.length >= MAX_ARGUMENTS;
  });
  found.push(text.slice(start, end));
  return found;
}

/** Operands of `a + b`, and of `a . b` of PHP where the dot has blanks around it. */
function splitSum(text: string): string[] {
  const found: string[] = [];
  let start = 0;
  const end = scan(text, (char, at, open) => {
    const joins = char === '+' || (char === '.' && text[at - 1] === ' ' && text[at + 1] === ' ');
    if (joins && open === 0) {
      found.push(text.slice(start, at));
      start = at + 1;
    }
    return false;
  });
  found.push(text.slice(start, end));
  return found;
}

/** Walks outside of strings up to an unmatched closing bracket, or until `each` ends the walk. Returns where it ended. */
function scan(text: string, each: (char: string, at: number, open: number) => boolean): number {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"' || char === "'" || char === '`') at = endOfString(text, at + 1, char);
    else if (char === '(' || char === '[' || char === '{') open++;
    else if (char === ')' || char === ']' || char === '}') {
      if (--open < 0) return at;
    } else if (each(char, at, open)) return at;
  }
  return text.length;
}

function endOfString(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

/** Text of a string with holes for what it interpolates: `${x}`, `{x}`, `#{x}`, `$x`, `%s`. */
function stringValue(text: string, quote: string): string {
  const inner = text.slice(0, endOfString(text, 0, quote));
  return inner.replace(/\\\([^()]{0,100}\)|[$#]?\{[^{}]{0,100}\}|\$[A-Za-z_]\w*|%[sdvq]|\{\}/g, HOLE);
}

const SCHEME = /^(?:https?|wss?):\/\/([^/]*)/;
/** Hosts of this machine, and names that tests give to the server itself. */
const OWN_HOST =
  /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|testserver|test|[\w-]*\.?example\.(?:com|org|net)|[\w-]+\.(?:test|local))?(?::\d*)?$/i;

/** A function without a name, as the handler of a route. */
const HANDLES = /^\s*(?:async\b\s*)?(?:function\b|\([^()]{0,200}\)\s*(?::[^=]{0,100})?=>|\w+\s*=>)/;

const LEADING_HOLES = new RegExp(`^${HOLE}+(?=[A-Za-z])`);

type RequestPath = Pick<RequestCall, 'route' | 'below' | 'based' | 'host'>;

function routeOf(value: string, isBased: boolean): RequestPath | null {
  const plain = value.replace(/[?#].*$/s, '');
  const host = SCHEME.exec(plain)?.[1];
  const isUrl = host !== undefined;
  const isForeign = isUrl && !host.includes(HOLE) && !OWN_HOST.test(host) && /^[\w.:-]{1,100}$/.test(host);
  // `base + 'users'`: the base ends with a slash.
  const path = plain.replace(SCHEME, '').replace(LEADING_HOLES, `${HOLE}/`);
  // `users/${id}` is relative to the client's base.
  const below = !isUrl && !path.startsWith('/');
  const parts = path.split('/').filter((part) => part !== '');
  if (below && parts[0]?.startsWith(HOLE)) parts.shift();
  const named = parts.map((part) => (part.includes(HOLE) ? '*' : part));
  if (named.every((part) => part === '*') || !named.every((part) => /^[\w.~@!$&'()*+,;=:%-]+$/.test(part))) return null;
  const based = isBased && !isUrl && !below;
  return {
    route: `/${named.join('/')}`,
    ...(below && { below: true as const }),
    ...(based && { based: true as const }),
    ...(isForeign && { host }),
  };
}

// Rules for clients of HTTP (data): their receivers, the names of their calls, and the place of the path.

/** Places of the method and the path in a call, as numbers of arguments; `options`: in an object. */
interface ClientRule {
  method: string | { argument: number } | 'options';
  /** Place of the argument with the path; `options`: the one that names it. */
  path: number | 'options';
  /** The client has a base, though it is a function alone. */
  based?: true;
}

const BARE_METHODS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete', 'head']);
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;

/** `axios.get`, `client.Get`, `http.GET`; `getForObject` of Spring, `GetAsync` of .NET. */
const ENDINGS = [
  '',
  ...'ForObject ForEntity Async StringAsync StreamAsync FromJsonAsync AsJsonAsync JSON Json'.split(' '),
];

/** Calls on a receiver that is a client. */
const CLIENT_CALLS: ReadonlyMap<string, ClientRule> = new Map<string, ClientRule>([
  ...METHODS.flatMap((method) =>
    [method, method[0].toUpperCase() + method.slice(1), method.toUpperCase()].flatMap((name) =>
      ENDINGS.map((ending): [string, ClientRule] => [name + ending, { method: method.toUpperCase(), path: 0 }]),
    ),
  ),
  ['del', { method: 'DELETE', path: 0 }],
  ['postForLocation', { method: 'POST', path: 0 }],
  ['PostForm', { method: 'POST', path: 0 }],
  ['exchange', { method: { argument: 1 }, path: 0 }],
  ['request', { method: { argument: 0 }, path: 1 }],
  ['Request', { method: { argument: 0 }, path: 1 }],
  ['stream', { method: { argument: 0 }, path: 1 }],
  ['uri', { method: 'ANY', path: 0 }],
  ['ajax', { method: 'options', path: 0 }],
  ['fetch', { method: 'options', path: 0 }],
]);

/** Calls that only clients make, whatever they are called on. */
const CLIENT_ONLY: ReadonlyMap<string, ClientRule> = new Map<string, ClientRule>([
  ['fetch', { method: 'options', path: 0 }],
  ['$fetch', { method: 'options', path: 0 }],
  ['useFetch', { method: 'options', path: 0 }],
  ['axios', { method: 'options', path: 0 }],
  ['ky', { method: 'options', path: 0 }],
  ['got', { method: 'options', path: 0 }],
  ['urlopen', { method: 'ANY', path: 0 }],
  ['URL', { method: 'ANY', path: 0 }],
  // Functions around a client: `useGet('/carts')`, `apiFetch('/carts', { method: 'POST' })`.
  ...METHODS.map((method): [string, ClientRule] => [
    `use${method[0].toUpperCase()}${method.slice(1)}`,
    { method: method.toUpperCase(), path: 0, based: true },
  ]),
  ...['fetcher', 'apiFetch', 'apiRequest', 'fetchApi', 'fetchWithAuth', 'authFetch', 'useSWR'].map(
    (name): [string, ClientRule] => [name, { method: 'options', path: 0, based: true }],
  ),
  // Clients that a generator wrote: `__request(OpenAPI, { method: 'GET', url: '/carts' })`.
  ...['__request', 'customInstance', 'customFetch'].map((name): [string, ClientRule] => [
    name,
    { method: 'options', path: 'options' },
  ]),
  ['call_api', { method: { argument: 1 }, path: 0 }],
  ['param_serialize', { method: 'options', path: 'options' }],
  ['NewRequest', { method: { argument: 0 }, path: 1 }],
  ['NewRequestWithContext', { method: { argument: 1 }, path: 2 }],
]);

/** Last name of a receiver that sends requests: `this.httpClient`, `axios`, `restTemplate`, `conn`. */
const CLIENT_RECEIVER =
  /^(?:axios(?:Instance)?|\$?http|https|(?:\w*(?:http|api|rest|web)_?)?client|\w*http_?client|fetch(?:er)?|ky|got|superagent|request|requests|httpx|session|api|\w*api|\w*rest_?template|conn|connection|faraday|rest_?client|httparty|typhoeus|reqwest|ureq|guzzle|\$|jquery|instance|agent|dio)$/i;
/** Classes whose calls, with options between, send requests: `Http::withToken($token)->get('/carts')`. */
const CLIENT_CLASS = /^(?:Http|HTTParty|Faraday|Axios|Dio\(\)|URI)\.\w+\(\)/;
