/** Rust. */

import { type Call, calls } from '../roles/call-rules.js';
import { elementsOf, handedOn } from '../roles/escaping-values.js';
import type { DefinitionView, FactSink, LexicalConventions, NodeView, RelationRules } from '../roles/relations.js';
import { findOutside } from '../roles/scan.js';
import { HANDED_ON, macro, macroDefinition, structExpression, VARIANTS } from './macros.js';
import { NAMES } from './names.js';
import {
  elementParameters,
  findTypeColon,
  forExpression,
  letCondition,
  letDeclaration,
  matchExpression,
  pattern,
  structPattern,
} from './patterns.js';
import { useTree } from './use-statements.js';

const LEXICAL: LexicalConventions = {
  joins: ['::', '.'],
  leading: '::',
  postfix: '?',
  prefixes: ['&', '*', 'mut', 'ref', 'move'],
  typeArguments: '<>',
  // A single quote opens a lifetime more often than a character.
  quotes: '"',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
  root: (name, join) => (name === 'Self' || (name === 'self' && join !== '::') ? 'this' : name),
};

/** Functions that put a value into something that is used as if it were the value. */
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
  const head = source.slice(start, Math.min(end, start + MAX_HEAD_LENGTH));
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

/** Parameters of a function, or of a closure whose elements nothing tells. */
function parameters(from: number, to: number, sink: FactSink): void {
  for (const part of elementsOf(from, to, sink, true)) {
    const attribute = /^(?:#\[[^\]]*\]\s*)*/.exec(sink.source.slice(part.start, part.end))?.[0].length ?? 0;
    const start = part.start + attribute;
    const colon = findTypeColon(start, part.end, sink);
    const written = sink.source.slice(start, colon);
    if (/^&?\s*(?:'\w+\s+)?(?:mut\s+)?self$/.test(written.trim())) continue;
    pattern(start, colon, sink.source.slice(colon + 1, part.end).trim(), '', sink);
  }
}

function field({ start, end }: NodeView, sink: FactSink): void {
  const match = /^(?:pub(?:\s*\([^)]*\))?\s+)?(?:r#)?(\w+)\s*:\s*/.exec(
    sink.source.slice(start, Math.min(end, start + MAX_HEAD_LENGTH)),
  );
  if (match !== null) sink.field(start, match[1], sink.source.slice(start + match[0].length, end), '');
}

function typeName({ start, end, text }: NodeView, sink: FactSink): void {
  const { source } = sink;
  if (text === 'Self') return;
  const isQualified = source.startsWith('::', start - 2);
  sink.reference(start, end, 'type', isQualified ? sink.accessPathBefore(end).accessPath : text);
}

/** `<T: Rule, U>`: of a `T` its bound is known, and nothing else is meant by the name. */
function typeParameters({ start, end }: NodeView, sink: FactSink): void {
  for (const part of elementsOf(start + 1, end - 1, sink, true)) {
    const match = /^([A-Z]\w*)\s*(?::\s*([\s\S]*?))?\s*(?:=[\s\S]*)?$/.exec(sink.source.slice(part.start, part.end));
    if (match === null) continue;
    sink.typeParameter(match[1]);
    sink.bound(part.start, match[1], match[2] ?? '');
    sink.local(part.start, match[1], match[2] ?? '', '');
  }
}

/** `where T: Rule + Send` */
function wherePredicate({ start, text }: NodeView, sink: FactSink): void {
  const match = /^([A-Z]\w*)\s*:\s*([\s\S]+)$/.exec(text);
  if (match !== null) sink.bound(start, match[1], match[2]);
}

function definition(draft: DefinitionView, sink: FactSink): void {
  const { kind, name, container, nameStart, nameEnd, signatureEnd, end } = draft;
  const { source, rules } = sink;
  if (kind === 'trait') {
    supertraits(nameEnd, signatureEnd, sink);
    return;
  }
  if (kind === 'type') {
    const equals = findOutside(source, nameEnd, end, '=;', rules.lexical, true);
    if (container === null && source[equals] === '=')
      sink.alias(nameStart, name, source.slice(equals + 1, end).replace(/;\s*$/, ''));
    return;
  }
  if (kind === 'constant' || kind === 'variable') {
    const equals = findOutside(source, nameEnd, end, '=;', rules.lexical, true);
    const colon = findTypeColon(nameEnd, equals, sink);
    sink.variable(nameStart, name, source.slice(colon + 1, equals), '');
    return;
  }
  if (kind !== 'function' && kind !== 'method' && kind !== 'constructor') return;
  testAttribute(draft, sink);
  const open = findOutside(source, nameEnd, end, '(', rules.lexical, true);
  if (source[open] !== '(') return;
  const close = sink.closing(open, end);
  parameters(open + 1, close - 1, sink);
  const arrow = /^\s*->\s*/.exec(source.slice(close, close + 50));
  if (arrow === null) return;
  const from = close + arrow[0].length;
  const limit = Math.max(signatureEnd, Math.min(end, from + MAX_HEAD_LENGTH));
  const written = source.slice(from, findOutside(source, from, limit, '{;', rules.lexical, true));
  sink.result(nameStart, written.replace(/\bwhere\b[\s\S]*$/, ''), '');
}

/** `#[test]`, `#[tokio::test(flavor = "…")]`: the only attributes that say who runs a function. */
function testAttribute({ start, nameStart }: DefinitionView, sink: FactSink): void {
  const before = sink.source.slice(start, Math.min(nameStart, start + MAX_HEAD_LENGTH));
  const match = /(?:^|\])\s*#\[\s*((?:\w+::)*)(test|bench|rstest|test_case|wasm_bindgen_test)\s*[\](]/.exec(before);
  if (match === null) return;
  const at = start + match.index + match[0].lastIndexOf(match[2]);
  sink.reference(at, at + match[2].length, 'decorator', match[1].replace(/::/g, '.') + match[2]);
}

/** `trait A: B + C` */
function supertraits(from: number, to: number, sink: FactSink): void {
  const { source, rules } = sink;
  const colon = findOutside(source, from, to, ':{', rules.lexical, true);
  if (source[colon] !== ':') return;
  const list = source.slice(colon + 1, Math.min(to, colon + MAX_HEAD_LENGTH)).replace(/\bwhere\b[\s\S]*$/, '');
  for (const match of list.matchAll(/(?:^|\+)\s*((?:\w+::)*)([A-Z]\w*)/g)) {
    const at = colon + 1 + match.index + match[0].length - match[2].length;
    sink.reference(at, at + match[2].length, 'extends', match[1].replace(/::/g, '.') + match[2]);
  }
}

export const rust: RelationRules = {
  lexical: LEXICAL,
  brackets: ['arguments', 'token_tree'],
  names: NAMES,
  nodes: {
    arguments: calls({ special }),
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
    where_predicate: wherePredicate,
    closure_expression: ({ start, end }, sink) => sink.closure(start, end),
    field_declaration: field,
    type_identifier: typeName,
    type_parameters: typeParameters,
  },
  definition,
  ignoredTypes: new Set(
    'Self Option Result Vec String Box Send Sync Sized Copy Clone Debug Default Fn FnMut FnOnce Drop Eq PartialEq Ord PartialOrd Hash'.split(
      ' ',
    ),
  ),
  ignoredCalls: new Set(
    (
      'Some Ok Err Box panic println print eprintln eprint format write writeln vec assert assert_eq assert_ne debug_assert ' +
      'debug_assert_eq debug_assert_ne unreachable unimplemented todo matches dbg drop env option_env concat stringify include ' +
      'include_str include_bytes cfg line file column module_path thread_local compile_error format_args'
    ).split(' '),
  ),
  ignoredRoots: new Set(['Vec', 'String', 'Option', 'Box', 'HashMap', 'Result']),
};
