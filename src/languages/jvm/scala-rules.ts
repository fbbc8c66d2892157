/** Rules of Scala: definitions and relations. */
import { type ParsingRules, wordSet } from '../language.js';
import {
  aliases,
  byKind,
  declarationsIn,
  decorators,
  headText,
  MAX_HEAD_LENGTH,
  nameFrom,
  ofEnumeration,
  typeParameters,
} from '../roles/declarations.js';
import type { DefinitionRules } from '../roles/definitions.js';
import {
  calls,
  callWithBlock,
  type DefinitionView,
  type FactSink,
  type LexicalConventions,
  type NameRules,
  type NodeRule,
  type RelationRules,
  typeNames,
} from '../roles/relations.js';
import { findOutside, skipSpace, splitList } from '../roles/scan.js';
import { KNOWN_TYPES, LIBRARIES } from './java-rules.js';

const NAMES: NameRules = {
  opaque: ['comment', 'block_comment', 'string', 'interpolated_string', 'character_literal'],
  code: ['interpolation'],
  keywords: wordSet(
    `_ abstract case catch class def do else enum export extends false final finally for forSome given if implicit import lazy match new
     null object override package private protected return sealed super then this throw trait true try type using val var while with yield`,
  ),
  unimported: true,
  labels: '=',
  interpolation: '$',
};

const LEXICAL: LexicalConventions = {
  joins: ['.'],
  nameExtra: '$`',
  newWord: 'new',
  typeArguments: '[]',
  quotes: '"',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
};

/** `import a.b.{C, D => E, _}, x.Y`. */
const importRule: NodeRule = ({ start, end, text }, sink) => {
  const from = start + (/^import\s+/.exec(text)?.[0].length ?? 0);
  for (const part of splitList(sink.source, from, end, ',', LEXICAL)) {
    const written = sink.source.slice(part.start, part.end);
    const match = /^([\w.$`\s]+?)\s*\.\s*(?:\{([^}]*)\}|([\w$`*]+)(?:\s+as\s+(\w+))?)$/.exec(written);
    if (match === null) continue;
    const specifier = match[1].replace(/[\s`]/g, '');
    const names = (match[2] ?? `${match[3]} as ${match[4] ?? match[3]}`).split(',').flatMap((item) => {
      const [name, alias = name] = item.trim().split(/\s*=>\s*|\s+as\s+/);
      if (name === '' || name === 'given' || (alias === '_' && name !== '_')) return [];
      return name === '_' || name === '*' ? [{ name: '*', alias: '' }] : [{ name, alias }];
    });
    sink.import(start, end, 'import', specifier, names);
  }
};

/** `package a.b` and then `package c`: the file is part of `a.b.c`. */
const packageRule: NodeRule = ({ start, end, text }, sink) => {
  const own = /^package\s+([\w.$`]+)/.exec(text)?.[1];
  if (own === undefined) return;
  const before = [
    ...sink.source.slice(Math.max(0, start - MAX_HEAD_LENGTH), start).matchAll(/^package\s+([\w.$`]+)\s*$/gm),
  ];
  const names = [...before.map((match) => match[1]), own].join('.').replaceAll('`', '');
  sink.import(start, Math.min(end, start + text.indexOf(own) + own.length), 'declare', names);
};

const callRule = calls({
  special: ({ name, receiver, callee }, { source }) =>
    (receiver === '' && (name === 'this' || name === 'super')) || source[callee.start - 1] === '@',
});

/** Words before a block or a list of cases that are no calls. */
const BLOCK_WORDS = wordSet('else try do yield match catch finally then return case with given');

/** `xs.foreach { … }`, `f(x) { … }`. */
const blockRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const before = source.slice(Math.max(0, start - 2), start);
  if (source[start] !== '{' || !/[\w)\]] ?$/.test(before)) return;
  const callee = sink.accessPathBefore(start);
  if (!['', '?'].includes(callee.accessPath) && !BLOCK_WORDS.has(callee.accessPath)) callWithBlock(callee, end, sink);
};

/** `new Cart`; with arguments it is a call like others. */
const newRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const match = /^new\s+([\w.$]+)/.exec(headText(source, start, end, 300));
  if (match === null) return;
  const after = start + match[0].length;
  const next = source[after] === '[' ? sink.closing(after, end) : after;
  if (source[next] === '(') return;
  sink.remember(end, start, `new ${match[1]}()`);
  sink.reference(after - match[1].length + match[1].lastIndexOf('.') + 1, after, 'new', match[1], { args: 0 });
};

const typeName = typeNames();

/** Placeholders of type lambdas (`*`) are no types. */
const typeRule: NodeRule = (view, sink) => {
  if (/^[\w$`]/.test(view.text)) typeName(view, sink);
};

/** `extends B[T](x) with C, D`. */
const extendsRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  // A case of an enum extends that enum.
  if (/\bcase\s+\w+\s*$/.test(source.slice(Math.max(0, start - 100), start))) return;
  const parent = /(?:^extends|\bwith|,)\s+([\w.$]+)/g;
  const text = headText(source, start, end, 2 * MAX_HEAD_LENGTH);
  for (let at = 0, count = 0; count < 50; count++) {
    parent.lastIndex = at;
    const match = parent.exec(text);
    if (match === null) return;
    const after = start + match.index + match[0].length;
    const from = after - match[1].length + match[1].lastIndexOf('.') + 1;
    let next = after;
    if (source[next] === '[') next = sink.closing(next, end);
    const isMade = source[next] === '(';
    if (isMade) {
      sink.declared(from);
      next = sink.closing(next, end);
    }
    sink.reference(isMade ? after : from, after, count === 0 ? 'extends' : 'implements', match[1]);
    at = Math.max(next - start, match.index + match[0].length);
  }
};

/** A type at `from`, with its type arguments. */
function typeAt(sink: FactSink, from: number, to: number): { type: string; end: number } {
  const { source } = sink;
  const match = /^\s*(?:=>\s*)?([\w.$]+)/.exec(headText(source, from, to));
  if (match === null) return { type: '', end: from };
  let end = from + match[0].length;
  if (source[end] === '[') end = sink.closing(end, to);
  // An instance never has the type of a function.
  if (/^\s*=>/.test(headText(source, end, to, 10)))
    return { type: '', end: findOutside(source, end + 4, to, '=,', LEXICAL) };
  let type = source.slice(from + match[0].length - match[1].length, end);
  for (let count = 0; count < MAX_PARTS; count++) {
    const part = PART.exec(headText(source, end, to));
    if (part === null) break;
    const close = source[end + part[0].length] === '[' ? sink.closing(end + part[0].length, to) : end + part[0].length;
    type += ` & ${source.slice(end + part[0].length - part[1].length, close)}`;
    end = close;
  }
  return { type, end };
}

/** `with B`, `& B` behind a type. */
const PART = /^\s*(?:with\s|&)\s*((?:\w+\.)*[A-Z][\w$]*)/;
const MAX_PARTS = 10;

interface Typed {
  name: string;
  type: string;
  value: string;
}

/** `name: Type = value`, from the name on. */
function typed(sink: FactSink, at: number, to: number): Typed {
  const { source } = sink;
  const name = nameFrom(source, at);
  let next = skipSpace(source, at + name.length, to, LEXICAL);
  let type = '';
  if (source[next] === ':') {
    const found = typeAt(sink, next + 1, to);
    type = found.type;
    next = skipSpace(source, found.end, to, LEXICAL);
  }
  const isValue = source[next] === '=' && source[next + 1] !== '>' && source[next + 1] !== '=';
  return { name, type, value: isValue ? sink.accessPath(next + 1, to) : '' };
}

const PARAMETER_HEAD =
  /^(?:@\w+(?:\([^()]*\))?\s+)*(?:(?:implicit|using|private|protected|override|final|inline|lazy)(?:\[\w+\])?\s+)*(?:va[lr]\s+)?/;

function parametersRule(place: 'local' | 'field'): NodeRule {
  return ({ start, end }, sink) => {
    for (const part of declarationsIn(sink, start, end)) {
      const head = PARAMETER_HEAD.exec(headText(sink.source, part.start, part.end));
      const at = part.start + (head?.[0].length ?? 0);
      const { name, type, value } = typed(sink, at, part.end);
      if (name !== '') sink[place](at, name, type, value);
    }
  };
}

const valueRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const head = /\bva[lr]\s+/.exec(headText(source, start, end));
  if (head === null) return;
  const at = start + head.index + head[0].length;
  if (source[at] === '(') addNames(sink, at, sink.closing(at, end));
  const { name, type, value } = typed(sink, at, end);
  if (name !== '') sink.variable(at, name, type, value);
};

/** Names that a pattern binds: the lower-case ones. */
function addNames(sink: FactSink, from: number, to: number): void {
  for (const match of headText(sink.source, from, to).matchAll(/(?<![\w.])([a-z_]\w*)\b(?!\s*[:.(\w])/g))
    if (match[1] !== '_') sink.local(from + match.index, match[1], '', '');
}

const patternRule: NodeRule = ({ start, end }, sink) => addNames(sink, start, end);

/** `cart: Cart` of a pattern. */
const typedPatternRule: NodeRule = ({ start, end }, sink) => {
  const { name, type } = typed(sink, start, end);
  if (name !== '') sink.local(start, name, type, '');
};

/** `item <- items`, `sum = total(x)`. */
const enumeratorRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const match = /^(?:case\s+)?(?:(\w+)|\([^()]*\))\s*(<-|=)\s*/.exec(headText(source, start, end));
  if (match === null) return;
  if (match[1] === undefined) {
    addNames(sink, start, start + match[0].length);
    return;
  }
  const guard = headText(source, start, end).search(/\sif\s/);
  const value = sink.accessPath(start + match[0].length, guard === -1 ? end : start + guard);
  sink.local(start, match[1], '', value !== '' && match[2] === '<-' ? `${value}[]` : value);
};

/** Methods that pass each element of their receiver to a function. */
const EACH =
  /^(?:map|flatMap|foreach|filter|filterNot|withFilter|exists|forall|find|count|collect|sortBy|groupBy|maxBy|minBy|partition|takeWhile|dropWhile|span|tapEach|distinctBy)$/;

/** `item => …`, whose value follows from the call. */
const lambdaRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  sink.closure(start, end);
  const match = /^(?:implicit\s+)?(\w+)(?:\s*:\s*([\w.]+))?\s*=>/.exec(headText(source, start, end, 300));
  if (match === null) return;
  const open = /[({]\s*$/.exec(source.slice(Math.max(0, start - 100), start));
  const call = open === null ? null : /^(.+)\.(\w+)$/.exec(sink.accessPathBefore(start - open[0].length).accessPath);
  sink.local(start, match[1], match[2] ?? '', call !== null && EACH.test(call[2]) ? `${call[1]}[]` : '');
};

const alone = byKind({
  'enum-member': ofEnumeration,
  type: aliases(/^\s*=\s*([\w.]+(?:\[[^\n=]*\])?)\s*$/),
});

function definition(view: DefinitionView, sink: FactSink): void {
  const { kind, nameStart, nameEnd, end } = view;
  const { source } = sink;
  alone(view, sink);
  let at = nameEnd;
  const ofType = kind !== 'function' && kind !== 'method';
  if (source[at] === '[') at = typeParameters(sink, at, end, { close: sink.closing(at, end), ofType });
  if (ofType) return;
  for (let count = 0; source[skipSpace(source, at, end, LEXICAL)] === '(' && count < 10; count++)
    at = sink.closing(skipSpace(source, at, end, LEXICAL), end);
  at = skipSpace(source, at, end, LEXICAL);
  if (source[at] === ':') {
    const { type } = typeAt(sink, at + 1, end);
    if (type !== '' && type !== 'Unit') sink.result(nameStart, type, '');
  } else if (source[at] === '=') sink.result(nameStart, '', sink.accessPath(at + 1, end));
}

const scalaRelations: RelationRules = {
  parameters: { type: 'behind', words: wordSet('implicit using val var private override inline'), rest: /\*\s*$/ },
  overloads: KNOWN_TYPES,
  libraries: LIBRARIES,
  lexical: LEXICAL,
  names: NAMES,
  nodes: {
    import_declaration: importRule,
    package_clause: packageRule,
    arguments: callRule,
    block: blockRule,
    case_block: blockRule,
    instance_expression: newRule,
    type_identifier: typeRule,
    extends_clause: extendsRule,
    class_parameters: parametersRule('field'),
    parameters: parametersRule('local'),
    bindings: parametersRule('local'),
    lambda_expression: lambdaRule,
    val_definition: valueRule,
    var_definition: valueRule,
    val_declaration: valueRule,
    var_declaration: valueRule,
    enumerator: enumeratorRule,
    typed_pattern: typedPatternRule,
    case_class_pattern: patternRule,
    tuple_pattern: patternRule,
    annotation: decorators({ form: /^@([\w.]+)/ }),
  },
  brackets: ['arguments', 'parameters', 'class_parameters'],
  definition,
  literalCalls: new Set(['test', 'it', 'describe', 'property']),
  values: /[(,=]\s*((?:this\.)?[A-Za-z_]\w*(?:\.\w+)*)\s*(?=[,)\n])/g,
  ignoredTypes: wordSet(
    `String Int Long Short Byte Float Double Boolean Char Unit Any AnyRef AnyVal Nothing Null List Option Some None
     Seq Map Set Either Vector Array Throwable Exception Object Iterator Iterable`,
  ),
};

/** Words that are keywords in some places, as ordinary names: `extension: Option[String]`. */
const AS_NAME =
  /\b(?:extension|inline|open|transparent|opaque|infix|using|derives|end)(?=[ \t]*(?:[,.)]|[:=](?![:=>])))/g;

function repairedScala(text: string): string {
  return text.replace(AS_NAME, (word) => 'x'.repeat(word.length));
}

const scalaDefinitions: DefinitionRules = {
  repaired: repairedScala,
  definitions: [
    { node: 'class_definition', kind: 'class' },
    { node: 'trait_definition', kind: 'trait' },
    { node: ['object_definition', 'package_object'], kind: 'object' },
    { node: 'enum_definition', kind: 'enum' },
    { node: ['simple_enum_case', 'full_enum_case'], kind: 'enum-member', exported: {} },
    { node: ['function_definition', 'function_declaration'], kind: 'function', member: 'method' },
    {
      node: ['val_definition', 'var_definition'],
      kind: 'variable',
      member: 'property',
      name: 'pattern',
      named: /^[\w$`]+$/,
      where: { not: { inside: { any: ['block', 'indented_block', 'case_clause'].map((kind) => ({ kind })) } } },
      outer: true,
    },
    { node: ['val_declaration', 'var_declaration'], kind: 'property', outer: true },
    { node: 'given_definition', kind: 'constant', outer: true },
    { node: 'type_definition', kind: 'type' },
  ],
  imports: ['package_clause', 'import_declaration'],
  comments: ['comment', 'block_comment'],
  docs: { line: /^\/\//, block: ['/*', '*/'] },
  exported: { notHead: /\bprivate\b/ },
  fixed: /\bprivate\b/,
  constructors: /^this$/,
  constants: /^[A-Z]/,
};

export const scala: ParsingRules = { definitions: scalaDefinitions, relations: scalaRelations };
