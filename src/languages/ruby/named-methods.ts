/** Methods of Ruby that a call names by symbols, and modules that it mixes into a type from outside. */
import { type AccessPath, type FactSink, MAX_LIST_LENGTH } from '../roles/relations.js';
import type { TextRange } from '../roles/scan.js';
import { useView } from '../web/views.js';
import { localsOf, mixedFromOutside, type NamedMethod, sentByPart } from './scopes.js';

export const MIXINS: ReadonlySet<string> = new Set(['include', 'extend', 'prepend']);

/** A call whose arguments can name methods. */
interface Naming {
  from: number;
  to: number;
  /** None for a list that is too long to be looked at. */
  elements: readonly TextRange[];
  callee: AccessPath;
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
const NO_METHODS: ReadonlySet<string> = new Set(
  'only except on as foreign_key inverse_of dependent source through in class_name prefix'.split(' '),
);

/** Methods that a call names by symbols: `send(:total)`, `before_save :check, if: :open?`, `delegate :total, to: :cart`. */
export function methodsByName({ from, to, elements, callee, count, end }: Naming, sink: FactSink): void {
  const dot = callee.accessPath.lastIndexOf('.');
  const name = callee.accessPath.slice(dot + 1);
  const receiver = dot === -1 ? '' : callee.accessPath.slice(0, dot);
  if (name.startsWith('perform_') && PERFORMING.test(name)) {
    const job = JOB.exec(receiver)?.[0];
    if (job !== undefined) sink.reference(callee.nameStart + 1, end, 'call', `new ${job}().perform`, { args: count });
    return;
  }
  const isSent = SENDING.has(name);
  if (isSent || MIXINS.has(name)) fromOutside(isSent ? '' : name, receiver, [from, to], sink);
  if (isSent) sentByPart(receiver, [from, to], end, sink);
  const isByName = isSent || HANDING.has(name);
  if (receiver !== '' && !isByName) return;
  const symbols: NamedMethod[] = [];
  for (const element of elements) addSymbols(element, symbols, sink);
  const [first] = symbols;
  if (first === undefined || DECLARING.test(name)) return;
  if (isByName) {
    if (first.key !== '' || first.at > from + MAX_INDENT) return;
    const path = receiver === '' || receiver === 'this' ? first.name : `${receiver}.${first.name}`;
    if (HANDING.has(name)) sink.reference(first.at, first.end, 'read', path);
    else sink.reference(first.at, first.end, 'call', path, { args: Math.max(count - 1, -1) });
  } else if (name === 'alias_method') {
    const old = symbols[1];
    if (old !== undefined) sink.reference(old.at, old.end, 'call', old.name);
  } else if (name === 'delegate') {
    const owner = symbols.find(({ key }) => key === 'to')?.name;
    for (const { key, name, at, end } of symbols)
      if (owner !== undefined && key === '') {
        sink.reference(at, end, 'call', `${owner}.${name}`);
        sink.field(at, name, '', `${owner}.${name}()`);
      }
  } else if (name === 'def_delegators' || name === 'def_delegator') {
    const owner = /^[\s(]*:@(\w+)/.exec(sink.source.slice(from, from + MAX_INDENT))?.[1];
    const named = name === 'def_delegator' ? symbols.slice(0, 1) : symbols;
    for (const { name, at, end } of named)
      if (owner !== undefined) sink.reference(at, end, 'call', `this.${owner}.${name}`);
  } else
    localsOf(sink).named.push(
      ...symbols.filter(({ key }) => !NO_METHODS.has(key)).map((one) => ({ ...one, by: name })),
    );
}

/** `Cart.include Totals`, `Cart.send(:include, Totals)`: a type gets a mixin from outside. `word`: '' if an argument names it. */
function fromOutside(word: string, receiver: string, [from, to]: [number, number], sink: FactSink): void {
  const sent = word === '' ? /^[\s(]*:(\w+)\s*,\s*/.exec(sink.source.slice(from, from + MAX_INDENT)) : null;
  const mixin = sent?.[1] ?? word;
  if (MIXINS.has(mixin)) mixedFromOutside(receiver, mixin, [from + (sent?.[0].length ?? 0), to], sink);
}

/** White space and a bracket before a first argument are shorter. */
export const MAX_INDENT = 200;

/** Adds the symbols that an argument consists of: `:total`, `if: :total`, `if: [:open?, :paid?]`. */
function addSymbols({ start, end }: TextRange, symbols: NamedMethod[], sink: FactSink): void {
  const text = sink.source.slice(start, Math.min(end, start + MAX_LIST_LENGTH));
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
    const match = VIEW.exec(sink.source.slice(start, Math.min(end, start + MAX_LIST_LENGTH)));
    if (match === null) continue;
    const [, key = match[2], , , text, symbol, , variable] = match;
    const isKey = key !== undefined || match[6] !== undefined;
    if ((i > 0 && !isKey) || (callee === 'mail' && !isKey)) continue;
    if (variable !== undefined) {
      const many = variable.endsWith('s')
        ? variable
        : variable.endsWith('y')
          ? `${variable.slice(0, -1)}ies`
          : `${variable}s`;
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
  const texts = options.map(({ start, end }) => sink.source.slice(start, Math.min(end, start + MAX_INDENT)));
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
