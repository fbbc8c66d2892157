/** Bindings of ECMAScript: parameters, locals, fields, results. */

import type { DefinitionView, NodeRule, Reading } from '../roles/relations.js';
import { findOutside, skipSpace, skipSpaceBack, splitList } from '../roles/scan.js';
import { handedOver, nameAt, takenApart } from './patterns.js';

/** A type longer than this is no type that can be followed. UTF-16 units. */
const LONGEST_TYPE = 2_000;
/** A function whose body is longer than this doesn't just return something. */
const LONGEST_RETURN = 300;
/** A signature up to its parameters' end. */
const LONGEST_SIGNATURE = 4_000;
interface Declared {
  /** The written type. */
  type: string;
  /** Offset of the value, -1 without one. */
  value: number;
}

/** `?: Type = value` from behind a name on. */
function declaredAt(reading: Reading, from: number, to: number): Declared {
  const { source, rules } = reading;
  let at = skipSpace(source, from, to, rules.spelling);
  if (source[at] === '?' || source[at] === '!') at = skipSpace(source, at + 1, to, rules.spelling);
  let type = '';
  if (source[at] === ':') {
    const end = typeEnd(reading, at + 1, Math.min(to, at + LONGEST_TYPE));
    type = source.slice(at + 1, end).trim();
    at = end;
  }
  return { type, value: source[at] === '=' && at < to ? at + 1 : -1 };
}

/** `new Map<string, Cart>()` with its arguments, which chains leave out. */
const MADE = /\s*new\s+([\w$.]+\s*<[^()]{1,200}>)\s*\(/y;

/** Target with its type; without a written type, the type of its first value. */
function typedAt(reading: Reading, from: number, to: number): Declared {
  const declared = declaredAt(reading, from, to);
  if (declared.type !== '' || declared.value === -1) return declared;
  MADE.lastIndex = declared.value;
  return { type: MADE.exec(reading.source)?.[1] ?? '', value: declared.value };
}

/** The first `=` (no arrow), `;` or `,` outside of brackets. */
function typeEnd({ source, rules }: Reading, from: number, to: number): number {
  for (let at = from; at < to; ) {
    const end = findOutside(source, at, to, '=;,', rules.spelling, true);
    if (source[end] !== '=' || source[end + 1] !== '>' || end >= to) return end;
    at = end + 2;
  }
  return to;
}

const LOADS = /\s*(?:await\s+)?(?:require|import)\s*\(\s*["'`]/y;

export const variableDeclarator: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  const isPattern = source[start] === '{' || source[start] === '[';
  const nameEnd = isPattern ? reading.closing(start, end) : start + nameAt(source, start).length;
  const { type, value } = typedAt(reading, nameEnd, end);
  LOADS.lastIndex = value;
  // The value of `require` is an import.
  if (value !== -1 && LOADS.test(source)) return;
  const chain = value === -1 ? '' : reading.chain(value, end);
  if (!isPattern) {
    reading.local(start, source.slice(start, nameEnd), type, chain);
    return;
  }
  takenApart(start, nameEnd, type, chain, reading);
};

const MODIFIERS = /(?:(?:public|private|protected|readonly|override)\s+)+/y;
/** Parameter lists after these, before an arrow, may be those of a function type. */
const TYPE_LEADS = ':|&<=';

export const parameters: NodeRule = ({ node, start, end }, reading) => {
  const { source, rules } = reading;
  if (TYPE_LEADS.includes(source[skipSpaceBack(source, start, 0, rules.spelling) - 1] ?? '')) {
    if (
      source.startsWith('=>', skipSpace(source, end, source.length, rules.spelling)) &&
      node.parent()?.is('function_type')
    )
      return;
  }
  const parts = splitList(source, start + 1, end - 1, ',', rules.spelling, true);
  if (parts.length === 0) return;
  const handed = handedOver(start, reading);
  for (const [index, part] of parts.entries()) parameter(part.start, part.end, handed(index), reading);
};

/** `handed`: the chain of what the function is called with, '' if it isn't known. */
function parameter(start: number, end: number, handed: string, reading: Reading): void {
  const { source } = reading;
  let at = afterDecorators(start, end, reading);
  MODIFIERS.lastIndex = at;
  const modifiers = MODIFIERS.exec(source);
  if (modifiers !== null) at += modifiers[0].length;
  if (source.startsWith('...', at)) at += 3;
  const isPattern = source[at] === '{' || source[at] === '[';
  const nameEnd = isPattern ? reading.closing(at, end) : at + nameAt(source, at).length;
  if (nameEnd === at) return;
  const { type, value } = declaredAt(reading, nameEnd, end);
  const chain = value === -1 ? '' : reading.chain(value, end);
  if (isPattern) {
    takenApart(at, nameEnd, type, source[at] === '{' ? handed : '', reading);
    return;
  }
  const name = source.slice(at, nameEnd);
  if (name === 'this') return;
  reading.local(at, name, type, chain === '' ? handed : chain);
  if (modifiers !== null) reading.field(at, name, type, chain);
}

const DECORATOR = /@[\w$.]+\s*/y;

function afterDecorators(from: number, to: number, reading: Reading): number {
  const { source, rules } = reading;
  let at = from;
  for (;;) {
    DECORATOR.lastIndex = at;
    const match = DECORATOR.exec(source);
    if (match === null) return at;
    at += match[0].length;
    if (source[at] === '(') at = reading.closing(at, to);
    at = skipSpace(source, at, to, rules.spelling);
  }
}

export function definition(view: DefinitionView, reading: Reading): void {
  const { kind } = view;
  if (kind === 'field' || kind === 'property') field(view, reading);
  else if (kind === 'function' || kind === 'method') result(view, reading);
  else if (kind === 'type') alias(view, reading);
}

function field({ name, nameStart, nameEnd, end }: DefinitionView, reading: Reading): void {
  const { type, value } = typedAt(reading, nameEnd, end);
  const chain = value === -1 ? '' : reading.chain(value, trimSemicolon(reading.source, end));
  if (type !== '' || chain !== '') reading.field(nameStart, name, type, chain);
}

function trimSemicolon(source: string, end: number): number {
  return source[end - 1] === ';' ? end - 1 : end;
}

function alias({ name, nameStart, nameEnd, end }: DefinitionView, reading: Reading): void {
  const { source, rules } = reading;
  let at = skipSpace(source, nameEnd, end, rules.spelling);
  if (source[at] === '<') at = findOutside(source, at, Math.min(end, at + LONGEST_TYPE), '=', rules.spelling, true);
  if (source[at] !== '=') return;
  const type = source.slice(at + 1, trimSemicolon(source, end)).trim();
  if (/^[\p{L}_$][\p{L}\p{N}_$.]*(?:<[^{}]*>)?(?:\[\])*$/u.test(type)) reading.alias(nameStart, name, type, '');
}

function result(view: DefinitionView, reading: Reading): void {
  const { source, rules } = reading;
  const { name, start, nameStart, nameEnd, signatureEnd, end } = view;
  const limit = Math.min(end, nameEnd + LONGEST_SIGNATURE);
  const open = source.indexOf('(', nameEnd);
  if (open === -1 || open >= limit) return;
  const close = reading.closing(open, limit);
  const colon = skipSpace(source, close, end, rules.spelling);
  let type = '';
  if (source[colon] === ':' && colon < signatureEnd) {
    type = source.slice(colon + 1, Math.max(colon + 1, signatureEnd)).replace(/[;,\s]+$/, '');
  } else if (source[colon] === ':' && close > signatureEnd) {
    // Of what has no body a signature is the first line.
    const most = Math.min(end, colon + LONGEST_TYPE);
    type = source.slice(colon + 1, findOutside(source, colon + 1, most, '{;=', rules.spelling, true)).trim();
  }
  const value = type === '' && end - signatureEnd <= LONGEST_RETURN ? returned(signatureEnd, end, reading) : null;
  const chain = value === null ? '' : value;
  reading.result(nameEnd - 1, type, chain);
  const isGetter = /\bget\s+$/.test(source.slice(Math.max(start, nameStart - 20), nameStart));
  if (isGetter && (type !== '' || chain !== '')) reading.field(nameStart, name, type, chain);
}

const RETURNS = /\s*(?:=>\s*)?\{\s*return\b/y;
const ARROW = /\s*=>\s*(?!\{)/y;

/** The chain of what a body consists of: `=> x`, `{ return x; }`. */
function returned(from: number, end: number, reading: Reading): string {
  const { source, rules } = reading;
  ARROW.lastIndex = from;
  const arrow = ARROW.exec(source);
  if (arrow !== null) return reading.chain(from + arrow[0].length, trimSemicolon(source, end));
  RETURNS.lastIndex = from;
  const returns = RETURNS.exec(source);
  if (returns === null) return '';
  let to = skipSpaceBack(source, end, from, rules.spelling);
  if (source[to - 1] !== '}') return '';
  to = skipSpaceBack(source, to - 1, from, rules.spelling);
  return reading.chain(from + returns[0].length, trimSemicolon(source, to));
}
