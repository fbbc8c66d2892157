/** C#. Types are plain identifiers in its grammar, so that they are read off the declarations. */
import { calls } from '../roles/call-rules.js';
import {
  declarators,
  HANDED_ON,
  LONGEST_HEAD,
  typeBeforeName,
  typeEnd,
  typeReferences,
  valueAfter,
} from '../roles/declarations.js';
import type { NodeRule, Reading, RelationRules } from '../roles/relations.js';
import { skipSpace } from '../roles/scan.js';
import { addParameters, definition, MODIFIER, SPELLING, targetTyped } from './declarations.js';

const usingRule: NodeRule = ({ start, end, text }, reading) => {
  const match = /\busing\s+(static\s+)?(?:([\w@]+)\s*=\s*)?(?:global\s*::\s*)?([\w@.\s]+)/.exec(
    text.slice(0, LONGEST_HEAD),
  );
  if (match === null) return;
  const path = match[3].replace(/\s+/g, '');
  if (match[2] === undefined) return reading.import(start, end, 'import', path, [{ name: '*', alias: '' }]);
  const dot = path.lastIndexOf('.');
  const name = { name: path.slice(dot + 1), alias: match[2] };
  reading.import(start, end, 'import', dot === -1 ? path : path.slice(0, dot), [name]);
};

const callRule = calls({
  // `this(…)` and `nameof(…)` call nothing; what `new(…)` makes is said by the declaration that it stands in.
  special: ({ name, receiver }) => receiver === '' && (name === 'this' || name === 'nameof' || name === 'new'),
});

/** `new A<B>(1) { C = d }`: the end is behind the initializer; `new A { C = d }` has no argument list. */
const newRule: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  const from = skipSpace(source, start + 3, end, SPELLING);
  const to = typeEnd(reading, from, end);
  const type = source
    .slice(from, to)
    .replace(/[<[][\s\S]*$|\?$/, '')
    .replace(/\s*(?:::|\.)\s*/g, '.');
  if (!/^[\w@.]+$/.test(type)) return;
  reading.remember(end, start, `new ${type}()`);
  if (source[skipSpace(source, to, end, SPELLING)] !== '{') return;
  reading.reference(from + type.lastIndexOf('.') + 1, end, 'new', type, { args: 0 });
};

function declaration(place: 'local' | 'field'): NodeRule {
  return ({ start, end }, reading) => declare(reading, start, end, place);
}

function declare(reading: Reading, start: number, end: number, place: 'local' | 'field'): void {
  const declared = typeBeforeName(reading, start, end, MODIFIER);
  if (declared === null) return;
  const { nameAt } = declared;
  const type = declared.type === 'var' ? '' : declared.type;
  if (type !== '') typeReferences(reading, reading.source.lastIndexOf(type, nameAt), nameAt - 1);
  const last = reading.source[end - 1] === ';' ? end - 1 : end;
  declarators(reading, nameAt, last, (at, name, after, to) => {
    reading[place](at, name, type, targetTyped(reading, after, to, type) || valueAfter(reading, after, to));
  });
}

/** `using (Cart c = Open())`, `for (int i = 0;`. */
const inParenthesesRule: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  const open = source.indexOf('(', start);
  if (open === -1 || open >= end) return;
  const close = reading.closing(open, end) - 1;
  const stop = source.slice(open, Math.min(close, open + LONGEST_HEAD)).indexOf(';');
  declare(reading, open + 1, stop === -1 ? close : open + stop, 'local');
};

const forEachRule: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  const open = source.indexOf('(', start);
  const close = reading.closing(open, end);
  const declared = typeBeforeName(reading, open + 1, close, MODIFIER);
  if (declared === null) return;
  const at = skipSpace(source, declared.after, close, SPELLING);
  const list = source.startsWith('in', at) ? reading.chain(at + 2, close - 1) : '';
  const type = declared.type === 'var' ? '' : declared.type;
  if (type !== '') typeReferences(reading, open + 1, declared.nameAt - 1);
  reading.local(declared.nameAt, declared.name, type, type === '' && list !== '' ? `${list}[]` : '');
};

const parametersRule: NodeRule = ({ start, end }, reading) => {
  const before = reading.source.slice(Math.max(0, start - 100), start);
  // Parameters of a type are fields (see `typeDefinition`).
  if (!/\b(?:record|class|struct)\s+\w+\s*(?:<[^<>]*>\s*)?$/.test(before)) addParameters(reading, start, end, 'local');
};

/** `Cart c` of patterns, `out Cart c`, `catch (Error e)`. */
const typedNameRule: NodeRule = ({ start, end, kind }, reading) => {
  const { source } = reading;
  const declared = typeBeforeName(reading, source[start] === '(' ? start + 1 : start, end, MODIFIER);
  if (declared === null) {
    if (kind === 'catch_declaration') typeReferences(reading, start, end);
    return;
  }
  // `F(a * b)` can be read as a pointer's declaration.
  if (declared.type.endsWith('*')) return;
  const type = declared.type === 'var' ? '' : declared.type;
  if (type !== '') typeReferences(reading, start, declared.nameAt - 1);
  reading.local(declared.nameAt, declared.name, type, '');
};

/** `Cart { Size: 1 } c`. */
const recursivePatternRule: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  const to = typeEnd(reading, start, end);
  const name = /[\w@]+$/.exec(source.slice(Math.max(to, end - 100), end))?.[0];
  if (to === start || source[start] === '(') return;
  typeReferences(reading, start, to);
  if (name !== undefined) reading.local(end - name.length, name, source.slice(start, to), '');
};

const namesRule: NodeRule = ({ start, end }, reading) => {
  for (const match of reading.source.slice(start, Math.min(end, start + LONGEST_HEAD)).matchAll(/[\w@]+/g))
    reading.local(start + match.index, match[0], '', '');
};

/** `from cart in carts`. */
const fromRule: NodeRule = ({ start, end }, reading) => {
  const match = /^(?:from|join)\s+(?:[\w.<>?]+\s+)?(\w+)\s+in\b/.exec(
    reading.source.slice(start, Math.min(end, start + LONGEST_HEAD)),
  );
  if (match === null) return;
  const list = reading.chain(start + match[0].length, end);
  reading.local(
    start + match[0].lastIndexOf(match[1], match[0].length - 3),
    match[1],
    '',
    list === '' ? '' : `${list}[]`,
  );
};

const castRule: NodeRule = ({ start, end, kind }, reading) => {
  const { source } = reading;
  const open = kind === 'cast_expression' ? start + 1 : source.lastIndexOf(' as ', end) + 4;
  const to = typeEnd(reading, open, end);
  const type = /^[\w@.]+/.exec(source.slice(open, to))?.[0];
  if (open < start || type === undefined) return;
  typeReferences(reading, open, to);
  reading.remember(end, start, `new ${type}()`);
};

const typeListRule: NodeRule = ({ start, end }, reading) => typeReferences(reading, start, end);

const attributeRule: NodeRule = ({ start, end }, reading) => {
  const { source } = reading;
  const chain = /^[\w@.]+/.exec(source.slice(start, Math.min(end, start + LONGEST_HEAD)))?.[0];
  if (chain === undefined) return;
  const open = start + chain.length;
  const list = source[open] === '(' ? reading.arguments(open, end) : null;
  const extra = { args: list?.count ?? -1, literal: list?.literal ?? '' };
  reading.reference(open - chain.length + chain.lastIndexOf('.') + 1, end, 'decorator', chain, extra);
};

export const csharp: RelationRules = {
  spelling: SPELLING,
  nodes: {
    using_directive: usingRule,
    argument_list: callRule,
    object_creation_expression: newRule,
    field_declaration: declaration('field'),
    event_field_declaration: declaration('field'),
    local_declaration_statement: declaration('local'),
    using_statement: inParenthesesRule,
    for_statement: inParenthesesRule,
    foreach_statement: forEachRule,
    parameter_list: parametersRule,
    implicit_parameter: namesRule,
    tuple_pattern: namesRule,
    declaration_pattern: typedNameRule,
    declaration_expression: typedNameRule,
    catch_declaration: typedNameRule,
    recursive_pattern: recursivePatternRule,
    from_clause: fromRule,
    cast_expression: castRule,
    as_expression: castRule,
    type_argument_list: typeListRule,
    typeof_expression: ({ start, end }, reading) => typeReferences(reading, start + 7, end),
    attribute: attributeRule,
  },
  brackets: ['argument_list', 'parameter_list'],
  definition,
  values: HANDED_ON,
  ignoredTypes: new Set(
    'bool byte sbyte char decimal double float int uint nint nuint long ulong short ushort object string void dynamic var String Object Exception Task Action Func out ref params'.split(
      ' ',
    ),
  ),
};
