/** Rules of Rust: definitions and relations. */
import { addTo } from '../../base/lists.js';
import { type ParsingRules, wordSet } from '../language.js';
import { byKind, headText, type Mask, maskedRanges } from '../roles/declarations.js';
import type { DefinitionRules } from '../roles/definitions.js';
import { type Blank, blanked } from '../roles/masks.js';
import type { ImportedName } from '../roles/relation-facts.js';
import {
  type Call,
  calls,
  type DefinitionView,
  elementsOf,
  type FactSink,
  handedOn,
  type LexicalConventions,
  type NameRules,
  type NodeRule,
  type NodeView,
  type RelationRules,
  statedRoute,
} from '../roles/relations.js';
import { closingOf, findOutside } from '../roles/scan.js';
import {
  elementParameters,
  findTypeColon,
  forExpression,
  HANDED_ON,
  letCondition,
  letDeclaration,
  macro,
  macroDefinition,
  matchExpression,
  pattern,
  plainName,
  structExpression,
  structPattern,
  VARIANTS,
  variantPattern,
} from './patterns.js';
import { rustRoutes } from './routes.js';

const NAMES: NameRules = {
  opaque: ['line_comment', 'block_comment', 'string_content', 'char_literal'],
  keywords: wordSet(
    `Box Err None Ok Option Result Self Some String Vec _ as async await bool break char const continue crate dyn else
     enum extern f32 f64 false fn for i128 i16 i32 i64 i8 if impl in isize let loop match mod move mut pub ref return
     self static str struct super trait true type u128 u16 u32 u64 u8 union unsafe use usize where while`,
  ),
  unimported: true,
  keys: true,
};

const LEXICAL: LexicalConventions = {
  joins: ['::', '.'],
  leading: '::',
  postfix: '?',
  prefixes: ['&', '*', 'mut', 'ref', 'move'],
  typeArguments: '<>',
  // A single quote more often opens a lifetime than a character.
  quotes: '"',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
  root: (name, join) => (name === 'Self' || (name === 'self' && join !== '::') ? 'this' : plainName(name)),
};

/** Functions that wrap a value into something that is used like the value. */
const WRAPPERS: ReadonlySet<string> = new Set(
  ['Box', 'Rc', 'Arc', 'RefCell', 'Cell', 'Mutex', 'RwLock', 'Pin', 'Cow', 'OnceCell', 'OnceLock']
    .map((name) => `${name}.new`)
    .concat('mem.take', 'std.mem.take', 'Rc.clone', 'Arc.clone', 'Box.pin'),
);
const MAX_HEAD_LENGTH = 600;

function special({ name, callee, start, end, view }: Call, sink: FactSink): boolean {
  handedOn(view.start + 1, view.end - 1, HANDED_ON, sink);
  if (!VARIANTS.has(callee.accessPath) && !WRAPPERS.has(callee.accessPath)) return false;
  const inner = sink.accessPath(view.start + 1, view.end - 1);
  if (inner !== '') sink.remember(end, start, inner);
  return VARIANTS.has(name);
}

/** `::<shop::Cart>` before the arguments of a call. */
const TURBOFISH = /::\s*<\s*(?:&\s*)?(?:mut\s+)?((?:\w+::){0,4}[A-Z]\w{0,40})(?:<[^()<>]*>)?\s*>\s*$/;

function useDeclaration({ start, end, text }: NodeView, sink: FactSink): void {
  const kind = /^pub\b/.test(text) ? 'reexport' : 'import';
  for (const { specifier, names } of useTree(text)) sink.import(start, end, kind, specifier, names);
}

function module({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /^(?:pub(?:\s*\([^)]*\))?\s+)?mod\s+(\w+)\s*;/.exec(text.slice(0, MAX_HEAD_LENGTH));
  if (match === null) return;
  const before = sink.source.slice(Math.max(0, start - MAX_HEAD_LENGTH), start);
  const path = /#\[path\s*=\s*"([^"\n]+)"\]\s*(?:#\[[^\]]*\]\s*)*$/.exec(
    before.slice(before.lastIndexOf(';') + 1),
  )?.[1];
  sink.import(start, end, 'module', path ?? match[1], [{ name: '*', alias: match[1] }]);
}

function externCrate({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /\bcrate\s+(\w+)(?:\s+as\s+(\w+))?/.exec(text);
  if (match !== null) sink.import(start, end, 'import', match[1], [{ name: '*', alias: match[2] ?? match[1] }]);
}

/** `impl Trait for Type`. */
function implementation({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const head = headText(source, start, end, MAX_HEAD_LENGTH);
  const match = /^(?:unsafe\s+)?impl\b\s*/.exec(head);
  if (match === null) return;
  let from = start + match[0].length;
  if (source[from] === '<') from = findOutside(source, from + 1, end, '>', rules.lexical, true) + 1;
  const stop = findOutside(source, from, Math.min(end, start + MAX_HEAD_LENGTH), '{', rules.lexical, true);
  const parts = /^\s*!?\s*((?:\w+::)*)(\w+)(?:<.*>)?\s+for\s+&?(?:'\w+\s+)?(?:mut\s+)?(?:dyn\s+)?(?:\w+::)*(\w+)/s.exec(
    source.slice(from, stop),
  );
  if (parts === null) return;
  const [written, path, name, type] = parts;
  const at = from + written.indexOf(path + name) + path.length;
  sink.reference(at, at + name.length, 'implements', path.replace(/::/g, '.') + name, { of: type });
}

/** Parameters of a function, or of a closure that gets no known elements. */
function parameters(from: number, to: number, sink: FactSink): void {
  for (const part of elementsOf(from, to, sink, true)) {
    const attribute = /^(?:#\[[^\]]*\]\s*)*/.exec(sink.source.slice(part.start, part.end))?.[0].length ?? 0;
    const start = part.start + attribute;
    const colon = findTypeColon(start, part.end, sink);
    const written = sink.source.slice(start, colon);
    if (/^&?\s*(?:'\w+\s+)?(?:mut\s+)?self$/.test(written.trim())) continue;
    pattern(start, colon, { type: sink.source.slice(colon + 1, part.end).trim() }, sink);
  }
}

function field({ start, end }: NodeView, sink: FactSink): void {
  const match = /^(?:pub(?:\s*\([^)]*\))?\s+)?(?:r#)?(\w+)\s*:\s*/.exec(
    headText(sink.source, start, end, MAX_HEAD_LENGTH),
  );
  if (match !== null) sink.field(start, match[1], sink.source.slice(start + match[0].length, end), '');
}

/** Names that the node binds are known inside of it alone. */
const closed: NodeRule = ({ start, end }, sink) => sink.closure(start, end);

/** As `closed`, from the beginning of its first line: the pattern there binds names for the whole line. */
const arm: NodeRule = ({ start, end }, sink) => sink.closure(Math.max(0, sink.source.lastIndexOf('\n', start)), end);

/** `<T as Rule>::` before `Output`. */
const AS_TRAIT = /<[^<>]*\sas\s+((?:\w+::)*\w+)(?:<[^<>]*>)?>::$/;
const MAX_QUALIFIER = 120;

function typeName({ start, end, text }: NodeView, sink: FactSink): void {
  const { source } = sink;
  if (text === 'Self') return;
  const isQualified = source.startsWith('::', start - 2);
  const trait = isQualified ? AS_TRAIT.exec(source.slice(Math.max(0, start - MAX_QUALIFIER), start)) : null;
  if (trait !== null) sink.reference(start, end, 'type', `${trait[1].replaceAll('::', '.')}.${text}`);
  else sink.reference(start, end, 'type', isQualified ? sink.accessPathBefore(end).accessPath : text);
}

/** `<T: Rule, U>`: states the bound of `T`; the name has no other meaning. */
function typeParameters({ start, end }: NodeView, sink: FactSink): void {
  for (const part of elementsOf(start + 1, end - 1, sink, true)) {
    const match = /^([A-Z]\w*)\s*(?::\s*([\s\S]*?))?\s*(?:=[\s\S]*)?$/.exec(sink.source.slice(part.start, part.end));
    if (match === null) continue;
    sink.typeParameter(match[1]);
    sink.bound(part.start, match[1], match[2] ?? '');
    sink.local(part.start, match[1], match[2] ?? '', '');
  }
}

/** Text before the names of type parameters. */
const HEAD_OF_LIST = '\\b(?:impl|(?:fn|struct|enum|trait|union|type)\\s+\\w+)\\s*<';

/** `where T: Rule + Send` */
function wherePredicate({ start, text }: NodeView, sink: FactSink): void {
  const match = /^([A-Z]\w*)\s*:(?!:)\s*([\s\S]+)$/.exec(text);
  if (match === null) return;
  // `where Cart: PartialEq<T>` bounds a type, which stays the one of that name.
  const before = sink.source.slice(Math.max(0, start - MAX_HEAD_LENGTH), start);
  const declared = `${HEAD_OF_LIST}(?:->|[^<>{};]|<[^<>{};]*>)*?(?<=[<,]\\s*)${match[1]}\\s*[,:>=]`;
  if (new RegExp(declared).test(before)) sink.bound(start, match[1], match[2]);
}

const definition = byKind({
  trait: supertraits,
  module: testBuild,
  'enum-member': payload,
  struct: positions,
  impl: implemented,
  type: aliasDefinition,
  'constant variable': valueDefinition,
  'function method constructor': functionDefinition,
});

/** `impl parts::Cart`: states the path of a type of another module, and the attributes of the block. */
function implemented(view: DefinitionView, sink: FactSink): void {
  const { name, nameStart } = view;
  testBuild(view, sink);
  graphqlAttribute(view, sink);
  const path = /(?:\w+::)+$/.exec(sink.source.slice(Math.max(0, nameStart - MAX_QUALIFIER), nameStart))?.[0];
  if (path !== undefined) sink.field(nameStart, 'this', path + name, '');
}

function aliasDefinition({ name, container, nameStart, nameEnd, end }: DefinitionView, sink: FactSink): void {
  const { source, rules } = sink;
  const equals = findOutside(source, nameEnd, end, '=;', rules.lexical, true);
  if (source[equals] !== '=') return;
  const type = source.slice(equals + 1, end).replace(/;\s*$/, '');
  if (container === null) sink.alias(nameStart, name, type);
  else if (container === 'impl' || container === 'trait') sink.field(nameStart, name, type, '');
}

function valueDefinition({ name, nameStart, nameEnd, end }: DefinitionView, sink: FactSink): void {
  const equals = findOutside(sink.source, nameEnd, end, '=;', sink.rules.lexical, true);
  const colon = findTypeColon(nameEnd, equals, sink);
  sink.variable(nameStart, name, sink.source.slice(colon + 1, equals), '');
}

function functionDefinition(view: DefinitionView, sink: FactSink): void {
  const { nameStart, nameEnd, signatureEnd, end } = view;
  const { source, rules } = sink;
  testBuild(view, sink);
  testAttribute(view, sink);
  routeAttribute(view, sink);
  const open = findOutside(source, nameEnd, end, '(', rules.lexical, true);
  if (source[open] !== '(') return;
  const close = sink.closing(open, end);
  parameters(open + 1, close - 1, sink);
  const given = givenToFunction(headText(source, nameEnd, signatureEnd, MAX_HEAD_LENGTH));
  if (given !== '') sink.given(nameStart, '{}', given);
  const arrow = /^\s*->\s*/.exec(source.slice(close, close + 50));
  if (arrow === null) return;
  const from = close + arrow[0].length;
  const limit = Math.max(signatureEnd, Math.min(end, from + MAX_HEAD_LENGTH));
  const written = source.slice(from, findOutside(source, from, limit, '{;', rules.lexical, true));
  sink.result(nameStart, written.replace(/\bwhere\b[\s\S]*$/, ''), '');
}

/** The type that a function gives to its argument, a function: `F: FnOnce(Cart) -> u8`, `impl Fn(&Cart)`; '' if several get different ones. */
function givenToFunction(head: string): string {
  const types = new Set(
    [...head.matchAll(/\bFn(?:Mut|Once)?\s*\(\s*([^(),]{0,100})/g)].map((match) => match[1].trim()),
  );
  const [type] = types;
  return types.size === 1 && /[A-Z]/.test(type) ? type : '';
}

/** `struct Open<C>(pub C, u8)`: states the types of what has a number for a name. */
function positions({ nameEnd, end }: DefinitionView, sink: FactSink): void {
  const { source, rules } = sink;
  const open = source[nameEnd] === '<' ? findOutside(source, nameEnd + 1, end, '>', rules.lexical, true) + 1 : nameEnd;
  if (source[open] !== '(') return;
  for (const [index, part] of elementsOf(open + 1, sink.closing(open, end) - 1, sink, true).entries()) {
    const type = sink.source.slice(part.start, part.end).replace(HELD, '');
    if (/[A-Z]/.test(type)) sink.field(part.start, String(index), type, '');
  }
}

/** Attributes and visibility of what a variant or a structure holds without a name. */
const HELD = /^(?:#\[[^\]]*\]\s*)*(?:pub(?:\s*\([^)]*\))?\s+)?/;

/** `Open(Cart, u8)`: states the types of what a variant holds, as parameters. */
function payload({ nameStart, nameEnd, end }: DefinitionView, sink: FactSink): void {
  if (sink.source[nameEnd] !== '(') return;
  for (const [index, part] of elementsOf(nameEnd + 1, sink.closing(nameEnd, end) - 1, sink, true).entries()) {
    const type = sink.source.slice(part.start, part.end).replace(HELD, '');
    // Types of the language have no members here.
    if (/[A-Z]/.test(type)) sink.parameter(nameStart, index, type);
  }
}

/** `#[cfg(test)]`, `#[cfg(all(test, …))]`: no other build has the definition. */
const TEST_BUILD = /(?:^|\])\s*#\[\s*(cfg)\(\s*(?:all\(\s*)?test\s*[,)]/;

function testBuild({ start, nameStart }: DefinitionView, sink: FactSink): void {
  const built = TEST_BUILD.exec(headText(sink.source, start, nameStart, MAX_HEAD_LENGTH));
  if (built === null) return;
  const at = start + built.index + built[0].indexOf('cfg');
  sink.reference(at, at + built[1].length, 'decorator', 'cfg', { literal: 'test' });
}

/** `#[test]`, `#[tokio::test(flavor = "…")]`: the only attributes that show who runs a function. */
function testAttribute({ start, nameStart }: DefinitionView, sink: FactSink): void {
  const before = headText(sink.source, start, nameStart, MAX_HEAD_LENGTH);
  const match = /(?:^|\])\s*#\[\s*((?:\w+::)*)(test|bench|rstest|test_case|wasm_bindgen_test)\s*[\](]/.exec(before);
  if (match === null) return;
  const at = start + match.index + match[0].lastIndexOf(match[2]);
  sink.reference(at, at + match[2].length, 'decorator', match[1].replace(/::/g, '.') + match[2]);
}

/** Maximum length of the attributes of a function in which a route is looked for. UTF-16 units. */
const MAX_ATTRIBUTES = 4_000;

/** `#[get("/carts/{id}")]` of actix and Rocket. */
function routeAttribute({ start, nameStart }: DefinitionView, sink: FactSink): void {
  // Long descriptions (`utoipa::path`) stand before it.
  const from = Math.max(start, nameStart - MAX_ATTRIBUTES);
  const before = sink.source.slice(from, nameStart);
  for (const match of before.matchAll(
    /#\[\s*((?:\w+::)*)(get|post|put|patch|delete|head|options|route)\s*(\(\s*"([^"\n]{1,150})"[^\]]{0,300})/g,
  )) {
    const at = from + match.index + match[0].indexOf(match[2], match[1].length);
    const literal = statedRoute(match[4].replace(/\?.*$/, ''), match[3]);
    sink.reference(at, at + match[2].length, 'decorator', match[1].replace(/::/g, '.') + match[2], { literal });
  }
}

/** `#[Object] impl Query`, `#[graphql_object(context = Db)] impl Query`: its functions are fields of GraphQL. */
function graphqlAttribute({ start, nameStart }: DefinitionView, sink: FactSink): void {
  const before = headText(sink.source, start, nameStart, MAX_HEAD_LENGTH);
  const match = /#\[\s*(?:\w+::)*(Object|graphql_object)\s*[\](]/.exec(before);
  if (match === null) return;
  const at = start + match.index + match[0].lastIndexOf(match[1]);
  sink.reference(at, at + match[1].length, 'decorator', match[1]);
}

/** `trait A: B + C` */
function supertraits({ nameEnd: from, signatureEnd: to }: DefinitionView, sink: FactSink): void {
  const { source, rules } = sink;
  const colon = findOutside(source, from, to, ':{', rules.lexical, true);
  if (source[colon] !== ':') return;
  const list = source.slice(colon + 1, Math.min(to, colon + MAX_HEAD_LENGTH)).replace(/\bwhere\b[\s\S]*$/, '');
  for (const match of list.matchAll(/(?:^|\+)\s*((?:\w+::)*)([A-Z]\w*)/g)) {
    const at = colon + 1 + match.index + match[0].length - match[2].length;
    sink.reference(at, at + match[2].length, 'extends', match[1].replace(/::/g, '.') + match[2]);
  }
}

const rustRelations: RelationRules = {
  lexical: LEXICAL,
  brackets: ['arguments', 'token_tree'],
  names: NAMES,
  nodes: {
    arguments: calls({ special, typed: TURBOFISH }),
    token_tree: () => {},
    struct_expression: structExpression,
    macro_invocation: macro,
    macro_definition: macroDefinition,
    use_declaration: useDeclaration,
    mod_item: module,
    extern_crate_declaration: externCrate,
    impl_item: implementation,
    let_declaration: letDeclaration,
    let_condition: letCondition,
    match_expression: matchExpression,
    for_expression: forExpression,
    closure_parameters: (view, sink) => {
      if (!elementParameters(view, sink)) parameters(view.start + 1, view.end - 1, sink);
    },
    struct_pattern: structPattern,
    tuple_struct_pattern: variantPattern,
    where_predicate: wherePredicate,
    closure_expression: closed,
    match_arm: arm,
    block: (view, sink) => {
      if (view.parent?.kind !== 'function_item') closed(view, sink);
    },
    field_declaration: field,
    type_identifier: typeName,
    type_parameters: typeParameters,
  },
  definition,
  text: rustRoutes,
  ignoredTypes: wordSet(
    `Self Option Result Vec String Box Send Sync Sized Copy Clone Debug Default Fn FnMut FnOnce Drop Eq PartialEq Ord PartialOrd Hash`,
  ),
  ignoredCalls: wordSet(
    `Some Ok Err Box panic println print eprintln eprint format write writeln vec assert assert_eq assert_ne debug_assert debug_assert_eq
     debug_assert_ne unreachable unimplemented todo matches dbg drop env option_env concat stringify include include_str include_bytes cfg
     line file column module_path thread_local compile_error format_args`,
  ),
  ignoredRoots: new Set(['Vec', 'String', 'Option', 'Box', 'HashMap', 'Result']),
};

// The tree of a `use` declaration, as flat imports

interface Used {
  specifier: string;
  names: ImportedName[];
}

/** Longest declaration; a longer one is generated. */
const LONGEST = 20_000;
const MAX_NAMES = 2_000;

/** `use a::{b::C, d as e, self};` -> `a::b` {C}, `a` {d as e}, `a` as a whole. One entry for each path, in order. */
function useTree(text: string): Used[] {
  const body = text
    .slice(0, LONGEST)
    .replace(/\/\/[^\n]*|\/\*[^*]*\*\//g, '')
    .replace(/^[\s\S]*?\buse\s+/, '')
    .replace(/;\s*$/, '');
  const found = new Map<string, ImportedName[]>();
  const prefixes: string[] = [];
  let path = '';
  const add = (): void => {
    const leaf = leafOf(prefixes.join('') + path.trim());
    path = '';
    if (leaf === null || found.size > MAX_NAMES) return;
    addTo(found, leaf.specifier, leaf.name);
  };
  for (const token of body.matchAll(/[{},]|[^{},]+/g)) {
    if (token[0] === '{') {
      prefixes.push(path.trim());
      path = '';
    } else if (token[0] === ',') add();
    else if (token[0] === '}') {
      add();
      prefixes.pop();
    } else path += token[0];
  }
  add();
  return [...found].map(([specifier, names]) => ({ specifier, names }));
}

function leafOf(written: string): { specifier: string; name: ImportedName } | null {
  const match = /^(?:::)?((?:[\w#$]+\s*::\s*)*)([\w#$]+|\*)(?:\s+as\s+(\w+))?$/.exec(written);
  if (match === null) return null;
  const path = match[1].replace(/\s/g, '').replace(/::$/, '');
  const last = match[2];
  const alias = match[3];
  if (alias === '_') return null;
  if (last === '*') return { specifier: path, name: { name: '*', alias: '' } };
  if (last === 'self')
    return { specifier: path, name: { name: '*', alias: alias ?? path.slice(path.lastIndexOf(':') + 1) } };
  // `use serde;`, `use crate as shop;`
  if (path === '') return { specifier: last, name: { name: '*', alias: alias ?? last } };
  return { specifier: path, name: { name: last, alias: alias ?? last } };
}

/** `trait Alias<T> = Clone + Send;`, which the grammar does not know. */
const TRAIT_ALIAS = /\btrait(?=[ \t]+\w+(?:<[^=;{}\n]{0,200}>)?\s*=)/g;

/** A macro on a line of its own that holds items: `ffi_fn! { fn …`, `pin_project! { pub struct …`. Group 2 is what stands before the items. */
const ITEM_MACRO =
  /^([ \t]*)(?!macro_rules\b|(?:\w+::)*(?:quote|quote_spanned|parse_quote|bitflags)\b)((?:\w+::){0,4}\w+![ \t]*\{)(?=(?:\s|\/\/[^\n]*\n|#!?\[[^\]\n]*\]){0,40}(?:pub(?:\([\w: ]{0,40}\))?\s+)?(?:(?:unsafe|async|const|extern|default)\s+){0,3}(?:fn|struct|enum|union|mod|impl|trait|use|type|static|const|macro_rules)\b(?!\s+\w+\s*:[^:;{}]*\{))/gm;
/** `static ref CART: Cart = …;` in a macro. */
const STATIC_REF = /\bstatic[ \t]+(ref)(?=[ \t]+[A-Z]\w*[ \t]*:)/g;

function withTraitAliases(text: string): string {
  return text.includes('trait ') ? text.replace(TRAIT_ALIAS, 'type ') : text;
}

/** `unsafe extern "C" { safe fn f(); }` and `#[unsafe(no_mangle)]` of Rust 2024 */
const NEWER: readonly Mask[] = [
  [/\b(unsafe)(?=[ \t]+extern\b[^{};]{0,40}\{)/g],
  [/\b(safe)(?=[ \t]+(?:fn|static)\b)/g],
  [/#!?\[(unsafe\()(?=[^()\]\n]{1,200}\)\])/g],
  [/#!?\[unsafe\([^()\]\n]{1,200}(\))\]/g],
];

/** Is the first item in a macro public? Then the macro stands in no function. */
function beginsPublic(text: string, open: number): boolean {
  return /^(?:\s|\/\/[^\n]*\n|#!?\[[^\]\n]*\])*pub\b/.test(text.slice(open + 1, open + MAX_DOCUMENTATION));
}

/** Documentation and attributes before the first item. UTF-16 units. */
const MAX_DOCUMENTATION = 4_000;

/** The text, of the same length, with items of macros as items of the file. */
function withItemsOfMacros(text: string): string {
  const blank: Blank[] = [];
  let end = 0;
  for (const match of text.matchAll(ITEM_MACRO)) {
    const open = match.index + match[0].length - 1;
    // In a function it holds an expression or tokens of another language.
    if (match[1] !== '' && match.index >= end && !beginsPublic(text, open)) continue;
    const close = closingOf(text, open, text.length, LEXICAL);
    if (text[close - 1] !== '}') continue;
    end = Math.max(end, close);
    blank.push([match.index + match[1].length, open + 1, ''], [close - 1, close, '']);
  }
  if (blank.length === 0) return text;
  for (const match of text.matchAll(STATIC_REF)) {
    const after = match.index + match[0].length;
    blank.push([after - 3, after, '']);
  }
  return blanked(text, blank);
}

/** A block for a trait, or with an attribute that is more than a note to the compiler. */
const OPENS_IMPL =
  /\bfor\b|#\[\s*(?!(?:cfg|allow|warn|deny|expect|doc|deprecated|must_use|rustfmt|clippy|automatically_derived)\b)\w/;

const rustDefinitions: DefinitionRules = {
  parsed: (text) => withItemsOfMacros(withTraitAliases(text)),
  // The text in a macro is not always code that the grammar knows.
  repaired: (_, text) => {
    const plain = withTraitAliases(text);
    return blanked(plain, maskedRanges(plain, NEWER));
  },
  definitions: [
    { node: ['function_item', 'function_signature_item'], kind: 'function', member: 'method' },
    { node: 'struct_item', kind: 'struct' },
    { node: 'union_item', kind: 'struct' },
    { node: 'enum_item', kind: 'enum' },
    { node: 'enum_variant', kind: 'enum-member', exported: {} },
    { node: 'trait_item', kind: 'trait', opens: /./ },
    {
      node: 'impl_item',
      kind: 'impl',
      name: 'type/type?/type?',
      named: /^[\w:]/,
      renamed: /(?:dyn\s+(?:\w+::){0,10}|(?:\w+::){1,10})(\w+)/y,
      exported: {},
      // Methods of a trait are as visible as the trait, though they do not say so; other attributes hand those of the block to
      // another language or to a framework: `#[pymethods]`, `#[godot_api]`.
      opens: OPENS_IMPL,
    },
    { node: 'mod_item', kind: 'module', where: { has: { field: 'body', kind: 'declaration_list' } } },
    { node: 'const_item', kind: 'constant', outer: true, named: /^[^_]|^_\w/ },
    { node: 'static_item', kind: 'variable', outer: true },
    { node: 'type_item', kind: 'type', head: [[/\btrait\s+$/, 'trait']] },
    { node: 'associated_type', kind: 'type', outer: true },
    { node: 'macro_definition', kind: 'macro', exported: { head: /#\[macro_export|\bpub\b/ } },
    { node: 'field_declaration', kind: 'field', parents: ['field_declaration_list'], outer: true },
  ],
  attached: { kinds: ['attribute_item'], ends: /\]/ },
  imports: ['use_declaration', 'extern_crate_declaration', 'inner_attribute_item'],
  importText: /^(?:pub(?:\([^)]*\))?\s+)?(?:mod\s+\w+\s*;|use\s)/,
  comments: ['line_comment', 'block_comment'],
  docs: { line: /^\/\/(?!!)/, block: ['/*', '*/'] },
  exported: { head: /(?:^|[\s\]])pub\b/ },
};

export const rust: ParsingRules = { definitions: rustDefinitions, relations: rustRelations };
