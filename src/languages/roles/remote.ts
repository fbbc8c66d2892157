/**
 * Uses that name what they want by a text, not by a path of HTTP. Requests: fields of GraphQL documents, methods of gRPC's clients, topics.
 * Uses within a repository: tokens of containers, keys of registries, functions in tables, and methods by computed names.
 */
import { wordSet } from '../language.js';
import { headText } from './declarations.js';
import { type Binding, NO_HANDLER, type Reference } from './relation-facts.js';
import type { FactSink } from './relations.js';
import { lastPart } from './scan.js';

// GraphQL: the root fields of an operation are its requests.

const MAX_DOCUMENT = 20_000;
const MAX_FIELDS = 500;
/** A comment, a string, or one mark or name of a document. `${…}` of a template stands between them. */
const TOKEN = /#[^\n]*|"""[^"]*"""|"[^"\n]*"|\$\{[^}]{0,200}\}|\.{3}|[A-Za-z_]\w*|[{}():@$]/g;
const ROOT_TYPES: ReadonlyMap<string, string> = new Map([
  ['query', 'Query'],
  ['mutation', 'Mutation'],
  ['subscription', 'Subscription'],
]);

/** States a request for each root field of the operations in [from, to) of a file. */
export function documentRequests(from: number, to: number, sink: FactSink): void {
  const text = headText(sink.source, from, to, MAX_DOCUMENT);
  let root: string | undefined;
  let [braces, brackets, count] = [0, 0, 0];
  let last = '';
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (/^[#"]/.test(token)) continue;
    brackets += Number(token === '(') - Number(token === ')');
    if (brackets > 0) continue;
    if (token === '{') {
      // A document that begins with a bracket is a query.
      if (braces++ === 0 && last === '') root = 'Query';
    } else if (token === '}') {
      if (--braces === 0) root = undefined;
    } else if (braces === 0 && beginsOperation(token, last)) root = ROOT_TYPES.get(token);
    else if (braces === 1 && root !== undefined && isField(token, last, text.slice(index + token.length))) {
      if (++count > MAX_FIELDS) return;
      const at = from + index;
      sink.reference(at, at + token.length, 'request', token, { literal: `GQL /${root}/${token}` });
    }
    last = token;
  }
}

const beginsOperation = (token: string, last: string): boolean => /^[a-z]/.test(token) && (last === '' || last === '}');

/** Is a name a field that is asked for? `mine: cart` asks for `cart`, and `__typename` is no field of the server's. */
function isField(token: string, last: string, behind: string): boolean {
  if (!/^(?!__)[a-z_]/.test(token) || token === 'on' || /^(?:[@$]|\.{3})$/.test(last)) return false;
  return !/^\s*:/.test(behind.slice(0, 50));
}

const TEMPLATE = /\b(?:gql|graphql)\s*(?:\(\s*(?:\/\*[^*]{0,40}\*\/\s*)?)?`|\/\*\s*GraphQL\s*\*\/\s*`/g;

/** States the requests of the templates of a file that hold documents. */
export function templateRequests(sink: FactSink): void {
  const { source } = sink;
  if (!source.includes('gql') && !/graphql/i.test(source)) return;
  for (const match of source.matchAll(TEMPLATE)) {
    const from = match.index + match[0].length;
    const end = source.indexOf('`', from);
    if (end > from && /\b(?:query|mutation|subscription)\b|^\s*\{/.test(headText(source, from, end, 2_000)))
      documentRequests(from, end, sink);
  }
}

// gRPC: a call of a stub is a request to the service that its type names.

/** A file that knows services. */
const USES_SERVICES = /grpc|_pb|\bpb\b|proto|tonic|connectrpc|::Stub\b/i;
/** The type of a stub, or what makes one: `pb.NewCartServiceClient()`, `CartServiceGrpc.newBlockingStub()`, `CartServiceClient`. */
const STUB =
  /(?:^|[^\w])(?:New)?([A-Z]\w*?)(?:(?:Blocking|Future|Async|Coroutine|Promise|BlockingV2)?Stub|(?:Promise)?Client)(?![\w])|(?:^|[^\w])([A-Z]\w*?)Grpc(?:Kt)?\.new\w{0,20}Stub|([A-Z]\w*)\.Stub\b|\bcreate(?:Promise|Callback)?Client\(([A-Z]\w*)\)/;
/** NestJS: `this.carts = this.client.getService<CartService>('CartService')`. */
const HELD_SERVICE = /([\w$]{1,80})\s*=\s*[\w$.]{0,80}\bgetService<([A-Z]\w*?)(?:Client)?>/g;
/** A stub by its name alone. */
const NAMED_STUB = /^(\w*[a-z]Service|[a-z]\w*)_?(?:Client|Stub|client|stub|_client|_stub)$/;
/** A member of a stub, and none of every client. */
const PROCEDURE =
  /^(?!(?:close|Close|shutdown|Dispose|connect|with\w*|getChannel|get|post|put|delete|send|Do|request)$)\w+$/;

/** Requests of calls on stubs, by the reference; null for a file without any. */
export function stubCalls(
  text: string,
  references: readonly Reference[],
  bindings: readonly Binding[],
): Map<Reference, string> | null {
  if (!USES_SERVICES.test(text)) return null;
  const services = new Map<string, string>();
  for (const { name, type, value } of bindings) {
    const service = serviceOf(type) ?? serviceOf(value);
    if (service !== null) services.set(name, service);
  }
  if (text.includes('getService<'))
    for (const [, name, service] of text.matchAll(HELD_SERVICE)) services.set(name, service);
  const found = new Map<Reference, string>();
  for (const reference of references) {
    const { kind, name, receiver } = reference;
    if (kind !== 'call' || receiver === '' || !PROCEDURE.test(name)) continue;
    const last = lastPart(receiver);
    const service = services.get(last) ?? (last.endsWith(')') ? serviceOf(receiver) : serviceNamed(last));
    if (service !== null) found.set(reference, `GRPC /${service}/${procedureName(name).replace(/Async$/, '')}`);
  }
  return found.size === 0 ? null : found;
}

function serviceOf(written: string): string | null {
  const match = written === '' ? null : STUB.exec(written);
  return match?.slice(1).find((name) => name !== undefined) ?? null;
}

function serviceNamed(name: string): string | null {
  const service = NAMED_STUB.exec(name)?.[1];
  return service === undefined || service.length < 4 || service === 'http' ? null : procedureName(service);
}

/** `GetCart` for `getCart` and `get_cart`, as descriptions of services write it. */
export function procedureName(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A name as GraphQL's schemas write it: `cartItems` of `cart_items` and `CartItems`. */
export function fieldName(name: string): string {
  const whole = name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
  return whole.charAt(0).toLowerCase() + whole.slice(1);
}

// Values that a container gives for a token, and that a registry holds under a key. `graph/named-uses.ts` joins both sides.

const TOKEN_TEXT = String.raw`(?:(["'])([^"'\n]{1,100})\1|([A-Za-z_$][\w$.]{0,100}))`;
const PROVIDERS = [
  // `{ provide: STORE, useClass: FileStore }`
  new RegExp(
    String.raw`\bprovide\s*:\s*${TOKEN_TEXT}\s*,\s*use(?:Class|Existing|Factory|Value)\s*:\s*([A-Za-z_$][\w$.]{0,100})(?=\s*[,}])`,
    'g',
  ),
  // `container.register('Store', { useClass: FileStore })`, `registerSingleton('Store', FileStore)`
  new RegExp(
    String.raw`\bregister(?:Singleton|Instance)?(?:<[^<>()]{0,80}>)?\(\s*${TOKEN_TEXT}\s*,\s*(?:\{\s*use\w{1,12}\s*:\s*)?([A-Z][\w$.]{0,100})(?=\s*[,})])`,
    'g',
  ),
  // `bind(STORE).to(FileStore)`
  new RegExp(
    String.raw`\bbind(?:<[^<>()]{0,80}>)?\(\s*${TOKEN_TEXT}\s*\)\s*\.\s*to\(\s*([A-Z][\w$.]{0,100})(?=\s*\))`,
    'g',
  ),
];
const MAKES_PROVIDERS = /\bprovide\s*:|\bregister(?:Singleton|Instance)?[<(]|\bbind[<(]/;

/** States the value for each token of a container as the handler of a route `PROVIDE =token`. */
export function provided(sink: FactSink): void {
  const { source } = sink;
  if (!MAKES_PROVIDERS.test(source)) return;
  for (const pattern of PROVIDERS)
    for (const match of source.matchAll(pattern)) {
      const [whole, , text, name = '', value] = match;
      const end = match.index + whole.length;
      const token = text ?? lastPart(name);
      // The last character of the name: the use of the name stands at its first, and an offset stands for one use.
      sink.reference(end - 1, end, 'route', value, { literal: `PROVIDE =${token}` });
    }
}

const REGISTRY =
  /(?<![\w$])([\w$]{0,40}(?:[rR]egistry|REGISTRY|[pP]lugins|PLUGINS|[fF]actory|FACTORY|[hH]andlers|HANDLERS|[cC]ommands|COMMANDS)\w{0,20})(?:\.(?:get|create|make|build|lookup|resolve)\(|\[)\s{0,20}(["'])([\w.:-]{1,80})\2\s{0,20}[,)\]]/g;

/** States that a registry is asked for what it holds under a key as a request `TAKE =key`. */
export function takenFromRegistries(sink: FactSink): void {
  for (const match of sink.source.matchAll(REGISTRY)) {
    const [whole, registry, quote, key] = match;
    const at = match.index + whole.lastIndexOf(quote + key);
    sink.reference(at, at + key.length + 2, 'request', registry, { literal: `TAKE =${key}` });
  }
}

// Functions that are taken out of a table by a computed key, and methods by computed names: `handlers[type]()`, `this[name]()`.

const TAKEN =
  /(?<![\w$.])([A-Za-z_$][\w$]{0,60})(?:\[(?!["'\d\]:])[^[\]\n]{1,60}\]|\.get\((?!["'\d])[^()\n]{1,60}\))(?=\s{0,10}[;,)\n(]|\s{0,10}\|\||\s{0,10}\?\?)/g;
const OBJECT_BEHIND = /^\s{0,10}(?::[^=\n]{0,80})?=\s{0,10}(?:Object\.freeze\(\s{0,10})?\{/;

/** States uses of all functions of a table that this file declares, where one of them is taken by a key that it computes. */
export function takenFromTables(sink: FactSink): void {
  const { source } = sink;
  const known = new Map<string, boolean>();
  for (const { index, 1: table, 0: whole } of source.matchAll(TAKEN)) {
    if (table === 'this' || !isTable(table, source, known)) continue;
    const at = index + table.length;
    const kind = source[index + whole.length] === '(' ? 'call' : 'value';
    sink.reference(at, index + whole.length, kind, `${table}.any#.all`);
  }
}

function isTable(name: string, source: string, known: Map<string, boolean>): boolean {
  const found = known.get(name);
  if (found !== undefined) return found;
  let isOne = false;
  let at = source.indexOf(name);
  for (let tries = 0; at !== -1 && !isOne && tries < MAX_MENTIONS; tries++) {
    const end = at + name.length;
    isOne = !/[\w$.]/.test(source[at - 1] ?? '') && OBJECT_BEHIND.test(source.slice(end, end + 120));
    at = source.indexOf(name, end);
  }
  known.set(name, isOne);
  return isOne;
}

/** Maximum number of mentions of a name of which one may declare it. */
const MAX_MENTIONS = 50;
/** Maximum distance between a list of names and the call that uses one. UTF-16 units. */
const MAX_LIST = 2_000;
const OWN_BY_NAME = /\bthis\[\s{0,5}([A-Za-z_$][\w$]{0,60})(\[[^[\]\n]{1,60}\])?\s{0,5}\]\s{0,5}\(/g;
const NAME_IN_QUOTES = /(["'])([A-Za-z_$][\w$]{1,60})\1\s{0,10}(?=[,\]}])/g;

/** States calls of own methods by names that are the elements or values of one list or object of the file: `this[METHODS[kind]]()`. */
export function calledByListedNames(sink: FactSink): void {
  const { source } = sink;
  if (!source.includes('this[')) return;
  for (const { index, 0: whole, 1: name, 2: key } of source.matchAll(OWN_BY_NAME)) {
    const names = [...new Set(listedNames(name, source, key === undefined ? index : source.length, 2))];
    // An offset stands for one use.
    for (const [i, each] of names.slice(0, whole.length).entries())
      sink.reference(index + i, index + whole.length, 'call', `this.named#.${each}`);
  }
}

/** Text behind a variable that holds a written list or object, or, behind `of`, each element of one. */
const HOLDS = /^\s{0,10}(?:(?::[^=\n]{0,80})?=\s{0,10}(?:Object\.freeze\(\s{0,10})?|of\s{1,10})([[{])/;
/** Text behind a variable that holds an element of another variable, group 1. */
const IS_ONE_OF = /^\s{0,10}(?:=|of)\s{0,10}([A-Za-z_$][\w$]{0,60})\s{0,5}[[);]/;

/**
 * Names in the list or object that a variable holds, or of which it is an element: the last mention before `from` that gives it a value
 * decides. `depth`: further variables that are followed.
 */
export function listedNames(name: string, source: string, from: number, depth: number): string[] {
  let at = source.lastIndexOf(name, from - 1);
  for (let tries = 0; at >= 0 && tries < MAX_MENTIONS; tries++, at = at === 0 ? -1 : source.lastIndexOf(name, at - 1)) {
    if (/[\w$.]/.test(source[at - 1] ?? '') || /[\w$]/.test(source[at + name.length] ?? '')) continue;
    const behind = source.slice(at + name.length, at + name.length + MAX_LIST);
    const list = HOLDS.exec(behind);
    if (list !== null) {
      const end = behind.indexOf(list[1] === '[' ? ']' : '}', list[0].length);
      return [...behind.slice(0, end + 1).matchAll(NAME_IN_QUOTES)].map(([, , found]) => found);
    }
    const other = IS_ONE_OF.exec(behind)?.[1];
    if (other !== undefined && other !== name)
      return depth > 0 ? listedNames(other, source, source.length, depth - 1) : [];
    // A parameter can be any name.
    if (/[(,]\s{0,5}$/.test(source.slice(Math.max(0, at - 6), at)) && /^\s{0,5}[,)=:]/.test(behind)) return [];
  }
  return [];
}

// Topics and queues by their names: what is published to one runs those that subscribe to it.

export const PUBLISHES = wordSet(
  'publish Publish sendToQueue convertAndSend emit send produce basic_publish send_task signature add addBulk',
);
export const SUBSCRIBES = wordSet(
  'subscribe Subscribe consume QueueSubscribe basic_consume on once addListener Worker',
);
const BROKER =
  /(?:^|[._])\w*(?:client|broker|bus|producer|publisher|subscriber|consumer|pub_?sub|kafka|kafka_?template|rabbit|rabbit_?template|amqp|channel|nats|nc|redis|mqtt|queue|(?:jms|sqs|amqp|messaging|pulsar)_?template|socket|io|celery|celery_?app|current_app)(?:\(\))?$/i;
/** Events of values that have another process at their end. Those of one process are found by their object (`graph/named-uses.ts`). */
const EVENTS: ReadonlySet<string> = new Set(['emit', 'on', 'once', 'addListener']);
const REMOTE = /(?:^|[._])\w*(?:socket|io|client|proxy|producer|publisher|kafka|rabbit|nats)(?:\(\))?$/i;
/** Values, and files with such clients, whose messages go to topics of one word as well. */
const SENDS_TO_TOPICS = /(?:template|producer)$/i;
const MICROSERVICES = /\bClient(?:Proxy|Kafka|RMQ)\b/;
/** A name of a topic among other strings: of several words. */
const TOPIC = /^[A-Za-z][\w-]*(?:[.:/][\w*-]+)+$|^[A-Za-z]\w*[_-][\w-]+$/;
const HANDLER = /^(?:this\.|self\.|&)?[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/;
/** An argument that is named: `{ topic: 'orders' }`, `routing_key='mail'`, `queue="mail"`. */
const NAMED_TOPIC = /\b(?:topics?|routing_key|queue|channel|cmd)\s*[:=]\s*\[?\s*(["'])([\w.:/-]{1,100})\1/;
const NAMED_CALLBACK = /\bon_message_callback\s*=\s*([\w.]{1,100})/;
export const QUEUES = /\bnew\s+Queue\b|@InjectQueue\b/;
/** Variables that hold a queue by its name: `const mails = new Queue('mail')`, `@InjectQueue('mail') private mails: Queue`. */
export const HELD_QUEUE =
  /([\w$]{1,80})\s*=\s*new\s+Queue(?:<[^<>\n]{0,80}>)?\(\s*["']([\w:.-]{1,80})["']|@InjectQueue\(\s*["']([\w:.-]{1,80})["']\s*\)\s*(?:(?:private|public|protected|readonly)\s+){0,2}([\w$]{1,80})/g;

export function isTopicCall({ kind, name, receiver }: Reference, hasQueues: boolean): boolean {
  if (kind === 'new') return name === 'Worker';
  if (name === 'send_task') return kind === 'call';
  if (EVENTS.has(name)) return kind === 'call' && REMOTE.test(receiver);
  if (/^add/.test(name)) return kind === 'call' && receiver !== '' && hasQueues;
  return kind === 'call' && receiver !== '' && (PUBLISHES.has(name) || SUBSCRIBES.has(name)) && BROKER.test(receiver);
}

/** Reads the calls of a file. */
export interface TopicReader {
  readonly text: string;
  readonly hasQueues: boolean;
  /** Arguments of a call as text; null if it is not found. Each call is read once, in the order of the text: the next search begins there. */
  argumentsOf(reference: Reference): string[] | null;
  /** Value of an expression with no unknown part; '' for others. */
  textOf(written: string): string;
  /** Names of queues by the variables that hold them. */
  queues(): ReadonlyMap<string, string>;
}

const NAMED_CONSTANT = /\b(?:topics?|routing_key|queue|channel|cmd)\s*[:=]\s*\[?\s*((?:\w+(?:\.|::)){0,4}\w+)\s*[,\]}]/;

/** Names of what has names of topics as its parts, and of a topic itself. */
const HOLDS_TOPICS = /topic|event|queue|channel|subject|message|pattern/i;
const IS_TOPIC = /^[A-Z][A-Z\d_]+$|^[A-Z]\w*?(?:Topic|Event|Queue|Channel|Subject)/;

/** Mark of a constant whose value another file has: `{=ORDER_PAID}`; '' for other expressions. The linked graph knows which one it is. */
function heldTopic(written: string): string {
  const parts = written.trim().split(/\.|::|\\/);
  const name = parts[parts.length - 1];
  if (!parts.every((part) => /^\w+$/.test(part))) return '';
  return IS_TOPIC.test(name) || HOLDS_TOPICS.test(parts[parts.length - 2] ?? '') ? `{=${name}}` : '';
}

/** The request of a call that publishes to a topic, or the route of one that subscribes; null for other calls. */
export function topicOf(reference: Reference, reader: TopicReader): Reference | null {
  const { name, receiver } = reference;
  if (!isTopicCall(reference, reader.hasQueues)) return null;
  if (/^add/.test(name) && !reader.queues().has(lastName(receiver))) return null;
  const list = reader.argumentsOf(reference) ?? [];
  const topic = topicIn(list, reference, reader);
  if (topic === '') return null;
  const literal = `TOPIC /${topic}`;
  if (PUBLISHES.has(name)) return { ...reference, kind: 'request', literal };
  if (receiver === '' && name === 'Worker' && !/\bbull/.test(reader.text)) return null;
  const path = handlerIn(list);
  const owner = path.slice(0, Math.max(0, path.lastIndexOf('.')));
  return { ...reference, kind: 'route', name: lastPart(path), receiver: owner, literal };
}

/** Access path of the function that a subscription runs. */
function handlerIn(list: readonly string[]): string {
  const last = list.length > 1 ? list[list.length - 1].trim() : '';
  const written = NAMED_CALLBACK.exec(list.join(','))?.[1] ?? last;
  if (HANDLER.test(written)) return written.replace(/^&/, '').replace(/^self\./, 'this.');
  const own = /^\[\s*\$this\s*,\s*(["'])(\w+)\1\s*\]$/.exec(written)?.[2];
  return own === undefined ? NO_HANDLER : `this.${own}`;
}

const MAX_WRITTEN = 300;

const RECORD = /^\s*new ProducerRecord\b[^("]{0,100}\(/;

/** Is the first argument an exchange? `channel.publish('shop', 'orders.created', body)` */
const isRouted = (list: readonly string[], name: string, receiver: string): boolean =>
  list.length > 2 && (name === 'convertAndSend' || (name === 'publish' && /channel$/i.test(receiver)));

/** Name of the topic that a call means; '' if it is not known. */
function topicIn(list: readonly string[], { name, receiver }: Reference, reader: TopicReader): string {
  if (/^add/.test(name)) return reader.queues().get(lastName(receiver)) ?? '';
  const [first = '', second = ''] = list;
  const named = NAMED_TOPIC.exec(list.join(','))?.[2];
  if (named !== undefined && (/^\s*\{/.test(first) || name.startsWith('basic_'))) return named;
  const written = (isRouted(list, name, receiver) ? second : first).replace(RECORD, '');
  const value = reader.textOf(written);
  if (value === '' && written.length < MAX_WRITTEN)
    return heldTopic(/^\s*\{/.test(written) ? (NAMED_CONSTANT.exec(written)?.[1] ?? '') : written);
  const form = takesPlainNames(list, name, receiver, reader) ? /^[\w.:/-]+$/ : TOPIC;
  return form.test(value) ? value : '';
}

/** Can the call mean nothing but a topic, so that a plain word is the name of one? */
function takesPlainNames(list: readonly string[], name: string, receiver: string, reader: TopicReader): boolean {
  if (/Queue$|^consume$|convertAndSend|^Worker$|^send_task$/.test(name)) return true;
  if (/^\s*new ProducerRecord\b/.test(list[0] ?? '')) return true;
  if (list.length < 2 || !/^(?:emit|send)$/.test(name)) return false;
  return SENDS_TO_TOPICS.test(receiver) || MICROSERVICES.test(reader.text);
}

/** Last name of an access path, without its marks: `client` of `this.client()`. */
export function lastName(receiver: string): string {
  return lastPart(receiver).replace(/(?:\(\)|\[\]|\{\})+$/, '');
}
