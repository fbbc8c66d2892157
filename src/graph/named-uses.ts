/**
 * Finds functions that code runs by a name which both sides state: handlers of events and of messages, receivers of signals, what a
 * container gives for a token, and what a registry holds under a key. The uses are edges of kind `request`, likely and no more, beside
 * the edge of the call. Any file may name a handler, so they are found anew whenever a snapshot is linked.
 */
import { addTo } from '../base/lists.js';
import { wordSet } from '../languages/language.js';
import type { Graph } from './graph.js';
import { isProduction, isTest } from './query/node-place.js';
import { directMembers, INHERIT_KINDS, isFunction, isType, outgoing } from './query/uses.js';
import { edgesWith, heldConstant } from './route-tables.js';
import { EDGE_KINDS, type EdgeKind, EVIDENCE_TIERS, type GraphTables } from './tables.js';

const REQUEST = EDGE_KINDS.indexOf('request');
const LIKELY = EVIDENCE_TIERS.indexOf('likely');

const EDGE_COLUMNS = [
  'edgeTo',
  'edgeKind',
  'edgeTier',
  'edgeLine',
  'edgeSpan',
  'edgeName',
  'edgeReceiver',
  'edgeLiteral',
] as const;

/** Maximum number of functions that one call runs by a name: a name with more is that of something general. */
const MAX_TARGETS = 12;
/** Maximum number of functions that a listener without a name calls. */
const MAX_CALLED = 5;
/** Maximum number of lines of such a listener: a longer one does things of its own. */
const MAX_LISTENER_LINES = 3;
/** Maximum number of uses before and behind a call among which its message is looked for. */
const MAX_NEAR = 300;
/** Maximum number of types above one. */
const MAX_PARENTS = 50;

const LISTENS = wordSet(
  'on once addListener prependListener prependOnceListener addEventListener add_listener OnEvent',
);
const EMITS: ReadonlySet<string> = new Set(['emit', 'emitAsync', 'CustomEvent', 'Event']);
const CONNECTS: ReadonlySet<string> = new Set(['connect', 'connect_via', 'receiver']);
const SENDS: ReadonlySet<string> = new Set(['send', 'send_robust', 'asend', 'asend_robust', 'send_async']);
/** A decorator that fills a registry, a decorator of a parameter that a container fills, and those that give values. */
const REGISTERS = /^(?:[A-Za-z]+_)?(?:register|Register)(?:[_A-Z]\w*)?$/;
const INJECTS: ReadonlySet<string> = new Set(['Inject', 'inject']);
const CONTAINER = /(?:^|\.)(?:container|injector|moduleRef|ioc)(?:\(\))?$/i;
/** Texts of references that state the value for a token, and the key under which a registry is asked. */
const GIVEN = 'PROVIDE =';
const TAKEN = 'TAKE =';

/** Events of the platform, which its own objects send as well: there, the name alone tells nothing. */
const PLATFORM_EVENTS = wordSet(
  `error end data close finish drain pipe unpipe readable connect connection disconnect message open listening exit abort aborted request
   response upgrade timeout socket lookup ready secureConnect session resume pause line signal spawn change input submit click dblclick
   keydown keyup keypress load unload resize scroll focus blur mouseover mouseout mousedown mouseup mousemove mouseenter mouseleave
   touchstart touchend touchmove pointerdown pointerup pointermove drag drop dragstart dragend dragover wheel contextmenu reset select
   progress animationend transitionend popstate hashchange storage online offline beforeunload DOMContentLoaded visibilitychange
   newListener removeListener uncaughtException unhandledRejection add remove update start stop done`,
);
const COMPOSITE = /[:.\-_/ ]|[a-z][A-Z]/;

/** Calls that send a message, whatever their receiver is, and those that only a bus makes one. */
const DISPATCHES = wordSet(
  `dispatch dispatchSync dispatch_sync dispatchNow dispatch_now dispatchAfterResponse dispatchIf dispatchUnless event publishEvent`,
);
const DELIVERS = wordSet('publish Publish send Send execute handle query ask post');
const BUS = /(?:bus|mediator|dispatcher|gateway|publisher|sender|endpoint|context|getDefault)(?:\(\))?$/i;
/** Methods that take a message, and the marks of those with other names: of their own, or of their type. */
const HANDLES = /^(?:__invoke|handle|Handle|Consume)$/;
const MAY_HANDLE = /^(?:execute|on[A-Z_]\w*)$/;
const HANDLER = /(?:Handler|Listener|Subscriber|Consumer)(?:Interface)?$/;
const MARKED =
  /^(?:As)?(?:MessageHandler|(?:Transactional)?EventListener|(?:Command|Query|Events?)Handler|Subscribe|Action)$/;

const ROUTED = /^(?:Route|Get|Post|Put|Patch|Delete)(?:Mapping)?$/;
/** Types that are messages by their names: what sends one of these sends no other that it was given. */
const MESSAGE = /(?:Event|Message|Command|Query|Notification|Job)$/;

/** Kinds of edges that send, register or ask for something, by their names. */
const RUNNING: readonly EdgeKind[] = ['call', 'new', 'decorator'];

interface Added {
  /** The edge behind which it stands. */
  edge: number;
  to: number;
}

/** The graph with uses by names. */
export function withNamedUses(graph: Graph): GraphTables {
  const added = new NamedUses(graph).all().sort((a, b) => a.edge - b.edge || a.to - b.to);
  return added.length === 0 ? graph.tables : withEdges(graph.tables, added);
}

/** The graph as it was before uses by names were added. */
export function withoutNamedUses(tables: GraphTables): GraphTables {
  const { edgeKind, edgeTier } = tables;
  const runs: Run[] = [];
  let start = 0;
  for (let edge = edgeKind.indexOf(REQUEST); edge >= 0; edge = edgeKind.indexOf(REQUEST, edge + 1)) {
    if (edgeTier[edge] !== LIKELY) continue;
    runs.push([start, edge]);
    start = edge + 1;
  }
  return start === 0 ? tables : ofRuns(tables, [...runs, [start, edgeKind.length]]);
}

/** Each added use begins as a copy of the edge that it stands behind. */
function withEdges(tables: GraphTables, added: readonly Added[]): GraphTables {
  const runs: Run[] = [];
  let start = 0;
  for (const { edge } of added) {
    runs.push([start, edge + 1]);
    start = edge;
  }
  const found = ofRuns(tables, [...runs, [start, tables.edgeKind.length]]);
  for (const [i, { edge, to }] of added.entries()) {
    const place = edge + 1 + i;
    found.edgeTo[place] = to;
    found.edgeKind[place] = REQUEST;
    found.edgeTier[place] = LIKELY;
  }
  return found;
}

/** Edges from one to before another. */
type Run = [start: number, end: number];

/** The graph with the edges of some runs alone, which are in order; an edge that ends one may begin the next as well. */
function ofRuns(tables: GraphTables, runs: readonly Run[]): GraphTables {
  const base = tables.edgeBase.slice();
  let [node, at] = [0, 0];
  for (const [start, end] of runs) {
    for (; node < base.length && base[node] < end; node++) base[node] = at + Math.max(0, base[node] - start);
    at += end - start;
  }
  base.fill(at, node);
  const columns = { ...tables, edgeBase: base };
  for (const name of EDGE_COLUMNS) {
    const column = tables[name];
    const copy = new (column.constructor as new (size: number) => typeof column)(at);
    let next = 0;
    for (const [start, end] of runs) {
      copy.set(column.subarray(start, end), next);
      next += end - start;
    }
    Object.assign(columns, { [name]: copy });
  }
  return columns;
}

/** An object that sends events, as far as the text tells: a type here, or the name of a value. */
interface Channel {
  type: number;
  name: string;
  /** Functions without a receiver: those of a component, or what one emitter was taken apart into. */
  isBare?: boolean;
}

interface Listener {
  channel: Channel;
  targets: number[];
  file: number;
}

interface Emission extends Pick<Listener, 'channel' | 'file'> {
  edge: number;
  event: string;
}

/** A call that sends a message, and the types that may be that message. */
interface Sending {
  edge: number;
  /** Types that the call names. */
  inside: number[];
  /** Types of which its function made an instance before. */
  before: number[];
  /** Other types that the function names before, as its parameters. */
  handed: number[];
  /** Constants in the call that name an event, -1 for one from outside. */
  events: number[];
}

class NamedUses {
  private readonly listeners = new Map<string, Listener[]>();
  private readonly emissions: Emission[] = [];
  /** Receivers of signals by the node of the signal, and calls that send one. */
  private readonly connected = new Map<number, Set<number>>();
  private readonly sent: { edge: number; signal: number }[] = [];
  /** Values by token or key, and the edges that ask for them. */
  private readonly given = new Map<string, Set<number>>();
  private readonly taken: { edge: number; key: string }[] = [];
  private readonly sendings: Sending[] = [];

  constructor(private readonly graph: Graph) {}

  all(): Added[] {
    const { tables } = this.graph;
    const { edgeName, strings } = tables;
    const named = edgesWith(tables, RUNNING, 'edgeName', (name) => this.roleOf(name) !== null);
    for (const edge of named) this.roleOf(strings[edgeName[edge]])?.(edge);
    const isStated = (literal: string) => literal.startsWith(GIVEN) || literal.startsWith(TAKEN);
    for (const edge of edgesWith(tables, ['route', 'request'], 'edgeLiteral', isStated)) this.stated(edge);
    return [...this.ofEvents(), ...this.ofSignals(), ...this.ofKeys(), ...this.ofMessages()];
  }

  /** Role of the edges with a name, null for most names. */
  private roleOf(name: string): ((edge: number) => void) | null {
    if (LISTENS.has(name)) return (at) => this.listen(at);
    if (EMITS.has(name)) return (at) => this.emit(at);
    if (CONNECTS.has(name) || SENDS.has(name)) return (at) => this.signal(at, name);
    if (DISPATCHES.has(name) || DELIVERS.has(name)) return (at) => this.message(at, name);
    const isKeyed = INJECTS.has(name) || name === 'resolve' || REGISTERS.test(name);
    return isKeyed ? (at) => this.keyed(at, name) : null;
  }

  private listen(edge: number): void {
    const { from, kind, literal: written, receiver } = this.graph.edge(edge);
    const literal = written || heldConstant(this.graph, edge);
    if (literal === '') return;
    const targets = kind === 'decorator' ? [from] : this.handlersOf(edge);
    if (targets.length === 0) return;
    const listener = { channel: this.channelOf(from, receiver), targets, file: this.graph.fileOf(from) };
    addTo(this.listeners, literal, listener);
  }

  private emit(edge: number): void {
    const { from, kind, literal: written, receiver, name } = this.graph.edge(edge);
    const literal = written || heldConstant(this.graph, edge);
    const isMade = /Event$/.test(name);
    if (literal === '' || (kind === 'new') !== isMade) return;
    // An event that is made says nothing of its sender, so its name must tell.
    if (isMade && !COMPOSITE.test(literal)) return;
    const file = this.graph.fileOf(from);
    const channel = { ...this.channelOf(from, receiver), isBare: receiver === '' && !isMade };
    this.emissions.push({ edge, event: literal, channel, file });
  }

  /** The function that a call is handed; of a function without a name, what it calls. */
  private handlersOf(edge: number): number[] {
    const { graph } = this;
    const { from, startLine, endLine } = graph.edge(edge);
    const [, end] = graph.edgeRange(from);
    const called: number[] = [];
    for (let next = edge + 1; next < end && graph.tables.edgeLine[next] <= endLine; next++) {
      const other = graph.edge(next);
      if (other.literal !== '' && LISTENS.has(other.name)) break;
      if (other.to < 0 || graph.isFile(other.to)) continue;
      if (other.kind === 'value' && isFunction(graph, other.to) && other.startLine - startLine <= 2) return [other.to];
      const isShort = endLine - startLine < MAX_LISTENER_LINES && called.length < MAX_CALLED;
      if (other.kind === 'call' && isFunction(graph, other.to) && isShort) called.push(other.to);
    }
    return [...new Set(called)];
  }

  private channelOf(from: number, receiver: string): Channel {
    if (receiver === 'this') {
      const type = this.typeAround(from);
      return { type, name: type < 0 ? '' : plainName(this.graph.name(type)) };
    }
    const name = /([\p{L}\p{N}_$]+)(?:\(\))?$/u.exec(receiver)?.[1] ?? '';
    return { type: -1, name: plainName(name), isBare: receiver === '' };
  }

  private typeAround(from: number): number {
    const { graph } = this;
    for (let node = from; node >= 0 && !graph.isFile(node); node = graph.container(node))
      if (isType(graph, node)) return node;
    return -1;
  }

  private *ofEvents(): Generator<Added> {
    const senders = new Map<string, Set<string>>();
    for (const { event, channel } of this.emissions)
      senders.set(event, (senders.get(event) ?? new Set()).add(channel.name));
    for (const { edge, event, channel, file } of this.emissions) {
      const isKnown = this.knownTo(file);
      const all = (this.listeners.get(event) ?? []).filter(
        (one) =>
          this.canHear(one.file, file) && (isKnown === null || isKnown.has(one.file)) && canBe(one.channel, channel),
      );
      const near = all.filter((one) => this.isSame(one.channel, channel));
      const isOwn = !PLATFORM_EVENTS.has(event) && (COMPOSITE.test(event) || (senders.get(event)?.size ?? 0) < 2);
      const meant = near.length > 0 || !isOwn ? near : all.filter((one) => one.channel.type < 0 || channel.type < 0);
      yield* this.to(edge, new Set(meant.flatMap(({ targets }) => targets)));
    }
  }

  /** Each test makes objects of its own, and a bundle or a copy has its own code: their listeners hear the same file alone. */
  private canHear(listener: number, sender: number): boolean {
    if (listener === sender) return true;
    return isProduction(this.graph, listener) && (isProduction(this.graph, sender) || isTest(this.graph, sender));
  }

  /** Files that a test imports, and itself: its doubles send to no others. Null for a file that is no test. */
  private knownTo(file: number): ReadonlySet<number> | null {
    const { graph } = this;
    if (!isTest(graph, file)) return null;
    const files = [...outgoing(graph, graph.fileNode(file))].map((edge) => graph.target(edge));
    return new Set([file, ...files.filter((to) => to >= 0).map((to) => graph.fileOf(to))]);
  }

  private isSame(one: Channel, other: Channel): boolean {
    if (one.type >= 0 && other.type >= 0)
      return one.type === other.type || this.inherits(one.type, other.type) || this.inherits(other.type, one.type);
    // Values without a type of their own are the same only by a telling name: any program has an `emitter`.
    const isTyped = one.type >= 0 || other.type >= 0;
    return (
      one.name.length > 2 &&
      one.name === other.name &&
      (isTyped || !/^(?:emitter|events?|bus|socket|stream|process|window|document|re[qs])$/.test(one.name))
    );
  }

  private inherits(type: number, above: number): boolean {
    for (const other of this.lineage(type)) if (other === above && other !== type) return true;
    return false;
  }

  /** A type and those above it. */
  private *lineage(type: number): Generator<number> {
    const queue = [type];
    for (let i = 0; i < queue.length && i < MAX_PARENTS; i++) {
      yield queue[i];
      for (const edge of outgoing(this.graph, queue[i])) {
        const to = this.graph.target(edge);
        if (to >= 0 && INHERIT_KINDS.has(this.graph.edgeKind(edge)) && !queue.includes(to)) queue.push(to);
      }
    }
  }

  /** `@receiver(paid)`, `paid.connect(log)`, `paid.send(…)`: the signal is a variable or a field here. */
  private signal(edge: number, name: string): void {
    // `send` is a call of a signal or of a bus.
    if (DELIVERS.has(name)) this.message(edge, name);
    const { graph } = this;
    const { from, kind, receiver, startLine } = graph.edge(edge);
    const isDecorator = kind === 'decorator';
    const isReceiver = name === 'receiver';
    // `@receiver(paid)` takes the signal, `@paid.connect` and `paid.send()` are called on it.
    const isOfSignal = receiver === '' ? isReceiver && isDecorator : isDecorator || !isReceiver;
    if (!isOfSignal) return;
    const wanted = receiver === '' ? null : /([\p{L}\p{N}_]+)$/u.exec(receiver)?.[1];
    for (const signal of this.signalsOn(from, startLine, wanted)) {
      if (SENDS.has(name)) this.sent.push({ edge, signal });
      else for (const target of isDecorator ? [from] : this.handlersOf(edge)) addAmong(this.connected, signal, target);
    }
  }

  /** Signals that a function uses on a line; `wanted`: the name of the only one that counts. */
  private *signalsOn(from: number, line: number, wanted: string | null | undefined): Generator<number> {
    const [start, end] = this.graph.edgeRange(from);
    for (let edge = start; edge < end; edge++) {
      const { kind, to, startLine, name } = this.graph.edge(edge);
      if (startLine !== line || to < 0 || (kind !== 'read' && kind !== 'value')) continue;
      if ((wanted === null || name === wanted) && this.isSignal(to)) yield to;
    }
  }

  /** Is it made by a call of a name like `Signal`? */
  private isSignal(node: number): boolean {
    return [...outgoing(this.graph, node)].some((edge) => {
      const { kind, name } = this.graph.edge(edge);
      return (kind === 'call' || kind === 'new') && /signal$/i.test(name);
    });
  }

  private *ofSignals(): Generator<Added> {
    for (const { edge, signal } of this.sent) {
      const file = this.graph.fileOf(this.graph.source(edge));
      const all = [...(this.connected.get(signal) ?? [])];
      yield* this.to(edge, new Set(all.filter((to) => this.canHear(this.graph.fileOf(to), file))));
    }
  }

  /** Handlers of a table and requests whose texts the rules of the language made. */
  private stated(edge: number): void {
    const { literal, to } = this.graph.edge(edge);
    if (literal.startsWith(GIVEN) && to >= 0) addAmong(this.given, `token ${literal.slice(GIVEN.length)}`, to);
    if (literal.startsWith(TAKEN)) this.taken.push({ edge, key: `key ${literal.slice(TAKEN.length)}` });
  }

  private keyed(edge: number, name: string): void {
    const { from, kind, literal, receiver, startLine } = this.graph.edge(edge);
    if (INJECTS.has(name)) {
      const key = literal === '' ? this.valueAt(from, startLine) : literal;
      if (key !== '' && kind === 'decorator') this.taken.push({ edge, key: `token ${key}` });
    } else if (name === 'resolve') {
      const key = literal === '' ? this.valueAt(from, startLine) : literal;
      if (kind === 'call' && CONTAINER.test(receiver) && key !== '') this.taken.push({ edge, key: `token ${key}` });
    } else if (kind === 'decorator' && literal !== '') addAmong(this.given, `key ${literal}`, from);
  }

  /** Name of the constant that a call is given on a line. */
  private valueAt(from: number, line: number): string {
    const [start, end] = this.graph.edgeRange(from);
    for (let edge = start; edge < end; edge++) {
      const { kind, startLine, to, name } = this.graph.edge(edge);
      if (kind === 'value' && startLine === line && to >= 0) return name;
    }
    return '';
  }

  private *ofKeys(): Generator<Added> {
    for (const { edge, key } of this.taken) {
      const all = [...(this.given.get(key) ?? [])];
      yield* this.to(edge, new Set(all.filter((to) => this.isSeen(this.graph.source(edge), to))));
    }
  }

  /** A test gives its own values to the tests of its folder alone. */
  private isSeen(from: number, to: number): boolean {
    const { graph } = this;
    if (!isTest(graph, graph.fileOf(to))) return true;
    return graph.path(from).startsWith(graph.path(to).replace(/[^/]*$/, ''));
  }

  /** `bus.dispatch(new PayOrder(1))`, `PayOrder::dispatch(1)`, `bus.Publish<OrderPaid>(…)`. */
  private message(edge: number, name: string): void {
    const { graph } = this;
    const { from, to: known, kind, receiver, startLine, endLine } = graph.edge(edge);
    if (kind !== 'call' || !(DISPATCHES.has(name) || BUS.test(receiver))) return;
    // A class with such a method of its own is no message.
    const sender = known < 0 ? (/\w+$/.exec(receiver)?.[0] ?? '') : '';
    const sending: Sending = { edge, inside: [], before: [], handed: [], events: [] };
    const [start, end] = graph.edgeRange(from);
    for (let at = Math.max(start, edge - MAX_NEAR); at < end && at < edge + MAX_NEAR; at++) {
      if (graph.tables.edgeLine[at] > endLine) break;
      if (graph.target(at) >= 0 || at >= edge) this.addType(at, sending, { startLine, sender });
    }
    const { inside, before, handed, events } = sending;
    if (inside.length + before.length + handed.length + events.length > 0) this.sendings.push(sending);
  }

  /** Adds the type, or the event of a name, that a use near a sending call names. */
  private addType(at: number, sending: Sending, { startLine, sender }: { startLine: number; sender: string }): void {
    const { graph } = this;
    const { edge, inside, before, handed, events } = sending;
    const { to, kind: use, startLine: line, name: written, receiver: owner } = graph.edge(at);
    if (at > edge && use === 'read' && /Events?$/.test(owner) && written !== 'class') events.push(to);
    const type = to < 0 || graph.isFile(to) ? -1 : use === 'new' ? this.typeMade(to, written) : to;
    if (type < 0 || !isType(graph, type)) return;
    if (at > edge) inside.push(type);
    else if (line === startLine && written === sender) inside.unshift(type);
    else if (use === 'new') before.push(type);
    else if (use === 'type') handed.push(type);
  }

  /** Type of a new instance, whose constructor can be that of a type above. */
  private typeMade(to: number, name: string): number {
    const { graph } = this;
    const type = this.typeAround(to);
    if (type < 0 || graph.name(type) === name) return type;
    const named = graph.nodesNamed(name).filter((node) => isType(graph, node));
    return named.length === 1 ? named[0] : type;
  }

  private *ofMessages(): Generator<Added> {
    if (this.sendings.length === 0) return;
    const { graph } = this;
    const types = new Set(this.sendings.flatMap(({ inside, before, handed }) => [...inside, ...before, ...handed]));
    const [handlers, listed] = [this.handlersOfTypes(types), this.subscribed()];
    const subscribers = new Set([...listed.values()].flatMap((methods) => [...methods]));
    for (const { edge, inside, before, handed, events } of this.sendings) {
      const from = graph.source(edge);
      const file = graph.fileOf(from);
      // The functions that hear each message, of those that some hear. A listed method hears what it is listed under; `evenListed`: its type too.
      const heard = (messages: readonly number[], evenListed = false) =>
        [...new Set(messages)]
          .filter((message) => message >= 0)
          .map((message) => [
            ...(listed.get(message) ?? []),
            ...[...(handlers.get(message) ?? [])].filter((to) => evenListed || !subscribers.has(to)),
          ])
          .map((all) => all.filter((to) => this.canHear(graph.fileOf(to), file)))
          .filter(({ length }) => length > 0);
      // An event of a name of its own runs what is listed under that name, whatever its type.
      const ofCall = events.length > 0 ? [heard(events).flat()] : heard(inside);
      // A handler sends on other messages than the one it takes.
      const isSent = [...inside, ...before].some((type) => MESSAGE.test(graph.name(type)));
      const handedOn = handed.filter((type) => !isSent && !handlers.get(type)?.has(from));
      const [ofMade, ofHanded] = ofCall.length > 0 ? [[], []] : [heard(before), heard(handedOn)];
      const ofFunction = ofMade.length > 0 ? ofMade : ofHanded;
      const isKnown = ofCall.length + ofFunction.length > 0 || inside.length > 0;
      const around = isKnown ? ofFunction : heard(before, true);
      // The first message that the call names is sent; of those around it, only one alone.
      yield* this.to(edge, new Set(ofCall[0] ?? (around.length === 1 ? around[0] : [])));
    }
  }

  /** Methods by what the subscribers of Symfony list them under: a constant, or the type of an event; -1 for one from outside. */
  private subscribed(): ReadonlyMap<number, Set<number>> {
    const { graph } = this;
    const found = new Map<number, Set<number>>();
    for (const node of graph.nodesNamed('getSubscribedEvents')) {
      let [key, keyName] = [-1, ''];
      for (const edge of outgoing(graph, node)) {
        const { to, name, literal } = graph.edge(edge);
        const isMethod = to >= 0 && isFunction(graph, to);
        // A key from outside is no edge.
        if (isMethod) addAmong(found, literal === '' || literal === keyName ? key : -1, to);
        else if (name !== 'class') [key, keyName] = [to, name];
      }
    }
    return found;
  }

  /** Methods that take a message of each type. A job of Laravel handles itself. */
  private handlersOfTypes(types: ReadonlySet<number>): ReadonlyMap<number, Set<number>> {
    const { graph } = this;
    const { edgeTo, edgeKind } = graph.tables;
    const found = new Map<number, Set<number>>();
    if (types.size === 0) return found;
    const states = EDGE_KINDS.indexOf('type');
    for (let edge = 0; edge < edgeTo.length; edge++) {
      if (edgeKind[edge] !== states || !types.has(edgeTo[edge])) continue;
      const from = graph.source(edge);
      if (this.isHandler(from)) addAmong(found, edgeTo[edge], from);
    }
    for (const type of types) {
      const own = [...this.lineage(type)].flatMap((each) => [...directMembers(graph, each)]);
      const job = own.find((member) => graph.name(member) === 'handle' && isFunction(graph, member));
      if (job !== undefined) addAmong(found, type, job);
    }
    return found;
  }

  private isHandler(node: number): boolean {
    const { graph } = this;
    if (graph.isFile(node) || !isFunction(graph, node)) return false;
    const name = graph.name(node);
    const type = graph.container(node);
    if (this.isMarked(node, 'decorator', MARKED)) return true;
    // An action of a controller takes services.
    if ((type >= 0 && /Controller$/.test(graph.name(type))) || this.isMarked(node, 'decorator', ROUTED)) return false;
    if (HANDLES.test(name)) return true;
    if (!MAY_HANDLE.test(name) || type < 0 || graph.isFile(type)) return false;
    return (
      HANDLER.test(graph.name(type)) ||
      this.isMarked(type, 'decorator', MARKED) ||
      this.isMarked(type, 'implements', HANDLER)
    );
  }

  private isMarked(node: number, kind: EdgeKind, mark: RegExp): boolean {
    return [...outgoing(this.graph, node)].some((edge) => {
      const { kind: use, name } = this.graph.edge(edge);
      return use === kind && mark.test(name);
    });
  }

  private *to(edge: number, targets: ReadonlySet<number>): Generator<Added> {
    if (targets.size > MAX_TARGETS) return;
    for (const to of targets) if (to !== this.graph.source(edge)) yield { edge, to };
  }
}

/** A bare `emit` is that of a component, which no object hears; the decorator of a listener names no object. */
const canBe = (listener: Channel, sender: Channel): boolean => sender.isBare !== true || listener.isBare === true;

const plainName = (name: string): string => name.replace(/[_$]/g, '').toLowerCase();

function addAmong<Key>(map: Map<Key, Set<number>>, key: Key, value: number): void {
  map.set(key, (map.get(key) ?? new Set()).add(value));
}
