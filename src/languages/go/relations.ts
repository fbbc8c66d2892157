/** Go. */

import { type Call, calls } from '../roles/call-rules.js';
import { elementsOf, handedOn } from '../roles/escaping-values.js';
import type { FactSink, LexicalConventions, NodeView, RelationRules } from '../roles/relations.js';
import { findOutside } from '../roles/scan.js';
import { definition, embeddedInterface, field, MAX_HEAD_LENGTH, parameter } from './functions.js';
import { compositeLiteral, HANDED_ON, madeType } from './literals.js';
import { NAMES } from './names.js';

const LEXICAL: LexicalConventions = {
  lines: true,
  joins: ['.'],
  prefixes: ['&', '*', '<-'],
  quotes: '"\'`',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
};
const PLAIN_TYPE = /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)?/u;
/** Form of a type in brackets after a function; an index is a variable or a number. */
const TYPE_ARGUMENT = /^(?:[A-Z*[]|\w+\.[A-Z]|(?:string|bool|byte|rune|error|any|float\d\d|u?int\d*)\b|map\[|func\()/;

function special(call: Call, sink: FactSink): boolean {
  const { callee, name, receiver, list, start, end, view } = call;
  handedOn(view.start + 1, view.end - 1, HANDED_ON, sink);
  if (receiver === '' && (name === 'new' || name === 'make')) {
    const type = madeType(sink.source.slice(view.start + 1, view.end - 1));
    sink.remember(end, start, name === 'new' && type !== '' ? `new ${type}()` : '?');
    if (name === 'new' && type !== '') sink.reference(view.start + 1, end, 'new', type, { args: 0 });
    return true;
  }
  if (!name.endsWith('[]')) return false;
  const open = sink.source.indexOf('[', callee.nameStart);
  if (open === -1 || !TYPE_ARGUMENT.test(sink.source.slice(open + 1, open + 20))) return false;
  const accessPath = callee.accessPath.slice(0, -2);
  sink.remember(end, start, `${accessPath}()`);
  sink.reference(callee.nameStart, end, 'call', accessPath, { args: list.count });
  return true;
}

function importSpec({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /^(?:([\w.]+)\s+)?["`]([^"`\n]+)["`]/.exec(text);
  if (match === null) return;
  const [, alias, specifier] = match;
  if (alias === '_') {
    sink.import(start, end, 'import', specifier);
    return;
  }
  const name = alias === '.' ? '' : (alias ?? packageName(specifier));
  sink.import(start, end, 'import', specifier, [{ name: '*', alias: name }]);
}

/** The last element of a path that isn't its version. */
function packageName(specifier: string): string {
  const parts = specifier.split('/');
  if (parts.length > 1 && /^v\d+$/.test(parts[parts.length - 1])) parts.pop();
  return parts[parts.length - 1].replace(/\.v\d+$/, '');
}

/** `a, b := x, y`, `var a, b T = x, y`. */
function declaration({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const equals = findOutside(source, start, end, '=', rules.lexical);
  const isShort = source[equals - 1] === ':';
  const left = source.slice(start, isShort ? equals - 1 : equals);
  const names = /^[\p{L}_][\p{L}\p{N}_]*(?:\s*,\s*[\p{L}_][\p{L}\p{N}_]*)*/u.exec(left)?.[0];
  if (names === undefined) return;
  const type = left.slice(names.length).trim();
  const values = equals < end ? elementsOf(equals + 1, end, sink) : [];
  if (values.length === 1) handedOn(equals + 1, end, HANDED_ON, sink);
  let at = start;
  for (const [index, text] of names.split(',').entries()) {
    const name = text.trim();
    const value = index === 0 || values.length > 1 ? values[index] : undefined;
    if (name !== '_') bind(at + text.indexOf(name), name, type, value, sink);
    at += text.length + 1;
  }
}

function bind(
  at: number,
  name: string,
  type: string,
  value: { start: number; end: number } | undefined,
  sink: FactSink,
): void {
  if (value === undefined) {
    sink.local(at, name, type, '');
    return;
  }
  const written = sink.source.slice(Math.max(value.start, value.end - MAX_HEAD_LENGTH), value.end);
  const asserted = /\.\(\s*([^()]+?)\s*\)$/.exec(written);
  if (asserted !== null && asserted[1] !== 'type') {
    sink.local(at, name, asserted[1], '');
    return;
  }
  const text = sink.source.slice(value.start, Math.min(value.end, value.start + MAX_HEAD_LENGTH));
  const collection = COLLECTION.exec(text);
  const path = sink.accessPath(value.start, value.end);
  // A value that is received from a channel is one of its elements.
  const given = path !== '' && text.startsWith('<-') ? `${path}[]` : path;
  sink.local(at, name, type || (collection?.[1] ?? ''), collection === null ? given : '');
}

/** `make([]Item, n)`, `map[string]*Item{…}` */
const COLLECTION = /^(?:make\(\s*)?((?:\[\d*\]|map\[[^\]\n]*\]|chan\s+)+\*?\s*[\p{L}_][\p{L}\p{N}_.]*)\s*[,){]/u;

/** `i, item := range items`. */
function rangeClause({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /^([\p{L}_][\p{L}\p{N}_]*)(?:\s*,\s*([\p{L}_][\p{L}\p{N}_]*))?\s*:=\s*range\s+/u.exec(text);
  if (match === null) return;
  const [head, first, second] = match;
  const values = sink.accessPath(start + head.length, end);
  const element = values === '' ? '' : `${values}[]`;
  // A name alone is an element of a channel; an index has no members that could be asked for.
  if (first !== '_') sink.local(start, first, '', second === undefined ? element : '');
  if (second !== undefined && second !== '_') sink.local(start, second, '', element);
}

/** `value.(*Cart)` is a cart. */
function assertion({ start, end }: NodeView, sink: FactSink): void {
  const written = sink.source.slice(Math.max(start, end - MAX_HEAD_LENGTH), end);
  const type = /\.\(\s*\*?\s*([\p{L}_][\p{L}\p{N}_.]*)\s*\)$/u.exec(written)?.[1];
  sink.remember(end, start, type === undefined || type === 'type' ? '?' : `new ${type}()`);
}

/** `New[Item](x)`, which the grammar takes for a conversion. */
function conversion({ start, end, text }: NodeView, sink: FactSink): void {
  const accessPath = /^([\p{L}_][\p{L}\p{N}_.]*)\[/u.exec(text)?.[1];
  if (accessPath === undefined) return;
  sink.remember(end, start, `${accessPath}()`);
  sink.reference(start + accessPath.lastIndexOf('.') + 1, end, 'call', accessPath, { args: 1 });
}

function typeName({ start, end, text }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const before = source.slice(Math.max(0, start - 60), start);
  // The receiver of a method names the type that it belongs to anyway.
  if (!PLAIN_TYPE.test(text) || /\bfunc\s*\(\s*(?:\w+\s+)?\*?\s*$/.test(before)) return;
  const qualified = before.endsWith('.') && !before.endsWith('..');
  sink.reference(start, end, 'type', qualified ? sink.accessPathBefore(end).accessPath : text);
}

/** `switch t := value.(type)`: what `t` is depends on the case. */
function text(sink: FactSink): void {
  for (const match of sink.source.matchAll(/\bswitch\s+(\w+)\s*:=\s*[\w.()[\]]+\.\(type\)/g)) {
    sink.local(match.index, match[1], '', '');
  }
}

/** `case *Cart:` of a switch over types, in which the name that the switch gives has that type. */
function typeCase(node: NodeView, sink: FactSink): void {
  const { start, text } = node;
  const name = node.parent?.field('alias')?.text;
  const type = /^case\s+([^,:\n]+):/.exec(text.slice(0, MAX_HEAD_LENGTH))?.[1] ?? '';
  if (name !== undefined) sink.local(start, name, type, '');
}

export const go: RelationRules = {
  lexical: LEXICAL,
  brackets: ['argument_list'],
  names: NAMES,
  nodes: {
    argument_list: calls({ special }),
    import_spec: importSpec,
    package_clause: ({ start, end, text }, sink) =>
      sink.import(start, end, 'declare', /^package\s+(\w+)/.exec(text)?.[1] ?? ''),
    composite_literal: compositeLiteral,
    type_case: typeCase,
    default_case: typeCase,
    short_var_declaration: declaration,
    var_spec: declaration,
    range_clause: rangeClause,
    parameter_declaration: parameter,
    variadic_parameter_declaration: parameter,
    func_literal: ({ start, end }, sink) => sink.closure(start, end),
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
  handedValues: /(?:^|\.)Group\(\)$/,
  literalCalls: new Set(
    'GET POST PUT PATCH DELETE HEAD OPTIONS Any Get Post Put Patch Delete Head Options Handle HandleFunc Route Mount Group'.split(
      ' ',
    ),
  ),
  ignoredCalls: new Set(
    (
      'append cap clear close complex copy delete imag len make max min new panic print println real recover any bool byte complex64 ' +
      'complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr'
    ).split(' '),
  ),
};
