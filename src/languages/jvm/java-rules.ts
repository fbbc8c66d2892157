/** Rules of Java: definitions and relations. */
import { type ParsingRules, wordSet, words } from '../language.js';
import {
  angleEnd,
  byKind,
  casts,
  declarationsIn,
  declarators,
  decorators,
  HANDED_ON,
  headText,
  importPath,
  localNames,
  MAX_HEAD_LENGTH,
  ofEnumeration,
  parents,
  skipModifiers,
  typeBeforeName,
  typeParameters,
  valueAfter,
} from '../roles/declarations.js';
import type { DefinitionRules } from '../roles/definitions.js';
import { PARENT } from '../roles/relation-facts.js';
import {
  calls,
  type DefinitionView,
  elementOf,
  type FactSink,
  type LexicalConventions,
  type NameRules,
  type NodeRule,
  type NodeView,
  type RelationRules,
  statedRoute,
  typeNames,
} from '../roles/relations.js';
import { openingAngle, skipSpace, skipSpaceBack } from '../roles/scan.js';
import { argumentTypes } from '../roles/type-expressions.js';

/**
 * Types of members of the library: `trim()` of any value, `Long.MAX_VALUE` of its type. Types are those of `Reference.types`: `"` is a string,
 * `'` a character, `0` and `0L` an integer and a long one, `0.` and `0f` a double and a float, `class` the class of a value.
 */
export const KNOWN_TYPES: ReadonlyMap<string, string> = new Map(
  [
    [
      '"',
      'String.valueOf() String.format() String.join() toString() trim() toLowerCase() toUpperCase() substring() concat() replaceAll()',
    ],
    ['0', 'length length() size() hashCode() ordinal() intValue() indexOf() lastIndexOf() compareTo()'],
    ['0', 'Integer.MAX_VALUE Integer.MIN_VALUE Integer.parseInt()'],
    ['0L', 'longValue() Long.MAX_VALUE Long.MIN_VALUE Long.parseLong() System.nanoTime() System.currentTimeMillis()'],
    ['true', 'equals() isEmpty() contains() startsWith() endsWith() hasNext()'],
    ["'", 'charAt()'],
    ['byte[]', 'getBytes()'],
    ['char[]', 'toCharArray()'],
    ['class', 'getClass()'],
    [
      '0.',
      'Double.NaN Double.MAX_VALUE Double.MIN_VALUE Double.POSITIVE_INFINITY Double.NEGATIVE_INFINITY Double.parseDouble() Math.PI',
    ],
    ['0.', 'doubleValue() Math.sqrt() Math.random() Math.pow()'],
    [
      '0f',
      'floatValue() Float.NaN Float.MAX_VALUE Float.MIN_VALUE Float.POSITIVE_INFINITY Float.NEGATIVE_INFINITY Float.parseFloat()',
    ],
    [
      'List',
      'Arrays.asList() List.of() List.copyOf() Collections.emptyList() Collections.singletonList() Collections.unmodifiableList()',
    ],
    ['Set', 'Set.of() Set.copyOf() Collections.emptySet() Collections.singleton()'],
    ['EnumSet', 'EnumSet.of() EnumSet.noneOf() EnumSet.allOf()'],
    ['Map', 'Map.of() Map.copyOf() Collections.emptyMap() Collections.singletonMap() Collections.unmodifiableMap()'],
    ['Set', 'keySet() entrySet()'],
    ['Path', 'Paths.get() Path.of()'],
    ['Locale', 'Locale.getDefault() Locale.ROOT Locale.ENGLISH Locale.US Locale.UK Locale.GERMANY Locale.FRANCE'],
    [
      'Charset',
      'StandardCharsets.UTF_8 StandardCharsets.US_ASCII StandardCharsets.ISO_8859_1 Charset.forName() Charset.defaultCharset()',
    ],
    ['Pattern', 'Pattern.compile()'],
    ['Duration', 'Duration.ofSeconds() Duration.ofMillis() Duration.ofMinutes() Duration.ZERO'],
    ['ByteBuffer', 'ByteBuffer.wrap() ByteBuffer.allocate()'],
    ['BigInteger', 'BigInteger.valueOf() BigInteger.ONE BigInteger.ZERO BigInteger.TEN'],
    ['BigDecimal', 'BigDecimal.valueOf() BigDecimal.ONE BigDecimal.ZERO BigDecimal.TEN'],
    ['InputStream', 'getInputStream() getResourceAsStream()'],
    ['ClassLoader', 'getClassLoader() getContextClassLoader()'],
    ['Boolean', 'Boolean.TRUE Boolean.FALSE'],
    ...['Integer', 'Long', 'Short', 'Byte', 'Double', 'Float', 'Boolean', 'Character'].map((type) => [
      type,
      `${type}.valueOf()`,
    ]),
  ].flatMap(([type, members]) => words(members).map((member) => [member, type] as const)),
);

/** Packages of libraries, types of the language itself, and functions that tests import as `*`. */
export const LIBRARIES =
  /^(?:javax?|jakarta|kotlinx?|scala|android|org\.(?:junit|hamcrest|mockito|assertj|slf4j)|com\.google\.common|com\.google\.truth)\.|^(?:String(?:Builder|Buffer)?|Math|System|Object|Class|Thread|Integer|Long|Double|Boolean|Character|Arrays|Collections|Objects|List|Map|Set|(?:assert|verify|fail|when|expect)(?:[A-Z]\w*)?)$/;

/**
 * `cart -> …`, `(key, cart) -> …`: parameters with the value that the call gives them. `inferred_parameters` states bare names in brackets, so
 * only a bare name without brackets is stated here if nothing is known of it.
 */
const lambdaRule: NodeRule = (node, sink) => {
  const { start, end } = node;
  sink.closure(start, end);
  const { source } = sink;
  const head = /^(?:([\w$]+)|\(\s*([\w$]+)\s*(?:,\s*([\w$]+)\s*)?\))\s*->/.exec(
    source.slice(start, start + MAX_LAMBDA_HEAD),
  );
  if (head === null) return;
  const given = givenTo(sink, start, node);
  const [, bare, first = bare, second] = head;
  // Of two parameters, one or both are an element of what the method is called on.
  const isElement = (index: number): boolean =>
    second === undefined || BOTH.test(given) || (LATER.test(given) ? 1 : 0) === index;
  const at = start + head[0].indexOf(first);
  if (given !== '' && isElement(0)) sink.local(at, first, '', given);
  else if (bare !== undefined) sink.local(start, bare, '', '');
  if (given === '' || second === undefined) return;
  const value = isElement(1) ? given : given.replace(/\{\}$/, '{1}');
  sink.local(start + head[0].lastIndexOf(second), second, '', value);
};

/** The parent of a class without a name: `new Cart() { … }`. */
const anonymousRule: NodeRule = (node, sink) => {
  const { start, end } = node;
  const { source } = sink;
  if (source[end - 1] !== '}') return;
  const type = /^new\s+([\w$.]+)/.exec(headText(source, start, end, MAX_LAMBDA_HEAD))?.[1];
  const body = node.children.find(({ kind }) => kind === 'class_body');
  if (type !== undefined && body !== undefined) sink.implied(body.start, end, `new ${type}().run{=}`);
};

/** `case OPEN`: a constant of the type of the switch, which needs no import. */
const switchLabelRule: NodeRule = (node, sink) => {
  const { start, end } = node;
  const { source } = sink;
  const names = /^case\s+([A-Z_][\w$]*(?:\s*,\s*[A-Z_][\w$]*)*)\s*(?=->|:|$)/.exec(headText(source, start, end + 1));
  if (names === null) return;
  let at: NodeView | null = node;
  for (let depth = 0; at !== null && depth < 4 && !/^switch_(?:expression|statement)$/.test(at.kind); depth++)
    at = at.parent;
  const subject = at?.field('condition');
  const path = subject == null ? '' : sink.accessPath(subject.start + 1, subject.end - 1);
  if (path === '') return;
  for (const match of names[1].matchAll(/[\w$]+/g)) {
    const from = start + names[0].indexOf(names[1]) + match.index;
    sink.reference(from, from + match[0].length, 'read', `${path}.run{=}.${match[0]}`);
  }
};

const MAX_LAMBDA_HEAD = 120;
/** Calls that pass two elements, and calls that pass the element second. */
const BOTH = /\.(?:sort|sorted|reduce|max|min|merge|compare)\{\}$/;
const LATER = /\.(?:forEach|compute|computeIfPresent|replaceAll)\{\}$/;

/** Access path of the first value that a lambda gets: from the call that it is an argument of, or the interface that it is assigned to; '' if unknown. */
function givenTo(sink: FactSink, start: number, node: NodeView): string {
  const { source } = sink;
  const before = skipSpaceBack(source, start, 0, LEXICAL);
  if (source[before - 1] === '=') {
    const declared = /([\w$.]+)(<[^<>=;]*>)?\s+[\w$]+\s*=$/.exec(
      source.slice(Math.max(0, before - MAX_LAMBDA_HEAD), before),
    );
    return declared === null ? '' : `${ownInterface(declared[1] + (declared[2] ?? '')) || declared[1]}{}`;
  }
  const list = node.parent;
  if (list?.kind !== 'argument_list') return '';
  const { accessPath, isNew } = sink.accessPathBefore(list.start);
  return isNew || accessPath === '' || accessPath.startsWith('?') ? '' : `${accessPath}{}`;
}

/** `Cart::new`, `shop.Box<Cart>::new`; `Cart[]::new` makes no cart. */
const MAKER = /^([\p{L}\p{N}_$]+(?:\.[\p{L}\p{N}_$]+)*)\s*(?:<[\s\S]*>)?\s*::\s*new$/u;
/** Longest reference to a constructor, in UTF-16 units. */
const MAX_MAKER = 300;

const methodReferenceRule: NodeRule = ({ start, end }, sink) => {
  const type = end - start > MAX_MAKER ? undefined : MAKER.exec(sink.source.slice(start, end))?.[1];
  if (type !== undefined) {
    sink.reference(start + type.lastIndexOf('.') + 1, end, 'new', type);
    return;
  }
  const { accessPath, nameStart } = sink.accessPathBefore(end);
  const isNew = accessPath.endsWith('.new');
  const written = isNew ? accessPath.slice(0, -4) : accessPath;
  const colons = sink.source.lastIndexOf('::', end);
  const at = isNew ? colons - (/[\w$]*$/.exec(written)?.[0].length ?? 0) : nameStart;
  sink.reference(Math.max(start, at), end, 'read', written);
};

const NAMES: NameRules = {
  opaque: ['block_comment', 'line_comment', 'string_fragment', 'multiline_string_fragment', 'character_literal'],
  keywords: wordSet(
    `abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally float
     for goto if implements import instanceof int interface long native new non null package permits private protected public record return
     sealed short static strictfp super switch synchronized this throw throws transient true try var void volatile while yield`,
  ),
  unimported: true,
};

export const LEXICAL: LexicalConventions = {
  joins: ['::', '.'],
  nameExtra: '$',
  newWord: 'new',
  typeArguments: '<>',
  quotes: '"\'',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
};

const MODIFIER =
  /@(?!interface\b)[\w.]+|(?:public|protected|private|static|final|abstract|native|synchronized|transient|volatile|strictfp|default|sealed|non-sealed)\b/y;

/** Runs on text with single blanks: with runs of blanks it would take cubic time. */
const IMPORT = /^import (static )?([\w$. ]+?) ?(\. ?\*)? ?;?$/;

const importRule: NodeRule = ({ start, end, text }, sink) => {
  const match = IMPORT.exec(text.slice(0, MAX_HEAD_LENGTH).replace(/\s+/g, ' '));
  if (match === null) return;
  const path = match[2].replace(/\s+/g, '');
  importPath({ start, end }, path, match[3] !== undefined, sink);
};

const packageRule: NodeRule = ({ start, end, text }, sink) => {
  const match = /\bpackage\s+([\w$.][\w$.\s]*);?$/.exec(text.slice(0, MAX_HEAD_LENGTH));
  if (match !== null) sink.import(start, end, 'declare', match[1].replace(/\s+/g, ''));
};

const callRule = calls({
  special: ({ name, callee, receiver, list, end, view }, sink) => {
    const { source } = sink;
    // `this(…)` uses no other code.
    if (source[callee.start - 1] !== '>') return name === 'this' && receiver === '';
    // `a.<T>b()`: the access path goes on before the type arguments.
    const open = openingAngle(source, callee.start, 0);
    const { accessPath, start } = sink.accessPathBefore(open - 1);
    if (open === -1 || source[open - 1] !== '.' || accessPath === '' || accessPath === '?') return true;
    sink.remember(end, start, `${accessPath}.${name}()`);
    const types = argumentTypes(view.start, end, sink);
    sink.reference(callee.nameStart, end, 'call', `${accessPath}.${name}`, { args: list.count, types });
    return true;
  },
});

const annotationRule = decorators({
  form: /^@\s*((?:\w+\.)*\w+)/,
  own: /(?:^|\.)(?:Override|Deprecated|SuppressWarnings|FunctionalInterface|SafeVarargs)$/,
  argument: (name) => ['read', name],
  literal: (first, written, sink) => {
    const named = /^\(\s*name\s*=\s*\{?\s*"([^"\\\n]{1,100})"/.exec(written)?.[1];
    return statedRoute(first || (named ?? heldTopic(written, sink)), written);
  },
});

const TOPIC_CONSTANT = /[(,]\s*(?:topics|queues|queueNames|destination)\s*=\s*\{?\s*(?:\w+\.){0,3}([A-Z][A-Z\d_]*)\b/;

/** The topic that a constant of the file holds: `topics = PAID`; '' for others. */
function heldTopic(written: string, { source }: FactSink): string {
  const name = TOPIC_CONSTANT.exec(written)?.[1];
  return name === undefined ? '' : (new RegExp(`\\b${name}\\s*=\\s*"([\\w.:/-]{1,100})"`).exec(source)?.[1] ?? '');
}

/** `Type a = 1, b;` of fields and locals, `Type name = value` of resources. */
function declaration(place: 'local' | 'field'): NodeRule {
  return ({ start, end }, sink) => {
    const declared = typeBeforeName(sink, start, end, MODIFIER);
    if (declared === null) return;
    const type = declared.type === 'var' ? '' : declared.type;
    const last = sink.source[end - 1] === ';' ? end - 1 : end;
    declarators(sink, declared.nameAt, last, (at, name, after, to) => {
      sink[place](at, name, type, valueAfter(sink, after, to));
    });
  };
}

const parametersRule: NodeRule = ({ start, end }, sink) => {
  if (/\brecord\s+\w+\s*(?:<[^<>]*>\s*)?$/.test(sink.source.slice(Math.max(0, start - 100), start))) return;
  addParameters(sink, start, end, 'local');
};

function addParameters(sink: FactSink, open: number, close: number, place: 'local' | 'field'): void {
  let functional: { at: number; type: string; value?: string } | null = null;
  for (const part of declarationsIn(sink, open, close)) {
    const declared = typeBeforeName(sink, part.start, part.end, MODIFIER);
    if (declared === null) continue;
    const variadic = sink.source.slice(part.start, declared.nameAt).trimEnd().endsWith('...');
    const type = declared.type.replace(/\.+$/, '');
    sink[place](declared.nameAt, declared.name, variadic ? `${type}[]` : type, '');
    const given = place === 'local' ? FUNCTIONAL.exec(type)?.[1] : undefined;
    if (given !== undefined) functional = { at: declared.nameAt, type: given };
    const own = place === 'local' && given === undefined ? ownInterface(type) : '';
    if (own !== '') functional = { at: declared.nameAt, type: '', value: `${own}{}` };
  }
  if (functional !== null) sink.given(functional.at, '{}', functional.type, functional.value);
}

/** Types of libraries that are no functions, or whose functions get nothing. */
const NO_FUNCTION =
  /^(?:(?:\w*(?:List|Set|Map|Collection|Queue|Deque|Stream|Iterator|Future|Reference))|Iterable|Optional|Class|Entry|Supplier|Callable|Comparable|Provider|Enum|Function|Predicate|Consumer)$/;
const CALLED_BACK = /(?:Listener|Handler|Callback|Visitor|Function|Consumer|Predicate|Action|Mapper|Observer)$/;

/** Access path of what a function gets that is given for an interface: `Listener(:Event)` for `Listener<? super Event>`; '' for other types. */
function ownInterface(type: string): string {
  const match = /^(?:[\w$]+\.)*([A-Z][\w$]*)(?:<\s*(?:\?\s*(?:super|extends)\s+)?([\w$]+)|$)/.exec(type);
  if (match === null || NO_FUNCTION.test(match[1])) return '';
  if (match[2] === undefined) return CALLED_BACK.test(match[1]) ? match[1] : '';
  return match[2].length > 1 ? `${match[1]}(:${match[2]})` : '';
}

/** Interfaces of the library whose first type argument is the type of the argument that their function gets. */
const FUNCTIONAL =
  /^(?:\w+\.)*(?:(?:Bi)?(?:Consumer|Function|Predicate)|To(?:Int|Long|Double)(?:Bi)?Function|(?:Unary|Binary)Operator|Comparator)<\s*(?:\?\s*(?:super|extends)\s+)?([\w$.]+(?:<[^<>]*>)?)/;

const forRule: NodeRule = ({ start, end }, sink) => {
  const { source, rules } = sink;
  const open = source.indexOf('(', start);
  const close = sink.closing(open, end);
  const declared = typeBeforeName(sink, open + 1, close, MODIFIER);
  if (declared === null) return;
  const colon = skipSpace(source, declared.after, close, rules.lexical);
  const list = source[colon] === ':' ? sink.accessPath(colon + 1, close - 1) : '';
  const type = declared.type === 'var' ? '' : declared.type;
  sink.local(declared.nameAt, declared.name, type, type === '' ? elementOf(list) : '');
};

/** `x instanceof Cart c`, `case Cart c`, `Point(int x, var y)`. */
const patternRule: NodeRule = ({ start, end, kind }, sink) => {
  const { source } = sink;
  const word = kind === 'instanceof_expression' ? source.slice(start, end).search(/\binstanceof\b/) : 0;
  if (word === -1) return;
  const declared = typeBeforeName(sink, kind === 'instanceof_expression' ? start + word + 10 : start, end, MODIFIER);
  if (declared !== null) sink.local(declared.nameAt, declared.name, declared.type === 'var' ? '' : declared.type, '');
};

const catchRule: NodeRule = ({ end, text }, sink) => {
  const name = /[\w$]+$/.exec(text)?.[0] ?? '';
  const types = text
    .slice(0, text.length - name.length)
    .replace(/\bfinal\b/, '')
    .trim();
  if (name !== '') sink.local(end - name.length, name, types.includes('|') ? '' : types, '');
};

const definition = byKind({
  'class interface enum': typeDefinition,
  'enum-member': ofEnumeration,
  method: (view, sink) => {
    const { start, nameStart, nameEnd, signatureEnd } = view;
    const { source } = sink;
    let at = skipModifiers(sink, start, nameStart, MODIFIER);
    if (source[at] === '<') at = skipModifiers(sink, typeParameters(sink, at, nameStart), nameStart, MODIFIER);
    const type = source.slice(at, nameStart).trim();
    if (type !== '' && type !== 'void' && nameEnd <= signatureEnd) sink.result(nameStart, type, '');
    if (view.container === 'interface') givenToImplementation(view, sink);
  },
});

/** A lambda that implements an interface gets the arguments of the method without a body. */
function givenToImplementation({ nameStart, nameEnd, end }: DefinitionView, sink: FactSink): void {
  const { source } = sink;
  if (source[end - 1] !== ';' || source[nameEnd] !== '(') return;
  const parameters = declarationsIn(sink, nameEnd, sink.closing(nameEnd, end)).slice(0, 2);
  for (const [index, part] of parameters.entries()) {
    const declared = typeBeforeName(sink, part.start, part.end, MODIFIER);
    if (declared !== null) sink.parameter(nameStart, index, declared.type);
  }
}

/** `class A<T> extends B<T> implements C, D`, `record P(int x) implements C`, `interface I extends J, K`. */
function typeDefinition({ kind, nameEnd, signatureEnd }: DefinitionView, sink: FactSink): void {
  const { source } = sink;
  const limit = Math.min(signatureEnd, nameEnd + MAX_HEAD_LENGTH);
  let at = nameEnd;
  if (source[at] === '<') at = typeParameters(sink, at, limit, { ofType: true });
  const open = skipSpace(source, at, limit, LEXICAL);
  if (source[open] === '(') {
    at = sink.closing(open, limit);
    addParameters(sink, open, at, 'field');
  }
  const rest = source.slice(at, limit);
  for (const match of rest.matchAll(/\b(extends|implements)\b([^{]*?)(?=\bextends\b|\bimplements\b|\bpermits\b|$)/g)) {
    const from = at + match.index + match[1].length;
    const relation = match[1] === 'implements' ? 'implements' : 'extends';
    for (const { accessPath, at: where, end } of parents(sink, from, at + match.index + match[0].length))
      parent(sink, { where, end, limit, accessPath }, kind === 'interface' ? 'extends' : relation);
  }
}

function parent(
  sink: FactSink,
  { where, end, limit, accessPath }: { where: number; end: number; limit: number; accessPath: string },
  relation: 'extends' | 'implements',
): void {
  sink.reference(where, end, relation, accessPath);
  const close = sink.source[end] === '<' ? angleEnd(sink.source, end, limit) : -1;
  if (close > 0) sink.field(where, PARENT, `${accessPath}${sink.source.slice(end, close)}`, '');
}

const javaRelations: RelationRules = {
  lexical: LEXICAL,
  parameters: { type: 'before', words: new Set(['final']), rest: /\.\.\./ },
  overloads: KNOWN_TYPES,
  libraries: LIBRARIES,
  names: NAMES,
  nodes: {
    import_declaration: importRule,
    package_declaration: packageRule,
    argument_list: callRule,
    type_identifier: typeNames('.'),
    annotation: annotationRule,
    marker_annotation: annotationRule,
    field_declaration: declaration('field'),
    constant_declaration: declaration('field'),
    local_variable_declaration: declaration('local'),
    resource: declaration('local'),
    formal_parameters: parametersRule,
    inferred_parameters: localNames(/[\w$]+/g),
    lambda_expression: lambdaRule,
    enhanced_for_statement: forRule,
    instanceof_expression: patternRule,
    type_pattern: patternRule,
    record_pattern_component: patternRule,
    catch_formal_parameter: catchRule,
    cast_expression: casts(/^\(\s*([\w$.]+)/),
    method_reference: methodReferenceRule,
    object_creation_expression: anonymousRule,
    switch_label: switchLabelRule,
  },
  brackets: ['argument_list', 'formal_parameters'],
  definition,
  values: HANDED_ON,
  ignoredTypes: wordSet(
    'var String Object Integer Long Double Float Boolean Byte Short Character Void CharSequence Number Class Iterable Runnable Exception RuntimeException Throwable Error',
  ),
};

/** `import module java.base;` */
const MODULE_IMPORT = /^(import[ \t]+)module(?=[ \t]+[a-z])/gm;

/** `super(…)` behind other statements, as Java 25 allows it. It is read as a call of `_uper` or `_his`. */
const LATE_CONSTRUCTOR = /(?<=[;}]\s{1,100}(?:\/\/[^\n]{0,200}\n\s{1,100})?)[st](?=(?:uper|his)[ \t]*\()/g;

const javaDefinitions: DefinitionRules = {
  repaired: (text) => text.replace(MODULE_IMPORT, '$1      ').replace(LATE_CONSTRUCTOR, '_'),
  definitions: [
    { node: 'class_declaration', kind: 'class' },
    {
      node: 'record_declaration',
      kind: 'class',
      parts: { path: 'parameters/>formal_parameter', definition: { kind: 'field', exported: {} } },
    },
    { node: ['interface_declaration', 'annotation_type_declaration'], kind: 'interface', opens: /./ },
    { node: 'enum_declaration', kind: 'enum' },
    { node: 'enum_constant', kind: 'enum-member', exported: {} },
    { node: ['method_declaration', 'annotation_type_element_declaration'], kind: 'method' },
    { node: ['constructor_declaration', 'compact_constructor_declaration'], kind: 'constructor' },
    {
      node: ['field_declaration', 'constant_declaration'],
      kind: 'field',
      name: 'declarator/name',
      each: true,
      head: [[/\bstatic\b[^=]*\bfinal\b|\bfinal\b[^=]*\bstatic\b/, 'constant']],
    },
  ],
  imports: ['package_declaration', 'import_declaration'],
  typed: true,
  comments: ['block_comment', 'line_comment'],
  docs: { line: /^\/\//, block: ['/*', '*/'] },
  exported: { head: /\b(?:public|protected)\b/ },
  fixed: /\b(?:private|static)\b/,
};

export const java: ParsingRules = { definitions: javaDefinitions, relations: javaRelations };
