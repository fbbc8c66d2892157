/** Dart. */
import { calls } from '../roles/call-rules.js';
import {
  declarationsIn,
  HANDED_ON,
  LONGEST_HEAD,
  nameFrom,
  parents,
  skipModifiers,
  typeEnd,
  typeParameters,
  valueAfter,
} from '../roles/declarations.js';
import type { DefinitionView, NodeRule, Reading, RelationRules, Spelling } from '../roles/relations.js';
import { skipSpace } from '../roles/scan.js';

const SPELLING: Spelling = {
  joins: ['?.', '!.', '.'],
  nameExtra: '$',
  postfix: '!',
  prefixes: ['await', 'const'],
  newWord: 'new',
  typeArguments: '<>',
  quotes: '"\'',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
};

const MODIFIER =
  /@[\w.]+|(?:late|final|const|static|external|covariant|required|abstract|base|sealed|interface|mixin|augment)\b/y;

/** `import 'x' as y show A, B;`, `export 'x' show A;` */
const importRule: NodeRule = ({ start, end, text }, reading) => {
  const match = /^(?:@[^\n]*\n\s*)*(import|export)\s+(?:augment\s+)?['"]([^'"\n]+)['"]([^;]*)/.exec(
    text.slice(0, 2 * LONGEST_HEAD),
  );
  if (match === null) return;
  const alias = /\bas\s+(\w+)/.exec(match[3])?.[1] ?? '';
  const shown = /\bshow\s+([\w\s,]+?)(?:\bhide\b|$)/.exec(match[3])?.[1].split(',') ?? [];
  const names = shown.map((name) => ({ name: name.trim(), alias: name.trim() }));
  const kind = match[1] === 'export' ? 'reexport' : 'import';
  reading.import(start, end, kind, match[2], alias === '' && names.length > 0 ? names : [{ name: '*', alias }]);
};

const partRule: NodeRule = ({ start, end, text }, reading) => {
  const match = /^(part\s+of|part|library)\s+['"]?([^'"\n;]+)['"]?/.exec(text.slice(0, LONGEST_HEAD));
  if (match !== null) reading.import(start, end, match[1] === 'part' ? 'include' : 'declare', match[2].trim());
};

const callRule = calls({
  special: ({ name, receiver, callee, list, end, start }, reading) => {
    const { source } = reading;
    if ((receiver === '' && name === 'this') || source[start - 1] === '@') return true;
    const at = callee.nameStart;
    if (!source.startsWith('..', at - 2) || source[at - 3] === '.') return false;
    // `cart..add(a)..add(b)`: each is called on `cart`, which is the value of the whole.
    const dots = source[at - 3] === '?' ? at - 3 : at - 2;
    const target = reading.chainBefore(dots);
    const followed = target.chain !== '' && target.chain !== '?';
    const value = followed
      ? target.isNew && !target.chain.startsWith('new ')
        ? `new ${target.chain}`
        : target.chain
      : '?';
    reading.remember(end, target.start, value);
    reading.reference(at, end, 'call', `${value}.${name}`, { args: list.count });
    return true;
  },
});

const typeRule: NodeRule = ({ start, end, text }, reading) => {
  const { source } = reading;
  if (source[end] === '.' && /^[a-z]/.test(text)) return;
  reading.reference(start, end, 'type', source[start - 1] === '.' ? reading.chainBefore(end).chain : text);
};

const annotationRule: NodeRule = ({ start, end }, reading) => {
  const match = /^@([\w.]+)/.exec(reading.source.slice(start, Math.min(end, start + 200)));
  if (match === null || /^(?:override|deprecated|immutable|protected|visibleForTesting)$/.test(match[1])) return;
  const open = start + match[0].length;
  const list = reading.source[open] === '(' ? reading.arguments(open, end) : null;
  const at = open - match[1].length + match[1].lastIndexOf('.') + 1;
  reading.reference(at, end, 'decorator', match[1], { args: list?.count ?? -1, literal: list?.literal ?? '' });
};

interface Named {
  type: string;
  name: string;
  at: number;
}

/** `final Cart cart`, `var cart`, `Cart? cart`, `final cart`, `cart`. */
function named(reading: Reading, from: number, to: number): Named | null {
  const { source } = reading;
  const limit = Math.min(to, from + LONGEST_HEAD);
  const start = skipModifiers(reading, from, limit, MODIFIER);
  const end = typeEnd(reading, start, limit);
  const at = skipSpace(source, end, limit, SPELLING);
  const name = at < limit ? nameFrom(source, at) : '';
  const first = source.slice(start, end);
  if (name !== '' && name !== 'in' && name !== 'Function')
    return { type: first === 'var' || first === 'dynamic' ? '' : first, name, at };
  return /^\w+$/.test(first) ? { type: '', name: first, at: start } : null;
}

const localRule: NodeRule = ({ start, end }, reading) => {
  const found = named(reading, start, end);
  if (found === null) return;
  const last = reading.source[end - 1] === ';' ? end - 1 : end;
  reading.local(found.at, found.name, found.type, valueAfter(reading, found.at + found.name.length, last));
};

/** `(final item in items)`. */
const forRule: NodeRule = (view, reading) => {
  const { source } = reading;
  const bracketed = source[view.start] === '(';
  const start = view.start + (bracketed ? 1 : 0);
  const end = view.end - (bracketed ? 1 : 0);
  const word = /\sin\s/.exec(source.slice(start, Math.min(end, start + 300)));
  const found = word === null ? null : named(reading, start, start + word.index);
  if (word === null || found === null) return;
  const list = reading.chain(start + word.index + word[0].length, end);
  reading.local(found.at, found.name, found.type, found.type === '' && list !== '' ? `${list}[]` : '');
};

const parametersRule: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  for (const part of declarationsIn(reading, start, end)) {
    const group = source[part.start] === '{' || source[part.start] === '[';
    const inner = group ? declarationsIn(reading, part.start, part.end) : [part];
    for (const { start: from, end: to } of inner) addParameter(reading, from, to);
  }
};

function addParameter(reading: Reading, from: number, to: number): void {
  const text = reading.source.slice(from, Math.min(to, from + LONGEST_HEAD));
  // Parameters `this.x` and `super.x` are known by their fields.
  if (/^(?:(?:required|final|covariant)\s+)*(?:[\w<>?]+\s+)?(?:this|super)\s*\./.test(text)) return;
  if (/\bFunction\b/.test(text)) {
    const name = /(\w+)\s*(?:=[^=]*)?$/.exec(text);
    if (name !== null) reading.local(from + name.index, name[1], '', '');
    return;
  }
  const found = named(reading, from, to);
  if (found !== null) reading.local(found.at, found.name, found.type, '');
}

const namesRule: NodeRule = ({ start, end }, reading) => {
  for (const match of reading.source.slice(start, Math.min(end, start + LONGEST_HEAD)).matchAll(/\w+/g))
    reading.local(start + match.index, match[0], '', '');
};

/** States the type of a cast: `(x as Cart).total()`. */
const castRule: NodeRule = ({ start, end, text }, reading) => {
  const type = /\bas\s+([\w.]+)(?:<[^<>]*>)?\??$/.exec(text.slice(-LONGEST_HEAD))?.[1];
  if (type !== undefined) reading.remember(end, start, `new ${type}()`);
};

/** `on FormatException catch (e)`. */
function text(reading: Reading): void {
  for (const match of reading.source.matchAll(/\bon\s+([\w.]+)\s+catch\s*\(\s*(\w+)/g))
    reading.local(match.index + match[0].length - match[2].length, match[2], match[1], '');
}

function definition(view: DefinitionView, reading: Reading): void {
  const { kind, name, nameStart, nameEnd, end } = view;
  const { source } = reading;
  if (kind === 'enum-member') reading.field(nameStart, name, '', 'this');
  else if (kind === 'variable' || kind === 'field' || kind === 'constant') variableDefinition(view, reading);
  else if (kind === 'function' || kind === 'method') functionDefinition(view, reading);
  else if (kind === 'class' || kind === 'trait' || kind === 'enum' || kind === 'impl') typeDefinition(view, reading);
  else if (kind === 'type') {
    const type = /^\s*=\s*([\w.]+(?:<[^\n]*>)?)\s*;?$/.exec(
      source.slice(nameEnd, Math.min(end, nameEnd + LONGEST_HEAD)),
    )?.[1];
    if (type !== undefined) reading.alias(nameStart, name, type);
  }
}

/** The type stands before the name, in what the grammar makes its sibling. */
function variableDefinition({ container, name, nameStart, nameEnd, end }: DefinitionView, reading: Reading): void {
  const { source } = reading;
  const line = /[^\n;{}]*$/.exec(source.slice(Math.max(0, nameStart - 200), nameStart))?.[0] ?? '';
  const head = /^\s*(?:(?:late|final|const|static|external|covariant|abstract)\s+)*([\w.]+(?:<.*>)?\??)\s+$/.exec(line);
  const type = head === null || /^(?:var|dynamic|late|final|const|static)$/.test(head[1]) ? '' : head[1];
  const value = valueAfter(reading, nameEnd, source[end - 1] === ';' ? end - 1 : end);
  if (container === null) reading.local(nameStart, name, type, value);
  else reading.field(nameStart, name, type, value);
}

function functionDefinition(
  { container, start, name, nameStart, nameEnd, end }: DefinitionView,
  reading: Reading,
): void {
  const { source } = reading;
  const from = skipModifiers(reading, start, nameStart, MODIFIER);
  const to = typeEnd(reading, from, nameStart);
  const written = source.slice(from, to);
  const isGetter = /\bget\s+$/.test(source.slice(to, nameStart)) || written === 'get';
  const type = /^(?:void|get|set|dynamic|operator|)$/.test(written) ? '' : written;
  if (source[nameEnd] === '<') typeParameters(reading, nameEnd, end);
  const arrow = /^\s*(?:\([^()]*\)\s*)?=>/.exec(source.slice(nameEnd, Math.min(end, nameEnd + LONGEST_HEAD)));
  const value =
    type === '' && arrow !== null
      ? reading.chain(nameEnd + arrow[0].length, source[end - 1] === ';' ? end - 1 : end)
      : '';
  reading.result(nameStart, type, value);
  if (isGetter && container !== null) reading.field(nameStart, name, type, value);
  if (container !== 'impl') return;
  // The methods of an extension are called on what it extends.
  const before = source.slice(Math.max(0, nameStart - LONGEST_EXTENSION), nameStart);
  const on = /^[\s\S]*\bextension\s+(?:\w+\s*)?(?:<[^{]*>\s*)?on\s+([\w.]+)/.exec(before);
  if (on !== null) reading.local(nameEnd, 'this', on[1], '');
}

const LONGEST_EXTENSION = 10_000;

/** `class A<T> extends B with M, N implements I`, `mixin M on A`. */
function typeDefinition({ kind, nameEnd, signatureEnd }: DefinitionView, reading: Reading): void {
  const { source } = reading;
  const limit = Math.min(signatureEnd, nameEnd + 2 * LONGEST_HEAD);
  const at = source[nameEnd] === '<' ? typeParameters(reading, nameEnd, limit) : nameEnd;
  if (kind === 'impl') return;
  for (const match of source
    .slice(at, limit)
    .matchAll(/\b(extends|with|implements|on|=)\b([^{]*?)(?=\b(?:extends|with|implements|on)\b|$)/g)) {
    const from = at + match.index + match[1].length;
    const relation = match[1] === 'extends' || match[1] === 'on' ? 'extends' : 'implements';
    for (const parent of parents(reading, from, at + match.index + match[0].length))
      reading.reference(parent.at, parent.end, relation, parent.chain);
  }
}

export const dart: RelationRules = {
  spelling: SPELLING,
  nodes: {
    import_or_export: importRule,
    part_directive: partRule,
    part_of_directive: partRule,
    library_name: partRule,
    arguments: callRule,
    type_identifier: typeRule,
    annotation: annotationRule,
    marker_annotation: annotationRule,
    local_variable_declaration: localRule,
    for_loop_parts: forRule,
    formal_parameter_list: parametersRule,
    catch_parameters: namesRule,
    type_cast_expression: castRule,
  },
  brackets: ['arguments', 'formal_parameter_list'],
  definition,
  text,
  values: HANDED_ON,
  ignoredTypes: new Set(
    'int double num bool String Object void dynamic Never Null List Map Set Iterable Future Stream Function Type Duration DateTime'.split(
      ' ',
    ),
  ),
  literalCalls: new Set(['test', 'group', 'testWidgets', 'get', 'post', 'put', 'delete']),
};
