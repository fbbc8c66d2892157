/**
 * Scopes of Ruby, known only when a whole file has been read: rules collect names, calls, values and symbols here, and at the end `settle`
 * states which of them are locals, which method `super` continues, and what symbols name. Other functions read blocks, mixins from outside
 * of a type, and the names that tests give to values.
 */
import { addTo, firstFrom } from '../../base/lists.js';
import { wordSet } from '../language.js';
import { headText } from '../roles/declarations.js';
import {
  type DefinitionView,
  elementOf,
  elementsOf,
  type FactSink,
  MAX_LIST_LENGTH,
  type NodeView,
  perFile,
} from '../roles/relations.js';
import { useView } from '../web/views.js';

interface Place {
  at: number;
  end: number;
  name: string;
}

/** A method that a symbol names in a list of arguments: its key if it has one, and the method that is called. */
export interface NamedMethod extends Place {
  key: string;
}

/** Collected by the rules of nodes and definitions; complete when `settle` runs. */
interface FileState {
  /** Names without a receiver and without arguments. */
  names: Place[];
  /** Calls by the offset of their name. */
  calls: Map<number, { end: number; accessPath: string; args: number; literal: string }>;
  /** `super`, with the number of written arguments. */
  supers: { at: number; end: number; args: number }[];
  mixins: { at: number; end: number; accessPath: string }[];
  /** Methods that arguments name. */
  named: (NamedMethod & { by: string })[];
  /** Symbols that entries of tables have as values. */
  entries: Place[];
  /** Values of instance variables. */
  fields: { at: number; name: string; value: string }[];
  /** Names of values in tests: `at` is where they are bound, `from` and `end` are their block. */
  lets: { at: number; end: number; from: number; names: readonly string[] }[];
  /** The class that tests are about, '' if none is named. */
  described: string;
  /** Values that methods give to their blocks. */
  yields: { at: number; value: string }[];
  /** Offsets at which a parameter or a local gets a value, by its name. */
  locals: Map<string, number[]>;
  methods: { start: number; end: number; name: string }[];
  types: { start: number; end: number; name: string }[];
  /** Blocks that define a class without a name, and the class that it inherits from. */
  nameless: { start: number; end: number; parent: string }[];
}

export const stateOf = perFile(
  (): FileState => ({
    names: [],
    calls: new Map(),
    supers: [],
    mixins: [],
    named: [],
    entries: [],
    fields: [],
    lets: [],
    described: '',
    yields: [],
    locals: new Map(),
    methods: [],
    types: [],
    nameless: [],
  }),
);

/** A parameter or a local. */
export function shadow(at: number, name: string, value: string, sink: FactSink): void {
  const { locals } = stateOf(sink);
  addTo(locals, name, at);
  sink.local(at, name, '', value);
}

/** White space and names before the block of a call are shorter. */
const MAX_HEAD = 200;

/** The block of `define_method` is a method of its own: `super` in it continues that one, not the method around. */
export function definedBlock(view: NodeView, start: number, sink: FactSink): void {
  const name = /^\s*\(?\s*:([a-z_]\w*[?!=]?)/.exec(sink.source.slice(view.start, view.start + MAX_HEAD))?.[1] ?? '';
  const { end = 0 } = view.parent ?? {};
  if (end > view.end) stateOf(sink).methods.push({ start, end, name });
}

/** `Class.new(Cart) do … end` stands for the class that it inherits from. */
export function namelessClass(view: NodeView, start: number, sink: FactSink): void {
  const list = headText(sink.source, view.start, view.end, MAX_HEAD);
  const parent = /^\(\s*(?:::)?((?:[A-Z]\w*::)*[A-Z]\w*)\s*\)$/.exec(list)?.[1]?.replaceAll('::', '.');
  if (parent === undefined) return;
  const end = view.parent?.end ?? view.end;
  sink.remember(view.end, start, parent);
  if (end > view.end) stateOf(sink).nameless.push({ start: view.end, end, parent });
}

const KEYWORDS = wordSet('end else nil true false break next redo retry return yield begin ensure then do');
/** Longest body whose last line is read. */
const MAX_BODY_LENGTH = 6_000;

export function definition({ kind, name, start, signatureEnd, end, nameStart }: DefinitionView, sink: FactSink): void {
  const state = stateOf(sink);
  if (kind === 'class' || kind === 'module') state.types.push({ start, end, name });
  if (kind === 'class') shortClass(name, start, sink);
  if (kind !== 'function' && kind !== 'method' && kind !== 'constructor') return;
  state.methods.push({ start, end, name });
  const given = state.yields.find(({ at }) => at > nameStart && at < end);
  if (given !== undefined) sink.given(nameStart, '{}', '', given.value);
  if (kind !== 'constructor' && end - signatureEnd < MAX_BODY_LENGTH) returned(signatureEnd, end, nameStart, sink);
}

/** `Closed = Class.new(Shop::Error)` inherits as `class Closed < Shop::Error` does. */
function shortClass(name: string, start: number, sink: FactSink): void {
  const head = /^\w+\s*=\s*(?:::)?Class\s*\.\s*new[ (]\s*(?:::)?((?:[A-Z]\w*::)*[A-Z]\w*)/.exec(
    sink.source.slice(start, start + MAX_HEAD),
  );
  if (head === null) return;
  const at = start + head[0].length;
  sink.reference(at - 1, at, 'extends', head[1].replaceAll('::', '.'), { of: name });
}

/** A method that returns a new instance of its type in one of several places. */
const MAKES = /\breturn[ \t]+(?:self\.)?new\b/;

/** States that a method returns the value of its last line. */
function returned(from: number, end: number, nameStart: number, sink: FactSink): void {
  const { source } = sink;
  const body = source.slice(from, end).replace(/\s*\bend\s*$/, '');
  if (MAKES.test(body)) {
    sink.result(nameStart, '', 'this()');
    return;
  }
  if (/\breturn[ \t]+(?!nil\b|unless\b|if\b)\S/.test(body)) return;
  const line = body.slice(body.lastIndexOf('\n') + 1);
  const text = line.replace(/^[ \t]*/, '').trimEnd();
  const first = /^[a-z]\w*/.exec(text)?.[0] ?? '';
  if (text === '' || KEYWORDS.has(first)) return;
  const offset = /^@\w+\s*\|\|=\s*/.exec(text)?.[0].length ?? 0;
  const at = from + body.length - line.length + line.indexOf(text);
  const value = sink.accessPath(at + offset, at + text.length);
  if (!/^\d/.test(value)) sink.result(nameStart, '', value);
}

/** States the facts that need the whole file. */
export function settle(sink: FactSink): void {
  const { names, calls, supers, mixins, locals, methods, types, nameless } = stateOf(sink);
  methods.sort((a, b) => a.start - b.start || b.end - a.end);
  const method = finder(methods);
  const made = finder(nameless.sort((a, b) => a.start - b.start || b.end - a.end));
  /** A name without a receiver is the parent's in `Class.new(Cart) do … end`. */
  const pathOf = (at: number, name: string): string => {
    const block = name.includes('.') ? null : made(at);
    if (block === null) return name;
    const inside = (method(at)?.start ?? -1) > block.start;
    return `${inside ? `new ${block.parent}()` : block.parent}.${name}`;
  };
  const type = finder(types);
  for (const [at, { end, accessPath, args, literal }] of calls) {
    sink.reference(at, end, 'call', pathOf(at, accessPath), { args, literal });
    namedRoute(at, end, accessPath, sink);
  }
  for (const { at, end, name } of names) {
    if (calls.has(at)) continue;
    const around = method(at);
    // It is a local if it has a value in the same method, or from a block or a line at top level.
    const isValue = (place: number) =>
      around === null ? method(place) === null : place >= around.start && place < around.end;
    if (locals.get(name)?.some(isValue)) continue;
    sink.reference(at, end, 'call', pathOf(at, name), { args: 0 });
    namedRoute(at, end, name, sink);
  }
  for (const { at, end, args } of supers) {
    const around = method(at);
    // The block of a method whose name the program puts together continues one that is not known.
    if (around !== null && around.name !== '') sink.reference(at, end, 'call', `super.${around.name}`, { args });
  }
  for (const { at, end, accessPath } of mixins)
    sink.reference(at, end, 'implements', accessPath, { of: type(at)?.name });
  settleMembers(sink, method, type);
}

/** States what methods, variables and symbols mean by the type around them. */
function settleMembers(
  sink: FactSink,
  method: (at: number) => unknown,
  type: (at: number) => { name: string } | null,
): void {
  const { named, fields, methods, types } = stateOf(sink);
  // An action shows the view of its name.
  for (const { start, name } of methods)
    if (ACTS.test(type(start)?.name ?? '') && /^[a-z]\w*$/.test(name)) useView(start, start + 3, name, sink);
  // Blocks of tests share the variables of an instance that no type in the file describes.
  for (const { at, name, value } of fields)
    if (type(at) === null && method(at) === null) sink.local(at, name, '', value);
  // A file of tests has no type.
  for (const { at, end, name, key, by } of types.length === 0 ? [] : [...named, ...namedByTables(sink)]) {
    // In the body of a type such a method runs later; elsewhere symbols are values of other kinds, but for hooks that a mixin gives to types.
    if (type(at) === null || (method(at) !== null && !HOOKS.test(by))) continue;
    if (CALLBACKS.test(by) || CONDITIONS.has(key)) sink.reference(at, end, 'read', name);
    else sink.reference(at, end, 'value', `this.${name}`);
  }
}

/** `admin_order_path(order)` gives the path of the route of that name, which its handler answers. */
function namedRoute(at: number, end: number, name: string, sink: FactSink): void {
  if (name.endsWith('_path') || name.endsWith('_url'))
    if (/^[a-z]\w*$/.test(name))
      sink.reference(at + 1, end, 'request', 'NAME', { literal: `NAME /${name.slice(0, name.lastIndexOf('_'))}` });
}

const ACTS = /(?:Controller|Mailer)$/;

/** Methods that take names of methods, which another file can define. */
const CALLBACKS = /^(?:(?:\w+_)?(?:before|after|around)_\w+|validate|helper_method|rescue_from|memoize|set_callback)$/;
/** Calls that run a method before, after or around an event. */
export const HOOKS = /^(?:\w+_)?(?:before|after|around)_\w+$/;
const CONDITIONS: ReadonlySet<string> = new Set(['if', 'unless', 'guard', 'with']);

/** The innermost range around an offset. Ranges are in document order, outer before inner. */
function finder<Range extends { start: number; end: number }>(ranges: readonly Range[]): (at: number) => Range | null {
  return (at) => {
    const behind = firstFrom(ranges.length, (i) => ranges[i].start <= at);
    // Skips blocks that end before the offset. Code of people is not nested deeper than this.
    for (let i = behind - 1, looks = 0; i >= 0 && looks < MAX_LOOKS; i--, looks++)
      if (ranges[i].end > at) return ranges[i];
    return null;
  };
}

const MAX_LOOKS = 500;

/** A method that a variable names is run: `send(name)`. */
const SENT = /\b(?:public_send|__send__|send)[ (]+[A-Za-z_@]/;

/** Longest end of an entry that is read. */
const MAX_ENTRY = 200;

/** `'zip' => :unzip` in the body of a type that runs methods by such tables. */
export function tableEntry({ start, end }: NodeView, sink: FactSink): void {
  const text = sink.source.slice(Math.max(start, end - MAX_ENTRY), end);
  const name = /(?:=>|\w:)\s*:([a-z_]\w*[?!]?)$/.exec(text)?.[1];
  if (name !== undefined) stateOf(sink).entries.push({ at: end - name.length - 1, end, name });
}

/** Entries of tables that name a method of the file, if it runs methods by variables at all. */
function namedByTables(sink: FactSink): FileState['named'] {
  const { entries, methods } = stateOf(sink);
  if (entries.length === 0 || methods.length === 0 || !SENT.test(sink.source)) return [];
  const defined = new Set(methods.map(({ name }) => name));
  return entries.filter(({ name }) => defined.has(name)).map((entry) => ({ ...entry, key: '', by: '' }));
}

/** Methods of collections that pass one element to their block. */
const EACH =
  /(?:&?\.)\s*(?:each|map|select|reject|find|detect|flat_map|sum|any\?|all\?|none\?|each_with_index|each_with_object|group_by|sort_by|min_by|max_by|partition|filter|filter_map|collect|find_all|index_by|reverse_each|find_each|to_h|count|uniq|take_while|drop_while|each_entry)\s*(?:\([^()]*\)\s*)?(?:\{|do)\s*$/;

/** `xs.each { |x, (y, z)| … }`: the first is an element. */
export function blockParameters({ start, end, text }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const before = source.slice(Math.max(0, start - 150), start);
  const method = EACH.exec(before);
  const names = [
    ...text
      .slice(0, 300)
      .replace(/=[^,|]*/g, (value) => ' '.repeat(value.length))
      .matchAll(/[a-z_]\w*/g),
  ];
  for (const [index, match] of names.entries()) {
    let value = '';
    if (index === 0 && /^\|\s*$/.test(text.slice(0, match.index))) {
      if (method !== null) {
        const { accessPath } = sink.accessPathBefore(start - before.length + method.index);
        value = accessPath === '?' ? '' : elementOf(accessPath);
      } else value = givenTo(start, before, sink);
    }
    shadow(Math.min(start + match.index, end), match[0], value, sink);
  }
}

/** `Ledger.open(name) do |book|`: the value that the method yields. */
function givenTo(start: number, before: string, sink: FactSink): string {
  const opened = /(?:\bdo|\{)\s*$/.exec(before);
  if (opened === null) return '';
  const { accessPath } = sink.accessPathBefore(start - before.length + opened.index);
  return accessPath === '?' || accessPath === '' || accessPath.startsWith('new ')
    ? ''
    : `${accessPath.replace(/\(\)$/, '')}{}`;
}

/** `map(&:total)` calls `total` of each element. */
export function symbolBlock({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /^&:([a-z_]\w*[?!]?)$/.exec(text);
  if (match === null) return;
  const before = sink.source.slice(Math.max(0, start - 150), start);
  const method = /(?:&?\.)\s*\w+[?!]?\s*\((?:[^()]*,\s*)?$/.exec(before);
  const found = method === null ? '' : sink.accessPathBefore(start - before.length + method.index).accessPath;
  sink.reference(start + 2, end, 'call', `${found === '' || found === '?' ? '?' : `${found}[]`}.${match[1]}`, {
    args: 0,
  });
}

/** `yield entry` */
export function yielded({ start, end }: NodeView, sink: FactSink): void {
  const given = /^yield[ (]\s*(?:(@?)([a-z_]\w*)|((?:[A-Z]\w*::)*[A-Z]\w*)\.new\b)/.exec(
    headText(sink.source, start, end, 200),
  );
  if (given === null) return;
  const [whole, at, name, type] = given;
  if (type !== undefined) stateOf(sink).yields.push({ at: start, value: `new ${type.replace(/::/g, '.')}()` });
  // The name of a local or of an instance variable, with nothing behind it.
  else if (/^\s*(?:[,)]|$)/.test(sink.source.slice(start + whole.length, end)))
    stateOf(sink).yields.push({ at: start, value: at === '' ? name : `this.${name}` });
}

/** `class Cart < Shop::Base` */
export function superclass({ end, text }: NodeView, sink: FactSink): void {
  const match = /^<\s*(?:::)?((?:[A-Z]\w*::)*)([A-Z]\w*)/.exec(text);
  if (match !== null)
    sink.reference(
      end - text.length + match[0].length - match[2].length,
      end,
      'extends',
      match[1].replace(/::/g, '.') + match[2],
    );
}

// Mixins from outside of a type, and methods by a part of their name.

/** Longest argument that is read. */
const MAX_ARGUMENT = 200;

/** `Cart.include Totals`, `Cart.prepend(Totals)`, `Cart.send(:include, Totals)`. */
export function mixedFromOutside(receiver: string, name: string, [from, to]: [number, number], sink: FactSink): void {
  const type = /^(?:[\w.]+\.)?([A-Z]\w*)$/.exec(receiver)?.[1];
  if (type === undefined || to - from > MAX_LIST_LENGTH) return;
  const isHere = (kind: string, named: string) => new RegExp(`\\b${kind}\\s+(?:\\w+::)*${named}\\b`).test(sink.source);
  for (const { start, end } of elementsOf(from, to, sink)) {
    const text = headText(sink.source, start, end, MAX_ARGUMENT);
    const module = /^(?:::)?((?:[A-Z]\w*::)*([A-Z]\w*))$/.exec(text);
    if (module === null) continue;
    const at = end - module[2].length;
    // A prepended module runs first, and goes on with the method of the class, as a subclass does.
    if (name === 'prepend' && isHere('module', module[2]))
      sink.reference(at, end, 'extends', receiver, { of: module[2] });
    else if (isHere('(?:class|module)', type))
      sink.reference(at, end, 'implements', module[1].replace(/::/g, '.'), { of: type });
    else if (isHere('module', module[2])) sink.reference(at, end, 'extends', receiver, { of: module[2] });
    // The call is a part of the type, which its rule makes of it.
    else sink.reference(at, end, 'implements', module[1].replace(/::/g, '.'));
  }
}

/** `send("step_#{name}")`, `public_send(:"#{name}_done")`: each method with that part may run. */
export function sentByPart(receiver: string, [from, to]: [number, number], end: number, sink: FactSink): void {
  const text = headText(sink.source, from, to, MAX_ARGUMENT);
  const [whole, begin, last] = /^[\s(]*:?"(\w*)#\{[^{}"\n]{1,80}\}(\w*[?!]?)"/.exec(text) ?? [''];
  const part = (begin ?? '').length >= MIN_PART ? begin : (last ?? '').length >= MIN_PART ? last : undefined;
  if (part === undefined || /[^\w.]/.test(receiver)) return;
  const path = receiver === '' || receiver === 'self' ? 'this' : receiver;
  const at = from + whole.indexOf('"');
  sink.reference(at, end, 'call', `${path}.${part === begin ? 'begins' : 'ends'}#.${part}`);
}

/** Minimum length of a part of a name that tells something. */
const MIN_PART = 3;

// Tests: names that are given to values, and the class that a group of tests is about.

/** `let(:cart) { Cart.new }` */
export function letNames(view: NodeView, from: number, to: number, sink: FactSink): void {
  const name = /^\s*:([a-z_]\w*)\s*$/.exec(headText(sink.source, from, to, MAX_HEAD))?.[1];
  if (name === undefined) return;
  const isSubject = sink.source.startsWith('subject', view.start - 'subject'.length);
  const { end = 0 } = view.parent ?? {};
  // The calls in the block are read later than these arguments.
  stateOf(sink).lets.push({ at: from, end, from: view.end, names: isSubject ? ['subject', name] : [name] });
}

/**
 * `describe Cart do`: `described_class` is the class, and `subject` an instance of it. `at` is the offset before the class: at its own stands
 * the use of the class.
 */
export function described(list: string, at: number, sink: FactSink): void {
  const type = /^\s*(?:::)?((?:[A-Z]\w*::)*[A-Z]\w*)\s*(?:$|,)/.exec(list.slice(0, MAX_HEAD))?.[1];
  if (type === undefined) return;
  const path = type.replaceAll('::', '.');
  stateOf(sink).described = path;
  shadow(at, 'subject', `new ${path}()`, sink);
}
