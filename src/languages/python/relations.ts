/** Python. */

import { type Call, calls } from '../roles/call-rules.js';
import { elementsOf, handedOn, LONGEST_LIST } from '../roles/escaping-values.js';
import type { DefinitionView, NodeView, Reading, RelationRules, Spelling } from '../roles/relations.js';
import { findOutside } from '../roles/scan.js';
import { importFrom, importStatement } from './import-statements.js';

const SPELLING: Spelling = {
  lines: true,
  joins: ['.'],
  prefixes: ['await'],
  root: (name, join) => (name === 'self' || name === 'cls' ? 'this' : name === 'super' && join !== '' ? 'super' : name),
  quotes: '"\'',
  lineComments: ['#'],
  spread: /^\*/,
};

/** Bodies looked through for the one thing they return. */
const LONGEST_BODY = 6_000;
/** Text that a decorated or inheriting line may hold before the list. */
const CLASS_HEAD = /\bclass\s+$/;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const DOTTED = /^[\p{L}_][\p{L}\p{N}_.]*$/u;
const NAMES = /[\p{L}_][\p{L}\p{N}_]*/gu;
const TYPE_NAME = /[\p{L}_][\p{L}\p{N}_.]*/gu;
const HANDED_ON = /^(?:\w+\s*=\s*)?((?!(?:None|True|False)$)[\p{L}_][\p{L}\p{N}_.]*)$/u;
/** Names that one value is given to. */
const LONGEST_TARGETS = 300;
const CONSTANT = /^(?:None|True|False|\d.*|NotImplemented)$/;

/** Calls, and the bases of classes, which are argument lists too. */
function special({ callee, name, receiver, list, start, end, view }: Call, reading: Reading): boolean {
  const { source } = reading;
  if (CLASS_HEAD.test(source.slice(Math.max(0, start - 10), start))) {
    bases(view, reading);
    return true;
  }
  if (name === 'super' && receiver === '') {
    reading.remember(end, start, 'super');
    return true;
  }
  handedOn(view.start + 1, view.end - 1, HANDED_ON, reading);
  if (source[start - 1] === '@') {
    reading.reference(callee.nameStart, end, 'decorator', callee.chain, { args: list.count, literal: list.literal });
    return true;
  }
  if ((name === 'cast' || name === 'NewType' || name === 'TypeVar') && list.count > 0) return name === 'TypeVar';
  return false;
}

function bases(view: NodeView, reading: Reading): void {
  const { source } = reading;
  for (const part of elementsOf(view.start + 1, view.end - 1, reading)) {
    const text = source.slice(part.start, part.end);
    const base = /^[\p{L}_][\p{L}\p{N}_.]*/u.exec(text)?.[0] ?? '';
    const after = text.slice(base.length).trimStart();
    if (base === '' || !(after === '' || after.startsWith('['))) continue;
    const at = part.start + base.lastIndexOf('.') + 1;
    reading.reference(at, part.start + base.length, 'extends', base);
    if (after !== '') types(part.start + base.length, part.end, reading);
  }
}

/** Names in an annotation, also in one that is written as a string. */
function types(from: number, to: number, reading: Reading): void {
  for (const match of reading.source.slice(from, to).matchAll(TYPE_NAME)) {
    const at = from + match.index;
    reading.reference(at + match[0].lastIndexOf('.') + 1, at + match[0].length, 'type', match[0]);
  }
}

/** `left: type = value`, `left = value`, `left := value`. */
function assignment({ start, end }: NodeView, reading: Reading): void {
  const { source, rules } = reading;
  const stop = findOutside(source, start, end, ':=', rules.spelling);
  const isAnnotated = source[stop] === ':' && source[stop + 1] !== '=';
  const equals = isAnnotated ? findOutside(source, stop + 1, end, '=', rules.spelling) : stop;
  const type = isAnnotated ? source.slice(stop + 1, equals).trim() : '';
  if (isAnnotated) types(stop + 1, equals, reading);
  let from = equals + (source[equals] === ':' ? 2 : 1);
  if (from < end) handedOn(from, end, HANDED_ON, reading);
  // `a = b = value`: every one of them is an assignment node.
  const near = Math.min(end, from + LONGEST_TARGETS);
  for (let next = from; next < near; ) {
    next = findOutside(source, next, near, '=', rules.spelling) + 1;
    if (next <= near && source[next] !== '=' && /[\w\s\])]/.test(source[next - 2] ?? '')) from = next;
    else break;
  }
  bind(start, stop, type, followable(reading.chain(from, end)), reading);
}

/** A field, a local, or names that are taken apart. */
function bind(from: number, to: number, type: string, value: string, reading: Reading): void {
  const left = reading.source.slice(from, to).trim();
  const own = /^self\.([\p{L}_][\p{L}\p{N}_]*)$/u.exec(left);
  // The bare name of a parameter says nothing outside of its function: `definition` states its type.
  if (own !== null) field(from, own[1], type, NAME.test(value) ? '' : value, reading);
  else if (NAME.test(left)) reading.variable(from, left, type, value);
  else shadows(from, to, reading);
}

function field(at: number, name: string, type: string, value: string, reading: Reading): void {
  if (type !== '' || value !== '') reading.field(at, name, type, value);
}

function followable(chain: string): string {
  return CONSTANT.test(chain) ? '' : chain;
}

/** Names that hide imports and symbols of the same name, whatever they hold. */
function shadows(from: number, to: number, reading: Reading): void {
  const text = reading.source.slice(from, to);
  if (text.length > LONGEST_LIST || /[.[]/.test(text)) return;
  for (const match of text.matchAll(NAMES)) reading.variable(from + match.index, match[0], '', '');
}

/** `for x in xs`, in loops and comprehensions. */
function loop({ start, end }: NodeView, reading: Reading): void {
  const { source, rules } = reading;
  const head = /^(?:async\s+)?for\b/.exec(source.slice(start, start + 20));
  const from = start + (head?.[0].length ?? 0);
  const target = source.slice(from, Math.min(end, from + LONGEST_LIST));
  const within = /\bin\b/.exec(target);
  if (head === null || within === null) return;
  const last = from + within.index;
  const stop = findOutside(source, last + 2, end, ':', rules.spelling);
  const name = target.slice(0, within.index).trim();
  const values = reading.chain(last + 2, stop);
  if (NAME.test(name)) reading.variable(from, name, '', values === '' ? '' : `${values}[]`);
  else enumerated(from, last, source.slice(last + 2, stop), stop, reading);
}

/** `for i, x in enumerate(xs)`: the second name is an element. Of all other pairs nothing is known. */
function enumerated(from: number, to: number, text: string, end: number, reading: Reading): void {
  const names = reading.source.slice(from, to).split(',');
  const head = /^\s*enumerate\(/.exec(text);
  const second = names[1]?.trim() ?? '';
  if (head === null || names.length !== 2 || !NAME.test(second)) {
    shadows(from, to, reading);
    return;
  }
  const values = reading.chain(end - text.length + head[0].length, end - text.length + text.lastIndexOf(')'));
  reading.variable(from, second, '', values === '' ? '' : `${values}[]`);
  shadows(from, from + names[0].length, reading);
}

/** `with value as name`, `except Type as name`. */
function asPattern({ start, end, text }: NodeView, reading: Reading): void {
  const match = /\sas\s+([\p{L}_][\p{L}\p{N}_]*)$/u.exec(text);
  if (match === null) return;
  const isError = /\bexcept\*?\s+$/.test(reading.source.slice(Math.max(0, start - 12), start));
  const value = reading.chain(start, start + match.index);
  const type = isError && DOTTED.test(value) ? value : '';
  reading.local(end - match[1].length, match[1], type, isError ? '' : value);
  if (type !== '') types(start, start + match.index, reading);
}

function decorator({ start, end, text }: NodeView, reading: Reading): void {
  const written = text.slice(1).trim();
  if (DOTTED.test(written))
    reading.reference(end - written.length + written.lastIndexOf('.') + 1, end, 'decorator', written);
  else if (!written.includes('(')) reading.reference(start, end, 'decorator', reading.chain(start + 1, end));
}

function definition(draft: DefinitionView, reading: Reading): void {
  const { kind, nameEnd, signatureEnd, container } = draft;
  if (kind !== 'function' && kind !== 'method' && kind !== 'constructor') return;
  const { source, rules } = reading;
  const open = findOutside(source, nameEnd, signatureEnd, '(', rules.spelling);
  if (open >= signatureEnd) return;
  const close = reading.closing(open, signatureEnd);
  const typed = parameters(open + 1, close - 1, reading, container !== null && kind !== 'function');
  const arrow = source.indexOf('->', close);
  if (arrow !== -1 && arrow < signatureEnd) {
    const end = findOutside(source, arrow + 2, signatureEnd, ':', rules.spelling);
    reading.result(close, source.slice(arrow + 2, end), '');
    types(arrow + 2, end, reading);
  } else returned(draft, reading);
  if (kind === 'constructor') keptParameters(draft, typed, reading);
}

/** Types by name. */
function parameters(from: number, to: number, reading: Reading, isMethod: boolean): Map<string, string> {
  const { source, rules } = reading;
  const typed = new Map<string, string>();
  for (const [index, { start, end }] of elementsOf(from, to, reading).entries()) {
    const stars = /^\*{0,2}\s*/.exec(source.slice(start, end))?.[0].length ?? 0;
    const colon = findOutside(source, start, end, ':=', rules.spelling);
    const name = source.slice(start + stars, colon).trim();
    if (!NAME.test(name) || (isMethod && index === 0 && (name === 'self' || name === 'cls'))) continue;
    const equals = source[colon] === ':' ? findOutside(source, colon + 1, end, '=', rules.spelling) : colon;
    const type = source[colon] === ':' ? source.slice(colon + 1, equals).trim() : '';
    if (type !== '') types(colon + 1, equals, reading);
    typed.set(name, stars === 0 ? type : '');
    reading.local(start, name, stars === 0 ? type : '', equals < end ? followable(reading.chain(equals + 1, end)) : '');
    if (equals < end) handedOn(equals + 1, end, HANDED_ON, reading);
  }
  return typed;
}

/** `self.store = store`: the field has the parameter's type. */
function keptParameters({ signatureEnd, end }: DefinitionView, typed: Map<string, string>, reading: Reading): void {
  const body = reading.source.slice(signatureEnd, Math.min(end, signatureEnd + LONGEST_BODY));
  for (const match of body.matchAll(/\bself\.(\w+)[ \t]*=[ \t]*(\w+)[ \t]*(?=\r?\n|$|or\b|if\b)/g)) {
    field(signatureEnd + match.index, match[1], typed.get(match[2]) ?? '', '', reading);
  }
}

/** Without an annotation: what the only `return` of the function returns. */
function returned({ signatureEnd, end }: DefinitionView, reading: Reading): void {
  if (end - signatureEnd > LONGEST_BODY) return;
  const body = reading.source.slice(signatureEnd, end);
  if (/\b(?:def|yield|class)\b/.test(body)) return;
  const found = [...body.matchAll(/^[ \t]*return\b[ \t]*/gm)];
  if (found.length !== 1) return;
  const from = signatureEnd + found[0].index + found[0][0].length;
  const stop = findOutside(reading.source, from, end, '\n', SPELLING);
  reading.result(from, '', followable(reading.chain(from, stop)), true);
}

/** `lambda a, b=1: …` */
function lambda({ start, end }: NodeView, reading: Reading): void {
  parameters(start, end, reading, false);
}

export const python: RelationRules = {
  spelling: SPELLING,
  brackets: ['argument_list'],
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
    lambda_parameters: lambda,
    decorator,
    list: ({ start, end }, reading) => handedOn(start + 1, end - 1, HANDED_ON, reading),
    pair: ({ start, end, text }, reading) => {
      const colon = findOutside(reading.source, start, end, ':', SPELLING);
      if (text.length < LONGEST_LIST) handedOn(colon + 1, end, HANDED_ON, reading);
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
