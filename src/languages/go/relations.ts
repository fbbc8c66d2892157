/** Go. */

import { type Call, calls } from '../roles/call-rules.js';
import { elementsOf, handedOn } from '../roles/escaping-values.js';
import type { DefinitionView, NodeView, Reading, RelationRules, Spelling } from '../roles/relations.js';
import { findOutside } from '../roles/scan.js';

const SPELLING: Spelling = {
  lines: true,
  joins: ['.'],
  prefixes: ['&', '*', '<-'],
  quotes: '"\'`',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
};

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const PLAIN_TYPE = /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)?/u;
const HANDED_ON = /^(?:\w+\s*:\s*)?&?([\p{L}_][\p{L}\p{N}_.]*)$/u;
/** Form of a type in brackets after a function; an index is a variable or a number. */
const TYPE_ARGUMENT = /^(?:[A-Z*[]|\w+\.[A-Z]|(?:string|bool|byte|rune|error|any|float\d\d|u?int\d*)\b|map\[|func\()/;
/** A head longer than this is none. */
const LONGEST_HEAD = 600;

function special(call: Call, reading: Reading): boolean {
  const { callee, name, receiver, list, start, end, view } = call;
  handedOn(view.start + 1, view.end - 1, HANDED_ON, reading);
  if (receiver === '' && (name === 'new' || name === 'make')) {
    const type = madeType(reading.source.slice(view.start + 1, view.end - 1));
    reading.remember(end, start, name === 'new' && type !== '' ? `new ${type}()` : '?');
    if (name === 'new' && type !== '') reading.reference(view.start + 1, end, 'new', type, { args: 0 });
    return true;
  }
  if (!name.endsWith('[]')) return false;
  const open = reading.source.indexOf('[', callee.nameStart);
  if (open === -1 || !TYPE_ARGUMENT.test(reading.source.slice(open + 1, open + 20))) return false;
  const chain = callee.chain.slice(0, -2);
  reading.remember(end, start, `${chain}()`);
  reading.reference(callee.nameStart, end, 'call', chain, { args: list.count });
  return true;
}

function madeType(text: string): string {
  return /^\s*([\p{L}_][\p{L}\p{N}_.]*)(?:\[.*\])?\s*$/u.exec(text.slice(0, LONGEST_HEAD))?.[1] ?? '';
}

function importSpec({ start, end, text }: NodeView, reading: Reading): void {
  const match = /^(?:([\w.]+)\s+)?["`]([^"`\n]+)["`]/.exec(text);
  if (match === null) return;
  const [, alias, specifier] = match;
  if (alias === '_') {
    reading.import(start, end, 'import', specifier);
    return;
  }
  const name = alias === '.' ? '' : (alias ?? packageName(specifier));
  reading.import(start, end, 'import', specifier, [{ name: '*', alias: name }]);
}

/** The last element of a path that isn't its version. */
function packageName(specifier: string): string {
  const parts = specifier.split('/');
  if (parts.length > 1 && /^v\d+$/.test(parts[parts.length - 1])) parts.pop();
  return parts[parts.length - 1].replace(/\.v\d+$/, '');
}

/** `Cart{…}` makes a cart; `[]Item{…}` and `map[string]Item{…}` only name types. */
function compositeLiteral({ start, end }: NodeView, reading: Reading): void {
  const { source } = reading;
  const open = source.indexOf('{', start);
  if (open === -1 || open >= end) return;
  handedOn(open + 1, end - 1, HANDED_ON, reading);
  const type = madeType(source.slice(start, open));
  if (type === '' || type === 'struct' || type === 'interface') return;
  reading.remember(end, start, `new ${type}()`);
  reading.reference(start + type.lastIndexOf('.') + 1, end, 'new', type);
}

/** `a, b := x, y`, `var a, b T = x, y`. */
function declaration({ start, end }: NodeView, reading: Reading): void {
  const { source, rules } = reading;
  const equals = findOutside(source, start, end, '=', rules.spelling);
  const isShort = source[equals - 1] === ':';
  const left = source.slice(start, isShort ? equals - 1 : equals);
  const names = /^[\p{L}_][\p{L}\p{N}_]*(?:\s*,\s*[\p{L}_][\p{L}\p{N}_]*)*/u.exec(left)?.[0];
  if (names === undefined) return;
  const type = left.slice(names.length).trim();
  const values = equals < end ? elementsOf(equals + 1, end, reading) : [];
  if (values.length === 1) handedOn(equals + 1, end, HANDED_ON, reading);
  let at = start;
  for (const [index, text] of names.split(',').entries()) {
    const name = text.trim();
    const value = index === 0 || values.length > 1 ? values[index] : undefined;
    if (name !== '_') bind(at + text.indexOf(name), name, type, value, reading);
    at += text.length + 1;
  }
}

function bind(
  at: number,
  name: string,
  type: string,
  value: { start: number; end: number } | undefined,
  reading: Reading,
): void {
  if (value === undefined) {
    reading.local(at, name, type, '');
    return;
  }
  const written = reading.source.slice(Math.max(value.start, value.end - LONGEST_HEAD), value.end);
  const asserted = /\.\(\s*([^()]+?)\s*\)$/.exec(written);
  if (asserted !== null && asserted[1] !== 'type') {
    reading.local(at, name, asserted[1], '');
    return;
  }
  reading.local(at, name, type, reading.chain(value.start, value.end));
}

/** `i, item := range items`. */
function rangeClause({ start, end, text }: NodeView, reading: Reading): void {
  const match = /^([\p{L}_][\p{L}\p{N}_]*)(?:\s*,\s*([\p{L}_][\p{L}\p{N}_]*))?\s*:=\s*range\s+/u.exec(text);
  if (match === null) return;
  const [head, first, second] = match;
  if (first !== '_') reading.local(start, first, '', '');
  const values = reading.chain(start + head.length, end);
  if (second !== undefined && second !== '_') reading.local(start, second, '', values === '' ? '' : `${values}[]`);
}

/** `a, b T`, `c ...T`; of results also `T` alone. */
function parameter({ start, text, node }: NodeView, reading: Reading): void {
  // Parameters of types (`fn func(r *Request)`) and of an interface's methods are known nowhere.
  const owner = node.parent()?.parent();
  if (owner?.is('function_type') === true || owner?.is('method_elem') === true) return;
  const names = /^[\p{L}_][\p{L}\p{N}_]*(?:\s*,\s*[\p{L}_][\p{L}\p{N}_]*)*(?=[\s.])/u.exec(
    text.slice(0, LONGEST_HEAD),
  )?.[0];
  if (names === undefined) return;
  const type = text
    .slice(names.length)
    .trim()
    .replace(/^\.\.\.\s*/, '[]');
  if (type === '' || type.startsWith('.')) return;
  let at = start;
  for (const written of names.split(',')) {
    if (written.trim() !== '_') reading.local(at, written.trim(), type, '');
    at += written.length + 1;
  }
}

/** `a, b T`, and embedded types, which give their members away. */
function field({ start, end, text }: NodeView, reading: Reading): void {
  const body = text.replace(/\s*(?:`[^`]*`|"[^"\n]*")\s*$/, '').replace(/\s*\/\/[^\n]*$/, '');
  const embedded = /^\*?\s*([\p{L}_][\p{L}\p{N}_.]*)(?:\[[^\]]*\])?$/u.exec(body);
  if (embedded !== null) {
    const name = embedded[1].slice(embedded[1].lastIndexOf('.') + 1);
    reading.field(start, name, body, '');
    reading.reference(
      start + body.indexOf(embedded[1]) + embedded[1].length - name.length,
      end,
      'extends',
      embedded[1],
    );
    return;
  }
  const names = /^[\p{L}_][\p{L}\p{N}_]*(?:\s*,\s*[\p{L}_][\p{L}\p{N}_]*)*(?=\s)/u.exec(body)?.[0] ?? '';
  const type = body.slice(names.length).trim();
  for (const name of names.split(',')) if (NAME.test(name.trim())) reading.field(start, name.trim(), type, '');
}

/** An interface in an interface. */
function embeddedInterface({ start, end, text }: NodeView, reading: Reading): void {
  const { source } = reading;
  const before = source.slice(Math.max(0, start - 200), start);
  if (!/(?:\{|\n|;)\s*$/.test(before) || !/^[\p{L}_][\p{L}\p{N}_.]*$/u.test(text)) return;
  reading.reference(start + text.lastIndexOf('.') + 1, end, 'extends', text);
}

function definition(
  { kind, name, start, nameStart, nameEnd, signatureEnd, end }: DefinitionView,
  reading: Reading,
): void {
  const { source } = reading;
  if (kind === 'type' || kind === 'struct' || kind === 'interface') {
    typeParameters(nameEnd, reading);
    const alias = /^\s*=\s*/.exec(source.slice(nameEnd, nameEnd + 20));
    if (alias !== null)
      reading.alias(nameStart, name, source.slice(nameEnd + alias[0].length, Math.min(end, nameEnd + LONGEST_HEAD)));
    return;
  }
  if (kind !== 'function' && kind !== 'method') return;
  const receiver = /\(\s*(?:[\p{L}_][\p{L}\p{N}_]*\s+)?(\*?\s*[\p{L}_][\p{L}\p{N}_]*(?:\[[^\]]*\])?)\s*\)\s*$/u.exec(
    source.slice(start, nameStart),
  );
  if (receiver !== null) reading.local(start, 'this', receiver[1], '');
  const open = typeParameters(nameEnd, reading);
  if (source[open] !== '(') return;
  const close = reading.closing(open, end);
  const limit = Math.max(signatureEnd, close);
  reading.result(nameStart, firstResult(close, Math.min(limit, close + LONGEST_HEAD), reading), '');
}

/** `[T any, K comparable]` after a name. Returns where it ends. */
function typeParameters(at: number, reading: Reading): number {
  const { source, rules } = reading;
  if (source[at] !== '[') return at;
  const close = findOutside(source, at + 1, Math.min(source.length, at + LONGEST_HEAD), ']', rules.spelling);
  const list = source.slice(at + 1, close);
  // `[5]int` and `[]int` are types, not parameters.
  if (!/\s/.test(list.trim())) return close + 1;
  for (const match of list.matchAll(/(?:^|,)\s*(\w+)/g)) reading.typeParameter(match[1]);
  return close + 1;
}

/** Of `(cart *Cart, err error)`: `*Cart`. Of several results the first is what a chain goes on with. */
function firstResult(from: number, to: number, { source, rules }: Reading): string {
  const open = from + (/^\s*/.exec(source.slice(from, to))?.[0].length ?? 0);
  if (source[open] !== '(') return source.slice(from, findOutside(source, from, to, '{', rules.spelling)).trim();
  const stop = findOutside(source, open + 1, to, ',)', rules.spelling);
  const first = source.slice(open + 1, stop).trim();
  const named = /^[\p{L}_][\p{L}\p{N}_]*\s+(.+)$/su.exec(first);
  if (named !== null && !/^(?:chan|func|map|struct|interface)\b/.test(first)) return named[1];
  if (source[stop] === ')') return first;
  // `(a, b Cart)`: the type stands behind the last of the names.
  const second = source.slice(stop + 1, findOutside(source, stop + 1, to, ',)', rules.spelling)).trim();
  const shared = NAME.test(first) ? /^[\p{L}_][\p{L}\p{N}_]*\s+(\S.*)$/su.exec(second) : null;
  return shared !== null && !/^(?:chan|func|map|struct|interface)\b/.test(second) ? shared[1] : first;
}

/** `value.(*Cart)` is a cart. */
function assertion({ start, end }: NodeView, reading: Reading): void {
  const written = reading.source.slice(Math.max(start, end - LONGEST_HEAD), end);
  const type = /\.\(\s*\*?\s*([\p{L}_][\p{L}\p{N}_.]*)\s*\)$/u.exec(written)?.[1];
  reading.remember(end, start, type === undefined || type === 'type' ? '?' : `new ${type}()`);
}

/** `New[Item](x)`, which the grammar takes for a conversion. */
function conversion({ start, end, text }: NodeView, reading: Reading): void {
  const chain = /^([\p{L}_][\p{L}\p{N}_.]*)\[/u.exec(text)?.[1];
  if (chain === undefined) return;
  reading.remember(end, start, `${chain}()`);
  reading.reference(start + chain.lastIndexOf('.') + 1, end, 'call', chain, { args: 1 });
}

function typeName({ start, end, text }: NodeView, reading: Reading): void {
  const { source } = reading;
  const before = source.slice(Math.max(0, start - 60), start);
  // The receiver of a method names the type that it belongs to anyway.
  if (!PLAIN_TYPE.test(text) || /\bfunc\s*\(\s*(?:\w+\s+)?\*?\s*$/.test(before)) return;
  const qualified = before.endsWith('.') && !before.endsWith('..');
  reading.reference(start, end, 'type', qualified ? reading.chainBefore(end).chain : text);
}

/** `switch t := value.(type)`: what `t` is depends on the case. */
function text(reading: Reading): void {
  for (const match of reading.source.matchAll(/\bswitch\s+(\w+)\s*:=\s*[\w.()[\]]+\.\(type\)/g)) {
    reading.local(match.index, match[1], '', '');
  }
}

export const go: RelationRules = {
  spelling: SPELLING,
  brackets: ['argument_list'],
  nodes: {
    argument_list: calls({ special }),
    import_spec: importSpec,
    package_clause: ({ start, end, text }, reading) =>
      reading.import(start, end, 'declare', /^package\s+(\w+)/.exec(text)?.[1] ?? ''),
    composite_literal: compositeLiteral,
    short_var_declaration: declaration,
    var_spec: declaration,
    range_clause: rangeClause,
    parameter_declaration: parameter,
    variadic_parameter_declaration: parameter,
    func_literal: ({ start, end }, reading) => reading.closure(start, end),
    field_declaration: field,
    type_elem: embeddedInterface,
    type_assertion_expression: assertion,
    type_conversion_expression: conversion,
    type_identifier: typeName,
  },
  definition,
  text,
  ignoredTypes: new Set(
    (
      'any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 ' +
      'uint32 uint64 uintptr'
    ).split(' '),
  ),
  ignoredCalls: new Set(
    (
      'append cap clear close complex copy delete imag len make max min new panic print println real recover any bool byte complex64 ' +
      'complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr'
    ).split(' '),
  ),
};
