/** Assignments of Python: fields, locals, aliases of types, names from outside. */
import { handedOn, MAX_LIST_LENGTH } from '../roles/escaping-values.js';
import type { FactSink, NodeView } from '../roles/relations.js';
import { findOutside } from '../roles/scan.js';
import { MAX_BODY_LENGTH, types } from './functions.js';
import { HANDED_ON, NAME } from './lexical.js';
import { field, heldValue, MAX_TARGETS_LENGTH } from './values.js';

const NAMES = /[\p{L}_][\p{L}\p{N}_]*/gu;

/** `left: type = value`, `left = value`, `left := value`. */
export function assignment({ start, end }: NodeView, sink: FactSink): void {
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

export function outerName({ start, end, text }: NodeView, sink: FactSink): void {
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

/** Names that hide imports and symbols of the same name, whatever they hold. */
export function shadows(from: number, to: number, sink: FactSink): void {
  const text = sink.source.slice(from, to);
  if (text.length > MAX_LIST_LENGTH || /[.[]/.test(text)) return;
  for (const match of text.matchAll(NAMES)) sink.variable(from + match.index, match[0], '', '');
}
