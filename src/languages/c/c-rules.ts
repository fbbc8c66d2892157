/**
 * Rules of C: definitions and relations; and the definitions of C++, which shares most of them. The relations of C++ are in cpp-rules.ts;
 * macros in places where the grammars cannot read them are blanked by macros.ts and repairs.ts.
 */
import { type ParsingRules, wordSet } from '../language.js';
import {
  declarationsIn,
  headText,
  listItemEnd,
  MAX_DECLARATORS,
  MAX_HEAD_LENGTH,
  skipModifiers,
  typeEnd,
} from '../roles/declarations.js';
import type { Definition, DefinitionRules, KindByText } from '../roles/definitions.js';
import {
  calls,
  type DefinitionView,
  type FactSink,
  type LexicalConventions,
  type NameRules,
  type NodeRule,
  type RelationRules,
} from '../roles/relations.js';
import { skipSpace } from '../roles/scan.js';
import { withoutMacros } from './macros.js';
import { repairedC } from './repairs.js';

const NAMES: NameRules = {
  opaque: ['comment', 'string_content', 'char_literal', 'system_lib_string'],
  keywords: wordSet(
    `NULL alignas alignof auto bool break case catch char class co_await co_return co_yield concept const const_cast consteval constexpr
     constinit continue decltype default define defined delete do double dynamic_cast elif else endif enum error explicit export extern
     false final float for friend goto if ifdef ifndef include inline int long mutable namespace new noexcept nullptr operator override
     pragma private protected public register reinterpret_cast requires restrict return short signed size_t sizeof static static_assert
     static_cast std struct switch template this thread_local throw true try typedef typeid typename undef union unsigned using virtual
     void volatile wchar_t while`,
  ),
  unimported: true,
};

/** Names in the grammar of C++, which knows raw strings. */
export const CPP_NAMES: NameRules = { ...NAMES, opaque: [...NAMES.opaque, 'raw_string_literal'] };

const LEXICAL: LexicalConventions = {
  joins: ['->', '.'],
  prefixes: ['*', '&'],
  quotes: '"\'',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
};

const MODIFIER =
  /\[\[|(?:static|extern|const|volatile|register|inline|constexpr|consteval|constinit|mutable|virtual|explicit|friend|typedef|typename|struct|enum|union|class|thread_local|_Thread_local|__extension__|restrict)\b/y;
const PRIMITIVE = /(?:(?:unsigned|signed|long|short|int|char|float|double|void|bool|auto|const)\b[ \t]*){1,6}/y;
/** Macros before a type, `API Cart *add`: a word that a type and a name follow is no type. */
const MACROS_BEFORE = /(?:[A-Z][A-Z0-9_]{2,}[ \t]+){1,3}(?=(?:[\w:]+(?:<[^;{}()\n]{0,80}>)?[\s*&]+){1,4}[\w:~]+\s*\()/y;
/** Pointers, and the parenthesis of a function pointer: `*const name`, `(*name)`. */
const DECLARATOR = /[\s*&]*(?:\(\s*\*[\s*]*)?(?:(?:const|volatile|restrict|__restrict)\b[\s*&]*){0,3}([A-Za-z_]\w*)/y;

export interface Head {
  /** '' for primitive types and `auto`. */
  type: string;
  /** Offset of the last name of the type, and its access path. */
  typeAt: number;
  accessPath: string;
  /** Offset after the type. */
  after: number;
}

/** Reads the type that a declaration starts with. */
export function headOf(sink: FactSink, from: number, to: number): Head | null {
  const { source } = sink;
  const limit = Math.min(to, from + MAX_HEAD_LENGTH);
  let at = skipModifiers(sink, from, limit, MODIFIER);
  MACROS_BEFORE.lastIndex = at;
  const macros = MACROS_BEFORE.exec(source);
  if (macros !== null) at = skipModifiers(sink, at + macros[0].length, limit, MODIFIER);
  PRIMITIVE.lastIndex = at;
  const primitive = PRIMITIVE.exec(source);
  if (primitive !== null)
    return { type: '', typeAt: at, accessPath: '', after: Math.min(limit, at + primitive[0].length) };
  const end = typeEnd(sink, at, limit);
  const type = source.slice(at, end).replace(/[*&\s]+$/, '');
  const written = /^[\w:.]*/.exec(type)?.[0] ?? '';
  if (!/^\w/.test(written) || C_WORDS.has(written)) return null;
  const typeAt = at + written.search(/\w*$/);
  return { type, typeAt, accessPath: written.replaceAll('::', '.'), after: end };
}

export interface Declarator {
  name: string;
  at: number;
  isArray: boolean;
  /** The character behind the name: `=`, `(`, `{`, or '' at the end of the declarator. */
  next: string;
  nextAt: number;
  end: number;
}

/** The names declared between `from` and `to`, each with the text behind it. */
function declaratorsOf(sink: FactSink, from: number, to: number): Declarator[] {
  const { source, rules } = sink;
  const found: Declarator[] = [];
  for (let at = from; at < to && found.length < MAX_DECLARATORS; ) {
    DECLARATOR.lastIndex = at;
    const match = DECLARATOR.exec(source);
    if (match === null || DECLARATOR.lastIndex > to) break;
    const nameAt = DECLARATOR.lastIndex - match[1].length;
    let next = skipSpace(source, DECLARATOR.lastIndex, to, rules.lexical);
    const isArray = source[next] === '[';
    while (next < to && (source[next] === '[' || source[next] === ')')) {
      // The parameters of `(*name)(int)` are part of the declarator, too.
      next = source[next] === '[' ? sink.closing(next, to) : skipSpace(source, next + 1, to, rules.lexical);
      if (source[next] === '(') next = sink.closing(next, to);
      next = skipSpace(source, next, to, rules.lexical);
    }
    const char = next < to ? source[next] : '';
    // `int Cart::count = 0;` declares no name of its own.
    if (!'=({,:;'.includes(char) || source.startsWith('::', next)) break;
    const end = listItemEnd(sink, next, to);
    found.push({ name: match[1], at: nameAt, isArray, next: char, nextAt: next, end });
    at = end + 1;
  }
  return found;
}

export function includeRule({ start, end, text }: { start: number; end: number; text: string }, sink: FactSink): void {
  const match = /^#\s*(?:include|include_next|import)\s*(?:"([^"\n]+)"|<([^>\n]+)>)/.exec(
    text.slice(0, MAX_HEAD_LENGTH),
  );
  if (match === null) return;
  const stop = text.endsWith('\n') ? end - 1 : end;
  sink.import(start, stop, match[1] === undefined ? 'include-system' : 'include', match[1] ?? match[2]);
}

/**
 * `struct cart *a = b, c;` of locals, globals and fields. `constructed` states the instance that brackets behind a name make, and returns
 * false if they hold the parameters of a prototype; without it, as in C, round ones always do.
 */
export function declarationRule(
  place: 'local' | 'field',
  constructed?: (declared: Declarator, head: Head, view: Parameters<NodeRule>[0], sink: FactSink) => boolean,
): NodeRule {
  return (view, sink) => {
    const { start, end } = view;
    const { source } = sink;
    const head = headOf(sink, start, end);
    if (head === null) return;
    const last = source[end - 1] === ';' ? end - 1 : end;
    for (const declared of declaratorsOf(sink, head.after, last)) {
      const { name, at, isArray, next, nextAt } = declared;
      if (next === '(' && constructed?.(declared, head, view, sink) !== true) return;
      if (next === '{') constructed?.(declared, head, view, sink);
      const type = isArray && head.type !== '' ? `${head.type}[]` : head.type;
      const value = next === '=' && source[nextAt + 1] !== '=' ? sink.accessPath(nextAt + 1, declared.end) : '';
      if (place === 'field') sink.field(at, name, type, value);
      else sink.local(at, name, type, value, type === '' ? source.slice(start, at) : undefined);
    }
  };
}

/** Parameters between brackets at `open` and before `close`. Names in a prototype mean nothing. */
export function addParameters(sink: FactSink, open: number, close: number, hasBody = true): void {
  for (const part of declarationsIn(sink, open, close)) {
    const head = headOf(sink, part.start, part.end);
    const declared = head === null ? undefined : declaratorsOf(sink, head.after, part.end)[0];
    if (head === null || declared === undefined) continue;
    if (!hasBody) {
      sink.declared(declared.at);
      continue;
    }
    const type = declared.isArray && head.type !== '' ? `${head.type}[]` : head.type;
    sink.local(
      declared.at,
      declared.name,
      type,
      '',
      type === '' ? sink.source.slice(part.start, declared.at) : undefined,
    );
  }
}

/** Words of the language that can stand where a type or a function is expected: in macros, and behind macros that hide code from a parser. */
const C_WORDS = wordSet(
  `if else while for do switch case default return goto sizeof defined typeof alignof __attribute__ catch try throw new delete using
   typedef static const extern private public protected operator namespace template class struct union enum`,
);

/** Calls in the text of a macro, which has no tree. */
export const macroRule: NodeRule = ({ start, text }, sink) => {
  const macro = /^#\s*define\s+(\w+)(?:\(([^)]*)\))?/.exec(text.slice(0, MAX_HEAD_LENGTH));
  if (macro === null) return;
  const own = new Set([macro[1], ...(macro[2] ?? '').split(/[\s,]+/)]);
  const body = text.slice(macro[0].length, macro[0].length + MAX_HEAD_LENGTH);
  for (const match of body.matchAll(/(?<![\w.>#:])([A-Za-z_]\w*)\s*\(/g)) {
    if (own.has(match[1]) || C_WORDS.has(match[1])) continue;
    const at = start + macro[0].length + match.index;
    sink.reference(at, at + match[1].length, 'call', match[1]);
  }
};

/**
 * Call of a macro whose brackets the grammar was spared (`repairedC`): the loop `each_cart(cart, i)`, or `DEFINE_CART(rates)` between functions.
 * Its statement ends with a bracket, or is the bare name of a macro.
 */
export const sparedCallRule: NodeRule = (node, sink) => {
  const { source } = sink;
  if (source[node.end - 1] === ';' && !/[A-Z]/.test(source[node.start])) return;
  const [inside] = node.namedChildren;
  const name = inside?.kind === 'comma_expression' ? inside.field('left') : inside;
  if (name?.kind !== 'identifier' || !/^[ \t]*\(/.test(source.slice(name.end, name.end + MAX_SPACE))) return;
  sink.reference(name.start, name.end, 'call', name.text);
};

/** Space between the name of a macro and its bracket. UTF-16 units. */
const MAX_SPACE = 20;

/** States the type that a cast gives its value: `((struct node *)x)->next`. */
export const castRule: NodeRule = ({ start, end }, sink) => {
  const head = headOf(sink, start + 1, end);
  if (head !== null && head.type !== '') sink.remember(end, start, `new ${head.accessPath}()`);
};

const typeRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  // The name of a `struct x { … }` is no use of it.
  if (/^\s*\{/.test(source.slice(end, end + 20))) return;
  sink.reference(start, end, 'type', source.slice(start, end));
};

/** Results, parameters and aliases are read from signatures. */
function definition({ kind, name, start, nameStart, nameEnd, signatureEnd }: DefinitionView, sink: FactSink): void {
  const { source } = sink;
  if (kind === 'type') {
    const known = /^typedef\s+(?:const\s+)?(?:(?:struct|union|enum)\s+)?(\w+)[\s*]+$/.exec(
      headText(source, start, nameStart),
    );
    if (known !== null && known[1] !== name) sink.alias(nameStart, name, known[1]);
  }
  if (kind !== 'function') return;
  const head = headOf(sink, start, nameStart);
  if (head !== null && head.type !== '' && head.type !== 'void') sink.result(nameStart, head.type, '');
  const open = skipSpace(source, nameEnd, signatureEnd, LEXICAL);
  if (source[open] !== '(' || source[skipSpace(source, signatureEnd, signatureEnd + MAX_HEAD_LENGTH, LEXICAL)] !== '{')
    return;
  addParameters(sink, open, sink.closing(open, signatureEnd));
}

/** Names that are passed on (`RelationRules.values`): `(cart,`, `= &cart;`, `return cart;`. */
export const HANDED_ON_IN_C = /(?:[(,={?:]|\breturn)\s*(?:&\s*)?([A-Za-z_]\w*)\s*(?=[,);}\]])/g;

export const C_TYPES: ReadonlySet<string> = new Set([
  ...C_WORDS,
  ...'size_t ssize_t ptrdiff_t intptr_t uintptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t FILE va_list wchar_t bool off_t time_t'.split(
    ' ',
  ),
]);

const cRelations: RelationRules = {
  lexical: LEXICAL,
  names: NAMES,
  nodes: {
    preproc_include: includeRule,
    preproc_def: macroRule,
    preproc_function_def: macroRule,
    argument_list: calls(),
    type_identifier: typeRule,
    declaration: declarationRule('local'),
    field_declaration: declarationRule('field'),
    cast_expression: castRule,
    expression_statement: sparedCallRule,
  },
  brackets: ['argument_list'],
  definition,
  values: HANDED_ON_IN_C,
  ignoredTypes: C_TYPES,
  ignoredCalls: C_WORDS,
};

/** Names of macros except include guards, which define nothing. */
const MACRO_NAME = /^(?!\w*_(?:H|HH|HPP|HXX|H_|HPP_|HH_|INCLUDED|INCLUDED_)_*$)\w+$/;
/** Behind a name: the rest of a type, which the grammar took for a name behind a macro that it took for the type; parameters, also those of `OF((int flush))`, and no value that begins with a literal: `Price Shop::least(100);`. */
const DECLARED: KindByText = [
  [/^\s*::/, null],
  [/^\s*(?:_{0,2}[A-Z][A-Z0-9_]*\s*\(\s*)?\((?!\s*(?:["'\d{]|-\s*\d|(?:true|false|nullptr|NULL|new)\b))/, 'function'],
];
const GLOBAL_HEAD: KindByText = [[/\b(?:const|constexpr)\b/, 'constant']];

const CPP_HEAD: KindByText = [[/\bMOCK_(?:CONST_)?METHOD\w*\s*\([^;{}]*$/, 'method'], ...GLOBAL_HEAD];

const MACROS: Definition[] = [
  { node: 'preproc_def', kind: 'macro', named: MACRO_NAME, body: 'value', exported: {} },
  { node: 'preproc_function_def', kind: 'macro', body: 'value', exported: {} },
];

/** Past the parentheses of function pointers: `(*name)(int)`, `(*(*name)(int))(char)`. */
const POINTED = 'declarator*/>pointer_declarator?/>array_declarator?/declarator*/>pointer_declarator?/declarator*';
/** A type of functions can stand in parentheses: `typedef int (compare_fn)(const void *)`. */
const TYPEDEF_NAME = `${POINTED}/>type_identifier?`;

/** A control statement between `#if` and `#else` looks like a function. */
const NO_STATEMENT = '(?!(?:if|for|while|switch|catch|return|else|do|struct|union|enum|class|void|int|MOCK_METHOD)$)';
const NAMED_FUNCTION = new RegExp(`^${NO_STATEMENT}\\w+$`);

const NOT_IN_STATEMENTS = { not: { inside: { kind: 'compound_statement' } } };
/** A body behind the parameters of a macro or of a function without a name, and blocks of statements in it: what they declare is local. */
const LOCAL = {
  kinds: ['compound_statement'],
  text: /(?:[)\]]|\b(?:else|do|try|mutable|noexcept|const)|->[\w:<>*& ]*)\s*$/,
};

const C: Definition[] = [
  ...MACROS,
  // `BEGINcommit … ENDcommit`, as `withoutMacros` leaves it.
  { node: 'while_statement', kind: 'function', nameText: /BEGIN(\w+)/y, body: 'value', outer: true },
  {
    node: 'function_definition',
    kind: 'function',
    name: `${POINTED}/>identifier?`,
    named: NAMED_FUNCTION,
    // A block behind the call of a macro is no function in another one: `each(carts) {`.
    where: {
      any: [NOT_IN_STATEMENTS, { has: { field: 'declarator', not: { kind: 'parenthesized_declarator' } } }],
    },
  },
  {
    node: 'declaration',
    kind: 'variable',
    name: POINTED,
    each: 'first',
    head: GLOBAL_HEAD,
    tail: DECLARED,
    named: NAMED_FUNCTION,
    notBehind: LOCAL,
    outer: true,
  },
  { node: 'struct_specifier', kind: 'struct', where: { has: { field: 'body', kind: 'field_declaration_list' } } },
  { node: 'union_specifier', kind: 'struct', where: { has: { field: 'body', kind: 'field_declaration_list' } } },
  { node: 'enum_specifier', kind: 'enum', where: { has: { field: 'body', kind: 'enumerator_list' } } },
  { node: 'enumerator', kind: 'enum-member', exported: {} },
  { node: 'type_definition', kind: 'type', name: TYPEDEF_NAME, each: 'first', named: /^\w+$/, exported: {} },
  {
    node: 'field_declaration',
    kind: 'field',
    name: POINTED,
    each: 'first',
    named: /^\w+$/,
    outer: 'members',
    exported: {},
  },
];

const COMMON = {
  repaired: repairedC,
  imports: ['preproc_include'],
  importText: /^(?:#\s*pragma\s+once|#\s*define\s+\w+_H(?:PP|H|XX)?_*\s*$)/,
  typed: true,
  macros: true,
  macroLines: new RegExp(`^[ \\t]*#[ \\t]*define[ \\t]+(${MACRO_NAME.source.slice(1, -1)})\\b`, 'gm'),
  comments: ['comment'],
  docs: { line: /^\/\//, block: ['/*', '*/'] },
} as const;

/** The name of a `typedef` stands behind a body, which may have the word in a comment. */
const INTERNAL = /^[^{]*(?<!\S)static\b/;

const cDefinitions: DefinitionRules = {
  ...COMMON,
  // In C++ such a test is a function without a result, whose name RENAMED tells, and its suite a type that it uses.
  parsed: (text) => withoutMacros(text, true),
  definitions: C,
  exported: { notHead: INTERNAL },
};

/** `Cart::add()`, `TEST_F(CartTest, adds)`: the test is code of its fixture's class. */
const OWNER =
  /(\w+)\s*(?:<[^<>]*>)?\s*::\s*~?$|\b(?:TEST_[FP]|TYPED_TEST(?:_P)?|BENCHMARK_F|[A-Z][A-Z0-9]*_FIXTURE(?:_LOCAL)?|BOOST_FIXTURE_TEST_CASE)\s*\(\s*(\w+)\s*,\s*$/;
/** The grammar gives what a reference refers to (`Cart& add()`) no field. Names of conversions have declarators of their own. */
const CPP_NAME = 'declarator*!operator_cast/>function_declarator?/declarator*!operator_cast/name*';
/** `operator bool() const`, `operator Action<int()>()`, and tests by their own names: `TEST_F(CartTest, adds)`, `BOOST_AUTO_TEST_CASE(adds)`. */
const RENAMED =
  /(operator\s+[A-Za-z_:][^();{}<>]{0,100}(?:<[^;{}\n]{0,80}>[^();{}<>]{0,40})?)\(|(?:TEST|[A-Z][A-Z0-9]*_[A-Z0-9_]+)\s*\(\s*(?:\w+\s*,\s*)?(?!(?:int|char|bool|void|long|short|float|double|unsigned|auto)\b)(\w+)\s*\)(?=\s*\{)/y;

/** A type with a body, and a name: the text of one without would be taken for it. */
const NAMED_TYPE = { all: [{ has: { field: 'name', regex: '' } }, { has: { kind: 'field_declaration_list' } }] };

const TYPED = { has: { field: 'type', regex: '' } };

export const cppDefinitions: DefinitionRules = {
  ...COMMON,
  parsed: (text) => withoutMacros(text),
  definitions: [
    ...MACROS,
    {
      node: 'function_definition',
      kind: 'function',
      member: 'method',
      name: CPP_NAME,
      owner: OWNER,
      renamed: RENAMED,
      named: new RegExp(`^${NO_STATEMENT}[\\w~]`),
      // A block behind the call of a macro is no function in another one: `each(carts) {`.
      where: { any: [TYPED, NOT_IN_STATEMENTS] },
      // With a macro before `namespace x {` the grammar sees a function.
      head: [[/\bnamespace\s+$/, 'namespace']],
    },
    {
      node: ['declaration', 'field_declaration'],
      kind: 'variable',
      member: 'field',
      head: CPP_HEAD,
      each: 'first',
      // Friends are declared elsewhere, and a name in capitals without a type is the call of a macro.
      where: {
        all: [
          { not: { inside: { kind: 'friend_declaration' } } },
          { any: [TYPED, { not: { has: { field: 'declarator', regex: '^[A-Z][A-Z0-9]*_[A-Z0-9_]*\\s*\\(' } } }] },
        ],
      },
      name: `${CPP_NAME}/>pointer_declarator?/declarator*!operator_cast/>identifier?/>field_identifier?`,
      renamed: RENAMED,
      tail: DECLARED,
      named: new RegExp(`^${NO_STATEMENT}(?:[\\w~]+|operator\\W.*)$`),
      notBehind: LOCAL,
      outer: 'members',
    },
    { node: 'class_specifier', kind: 'class', name: 'name*', where: NAMED_TYPE },
    { node: 'struct_specifier', kind: 'struct', name: 'name*', where: NAMED_TYPE },
    { node: 'union_specifier', kind: 'struct', where: { has: { kind: 'field_declaration_list' } } },
    { node: 'enum_specifier', kind: 'enum', where: { has: { kind: 'enumerator_list' } } },
    { node: 'enumerator', kind: 'enum-member', exported: {} },
    { node: 'namespace_definition', kind: 'namespace' },
    { node: 'alias_declaration', kind: 'type' },
    {
      node: 'type_definition',
      kind: 'type',
      name: TYPEDEF_NAME,
      each: 'first',
      named: /^\w+$/,
      exported: { members: true },
    },
    { node: 'concept_definition', kind: 'type' },
  ],
  wrappers: { template_declaration: {} },
  imports: ['preproc_include', 'using_declaration'],
  exported: { notHead: INTERNAL, members: true },
  fixed: /^(?![\s\S]*\b(?:virtual|override|final)\b)/,
  visibility: {
    hide: /^\s*(?:private|protected)\s*(?:\w+\s*)?:\s*(?:\/\/.*)?$/,
    show: /^\s*(?:public\s*(?:\w+\s*)?|Q_SIGNALS|signals):\s*(?:\/\/.*)?$/,
  },
};

export const c: ParsingRules = { definitions: cDefinitions, relations: cRelations };
