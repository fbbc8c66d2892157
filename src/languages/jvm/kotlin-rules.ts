/** Rules of Kotlin: definitions and relations. */
import { type ParsingRules, wordSet } from '../language.js';
import {
  angleEnd,
  bareLocals,
  casts,
  declarationsIn,
  decorators,
  headText,
  importPath,
  MAX_HEAD_LENGTH,
  type Mask,
  maskedRanges,
} from '../roles/declarations.js';
import type { DefinitionRules } from '../roles/definitions.js';
import { blanked } from '../roles/masks.js';
import {
  calls,
  callWithBlock,
  elementOf,
  type FactSink,
  keyedMembers,
  MAX_LIST_LENGTH,
  type NameRules,
  type NodeRule,
  type RelationRules,
  statedRoute,
  typeNames,
} from '../roles/relations.js';
import { lastPart, openingOf, skipSpace, skipSpaceBack, splitList } from '../roles/scan.js';
import { KNOWN_TYPES, LIBRARIES } from './java-rules.js';
import { checkRule, definition, LEXICAL, typed, whenEntryRule } from './kotlin-declarations.js';

const NAMES: NameRules = {
  opaque: ['line_comment', 'multiline_comment', 'string_content', 'character_literal'],
  keywords: wordSet(
    `as break class continue do else false for fun if in interface is null object package return super this throw true
     try typealias typeof val var when while`,
  ),
  softKeywords: wordSet(
    `abstract actual annotation by catch companion const constructor crossinline data delegate dynamic enum expect external field file
     final finally get import infix init inline inner internal it lateinit noinline open operator out override param private property
     protected public receiver reified sealed set setparam suspend tailrec vararg where`,
  ),
  unimported: true,
  labels: '=',
  interpolation: '$',
};

/** Only the text of the import counts: the node may reach to the end of a comment behind it. */
const importRule: NodeRule = ({ start, text }, sink) => {
  const match = /^import\s+([\w.`]+?)(\.\*)?(?:[ \t]+as[ \t]+([\w`]+))?(?=[\s;/]|$)/.exec(
    text.slice(0, MAX_HEAD_LENGTH),
  );
  if (match === null) return;
  const path = match[1].replaceAll('`', '');
  const end = start + match[0].length;
  if (match[3] !== undefined) sink.declared(end - match[3].length);
  importPath({ start, end }, path, match[2] !== undefined, sink, match[3]);
};

const packageRule: NodeRule = ({ start, text }, sink) => {
  const match = /\bpackage\s+([\w.`]+)/.exec(text.slice(0, MAX_HEAD_LENGTH));
  if (match !== null)
    sink.import(start, start + match.index + match[0].length, 'declare', match[1].replaceAll('`', ''));
};

const callRule = calls({
  special: ({ name, receiver, callee, list, end, view }, sink) => {
    const { source } = sink;
    if (/^[A-Z]|^copy$/.test(name)) namedArguments(sink, view.start, view.end, callee.accessPath);
    if (receiver === '' && (name === 'this' || name === 'super')) return true;
    // Annotations have a rule of their own.
    if (/@(?:\w+:)?$/.test(source.slice(Math.max(0, callee.start - 10), callee.start))) return true;
    // `f(x) { … }` has one argument more than its list.
    if (!/^[ \t]*\{/.test(source.slice(end, end + 10)) || list.count === -1) return false;
    const literal = ROUTES.has(name) ? list.literal : '';
    const accessPath = receiver === '' ? name : `${receiver}.${name}`;
    const last = literal === '' ? end : sink.closing(source.indexOf('{', end), source.length);
    sink.reference(callee.nameStart, last, 'call', accessPath, { args: list.count + 1, literal });
    return true;
  },
});

/** `Cart(size = 1)`, `cart.copy(size = 1)`. */
function namedArguments(sink: FactSink, open: number, close: number, callee: string): void {
  if (close - open > MAX_LIST_LENGTH || !sink.source.slice(open, close).includes('=')) return;
  const parts = splitList(sink.source, open + 1, close - 1, ',', LEXICAL);
  keyedMembers(parts, /^(\w+)\s*=(?!=)/, 'write', `${callee}{:}`, sink);
}

/** Calls whose first argument names a route or a test. */
const ROUTES = wordSet('get post put delete patch head options route test it describe should');

/** `class A : B by inner { … }`: the grammar takes the body of the class for a lambda. */
function isDelegate(source: string, start: number): boolean {
  const before = source.slice(Math.max(0, start - 200), start);
  return /\bby\s+[\w.]+\s*$/.test(before) && !/\b(?:val|var)\s[^={}()]*\bby\s+[\w.]+\s*$/.test(before);
}

/** `f { … }` is a call without an argument list; the list of `f(x) { … }` has been read already. */
const trailingLambdaRule: NodeRule = ({ start, end }, sink) => {
  if (isDelegate(sink.source, start)) return;
  const callee = sink.accessPathBefore(start);
  if (callee.accessPath === '' || callee.accessPath === '?') return;
  callWithBlock(callee, end, sink);
};

const annotationRule = decorators({
  form: /^@(?:\w+:)?\s*([\w.]+)/,
  // `@return` in a comment is no annotation, though the grammar takes it for code.
  own: /^(?:Suppress|Deprecated|JvmStatic|JvmField|JvmName|JvmOverloads|OptIn|Throws|PublishedApi|return)$/,
  literal: statedRoute,
});

/** `val x: T = v` in functions and types, `val (a, b) = v`. */
const propertyRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const head = /\b(?:val|var)\s+/g;
  head.lastIndex = start;
  const match = head.exec(source);
  if (match === null || match.index - start > MAX_HEAD_LENGTH || head.lastIndex >= end) return;
  let at = head.lastIndex;
  if (source[at] === '(') {
    bareLocals(sink, at, sink.closing(at, end), /(?<![:.\w]\s*)\b\w+/g);
    return;
  }
  if (source[at] === '<') at = skipSpace(source, angleEnd(source, at, end), end, LEXICAL);
  const receiver = /^[\w.<>?, ]+\.(?=\w+\s*(?::|=|$|\n))/.exec(headText(source, at, end, 200).split('\n')[0])?.[0];
  if (receiver !== undefined) at += receiver.length;
  // A getter or setter is no part of the value.
  const accessor = headText(source, at, end).search(/\n\s*(?:private\s+|internal\s+)?(?:get|set)\b/);
  const { name, type, value } = typed(sink, at, accessor === -1 ? end : at + accessor);
  if (name === '') return;
  if (receiver !== undefined) sink.variable(at + name.length, 'this', receiver.slice(0, -1), '');
  sink.variable(at, name, type, value);
};

/** `for (x in xs)`, `for ((a, b) in xs)`. */
const forRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const open = source.indexOf('(', start);
  const close = sink.closing(open, end) - 1;
  const match = /^\(\s*(?:(\w+)(?:\s*:\s*([\w.<>?]+))?|\(([\w\s,:]*)\))\s+in\s/.exec(headText(source, open, close));
  if (match === null) return;
  const list = sink.accessPath(open + match[0].length, close);
  if (match[1] === undefined)
    for (const name of match[3].matchAll(/\w+/g)) sink.local(open + name.index, name[0], '', '');
  else sink.local(open + match[0].indexOf(match[1]), match[1], match[2] ?? '', elementOf(list));
};

/** Calls whose lambda has no receiver (most get `it`), or one that the call does not show (`launch`). `with(cart) { … }` names its own. */
const NO_RECEIVER =
  /^(?:map|mapNotNull|mapIndexed|flatMap|filter|filterNot|filterNotNull|filterIndexed|forEach|forEachIndexed|onEach|any|all|none|count|find|findLast|first|firstOrNull|last|lastOrNull|single|singleOrNull|sumOf|sumBy|maxBy|minBy|maxByOrNull|minByOrNull|maxOf|minOf|sortedBy|sortBy|sortedByDescending|groupBy|associate|associateBy|associateWith|partition|takeWhile|dropWhile|fold|reduce|let|also|takeIf|takeUnless|use|repeat|lazy|require|check|requireNotNull|checkNotNull|getOrPut|getOrElse|joinToString|zip|launch|async|withLock|synchronized|thread|runBlocking)$/;

/** Calls whose second parameter is the element. */
const INDEXED = /Indexed(?:NotNull)?$/;

/** States the receiver that names in a lambda can leave out. */
function implied(sink: FactSink, start: number, end: number, path: string): void {
  const name = lastPart(path);
  if (name !== 'with') {
    if (path !== name || name !== 'run') if (!NO_RECEIVER.test(name)) sink.implied(start, end, `${path}{=}`);
    return;
  }
  const close = skipSpaceBack(sink.source, start, 0, LEXICAL);
  const open = sink.source[close - 1] === ')' ? openingOf(sink.source, close, 0, LEXICAL) : -1;
  const value = open === -1 ? '' : sink.accessPath(open + 1, close - 1);
  if (value !== '') sink.implied(start, end, `${value}.run{=}`);
}

/** Parameters of a lambda, `it` included, whose values follow from the call. */
const lambdaRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  if (isDelegate(source, start)) return;
  sink.closure(start, end);
  const text = headText(source, start, end);
  const match = /^\{\s*((?:[\w(),:.<>?](?:[\w(),:.<>?\s]*[\w(),:.<>?])?)?)\s*->/.exec(text);
  const { accessPath } = sink.accessPathBefore(start);
  const path = accessPath.replace(/\(\)$/, '');
  const isCall = /^(?!\?).*[^)\]]$/s.test(path);
  const given = isCall ? `${path}{}` : '';
  if (isCall) implied(sink, start, end, path);
  if (match === null || match[1].includes('when')) {
    sink.local(start + 1, 'it', '', given);
    return;
  }
  const parts = declarationsIn(sink, start, start + match[0].length - 1);
  const element = parts.length === 1 ? 0 : parts.length === 2 && INDEXED.test(path) ? 1 : -1;
  for (const [index, part] of parts.entries()) {
    if (source[part.start] === '(') bareLocals(sink, part.start, part.end);
    const { name, type } = typed(sink, part.start, part.end);
    if (name !== '') sink.local(part.start, name, type, index === element && type === '' ? given : '');
  }
};

const catchRule: NodeRule = ({ start, end }, sink) => {
  const match = /\(\s*(\w+)\s*:\s*([\w.]+)/.exec(headText(sink.source, start, end, 200));
  if (match !== null) sink.local(start + match.index + 1, match[1], match[2], '');
};

const whenRule: NodeRule = ({ start, end }, sink) => {
  const match = /^\(\s*val\s+(?=\w)/.exec(headText(sink.source, start, end, 100));
  if (match === null) return;
  const { name, type, value } = typed(sink, start + match[0].length, end - 1);
  sink.local(start + match[0].length, name, type, value);
};

/** `::show`, `Cart::total`, `Cart::class`. */
const callableRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const text = source.slice(start, end).replace(/\s+/g, '');
  if (text.length > 200 || text.endsWith('::class')) return;
  const accessPath = text.replace(/^::/, '').replaceAll('::', '.');
  if (/^[\w.]+$/.test(accessPath))
    sink.reference(end - (/\w+$/.exec(accessPath)?.[0].length ?? 0), end, 'read', accessPath);
};

/** `a with b` calls `with` on `a`. */
const infixRule: NodeRule = (node, sink) => {
  const { start, end } = node;
  const [, name] = node.children;
  if (name?.kind !== 'simple_identifier') return;
  const { start: from, end: to } = name;
  if (from < start || to > end) return;
  const { accessPath } = sink.accessPathBefore(from);
  const receiver = accessPath === '' ? '?' : accessPath;
  sink.reference(from, end, 'call', `${receiver}.${sink.source.slice(from, to)}`, { args: 1 });
};

/** The parent of an object without a name: `object : Cart() { … }`. */
const objectRule: NodeRule = ({ start, end }, sink) => {
  const head = /^object\s*:\s*([\w.]+)[^{]*\{/.exec(headText(sink.source, start, end));
  if (head !== null) sink.implied(start + head[0].length, end, `new ${head[1]}().run{=}`);
};

const kotlinRelations: RelationRules = {
  parameters: {
    type: 'behind',
    words: wordSet('vararg noinline crossinline private public protected internal override val var'),
    rest: /\bvararg\s/,
  },
  overloads: KNOWN_TYPES,
  libraries: LIBRARIES,
  lexical: LEXICAL,
  names: NAMES,
  nodes: {
    import_header: importRule,
    package_header: packageRule,
    value_arguments: callRule,
    annotated_lambda: trailingLambdaRule,
    lambda_literal: lambdaRule,
    // Packages, and the receiver of `cart::total`, are no types.
    type_identifier: typeNames('.:'),
    annotation: annotationRule,
    property_declaration: propertyRule,
    for_statement: forRule,
    catch_block: catchRule,
    when_subject: whenRule,
    callable_reference: callableRule,
    as_expression: casts(/\bas\??\s+([\w.]+)[^()]*$/),
    infix_expression: infixRule,
    object_literal: objectRule,
    when_entry: whenEntryRule,
    check_expression: checkRule,
  },
  brackets: ['value_arguments'],
  definition,
  values: /[(,=]\s*((?:this\.)?[A-Za-z_]\w*(?:\.\w+)*)\s*(?=[,)\n])/g,
  ignoredTypes: wordSet(
    'String Int Long Short Byte Float Double Boolean Char Unit Any Nothing Number CharSequence Throwable Exception',
  ),
};

// Forms that are newer than the grammar, or that it takes for something else.

const ARGUMENTS =
  '\\((?:[^()"]|"(?:[^"\\\\\\n]|\\\\.){0,1000}"|\\((?:[^()"]|"(?:[^"\\\\\\n]|\\\\.){0,1000}"|\\([^()"]{0,500}\\)){0,1000}\\)){0,2000}\\)';
const ANNOTATION = `@[\\w.:]{1,200}(?:<[^<>()\\n]{0,200}>)?(?:${ARGUMENTS})?`;
const MODIFIERS =
  '(?:(?:public|private|protected|internal|abstract|open|final|sealed|data|enum|inner|value|annotation|external|expect|actual|const|override|suspend|inline|operator|infix|tailrec|lateinit|companion)\\s+){0,6}';
/** All annotations but the last before a type: the grammar takes several of them, and the type, for an expression. */
const ANNOTATIONS = new RegExp(
  `^[ \\t]*((?:${ANNOTATION}\\s+){1,12})(?=${ANNOTATION}\\s+${MODIFIERS}(?:fun[ \\t]+)?(?:class|interface|object)[ \\t]+\\w)`,
  'gm',
);
/** `class Cart`, and its constructor on a line of its own, perhaps below a comment. */
const CONSTRUCTOR = new RegExp(
  `\\bclass[ \\t]+\\w+(?:<[^(){}=;]{0,200}>)?(\\s+(?:/\\*(?:[^*]|\\*(?!/)){0,1000}\\*/\\s*)?(?:${ANNOTATION}\\s+){0,8}(?:(?:private|internal|protected|public)\\s+)?constructor\\s*)\\(`,
  'g',
);
const CONTEXT = new RegExp(
  `^[ \\t]*(context[ \\t]*${ARGUMENTS})(?=\\s*(?:${ANNOTATION}\\s+){0,4}${MODIFIERS}(?:fun|val|var|class|interface)\\b)`,
  'gm',
);
/** `fun interface Rule` */
const FUN_INTERFACE = /\b(fun)(?=[ \t]+interface[ \t]+\w)/g;
/** `object : Callbacks by noOp() {` */
const DELEGATION = /\bobject[ \t]*:[ \t]*[\w.]+(?:<[^(){}=;]{0,200}>)?[ \t]+(by[ \t]+[^\n{}]{1,200})(?=\{)/g;
/** A function whose name is a modifier. */
const MODIFIER_AS_NAME =
  /\bfun[ \t]+(?:<[^(){}=;\n]{0,200}>[ \t]*)?(?:\w+(?:<[^(){}=;\n]{0,200}>)?\.)?(suspend|inline|open|data|inner|value|operator|override|internal|external|annotation)(?=[ \t]*\()/g;
/** `$$"…$name…"` */
const DOLLARS = /(?<!\$)(\${2,8}(?:"""(?:[^"]|"(?!""))*(?:"""|$)|"(?:[^"\\\n]|\\.)*"?))/g;

const NEWER: readonly Mask[] = [
  // `is Cart if it.isEmpty() ->` and `else if it.isEmpty() ->` in `when`
  [/^[ \t]*(?:!?(?:is|in)[ \t]+)?(?!else\b)[\w.<>*?"']{1,100}([ \t]if)(?=[ \t(][^\n{}]{1,200}?->)/gm, ','],
  [/^[ \t]*(else[ \t]+if)(?=[ \t(][^\n{}]{1,200}?->)/gm],
  [/\.\.(<)/g],
  [/@(all):(?=[A-Z])/g, 'get'],
  ...[ANNOTATIONS, CONTEXT, FUN_INTERFACE, DELEGATION].map((pattern): Mask => [pattern]),
  [CONSTRUCTOR, (found) => found.replace(/\s/g, ' ')],
  [MODIFIER_AS_NAME, (found) => '_'.repeat(found.length)],
  [DOLLARS, (found) => found.replaceAll('$', ' ')],
];

const repairedKotlin = (text: string): string => blanked(text, maskedRanges(text, NEWER));

/** In the body of a class that the grammar takes for a lambda, as `isDelegate` says. Other statements are in code, also in `init { … }`. */
const OF_DELEGATE = {
  kind: 'call_suffix',
  inside: { kind: 'call_expression', inside: { kind: 'explicit_delegation' } },
};
const LAMBDA = { kind: 'lambda_literal', inside: { kind: 'annotated_lambda', inside: OF_DELEGATE } };
const IN_DELEGATE = { inside: { kind: 'statements', inside: LAMBDA } };

const kotlinDefinitions: DefinitionRules = {
  repaired: repairedKotlin,
  misread: {
    kind: 'simple_identifier',
    words: new Set(['class', 'interface', 'object', 'fun', 'package', 'val', 'var']),
  },
  definitions: [
    {
      node: 'class_declaration',
      kind: 'class',
      name: '>type_identifier',
      head: [
        [/\benum\s+class\s*$/, 'enum'],
        [/\binterface\s*$/, 'interface'],
      ],
      body: '>class_body',
    },
    { node: 'object_declaration', kind: 'object', name: '>type_identifier', body: '>class_body' },
    { node: 'companion_object', kind: 'object', name: '>type_identifier', unnamed: 'Companion', body: '>class_body' },
    {
      node: 'function_declaration',
      kind: 'function',
      member: 'method',
      name: '>simple_identifier',
      body: '>function_body',
    },
    { node: 'secondary_constructor', kind: 'constructor', unnamed: 'constructor', body: '>statements' },
    {
      node: 'property_declaration',
      kind: 'variable',
      member: 'property',
      name: '>variable_declaration/>simple_identifier',
      head: [[/\bconst\s+val\s*$/, 'constant']],
      where: {
        any: [{ not: { inside: { kind: 'statements' } } }, IN_DELEGATE],
        not: { inside: { kind: 'class_body', inside: { kind: 'object_literal' } } },
      },
      outer: true,
    },
    {
      node: 'class_parameter',
      kind: 'property',
      name: '>simple_identifier',
      head: [
        [/\b(?:val|var)\s+$/, 'property'],
        [/^/, null],
      ],
    },
    { node: 'type_alias', kind: 'type', name: '>type_identifier' },
    { node: 'enum_entry', kind: 'enum-member', name: '>simple_identifier', exported: {} },
  ],
  groups: ['import_list'],
  imports: ['package_header', 'import_header', 'file_annotation', 'shebang_line'],
  comments: ['line_comment', 'multiline_comment'],
  docs: { line: /^\/\//, block: ['/*', '*/'] },
  exported: { notHead: /\b(?:private|internal)\b/ },
  fixed: /\bprivate\b/,
};

export const kotlin: ParsingRules = { definitions: kotlinDefinitions, relations: kotlinRelations };
