/** Rust. */

import { type Call, calls } from '../roles/call-rules.js';
import { elementsOf, handedOn } from '../roles/escaping-values.js';
import type { DefinitionView, FactSink, LexicalConventions, NodeView, RelationRules } from '../roles/relations.js';
import { findOutside, skipOpaque } from '../roles/scan.js';
import { NAMES } from './names.js';
import { findTypeColon, letCondition, letDeclaration, matchExpression, pattern } from './patterns.js';
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

const NAME = /^[a-z_]\w*$/;
const HANDED_ON = /^(?:\w+\s*:\s*)?(?:&(?:mut\s+)?)?((?:\w+(?:::|\.))*[A-Za-z_]\w*)$/;
/** Functions that put a value into something that is used as if it were the value. */
const WRAPPERS: ReadonlySet<string> = new Set(
  ['Box', 'Rc', 'Arc', 'RefCell', 'Cell', 'Mutex', 'RwLock', 'Pin', 'Cow', 'OnceCell', 'OnceLock'].map(
    (name) => `${name}.new`,
  ),
);
const VARIANTS: ReadonlySet<string> = new Set(['Some', 'Ok']);
const MAX_HEAD_LENGTH = 600;
/** Arguments of a macro longer than this are tables. */
const MAX_MACRO_LENGTH = 20_000;

function special({ name, callee, start, end, view }: Call, sink: FactSink): boolean {
  handedOn(view.start + 1, view.end - 1, HANDED_ON, sink);
  if (!VARIANTS.has(callee.accessPath) && !WRAPPERS.has(callee.accessPath)) return false;
  const inner = sink.accessPath(view.start + 1, view.end - 1);
  if (inner !== '') sink.remember(end, start, inner);
  return VARIANTS.has(name);
}

/** `Cart { … }`, `Self { … }`, `Shape::Circle { … }`. */
function structExpression({ start, end }: NodeView, sink: FactSink): void {
  const open = sink.source.indexOf('{', start);
  if (open === -1 || open >= end) return;
  handedOn(open + 1, end - 1, HANDED_ON, sink);
  const { accessPath, nameStart, start: from } = sink.accessPathBefore(open);
  if (accessPath === '?' || from !== start) return;
  sink.remember(end, start, accessPath === 'this' ? 'this()' : `new ${accessPath}()`);
  sink.reference(nameStart, end, 'new', accessPath);
}

/** The macro is called; what it is given are tokens to the grammar: calls are found by their brackets. */
function macro({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const match = /^((?:\w+::)*)(\w+)\s*!\s*/.exec(source.slice(start, start + MAX_HEAD_LENGTH));
  if (match === null) return;
  const [head, path, name] = match;
  sink.reference(start + path.length, end, 'call', path.replace(/::/g, '.') + name);
  if (end - start > MAX_MACRO_LENGTH) return;
  let previous = '';
  for (let at = start + head.length + 1; at < end; ) {
    const char = source[at];
    if (char === '(' && /[\w>]/.test(previous)) tokenCall(at, end, sink);
    if (!/\s/.test(char)) previous = char;
    at = skipOpaque(source, at, end, rules.lexical);
  }
}

function tokenCall(open: number, end: number, sink: FactSink): void {
  const { accessPath, nameStart } = sink.accessPathBefore(open);
  if (accessPath === '?' || accessPath === '' || VARIANTS.has(accessPath)) return;
  const { source } = sink;
  if (/[^\w.]fn\s+$/.test(source.slice(Math.max(0, nameStart - 5), nameStart))) return;
  const close = sink.closing(open, end);
  sink.reference(nameStart, close, 'call', accessPath, { args: sink.arguments(open, close).count });
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

/** `for x in xs {` */
function forExpression({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const head = source.slice(start, Math.min(end, start + MAX_HEAD_LENGTH));
  const match = /^(?:'\w+\s*:\s*)?for\s+(?:&\s*)?(?:mut\s+)?([\s\S]*?)\s+in\s+/.exec(head);
  if (match === null) return;
  const from = start + match[0].length;
  const values = sink.accessPath(from, findOutside(source, from, end, '{', rules.lexical));
  const at = start + head.indexOf(match[1], 3);
  if (NAME.test(match[1])) sink.local(at, match[1], '', values === '' ? '' : `${values}[]`);
  else pattern(at, at + match[1].length, '', '', sink);
}

/** Methods of iterators whose function is given one element. */
const EACH =
  /\.\s*(?:map|for_each|filter|filter_map|flat_map|any|all|find|find_map|position|inspect|max_by_key|min_by_key|partition|take_while|skip_while|map_while|sort_by_key|retain|is_some_and)\s*\(\s*(?:async\s+)?(?:move\s+)?$/;

/** `|a, b: T|`; of `xs.iter().map(|x| …)` the parameter is an element. */
function closureParameters({ start, end }: NodeView, sink: FactSink): void {
  const before = sink.source.slice(Math.max(0, start - 60), start);
  const method = EACH.exec(before);
  const name = /^\|\s*&{0,2}\s*(?:mut\s+)?([a-z_]\w*)\s*\|$/.exec(sink.source.slice(start, Math.min(end, start + 60)));
  if (method === null || name === null) {
    parameters(start + 1, end - 1, sink);
    return;
  }
  const { accessPath } = sink.accessPathBefore(start - before.length + method.index);
  sink.local(start, name[1], '', accessPath === '?' || accessPath === '' ? '' : `${accessPath}[]`);
}

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
  const before = source.slice(Math.max(0, start - 80), start);
  // References of kind `implements` state the trait and the type that implements it.
  if (/\bimpl(?:<[^<>]*>)?\s+$|[\w>]\s+for\s+$/.test(before)) return;
  const isQualified = source.startsWith('::', start - 2);
  sink.reference(start, end, 'type', isQualified ? sink.accessPathBefore(end).accessPath : text);
}

/** `<T: Rule, U>`: of a `T` its bound is known, and nothing else is meant by the name. */
function typeParameters({ start, end }: NodeView, sink: FactSink): void {
  for (const part of elementsOf(start + 1, end - 1, sink, true)) {
    const match = /^([A-Z]\w*)\s*(?::\s*([\s\S]*?))?\s*(?:=[\s\S]*)?$/.exec(sink.source.slice(part.start, part.end));
    if (match === null) continue;
    sink.typeParameter(match[1]);
    sink.local(part.start, match[1], match[2] ?? '', '');
  }
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
    use_declaration: useDeclaration,
    mod_item: module,
    extern_crate_declaration: externCrate,
    impl_item: implementation,
    let_declaration: letDeclaration,
    let_condition: letCondition,
    match_expression: matchExpression,
    for_expression: forExpression,
    closure_parameters: closureParameters,
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
