/** C++. */
import { calls } from '../roles/call-rules.js';
import { angleEnd, LONGEST_HEAD, parents, typeEnd, typeParameters } from '../roles/declarations.js';
import type { DefinitionView, NodeRule, NodeView, Reading, RelationRules, Spelling } from '../roles/relations.js';
import { skipSpace } from '../roles/scan.js';
import {
  addParameters,
  C_TYPES,
  castRule,
  type Declarator,
  declarationRule,
  HANDED_ON_IN_C,
  type Head,
  headOf,
  includeRule,
  macroRule,
} from './relations.js';

const SPELLING: Spelling = {
  joins: ['->', '::', '.'],
  prefixes: ['*', '&', 'co_await'],
  newWord: 'new',
  typeArguments: '<>',
  quotes: '"\'',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
};

/** `using a::b;`, `using namespace a::b;`. */
const usingRule: NodeRule = ({ start, end, text }, reading) => {
  const match = /^using\s+(namespace\s+)?(?:typename\s+)?(?:::\s*)?((?:\w+\s*::\s*)*)(\w+)\s*;?$/.exec(
    text.slice(0, LONGEST_HEAD),
  );
  if (match === null) return;
  const path = match[2].replace(/\s+/g, '');
  if (match[1] !== undefined) return reading.import(start, end, 'import', path + match[3], [{ name: '*', alias: '' }]);
  if (path !== '') reading.import(start, end, 'import', path.slice(0, -2), [{ name: match[3], alias: match[3] }]);
};

const namespaceAliasRule: NodeRule = ({ start, end, text }, reading) => {
  const match = /^namespace\s+(\w+)\s*=\s*([\w:\s]+?)\s*;?$/.exec(text.slice(0, LONGEST_HEAD));
  if (match !== null)
    reading.import(start, end, 'import', match[2].replace(/\s+|^::/g, ''), [{ name: '*', alias: match[1] }]);
};

const CASTS = /^(?:static|dynamic|const|reinterpret)_cast$|^(?:static|dynamic|const)_pointer_cast$/;
/** Says that what follows is a template. */
const DEPENDENT = /(?:->|\.|::)\s*template\s+$/;
const MAKERS = /^make_(?:unique|shared)$/;

const callRule = calls({
  special: ({ name, receiver, callee, list, view, end }, reading) => {
    const { source } = reading;
    // `::close(x)`: of no namespace at all.
    if (
      receiver === '?' &&
      source.startsWith('::', callee.nameStart - 2) &&
      !/[\w>)]/.test(source[callee.nameStart - 3] ?? '')
    ) {
      reading.reference(callee.nameStart, end, 'call', name, { args: list.count });
      return true;
    }
    // `x.template get<T>()`: the chain ends at the word.
    const dependent =
      receiver === '' ? DEPENDENT.exec(source.slice(Math.max(0, callee.start - 40), callee.start)) : null;
    if (dependent !== null) {
      const { chain, start } = reading.chainBefore(callee.start - dependent[0].length);
      const whole = chain === '' ? `?.${name}` : `${chain}.${name}`;
      reading.remember(end, start, chain === '' ? '?' : `${whole}()`);
      reading.reference(callee.nameStart, end, 'call', whole, { args: list.count });
      return true;
    }
    if (name === 'decltype' || name === 'sizeof' || name === 'defined' || name === 'noexcept') return true;
    const isCast = CASTS.test(name);
    if (!isCast && !MAKERS.test(name)) return false;
    // Types that casts and makers state: `static_cast<Cart *>(x)`, `std::make_unique<Cart>(x)`.
    const open = callee.nameStart + name.length;
    const type = source[open] === '<' ? headOf(reading, open + 1, view.start) : null;
    if (type !== null && type.chain !== '') reading.remember(end, callee.start, `new ${type.chain}()`);
    return isCast;
  },
});

/** `new Cart`, `new Cart{1}`; with parentheses it is a call like others. */
const newRule: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  const from = skipSpace(source, start + 3, end, SPELLING);
  const head = headOf(reading, from, end);
  if (head === null || head.chain === '') return;
  reading.remember(end, start, `new ${head.chain}()`);
  if (source[skipSpace(source, head.after, end, SPELLING)] !== '(')
    reading.reference(head.typeAt, end, 'new', head.chain);
};

/** `Money{1}`. */
const compoundRule: NodeRule = ({ start, end }, reading) => {
  const head = headOf(reading, reading.source[start] === '(' ? start + 1 : start, end);
  if (head === null || head.chain === '') return;
  reading.remember(end, start, `new ${head.chain}()`);
  if (reading.source[start] !== '(') reading.reference(head.typeAt, end, 'new', head.chain);
};

/** `Cart cart(1)` and `Cart cart{1}` make an instance, unless it is a function's prototype. */
function constructed({ at, next, nextAt }: Declarator, head: Head, view: NodeView, reading: Reading): boolean {
  reading.declared(at);
  if (next === '(' && !isConstruction(view)) return false;
  if (head.chain === '') return true;
  const close = reading.closing(nextAt, view.end);
  reading.reference(head.typeAt, close, 'new', head.chain, { args: reading.arguments(nextAt, close).count });
  return true;
}

/** The grammar reads `Cart cart(id);` as a prototype; in a function's body it hardly ever is one. */
function isConstruction({ node, kind }: NodeView): boolean {
  if (kind !== 'declaration') return false;
  const declarator = node.field('declarator');
  if (declarator?.is('init_declarator')) return true;
  const parent = node.parent();
  return parent?.is('compound_statement') === true;
}

/** `: Entity(id), items_(n)`: the names of types are those of parents. */
const initializerRule: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  const to = typeEnd(reading, start, end);
  const type = source.slice(start, to);
  const open = skipSpace(source, to, end, SPELLING);
  if (!/^[A-Z]|::/.test(type) || !'({'.includes(source[open])) return reading.declared(start);
  const written = /^[\w:]*/.exec(type)?.[0] ?? '';
  const chain = written.replaceAll('::', '.');
  const at = start + written.search(/\w*$/);
  reading.reference(at, end, 'new', chain, { args: reading.arguments(open, end).count });
};

/** `for (const Item& item : items)`. */
const forRule: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  const open = source.indexOf('(', start);
  const close = reading.closing(open, end) - 1;
  const head = headOf(reading, open + 1, close);
  if (head === null) return;
  const declared = /[\s&*]*(?:const\b)?[\s&*]*(?:\[([\w,\s]*)\]|(\w+))\s*:(?!:)/y;
  declared.lastIndex = head.after;
  const match = declared.exec(source);
  if (match === null) return;
  const after = head.after + match[0].length;
  if (match[2] === undefined) {
    for (const name of match[1].matchAll(/\w+/g)) reading.local(head.after, name[0], '', '');
    return;
  }
  const list = head.type === '' ? reading.chain(after, close) : '';
  reading.local(after - 1, match[2], head.type, list === '' ? '' : `${list}[]`);
};

const catchRule: NodeRule = ({ start, end }, reading) => {
  const open = reading.source.indexOf('(', start);
  if (open !== -1 && open < end) addParameters(reading, open, reading.closing(open, end));
};

const lambdaRule: NodeRule = ({ start, end }, reading) => {
  const open = skipSpace(reading.source, reading.closing(start, end), end, SPELLING);
  if (reading.source[open] === '(') addParameters(reading, open, reading.closing(open, end));
};

/** Parts of qualified names and names of definitions are no uses. */
const typeRule: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  if (source.startsWith('::', start - 2)) reading.reference(start, end, 'type', reading.chainBefore(end).chain);
  else reading.reference(start, end, 'type', source.slice(start, end));
};

function definition(view: DefinitionView, reading: Reading): void {
  const { kind, name, nameStart, nameEnd, signatureEnd, end } = view;
  const { source } = reading;
  if (kind === 'class' || kind === 'struct') typeDefinition(view, reading);
  else if (kind === 'type') aliasDefinition(view, reading);
  if (kind !== 'function' && kind !== 'method' && kind !== 'constructor') return;
  const start = afterTemplate(view.start, nameStart, reading);
  const owner = /((?:\w+\s*(?:<[^<>;]*>)?\s*::\s*)+)~?$/.exec(
    source.slice(Math.max(start, nameStart - 200), nameStart),
  );
  const ownerAt = owner === null ? nameStart : nameStart - owner[0].length;
  if (owner !== null) reading.local(nameEnd, 'this', owner[1].replace(/\s*::\s*$/, '').replace(/<[^<>]*>/g, ''), '');
  const head = kind === 'constructor' || /^~/.test(name) ? null : headOf(reading, start, ownerAt);
  if (head !== null && head.type !== '') reading.result(nameStart, head.type, '');
  const open = skipSpace(source, nameEnd, end, SPELLING);
  if (source[open] !== '(' || source[skipSpace(source, signatureEnd, end, SPELLING)] !== '{') return;
  addParameters(reading, open, reading.closing(open, end));
}

/** Offset after `template <typename T>`, whose names are stated. */
function afterTemplate(from: number, to: number, reading: Reading): number {
  const { source } = reading;
  let at = from;
  for (let count = 0; count < 3 && source.startsWith('template', at); count++) {
    const open = skipSpace(source, at + 8, to, SPELLING);
    const close = source[open] === '<' ? angleEnd(source, open, to) : -1;
    if (close === -1) return at;
    typeParameters(reading, open, to, close);
    at = skipSpace(source, close, to, SPELLING);
  }
  return at;
}

/** `class A final : public B<C>, private d::E`. */
function typeDefinition({ start, nameStart, nameEnd, signatureEnd }: DefinitionView, reading: Reading): void {
  afterTemplate(start, nameStart, reading);
  const limit = Math.min(signatureEnd, nameEnd + LONGEST_HEAD);
  const text = reading.source.slice(nameEnd, limit);
  const colon = /^(?:\s*<[^{;]*?>)?\s*(?:final\s*)?:(?!:)/.exec(text);
  if (colon === null) return;
  for (const { chain, at, end } of parents(reading, nameEnd + colon[0].length, limit))
    reading.reference(at, end, 'extends', chain);
}

/** `using X = Y;`, `typedef Y X;`. */
function aliasDefinition({ name, start, nameStart, nameEnd, end }: DefinitionView, reading: Reading): void {
  const { source } = reading;
  const typedef = /^typedef\s+(?:const\s+)?(?:(?:struct|class|union|enum)\s+)?([\w:]+(?:<[^{};]*>)?)[\s*&]+$/.exec(
    source.slice(start, Math.min(nameStart, start + LONGEST_HEAD)),
  );
  const using = /^\s*=\s*(?:typename\s+)?([^;{]+?)\s*;?$/.exec(
    source.slice(nameEnd, Math.min(end, nameEnd + LONGEST_HEAD)),
  );
  const type = typedef?.[1] ?? using?.[1];
  if (type !== undefined && type !== name) reading.alias(nameStart, name, type);
}

export const cpp: RelationRules = {
  spelling: SPELLING,
  nodes: {
    preproc_include: includeRule,
    preproc_def: macroRule,
    preproc_function_def: macroRule,
    using_declaration: usingRule,
    namespace_alias_definition: namespaceAliasRule,
    argument_list: callRule,
    new_expression: newRule,
    compound_literal_expression: compoundRule,
    field_initializer: initializerRule,
    type_identifier: typeRule,
    declaration: declarationRule('local', constructed),
    field_declaration: declarationRule('field', constructed),
    for_range_loop: forRule,
    catch_clause: catchRule,
    lambda_expression: lambdaRule,
    cast_expression: castRule,
  },
  brackets: ['argument_list'],
  definition,
  values: HANDED_ON_IN_C,
  ignoredTypes: C_TYPES,
  // `void()`, `int(x)`.
  ignoredCalls: new Set([...C_TYPES, ...'void char short int long float double signed unsigned auto'.split(' ')]),
};
