/** Bindings of ECMAScript: parameters, locals, fields, results. */

import type { DefinitionView, FactSink, NodeRule } from '../roles/relations.js';
import { findOutside, skipSpace, skipSpaceBack, splitList } from '../roles/scan.js';
import { handedOver, nameAt, takenApart } from './patterns.js';

/** A type longer than this is no type that can be followed. UTF-16 units. */
const MAX_TYPE_LENGTH = 2_000;
/** A function whose body is longer than this doesn't just return something. */
const MAX_RETURN_LENGTH = 300;
/** A signature up to its parameters' end. */
const MAX_SIGNATURE_LENGTH = 4_000;
interface Declared {
  /** The written type. */
  type: string;
  /** Offset of the value, -1 without one. */
  value: number;
}

/** `?: Type = value` from behind a name on. */
function declaredAt(sink: FactSink, from: number, to: number): Declared {
  const { source, rules } = sink;
  let at = skipSpace(source, from, to, rules.lexical);
  if (source[at] === '?' || source[at] === '!') at = skipSpace(source, at + 1, to, rules.lexical);
  let type = '';
  if (source[at] === ':') {
    const end = typeEnd(sink, at + 1, Math.min(to, at + MAX_TYPE_LENGTH));
    type = source.slice(at + 1, end).trim();
    at = end;
  }
  return { type, value: source[at] === '=' && at < to ? at + 1 : -1 };
}

/** `new Map<string, Cart>()` with its arguments, which access paths leave out. */
const MADE = /\s*new\s+([\w$.]+\s*<[^()]{1,200}>)\s*\(/y;

/** Target with its type; without a written type, the type of its first value. */
function typedAt(sink: FactSink, from: number, to: number): Declared {
  const declared = declaredAt(sink, from, to);
  if (declared.type !== '' || declared.value === -1) return declared;
  MADE.lastIndex = declared.value;
  return { type: MADE.exec(sink.source)?.[1] ?? '', value: declared.value };
}

/** The first `=` (no arrow), `;` or `,` outside of brackets. */
function typeEnd({ source, rules }: FactSink, from: number, to: number): number {
  for (let at = from; at < to; ) {
    const end = findOutside(source, at, to, '=;,', rules.lexical, true);
    if (source[end] !== '=' || source[end + 1] !== '>' || end >= to) return end;
    at = end + 2;
  }
  return to;
}

const LOADS = /\s*(?:await\s+)?(?:require|import)\s*\(\s*["'`]/y;

export const variableDeclarator: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const isPattern = source[start] === '{' || source[start] === '[';
  const nameEnd = isPattern ? sink.closing(start, end) : start + nameAt(source, start).length;
  const { type, value } = typedAt(sink, nameEnd, end);
  LOADS.lastIndex = value;
  // The value of `require` is an import.
  if (value !== -1 && LOADS.test(source)) return;
  const accessPath = value === -1 ? '' : sink.accessPath(value, end);
  if (!isPattern) {
    sink.local(start, source.slice(start, nameEnd), type, accessPath);
    return;
  }
  takenApart(start, nameEnd, type, accessPath, sink);
};

const MODIFIERS = /(?:(?:public|private|protected|readonly|override)\s+)+/y;
/** Parameter lists after these, before an arrow, may be those of a function type. */
const TYPE_LEADS = ':|&<=';

export const parameters: NodeRule = ({ node, start, end }, sink) => {
  const { source, rules } = sink;
  if (TYPE_LEADS.includes(source[skipSpaceBack(source, start, 0, rules.lexical) - 1] ?? '')) {
    if (
      source.startsWith('=>', skipSpace(source, end, source.length, rules.lexical)) &&
      node.parent()?.is('function_type')
    )
      return;
  }
  const parts = splitList(source, start + 1, end - 1, ',', rules.lexical, true);
  if (parts.length === 0) return;
  const handed = handedOver(start, sink);
  for (const [index, part] of parts.entries()) parameter(part.start, part.end, handed(index), sink);
};

/** `handed`: the access path of what the function is called with, '' if it isn't known. */
function parameter(start: number, end: number, handed: string, sink: FactSink): void {
  const { source } = sink;
  let at = afterDecorators(start, end, sink);
  MODIFIERS.lastIndex = at;
  const modifiers = MODIFIERS.exec(source);
  if (modifiers !== null) at += modifiers[0].length;
  if (source.startsWith('...', at)) at += 3;
  const isPattern = source[at] === '{' || source[at] === '[';
  const nameEnd = isPattern ? sink.closing(at, end) : at + nameAt(source, at).length;
  if (nameEnd === at) return;
  const { type, value } = declaredAt(sink, nameEnd, end);
  const accessPath = value === -1 ? '' : sink.accessPath(value, end);
  if (isPattern) {
    takenApart(at, nameEnd, type, source[at] === '{' ? handed : '', sink);
    return;
  }
  const name = source.slice(at, nameEnd);
  if (name === 'this') return;
  sink.local(at, name, type, accessPath === '' ? handed : accessPath);
  if (modifiers !== null) sink.field(at, name, type, accessPath);
}

const DECORATOR = /@[\w$.]+\s*/y;

function afterDecorators(from: number, to: number, sink: FactSink): number {
  const { source, rules } = sink;
  let at = from;
  for (;;) {
    DECORATOR.lastIndex = at;
    const match = DECORATOR.exec(source);
    if (match === null) return at;
    at += match[0].length;
    if (source[at] === '(') at = sink.closing(at, to);
    at = skipSpace(source, at, to, rules.lexical);
  }
}

export function definition(view: DefinitionView, sink: FactSink): void {
  const { kind } = view;
  if (kind === 'field' || kind === 'property') field(view, sink);
  else if (kind === 'function' || kind === 'method') result(view, sink);
  else if (kind === 'type') alias(view, sink);
}

function field({ name, nameStart, nameEnd, end }: DefinitionView, sink: FactSink): void {
  const { type, value } = typedAt(sink, nameEnd, end);
  const accessPath = value === -1 ? '' : sink.accessPath(value, trimSemicolon(sink.source, end));
  if (type !== '' || accessPath !== '') sink.field(nameStart, name, type, accessPath);
}

function trimSemicolon(source: string, end: number): number {
  return source[end - 1] === ';' ? end - 1 : end;
}

function alias({ name, nameStart, nameEnd, end }: DefinitionView, sink: FactSink): void {
  const { source, rules } = sink;
  let at = skipSpace(source, nameEnd, end, rules.lexical);
  if (source[at] === '<') at = findOutside(source, at, Math.min(end, at + MAX_TYPE_LENGTH), '=', rules.lexical, true);
  if (source[at] !== '=') return;
  const type = source.slice(at + 1, trimSemicolon(source, end)).trim();
  if (/^[\p{L}_$][\p{L}\p{N}_$.]*(?:<[^{}]*>)?(?:\[\])*$/u.test(type)) sink.alias(nameStart, name, type, '');
}

function result(view: DefinitionView, sink: FactSink): void {
  const { source, rules } = sink;
  const { name, start, nameStart, nameEnd, signatureEnd, end } = view;
  const limit = Math.min(end, nameEnd + MAX_SIGNATURE_LENGTH);
  const open = source.indexOf('(', nameEnd);
  if (open === -1 || open >= limit) return;
  const close = sink.closing(open, limit);
  const colon = skipSpace(source, close, end, rules.lexical);
  let type = '';
  if (source[colon] === ':' && colon < signatureEnd) {
    type = source.slice(colon + 1, Math.max(colon + 1, signatureEnd)).replace(/[;,\s]+$/, '');
  } else if (source[colon] === ':' && close > signatureEnd) {
    // Of what has no body a signature is the first line.
    const most = Math.min(end, colon + MAX_TYPE_LENGTH);
    type = source.slice(colon + 1, findOutside(source, colon + 1, most, '{;=', rules.lexical, true)).trim();
  }
  const value = type === '' && end - signatureEnd <= MAX_RETURN_LENGTH ? returned(signatureEnd, end, sink) : null;
  const accessPath = value === null ? '' : value;
  sink.result(nameEnd - 1, type, accessPath);
  const isGetter = /\bget\s+$/.test(source.slice(Math.max(start, nameStart - 20), nameStart));
  if (isGetter && (type !== '' || accessPath !== '')) sink.field(nameStart, name, type, accessPath);
}

const RETURNS = /\s*(?:=>\s*)?\{\s*return\b/y;
const ARROW = /\s*=>\s*(?!\{)/y;

/** The access path of what a body consists of: `=> x`, `{ return x; }`. */
function returned(from: number, end: number, sink: FactSink): string {
  const { source, rules } = sink;
  ARROW.lastIndex = from;
  const arrow = ARROW.exec(source);
  if (arrow !== null) return sink.accessPath(from + arrow[0].length, trimSemicolon(source, end));
  RETURNS.lastIndex = from;
  const returns = RETURNS.exec(source);
  if (returns === null) return '';
  let to = skipSpaceBack(source, end, from, rules.lexical);
  if (source[to - 1] !== '}') return '';
  to = skipSpaceBack(source, to - 1, from, rules.lexical);
  return sink.accessPath(from + returns[0].length, trimSemicolon(source, to));
}
