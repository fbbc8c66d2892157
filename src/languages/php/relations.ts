/** PHP. */

import { type Call, calls } from '../roles/call-rules.js';
import { elementsOf, handedOn } from '../roles/escaping-values.js';
import type { DefinitionView, NodeView, Reading, RelationRules, Spelling } from '../roles/relations.js';
import { findOutside } from '../roles/scan.js';
import { include, namespace, useDeclaration } from './use-statements.js';

const OWN: ReadonlySet<string> = new Set(['$this', 'self', 'static']);

const SPELLING: Spelling = {
  joins: ['?->', '->', '::', '\\'],
  leading: '\\',
  nameExtra: '$',
  newWord: 'new',
  prefixes: ['&', '@', 'clone'],
  quotes: '"\'',
  lineComments: ['//', '#'],
  blockComment: ['/*', '*/'],
  spread: /^\.\.\./,
  root: (name) => (OWN.has(name) ? 'this' : name === 'parent' ? 'super' : name.replace(/^\$/, '')),
};

const VARIABLE = /^\$(\w+)$/;
/** `Cart::class` hands on a type; strings that name functions are no code. */
const HANDED_ON = /^(?:\w+:\s*)?\\?((?:\w+\\)*\w+)(?:::class|\(\.\.\.\))$/;
const TYPE_NAME = /(?<![$>:\w\\])\\?((?:\w+\\)*)(\w+)/g;
const LONGEST_HEAD = 600;
const LONGEST_BODY = 4_000;

function special({ callee, name, receiver, start, end, view }: Call, reading: Reading): boolean {
  const { source } = reading;
  handedOn(view.start + 1, view.end - 1, HANDED_ON, reading);
  // `$call(…)`, `$this->$name(…)`: the value of a variable is called.
  if (source[callee.nameStart] === '$' && !callee.chain.startsWith('this')) {
    reading.remember(end, start, '?');
    return true;
  }
  // `strlen(...)` hands the function on.
  if (source.slice(view.start, view.end) === '(...)') {
    reading.reference(callee.nameStart, end, 'value', callee.chain);
    return true;
  }
  // `parent::__construct()` and the like begin with the parent; `new parent()` makes it.
  if (callee.isNew && (name === 'super' || name === 'class') && receiver === '') return true;
  if (callee.isNew && callee.chain === 'this') reading.remember(end, start, 'this()');
  return false;
}

function globalName(written: string): string {
  return written.replace(/^\\/, '').replace(/\\/g, '.');
}

/** Names in a list of types. */
function parents(kind: 'extends' | 'implements'): (view: NodeView, reading: Reading) => void {
  return ({ start, text }, reading) => {
    const head = /^(?:extends|implements|use)\s+/.exec(text)?.[0].length ?? 0;
    const list = text.slice(head, LONGEST_BODY).replace(/[{;][\s\S]*$/, '');
    for (const match of list.matchAll(TYPE_NAME)) {
      const at = start + head + match.index + match[0].length - match[2].length;
      reading.reference(at, at + match[2].length, kind, globalName(match[1] + match[2]));
    }
  };
}

function types(from: number, text: string, reading: Reading): void {
  for (const match of text.matchAll(TYPE_NAME)) {
    const at = from + match.index + match[0].length - match[2].length;
    reading.reference(at, at + match[2].length, 'type', globalName(match[1] + match[2]));
  }
}

function namedType({ start, text }: NodeView, reading: Reading): void {
  types(start, text, reading);
}

/** `$x = value`, `$this->x = value`, `self::$x = value`. */
function assignment({ start, end }: NodeView, reading: Reading): void {
  const { source, rules } = reading;
  const equals = findOutside(source, start, end, '=', rules.spelling);
  const left = source
    .slice(start, equals)
    .replace(/\?\?\s*$/, '')
    .trim();
  const from = equals + 1;
  const value = reading.chain(from, end);
  const own = /^(?:\$this->|(?:self|static)::\$)(\w+)$/.exec(left);
  if (own !== null) {
    // A parameter's name says nothing outside of its function: `definition` knows its type.
    if (value !== '' && !VARIABLE.test(source.slice(from, end).trim())) reading.field(start, own[1], '', value);
    return;
  }
  const name = VARIABLE.exec(left);
  if (name !== null) reading.local(start, name[1], documentedType(start, name[1], reading), value);
  else if (/^(?:\[|list\s*\()/.test(left)) shadows(start, left, reading);
}

/** `/** @var Cart $cart *\/` right before an assignment. */
function documentedType(at: number, name: string, { source }: Reading): string {
  const before = source.slice(Math.max(0, at - 120), at);
  const match = /\/\*\*\s*@var\s+([\w\\|[\]<>, ?]+?)\s+\$(\w+)\s*\*\/\s*$/.exec(before);
  return match !== null && match[2] === name ? match[1] : '';
}

function shadows(at: number, text: string, reading: Reading): void {
  for (const match of text.slice(0, LONGEST_HEAD).matchAll(/\$(\w+)/g))
    reading.local(at + match.index, match[1], '', '');
}

/** `foreach ($xs as $k => $x)` */
function foreachStatement({ start, end }: NodeView, reading: Reading): void {
  const { source } = reading;
  const open = source.indexOf('(', start);
  if (open === -1 || open >= end) return;
  const close = reading.closing(open, Math.min(end, open + LONGEST_HEAD));
  const head = source.slice(open + 1, close - 1);
  const match = /\s+as\s+(?:(\$\w+)\s*=>\s*)?&?(\$\w+|\[[^\]]*\]|list\s*\([^)]*\))\s*$/.exec(head);
  if (match === null) return;
  if (match[1] !== undefined) reading.local(open, match[1].slice(1), '', '');
  const values = reading.chain(open + 1, open + 1 + match.index);
  const name = VARIABLE.exec(match[2]);
  if (name === null) shadows(open + 1 + match.index, match[0], reading);
  else reading.local(open + 1, name[1], '', values === '' ? '' : `${values}[]`);
}

function catchClause({ start, text }: NodeView, reading: Reading): void {
  const match = /^catch\s*\(\s*([\w\\|\s]+?)\s*\$(\w+)\s*\)/.exec(text.slice(0, LONGEST_HEAD));
  if (match !== null) reading.local(start, match[2], match[1], '');
}

/** One parameter: `private ?Foo $x = 1`. Promoted ones are fields too. */
function parameter({ start, text }: NodeView, reading: Reading): void {
  const match =
    /^(?:#\[[^\]]*\]\s*)*((?:(?:public|private|protected|readonly|final)(?:\(set\))?\s+)*)([^$=]*?)[&\s]*(\.{3})?\s*\$(\w+)/.exec(
      text.slice(0, LONGEST_HEAD),
    );
  if (match === null) return;
  const [, modifiers, type, dots, name] = match;
  const written = type.trim() + (dots !== undefined && type.trim() !== '' ? '[]' : '');
  reading.local(start, name, written, '');
  if (modifiers !== '') reading.field(start, name, written, '');
}

/** `private ?Foo $x = null;`, with its documented type where only that says what a list holds. */
function property({ start, text }: NodeView, reading: Reading): void {
  const match =
    /^(?:#\[[^\]]*\]\s*)*(?:(?:public|private|protected|static|readonly|var|final)(?:\(set\))?\s+)+([^$=]*?)\s*\$(\w+)(?:\s*=\s*new\s+([\w\\]+))?/.exec(
      text.slice(0, LONGEST_HEAD),
    );
  if (match === null) return;
  const [, type, name, made] = match;
  const doc = /^(?:\??array|iterable|)$/.test(type)
    ? /@var\s+([\w\\|?]+\[\]|[\w\\]+<[\w\\, ]+>|\\?[A-Z][\w\\]*)/.exec(docBefore(start, reading))?.[1]
    : undefined;
  reading.field(start, name, doc ?? type, made === undefined ? '' : `new ${globalName(made)}()`);
}

/** The documentation comment that ends right before. */
function docBefore(at: number, { source }: Reading): string {
  const before = source.slice(Math.max(0, at - LONGEST_HEAD), at);
  if (!/\*\/\s*(?:#\[[^\]\n]*\]\s*)*$/.test(before)) return '';
  return before.slice(before.lastIndexOf('/**') + 1);
}

function definition(draft: DefinitionView, reading: Reading): void {
  const { kind, start, nameStart, nameEnd, signatureEnd, end } = draft;
  if (kind !== 'function' && kind !== 'method' && kind !== 'constructor') return;
  const { source, rules } = reading;
  const open = findOutside(source, nameEnd, end, '(', rules.spelling);
  if (source[open] !== '(') return;
  const close = reading.closing(open, end);
  const doc = docBefore(start, reading);
  documentedParameters(doc, open, close, reading);
  const written = /^\s*:\s*([^{;]+)/.exec(source.slice(close, Math.min(end, close + LONGEST_HEAD)))?.[1].trim() ?? '';
  const documented = /^(?:\??array|iterable|)$/.test(written)
    ? (/@return\s+(\$this|[\w\\|[\]<>,?]+)/.exec(doc)?.[1] ?? '')
    : '';
  reading.result(nameStart, (documented || written).replace('$this', 'static'), '');
  keptParameters(source.slice(open, close), signatureEnd, end, reading);
}

/** Parameters whose type only the comment tells. */
function documentedParameters(doc: string, open: number, close: number, reading: Reading): void {
  if (!doc.includes('@param')) return;
  for (const { start, end } of elementsOf(open + 1, close - 1, reading)) {
    const match = /^(?:\??array\s+|iterable\s+)?&?\$(\w+)/.exec(reading.source.slice(start, end));
    const type =
      match === null ? undefined : new RegExp(`@param\\s+([\\w\\\\|\\[\\]<>,?]+)\\s+\\$${match[1]}\\b`).exec(doc)?.[1];
    if (match !== null && type !== undefined) reading.local(start, match[1], type, '');
  }
}

/** `$this->x = $x;`: the field has the parameter's type. */
function keptParameters(list: string, from: number, end: number, reading: Reading): void {
  const body = reading.source.slice(from, Math.min(end, from + LONGEST_BODY));
  for (const match of body.matchAll(/\$this->(\w+)\s*=\s*\$(\w+)\s*;/g)) {
    const type = new RegExp(`([\\w\\\\?|]+)\\s+\\$${match[2]}\\b`).exec(list)?.[1];
    if (type !== undefined) reading.field(from + match.index, match[1], type, '');
  }
}

export const php: RelationRules = {
  spelling: SPELLING,
  brackets: ['arguments'],
  nodes: {
    arguments: calls({ special }),
    namespace_use_declaration: useDeclaration,
    namespace_definition: namespace,
    require_expression: include,
    require_once_expression: include,
    include_expression: include,
    include_once_expression: include,
    base_clause: parents('extends'),
    class_interface_clause: parents('implements'),
    use_declaration: parents('implements'),
    named_type: namedType,
    assignment_expression: assignment,
    augmented_assignment_expression: assignment,
    foreach_statement: foreachStatement,
    catch_clause: catchClause,
    simple_parameter: parameter,
    variadic_parameter: parameter,
    property_promotion_parameter: parameter,
    property_declaration: property,
    object_creation_expression: made,
    attribute: attribute,
  },
  definition,
  ignoredTypes: new Set(
    (
      'array bool callable false float int iterable mixed never null object parent self static string true void Closure Exception ' +
      'Throwable Traversable Iterator IteratorAggregate Countable ArrayAccess JsonSerializable Stringable DateTimeInterface'
    ).split(' '),
  ),
  ignoredCalls: new Set(
    (
      'array_key_exists array_keys array_map array_merge array_filter array_values array_pop array_push array_shift array_slice ' +
      'array_reverse array_unique array_combine array_diff array_flip array_fill array_search array_reduce array_walk call_user_func ' +
      'call_user_func_array class_exists compact count current date define defined dirname empty end exit explode file_exists ' +
      'file_get_contents file_put_contents fclose fopen func_get_args function_exists get_class gettype implode in_array ini_get ' +
      'ini_set intdiv is_array is_bool is_callable is_dir is_file is_int is_null is_numeric is_object is_scalar is_string iterator_to_array ' +
      'json_decode json_encode key ksort list ltrim max mb_strlen mb_str_split mb_substr md5 method_exists microtime min next ' +
      'number_format ord parse_str parse_url preg_match preg_match_all preg_quote preg_replace preg_replace_callback preg_split print ' +
      'printf property_exists range realpath reset round rtrim serialize settype sort spl_object_hash sprintf str_contains ' +
      'str_ends_with str_pad str_repeat str_replace str_starts_with strcmp stripos strlen strpos strrev strrpos strtolower strtotime ' +
      'strtoupper substr substr_count time trigger_error trim ucfirst unserialize unset usort var_dump isset die eval'
    ).split(' '),
  ),
};

/** `new Cart` without an argument list, which no other rule sees. */
function made({ start, end, text }: NodeView, reading: Reading): void {
  const match = /^new\s+\\?((?:\w+\\)*)(\w+)$/.exec(text.slice(0, LONGEST_HEAD));
  if (match === null || match[2] === 'class') return;
  const chain = SPELLING.root?.(match[2], '') === 'this' ? 'this' : globalName(match[1] + match[2]);
  reading.remember(end, start, chain === 'this' ? 'this()' : `new ${chain}()`);
  reading.reference(end - match[2].length, end, 'new', chain, { args: 0 });
}

/** `#[Route('/x')]` */
function attribute({ start, end, text }: NodeView, reading: Reading): void {
  const match = /^\\?((?:\w+\\)*)(\w+)/.exec(text);
  if (match === null) return;
  const at = start + match[0].length - match[2].length;
  const open = start + match[0].length;
  const list = reading.source[open] === '(' ? reading.arguments(open, end) : null;
  reading.reference(at, end, 'decorator', globalName(match[1] + match[2]), {
    args: list?.count ?? -1,
    literal: list?.literal,
  });
}
