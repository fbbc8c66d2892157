/** Rules of Go: definitions and relations. */
import { type ParsingRules, wordSet } from '../language.js';
import { headText } from '../roles/declarations.js';
import type { DefinitionRules } from '../roles/definitions.js';
import { FIELDS_IN_ORDER } from '../roles/relation-facts.js';
import {
  type Call,
  calls,
  type DefinitionView,
  elementOf,
  elementsOf,
  type FactSink,
  handedOn,
  type LexicalConventions,
  type NameRules,
  type NodeView,
  type RelationRules,
} from '../roles/relations.js';
import { findOutside, lastPart, skipSpace, splitList, type TextRange } from '../roles/scan.js';
import { packageName } from './imports.js';
import { embeddedInterface, signatureParts } from './signatures.js';

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
/** Longest head of a function. */
const MAX_HEAD_LENGTH = 600;

/** `a, b T`, `c ...T`; for results also `T` alone. */
export function parameter(node: NodeView, sink: FactSink): void {
  const { start, end, text } = node;
  // Parameters of function types (`fn func(r *Request)`) and of an interface's methods are known nowhere.
  const owner = node.parent?.parent;
  if (owner?.kind === 'function_type' || owner?.kind === 'method_elem') return;
  const names = /^[\p{L}_][\p{L}\p{N}_]*(?:\s*,\s*[\p{L}_][\p{L}\p{N}_]*)*(?=[\s.])/u.exec(
    text.slice(0, MAX_HEAD_LENGTH),
  )?.[0];
  if (names === undefined) return;
  const written = text
    .slice(names.length)
    .trim()
    .replace(/^\.\.\.\s*/, '[]');
  if (written === '' || written.startsWith('.')) return;
  const type = spelled(start + names.length, end, sink) || written;
  // A parameter called `this` makes no method of a function.
  const isReceiver = owner?.kind === 'method_declaration';
  let at = start;
  for (const written of names.split(',')) {
    const name = written.trim();
    if (name !== '_' && (name !== 'this' || isReceiver)) sink.local(at, name, type, '');
    at += written.length + 1;
  }
}

/** `a, b T`, and embedded types, which pass on their members. */
export function field({ start, end, text }: NodeView, sink: FactSink): void {
  const body = text.replace(/\s*(?:`[^`]*`|"[^"\n]*")\s*$/, '').replace(/\s*\/\/[^\n]*$/, '');
  const embedded = /^\*?\s*([\p{L}_][\p{L}\p{N}_.]*)(?:\[[^\]]*\])?$/u.exec(body);
  if (embedded !== null) {
    const name = lastPart(embedded[1]);
    sink.field(start, name, body, '');
    sink.reference(start + body.indexOf(embedded[1]) + embedded[1].length - name.length, end, 'extends', embedded[1]);
    return;
  }
  const names = /^[\p{L}_][\p{L}\p{N}_]*(?:\s*,\s*[\p{L}_][\p{L}\p{N}_]*)*(?=\s)/u.exec(body)?.[0] ?? '';
  const type = spelled(start + names.length, start + body.length, sink) || body.slice(names.length).trim();
  for (const name of names.split(',')) if (NAME.test(name.trim())) sink.field(start, name.trim(), type, '');
}

/** Marks before a type without a name. */
const BEFORE_UNNAMED = /^\s*((?:\[[^\]\n]*\]|map\[[^\]\n]*\]|\*|&|\.\.\.)*)(?:(struct)\s*\{|func\s*\()/;
const MAX_UNNAMED_FIELDS = 40;
/** Most UTF-16 units of a type that is spelled out, below what a record takes. */
const MAX_SPELLED_LENGTH = 190;

/** A type without a name as other languages write it: `[]struct { in Cart }` is `[]{in: Cart}`, `func() Cart` is `() => Cart`; '' for others. */
function spelled(from: number, to: number, sink: FactSink): string {
  const { source } = sink;
  const match = BEFORE_UNNAMED.exec(headText(source, from, to, MAX_HEAD_LENGTH));
  if (match === null) return '';
  const before = match[1].replace(/[&*]|\.\.\./g, '');
  const open = from + match[0].length - 1;
  const close = sink.closing(open, to);
  if (match[2] === undefined) {
    const result = firstResult(close, Math.min(to, close + MAX_HEAD_LENGTH), sink)
      .replace(/[,;=][\s\S]*$/, '')
      .trim();
    return before === '' && WITH_MEMBERS.test(result) ? `() => ${result}` : '';
  }
  const fields: string[] = [];
  for (const line of source.slice(open + 1, close - 1).split(/[\n;]/, MAX_UNNAMED_FIELDS)) {
    const field = /^\s*([\p{L}_][\p{L}\p{N}_]*(?:\s*,\s*[\p{L}_][\p{L}\p{N}_]*)*)\s+([^\s`"/]+)/u.exec(line);
    if (field === null || !WITH_MEMBERS.test(field[2].replace(/^map\[\w+\]/, '[]'))) continue;
    fields.push(...field[1].split(',').map((name) => `${name.trim()}: ${field[2]}`));
  }
  while (fields.join('; ').length > MAX_SPELLED_LENGTH) fields.pop();
  return fields.length === 0 ? '' : `${before}{${fields.join('; ')}}`;
}

const OTHER_TYPE =
  /^[ \t]+(?!(?:string|bool|byte|rune|error|any|u?int\d*|uintptr|float\d\d|complex\d+)\b)((?:[\p{L}_][\p{L}\p{N}_]*\.)?[\p{L}_][\p{L}\p{N}_]*)\s*$/u;

export function definition(
  { kind, name, start, nameStart, nameEnd, signatureEnd, end }: DefinitionView,
  sink: FactSink,
): void {
  const { source } = sink;
  if (kind === 'type' || kind === 'struct' || kind === 'interface') {
    typeParameters(nameEnd, sink);
    const alias = /^\s*=\s*/.exec(source.slice(nameEnd, nameEnd + 20));
    // `type Items []Item`: a type of its own whose elements are known.
    const elements = /^\s+((?:\[\d*\]|map\[[^\]\n]*\])+\*?\s*[\p{L}_][\p{L}\p{N}_.]*)\s*$/u.exec(
      source.slice(nameEnd, end),
    );
    if (elements !== null) sink.alias(nameStart, `${name}[]`, elements[1]);
    // `type GaugeOptions Options`: a type of its own with the fields of the other.
    const named = OTHER_TYPE.exec(source.slice(nameEnd, end));
    if (named !== null) {
      const last = nameEnd + named[0].trimEnd().length;
      sink.reference(last - (named[1].length - named[1].lastIndexOf('.') - 1), last, 'extends', named[1], { of: name });
    }
    if (alias !== null)
      sink.alias(nameStart, name, source.slice(nameEnd + alias[0].length, Math.min(end, nameEnd + MAX_HEAD_LENGTH)));
    return;
  }
  if (kind !== 'function' && kind !== 'method') return;
  const receiver = /\(\s*(?:[\p{L}_][\p{L}\p{N}_]*\s+)?(\*?\s*[\p{L}_][\p{L}\p{N}_]*(?:\[[^\]]*\])?)\s*\)\s*$/u.exec(
    source.slice(start, nameStart),
  );
  if (receiver !== null) sink.local(start, 'this', receiver[1], '');
  const open = typeParameters(nameEnd, sink);
  if (source[open] !== '(') return;
  const close = sink.closing(open, end);
  const limit = Math.max(signatureEnd, close);
  const to = Math.min(limit, close + MAX_HEAD_LENGTH);
  sink.result(nameStart, firstResult(close, to, sink), '');
  for (const [index, type] of furtherResults(close, to, sink)) sink.parameter(nameStart, FIRST_RESULT + index, type);
}

/** `open(101)` is the second result of `open`, as `open(1)` is its second parameter. */
const FIRST_RESULT = 100;
const MAX_RESULTS = 10;
/** A result that has members: no error and nothing of the language itself. */
const WITH_MEMBERS =
  /^(?:\[\])*\*?(?!(?:string|bool|byte|rune|error|any|u?int\d*|uintptr|float\d\d|complex\d+)\b)[\p{L}_][\p{L}\p{N}_.]*$/u;

/** Types of the second and later results, by their index. */
function furtherResults(from: number, to: number, sink: FactSink): [number, string][] {
  const { source, rules } = sink;
  const open = skipSpace(source, from, to, rules.lexical);
  if (source[open] !== '(') return [];
  const parts = splitList(source, open + 1, sink.closing(open, to) - 1, ',', rules.lexical, true);
  const types = parts.slice(0, MAX_RESULTS).map((part) => source.slice(part.start, part.end).trim());
  const areNamed = types.some(
    (text) => /^[\p{L}_][\p{L}\p{N}_]*\s+(?!\{)\S/u.test(text) && !/^(?:chan|func|map)\b/.test(text),
  );
  if (areNamed)
    for (let i = types.length - 1; i >= 0; i--)
      types[i] = /^[\p{L}_][\p{L}\p{N}_]*\s+(\S.*)$/su.exec(types[i])?.[1] ?? types[i + 1] ?? '';
  return [...types.entries()].filter(([index, type]) => index > 0 && WITH_MEMBERS.test(type));
}

/** States `[T any, K comparable]` behind a name. Returns the offset behind it. */
function typeParameters(at: number, sink: FactSink): number {
  const { source, rules } = sink;
  if (source[at] !== '[') return at;
  const close = findOutside(source, at + 1, Math.min(source.length, at + MAX_HEAD_LENGTH), ']', rules.lexical);
  const list = source.slice(at + 1, close);
  // `[5]int` and `[]int` are types, not parameters.
  if (!/\s/.test(list.trim())) return close + 1;
  for (const match of list.matchAll(/(?:^|,)\s*(\w+)/g)) sink.typeParameter(match[1]);
  return close + 1;
}

/** The first result, `*Cart` of `(cart *Cart, err error)`: an access path goes on with it. */
function firstResult(from: number, to: number, { source, rules }: FactSink): string {
  const open = from + (/^\s*/.exec(source.slice(from, to))?.[0].length ?? 0);
  if (source[open] !== '(') return source.slice(from, findOutside(source, from, to, '{', rules.lexical)).trim();
  const stop = findOutside(source, open + 1, to, ',)', rules.lexical);
  const first = source.slice(open + 1, stop).trim();
  const named = /^[\p{L}_][\p{L}\p{N}_]*\s+(.+)$/su.exec(first);
  if (named !== null && !/^(?:chan|func|map|struct|interface)\b/.test(first)) return named[1];
  if (source[stop] === ')') return first;
  // `(a, b Cart)`: the type follows the last of the names.
  const second = source.slice(stop + 1, findOutside(source, stop + 1, to, ',)', rules.lexical)).trim();
  const shared = NAME.test(first) ? /^[\p{L}_][\p{L}\p{N}_]*\s+(\S.*)$/su.exec(second) : null;
  return shared !== null && !/^(?:chan|func|map|struct|interface)\b/.test(second) ? shared[1] : first;
}

const HANDED_ON = /^(?:\w+\s*:\s*)?&?([\p{L}_][\p{L}\p{N}_.]*)$/u;
/** Longest text that is a type. */
const MAX_TYPE_LENGTH = 600;
/** `[]Item`, `map[string]*Item`, with the type of the elements. */
const COLLECTION_TYPE = /^(?:\[[^\]]*\]|map\[[\p{L}_][\p{L}\p{N}_.]*\])\s*\*?\s*([\p{L}_][\p{L}\p{N}_.]*)\s*$/u;
const KEY = /^([\p{L}_][\p{L}\p{N}_]*)\s*:(?!=)/u;

/** `Cart{Name: x}` makes a cart. `[]Item{{…}}` and `map[Kind]Item{K: {…}}` name the type of the elements, which leave it out. */
function compositeLiteral({ start, end, parent }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const open = source.indexOf('{', start);
  if (open === -1 || open >= end) return;
  handedOn(open + 1, end - 1, HANDED_ON, sink);
  const written = headText(source, start, open, MAX_TYPE_LENGTH);
  const collection = COLLECTION_TYPE.exec(written);
  if (collection !== null || /^(?:map)?\[/.test(written)) {
    const isTable = end - open <= MAX_TABLE_LENGTH && !isNested(parent);
    elements(isTable ? tableOf(open, end, sink) : elementsOf(open + 1, end - 1, sink), collection?.[1] ?? '', sink);
    return;
  }
  const type = madeType(written);
  if (type === '' || type === 'struct' || type === 'interface') return;
  sink.remember(end, start, `new ${type}()`);
  sink.reference(start + type.lastIndexOf('.') + 1, end, 'new', type, isInOrder(open, end, sink) ? IN_ORDER : {});
  if (MAP_TYPES.test(type)) elements(elementsOf(open + 1, end - 1, sink), '', sink);
  else fields(open, end, type, sink);
}

/** Types of libraries whose keys are values, no fields. */
const MAP_TYPES = /^(?:http\.Header|url\.Values|textproto\.MIMEHeader|metadata\.MD)$/;

function madeType(text: string): string {
  return /^\s*([\p{L}_][\p{L}\p{N}_.]*)(?:\[.*\])?\s*$/u.exec(text.slice(0, MAX_TYPE_LENGTH))?.[1] ?? '';
}

const IN_ORDER = { literal: FIELDS_IN_ORDER };

/** Does a literal give values to fields by their places? Where the first one has no name, none has. */
function isInOrder(open: number, end: number, { source, rules }: FactSink): boolean {
  const first = skipSpace(source, open + 1, end - 1, rules.lexical);
  return first < end - 1 && !KEY.test(source.slice(first, first + MAX_TYPE_LENGTH));
}

function fields(open: number, end: number, type: string, sink: FactSink): void {
  for (const part of elementsOf(open + 1, end - 1, sink)) {
    const text = sink.source.slice(part.start, part.end);
    const name = KEY.exec(text)?.[1];
    if (name !== undefined) sink.reference(part.start, part.start + name.length, 'write', `${type}.${name}`);
    // An element of `type Items []Item` leaves its type out.
    else if (text[0] === '{' && !type.endsWith(']')) fields(part.start, part.end, `new ${type}()[]`, sink);
  }
}

/** Longest table of cases, as tests have them. A list in another list is as short as other lists: each of them is read anew. */
const MAX_TABLE_LENGTH = 30_000;
/** Nodes around a literal that are looked at. */
const MAX_AROUND = 30;

function isNested(parent: NodeView['parent']): boolean {
  let at = parent;
  for (let i = 0; i < MAX_AROUND && at; i++, at = at.parent) if (at.kind === 'composite_literal') return true;
  return false;
}

const tableOf = (open: number, end: number, { source, rules }: FactSink): TextRange[] =>
  splitList(source, open + 1, end - 1, ',', rules.lexical, false);

/** States the keys of a literal, which are values, and the fields of its elements, if these are of a type with a name. */
function elements(parts: readonly TextRange[], type: string, sink: FactSink): void {
  for (const part of parts) {
    const text = sink.source.slice(part.start, part.end);
    const key = KEY.exec(text);
    if (key !== null) sink.reference(part.start, part.start + key[1].length, 'read', key[1]);
    if (type === '') continue;
    const inner = /^(?:(?:"(?:[^"\\\n]|\\.)*"\s*|[^{}:"`]*):\s*)?&?(?=\{)/.exec(text);
    if (inner === null || !text.endsWith('}')) continue;
    const open = part.start + inner[0].length;
    fields(open, part.end, type, sink);
    // The first one tells it for all, since tables are long.
    if (part === parts[0] && isInOrder(open, part.end, sink)) sink.reference(open, part.end, 'new', type, IN_ORDER);
  }
}

const NAMES: NameRules = {
  opaque: ['comment', 'interpreted_string_literal', 'raw_string_literal', 'rune_literal'],
  keywords: wordSet(
    `_ any append bool break byte cap case chan close complex complex128 complex64 const continue copy default defer
     delete else error fallthrough false float32 float64 for func go goto if imag import int int16 int32 int64 int8
     interface iota len make map new nil package panic print println range real recover return rune select string
     struct switch true type uint uint16 uint32 uint64 uint8 uintptr var`,
  ),
  unimported: true,
  keys: true,
};

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
  if (/^Handle/.test(name) && stateChained(call, sink)) return true;
  const route = ROUTES.has(name) ? routeOf(call, sink.source) : '';
  if (route !== '') {
    sink.reference(callee.nameStart, end, 'call', callee.accessPath, { args: list.count, literal: route });
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

/** Calls that state a route otherwise than by a path in front: its methods, or what is added to a variable. */
const ROUTES = wordSet('HandleFunc Handle Add Match Method MethodFunc PathPrefix GET POST PUT PATCH DELETE');
const WORDS = /\bMethod([A-Z][a-z]+)\b|"([A-Z]+)"/g;
const PATH_BEHIND = /^\(\s*[\w.]{1,50}\s*\+\s*"(\/[^"\n]{0,150})"/;
const METHODS_BEFORE = /^\(\s*(\[\]string\{[^}\n]{0,100}\}|"[A-Z]+"|http\.Method\w+)\s*,\s*"(\/?[^"\n]{0,150})"/;
const METHODS_BEHIND = /\s*\.\s*Methods\(([^()\n]{0,150})\)/y;

/** A chain of gorilla's that ends with its handler: `r.Path("/x").Methods("POST").HandlerFunc(add)`; group 1 is the router. */
const CHAIN = /^([\w.]+?)\.(?:(?:Path|PathPrefix|Methods|Name|Queries|Headers|Schemes)\(\)\.)+Handler(?:Func)?$/;
const PATH_OF_CHAIN = /\.\s*Path(?:Prefix)?\(\s*"(\/[^"\n]{0,150})"/;
const METHODS_OF_CHAIN = /\.\s*Methods\(([^()\n]{0,150})\)/;
/** `mux.Handle("/api/", http.StripPrefix("/api", sub))` mounts. */
const STRIPPED = /^\(\s*"[^"\n]{0,150}"\s*,\s*(?:\w[\w.]{0,50}\(\s*)?http\.StripPrefix\(\s*"(\/[^"\n]{1,150}?)\/?"/;

/**
 * States a route whose path stands in an earlier call of a chain, or a router that is mounted. True for a router, of which nothing more is
 * to be read; the last call of a chain is read like any other, too.
 */
function stateChained({ callee, name, start, end, list, view }: Call, sink: FactSink): boolean {
  const { source } = sink;
  // At the dot: the router may be one of the repository, whose own function the name calls.
  const state = (path: string, literal: string) =>
    sink.reference(callee.nameStart - 1, end, 'call', path, { args: list.count, literal });
  const receiver = callee.accessPath.slice(0, -name.length - 1);
  if (name === 'Handle' && receiver !== '') {
    const prefix = STRIPPED.exec(headText(source, view.start, view.end, MAX_HEAD_LENGTH))?.[1];
    if (prefix !== undefined) state(`${receiver}.Mount`, prefix);
    return prefix !== undefined;
  }
  const router = /^Handler(?:Func)?$/.test(name) ? CHAIN.exec(callee.accessPath)?.[1] : undefined;
  if (router === undefined) return false;
  const text = source.slice(Math.max(start, callee.nameStart - MAX_HEAD_LENGTH), callee.nameStart);
  const path = PATH_OF_CHAIN.exec(text)?.[1];
  METHODS_BEHIND.lastIndex = view.end;
  const methods = methodsIn((METHODS_OF_CHAIN.exec(text) ?? METHODS_BEHIND.exec(source))?.[1] ?? '');
  if (path !== undefined) state(`${router}.HandleFunc`, methods === '' ? path : `${methods} ${path}`);
  return false;
}

function methodsIn(written: string): string {
  return [...written.matchAll(WORDS)].map(([, constant, text]) => (constant ?? text).toUpperCase()).join('|');
}

/** An entry of a table of routes: `{"ListPets", "GET", "/pets", ListPets}`, `{Method: "GET", Pattern: "/pets", HandlerFunc: ListPets}`. */
const ENTRY = /\{((?:[^{}"]|"[^"\n]{0,150}"){5,300})\}/g;
const METHOD_ELEMENT = /^(?:strings\.ToUpper\()?"(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)"\)?$|^http\.Method(\w+)$/i;
const PATH_ELEMENT = /^"(\/[^"\n]{0,150})"$/;

/** States the routes of tables, which a loop adds to a router. */
function tableOfRoutes(sink: FactSink): void {
  if (!/\bHandle(?:r|Func)\b/.test(sink.source)) return;
  for (const match of sink.source.matchAll(ENTRY)) {
    const parts = match[1].split(',').flatMap((each) => {
      const element = /^\s*(?:(\w+)\s*:\s*)?(\S+)\s*$/.exec(each);
      return element === null ? [] : [[element[1], element[2]] as const];
    });
    const methods = parts.flatMap(([, value]) => METHOD_ELEMENT.exec(value)?.slice(1) ?? []).filter(Boolean);
    const paths = parts.flatMap(([, value]) => PATH_ELEMENT.exec(value)?.[1] ?? []);
    const handlers = parts.filter(
      ([key, value]) => /^[A-Za-z_][\w.]*$/.test(value) && /^(?:$|\w*(?:handle|func|fn|action))/i.test(key ?? ''),
    );
    if (methods.length !== 1 || paths.length !== 1) continue;
    const handler = handlers.find(([, value]) => !METHOD_ELEMENT.test(value))?.[1];
    if (handler === undefined) continue;
    const at = match.index + match[0].lastIndexOf(handler);
    const literal = `${methods[0].toUpperCase()} ${paths[0]}`;
    sink.reference(at + handler.lastIndexOf('.') + 1, at + handler.length, 'route', handler, { literal });
  }
}

/** `GET|HEAD /carts` of `Handle("GET", "/carts", list)` and of `HandleFunc(base+"/carts", list).Methods("GET", "HEAD")`; '' for others. */
function routeOf({ list, view }: Call, source: string): string {
  const text = headText(source, view.start, view.end, MAX_HEAD_LENGTH);
  const before = METHODS_BEFORE.exec(text);
  METHODS_BEHIND.lastIndex = view.end;
  const methods = before?.[1] ?? METHODS_BEHIND.exec(source)?.[1] ?? '';
  const names = methodsIn(methods);
  // An empty path is that of the router.
  const own = list.literal.startsWith('/') ? list.literal : /^\(\s*""\s*,/.test(text) && names !== '' ? '/' : '';
  const path = before?.[2] ?? PATH_BEHIND.exec(text)?.[1] ?? own;
  if (path === '' || (names === '' && path === list.literal)) return '';
  return names === '' ? path : `${names} ${path.startsWith('/') ? path : `/${path}`}`;
}

function importSpec({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /^(?:([\w.]+)\s+)?["`]([^"`\n]+)["`]/.exec(text);
  if (match === null) return;
  const [, alias, specifier] = match;
  if (alias === '_') {
    sink.import(start, end, 'import', specifier);
    return;
  }
  const name = alias === '.' ? '' : (alias ?? packageName(specifier, sink.source));
  sink.import(start, end, 'import', specifier, [{ name: '*', alias: name }]);
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
    const nameAt = at + text.indexOf(name);
    if (index > 0 && values.length === 1 && !UNREAD.has(name))
      sink.local(nameAt, name, type, resultOf(values[0], index, sink));
    else if (name !== '_') bind(nameAt, name, type, value, sink);
    at += text.length + 1;
  }
}

/** Names of results of which no member of the repository is read. */
const UNREAD: ReadonlySet<string> = new Set(['_', 'err', 'ok']);

/** A later result of a call, '' for any other value. */
function resultOf({ start, end }: TextRange, index: number, sink: FactSink): string {
  const path = sink.accessPath(start, end);
  return path.endsWith('()') ? `${path.slice(0, -2)}(${FIRST_RESULT + index})` : '';
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
  const asserted = /\.\(\s*([^()\s](?:[^()]*[^()\s])?)\s*\)$/.exec(written);
  const isAsserted = asserted !== null && asserted[1] !== 'type';
  const stated = isAsserted ? asserted[1] : type === '' ? spelled(value.start, value.end, sink) : '';
  if (stated !== '') {
    sink.local(at, name, stated, '');
    return;
  }
  const text = headText(sink.source, value.start, value.end, MAX_HEAD_LENGTH);
  const collection = MADE_COLLECTION.exec(text);
  const path = sink.accessPath(value.start, value.end);
  // A value received from a channel is one of its elements.
  const given = path !== '' && text.startsWith('<-') ? `${path}[]` : path;
  sink.local(at, name, type || (collection?.[1] ?? ''), collection === null ? given : '');
}

/** `make([]Item, n)`, `map[string]*Item{…}` */
const MADE_COLLECTION = /^(?:make\(\s*)?((?:\[\d*\]|map\[[^\]\n]*\]|chan\s+)+\*?\s*[\p{L}_][\p{L}\p{N}_.]*)\s*[,){]/u;

/** `i, item := range items`. */
function rangeClause({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /^([\p{L}_][\p{L}\p{N}_]*)(?:\s*,\s*([\p{L}_][\p{L}\p{N}_]*))?\s*:=\s*range\s+/u.exec(text);
  if (match === null) return;
  const [head, first, second] = match;
  const values = sink.accessPath(start + head.length, end);
  const element = elementOf(values);
  const unnamed =
    values === '' ? spelled(start + head.length, end, sink).replace(/^(?:\[\d*\]|map\[[^\]]*\])/, '') : '';
  // A single name is an element of a channel; an index has no members that matter.
  if (first !== '_') sink.local(start, first, '', second === undefined ? element : '');
  if (second !== undefined && second !== '_') sink.local(start, second, unnamed, element);
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

/** `switch t := value.(type)`: the type of `t` depends on the case. */
function text(sink: FactSink): void {
  for (const match of sink.source.matchAll(/\bswitch\s+(\w+)\s*:=\s*[\w.()[\]]+\.\(type\)/g)) {
    sink.local(match.index, match[1], '', '');
  }
  tableOfRoutes(sink);
}

/** `case *Cart:` of a switch over types: the name that the switch binds has that type in it. */
function typeCase(node: NodeView, sink: FactSink): void {
  const { start, text } = node;
  const name = node.parent?.field('alias')?.text;
  const type = /^case\s+([^,:\n]+):/.exec(text.slice(0, MAX_HEAD_LENGTH))?.[1] ?? '';
  if (name !== undefined) sink.local(start, name, type, '');
}

const goRelations: RelationRules = {
  parameters: { type: 'before', words: new Set(), rest: /^$/, parts: signatureParts },
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
    receive_statement: declaration,
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
  ignoredTypes: wordSet(
    `any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint
     uint8 uint16 uint32 uint64 uintptr`,
  ),
  handedValues: /(?:^|\.)(?:Group|PathPrefix\(\)\.Subrouter|NewServeMux|NewRouter|(?:chi|fiber)\.New\w*)\(\)$/,
  literalCalls: wordSet(
    `GET POST PUT PATCH DELETE HEAD OPTIONS Any Get Post Put Patch Delete Head Options Handle HandleFunc Route Mount Group All PathPrefix`,
  ),
  // Without `max`, `min` and `clear`: older code defines its own.
  ignoredCalls: wordSet(
    `append cap close complex copy delete imag len make new panic print println real recover any bool byte complex64
     complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr`,
  ),
};

/** `new(total(1))`, whose argument is a value: the grammar knows types alone there. */
const NEW_VALUE = /\bnew(?=\(\s*(?:["'`\d&!(-]|(?!(?:func|chan|interface|struct|map)\b)[\w.]+\s*\())/g;

const goDefinitions: DefinitionRules = {
  repaired: (text) => text.replace(NEW_VALUE, '_ew'),
  definitions: [
    { node: 'function_declaration', kind: 'function' },
    { node: 'method_declaration', kind: 'method', owner: /\(\s*(?:\w+\s+)?\*?\s*(\w+)(?:\[[^\]]*\])?\s*\)\s*$/ },
    {
      node: ['type_spec', 'type_alias'],
      kind: 'type',
      by: { path: 'type', kinds: { struct_type: 'struct', interface_type: 'interface' } },
      body: 'type',
    },
    { node: 'const_spec', kind: 'constant', each: true, outer: true, named: /^[^_,]|^_\w/ },
    { node: 'var_spec', kind: 'variable', each: true, outer: true, named: /^[^_]|^_\w/ },
    { node: 'field_declaration', kind: 'field', each: true, outer: true },
    { node: 'method_elem', kind: 'method', outer: true },
  ],
  wrappers: { type_declaration: {}, const_declaration: {}, var_declaration: {} },
  imports: ['package_clause', 'import_declaration'],
  comments: ['comment'],
  docs: { line: /^\/\/(?!go:build)/, block: ['/*', '*/'] },
  exported: { name: /^\p{Lu}/u },
};

export const go: ParsingRules = { definitions: goDefinitions, relations: goRelations };
