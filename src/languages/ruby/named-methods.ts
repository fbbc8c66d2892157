/**
 * Calls of Ruby that mean more than themselves: methods that they name by symbols, modules that they mix into a type from outside, views,
 * associations of Rails, and methods that they define where they run.
 */
import { wordSet } from '../language.js';
import { headText } from '../roles/declarations.js';
import type { StatedName } from '../roles/definitions.js';
import { type AccessPath, type FactSink, MAX_LIST_LENGTH, type SyntaxNode } from '../roles/relations.js';
import { beforeLast, lastPart, type TextRange } from '../roles/scan.js';
import { useView } from '../web/views.js';
import { HOOKS, mixedFromOutside, type NamedMethod, sentByPart, stateOf } from './scopes.js';

export const MIXINS: ReadonlySet<string> = new Set(['include', 'extend', 'prepend']);

/** A call whose arguments can name methods. */
interface Naming {
  /** The list of arguments, without brackets; `end` is the end of the call. */
  from: number;
  to: number;
  /** None for a list that is too long to be looked at. */
  elements: readonly TextRange[];
  callee: AccessPath;
  /** Number of arguments; -1 if a spread hides it. */
  count: number;
  end: number;
}

/** `:total`, `if: :total`, `:if => :total` */
const SYMBOL = /^(?:(\w+):\s*|:(\w+)\s*=>\s*)?:([a-z_]\w*[?!]?)$/;
/** Methods that call the method that their first argument names, and methods that hand it on. */
const SENDING: ReadonlySet<string> = new Set(['send', 'public_send', '__send__', 'try', 'try!']);
const HANDING: ReadonlySet<string> = new Set(['method', 'instance_method', 'public_method', 'public_instance_method']);
/** Methods of a job that have `perform` of an instance run later. */
const PERFORMING = /^perform_(?:async|in|at|later|now|inline|bulk)$/;
const JOB = /^(?:[\w.]+\.)?[A-Z]\w*(?=$|\.set\(\)$)/;
/** Words that begin a list of methods without use of them, and keys of values that are no methods. */
const DECLARING =
  /^(?:private|public|protected|module_function|undef_method|remove_method|attr|define_method|scope|enum|attr_\w+|\w+_(?:class_method|constant))$/;
const NO_METHODS = wordSet(
  'only except on as foreign_key inverse_of dependent source through in class_name prefix to from',
);

/** Methods that a call names by symbols: `send(:total)`, `before_save :check, if: :open?`, `delegate :total, to: :cart`. */
export function methodsByName(naming: Naming, sink: FactSink): void {
  const { from, to, elements, callee } = naming;
  const name = lastPart(callee.accessPath);
  const receiver = beforeLast(callee.accessPath);
  if (PERFORMING.test(name)) {
    runLater(receiver, naming, sink);
    return;
  }
  const isSent = SENDING.has(name);
  if (isSent) {
    fromOutside('', receiver, [from, to], sink);
    sentByPart(receiver, [from, to], naming.end, sink);
  } else if (MIXINS.has(name)) fromOutside(name, receiver, [from, to], sink);
  const isByName = isSent || HANDING.has(name);
  if (receiver !== '' && !isByName && !(MIXED_INTO.test(receiver) && HOOKS.test(name))) return;
  const symbols: NamedMethod[] = [];
  for (const element of elements) addSymbols(element, symbols, sink);
  if (symbols.length === 0 || DECLARING.test(name)) return;
  if (isByName) byFirst(symbols[0], name, receiver, naming, sink);
  else (BY_WORD.get(name) ?? calledAsHooks)(symbols, naming, sink, name);
}

/** A job has its `perform` run later. */
function runLater(receiver: string, { callee, count, end }: Naming, sink: FactSink): void {
  const job = JOB.exec(receiver)?.[0];
  if (job !== undefined) sink.reference(callee.nameStart + 1, end, 'call', `new ${job}().perform`, { args: count });
}

/** A first argument names the method that is called, or handed on. */
function byFirst(first: NamedMethod, name: string, receiver: string, { from, count }: Naming, sink: FactSink): void {
  if (first.key !== '' || first.at > from + MAX_BEGINNING) return;
  const path = receiver === '' || receiver === 'this' ? first.name : `${receiver}.${first.name}`;
  if (HANDING.has(name)) sink.reference(first.at, first.end, 'read', path);
  else sink.reference(first.at, first.end, 'call', path, { args: Math.max(count - 1, -1) });
}

type StateSymbols = (symbols: readonly NamedMethod[], naming: Naming, sink: FactSink, name: string) => void;

/** Words whose symbols are more than methods that are called some time. */
const BY_WORD: ReadonlyMap<string, StateSymbols> = new Map<string, StateSymbols>([
  [
    'alias_method',
    ([, old], _, sink) => {
      if (old !== undefined) sink.reference(old.at, old.end, 'call', old.name);
    },
  ],
  ['delegate', delegated],
  ['def_delegators', delegatedToField],
  ['def_delegator', (symbols, naming, sink) => delegatedToField(symbols.slice(0, 1), naming, sink)],
]);

function delegated(symbols: readonly NamedMethod[], { from, to }: Naming, sink: FactSink): void {
  const owner = symbols.find(({ key }) => key === 'to')?.name;
  if (owner === undefined) return;
  const prefix = prefixIn(headText(sink.source, from, to, MAX_LIST_LENGTH));
  for (const { key, name, at, end } of symbols) {
    if (key !== '') continue;
    sink.reference(at, end, 'call', `${owner}.${name}`);
    if (prefix !== null) sink.field(at, prefix + name, '', `${owner}.${name}()`);
  }
}

function delegatedToField(symbols: readonly NamedMethod[], { from }: Naming, sink: FactSink): void {
  const owner = /^[\s(]*:@(\w+)/.exec(sink.source.slice(from, from + MAX_BEGINNING))?.[1];
  if (owner === undefined) return;
  for (const { name, at, end } of symbols) sink.reference(at, end, 'call', `this.${owner}.${name}`);
}

/** Other words may have the methods called some time: `settle` decides it by the type around. */
function calledAsHooks(symbols: readonly NamedMethod[], _: Naming, sink: FactSink, name: string): void {
  const named = symbols.filter(({ key }) => !NO_METHODS.has(key));
  stateOf(sink).named.push(...named.map((one) => ({ ...one, by: name })));
}

/** `Cart.include Totals`, `Cart.send(:include, Totals)`: a type gets a mixin from outside. `word`: '' if an argument names it. */
function fromOutside(word: string, receiver: string, [from, to]: [number, number], sink: FactSink): void {
  const sent = word === '' ? /^[\s(]*:(\w+)\s*,\s*/.exec(sink.source.slice(from, from + MAX_BEGINNING)) : null;
  const mixin = sent?.[1] ?? word;
  if (MIXINS.has(mixin)) mixedFromOutside(receiver, mixin, [from + (sent?.[0].length ?? 0), to], sink);
}

/** Longest beginning of an argument that is read, with the white space and the bracket before it. UTF-16 units. */
export const MAX_BEGINNING = 200;

/** Names of the type that a mixin is given to: `def self.included(base)`. */
const MIXED_INTO = /^(?:base|klass|model|controller|mod|target)$/;

/** Adds the symbols that an argument consists of: `:total`, `if: :total`, `if: [:open?, :paid?]`. */
function addSymbols({ start, end }: TextRange, symbols: NamedMethod[], sink: FactSink): void {
  const text = headText(sink.source, start, end, MAX_LIST_LENGTH);
  if (!text.includes(':')) return;
  const one = SYMBOL.exec(text);
  if (one !== null) {
    const [, key = '', arrowed = key, name] = one;
    symbols.push({ at: end - name.length - 1, end, name, key: arrowed });
    return;
  }
  const list = /^(?:(\w+):\s*|:(\w+)\s*=>\s*)?\[([^[\]"'{}]*)\]$/.exec(text);
  if (list === null) return;
  const [whole, key = '', arrowed = key, names] = list;
  const open = start + whole.length - names.length - 1;
  for (const match of names.matchAll(/(?<![\w:]):([a-z_]\w*[?!]?)(?=\s*(?:,|$))/g)) {
    const at = open + match.index;
    symbols.push({ at, end: at + match[0].length, name: match[1], key: arrowed });
  }
}

/** Calls that name views. */
export const RENDERS = /^(?:this\.|json\.)?(?:render(?:_to_string|_async)?|layout|partial!|mail)$/;
/** `'line'`, `:show`, `partial: 'carts/line'`, `:action => :show`; `@line` and `line` of a part with that name. */
const VIEW =
  /^(?:(?:(partial|template|action|layout|spacer_template|template_name|template_path):\s*|:(partial|template|action|layout)\s*=>\s*)?(?:(["'])([\w./-]{1,140})\3|:([a-z_]\w*))|(partial:\s*)?@?([a-z_]\w*))$/;

/** States the views that a call names: `render 'line'`, `render partial: 'carts/line'`, `render @line`, `layout 'admin'`. */
export function rendered(callee: string, elements: readonly TextRange[], sink: FactSink): void {
  for (const [i, { start, end }] of elements.entries()) {
    const match = VIEW.exec(headText(sink.source, start, end, MAX_LIST_LENGTH));
    if (match === null) continue;
    const [, key = match[2], , , text, symbol, , variable] = match;
    const isKey = key !== undefined || match[6] !== undefined;
    if ((i > 0 && !isKey) || (callee === 'mail' && !isKey)) continue;
    if (variable !== undefined) {
      // `@line` is shown by the part of its class: `lines/_line`.
      const many = variable.replace(/[^sy]$/, '$&s').replace(/y$/, 'ies');
      useView(start, end, `${many}/_${singularOf(many)}`, sink);
    } else {
      const name = text ?? symbol;
      const isPart = key === 'partial' || key === 'spacer_template' || callee.endsWith('partial!');
      const written = key === 'layout' || callee === 'layout' ? `layouts/${name}` : name;
      useView(start, end, isPart ? written.replace(/([^/]+)$/, '_$1') : written, sink);
    }
  }
}

/** Associations of Rails, and whether they give several records. */
export const ASSOCIATES: ReadonlyMap<string, boolean> = new Map([
  ['belongs_to', false],
  ['has_one', false],
  ['has_many', true],
  ['has_and_belongs_to_many', true],
  ['embeds_many', true],
  ['embeds_one', false],
]);

/** `belongs_to :till`, `has_many :lines, class_name: 'Shop::Line'`: an attribute of that class, which is used. */
export function associated(elements: readonly TextRange[], at: number, word: string, sink: FactSink): void {
  const [first, ...options] = elements;
  const texts = options.map(({ start, end }) => headText(sink.source, start, end, MAX_BEGINNING));
  const name = first === undefined ? undefined : /^:([a-z_]\w*)$/.exec(sink.source.slice(first.start, first.end))?.[1];
  if (name === undefined || texts.some((text) => /^(?:polymorphic:|:polymorphic)/.test(text))) return;
  const isMany = ASSOCIATES.get(word) === true;
  const stated = texts
    .map((text) => /^(?:class_name:|:class_name\s*=>)\s*["'](?:::)?([\w:]+)["']/.exec(text)?.[1])
    .find(Boolean);
  const one = isMany ? singularOf(name) : name;
  const type = stated ?? one.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const path = type.replaceAll('::', '.');
  if (isMany) sink.field(at, name, `[${type}]`, '');
  else sink.field(at, name, '', `new ${path}()`);
  const { start, end } = first;
  sink.reference(start + 1, end, 'type', path);
}

export function singularOf(name: string): string {
  return name
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^su])s$/, '$1');
}

// Methods that code defines where it runs: in loops over lists, with a prefix, of events and states.

/** Most nodes around one that are looked at. */
const MAX_NODES_AROUND = 12;
const ENDS_SEARCH: ReadonlySet<string> = new Set(['class', 'module', 'method', 'singleton_method', 'program']);

/** The nearest call around a node for which `read` gives a value. */
function inCall<Value>(node: SyntaxNode, read: (call: SyntaxNode) => Value | null): Value | null {
  let at = node.parent;
  for (let i = 0; i < MAX_NODES_AROUND && at !== null && !ENDS_SEARCH.has(at.kind); i++, at = at.parent) {
    const value = at.kind === 'call' ? read(at) : null;
    if (value !== null) return value;
  }
  return null;
}

/** `name`, `"#{name}_total"`, `:"#{name}?"`: the first argument of what defines a method. */
const PUT_TOGETHER = /^(?:([a-z_]\w*)|:?"((?:[^"#\\]|#\{[ ]?[a-z_]\w*(?:\.to_s)?[ ]?\})*)"(?:\.to_sym)?)$/;
const INSERTED = /#\{[ ]?([a-z_]\w*)(?:\.to_s)?[ ]?\}/g;
/** Methods that give the elements of a list, or keys, to a block as its first value. */
const LOOPS = /^(?:each|each_with_index|each_pair|each_key|each_with_object|map)$/;

/** Names of `define_method("#{kind}_total")` in a loop over a list that the text tells; null for a call that writes its name. */
export function methodsOfLoop(node: SyntaxNode, text: string): readonly StatedName[] | null {
  const word = node.field('method')?.text;
  const first = word === 'define_method' || word === 'scope' ? node.field('arguments')?.namedChildren[0] : undefined;
  if (first === undefined || first.end - first.start > MAX_BEGINNING) return null;
  const [, bare, pattern = ''] = PUT_TOGETHER.exec(first.text) ?? [];
  const inserted = bare === undefined ? [...pattern.matchAll(INSERTED)].map(([, name]) => name) : [bare];
  const [variable] = inserted;
  if (variable === undefined) return null;
  if (inserted.some((name) => name !== variable)) return [];
  const elements = inCall(node, (call) => elementsGivenTo(call, variable, text)) ?? [];
  return elements
    .map((element) => ({ name: bare === undefined ? pattern.replace(INSERTED, element) : element, at: first.start }))
    .filter(({ name }) => /^[A-Za-z_]\w*[?!=]?$/.test(name));
}

/** Elements that a call gives to its block under that name: `%w[a b].each do |kind|`. */
function elementsGivenTo(call: SyntaxNode, variable: string, text: string): readonly string[] | null {
  const block = call.field('block');
  const parameters = block?.field('parameters');
  if (block == null || parameters == null) return null;
  const given = /^\|\s*([a-z_]\w*)/.exec(text.slice(parameters.start, parameters.start + MAX_BEGINNING))?.[1];
  if (given !== variable) return null;
  const receiver = call.field('receiver');
  return receiver === null || !LOOPS.test(call.field('method')?.text ?? '') ? [] : elementsOfList(receiver, text);
}

/** Longest text before a loop in which the value of its constant is looked for. UTF-16 units. */
const MAX_LOOK_BACK = 20_000;

function elementsOfList({ start, end }: SyntaxNode, text: string): readonly string[] {
  const written = headText(text, start, end, MAX_LIST_LENGTH).replace(/\.(?:freeze|keys)$/, '');
  if (!/^[A-Z]\w{0,100}$/.test(written)) return literalElements(written);
  const before = text.slice(Math.max(0, start - MAX_LOOK_BACK), start);
  const value = new RegExp(`(?<!\\w)${written}[ ]*=[ ]*`).exec(before);
  return value === null ? [] : literalElements(before.slice(value.index + value[0].length).slice(0, MAX_LIST_LENGTH));
}

/** Words of `%w[a b]` and `[:a, 'b']`, keys of `{ a: 1 }`; none of what holds more than plain values. */
function literalElements(text: string): readonly string[] {
  const words = /^%[wWiI][[({<|]([^\])}>|]*)[\])}>|]/.exec(text)?.[1];
  if (words !== undefined) return words.split(/\s+/).filter(Boolean);
  const list = /^\[([^[\]{}]*)\]/.exec(text)?.[1];
  if (list !== undefined)
    return list.split(',').flatMap((one) => /^\s*(?::|:?["'])(\w+[?!]?)["']?\s*$/.exec(one)?.[1] ?? []);
  const table = /^\{([^{}]*)\}/.exec(text)?.[1] ?? '';
  const keys = table.matchAll(/(?<![\w:"'])(?:(\w+):(?!:)|:(\w+)\s*=>|["'](\w+)["']\s*(?:=>|:(?!:)))/g);
  return [...keys].map(([, name, arrowed, quoted]) => name ?? arrowed ?? quoted);
}

/** The beginning that `prefix: true` or `prefix: :shop` gives delegates; null if the text does not tell it. */
function prefixIn(list: string): string | null {
  const stated = /\bprefix(?::|\s*=>)\s*(?:(true|false|nil)\b|[:"'](\w+))?/.exec(list);
  if (stated === null) return '';
  const [, word, name = /\bto(?::|\s*=>)\s*:(\w+)/.exec(list)?.[1]] = stated;
  if (word === 'false' || word === 'nil') return '';
  return name === undefined || (word === undefined && stated[2] === undefined) ? null : `${name}_`;
}

/** Methods of events and states, `*` for the name, by the call that holds them. */
const MACHINES: ReadonlyMap<string, { event: string; state: string }> = new Map([
  ['aasm', { event: '* *! may_*?', state: '*?' }],
  ['state_machine', { event: '* *! can_*?', state: '*?' }],
  ['workflow', { event: '*! can_*?', state: '*?' }],
]);

/** Names that a symbol gives: `till_total` of a delegate with a prefix, `pay!` of an event; null for its own. */
export function namesOfSymbol(node: SyntaxNode, text: string): readonly StatedName[] | null {
  const list = node.parent;
  const word = list?.parent?.field('method')?.text;
  const at = node.start + 1;
  const name = text.slice(at, node.end);
  if (list == null || !/^\w+[?!]?$/.test(name)) return null;
  if (word === 'delegate') {
    const prefix = prefixIn(headText(text, list.start, list.end, MAX_LIST_LENGTH));
    return prefix === null ? [] : [{ name: prefix + name, at }];
  }
  if (word === 'def_delegators') return [{ name, at }];
  if (word !== 'event' && word !== 'state') return null;
  const forms = inCall(list, (call) => {
    const machine = MACHINES.get(call.field('method')?.text ?? '');
    if (machine === undefined) return null;
    // The names have more in front then.
    return call.field('arguments')?.text.includes('namespace') ? '' : machine[word];
  });
  return (forms ?? '').split(' ').flatMap((form) => (form === '' ? [] : [{ name: form.replace('*', name), at }]));
}
