/** Python. */

import { type Call, calls } from '../roles/call-rules.js';
import { elementsOf, handedOn, MAX_LIST_LENGTH } from '../roles/escaping-values.js';
import type { DefinitionView, FactSink, LexicalConventions, NodeView, RelationRules } from '../roles/relations.js';
import { findOutside } from '../roles/scan.js';
import { importFrom, importStatement } from './import-statements.js';
import { MENTIONS } from './names.js';
import { assertion, condition } from './narrowings.js';

const LEXICAL: LexicalConventions = {
  lines: true,
  joins: ['.'],
  prefixes: ['await'],
  root: (name, join) => (name === 'self' || name === 'cls' ? 'this' : name === 'super' && join !== '' ? 'super' : name),
  quotes: '"\'',
  lineComments: ['#'],
  spread: /^\*/,
};

/** Bodies looked through for the one thing they return. */
const MAX_BODY_LENGTH = 6_000;
/** Text that a decorated or inheriting line may hold before the list. */
const CLASS_HEAD = /\bclass\s+$/;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const DOTTED = /^[\p{L}_][\p{L}\p{N}_.]*$/u;
const NAMES = /[\p{L}_][\p{L}\p{N}_]*/gu;
const TYPE_NAME = /[\p{L}_][\p{L}\p{N}_.]*/gu;
const HANDED_ON = /^(?:\w+\s*=\s*)?((?!(?:None|True|False)$)[\p{L}_][\p{L}\p{N}_.]*)$/u;
/** Names that one value is given to. */
const MAX_TARGETS_LENGTH = 300;
const CONSTANT = /^(?:None|True|False|\d.*|NotImplemented)$/;
/** Calls that declare routes, and their first string: patterns are raw strings, and modules to include can be in a tuple. */
const ROUTES: ReadonlySet<string> = new Set(
  'path re_path url include add_url_rule add_api_route websocket include_router mount'.split(' '),
);
const ROUTE = /^\(\s*(?:\(\s*)?[rub]?(["'])([^"'\n]{1,150})\1/i;
const MAX_ROUTE_LENGTH = 200;

/** Calls, and the bases of classes, which are argument lists too. */
function special({ callee, name, receiver, list, start, end, view }: Call, sink: FactSink): boolean {
  const { source } = sink;
  if (CLASS_HEAD.test(source.slice(Math.max(0, start - 10), start))) {
    bases(view, sink);
    return true;
  }
  if (name === 'super' && receiver === '') {
    sink.remember(end, start, 'super');
    return true;
  }
  handedOn(view.start + 1, view.end - 1, HANDED_ON, sink);
  if (/^_*\p{Lu}/u.test(name)) keywords(callee.accessPath, view, sink);
  if (source[start - 1] === '@') {
    sink.reference(callee.nameStart, end, 'decorator', callee.accessPath, { args: list.count, literal: list.literal });
    return true;
  }
  if (ROUTES.has(name)) {
    const literal = ROUTE.exec(source.slice(view.start, view.start + MAX_ROUTE_LENGTH))?.[2] ?? '';
    sink.reference(callee.nameStart, end, 'call', callee.accessPath, { args: list.count, literal });
    return true;
  }
  if ((name === 'cast' || name === 'NewType' || name === 'TypeVar') && list.count > 0) return name === 'TypeVar';
  return false;
}

/** `Cart(total=1)` writes the field, where the type makes its constructor of its fields. */
function keywords(accessPath: string, view: NodeView, sink: FactSink): void {
  for (const { start, end } of elementsOf(view.start + 1, view.end - 1, sink)) {
    const name = /^([\p{L}_][\p{L}\p{N}_]*)\s*=(?!=)/u.exec(sink.source.slice(start, Math.min(end, start + 100)))?.[1];
    if (name !== undefined) sink.reference(start, start + name.length, 'write', `new ${accessPath}().${name}`);
  }
}

function bases(view: NodeView, sink: FactSink): void {
  const { source } = sink;
  for (const part of elementsOf(view.start + 1, view.end - 1, sink)) {
    const text = source.slice(part.start, part.end);
    const base = /^[\p{L}_][\p{L}\p{N}_.]*/u.exec(text)?.[0] ?? '';
    const after = text.slice(base.length).trimStart();
    if (base === '' || !(after === '' || after.startsWith('['))) continue;
    const at = part.start + base.lastIndexOf('.') + 1;
    sink.reference(at, part.start + base.length, 'extends', base);
    if (after !== '') types(part.start + base.length, part.end, sink);
  }
}

/** Names in an annotation, also in one that is written as a string. */
function types(from: number, to: number, sink: FactSink): void {
  for (const match of sink.source.slice(from, to).matchAll(TYPE_NAME)) {
    const at = from + match.index;
    sink.reference(at + match[0].lastIndexOf('.') + 1, at + match[0].length, 'type', match[0]);
  }
}

/** `left: type = value`, `left = value`, `left := value`. */
function assignment({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const stop = findOutside(source, start, end, ':=', rules.lexical);
  const isAnnotated = source[stop] === ':' && source[stop + 1] !== '=';
  const equals = isAnnotated ? findOutside(source, stop + 1, end, '=', rules.lexical) : stop;
  const type = isAnnotated ? source.slice(stop + 1, equals).trim() : '';
  if (isAnnotated) types(stop + 1, equals, sink);
  let from = equals + (source[equals] === ':' ? 2 : 1);
  if (from < end) handedOn(from, end, HANDED_ON, sink);
  // `a = b = value`: every one of them is an assignment node.
  const near = Math.min(end, from + MAX_TARGETS_LENGTH);
  for (let next = from; next < near; ) {
    next = findOutside(source, next, near, '=', rules.lexical) + 1;
    if (next <= near && source[next] !== '=' && /[\w\s\])]/.test(source[next - 2] ?? '')) from = next;
    else break;
  }
  const alias = aliased(start, stop, type, { from, end }, sink);
  if (alias === '') bind(start, stop, type, heldValue(from, end, sink), sink);
  else bind(start, stop, alias, '', sink);
}

const ALIAS = /^(?:[\w.]+\.)?TypeAlias$/;
/** `Union[Cart, None]`, `Cart | Basket`: in capitals are flags. */
const ALIASED = /^(?:(?:[a-z]\w*\.)?(?:Union|Optional|Type)\[|[A-Z]\w*[a-z]\w*(?:\s*\|\s*[A-Z]\w*[a-z]\w*)+\s*$)/;
const ALIAS_NAME = /^_*[A-Z]\w*[a-z]/;

/** The type that a name stands for, without its quotes: `Carts: TypeAlias = "list[Cart]"`, `Item = Union[Cart, Basket]`; '' for other values. */
function aliased(at: number, stop: number, type: string, value: { from: number; end: number }, sink: FactSink): string {
  const { from, end } = value;
  const text = sink.source.slice(from, Math.min(end, from + MAX_TARGETS_LENGTH)).trim();
  const isAlias = type === '' ? ALIASED.test(text) && ALIAS_NAME.test(sink.source.slice(at, stop)) : ALIAS.test(type);
  if (!isAlias || end - from > MAX_TARGETS_LENGTH) return '';
  types(from, end, sink);
  return text.replace(/^(["'])(.*)\1$/s, '$2');
}

/** A field, a local, or names that are taken apart. */
function bind(from: number, to: number, type: string, value: string, sink: FactSink): void {
  const left = sink.source.slice(from, to).trim();
  const own = /^self\.([\p{L}_][\p{L}\p{N}_]*)$/u.exec(left);
  // The bare name of a parameter says nothing outside of its function: `definition` states its type.
  if (own !== null) field(from, own[1], type, NAME.test(value) ? '' : value, sink);
  else if (NAME.test(left) && isOuterName(from, left, sink)) return;
  else if (NAME.test(left)) sink.variable(from, left, type, value);
  else shadows(from, to, sink);
}

/** Names that a function takes from outside (`global total`), by the block in which it says so. */
const outerNames = new WeakMap<FactSink, Map<string, { start: number; end: number }[]>>();
/** Functions that take one name from outside: as many are looked through for each assignment of the name. */
const MAX_OUTER = 200;

function outerName({ start, end, text }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const indent = start - source.lastIndexOf('\n', start - 1) - 1;
  const after = new RegExp(`\\n {0,${Math.max(0, indent - 1)}}[^\\s#]`, 'g');
  after.lastIndex = end;
  const last = after.exec(source.slice(0, end + MAX_BODY_LENGTH))?.index ?? end + MAX_BODY_LENGTH;
  const known = outerNames.get(sink) ?? new Map<string, { start: number; end: number }[]>();
  outerNames.set(sink, known);
  for (const [name] of text.replace(/^\w+/, '').matchAll(NAMES)) {
    const places = known.get(name) ?? [];
    if (places.length < MAX_OUTER) known.set(name, [...places, { start, end: last }]);
  }
}

function isOuterName(at: number, name: string, sink: FactSink): boolean {
  const places = outerNames.get(sink)?.get(name);
  return places?.some(({ start, end }) => start < at && at < end) ?? false;
}

function field(at: number, name: string, type: string, value: string, sink: FactSink): void {
  if (type !== '' || value !== '') sink.field(at, name, type, value);
}

/** Access path of a value; of `a if b else c` and `a or b` that of the first part which has one. */
function heldValue(from: number, to: number, sink: FactSink): string {
  const copied = COPIES.exec(sink.source.slice(from, Math.min(to, from + MAX_TARGETS_LENGTH)));
  if (copied !== null) return copied[1];
  const whole = followable(sink.accessPath(from, to));
  if (whole !== '' && whole !== '?') return whole;
  const text = sink.source.slice(from, Math.min(to, from + MAX_TARGETS_LENGTH));
  const word = wordOutside(text, CHOICES);
  if (word === null) return whole;
  const first = followable(sink.accessPath(from, from + word.start));
  if (first !== '' && first !== '?' && !NAME.test(first)) return first;
  const other = word.text === 'if' ? wordOutside(text, /\belse\b/g) : word;
  return other === null ? whole : heldValue(from + other.end, to, sink);
}

/** `list(carts)` has the elements of what it copies. */
const COPIES = /^\s*(?:list|tuple|set|frozenset|sorted|reversed|iter)\(([\p{L}_][\p{L}\p{N}_.]*)\)\s*$/u;
const CHOICES = /\b(?:if|or)\b/g;

/** The first match that stands in no bracket and no string. */
function wordOutside(text: string, words: RegExp): { text: string; start: number; end: number } | null {
  for (const match of text.matchAll(words)) {
    const before = text.slice(0, match.index).replace(/(["'])(?:\\.|(?!\1).)*\1/g, '');
    const depth = [...before].reduce(
      (sum, char) => sum + ('([{'.includes(char) ? 1 : ')]}'.includes(char) ? -1 : 0),
      0,
    );
    if (depth === 0 && !/["']/.test(before))
      return { text: match[0], start: match.index, end: match.index + match[0].length };
  }
  return null;
}

function followable(accessPath: string): string {
  return CONSTANT.test(accessPath) ? '' : accessPath;
}

/** Names that hide imports and symbols of the same name, whatever they hold. */
function shadows(from: number, to: number, sink: FactSink): void {
  const text = sink.source.slice(from, to);
  if (text.length > MAX_LIST_LENGTH || /[.[]/.test(text)) return;
  for (const match of text.matchAll(NAMES)) sink.variable(from + match.index, match[0], '', '');
}

/** `for x in xs`, in loops and comprehensions. */
function loop({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const head = /^(?:async\s+)?for\b/.exec(source.slice(start, start + 20));
  const from = start + (head?.[0].length ?? 0);
  const target = source.slice(from, Math.min(end, from + MAX_LIST_LENGTH));
  const within = /\bin\b/.exec(target);
  if (head === null || within === null) return;
  const last = from + within.index;
  const stop = findOutside(source, last + 2, end, ':', rules.lexical);
  const name = target.slice(0, within.index).trim();
  const values = heldValue(last + 2, stop, sink);
  if (NAME.test(name)) sink.variable(from, name, '', values === '' ? '' : `${values}[]`);
  else enumerated(from, last, source.slice(last + 2, stop), stop, sink);
}

/** `for i, x in enumerate(xs)`: the second name is an element. Of all other pairs nothing is known. */
function enumerated(from: number, to: number, text: string, end: number, sink: FactSink): void {
  const names = sink.source.slice(from, to).split(',');
  const head = /^\s*enumerate\(/.exec(text);
  const second = names[1]?.trim() ?? '';
  if (head === null || names.length !== 2 || !NAME.test(second)) {
    shadows(from, to, sink);
    return;
  }
  const values = sink.accessPath(end - text.length + head[0].length, end - text.length + text.lastIndexOf(')'));
  sink.variable(from, second, '', values === '' ? '' : `${values}[]`);
  shadows(from, from + names[0].length, sink);
}

/** `with value as name`, `except Type as name`. */
function asPattern({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /\sas\s+([\p{L}_][\p{L}\p{N}_]*)$/u.exec(text);
  if (match === null) return;
  const isError = /\bexcept\*?\s+$/.test(sink.source.slice(Math.max(0, start - 12), start));
  const value = sink.accessPath(start, start + match.index);
  const type = isError && DOTTED.test(value) ? value : '';
  if (!isError) expectedError(text.slice(0, match.index), match[1], end, sink);
  sink.local(end - match[1].length, match[1], type, isError ? '' : value);
  if (type !== '') types(start, start + match.index, sink);
}

const RAISES = /^(?:(?:pytest\.)?(raises)|self\.assertRaises(?:Regex)?)\(\s*([\p{L}_][\p{L}\p{N}_.]*)\s*[,)]/u;

/** Behind `with pytest.raises(Missing) as caught:`, `caught.value` is a `Missing`, as `caught.exception` is behind `assertRaises`. */
function expectedError(text: string, name: string, from: number, sink: FactSink): void {
  const match = RAISES.exec(text);
  if (match === null || sink.rules.ignoredCalls?.has(match[2]) === true) return;
  const error = `${name}.${match[1] === undefined ? 'exception' : 'value'}`;
  const body = sink.source.slice(from, from + MAX_BODY_LENGTH);
  const next = /\n[ \t]*(?:async[ \t]+)?(?:def|class)\b/.exec(body);
  const limit = next === null ? body.length : next.index;
  for (let at = body.indexOf(error); at !== -1 && at < limit; at = body.indexOf(error, at + 1)) {
    const end = at + error.length;
    if (/[\w.]/.test(body[at - 1] ?? '') || /\w/.test(body[end] ?? '')) continue;
    sink.remember(from + end, from + at, `new ${match[2]}()`);
  }
}

function decorator({ start, end, text }: NodeView, sink: FactSink): void {
  const written = text.slice(1).trim();
  const property = /^([\p{L}_][\p{L}\p{N}_]*)\.(?:setter|getter|deleter)$/u.exec(written);
  if (property !== null) {
    const at = start + text.indexOf(property[1]);
    sink.reference(at, at + property[1].length, 'decorator', `this.${property[1]}`);
  } else if (DOTTED.test(written))
    sink.reference(end - written.length + written.lastIndexOf('.') + 1, end, 'decorator', written);
  else if (!written.includes('(')) sink.reference(start, end, 'decorator', sink.accessPath(start + 1, end));
}

function definition(draft: DefinitionView, sink: FactSink): void {
  const { kind, nameEnd, signatureEnd, container } = draft;
  if (kind !== 'function' && kind !== 'method' && kind !== 'constructor') return;
  const { source, rules } = sink;
  const open = findOutside(source, nameEnd, signatureEnd, '(', rules.lexical);
  if (open >= signatureEnd) return;
  const close = sink.closing(open, signatureEnd);
  const isMethod = container !== null && kind !== 'function';
  const typed = parameters(open + 1, close - 1, sink, isMethod ? draft.name : '');
  const arrow = source.indexOf('->', close);
  if (arrow !== -1 && arrow < signatureEnd) {
    const end = findOutside(source, arrow + 2, signatureEnd, ':', rules.lexical);
    sink.result(close, source.slice(arrow + 2, end), '');
    types(arrow + 2, end, sink);
  } else returned(draft, sink);
  if (isMethod) keptParameters(draft, typed, sink);
}

/** Types by name; `method` is the name of the method that has the parameters, '' for other functions. */
function parameters(from: number, to: number, sink: FactSink, method: string): Map<string, string> {
  const { source, rules } = sink;
  const typed = new Map<string, string>();
  for (const [index, { start, end }] of elementsOf(from, to, sink).entries()) {
    const stars = /^\*{0,2}\s*/.exec(source.slice(start, end))?.[0].length ?? 0;
    const colon = findOutside(source, start, end, ':=', rules.lexical);
    const name = source.slice(start + stars, colon).trim();
    if (!NAME.test(name)) continue;
    const equals = source[colon] === ':' ? findOutside(source, colon + 1, end, '=', rules.lexical) : colon;
    const type = source[colon] === ':' ? source.slice(colon + 1, equals).trim() : '';
    if (type !== '') types(colon + 1, equals, sink);
    if (method !== '' && index === 0 && (name === 'self' || name === 'cls')) continue;
    typed.set(name, stars === 0 ? type : '');
    const value = equals < end ? followable(sink.accessPath(equals + 1, end)) : '';
    sink.local(start, name, stars === 0 ? type : '', value || inheritedType(method, index, type));
    if (isOverridable(method) && stars === 0 && NAMED_TYPE.test(type)) sink.parameter(from, index, type);
    if (equals < end) handedOn(equals + 1, end, HANDED_ON, sink);
  }
  return typed;
}

/** A type that a file can define, maybe in quotes, or one of several. */
const NAMED_TYPE =
  /^["']?(?:(?:[a-z_]\w*\.)*[A-Z]\w*\b)(?<!\b(?:None|Any|Optional|Callable|Type|Union|List|Dict|Literal))/;

/** Without an annotation a parameter has the type that the method of a parent type states for it. */
function inheritedType(method: string, index: number, type: string): string {
  return type === '' && isOverridable(method) ? `super.${method}(${index})` : '';
}

function isOverridable(method: string): boolean {
  return method !== '' && !/^(?:test|__)/.test(method);
}

const KEPT =
  /\bself\.(\w+)[ \t]*=[ \t]*(?:[\w.()[\]{}]* if [^\n]{1,60} else[ \t]+)?(?:(?:list|tuple|set|sorted|dict)\()?(\w+)\)?[ \t]*(?=\r?\n|$|or\b|if\b)/g;

/** `self.store = store`: the field has the parameter's type. */
function keptParameters({ kind, signatureEnd, end }: DefinitionView, typed: Map<string, string>, sink: FactSink): void {
  if (kind !== 'constructor' && ![...typed.values()].some((type) => NAMED_TYPE.test(type))) return;
  const body = sink.source.slice(signatureEnd, Math.min(end, signatureEnd + MAX_BODY_LENGTH));
  for (const match of body.matchAll(KEPT)) {
    field(signatureEnd + match.index, match[1], typed.get(match[2]) ?? '', '', sink);
  }
}

/** Without an annotation: what the only `return` of the function returns. */
function returned({ signatureEnd, end }: DefinitionView, sink: FactSink): void {
  if (end - signatureEnd > MAX_BODY_LENGTH) return;
  const body = sink.source.slice(signatureEnd, end);
  if (/\b(?:def|yield|class)\b/.test(body)) return;
  const found = [...body.matchAll(/^[ \t]*return\b[ \t]*/gm)];
  if (found.length !== 1) return;
  const from = signatureEnd + found[0].index + found[0][0].length;
  const stop = findOutside(sink.source, from, end, '\n', LEXICAL);
  sink.result(from, '', heldValue(from, stop, sink), true);
}

/** `lambda a, b=1: …` */
function lambda({ start, end }: NodeView, sink: FactSink): void {
  parameters(start, end, sink, '');
}

export const python: RelationRules = {
  lexical: LEXICAL,
  brackets: ['argument_list'],
  names: MENTIONS,
  nodes: {
    argument_list: calls({ special }),
    import_statement: importStatement,
    import_from_statement: importFrom,
    future_import_statement: importFrom,
    assignment,
    named_expression: assignment,
    for_statement: loop,
    for_in_clause: loop,
    as_pattern: asPattern,
    global_statement: outerName,
    nonlocal_statement: outerName,
    if_statement: condition,
    elif_clause: condition,
    assert_statement: assertion,
    lambda_parameters: lambda,
    decorator,
    list: ({ start, end }, sink) => handedOn(start + 1, end - 1, HANDED_ON, sink),
    pair: ({ start, end, text }, sink) => {
      const colon = findOutside(sink.source, start, end, ':', LEXICAL);
      if (text.length < MAX_LIST_LENGTH) handedOn(colon + 1, end, HANDED_ON, sink);
    },
  },
  definition,
  ignoredTypes: new Set(
    (
      'None str int float bool bytes bytearray complex object type list dict set frozenset tuple Any Optional Union Callable ' +
      'Iterable Iterator Sequence Mapping MutableMapping List Dict Set FrozenSet Tuple Type Literal ClassVar Final Annotated ' +
      'Awaitable Coroutine AsyncIterator AsyncIterable AsyncGenerator Generator Self Never NoReturn Exception True False'
    ).split(' '),
  ),
  ignoredCalls: new Set(
    (
      'abs all any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict dir divmod ' +
      'enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass ' +
      'iter len list locals map max memoryview min next object oct open ord pow print property range repr reversed round set ' +
      'setattr slice sorted staticmethod str sum tuple type vars zip super Exception ValueError TypeError KeyError RuntimeError ' +
      'NotImplementedError AttributeError IndexError AssertionError OSError ImportError StopIteration'
    ).split(' '),
  ),
};
