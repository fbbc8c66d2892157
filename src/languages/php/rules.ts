/** Rules of PHP: definitions, relations, and how files load each other. */
import { addTo } from '../../base/lists.js';
import { type ParsingRules, wordSet } from '../language.js';
import { headText } from '../roles/declarations.js';
import type { DefinitionRules } from '../roles/definitions.js';
import { keyName } from '../roles/relation-facts.js';
import {
  type Call,
  calls,
  type DefinitionView,
  elementOf,
  elementsOf,
  type FactSink,
  handedOn,
  keyedMembers,
  type LexicalConventions,
  type NameRules,
  type NodeView,
  type RelationRules,
  statedRoute,
} from '../roles/relations.js';
import { findOutside, skipSpace } from '../roles/scan.js';
import { phpOfBlade } from '../web/views.js';
import { laravelRoutes } from './routes.js';
import {
  askedClass,
  components,
  containerKeys,
  directive,
  globalName,
  listedMethods,
  namedByArguments,
  namedFunction,
  namedMethods,
  namesInTexts,
  runsCommand,
} from './views.js';

const MAX_HEAD_LENGTH = 600;
const MAX_BODY_LENGTH = 4_000;

/** One parameter: `private ?Foo $x = 1`. Promoted parameters are fields, too. */
export function parameter({ start, text }: NodeView, sink: FactSink): void {
  const match =
    /^(?:#\[[^\]]*\]\s*)*((?:(?:public|private|protected|readonly|final)(?:\(set\))?\s+(?!\s))*)([^$=\s](?:[^$=]*?[^$=&\s])??)??[&\s]*(?:(\.{3})\s*)?\$(\w+)/.exec(
      text.slice(0, MAX_HEAD_LENGTH),
    );
  if (match === null) return;
  const [, modifiers, type = '', dots, name] = match;
  const written = VAGUE.test(type) ? '' : type + (dots === undefined ? '' : '[]');
  sink.local(start, name, written, '');
  if (modifiers !== '') sink.field(start, name, written, '');
}

/** Types beside which a documented one counts. */
const VAGUE = /^(?:\??(?:array|iterable|object)|mixed|)$/;
/** Types of fields and results beside which a documented one counts: these often are collections. */
const HOLDS =
  /^\??\\?(?:array|iterable|object|(?:\w+\\){0,5}(?:Array)?Collection|Traversable|Iterator(?:Aggregate)?|Generator|mixed)?$/;
/** `private ?Foo $x = null;`. The documented type counts if only it says what a list holds. */
export function property({ start, text }: NodeView, sink: FactSink): void {
  const match =
    /^(?:#\[[^\]]*\]\s*)*(?:(?:public|private|protected|static|readonly|var|final)(?:\(set\))?\s+)+(?!\s)((?:[^$=\s](?:[^$=]*[^$=\s])?)?)\s*\$(\w+)(?:\s*=\s*new\s+([\w\\]+))?/.exec(
      text.slice(0, MAX_HEAD_LENGTH),
    );
  if (match === null) return;
  const [, type, name, made] = match;
  const doc = HOLDS.test(type) ? docBefore(start, sink) : '';
  const documented = /@var\s+(?:non-empty-)?([\w\\|?]+\[\]|[\w\\]+<[\w\\, ]+>|\\?[A-Z][\w\\]*)/.exec(doc)?.[1];
  sink.field(start, name, documented ?? type, made === undefined ? '' : `new ${globalName(made)}()`);
}

/** The documentation comment that ends right before. */
function docBefore(at: number, { source }: FactSink): string {
  const before = source.slice(Math.max(0, at - MAX_HEAD_LENGTH), at);
  if (!/\*\/\s*(?:#\[[^\]\n]*\]\s*)*$/.test(before)) return '';
  return before.slice(before.lastIndexOf('/**') + 1);
}

export function definition(draft: DefinitionView, sink: FactSink): void {
  const { kind, start, nameStart, nameEnd, signatureEnd, end } = draft;
  if (kind !== 'function' && kind !== 'method' && kind !== 'constructor') return;
  const { source, rules } = sink;
  const open = findOutside(source, nameEnd, end, '(', rules.lexical);
  if (source[open] !== '(') return;
  const close = sink.closing(open, end);
  const doc = docBefore(start, sink);
  if (doc.includes('@param')) documentedParameters(doc, open, close, sink);
  const written = /^\s*:\s*([^{;]+)/.exec(headText(source, close, end, MAX_HEAD_LENGTH))?.[1].trim() ?? '';
  const documented = HOLDS.test(written)
    ? (/@return\s+(?:non-empty-)?(\$this|[\w\\|[\]<>,?]+)/.exec(doc)?.[1] ?? '')
    : '';
  sink.result(nameStart, (documented || written).replace('$this', 'static'), '');
  assignedParameters(source.slice(open, close), signatureEnd, end, sink);
  if (draft.name === 'getFacadeAccessor') facade(signatureEnd, end, sink);
  if (draft.name === 'getSubscribedEvents') listedMethods(signatureEnd, end, sink);
}

/** A facade of Laravel has the methods of the class that it stands for. */
function facade(from: number, to: number, sink: FactSink): void {
  const body = headText(sink.source, from, to, MAX_HEAD_LENGTH);
  const match = /\breturn\s+\\?((?:\w+\\)*(\w+))::class\s*;/.exec(body);
  const key = /\breturn\s+(['"])([\w.:-]{1,80})\1\s*;/.exec(body);
  if (key !== null) sink.reference(from + key.index + 8, from + key.index + 9, 'implements', keyName(key[2]));
  if (match === null || OWN.has(match[1])) return;
  const at = from + match.index + match[0].indexOf('::class') - match[2].length;
  sink.reference(at, at + match[2].length, 'implements', globalName(match[1]));
}

/** Parameters whose type stands in the comment only. */
function documentedParameters(doc: string, open: number, close: number, sink: FactSink): void {
  for (const { start, end } of elementsOf(open + 1, close - 1, sink)) {
    const text = sink.source.slice(start, end);
    const [, own, stated, name] =
      /^((?:(?:public|private|protected|readonly)\s+)*)([\w?]*)\s*&?\$(\w+)/.exec(text) ?? [];
    const type = new RegExp(`@param\\s+(?:non-empty-)?((?:[\\w\\\\|\\[\\]<>?]|, ?)+)\\s+\\$${name}\\b`).exec(doc)?.[1];
    if (type === undefined || !VAGUE.test(stated)) continue;
    sink.local(start, name, type, '');
    if (own !== '') sink.field(start, name, type, '');
  }
}

/** `$this->x = $x;`: the field has the parameter's type. */
function assignedParameters(list: string, from: number, end: number, sink: FactSink): void {
  const body = headText(sink.source, from, end, MAX_BODY_LENGTH);
  for (const match of body.matchAll(/\$this->(\w+)\s*=\s*\$(\w+)\s*;/g)) {
    const type = new RegExp(`([\\w\\\\?|]+)\\s+\\$${match[2]}\\b`).exec(list)?.[1];
    if (type !== undefined) sink.field(from + match.index, match[1], type, '');
  }
}

const MAX_CLOSURE_HEAD_LENGTH = 120;
/** Functions that pass the elements of their second argument to a function, and functions that pass those of the first. */
const LIST_LAST = new Set(['array_map']);
const LIST_FIRST = wordSet(
  'array_filter array_walk usort uasort array_reduce array_find array_any array_all iterator_apply',
);

/** `fn ($line) => …`, `function ($a, $b) { … }`: parameters without a type. */
export function closure(node: NodeView, sink: FactSink): void {
  const { start, end } = node;
  const head = /^(?:static\s+)?(?:fn|function)\s*&?\s*\(\s*&?\$(\w+)\s*(?:,\s*&?\$(\w+)\s*)?\)/.exec(
    headText(sink.source, start, end, MAX_CLOSURE_HEAD_LENGTH),
  );
  const list = node.parent?.parent;
  if (head === null || list?.kind !== 'arguments') return;
  const open = list.start;
  const { accessPath } = sink.accessPathBefore(open);
  const given = givenBy(accessPath, open, list.end, sink);
  if (given === '') return;
  const at = start + head[0].indexOf('$');
  if (accessPath !== 'array_reduce') sink.local(at, head[1], '', given);
  if (head[2] !== undefined && accessPath !== 'array_walk') sink.local(at + 1, head[2], '', given);
}

function givenBy(callee: string, open: number, close: number, sink: FactSink): string {
  const isLast = LIST_LAST.has(callee);
  if (!isLast && !LIST_FIRST.has(callee)) return callee.includes('.') && !callee.startsWith('?') ? `${callee}{}` : '';
  const values = elementsOf(open + 1, close - 1, sink)[isLast ? 1 : 0];
  const path = values === undefined ? '' : sink.accessPath(values.start, values.end);
  return elementOf(path);
}

const MAX_CONDITION_LENGTH = 400;
const CHECK = /(!?)\s*(?:\(\s*)?\$(\w+)\s+instanceof\s+(\\?[\w\\]+)/g;
/** Statements that leave the block, so that the code behind is not reached. */
const LEAVES = /^\{?\s*(?:return|throw|continue|break|exit|die)\b/;

/** `if`, `elseif` and `while`, from the keyword on. */
export function condition({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const open = source.indexOf('(', start);
  if (open === -1 || open - start > 10) return;
  const close = sink.closing(open, end);
  const text = headText(source, open, close, MAX_CONDITION_LENGTH);
  if (!text.includes('instanceof')) return;
  const body = skipSpace(source, close, end, rules.lexical);
  const isEither = /\|\||\bor\b/.test(text);
  for (const [, negated, name, type] of text.matchAll(CHECK)) {
    if (name === 'this') continue;
    if (negated === '') {
      if (isEither) continue;
      const until = source[body] === '{' ? sink.closing(body, end) : end;
      sink.closure(close, until);
      sink.local(close, name, type, '');
    } else if (!/&&|\band\b/.test(text) && LEAVES.test(source.slice(body, body + 40))) sink.local(end, name, type, '');
  }
}

/** Assertions of PHP, PHPUnit and libraries, that narrow a variable. */
const ASSERTS = /^(?:assert(?:True|InstanceOf)?|isInstanceOf)$/;
const OF_CLASS = /^\(\s*(?:\$(\w+)\s*,\s*)?(\\?[\w\\]+)::class\s*(?:,\s*\$(\w+)\s*)?[,)]/;

/** `assert($x instanceof Cart)` and `assertInstanceOf(Cart::class, $x)`, from the argument list on. */
function asserted(start: number, end: number, sink: FactSink): void {
  const text = headText(sink.source, start, end, MAX_CONDITION_LENGTH);
  const [, first, given, last] = OF_CLASS.exec(text) ?? [];
  const isEither = /\|\||\bor\b/.test(text);
  const checks = [...text.matchAll(CHECK)].map(([, negated, name, type]) => [negated || isEither ? '' : name, type]);
  for (const [name, type] of [...checks, [first ?? last ?? '', given]])
    if (name !== '' && name !== 'this') sink.local(end, name, type, '');
}

const MAX_LIST_LENGTH = 4_000;

/** `use A\B as C;`, `use A\{B, C as D};`, `use function A\f;` */
function useDeclaration({ start, end, text }: NodeView, sink: FactSink): void {
  const body = text
    .slice(0, MAX_LIST_LENGTH)
    .replace(/^use\s+(?:(?:function|const)\s+)?/, '')
    .replace(/\s*;\s*$/, '');
  const group = /^\\?([\w\\]*?)\\?\s*\{([\s\S]*)\}$/.exec(body);
  const prefix = group === null ? '' : `${group[1]}\\`;
  const bySpecifier = new Map<string, { name: string; alias: string }[]>();
  for (const part of (group === null ? body : group[2]).split(',')) {
    const match = /^\s*(?:(?:function|const)\s+)?\\?((?:\w+\\)*)(\w+)(?:\s+as\s+(\w+))?\s*$/i.exec(part);
    if (match === null) continue;
    const specifier = (prefix + match[1]).replace(/\\$/, '');
    addTo(bySpecifier, specifier, { name: match[2], alias: match[3] ?? match[2] });
  }
  for (const [specifier, names] of bySpecifier)
    sink.import(start, end, 'import', specifier === '' ? '\\' : specifier, names);
}

export function namespace({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /^namespace\s+([\w\\]+)/.exec(text.slice(0, MAX_HEAD_LENGTH));
  if (match !== null) sink.import(start, Math.min(end, start + match[0].length), 'declare', match[1]);
}

/** `require __DIR__ . '/x.php';` */
export function include({ start, end, text }: NodeView, sink: FactSink): void {
  const match =
    /^(?:require|include)(?:_once)?[\s(]*(__DIR__\s*\.\s*|dirname\(__FILE__\)\s*\.\s*)?(["'])([^"'$\n]+)\2[\s)]*$/.exec(
      text.slice(0, MAX_HEAD_LENGTH),
    );
  if (match === null) return;
  sink.import(start, end, 'include', match[1] === undefined ? match[3] : `./${match[3].replace(/^\//, '')}`);
}

const NAMES: NameRules = {
  opaque: ['comment', 'text', 'string_content', 'nowdoc_body', 'heredoc_start', 'heredoc_end'],
  keywords: wordSet(
    `FALSE NULL TRUE abstract and array as bool break callable case catch class clone const continue declare default do echo else elseif
     empty enddeclare endfor endforeach endif endswitch endwhile enum extends false final finally float fn for foreach from function global
     goto if implements include include_once instanceof insteadof int interface isset iterable list match mixed namespace never new null
     object or parent php print private protected public readonly require require_once return self static string switch throw trait true
     try unset use var void while xor yield`,
  ),
  unimported: true,
  localPrefix: '$',
  labels: ':',
};

const OWN: ReadonlySet<string> = new Set(['$this', 'self', 'static']);

const LEXICAL: LexicalConventions = {
  joins: ['?->', '->', '::', '\\'],
  leading: '\\',
  nameExtra: '$',
  newWord: 'new',
  prefixes: ['&', '@', 'clone'],
  quotes: '"\'',
  lineComments: ['//', '#'],
  blockComment: ['/*', '*/'],
  spread: /^\.\.\./,
  member: (name, join) => (join === '::' ? name.replace(/^\$/, '') : name),
  root: (name) => (OWN.has(name) ? 'this' : name === 'parent' ? 'super' : name.replace(/^\$/, '')),
};

const VARIABLE = /^\$(\w+)$/;
/** `Cart::class` passes a type on; strings that name functions are no code. */
const HANDED_ON = /^(?:\w+:\s*)?\\?((?:\w+\\)*\w+)(?:::class|\(\.\.\.\))$/;
const TYPE_NAME = /(?<![$>:\w\\])\\?((?:\w+\\)*)(\w+)/g;

/** `[$this, 'total']` and `[Cart::class, 'total']` pass a method on; `[$this, 'get' . $name]` those with that part. */
const CALLABLE =
  /^\[\s*(\$this|(?:\\?\w+)(?:\\\w+)*::class)\s*,\s*(?:(['"])(\w+)\2\s*,?\s*\]$|'(\w{3,40})'\s*\.|"(\w{3,40})\{?\$)/;
const MAX_CALLABLE = 150;

function callable({ start, end }: NodeView, sink: FactSink): void {
  if (end - start > MAX_CALLABLE) return;
  const match = CALLABLE.exec(sink.source.slice(start, end));
  if (match === null) return;
  const [whole, written, , name, before, inside] = match;
  const part = before ?? inside;
  const at = start + whole.lastIndexOf(name ?? part);
  const owner = /^(?:\$this|self::|static::)/.test(written) ? 'this' : globalName(written.replace(/::class$/, ''));
  if (part !== undefined) sink.reference(at, end, 'call', `${owner}.begins#.${part}`);
  else sink.reference(at, at + name.length, 'read', `${owner}.${name}`);
}

/** `$this->{'load' . $name}()`, `$this->$method()` behind `$method = "load{$name}"`: each method with that part may run. */
const BY_PART = /(\$this|static|self)(?:->|::)(?:\{\s*(?:'(\w{3,40})'\s*\.|"(\w{3,40})\{?\$)|(\$\w{1,60})\s*\()/g;
const MAX_BEFORE = 600;

function membersByPart(sink: FactSink): void {
  const { source } = sink;
  for (const match of source.matchAll(BY_PART)) {
    const [whole, , one, other, name] = match;
    const part = one ?? other ?? partOfVariable(match.index, name, source);
    const at = match.index + whole.length - 1;
    if (part !== undefined) sink.reference(at, at + 1, 'call', `this.begins#.${part}`);
  }
}

/** Beginning of the text that a variable was given last before an offset. */
function partOfVariable(at: number, name: string, source: string): string | undefined {
  const before = source.slice(Math.max(0, at - MAX_BEFORE), at);
  const found = before.lastIndexOf(`${name} = `);
  const [, one, other] =
    /^(?:'(\w{3,40})'\s*\.|"(\w{3,40})\{?\$)/.exec(found < 0 ? '' : before.slice(found + name.length + 3)) ?? [];
  return one ?? other;
}

/** `new Line(text: 'tea')` writes the property that the promoted parameter is. */
function namedArguments(open: number, close: number, callee: string, sink: FactSink): void {
  const parts = elementsOf(open + 1, close - 1, sink);
  keyedMembers(parts, /^(\w+)\s*:(?!:)/, 'write', `${callee.replace(/^new /, '')}{:}`, sink);
}

function special(call: Call, sink: FactSink): boolean {
  const { callee, name, receiver, start, end, view } = call;
  const { source } = sink;
  namedByArguments(call, sink);
  namedFunction(call, sink);
  runsCommand(call, sink);
  // `attribute` states it.
  if (view.parent?.kind === 'attribute') return true;
  handedOn(view.start + 1, view.end - 1, HANDED_ON, sink);
  const asked = askedClass(callee.accessPath, view, sink);
  if (!/^(?:self|static)?$/.test(asked)) {
    sink.reference(callee.nameStart, end, 'call', callee.accessPath, { args: call.list.count });
    sink.remember(end, start, asked.startsWith('|') ? asked : `new ${asked}()`);
    return true;
  }
  if (callee.isNew) namedArguments(view.start, view.end, callee.accessPath, sink);
  if (ASSERTS.test(name)) asserted(view.start, end, sink);
  // `$call(…)`, `$this->$name(…)` call the value of a variable.
  if (source[callee.nameStart] === '$' && !callee.accessPath.startsWith('this')) {
    sink.remember(end, start, '?');
    return true;
  }
  // `strlen(...)` passes the function on.
  if (source.slice(view.start, view.end) === '(...)') {
    sink.reference(callee.nameStart, end, receiver === '' ? 'value' : 'read', callee.accessPath);
    return true;
  }
  // `parent::__construct()` begins with the parent; `new parent()` makes it.
  if (!callee.isNew) return false;
  if (callee.accessPath === 'this') sink.remember(end, start, 'this()');
  return callee.accessPath === 'super' || callee.accessPath === 'class';
}

/** Names in a list of types. */
function parents(kind: 'extends' | 'implements'): (view: NodeView, sink: FactSink) => void {
  return ({ start, text }, sink) => {
    const head = /^(?:extends|implements|use)\s+/.exec(text)?.[0].length ?? 0;
    const list = text.slice(head, MAX_BODY_LENGTH).replace(/[{;][\s\S]*$/, '');
    for (const match of list.matchAll(TYPE_NAME)) {
      const at = start + head + match.index + match[0].length - match[2].length;
      sink.reference(at, at + match[2].length, kind, globalName(match[1] + match[2]));
    }
  };
}

function types(from: number, text: string, sink: FactSink): void {
  for (const match of text.matchAll(TYPE_NAME)) {
    const at = from + match.index + match[0].length - match[2].length;
    sink.reference(at, at + match[2].length, 'type', globalName(match[1] + match[2]));
  }
}

function namedType({ start, text }: NodeView, sink: FactSink): void {
  types(start, text, sink);
}

/** `$x = value`, `$this->x = value`, `self::$x = value`. */
function assignment({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const equals = findOutside(source, start, end, '=', rules.lexical);
  const left = source
    .slice(start, equals)
    .replace(/\?\?\s*$/, '')
    .trim();
  const from = equals + 1;
  const value = sink.accessPath(from, end);
  const own = /^(?:\$this->|(?:self|static)::\$)(\w+)$/.exec(left);
  if (own !== null) {
    // The name of a parameter means nothing outside its function: `definition` knows its type.
    if (value !== '' && !VARIABLE.test(source.slice(from, end).trim())) sink.field(start, own[1], '', value);
    return;
  }
  const name = VARIABLE.exec(left);
  if (name !== null) sink.local(start, name[1], documentedType(start, name[1], sink), value);
  else if (/^(?:\[|list\s*\()/.test(left)) shadows(start, left, sink);
}

/** `/** @var Cart $cart *\/` right before an assignment. */
function documentedType(at: number, name: string, { source }: FactSink): string {
  const before = source.slice(Math.max(0, at - 120), at);
  const match = /\/\*\*\s*@var\s+([\w\\|[\]<>,?](?:[\w\\|[\]<>, ?]*[\w\\|[\]<>,?])?)\s+\$(\w+)\s*\*\/\s*$/.exec(before);
  return match !== null && match[2] === name ? match[1] : '';
}

function shadows(at: number, text: string, sink: FactSink): void {
  for (const match of text.slice(0, MAX_HEAD_LENGTH).matchAll(/\$(?!this\b)(\w+)/g))
    sink.local(at + match.index, match[1], '', '');
}

/** `foreach ($xs as $k => $x)` */
function foreachStatement({ start, end }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const open = source.indexOf('(', start);
  if (open === -1 || open >= end) return;
  const close = sink.closing(open, Math.min(end, open + MAX_HEAD_LENGTH));
  const head = source.slice(open + 1, close - 1);
  const match = /\s+as\s+(?:(\$\w+)\s*=>\s*)?&?(\$\w+|\[[^\]]*\]|list\s*\([^)]*\))\s*$/.exec(head);
  if (match === null) return;
  if (match[1] !== undefined) sink.local(open, match[1].slice(1), '', '');
  const values = sink.accessPath(open + 1, open + 1 + match.index);
  const name = VARIABLE.exec(match[2]);
  if (name === null) shadows(open + 1 + match.index, match[0], sink);
  else sink.local(open + 1, name[1], documentedType(start, name[1], sink), elementOf(values));
}

function catchClause({ start, text }: NodeView, sink: FactSink): void {
  const match = /^catch\s*\(\s*([\w\\|](?:[\w\\|\s]*[\w\\|])?)\s*\$(\w+)\s*\)/.exec(text.slice(0, MAX_HEAD_LENGTH));
  if (match !== null) sink.local(start, match[2], match[1], '');
}

const phpRelations: RelationRules = {
  lexical: LEXICAL,
  brackets: ['arguments'],
  names: NAMES,
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
    if_statement: condition,
    else_if_clause: condition,
    while_statement: condition,
    arrow_function: closure,
    anonymous_function: closure,
    array_creation_expression: callable,
  },
  definition,
  text: (sink) => {
    laravelRoutes(sink);
    membersByPart(sink);
    containerKeys(sink);
    namedMethods(sink);
  },
  ignoredTypes: wordSet(
    `array bool callable false float int iterable mixed never null object parent self static string true void Closure Exception Throwable
     Traversable Iterator IteratorAggregate Countable ArrayAccess JsonSerializable Stringable DateTimeInterface`,
  ),
  ignoredCalls: wordSet(
    `array_key_exists array_keys array_map array_merge array_filter array_values array_pop array_push array_shift array_slice array_reverse
     array_unique array_combine array_diff array_flip array_fill array_search array_reduce array_walk call_user_func call_user_func_array
     class_exists compact count current date define defined dirname empty end exit explode file_exists file_get_contents file_put_contents
     fclose fopen func_get_args function_exists get_class gettype implode in_array ini_get ini_set intdiv is_array is_bool is_callable
     is_dir is_file is_int is_null is_numeric is_object is_scalar is_string iterator_to_array json_decode json_encode key ksort list ltrim
     max mb_strlen mb_str_split mb_substr md5 method_exists microtime min next number_format ord parse_str parse_url preg_match
     preg_match_all preg_quote preg_replace preg_replace_callback preg_split print printf property_exists range realpath reset round rtrim
     serialize settype sort spl_object_hash sprintf str_contains str_ends_with str_pad str_repeat str_replace str_starts_with strcmp
     stripos strlen strpos strrev strrpos strtolower strtotime strtoupper substr substr_count time trigger_error trim ucfirst unserialize
     unset usort var_dump isset die eval`,
  ),
};

/** `new Cart` without an argument list, for which no other rule is called. */
function made({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /^new\s+\\?((?:\w+\\)*)(\w+)$/.exec(text.slice(0, MAX_HEAD_LENGTH));
  if (match === null || match[2] === 'class') return;
  const accessPath = LEXICAL.root?.(match[2], '') === 'this' ? 'this' : globalName(match[1] + match[2]);
  sink.remember(end, start, accessPath === 'this' ? 'this()' : `new ${accessPath}()`);
  sink.reference(end - match[2].length, end, 'new', accessPath, { args: 0 });
}

/** `#[Route('/x', name: 'cart')]` above a method: the route of that name is answered by it. */
function namedRoute(end: number, written: string, sink: FactSink): void {
  const name = /\bname\s*:\s*(['"])([\w.-]{1,100})\1/.exec(written)?.[2];
  const method = /^[^{};]{0,300}\bfunction\s+(\w+)/.exec(sink.source.slice(end, end + MAX_HEAD_LENGTH))?.[1];
  if (name !== undefined && method !== undefined)
    sink.reference(end, end + 1, 'route', `this.${method}`, { literal: `NAME /${name}` });
}

/** `#[Route('/x')]` */
function attribute({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /^\\?((?:\w+\\)*)(\w+)/.exec(text);
  if (match === null) return;
  const at = start + match[0].length - match[2].length;
  const open = start + match[0].length;
  const list = sink.source[open] === '(' ? sink.arguments(open, end) : null;
  if (list !== null) namedArguments(open, sink.closing(open, end), globalName(match[1] + match[2]), sink);
  const method = /\bmethod:\s*(['"])(\w{1,80})\1/.exec(list === null ? '' : text);
  if (method !== null) sink.reference(start + method.index, end, 'read', `this.${method[2]}`);
  if (match[2] === 'Route') namedRoute(end, headText(sink.source, open, end, MAX_HEAD_LENGTH), sink);
  sink.reference(at, end, 'decorator', globalName(match[1] + match[2]), {
    args: list?.count ?? -1,
    literal: statedRoute(list?.literal ?? '', headText(sink.source, open, end, MAX_HEAD_LENGTH)),
  });
}

const phpDefinitions: DefinitionRules = {
  definitions: [
    { node: 'class_declaration', kind: 'class' },
    { node: 'interface_declaration', kind: 'interface' },
    { node: 'trait_declaration', kind: 'trait' },
    { node: 'enum_declaration', kind: 'enum' },
    { node: 'enum_case', kind: 'enum-member' },
    { node: 'function_definition', kind: 'function' },
    {
      node: 'method_declaration',
      kind: 'method',
      parts: {
        path: 'parameters/>property_promotion_parameter',
        definition: { kind: 'property', name: 'name/>name' },
        memberOf: /^__construct$/i,
      },
    },
    { node: 'const_declaration', kind: 'constant', name: '>const_element/>name', each: true },
    { node: 'property_declaration', kind: 'property', name: '>property_element/name/>name', each: true },
    {
      node: 'function_call_expression',
      kind: 'constant',
      nameText: /define\s*\(\s*["'](\w+)["']/y,
      outer: true,
      where: { has: { field: 'function', regex: '^define$' } },
    },
  ],
  imports: ['php_tag', 'namespace_use_declaration', 'declare_statement'],
  importText: /^(?:(?:require|include)(?:_once)?\b|namespace\s[\w\s\\]+;)/,
  comments: ['comment'],
  docs: { line: /^(?:\/\/|#(?!\[))/, block: ['/*', '*/'] },
  exported: { notHead: /\b(?:private|protected)\b/ },
  fixed: /\bprivate\b/,
  constructors: /^__construct$/,
  otherNames: namesInTexts,
};

export const php: ParsingRules = { definitions: phpDefinitions, relations: phpRelations };

/** A template: its directives are calls, or statements of PHP. */
export const blade: ParsingRules = {
  definitions: {
    ...{ ...phpDefinitions, definitions: [], otherNames: undefined },
    ...{ parsed: phpOfBlade, framed: () => ['<?php ', ';'] },
  },
  relations: {
    ...phpRelations,
    names: { ...NAMES, masked: phpOfBlade },
    nodes: {
      ...phpRelations.nodes,
      arguments: calls({ special: (call, sink) => directive(call, sink) || special(call, sink) }),
    },
    text: components,
  },
};
