/** Relations of C++, on top of those of C. Its definitions are in c-rules.ts (`cppDefinitions`). */
import { wordSet, words } from '../language.js';
import {
  angleEnd,
  byKind,
  headText,
  MAX_HEAD_LENGTH,
  parents,
  typeEnd,
  typeParameters,
} from '../roles/declarations.js';
import {
  calls,
  type DefinitionView,
  elementOf,
  type FactSink,
  type LexicalConventions,
  type NodeRule,
  type NodeView,
  type RelationRules,
} from '../roles/relations.js';
import { skipSpace } from '../roles/scan.js';
import { argumentTypes } from '../roles/type-expressions.js';
import {
  addParameters,
  C_TYPES,
  CPP_NAMES,
  castRule,
  type Declarator,
  declarationRule,
  HANDED_ON_IN_C,
  type Head,
  headOf,
  includeRule,
  macroRule,
  sparedCallRule,
} from './c-rules.js';

const LEXICAL: LexicalConventions = {
  joins: ['->', '::', '.'],
  prefixes: ['*', '&', 'co_await'],
  newWord: 'new',
  typeArguments: '<>',
  quotes: '"\'',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
};

/** `using a::b;`, `using namespace a::b;`. */
const usingRule: NodeRule = ({ start, end, text }, sink) => {
  const match = /^using\s+(namespace\s+)?(?:typename\s+)?(?:::\s*)?((?:\w+\s*::\s*)*)(\w+)\s*;?$/.exec(
    text.slice(0, MAX_HEAD_LENGTH),
  );
  if (match === null) return;
  const path = match[2].replace(/\s+/g, '');
  if (match[1] !== undefined) return sink.import(start, end, 'import', path + match[3], [{ name: '*', alias: '' }]);
  if (path !== '') sink.import(start, end, 'import', path.slice(0, -2), [{ name: match[3], alias: match[3] }]);
};

const namespaceAliasRule: NodeRule = ({ start, end, text }, sink) => {
  const match = /^namespace\s+(\w+)\s*=\s*([\w:][\w:\s]*);?$/.exec(text.slice(0, MAX_HEAD_LENGTH));
  if (match !== null)
    sink.import(start, end, 'import', match[2].replace(/\s+|^::/g, ''), [{ name: '*', alias: match[1] }]);
};

const CASTS = /^(?:static|dynamic|const|reinterpret)_cast$|^(?:static|dynamic|const)_pointer_cast$/;
/** Word that marks the next name as a template. */
const DEPENDENT = /(?:->|\.|::)\s*template\s+$/;
const OPERATORS = wordSet('decltype sizeof defined noexcept');
const MAKERS = /^make_(?:unique|shared)$/;

/** `: items_(n)` in a constructor, which has a rule of its own. */
function isInitializer(view: NodeView, start: number, source: string): boolean {
  return /[:,]\s*$/.test(source.slice(Math.max(0, start - 40), start)) && view.parent?.kind === 'field_initializer';
}

/** `::close(x)` is of no namespace at all. */
function isGlobal(nameStart: number, source: string): boolean {
  return source.startsWith('::', nameStart - 2) && !/[\w>)]/.test(source[nameStart - 3] ?? '');
}

const callRule = calls({
  special: ({ name, receiver, callee, list, view, end }, sink) => {
    const { source } = sink;
    if (OPERATORS.has(name) || isInitializer(view, callee.start, source)) return true;
    if (receiver === '?' && isGlobal(callee.nameStart, source)) {
      sink.reference(callee.nameStart, end, 'call', name, { args: list.count });
      return true;
    }
    // `x.template get<T>()`: the access path ends at the word.
    const dependent = DEPENDENT.exec(source.slice(Math.max(0, callee.start - 40), callee.start));
    if (receiver === '' && dependent !== null) {
      const { accessPath, start } = sink.accessPathBefore(callee.start - dependent[0].length);
      const whole = accessPath === '' ? `?.${name}` : `${accessPath}.${name}`;
      sink.remember(end, start, accessPath === '' ? '?' : `${whole}()`);
      sink.reference(callee.nameStart, end, 'call', whole, { args: list.count });
      return true;
    }
    const isCast = CASTS.test(name);
    if (!isCast && !MAKERS.test(name)) return false;
    // Casts and makers state a type: `static_cast<Cart *>(x)`, `std::make_unique<Cart>(x)`.
    const open = callee.nameStart + name.length;
    const type = source[open] === '<' ? headOf(sink, open + 1, view.start) : null;
    if (type !== null && type.accessPath !== '') sink.remember(end, callee.start, `new ${type.accessPath}()`);
    return isCast;
  },
});

/** `new Cart`, `new Cart{1}`; `new Cart(1)` is a call like others. */
const newRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const from = skipSpace(source, start + 3, end, LEXICAL);
  const head = headOf(sink, from, end);
  if (head === null || head.accessPath === '') return;
  sink.remember(end, start, `new ${head.accessPath}()`);
  if (source[skipSpace(source, head.after, end, LEXICAL)] !== '(')
    sink.reference(head.typeAt, end, 'new', head.accessPath);
};

/** `Money{1}`. */
const compoundRule: NodeRule = ({ start, end }, sink) => {
  const head = headOf(sink, sink.source[start] === '(' ? start + 1 : start, end);
  if (head === null || head.accessPath === '') return;
  sink.remember(end, start, `new ${head.accessPath}()`);
  if (sink.source[start] !== '(') sink.reference(head.typeAt, end, 'new', head.accessPath);
};

/** `Cart cart(1)` and `Cart cart{1}` make an instance, unless it is a function's prototype. */
function constructed({ at, next, nextAt }: Declarator, head: Head, view: NodeView, sink: FactSink): boolean {
  sink.declared(at);
  if (next === '(' && !isConstruction(view)) return false;
  if (head.accessPath === '') return true;
  const close = sink.closing(nextAt, view.end);
  const types = argumentTypes(nextAt, close, sink);
  sink.reference(head.typeAt, close, 'new', head.accessPath, { args: sink.arguments(nextAt, close).count, types });
  return true;
}

/** The grammar reads `Cart cart(id);` as a prototype; in a function's body it hardly ever is one. */
function isConstruction(node: NodeView): boolean {
  if (node.kind !== 'declaration') return false;
  const declarator = node.field('declarator');
  if (declarator?.kind === 'init_declarator') return true;
  return node.parent?.kind === 'compound_statement';
}

/** `: Entity(id), items_(n)`: names of types are those of parents; other names are fields, which are written. */
const initializerRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const to = typeEnd(sink, start, end);
  const type = source.slice(start, to);
  const open = skipSpace(source, to, end, LEXICAL);
  if (!/^[A-Z]|::/.test(type) || !'({'.includes(source[open])) {
    const name = /^\w+/.exec(type)?.[0] ?? '';
    if (name !== '') sink.reference(start, end, 'write', `this.${name}`);
    return;
  }
  const written = /^[\w:]*/.exec(type)?.[0] ?? '';
  const accessPath = written.replaceAll('::', '.');
  const at = start + written.search(/\w*$/);
  sink.reference(at, end, 'new', accessPath, { args: sink.arguments(open, end).count });
};

/** `for (const Item& item : items)`. */
const forRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const open = source.indexOf('(', start);
  const close = sink.closing(open, end) - 1;
  const head = headOf(sink, open + 1, close);
  if (head === null) return;
  const declared = /[\s&*]*(?:const\b)?[\s&*]*(?:\[([\w,\s]*)\]|(\w+))\s*:(?!:)/y;
  declared.lastIndex = head.after;
  const match = declared.exec(source);
  if (match === null) return;
  const after = head.after + match[0].length;
  if (match[2] === undefined) {
    for (const name of match[1].matchAll(/\w+/g)) sink.local(head.after, name[0], '', '');
    return;
  }
  const list = head.type === '' ? sink.accessPath(after, close) : '';
  sink.local(after - 1, match[2], head.type, elementOf(list));
};

const catchRule: NodeRule = ({ start, end }, sink) => {
  const open = sink.source.indexOf('(', start);
  if (open !== -1 && open < end) addParameters(sink, open, sink.closing(open, end));
};

const lambdaRule: NodeRule = ({ start, end }, sink) => {
  const open = skipSpace(sink.source, sink.closing(start, end), end, LEXICAL);
  if (sink.source[open] === '(') addParameters(sink, open, sink.closing(open, end));
};

/** Parts of qualified names and names of definitions are no uses. */
const typeRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  if (source.startsWith('::', start - 2)) sink.reference(start, end, 'type', sink.accessPathBefore(end).accessPath);
  else sink.reference(start, end, 'type', source.slice(start, end));
};

const definition = byKind({
  'class struct': typeDefinition,
  type: aliasDefinition,
  'function method constructor': functionDefinition,
});

function functionDefinition(view: DefinitionView, sink: FactSink): void {
  const { kind, name, nameStart, nameEnd, signatureEnd, end } = view;
  const { source } = sink;
  const start = afterTemplate(view.start, nameStart, sink);
  const owner = /((?:\w+\s*(?:<[^<>;]*>)?\s*::\s*)+)~?$/.exec(
    source.slice(Math.max(start, nameStart - 200), nameStart),
  );
  const ownerAt = owner === null ? nameStart : nameStart - owner[0].length;
  if (owner !== null) sink.local(nameEnd, 'this', owner[1].replace(/\s*::\s*$/, '').replace(/<[^<>]*>/g, ''), '');
  const fixture = FIXTURE.exec(source.slice(start, nameStart).slice(-200));
  if (fixture !== null) sink.local(nameEnd, 'this', fixture[1], '');
  const head = kind === 'constructor' || /^~/.test(name) ? null : headOf(sink, start, ownerAt);
  if (head !== null && head.type !== '') sink.result(nameStart, head.type, '');
  const open = skipSpace(source, nameEnd, end, LEXICAL);
  if (source[open] !== '(') return;
  const hasBody = source[skipSpace(source, signatureEnd, end, LEXICAL)] === '{';
  addParameters(sink, open, sink.closing(open, end), hasBody);
}

/** Macros whose first argument is the class that a test is code of, as in `OWNER`. */
const FIXTURE = /\b(?:TEST_[FP]|[A-Z][A-Z0-9]*_FIXTURE(?:_LOCAL)?)\s*\(\s*(\w+)\s*,\s*$/;

/** States the names of `template <typename T>` and returns the offset behind it. */
function afterTemplate(from: number, to: number, sink: FactSink): number {
  const { source } = sink;
  let at = from;
  for (let count = 0; count < 3 && source.startsWith('template', at); count++) {
    const open = skipSpace(source, at + 8, to, LEXICAL);
    const close = source[open] === '<' ? angleEnd(source, open, to) : -1;
    if (close === -1) return at;
    typeParameters(sink, open, to, { close });
    at = skipSpace(source, close, to, LEXICAL);
  }
  return at;
}

/** `class A final : public B<C>, private d::E`. */
function typeDefinition({ start, nameStart, nameEnd, signatureEnd }: DefinitionView, sink: FactSink): void {
  afterTemplate(start, nameStart, sink);
  const limit = Math.min(signatureEnd, nameEnd + MAX_HEAD_LENGTH);
  const text = sink.source.slice(nameEnd, limit);
  const colon = /^(?:\s*<[^{;]*?>)?\s*(?:final\s*)?:(?!:)/.exec(text);
  if (colon === null) return;
  for (const { accessPath, at, end } of parents(sink, nameEnd + colon[0].length, limit))
    sink.reference(at, end, 'extends', accessPath);
}

/** `using X = Y;`, `typedef Y X;`. */
function aliasDefinition({ name, start, nameStart, nameEnd, end }: DefinitionView, sink: FactSink): void {
  const { source } = sink;
  const typedef = /^typedef\s+(?:const\s+)?(?:(?:struct|class|union|enum)\s+)?([\w:]+(?:<[^{};]*>)?)[\s*&]+$/.exec(
    headText(source, start, nameStart),
  );
  const using = /^\s*=\s*(?:typename\s+)?([^;{]+?)\s*;?$/.exec(headText(source, nameEnd, end));
  const type = typedef?.[1] ?? using?.[1];
  if (type !== undefined && type !== name) sink.alias(nameStart, name, type);
}

// Types of parameters and arguments, which tell overloads apart, as in `Reference.types`. Pointers and references to objects count as the objects.

const NO_TYPE = wordSet(
  'const volatile struct class enum union typename register constexpr inline static extern mutable restrict __restrict auto',
);
const NUMBERS = wordSet('unsigned signed char short int long float double bool void wchar_t char8_t char16_t char32_t');
/** Of several words the first of these is the type. */
const NUMBER_TYPES = [...words('double float bool void char wchar_t char8_t char16_t char32_t short long')];
const SIZED = /^(?:std::)?(u?)int(8|16|32|64|ptr)_t$/;
const SIZES: Readonly<Record<string, string>> = { 8: 'byte', 16: 'short', 32: 'int', 64: 'long', ptr: 'long' };
const STRING = 'std.string';
const KNOWN: ReadonlyMap<string, string> = new Map([
  ...[...words('size_t std::size_t')].map((name) => [name, 'ulong'] as const),
  ...[...words('ssize_t ptrdiff_t std::ptrdiff_t')].map((name) => [name, 'long'] as const),
  ['string', STRING],
  ['std::function', '->'],
]);
/** Most levels of type arguments that are removed. */
const MAX_NESTED = 6;

/** Type of a parameter with or without its name, or of a variable. */
function writtenType(text: string): string {
  let plain = text.replace(/\[\[[^\]]*\]\]/g, '');
  for (let depth = 0; depth < MAX_NESTED && plain.includes('<'); depth++) plain = plain.replace(/<[^<>]*>/g, '');
  if (plain.includes('(')) return '->';
  const pointer = /[*[]/.test(plain) ? '*' : '';
  const written = [...plain.matchAll(/(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*/g)].map(([word]) => word);
  const named = written.find((word) => !NO_TYPE.has(word));
  if (named === undefined || NUMBERS.has(named)) return `${numberType(written)}${pointer}`.replace(/^char\*$/, '"');
  const sized = SIZED.exec(named);
  const known = sized === null ? KNOWN.get(named) : `${sized[1]}${SIZES[sized[2]]}`;
  if (known === undefined) return named.replace(/^::/, '').replaceAll('::', '.');
  return known === STRING || known === '->' ? known : `${known}${pointer}`;
}

function numberType(written: readonly string[]): string {
  const words = new Set(written.filter((word) => NUMBERS.has(word)));
  const found = NUMBER_TYPES.find((word) => words.has(word)) ?? (words.size > 0 ? 'int' : '');
  if (!words.has('unsigned')) return found;
  return found === 'char' ? 'ubyte' : `u${found}`;
}

/** Forms of arguments that tell their types. */
const ARGUMENTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:u8)?"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*$/, '"'],
  [/^'(?:[^'\\]|\\[\s\S]{1,5})'$/, "'"],
  [/^[-+]?(?:0[xXbB][\da-fA-F']+|\d[\d']*)$/, '0'],
  [/^[-+]?(?:0[xXbB][\da-fA-F']+|\d[\d']*)[lL]{1,2}$/, '0L'],
  [/^(?:0[xXbB][\da-fA-F']+|\d[\d']*)[uU]$/, 'uint'],
  [/^(?:(?:0[xXbB][\da-fA-F']+|\d[\d']*)(?:[uU][lL]{1,2}|[lL]{1,2}[uU])|sizeof\b[\s\S]*)$/, 'ulong'],
  [/^[-+]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?[fF]$/, '0f'],
  [/^[-+]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?$/, '0.'],
  [/^(?:true|false|![\w.]+(?:\(\))?)$/, 'true'],
  [/^(?:NULL|nullptr)$/, 'null'],
  [/^\[[^\][]*\]\s*[({]/, '->'],
  [/^(?:std::)?(?:string\s*[({]|to_string\()[\s\S]*[)}]$|^[\w.>-]+(?:\.|->)str\(\)$/, STRING],
  [/^[\w.>-]+(?:\.|->)c_str\(\)$/, '"'],
];
const CAST = /^(?:static|dynamic|reinterpret|const)_cast<([^();{}]*)>\s*\(|^new\s+([\w:]+)/;
const NAMED_ARGUMENT = /^(?:this->)?([A-Za-z_]\w*(?:\(\))?)$/;

function argumentType(text: string): string {
  const named = NAMED_ARGUMENT.exec(text)?.[1];
  const known = ARGUMENTS.find(([form]) => form.test(text))?.[1];
  if (known !== undefined || named !== undefined) return known ?? `=${named}`;
  const cast = CAST.exec(text);
  return cast === null ? '' : writtenType(cast[1] ?? cast[2]);
}

export const cpp: RelationRules = {
  lexical: LEXICAL,
  parameters: {
    ...{ type: 'before', words: new Set(), rest: /\.\.\./ },
    apart: { type: writtenType, argument: argumentType },
  },
  overloads: new Map(),
  libraries: /^std\./,
  names: CPP_NAMES,
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
    expression_statement: sparedCallRule,
    cast_expression: castRule,
  },
  brackets: ['argument_list'],
  definition,
  values: HANDED_ON_IN_C,
  ignoredTypes: C_TYPES,
  // `void()`, `int(x)`.
  ignoredCalls: new Set([...C_TYPES, ...'void char short int long float double signed unsigned auto'.split(' ')]),
};
