/** Rules of C#: definitions and relations. The grammar has plain identifiers for types, so types are read off the declarations. */
import { type ParsingRules, wordSet } from '../language.js';
import {
  angleEnd,
  boundedParameters,
  byKind,
  declarationsIn,
  declarators,
  decorators,
  HANDED_ON,
  headText,
  importPath,
  localNames,
  MAX_HEAD_LENGTH,
  type Mask,
  maskedRanges,
  nameFrom,
  ofEnumeration,
  parents,
  skipModifiers,
  typeBeforeName,
  typeEnd,
  typeReferences,
  valueAfter,
} from '../roles/declarations.js';
import type { DefinitionRules } from '../roles/definitions.js';
import { type Blank, blanked } from '../roles/masks.js';
import {
  calls,
  type DefinitionView,
  elementOf,
  type FactSink,
  keyedMembers,
  type LexicalConventions,
  type NameRules,
  type NodeRule,
  type RelationRules,
} from '../roles/relations.js';
import { closingOf, lastPart, skipSpace, splitList } from '../roles/scan.js';
import { GLOBAL_NAMESPACE, GLOBAL_USING } from './imports.js';

export const LEXICAL: LexicalConventions = {
  joins: ['?.', '::', '.'],
  nameExtra: '@',
  postfix: '!',
  prefixes: ['await', 'ref'],
  newWord: 'new',
  typeArguments: '<>',
  literals: true,
  root: (name) => (name === 'base' ? 'super' : name),
  quotes: '"\'',
  lineComments: ['//', '#'],
  blockComment: ['/*', '*/'],
};

const MODIFIER =
  /\[|(?:public|protected|private|internal|static|readonly|const|abstract|virtual|override|sealed|async|partial|extern|unsafe|volatile|required|file|ref|out|in|params|this|scoped|fixed|using|await|event|new)\b(?!\s*[=,;)(.])/y;

/** `Money x = new(1)` makes an instance of the declared type. */
function targetTyped(sink: FactSink, at: number, to: number, type: string): string {
  const match = /^\s*=\s*(new\s*\()/.exec(headText(sink.source, at, to, 100));
  const name = /^[\w.]+/.exec(type)?.[0];
  if (match === null || name === undefined) return '';
  const open = at + match[0].length - 1;
  const close = sink.closing(open, to);
  const where = at + match[0].length - match[1].length;
  sink.reference(where, close, 'new', name, { args: sink.arguments(open, close).count });
  sink.remember(close, where, `new ${name}()`);
  return `new ${name}()`;
}

/** Types of functions whose first type argument is the type of the argument that the function gets. */
const FUNCTIONAL =
  /^(?:\w+\.)*(?:Expression<)?(?:Action|Predicate|Comparison|Func(?=<[^<>]*(?:<[^<>]*>)?[^<>]*,))<\s*([\w@.]+(?:<[^<>]*>)?)/;

function addParameters(sink: FactSink, open: number, close: number, place: 'local' | 'field'): void {
  const { source } = sink;
  let functional: { at: number; type: string } | null = null;
  for (const part of declarationsIn(sink, open, close)) {
    const declared = typeBeforeName(sink, part.start, part.end, MODIFIER);
    if (declared === null || declared.name === '') {
      const name = nameFrom(source, part.start);
      if (name.length === part.end - part.start) sink.local(part.start, name, '', '');
      continue;
    }
    const { nameAt, name, type } = declared;
    typeReferences(sink, source.lastIndexOf(type, nameAt), nameAt - 1);
    sink[place](nameAt, name, type, '');
    const given = FUNCTIONAL.exec(type)?.[1];
    if (given !== undefined) functional = { at: nameAt, type: given };
    // An extension method is called on its first parameter.
    if (/^(?:\[[^\]]*\]\s*)?this\b/.test(source.slice(part.start, nameAt))) sink.local(nameAt, 'this', type, '');
  }
  if (functional !== null) sink.given(functional.at, '{}', functional.type);
}

/** The text that was asked about last, since each type of a file asks, and the answer. */
let asked = { source: '', has: false };

/** Does the file have a namespace with braces? A type at top level is outside of it. */
function hasBlockNamespace(source: string): boolean {
  if (asked.source !== source) asked = { source, has: /^[ \t]*namespace\s+[\w.]+\s*\{/m.test(source) };
  return asked.has;
}

const definition = byKind({
  namespace: ({ name, nameStart, nameEnd }, sink) =>
    sink.import(nameStart, nameEnd, 'declare', name.replace(/\s+/g, '')),
  'class interface struct': typeDefinition,
  'enum-member': ofEnumeration,
  'class interface struct enum type': ({ container, nameStart, nameEnd }, sink) => {
    if (container === null && hasBlockNamespace(sink.source))
      sink.import(nameStart, nameEnd, 'declare', GLOBAL_NAMESPACE);
  },
  'method function': (view, sink) => {
    const type = statedType(view, sink);
    boundedParameters(sink, view.nameEnd, view.signatureEnd, '{;=');
    if (type === '') return;
    sink.result(view.nameStart, type, '');
  },
  property: (view, sink) => {
    const { name, nameStart, nameEnd, end } = view;
    const type = statedType(view, sink);
    if (type === '') return;
    const assigned = /\}\s*(=)\s*new\s*\(/.exec(headText(sink.source, nameEnd, end));
    const value = assigned === null ? '' : targetTyped(sink, nameEnd + assigned.index + 1, end, type);
    sink.field(nameStart, name, type, value);
  },
});

/** The type before the name, to which references are stated; '' for none. */
function statedType({ start, nameStart }: DefinitionView, sink: FactSink): string {
  const from = skipModifiers(sink, start, nameStart, MODIFIER);
  const to = typeEnd(sink, from, nameStart);
  const type = sink.source.slice(from, to);
  if (type === '' || type === 'void') return '';
  typeReferences(sink, from, to);
  return type;
}

/** `class A<T>(Db db) : B<T>(db), IC where T : D`. */
function typeDefinition({ kind, nameEnd, signatureEnd }: DefinitionView, sink: FactSink): void {
  const { source } = sink;
  const limit = Math.min(signatureEnd, nameEnd + MAX_HEAD_LENGTH);
  let at = nameEnd;
  at = boundedParameters(sink, at, limit, '{;', true);
  at = skipSpace(source, at, limit, LEXICAL);
  if (source[at] === '(') {
    const close = sink.closing(at, limit);
    addParameters(sink, at, close, 'field');
    at = skipSpace(source, close, limit, LEXICAL);
  }
  if (source[at] !== ':') return;
  const where = source.slice(at, limit).search(/\bwhere\s+\w+\s*:/);
  const to = where === -1 ? limit : at + where;
  typeReferencesOfArguments(sink, at + 1, to);
  parents(sink, at + 1, to).forEach(({ accessPath, at: from, end }, index) => {
    // The grammar of the language does not show it, but the convention for names does.
    const isInterface = index > 0 || kind === 'struct' || /^I[A-Z]/.test(lastPart(accessPath));
    // `: Base(x)` makes no second edge: the declaration already states the edge to the parent.
    const isMade = source[skipSpace(source, typeEnd(sink, from, to), to, LEXICAL)] === '(';
    if (isMade) sink.declared(from);
    const relation = kind !== 'interface' && isInterface ? 'implements' : 'extends';
    sink.reference(isMade ? end : from, end, relation, accessPath.replace(/^global\./, ''));
  });
}

function typeReferencesOfArguments(sink: FactSink, from: number, to: number): void {
  const { source } = sink;
  const written = source.slice(from, to);
  for (let open = written.indexOf('<'); open !== -1; ) {
    const close = angleEnd(source, from + open, to);
    if (close === -1) return;
    typeReferences(sink, from + open, close);
    open = written.indexOf('<', close - from);
  }
}

const NAMES: NameRules = {
  opaque: [
    'comment',
    'string_literal_content',
    'string_content',
    'verbatim_string_literal',
    'raw_string_content',
    'character_literal',
    'preproc_region',
    'preproc_endregion',
    'interpolation_format_clause',
  ],
  keywords: wordSet(
    `abstract add and as async await base bool break by byte case catch char checked class const continue decimal default delegate
     descending do double dynamic else enum equals event explicit extern false finally fixed float for foreach from get global goto group
     if implicit in init int interface internal into is join let lock long nameof namespace new not notnull null object on operator or
     orderby out override params partial private protected public readonly record ref remove required return sbyte sealed select set short
     sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unmanaged unsafe ushort using value var
     virtual void volatile when where while with yield`,
  ),
  unimported: true,
  labels: ':',
  formats: true,
};

const usingRule: NodeRule = ({ start, end, text }, sink) => {
  const match = /\busing\s+(static\s+)?(?:([\w@]+)\s*=\s*)?(?:global\s*::\s*)?([\w@.\s]+)/.exec(
    text.slice(0, MAX_HEAD_LENGTH),
  );
  if (match === null) return;
  const path = match[3].replace(/\s+/g, '');
  if (match[1] === undefined && match[2] === undefined && text.startsWith('global'))
    sink.import(start, end, 'declare', `${GLOBAL_USING}${path}`);
  importPath({ start, end }, path, match[2] === undefined, sink, match[2]);
};

const callRule = calls({
  special: ({ name, receiver, callee, view }, sink) => {
    if (callee.isNew) namedArguments(sink, view.start, view.end, callee.accessPath.replace(/^new /, ''));
    // `this(…)` and `nameof(…)` are no calls; for `new(…)` the declaration around it states the type.
    return receiver === '' && (name === 'this' || name === 'nameof' || name === 'new');
  },
});

/** `new Entry(Size: 1)`: a parameter of a record is a property. */
function namedArguments(sink: FactSink, open: number, close: number, type: string): void {
  if (close - open > MAX_HEAD_LENGTH) return;
  const parts = splitList(sink.source, open + 1, close - 1, ',', LEXICAL);
  keyedMembers(parts, /^(@?\w+)\s*:(?!:)/, 'write', `${type}{:}`, sink);
}

/** `new A<B>(1) { C = d }`: the end is behind the initializer; `new A { C = d }` has no argument list. */
const newRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const from = skipSpace(source, start + 3, end, LEXICAL);
  const to = typeEnd(sink, from, end);
  const type = source
    .slice(from, to)
    .replace(/[<[][\s\S]*$|\?$/, '')
    .replace(/\s*(?:::|\.)\s*/g, '.');
  if (!/^[\w@.]+$/.test(type)) return;
  sink.remember(end, start, `new ${type}()`);
  if (source[end - 1] === '}') initialized(sink, to, end, `new ${type}()`);
  if (source[skipSpace(source, to, end, LEXICAL)] !== '{') return;
  sink.reference(from + type.lastIndexOf('.') + 1, end, 'new', type, { args: 0 });
};

/** `{ Size = 1, Owner = ada }` behind the maker of an object, or behind `with`, writes its properties. */
function initialized(sink: FactSink, from: number, end: number, made: string): void {
  const { source } = sink;
  let open = skipSpace(source, from, end, LEXICAL);
  if (source[open] === '(') open = skipSpace(source, sink.closing(open, end), end, LEXICAL);
  if (source[open] !== '{') return;
  const parts = splitList(source, open + 1, end - 1, ',', LEXICAL);
  keyedMembers(parts, /^(@?\w+)\s*=(?![=>])/, 'write', made, sink);
}

/** `old with { Size = 1 }`. */
const withRule: NodeRule = ({ start, end }, sink) => {
  const word = /\bwith\s*\{/.exec(headText(sink.source, start, end));
  const value = word === null ? '' : sink.accessPath(start, start + word.index);
  if (word === null || value === '') return;
  initialized(sink, start + word.index + 4, end, value);
  sink.remember(end, start, value);
};

function declaration(place: 'local' | 'field'): NodeRule {
  return ({ start, end }, sink) => declare(sink, start, end, place);
}

function declare(sink: FactSink, start: number, end: number, place: 'local' | 'field'): void {
  const declared = typeBeforeName(sink, start, end, MODIFIER);
  if (declared === null) return;
  const { nameAt } = declared;
  const type = declared.type === 'var' ? '' : declared.type;
  if (type !== '') typeReferences(sink, sink.source.lastIndexOf(type, nameAt), nameAt - 1);
  const last = sink.source[end - 1] === ';' ? end - 1 : end;
  declarators(sink, nameAt, last, (at, name, after, to) => {
    sink[place](at, name, type, targetTyped(sink, after, to, type) || valueAfter(sink, after, to));
  });
}

/** `using (Cart c = Open())`, `for (int i = 0;`. */
const inParenthesesRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const open = source.indexOf('(', start);
  if (open === -1 || open >= end) return;
  const close = sink.closing(open, end) - 1;
  const stop = headText(source, open, close).indexOf(';');
  declare(sink, open + 1, stop === -1 ? close : open + stop, 'local');
};

const forEachRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const open = source.indexOf('(', start);
  const close = sink.closing(open, end);
  const declared = typeBeforeName(sink, open + 1, close, MODIFIER);
  if (declared === null) return;
  const at = skipSpace(source, declared.after, close, LEXICAL);
  const list = source.startsWith('in', at) ? sink.accessPath(at + 2, close - 1) : '';
  const type = declared.type === 'var' ? '' : declared.type;
  if (type !== '') typeReferences(sink, open + 1, declared.nameAt - 1);
  sink.local(declared.nameAt, declared.name, type, type === '' ? elementOf(list) : '');
};

const parametersRule: NodeRule = ({ start, end }, sink) => {
  const before = sink.source.slice(Math.max(0, start - 100), start);
  // Parameters of a type are fields (see `typeDefinition`).
  if (!/\b(?:record|class|struct)\s+\w+\s*(?:<[^<>]*>\s*)?$/.test(before)) addParameters(sink, start, end, 'local');
};

/** `Cart c` of patterns, `out Cart c`, `catch (Error e)`. */
const typedNameRule: NodeRule = ({ start, end, kind }, sink) => {
  const { source } = sink;
  const declared = typeBeforeName(sink, source[start] === '(' ? start + 1 : start, end, MODIFIER);
  if (declared === null) {
    if (kind === 'catch_declaration') typeReferences(sink, start, end);
    return;
  }
  // `F(a * b)` can look like the declaration of a pointer.
  if (declared.type.endsWith('*')) return;
  const type = declared.type === 'var' ? '' : declared.type;
  if (type !== '') typeReferences(sink, start, declared.nameAt - 1);
  sink.local(declared.nameAt, declared.name, type, '');
};

/** `Cart { Size: 1 } c`. */
const recursivePatternRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const to = typeEnd(sink, start, end);
  const name = /[\w@]+$/.exec(source.slice(Math.max(to, end - 100), end))?.[0];
  if (to === start || source[start] === '(') return;
  typeReferences(sink, start, to);
  const open = skipSpace(source, to, end, LEXICAL);
  const close = source[open] === '{' ? sink.closing(open, end) - 1 : open;
  const type = source.slice(start, to).replace(/<.*$/s, '');
  const parts = splitList(source, open + 1, close, ',', LEXICAL);
  keyedMembers(parts, /^(@?\w+)(?=[\w.]*\s*:)/, 'read', `new ${type}()`, sink);
  if (name !== undefined) sink.local(end - name.length, name, source.slice(start, to), '');
};

/** Parameters of a lambda whose values follow from the call that it is an argument of. */
const lambdaRule: NodeRule = (node, sink) => {
  const { start, end } = node;
  sink.closure(start, end);
  const head = /^(?:(?:async|static)\s+)*\(?\s*(@?\w+)\s*(?=[,)=])/.exec(headText(sink.source, start, end, 120));
  const list = node.parent?.parent;
  if (head === null || list?.kind !== 'argument_list') return;
  const { accessPath, isNew } = sink.accessPathBefore(list.start);
  if (isNew || accessPath === '' || accessPath.startsWith('?')) return;
  sink.local(start + head[0].lastIndexOf(head[1]), head[1], '', `${accessPath}{}`);
};

const namesRule = localNames(/[\w@]+/g);

/** `from cart in carts`. */
const fromRule: NodeRule = ({ start, end }, sink) => {
  const match = /^(?:from|join)\s+(?:[\w.<>?]+\s+)?(\w+)\s+in\b/.exec(headText(sink.source, start, end));
  if (match === null) return;
  const list = sink.accessPath(start + match[0].length, end);
  sink.local(start + match[0].lastIndexOf(match[1], match[0].length - 3), match[1], '', elementOf(list));
};

const castRule: NodeRule = ({ start, end, kind }, sink) => {
  const { source } = sink;
  const open = kind === 'cast_expression' ? start + 1 : source.lastIndexOf(' as ', end) + 4;
  const to = typeEnd(sink, open, end);
  const type = /^[\w@.]+/.exec(source.slice(open, to))?.[0];
  if (open < start || type === undefined) return;
  typeReferences(sink, open, to);
  sink.remember(end, start, `new ${type}()`);
};

const typeListRule: NodeRule = ({ start, end }, sink) => typeReferences(sink, start, end);

const attributeRule = decorators({
  form: /^([\w@.]+)/,
  argument: (name) => ['write', `new ${name}Attribute()`],
});

const csharpRelations: RelationRules = {
  parameters: { type: 'before', words: wordSet('this ref out in params scoped readonly'), rest: /\bparams\s/ },
  overloads: new Map([
    ['ToString()', '"'],
    ['Length', '0'],
    ['Count', '0'],
  ]),
  lexical: LEXICAL,
  names: NAMES,
  nodes: {
    using_directive: usingRule,
    argument_list: callRule,
    object_creation_expression: newRule,
    field_declaration: declaration('field'),
    event_field_declaration: declaration('field'),
    local_declaration_statement: declaration('local'),
    using_statement: inParenthesesRule,
    for_statement: inParenthesesRule,
    foreach_statement: forEachRule,
    parameter_list: parametersRule,
    implicit_parameter: namesRule,
    lambda_expression: lambdaRule,
    tuple_pattern: namesRule,
    declaration_pattern: typedNameRule,
    declaration_expression: typedNameRule,
    catch_declaration: typedNameRule,
    recursive_pattern: recursivePatternRule,
    from_clause: fromRule,
    with_expression: withRule,
    cast_expression: castRule,
    as_expression: castRule,
    type_argument_list: typeListRule,
    typeof_expression: ({ start, end }, sink) => typeReferences(sink, start + 7, end),
    attribute: attributeRule,
  },
  brackets: ['argument_list', 'parameter_list'],
  definition,
  values: HANDED_ON,
  literalCalls: new Set(['MapGet', 'MapPost', 'MapPut', 'MapPatch', 'MapDelete', 'MapGroup']),
  ignoredTypes: wordSet(
    `bool byte sbyte char decimal double float int uint nint nuint long ulong short ushort object string void dynamic
     var String Object Exception Task Action Func out ref params`,
  ),
};

// Directives `#if` around parts of a declaration, which the grammar does not know

const DIRECTIVE = /^[ \t]*#[ \t]*(if|elif|else|endif)\b.*$/gm;
/** A branch that is whole by itself: its text ends with a statement, a declaration or an attribute. */
const WHOLE_END = /[;}\]]\s*$/;
/** Most directives of one file that are looked at. */
const MAX_DIRECTIVES = 2_000;

interface Branch {
  word: string;
  /** The directive's line, and where the text behind it begins. */
  start: number;
  end: number;
}

/**
 * Blanks directives and keeps the length. Both branches of `#if` and `#else` stay if each holds whole declarations or statements; else only
 * the first one.
 */
export function withoutDirectives(text: string): string {
  if (!/^[ \t]*#[ \t]*if\b/m.test(text)) return text;
  const found: Branch[] = [];
  for (const match of text.matchAll(DIRECTIVE)) {
    if (found.length >= MAX_DIRECTIVES) return text;
    found.push({ word: match[1], start: match.index, end: match.index + match[0].length });
  }
  const blank: Blank[] = [];
  const open: { first: boolean }[] = [];
  found.forEach(({ word, start, end }, i) => {
    blank.push([start, end, '']);
    if (word === 'if') open.push({ first: true });
    const group = open[open.length - 1];
    if (group === undefined) return;
    const next = found[i + 1];
    const branch = next === undefined ? '' : text.slice(end, next.start);
    if (word === 'if') group.first = isWhole(branch);
    else if (word === 'endif') open.pop();
    else if (next !== undefined && !(group.first && isWhole(branch))) blank.push([end, next.start, '']);
  });
  return blanked(text, blank);
}

function isWhole(branch: string): boolean {
  let depth = 0;
  for (const char of branch) {
    if (char === '{' || char === '(') depth++;
    else if (char === '}' || char === ')') depth--;
    if (depth < 0) return false;
  }
  return depth === 0 && (branch.trim() === '' || WHOLE_END.test(branch));
}

/** `public class Marker;`, `class Changed(int count) : Value<int>(count);` up to the character behind, which a bracket of its body replaces. */
const BODILESS =
  /^[ \t]*(?:\[[^\]\n]{0,200}\][ \t]*)?(?:[a-z]+[ \t]+){0,6}(?:class|struct|interface)[ \t]+\w+(?:[^;{}"']|"(?:[^"\\\n]|\\.){0,1000}"|'[^'\n]{1,4}'){0,2000};(?=\s)/gm;

/** `bool async`, `async: true`: a name, where no function can follow. */
const ASYNC_NAME = /(?<![\w.@])async(?=[ \t]*(?:[:;,)?&|!]|=(?!>)))/g;

/** Forms of C# 13 and 14. Members of a block `extension(Cart cart) { … }` become those of the class around it. */
const NEWER: readonly Mask[] = [
  [
    /\b(partial)[ \t]+(?!(?:class|struct|interface|record|ref|void|async)\b)(?=[\w<>?.,[\] \t]{1,100}[ \t]\w+\s*[{;=])/g,
  ],
  [/\b(params)(?=[ \t]+[\w.]{1,80}<)/g],
  [/\b(allows[ \t]+ref[ \t]+struct)\b/g, 'struct'],
  [/[\w)\]](\?)(?=\.[\w.?[\]()]{1,100}[ \t]*(?:[-+*/|&^]|\?\?)?=[^=>])/g],
  [/\bnameof\([\w.]{1,80}(<[, ]*>)/g],
  [/[(,][ \t]*(out|ref|in|scoped)[ \t]+\w+(?=[ \t]*\)[ \t]*=>)/g],
  [/\boperator[ \t]*(?:[-+*/%&|^]|<<|>>>?)(=)(?=[ \t]*\()/g],
];
const EXTENSION = /^[ \t]*extension[ \t]*(?:<[^<>(){};]{0,200}>)?[ \t]*\([^(){};]{0,300}\)[^(){};]{0,200}\{/gm;

function repairedCSharp(text: string): string {
  const bodies: Blank[] = maskedRanges(text, NEWER);
  for (const { index, 0: head } of text.matchAll(EXTENSION)) {
    const open = index + head.length - 1;
    const close = closingOf(text, open, text.length, LEXICAL);
    if (text[close - 1] === '}') bodies.push([index, open + 1, ''], [close - 1, close, '']);
  }
  for (const { index } of text.matchAll(ASYNC_NAME)) bodies.push([index, index + 1, '_']);
  for (const match of text.matchAll(BODILESS)) {
    const end = match.index + match[0].length;
    bodies.push([end - 1, end, '{'], [end, end + 1, '}']);
  }
  return blanked(text, bodies);
}

const csharpDefinitions: DefinitionRules = {
  parsed: withoutDirectives,
  repaired: repairedCSharp,
  definitions: [
    { node: 'namespace_declaration', kind: 'namespace', exported: {} },
    { node: 'file_scoped_namespace_declaration', kind: 'namespace', exported: {}, holdsRest: true },
    { node: 'class_declaration', kind: 'class' },
    {
      node: 'record_declaration',
      kind: 'class',
      parts: { path: '>parameter_list/>parameter', definition: { kind: 'property', exported: {} } },
    },
    { node: 'interface_declaration', kind: 'interface', opens: /./ },
    { node: 'struct_declaration', kind: 'struct' },
    { node: 'enum_declaration', kind: 'enum' },
    { node: 'enum_member_declaration', kind: 'enum-member', exported: {} },
    { node: 'delegate_declaration', kind: 'type' },
    { node: 'method_declaration', kind: 'method' },
    { node: 'constructor_declaration', kind: 'constructor' },
    { node: 'property_declaration', kind: 'property', body: 'accessors' },
    { node: 'indexer_declaration', kind: 'property', unnamed: 'this', body: 'accessors' },
    { node: 'event_declaration', kind: 'property', body: 'accessors' },
    {
      node: ['field_declaration', 'event_field_declaration'],
      kind: 'field',
      name: '>variable_declaration/>variable_declarator/name',
      each: true,
      head: [[/\bconst\b|\bstatic\s+readonly\b/, 'constant']],
    },
    { node: 'local_function_statement', kind: 'function' },
    { node: 'operator_declaration', kind: 'method', name: 'operator' },
    {
      node: 'conversion_operator_declaration',
      kind: 'method',
      nameText: /[^(){};]{0,300}?\b(operator\s[^(){};]{1,200}(?<!\s))\s*\(/y,
    },
  ],
  imports: ['using_directive', 'extern_alias_directive'],
  typed: true,
  comments: ['comment'],
  docs: { line: /^\/\//, block: ['/*', '*/'] },
  exported: { head: /\b(?:public|protected)\b/ },
  fixed: /\b(?:private|static)\b/,
};

export const csharp: ParsingRules = { definitions: csharpDefinitions, relations: csharpRelations };
