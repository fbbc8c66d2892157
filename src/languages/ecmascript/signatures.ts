/** Types in declarations: signatures, parents of classes, doc comments, ambient types and types of one block. */
import { headText } from '../roles/declarations.js';
import { PARENT } from '../roles/relation-facts.js';
import { type DefinitionView, type FactSink, type NodeRule, perFile, type SyntaxNode } from '../roles/relations.js';
import { skipSpace, splitList, type TextRange } from '../roles/scan.js';
import { joinBound } from '../roles/type-expressions.js';
import { bracketsOf, literalType, valuePath } from './expressions.js';
import { EVERYWHERE } from './index.js';
import { expressionEnd } from './patterns.js';
import { endOfType } from './types.js';

/** Longest type that can be followed. UTF-16 units. */
const MAX_TYPE_LENGTH = 2_000;
/** Longest expression behind an arrow whose value can be followed. */
const MAX_RETURN_LENGTH = 300;
/** UTF-16 units at the end of a body that are searched for its last `return`. */
const MAX_BODY_LENGTH = 2_000;
/** Longest signature up to the end of its parameters. */
const MAX_SIGNATURE_LENGTH = 4_000;
/** Most overloads of one function that are read. */
const MAX_OVERLOADS = 20;
const MAX_JOINED_LENGTH = 200;

const NAMED_PARAMETER = /^(?:(?:const|in|out)\s+)*([\w$]+)\s*/;
/** Bounds without members that matter. */
const PLAIN_BOUND = /^(?:string|number|boolean|any|unknown|object|\{\}|never|void)?$/;

/** `T extends Cart = Basket` */
export const typeParameter: NodeRule = ({ text, start }, sink) => {
  const match = NAMED_PARAMETER.exec(text);
  if (match === null) return;
  const [bound, from] = typeBehind(text, match[0].length, 'extends ');
  const [defaultType] = typeBehind(text, from, '=');
  sink.typeParameter(match[1], start, joinBound({ bound, defaultType }));
};

function typeBehind(text: string, from: number, sign: string): [type: string, end: number] {
  if (!text.startsWith(sign, from)) return ['', from];
  const start = from + sign.length;
  const end = endOfType(text, start, Math.min(text.length, start + MAX_TYPE_LENGTH));
  const type = text.slice(start, end).trim();
  return [PLAIN_BOUND.test(type) ? '' : type, end + (/^\s*/.exec(text.slice(end, end + 50))?.[0].length ?? 0)];
}

/** Types of the parameters by number, and types of results, one for each overload. */
interface Types {
  parameters: string[][];
  results: string[];
}

/** States the types of the parameters of a function and of its result. */
export function signature(view: DefinitionView, sink: FactSink): void {
  const { source } = sink;
  const limit = Math.min(view.end, view.nameEnd + MAX_SIGNATURE_LENGTH);
  const types: Types = { parameters: [], results: [] };
  const [declared, start] = declaredType(sink, view.nameEnd, limit);
  let at = start;
  for (let count = 0; count < MAX_OVERLOADS && at !== -1; count++)
    at = overload(view, at, limit, declared, types, sink);
  for (const [index, all] of types.parameters.entries()) {
    const type = joined(all);
    if (!PLAIN_TYPE.test(type)) sink.parameter(view.nameEnd - 1, index, type);
  }
  if (view.kind === 'constructor') return;
  const type = joined(types.results) || functionReturned(view, sink);
  const [literal, open] =
    type === '' || source.startsWith('typeof', view.nameEnd) ? returned(view.signatureEnd, view.end, sink) : ['', ''];
  sink.result(view.nameEnd - 1, type || literal, open);
  const { name, start: from, nameStart } = view;
  const isGetter = /\bget\s+$/.test(source.slice(Math.max(from, nameStart - 20), nameStart));
  if (isGetter && (type !== '' || open !== '')) sink.field(nameStart, name, type, open);
}

const FUNCTION_RETURNED = /\breturn\s+(?:async\s+)?function\b\s*(?:\*\s*)?(?:[\w$]+\s*)?(?=[<(])/g;

/** The type of a function that another function ends by returning: `return function visit(cart: Cart): Item { … }`. */
function functionReturned({ signatureEnd, end }: DefinitionView, sink: FactSink): string {
  const { source } = sink;
  const open = source.indexOf('{', signatureEnd);
  if (open === -1 || open >= end || !source.slice(open, end).includes('function')) return '';
  for (const match of source.slice(open, end).matchAll(FUNCTION_RETURNED)) {
    const at = open + match.index;
    if (bracketsOf(sink).around(at)?.open === open) return functionType(at + match[0].length, end, sink);
  }
  return '';
}

/** `(Cart, Item) => Total` for the signature from `from` on. Long types are without arguments. */
function functionType(from: number, limit: number, sink: FactSink): string {
  const types = signatureTypes(from, limit, sink);
  return types === null ? '' : `(${types.parameters.map(shortened).join(', ')}) => ${shortened(types.result)}`;
}

/** Types of the parameters and of the result, `any` if none is written; null if no signature begins there. */
function signatureTypes(from: number, limit: number, sink: FactSink): { parameters: string[]; result: string } | null {
  const { source, rules } = sink;
  const open = openingOf(from, limit, sink);
  if (open === -1) return null;
  const close = sink.closing(open, limit);
  const parameters = parameterParts(open, close, sink).map(
    (part) => PARAMETER_TYPE.exec(source.slice(part.start, part.end))?.[1] ?? 'any',
  );
  const colon = skipSpace(source, close, limit, rules.lexical);
  if (source[colon] !== ':') return { parameters, result: 'any' };
  const end = endOfType(source, colon + 1, Math.min(limit, colon + MAX_TYPE_LENGTH));
  return { parameters, result: source.slice(colon + 1, end) };
}

const MAX_PART_LENGTH = 60;

function shortened(type: string): string {
  const short = type.replace(/\s+/g, ' ').trim();
  return short.length <= MAX_PART_LENGTH ? short : (/^[\w$.]{1,60}(?=<)/.exec(short)?.[0] ?? 'any');
}

/** `(cart: Cart): Total` in an interface, which can be called. */
export const callSignature: NodeRule = ({ start, end }, sink) => {
  const type = signatureTypes(start, end, sink);
  if (type === null) return;
  sink.field(start, '()', type.result, '');
  for (const [index, parameter] of type.parameters.slice(0, MAX_CALL_PARAMETERS).entries())
    sink.field(start, `(${index})`, parameter, '');
};

/** Most parameters of a call signature that are read. */
const MAX_CALL_PARAMETERS = 2;

/** `: Visit =` of `const visit: Visit = (cart) => …`, and the offset behind it. */
function declaredType({ source, rules }: FactSink, from: number, limit: number): [type: string, end: number] {
  const colon = skipSpace(source, from, limit, rules.lexical);
  if (source[colon] !== ':') return ['', from];
  const end = endOfType(source, colon + 1, Math.min(limit, colon + MAX_TYPE_LENGTH));
  const equals = skipSpace(source, end, limit, rules.lexical);
  return source[equals] === '=' ? [source.slice(colon + 1, end).trim(), equals + 1] : ['', from];
}

/** Adds types of parameters, '' for those that the declared type of the function states. */
function addParameters(written: readonly string[], declared: string, { parameters }: Types): void {
  for (const [index, own] of written.entries()) {
    const type = own === '' && declared !== '' ? `Parameters<${declared}>[${index}]` : own.trim();
    parameters[index] ??= [];
    if (type !== '') parameters[index].push(type);
  }
}

/** Reads the signature whose parameters begin behind `from`; returns where the next overload begins, -1 if none follows. */
function overload(
  view: DefinitionView,
  from: number,
  limit: number,
  declared: string,
  types: Types,
  sink: FactSink,
): number {
  const { source, rules } = sink;
  if (SINGLE.test(headText(source, from, limit, 100))) {
    if (declared !== '') {
      addParameters([''], declared, types);
      types.results.push(`ReturnType<${declared}>`);
    }
    return -1;
  }
  const open = openingOf(from, limit, sink);
  if (open === -1) return -1;
  const close = sink.closing(open, limit);
  const parts = parameterParts(open, close, sink).map(({ start, end }) => source.slice(start, end));
  addParameters(
    parts.map((part) => PARAMETER_TYPE.exec(part)?.[1] ?? ''),
    declared,
    types,
  );
  const colon = skipSpace(source, close, view.end, rules.lexical);
  const isWritten = source[colon] === ':' && (colon < view.signatureEnd || close > view.signatureEnd);
  if (!isWritten) {
    if (declared !== '') types.results.push(`ReturnType<${declared}>`);
    return -1;
  }
  const end = endOfType(source, colon + 1, Math.min(view.end, colon + MAX_TYPE_LENGTH));
  types.results.push(source.slice(colon + 1, end).trim());
  return overloadBehind(source, end, view.name);
}

/** Offset of the parameters of the next overload of `name` if it follows at `from`, else -1. */
function overloadBehind(source: string, from: number, name: string): number {
  if (!/^[\w$]+$/.test(name)) return -1;
  OVERLOAD_LEAD.lastIndex = from;
  OVERLOAD_LEAD.test(source);
  const at = OVERLOAD_LEAD.lastIndex;
  if (!source.startsWith(name, at)) return -1;
  PARAMETERS_FOLLOW.lastIndex = at + name.length;
  return PARAMETERS_FOLLOW.test(source) ? at + name.length : -1;
}

/** `cart => …` */
const SINGLE = /^\s*(?:async\s+)?[\w$]+\s*=>/;
/** Text between an overload and the name of the next one; a modifier before a bracket is a name itself. */
const OVERLOAD_LEAD =
  /\s*;?\s*(?:(?:export|default|declare|async|public|private|protected|static|abstract|function)\s+(?![<(\s]))*/y;
const PARAMETERS_FOLLOW = /(?=\s*[<(])/y;

/** Offset of the bracket of the parameters, behind type parameters. */
function openingOf(from: number, limit: number, { source, rules }: FactSink): number {
  let at = skipSpace(source, from, limit, rules.lexical);
  if (source[at] === '<') at = endOfType(source, at, limit, true);
  const open = source.indexOf('(', at);
  return open === -1 || open >= limit ? -1 : open;
}

/** The types as one union. */
function joined(types: readonly string[]): string {
  const all = [...new Set(types.map((type) => type.replace(/\s+/g, ' ')))];
  if (all.length < 2) return types[0] ?? '';
  let whole = '';
  for (const type of all) {
    const more = `${whole === '' ? '' : `${whole} | `}${/=>|\sextends\s/.test(type) ? `(${type})` : type}`;
    if (more.length <= MAX_JOINED_LENGTH) whole = more;
  }
  return whole;
}

/** The parameters between two brackets, without `this: Cart`, for which no argument is given. */
function parameterParts(open: number, close: number, { source, rules }: FactSink): TextRange[] {
  const parts = splitList(source, open + 1, close - 1, ',', rules.lexical, true);
  return parts.length > 0 && /^\s*this\s*:/.test(source.slice(parts[0].start, parts[0].end)) ? parts.slice(1) : parts;
}

/** `name?: Type = value`, also behind a pattern. */
export const PARAMETER_TYPE = /^(?:\{[^{}]*\}|[^:={])*?:\s*((?:[^=]|=>)+)/;
export const PLAIN_TYPE = /^(?:string|number|boolean|any|unknown|void|bigint|symbol|object)?(?:\[\])?\s*$/;

const ARROW = /\s*=>\s*(?![\s{])/y;

const RETURN = /\breturn\s+(?=[\w$({])/g;
/** Most `return` statements of one body that are looked at. */
const MAX_RETURNS = 20;

/** The type of the literal, or the access path, that a function returns: `=> x`, or the `return x` at the end of its body. */
export function returned(from: number, end: number, sink: FactSink): [type: string, accessPath: string] {
  const { source } = sink;
  ARROW.lastIndex = from;
  const arrow = ARROW.exec(source);
  if (arrow !== null) {
    const at = from + arrow[0].length;
    const type = source[at] === '(' ? literalType(sink, at + 1) : '';
    return [type, end - from > MAX_RETURN_LENGTH ? '' : valuePath(sink, at, trimSemicolon(source, end))];
  }
  const open = source.indexOf('{', from);
  if (open === -1 || open >= end) return ['', ''];
  const body = source.slice(Math.max(open, end - MAX_BODY_LENGTH), end);
  const found = [...body.matchAll(RETURN)].slice(-MAX_RETURNS).reverse();
  for (const match of found) {
    const at = end - body.length + match.index;
    if (bracketsOf(sink).around(at)?.open !== open) continue;
    const value = at + match[0].length;
    return [literalType(sink, value), sink.accessPath(value, expressionEnd(sink, value))];
  }
  return ['', ''];
}

export function trimSemicolon(source: string, end: number): number {
  return source[end - 1] === ';' ? end - 1 : end;
}

/** `extends A<B> implements C, D` of classes and of interfaces. */
export const heritage: NodeRule = ({ start, end }, sink) => {
  const { source, rules } = sink;
  const implement = /\bimplements\s/g;
  implement.lastIndex = start;
  const match = implement.exec(source.slice(0, end));
  const split = match === null ? end : match.index;
  for (const [kind, from, to] of [
    ['extends', start, split],
    ['implements', split, end],
  ] as const) {
    const word = source.startsWith(kind, from) ? from + kind.length : from;
    for (const part of splitList(source, word, to, ',', rules.lexical, true)) {
      const { start: from, end: last } = withoutWrappers(sink, part.start, part.end);
      const found = sink.accessPathBefore(last);
      if (found.start < from) continue;
      sink.reference(found.nameStart, last, kind, found.accessPath);
      const type = source.slice(part.start, part.end);
      if (type.endsWith('>')) sink.field(found.nameStart, PARENT, type, '');
    }
  }
};

const WRAPPER = /(?:Required|Partial|Readonly|Omit|Pick|NonNullable)\s*</y;

/** The type inside wrappers: `Required<Omit<Options, 'strict'>>` has the members of `Options`. */
function withoutWrappers({ source, rules }: FactSink, from: number, to: number): { start: number; end: number } {
  let part = { start: from, end: to };
  for (;;) {
    WRAPPER.lastIndex = part.start;
    const match = WRAPPER.exec(source);
    if (match === null || source[part.end - 1] !== '>') return part;
    const [first] = splitList(source, part.start + match[0].length, part.end - 1, ',', rules.lexical, true);
    if (first === undefined) return part;
    part = first;
  }
}

/** Longest comment that is read for types. UTF-16 units. */
const MAX_DOC_LENGTH = 5_000;
const MAX_DOCUMENTED_LENGTH = 2_000;
/** Most parameters with a type in one comment. */
const MAX_TAGS = 50;
const TAG = /@(param|returns?|type)\s*\{([^{}\n]{1,200})\}(?:\s*\[?([\w$]+))?/g;

/** `@param {Cart} cart`, `@returns {Cart}`, `@type {Cart}`. */
export function documented(view: DefinitionView, sink: FactSink): void {
  const { doc, nameStart, nameEnd, name, signatureEnd, kind } = view;
  if (doc === null) return;
  const { source } = sink;
  const comment = headText(source, doc.start, doc.end, MAX_DOC_LENGTH);
  const signature = headText(source, nameEnd, signatureEnd, MAX_DOCUMENTED_LENGTH);
  let count = 0;
  for (const [, tag, type, parameter] of comment.matchAll(TAG)) {
    if (++count > MAX_TAGS) break;
    const written = plainType(type);
    // Such a word tells less than the code.
    if (UNTELLING.test(written)) continue;
    if (tag === 'type') {
      if (kind === 'field' || kind === 'property') sink.field(nameStart, name, written, '');
      else sink.local(nameStart, name, written, '');
    } else if (tag !== 'param') sink.result(nameStart, written, '');
    else if (parameter !== undefined) {
      const at = positionIn(signature, parameter);
      if (at !== -1) sink.local(nameEnd + at, parameter, written, '');
    }
  }
}

const UNTELLING = /^(?:function|object|any|mixed|\*|array|promise|void|undefined)?$/i;

/** The type as TypeScript writes it: `?Cart`, `!Cart` and `Cart=` only say null and optional. */
function plainType(type: string): string {
  return type
    .trim()
    .replace(/^(?:\.\.\.)?[?!]?/, '')
    .replace(/=$/, '')
    .replace(/^import\([^)]*\)\./, '');
}

function positionIn(signature: string, name: string): number {
  for (let at = signature.indexOf(name); at !== -1; at = signature.indexOf(name, at + 1)) {
    const before = signature[at - 1] ?? ' ';
    const after = signature[at + name.length] ?? ' ';
    if (!/[\w$]/.test(before) && !/[\w$]/.test(after)) return at;
  }
  return -1;
}

/** `declare global { … }` */
const GLOBAL = /^declare\s+global\b/;
/** Most definitions of one block; more are hostile. */
const MAX_DEFINITIONS = 5_000;

/** Names in `declare global` are exported to all files. */
export const ambient: NodeRule = (node, sink) => {
  if (!GLOBAL.test(sink.source.slice(node.start, node.start + 60))) return;
  const block = node.namedChildren.find(({ kind }) => kind === 'statement_block');
  for (const child of block?.namedChildren.slice(0, MAX_DEFINITIONS) ?? []) {
    for (const name of namesIn(child)) exportGlobal(name.start, name.text, sink);
  }
};

/** Names that a statement declares, also behind `export` and in the expression around a namespace. */
function namesIn(statement: SyntaxNode): SyntaxNode[] {
  const name = statement.field('name');
  if (name !== null) return [name];
  return statement.namedChildren.flatMap((child) => child.field('name') ?? []);
}

function exportGlobal(at: number, name: string, sink: FactSink): void {
  if (NAME.test(name)) sink.export(at, `${EVERYWHERE}${name}`, name);
}

const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Lines that make a file a module, or that run: such a file declares nothing for others. */
const NOT_AMBIENT =
  /^(?:import|export|const|let|var|function|async|class|if|for|while|switch|try|throw|return|module\.|exports\.|require\()|^[\w$.]+\s*[.(=]|^[([`]|^["']use strict/m;
/** Comments are removed first: their prose begins lines, too. */
const COMMENTS = /\/\*(?:[^*]|\*(?!\/))*\*\//g;
const isAmbient = perFile(({ source }) => !NOT_AMBIENT.test(source.replace(COMMENTS, '')));

/** Exports each top-level definition of a file of declarations that is no module: all files know it. */
export function ambientDefinition({ kind, container, nameStart, name }: DefinitionView, sink: FactSink): void {
  if (container === null && kind !== 'enum-member' && isAmbient(sink)) exportGlobal(nameStart, name, sink);
}

/** Most nodes between a type and the block that it is declared in. */
const MAX_STEPS = 3;

/** `type Cart = …` in the body of a function: in that block the name means no other type. */
export const innerType: NodeRule = (node, sink) => {
  let block = node.parent;
  for (let step = 0; step < MAX_STEPS && block !== null && block.kind !== 'statement_block'; step++)
    block = block.parent;
  if (block?.kind !== 'statement_block' || OPEN.test(block.parent?.kind ?? 'program')) return;
  const name = node.field('name')?.text ?? '';
  if (NAME.test(name)) sink.hidden(block.start, block.end, name);
};

/** Nodes whose blocks hold definitions that other code can name. */
const OPEN = /^(?:program|internal_module|module|ambient_declaration)$/;
