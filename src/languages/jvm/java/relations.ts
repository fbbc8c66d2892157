/** Java. */
import { calls } from '../../roles/call-rules.js';
import {
  declarationsIn,
  declarators,
  HANDED_ON,
  LONGEST_HEAD,
  nameFrom,
  parents,
  skipModifiers,
  typeBeforeName,
  typeParameters,
  valueAfter,
} from '../../roles/declarations.js';
import type { DefinitionView, NodeRule, Reading, RelationRules, Spelling } from '../../roles/relations.js';
import { openingAngle, skipSpace } from '../../roles/scan.js';

const SPELLING: Spelling = {
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

/** Annotations of the language itself. */
const OWN_ANNOTATIONS = new Set(['Override', 'Deprecated', 'SuppressWarnings', 'FunctionalInterface', 'SafeVarargs']);

const IMPORT = /^import\s+(static\s+)?([\w$.\s]+?)\s*(\.\s*\*)?\s*;?$/;

const importRule: NodeRule = ({ start, end, text }, reading) => {
  const match = IMPORT.exec(text.slice(0, LONGEST_HEAD));
  if (match === null) return;
  const path = match[2].replace(/\s+/g, '');
  if (match[3] !== undefined) return reading.import(start, end, 'import', path, [{ name: '*', alias: '' }]);
  const dot = path.lastIndexOf('.');
  const name = path.slice(dot + 1);
  reading.import(start, end, 'import', dot === -1 ? path : path.slice(0, dot), [{ name, alias: name }]);
};

const packageRule: NodeRule = ({ start, end, text }, reading) => {
  const match = /\bpackage\s+([\w$.\s]+?)\s*;?$/.exec(text.slice(0, LONGEST_HEAD));
  if (match !== null) reading.import(start, end, 'declare', match[1].replace(/\s+/g, ''));
};

const callRule = calls({
  special: ({ name, callee, receiver, list, end }, reading) => {
    const { source } = reading;
    // `this(…)` says nothing about other code.
    if (source[callee.start - 1] !== '>') return name === 'this' && receiver === '';
    // `a.<T>b()`: the chain goes on before the type arguments.
    const open = openingAngle(source, callee.start, 0);
    const { chain, start } = reading.chainBefore(open - 1);
    if (open === -1 || source[open - 1] !== '.' || chain === '' || chain === '?') return true;
    reading.remember(end, start, `${chain}.${name}()`);
    reading.reference(callee.nameStart, end, 'call', `${chain}.${name}`, { args: list.count });
    return true;
  },
});

/** Names of packages in a qualified type are no types. */
const typeRule: NodeRule = ({ start, end, text }, reading) => {
  const { source } = reading;
  if (source[end] === '.' && /^[a-z]/.test(text)) return;
  reading.reference(start, end, 'type', source[start - 1] === '.' ? reading.chainBefore(end).chain : text);
};

const annotationRule: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  const match = /@\s*((?:\w+\.)*(\w+))/y;
  match.lastIndex = start;
  const found = match.exec(source);
  if (found === null || OWN_ANNOTATIONS.has(found[2])) return;
  const open = start + found[0].length;
  const at = open - found[2].length;
  const list = source[open] === '(' ? reading.arguments(open, end) : null;
  const named =
    list === null
      ? null
      : /^\(\s*(?:value|path|name)\s*=\s*\{?\s*"([^"\\\n]{1,100})"/.exec(source.slice(open, open + 150));
  reading.reference(at, end, 'decorator', found[1], {
    args: list?.count ?? -1,
    literal: list?.literal || (named?.[1] ?? ''),
  });
};

/** `Type a = 1, b;` of fields and locals, `Type name = value` of resources. */
function declaration(place: 'local' | 'field'): NodeRule {
  return ({ start, end }, reading) => {
    const declared = typeBeforeName(reading, start, end, MODIFIER);
    if (declared === null) return;
    const type = declared.type === 'var' ? '' : declared.type;
    const last = reading.source[end - 1] === ';' ? end - 1 : end;
    declarators(reading, declared.nameAt, last, (at, name, after, to) => {
      reading[place](at, name, type, valueAfter(reading, after, to));
    });
  };
}

const parametersRule: NodeRule = ({ start, end }, reading) => {
  if (/\brecord\s+\w+\s*(?:<[^<>]*>\s*)?$/.test(reading.source.slice(Math.max(0, start - 100), start))) return;
  addParameters(reading, start, end, 'local');
};

function addParameters(reading: Reading, open: number, close: number, place: 'local' | 'field'): void {
  for (const part of declarationsIn(reading, open, close)) {
    const declared = typeBeforeName(reading, part.start, part.end, MODIFIER);
    if (declared === null) continue;
    const variadic = reading.source.slice(part.start, declared.nameAt).trimEnd().endsWith('...');
    const type = declared.type.replace(/\.+$/, '');
    reading[place](declared.nameAt, declared.name, variadic ? `${type}[]` : type, '');
  }
}

const namesRule: NodeRule = ({ start, end }, reading) => {
  for (const match of reading.source.slice(start, Math.min(end, start + LONGEST_HEAD)).matchAll(/[\w$]+/g))
    reading.local(start + match.index, match[0], '', '');
};

const lambdaRule: NodeRule = ({ start, end }, reading) => {
  reading.closure(start, end);
  const name = nameFrom(reading.source, start);
  if (name !== '') reading.local(start, name, '', '');
};

const forRule: NodeRule = ({ start, end }, reading) => {
  const { source, rules } = reading;
  const open = source.indexOf('(', start);
  const close = reading.closing(open, end);
  const declared = typeBeforeName(reading, open + 1, close, MODIFIER);
  if (declared === null) return;
  const colon = skipSpace(source, declared.after, close, rules.spelling);
  const list = source[colon] === ':' ? reading.chain(colon + 1, close - 1) : '';
  const type = declared.type === 'var' ? '' : declared.type;
  reading.local(declared.nameAt, declared.name, type, type === '' && list !== '' ? `${list}[]` : '');
};

/** `x instanceof Cart c`, `case Cart c`, `Point(int x, var y)`. */
const patternRule: NodeRule = ({ start, end, kind }, reading) => {
  const { source } = reading;
  const word = kind === 'instanceof_expression' ? source.slice(start, end).search(/\binstanceof\b/) : 0;
  if (word === -1) return;
  const declared = typeBeforeName(reading, kind === 'instanceof_expression' ? start + word + 10 : start, end, MODIFIER);
  if (declared !== null)
    reading.local(declared.nameAt, declared.name, declared.type === 'var' ? '' : declared.type, '');
};

const catchRule: NodeRule = ({ end, text }, reading) => {
  const name = /[\w$]+$/.exec(text)?.[0] ?? '';
  const types = text
    .slice(0, text.length - name.length)
    .replace(/\bfinal\b/, '')
    .trim();
  if (name !== '') reading.local(end - name.length, name, types.includes('|') ? '' : types, '');
};

/** States the type that a cast gives its value: `((Cart) x).total()`. */
const castRule: NodeRule = ({ start, end, text }, reading) => {
  const type = /^\(\s*([\w$.]+)/.exec(text.slice(0, LONGEST_HEAD));
  if (type !== null) reading.remember(end, start, `new ${type[1]}()`);
};

const methodReferenceRule: NodeRule = ({ start, end }, reading) => {
  const { chain, nameStart } = reading.chainBefore(end);
  const isNew = chain.endsWith('.new');
  const written = isNew ? chain.slice(0, -4) : chain;
  const colons = reading.source.lastIndexOf('::', end);
  const at = isNew ? colons - (/[\w$]*$/.exec(written)?.[0].length ?? 0) : nameStart;
  reading.reference(Math.max(start, at), end, 'value', written);
};

function definition(view: DefinitionView, reading: Reading): void {
  const { kind, name, nameStart, nameEnd, signatureEnd } = view;
  if (kind === 'class' || kind === 'interface' || kind === 'enum') typeDefinition(view, reading);
  else if (kind === 'enum-member') reading.field(nameStart, name, '', 'this');
  if (kind !== 'method') return;
  const { source } = reading;
  let at = skipModifiers(reading, view.start, nameStart, MODIFIER);
  if (source[at] === '<') at = skipModifiers(reading, typeParameters(reading, at, nameStart), nameStart, MODIFIER);
  const type = source.slice(at, nameStart).trim();
  if (type !== '' && type !== 'void' && nameEnd <= signatureEnd) reading.result(nameStart, type, '');
}

/** `class A<T> extends B<T> implements C, D`, `record P(int x) implements C`, `interface I extends J, K`. */
function typeDefinition({ kind, nameEnd, signatureEnd }: DefinitionView, reading: Reading): void {
  const { source } = reading;
  const limit = Math.min(signatureEnd, nameEnd + LONGEST_HEAD);
  let at = nameEnd;
  if (source[at] === '<') at = typeParameters(reading, at, limit);
  const open = skipSpace(source, at, limit, SPELLING);
  if (source[open] === '(') {
    at = reading.closing(open, limit);
    addParameters(reading, open, at, 'field');
  }
  const rest = source.slice(at, limit);
  for (const match of rest.matchAll(/\b(extends|implements)\b([^{]*?)(?=\bextends\b|\bimplements\b|\bpermits\b|$)/g)) {
    const from = at + match.index + match[1].length;
    const relation = match[1] === 'implements' ? 'implements' : 'extends';
    for (const { chain, at: where, end } of parents(reading, from, at + match.index + match[0].length))
      reading.reference(where, end, kind === 'interface' ? 'extends' : relation, chain);
  }
}

export const java: RelationRules = {
  spelling: SPELLING,
  nodes: {
    import_declaration: importRule,
    package_declaration: packageRule,
    argument_list: callRule,
    type_identifier: typeRule,
    annotation: annotationRule,
    marker_annotation: annotationRule,
    field_declaration: declaration('field'),
    constant_declaration: declaration('field'),
    local_variable_declaration: declaration('local'),
    resource: declaration('local'),
    formal_parameters: parametersRule,
    inferred_parameters: namesRule,
    lambda_expression: lambdaRule,
    enhanced_for_statement: forRule,
    instanceof_expression: patternRule,
    type_pattern: patternRule,
    record_pattern_component: patternRule,
    catch_formal_parameter: catchRule,
    cast_expression: castRule,
    method_reference: methodReferenceRule,
  },
  brackets: ['argument_list', 'formal_parameters'],
  definition,
  values: HANDED_ON,
  ignoredTypes: new Set([
    'var',
    'String',
    'Object',
    'Integer',
    'Long',
    'Double',
    'Float',
    'Boolean',
    'Byte',
    'Short',
    'Character',
    'Void',
    'CharSequence',
    'Number',
    'Class',
    'Iterable',
    'Runnable',
    'Exception',
    'RuntimeException',
    'Throwable',
    'Error',
  ]),
};
