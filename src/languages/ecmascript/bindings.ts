/** Bindings of ECMAScript: parameters, locals, fields, results. */
import type { DefinitionView, FactSink, NodeRule, RelationRules } from '../roles/relations.js';
import { closingOf, findOutside, skipSpace, skipSpaceBack, splitList } from '../roles/scan.js';
import { bracketsOf, conditionsAround, expectedAt, valuePath } from './expressions.js';
import { handedOver, nameAt, takenApart } from './patterns.js';
import { PARAMETER_TYPE, PLAIN_TYPE, signature, trimSemicolon } from './signatures.js';
import { endOfType } from './types.js';

/** Longest type that can be followed. UTF-16 units. */
const MAX_TYPE_LENGTH = 2_000;

interface Declared {
  /** The written type. */
  type: string;
  /** Offset of the value, -1 without one. */
  value: number;
}

/** Reads `?: Type = value` from behind a name on. */
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

/** `new Map<string, Cart>()` with its arguments, which access paths do not have. */
const MADE = /\s*new\s+([\w$.]+\s*<[^()]{1,200}>)\s*\(/y;

/** Written type and value of a target; without a written type, the type of its first value. */
function typedAt(sink: FactSink, from: number, to: number): Declared {
  const declared = declaredAt(sink, from, to);
  if (declared.type !== '' || declared.value === -1) return declared;
  MADE.lastIndex = declared.value;
  return { type: MADE.exec(sink.source)?.[1] ?? '', value: declared.value };
}

/** Offset of the first `=` (no arrow), `;` or `,` outside of brackets. */
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
  const accessPath = value === -1 ? '' : valuePath(sink, value, end);
  if (!isPattern) {
    sink.local(start, source.slice(start, nameEnd), type, accessPath);
    return;
  }
  takenApart(start, nameEnd, type, accessPath.includes(' | ') ? '' : accessPath, sink);
};

const MODIFIERS = /(?:(?:public|private|protected|readonly|override)\s+)+/y;
/** Text before a list of parameters that may be part of a function type. */
const TYPE_LEADS = ':|&<=';

export const parameters: NodeRule = (node, sink) => {
  const { start, end } = node;
  const { source, rules } = sink;
  const mayBeType = TYPE_LEADS.includes(source[skipSpaceBack(source, start, 0, rules.lexical) - 1] ?? '');
  const isArrowed = mayBeType && source.startsWith('=>', skipSpace(source, end, source.length, rules.lexical));
  if (isArrowed && node.parent?.kind === 'function_type') {
    for (const part of splitList(source, start + 1, end - 1, ',', rules.lexical, true))
      sink.declared(part.start + (source.startsWith('...', part.start) ? 3 : 0));
    return;
  }
  const parts = splitList(source, start + 1, end - 1, ',', rules.lexical, true);
  if (parts.length === 0) return;
  if (node.parent !== null) conditionsAround(node.parent, sink);
  const handed = handedOver(start, sink);
  for (const [index, part] of parts.entries()) parameter(part.start, part.end, handed(index), sink);
};

/** `handed`: the access path of the argument that the function is called with, '' if it is unknown. */
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
  const { kind, container } = view;
  if (kind === 'method' && !/^(?:class|interface|type)$/.test(container ?? '')) memberOfLiteral(view, sink);
  if (kind === 'function') assignedFunction(view, sink);
  BY_KIND[kind]?.(view, sink);
}

const BY_KIND: Partial<Record<DefinitionView['kind'], (view: DefinitionView, sink: FactSink) => void>> = {
  ...{ field, property: field, type: alias },
  ...{ function: signature, method: signature, constructor: signature },
};

/** A method of an object literal is also a member of what the object is given to. */
function memberOfLiteral({ nameStart, nameEnd, name, end }: DefinitionView, sink: FactSink): void {
  const open = bracketsOf(sink).around(nameStart)?.open ?? -1;
  if (sink.source[open] !== '{') return;
  const place = expectedAt(sink, open);
  // A method of what the file exports is no use of itself.
  if (!OWN_EXPORTS.test(place)) sink.reference(nameStart, nameEnd, 'write', `${place || '?'}.${name}`);
  if (place !== '' && sink.source.slice(nameEnd, end).includes('this.')) sink.given(nameEnd, '{this}', '', place);
}

/** `strategy.` before the name of a function that is put on an object. */
const OBJECT_LEAD = /(?:^|[^.\w$])([A-Za-z_$][\w$]*)\s*\.\s*$/;
const MAX_OBJECT_LENGTH = 80;

/** `this` in `strategy.fail = function () { … }` is the strategy. */
function assignedFunction({ nameStart, nameEnd }: DefinitionView, sink: FactSink): void {
  const owner = OBJECT_LEAD.exec(sink.source.slice(Math.max(0, nameStart - MAX_OBJECT_LENGTH), nameStart))?.[1];
  if (owner !== undefined && !EXPORTS.has(owner)) sink.given(nameEnd, '{this}', '', owner);
}

const OWN_EXPORTS = /^(?:module\.)?exports$/;
const EXPORTS: ReadonlySet<string> = new Set(['exports', 'module', 'this']);

/** A literal that is its own type in a `readonly` field, or anywhere with group 2, `as const`. */
const LITERAL = /^\s*("[^"\\\n]{1,60}"|'[^'\\\n]{1,60}'|true|false|\d{1,9})(\s+as\s+const)?\s*$/;
const MAX_LITERAL_LENGTH = 100;

/** The type `'cart'` of `readonly kind = 'cart'`: conditions tell the parts of a union by such fields. */
function literalOf(source: string, lead: string, from: number, to: number): string {
  if (from === -1 || to - from > MAX_LITERAL_LENGTH) return '';
  const literal = LITERAL.exec(source.slice(from, to));
  return literal !== null && (literal[2] !== undefined || /\breadonly\s/.test(lead)) ? literal[1] : '';
}

function field({ name, start, nameStart, nameEnd, end }: DefinitionView, sink: FactSink): void {
  const { type: written, value } = typedAt(sink, nameEnd, end);
  const to = trimSemicolon(sink.source, end);
  const type = written === '' ? literalOf(sink.source, sink.source.slice(start, nameStart), value, to) : written;
  const accessPath = value === -1 ? '' : valuePath(sink, value, to);
  if (type !== '' || accessPath !== '') sink.field(nameStart, name, type, accessPath);
}

function alias({ name, nameStart, nameEnd, end }: DefinitionView, sink: FactSink): void {
  const { source, rules } = sink;
  let at = skipSpace(source, nameEnd, end, rules.lexical);
  if (source[at] === '<') at = findOutside(source, at, Math.min(end, at + MAX_TYPE_LENGTH), '=', rules.lexical, true);
  if (source[at] !== '=') return;
  const type = source.slice(at + 1, trimSemicolon(source, end)).trim();
  for (const part of recordedTypes(type, sink)) sink.alias(nameStart, name, part, '');
}

/** `(cart: Cart, id: string) => void` without names of parameters and without types that have no members. */
function withoutNames(type: string, { lexical }: RelationRules): string {
  const close = closingOf(type, 0, type.length, lexical);
  const types = splitList(type, 1, close - 1, ',', lexical, true).map((part) => {
    const written = PARAMETER_TYPE.exec(type.slice(part.start, part.end))?.[1] ?? '';
    return PLAIN_TYPE.test(written) ? 'any' : written.trim();
  });
  return `(${types.join(',')})${type.slice(close)}`.replace(/\s+/g, ' ');
}

/** Most UTF-16 units of a string in a record. */
const MAX_PART_LENGTH = 200;

const COMMENT = /\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*/g;

/** The type on one line. A long one loses the members of its object types, which are symbols of their own. */
function compact(type: string): string {
  const short = (type.includes('/') ? type.replace(COMMENT, '') : type).replace(/\s+/g, ' ').trim();
  if (short.length <= MAX_PART_LENGTH || short.length > MAX_TYPE_LENGTH) return short;
  const bare = short.replace(/\{[^{}]*\}/g, '{}');
  return bare.length <= MAX_PART_LENGTH ? bare : short;
}

/** Type that an alias stands for, as records hold it: a long union or intersection comes in groups of its parts that fit. */
function recordedTypes(type: string, { rules }: FactSink): string[] {
  const short = compact(type);
  if (short.length <= MAX_PART_LENGTH) return [short];
  const from = type[0] === '<' ? endOfType(type, 0, type.length, true) : 0;
  const open = skipSpace(type, from, type.length, rules.lexical);
  if (type[open] === '(' && type.includes('=>')) return [withoutNames(type.slice(open), rules)];
  const separator = findOutside(type, 0, type.length, '|', rules.lexical, true) < type.length ? '|' : '&';
  const found: string[] = [];
  for (const { start, end } of splitList(type, 0, type.length, separator, rules.lexical, true)) {
    const part = type.slice(start, end).replace(/\s+/g, ' ');
    const last = found[found.length - 1];
    if (last !== undefined && last.length + part.length + 3 <= MAX_PART_LENGTH)
      found[found.length - 1] = `${last} ${separator} ${part}`;
    else if (part.length <= MAX_PART_LENGTH) found.push(part);
  }
  return found;
}
