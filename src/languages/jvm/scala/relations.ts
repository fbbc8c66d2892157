/** Scala. */
import { calls } from '../../roles/call-rules.js';
import { declarationsIn, LONGEST_HEAD, nameFrom, typeParameters } from '../../roles/declarations.js';
import type { DefinitionView, NodeRule, Reading, RelationRules, Spelling } from '../../roles/relations.js';
import { findOutside, skipSpace, splitList } from '../../roles/scan.js';

const SPELLING: Spelling = {
  joins: ['.'],
  nameExtra: '$`',
  newWord: 'new',
  typeArguments: '[]',
  quotes: '"',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
};

/** `import a.b.{C, D => E, _}, x.Y`. */
const importRule: NodeRule = ({ start, end, text }, reading) => {
  const from = start + (/^import\s+/.exec(text)?.[0].length ?? 0);
  for (const part of splitList(reading.source, from, end, ',', SPELLING)) {
    const written = reading.source.slice(part.start, part.end);
    const match = /^([\w.$`\s]+?)\s*\.\s*(?:\{([^}]*)\}|([\w$`*]+)(?:\s+as\s+(\w+))?)$/.exec(written);
    if (match === null) continue;
    const specifier = match[1].replace(/[\s`]/g, '');
    const names = (match[2] ?? `${match[3]} as ${match[4] ?? match[3]}`).split(',').flatMap((item) => {
      const [name, alias = name] = item.trim().split(/\s*=>\s*|\s+as\s+/);
      if (name === '' || name === 'given' || (alias === '_' && name !== '_')) return [];
      return name === '_' || name === '*' ? [{ name: '*', alias: '' }] : [{ name, alias }];
    });
    reading.import(start, end, 'import', specifier, names);
  }
};

/** `package a.b` and then `package c`: the file is part of `a.b.c`. */
const packageRule: NodeRule = ({ start, end, text }, reading) => {
  const own = /^package\s+([\w.$`]+)/.exec(text)?.[1];
  if (own === undefined) return;
  const before = [
    ...reading.source.slice(Math.max(0, start - LONGEST_HEAD), start).matchAll(/^package\s+([\w.$`]+)\s*$/gm),
  ];
  const names = [...before.map((match) => match[1]), own].join('.').replaceAll('`', '');
  reading.import(start, Math.min(end, start + text.indexOf(own) + own.length), 'declare', names);
};

const callRule = calls({
  special: ({ name, receiver, callee }, { source }) =>
    (receiver === '' && (name === 'this' || name === 'super')) || source[callee.start - 1] === '@',
});

/** Words before a block or a list of cases that are no calls. */
const BLOCK_WORDS = new Set([
  'else',
  'try',
  'do',
  'yield',
  'match',
  'catch',
  'finally',
  'then',
  'return',
  'case',
  'with',
  'given',
]);

/** `xs.foreach { … }`, `f(x) { … }`. */
const blockRule: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  const before = source.slice(Math.max(0, start - 2), start);
  if (source[start] !== '{' || !/[\w)\]] ?$/.test(before)) return;
  const { chain, start: from, nameStart } = reading.chainBefore(start);
  if (chain === '' || chain === '?' || BLOCK_WORDS.has(chain)) return;
  const isCalled = chain.endsWith('()');
  reading.remember(end, from, isCalled ? chain : `${chain}()`);
  if (!isCalled) reading.reference(nameStart, end, 'call', chain, { args: 1 });
};

/** `new Cart`; with arguments it is a call like others. */
const newRule: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  const match = /^new\s+([\w.$]+)/.exec(source.slice(start, Math.min(end, start + 300)));
  if (match === null) return;
  const after = start + match[0].length;
  const next = source[after] === '[' ? reading.closing(after, end) : after;
  if (source[next] === '(') return;
  reading.remember(end, start, `new ${match[1]}()`);
  reading.reference(after - match[1].length + match[1].lastIndexOf('.') + 1, after, 'new', match[1], { args: 0 });
};

const typeRule: NodeRule = ({ start, end, text }, reading) => {
  const { source } = reading;
  // Placeholders of type lambdas (`*`) are no types.
  if (!/^[\w$`]/.test(text)) return;
  reading.reference(start, end, 'type', source[start - 1] === '.' ? reading.chainBefore(end).chain : text);
};

/** `extends B[T](x) with C, D`. */
const extendsRule: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  // A case of an enum extends that enum.
  if (/\bcase\s+\w+\s*$/.test(source.slice(Math.max(0, start - 100), start))) return;
  const parent = /(?:^extends|\bwith|,)\s+([\w.$]+)/g;
  const text = source.slice(start, Math.min(end, start + 2 * LONGEST_HEAD));
  for (let at = 0, count = 0; count < 50; count++) {
    parent.lastIndex = at;
    const match = parent.exec(text);
    if (match === null) return;
    const after = start + match.index + match[0].length;
    const from = after - match[1].length + match[1].lastIndexOf('.') + 1;
    let next = after;
    if (source[next] === '[') next = reading.closing(next, end);
    const isMade = source[next] === '(';
    if (isMade) {
      reading.declared(from);
      next = reading.closing(next, end);
    }
    reading.reference(isMade ? after : from, after, count === 0 ? 'extends' : 'implements', match[1]);
    at = Math.max(next - start, match.index + match[0].length);
  }
};

/** A type at `from`, with its type arguments. */
function typeAt(reading: Reading, from: number, to: number): { type: string; end: number } {
  const { source } = reading;
  const match = /^\s*(?:=>\s*)?([\w.$]+)/.exec(source.slice(from, Math.min(to, from + LONGEST_HEAD)));
  if (match === null) return { type: '', end: from };
  let end = from + match[0].length;
  if (source[end] === '[') end = reading.closing(end, to);
  // A function's type is no type of an instance.
  if (/^\s*=>/.test(source.slice(end, Math.min(to, end + 10))))
    return { type: '', end: findOutside(source, end + 4, to, '=,', SPELLING) };
  return { type: source.slice(from + match[0].length - match[1].length, end), end };
}

interface Typed {
  name: string;
  type: string;
  value: string;
}

/** `name: Type = value`, from the name on. */
function typed(reading: Reading, at: number, to: number): Typed {
  const { source } = reading;
  const name = nameFrom(source, at);
  let next = skipSpace(source, at + name.length, to, SPELLING);
  let type = '';
  if (source[next] === ':') {
    const found = typeAt(reading, next + 1, to);
    type = found.type;
    next = skipSpace(source, found.end, to, SPELLING);
  }
  const isValue = source[next] === '=' && source[next + 1] !== '>' && source[next + 1] !== '=';
  return { name, type, value: isValue ? reading.chain(next + 1, to) : '' };
}

const PARAMETER_HEAD =
  /^(?:@\w+(?:\([^()]*\))?\s+)*(?:(?:implicit|using|private|protected|override|final|inline|lazy)(?:\[\w+\])?\s+)*(?:va[lr]\s+)?/;

function parametersRule(place: 'local' | 'field'): NodeRule {
  return ({ start, end }, reading) => {
    for (const part of declarationsIn(reading, start, end)) {
      const head = PARAMETER_HEAD.exec(reading.source.slice(part.start, Math.min(part.end, part.start + LONGEST_HEAD)));
      const at = part.start + (head?.[0].length ?? 0);
      const { name, type, value } = typed(reading, at, part.end);
      if (name !== '') reading[place](at, name, type, value);
    }
  };
}

const valueRule: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  const head = /\bva[lr]\s+/.exec(source.slice(start, Math.min(end, start + LONGEST_HEAD)));
  if (head === null) return;
  const at = start + head.index + head[0].length;
  if (source[at] === '(') addNames(reading, at, reading.closing(at, end));
  const { name, type, value } = typed(reading, at, end);
  if (name !== '') reading.variable(at, name, type, value);
};

/** Names that a pattern binds: the lower-case ones. */
function addNames(reading: Reading, from: number, to: number): void {
  for (const match of reading.source
    .slice(from, Math.min(to, from + LONGEST_HEAD))
    .matchAll(/(?<![\w.])([a-z_]\w*)\b(?!\s*[:.(\w])/g))
    if (match[1] !== '_') reading.local(from + match.index, match[1], '', '');
}

const patternRule: NodeRule = ({ start, end }, reading) => addNames(reading, start, end);

/** `cart: Cart` of a pattern. */
const typedPatternRule: NodeRule = ({ start, end }, reading) => {
  const { name, type } = typed(reading, start, end);
  if (name !== '') reading.local(start, name, type, '');
};

/** `item <- items`, `sum = total(x)`. */
const enumeratorRule: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  const match = /^(?:case\s+)?(?:(\w+)|\([^()]*\))\s*(<-|=)\s*/.exec(
    source.slice(start, Math.min(end, start + LONGEST_HEAD)),
  );
  if (match === null) return;
  if (match[1] === undefined) {
    addNames(reading, start, start + match[0].length);
    return;
  }
  const guard = source.slice(start, Math.min(end, start + LONGEST_HEAD)).search(/\sif\s/);
  const value = reading.chain(start + match[0].length, guard === -1 ? end : start + guard);
  reading.local(start, match[1], '', value !== '' && match[2] === '<-' ? `${value}[]` : value);
};

/** Methods that give each element of what they are called on to a function. */
const EACH =
  /^(?:map|flatMap|foreach|filter|filterNot|withFilter|exists|forall|find|count|collect|sortBy|groupBy|maxBy|minBy|partition|takeWhile|dropWhile|span|tapEach|distinctBy)$/;

/** `item => …`, where the call says what it gets. */
const lambdaRule: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  reading.closure(start, end);
  const match = /^(?:implicit\s+)?(\w+)(?:\s*:\s*([\w.]+))?\s*=>/.exec(source.slice(start, Math.min(end, start + 300)));
  if (match === null) return;
  const open = /[({]\s*$/.exec(source.slice(Math.max(0, start - 100), start));
  const call = open === null ? null : /^(.+)\.(\w+)$/.exec(reading.chainBefore(start - open[0].length).chain);
  reading.local(start, match[1], match[2] ?? '', call !== null && EACH.test(call[2]) ? `${call[1]}[]` : '');
};

function definition({ kind, name, nameStart, nameEnd, end }: DefinitionView, reading: Reading): void {
  const { source } = reading;
  if (kind === 'enum-member') reading.field(nameStart, name, '', 'this');
  if (kind === 'type') {
    const type = /^\s*=\s*([\w.]+(?:\[[^\n=]*\])?)\s*$/.exec(
      source.slice(nameEnd, Math.min(end, nameEnd + LONGEST_HEAD)),
    )?.[1];
    if (type !== undefined) reading.alias(nameStart, name, type);
  }
  let at = nameEnd;
  if (source[at] === '[') at = typeParameters(reading, at, end, reading.closing(at, end));
  if (kind !== 'function' && kind !== 'method') return;
  for (let count = 0; source[skipSpace(source, at, end, SPELLING)] === '(' && count < 10; count++)
    at = reading.closing(skipSpace(source, at, end, SPELLING), end);
  at = skipSpace(source, at, end, SPELLING);
  if (source[at] === ':') {
    const { type } = typeAt(reading, at + 1, end);
    if (type !== '' && type !== 'Unit') reading.result(nameStart, type, '');
  } else if (source[at] === '=') reading.result(nameStart, '', reading.chain(at + 1, end));
}

export const scala: RelationRules = {
  spelling: SPELLING,
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
    annotation: ({ start, end, text }, reading) => {
      const match = /^@([\w.]+)/.exec(text);
      if (match === null) return;
      const at = start + match[0].length - match[1].length + match[1].lastIndexOf('.') + 1;
      const list = text[match[0].length] === '(' ? reading.arguments(start + match[0].length, end) : null;
      reading.reference(at, end, 'decorator', match[1], { args: list?.count ?? -1, literal: list?.literal ?? '' });
    },
  },
  brackets: ['arguments', 'parameters', 'class_parameters'],
  definition,
  literalCalls: new Set(['test', 'it', 'describe', 'property']),
  values: /[(,=]\s*((?:this\.)?[A-Za-z_]\w*(?:\.\w+)*)\s*(?=[,)\n])/g,
  ignoredTypes: new Set(
    'String Int Long Short Byte Float Double Boolean Char Unit Any AnyRef AnyVal Nothing Null List Option Some None Seq Map Set Either Vector Array Throwable Exception Object Iterator Iterable'.split(
      ' ',
    ),
  ),
};
