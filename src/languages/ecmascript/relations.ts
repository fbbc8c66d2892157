/** TypeScript, TSX, JavaScript and JSX. */
import { calls, typeNames } from '../roles/call-rules.js';
import type { NodeRule, Reading, RelationRules, Spelling } from '../roles/relations.js';
import { findOutside, splitList } from '../roles/scan.js';
import { definition, parameters, variableDeclarator } from './bindings.js';
import { documented } from './jsdoc.js';
import { commonExports, exportStatement, importStatement, loads } from './modules.js';
import { wholeText } from './text.js';
import { GLOBAL_ROOTS, GLOBAL_TYPES, LITERAL_CALLS } from './words.js';

const SPELLING: Spelling = {
  joins: ['?.', '.'],
  nameExtra: '$#',
  postfix: '!',
  prefixes: ['await', 'yield', 'void'],
  newWord: 'new',
  cast: /\s(?:as|satisfies)\s+[\w$.<>[\]|&\s,'"]+$/,
  typeArguments: '<>',
  quotes: '"\'`',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
  spread: /^\.\.\./,
};

const callList = calls({
  special: (call, reading) => {
    if (loads(call, reading)) return true;
    if (call.callee.chain !== 'super') return false;
    reading.reference(call.callee.nameStart, call.end, 'call', 'super.constructor', { args: call.list.count });
    return true;
  },
  kind: (call, { source }) => {
    if (source[call.start - 1] === '@') return 'decorator';
    return call.callee.isNew && !call.callee.chain.includes('()') ? 'new' : 'call';
  },
});

/** Decorators with arguments are calls, and were found as such. */
const decorator: NodeRule = ({ end }, reading) => {
  if (reading.source[end - 1] === ')') return;
  const { chain, nameStart } = reading.chainBefore(end);
  reading.reference(nameStart, end, 'decorator', chain);
};

/** A template with a tag is a call. */
const template: NodeRule = ({ start, end }, reading) => {
  const before = reading.source[start - 1];
  if (before === undefined || !/[\w$)\]>]/.test(before)) return;
  const { chain, nameStart, start: from } = reading.chainBefore(start);
  const isWord = /^(?:return|case|of|in|typeof|throw|else|default|await|yield|void|delete|new)$/.test(chain);
  if (chain === '' || chain.startsWith('?') || isWord) return;
  reading.remember(end, from, `${chain}()`);
  reading.reference(nameStart, end, 'call', chain);
};

/** `extends A<B> implements C, D`: of classes, and of interfaces. */
const heritage: NodeRule = ({ start, end }, reading) => {
  const { source, rules } = reading;
  const implement = /\bimplements\s/g;
  implement.lastIndex = start;
  const match = implement.exec(source.slice(0, end));
  const split = match === null ? end : match.index;
  for (const [kind, from, to] of [
    ['extends', start, split],
    ['implements', split, end],
  ] as const) {
    const word = source.startsWith(kind, from) ? from + kind.length : from;
    for (const part of splitList(source, word, to, ',', rules.spelling, true)) {
      const found = reading.chainBefore(part.end);
      reading.reference(found.nameStart, part.end, kind, found.chain);
    }
  }
};

const ELEMENT = /<\s*([\p{L}_$][\p{L}\p{N}_$.]*)/uy;

/** `<Cart/>` makes a Cart; elements in lower case are the page's own. */
const element: NodeRule = ({ start, end }, reading) => {
  ELEMENT.lastIndex = start;
  const match = ELEMENT.exec(reading.source);
  if (match === null) return;
  const [all, name] = match;
  if (!/^\p{Lu}|[._$]/u.test(name)) return;
  const at = start + all.length - (name.length - name.lastIndexOf('.') - 1);
  reading.reference(at, end, 'new', name);
};

/** `typeof cart.total` as a type. */
const typeQuery: NodeRule = ({ start, end }, reading) => {
  const { chain, nameStart } = reading.chainBefore(
    findOutside(reading.source, start, end, '<', reading.rules.spelling),
  );
  reading.reference(nameStart, end, 'type', chain);
};

const typeParameter: NodeRule = ({ text }, reading) => {
  const name = /^(?:(?:const|in|out)\s+)*([\w$]+)/.exec(text)?.[1];
  if (name !== undefined) reading.typeParameter(name);
};

/** `X?.y` and `X[]` after `,`, `(` and the like. What follows must end the expression. */
const VALUES =
  /(?:[(,[:=?|&{]|=>|\breturn|\.\.\.|\bdefault)\s*((?:this\.)?[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)?)\s*(?=[,)\]};|&]|\n|$)/g;

const SHARED: RelationRules['nodes'] = {
  arguments: callList,
  class_heritage: heritage,
  export_statement: exportStatement,
  formal_parameters: parameters,
  import_statement: importStatement,
  template_string: template,
  variable_declarator: variableDeclarator,
  decorator,
};
const TYPES: RelationRules['nodes'] = {
  extends_type_clause: heritage,
  type_identifier: typeNames(),
  type_parameter: typeParameter,
  type_query: typeQuery,
};
const ELEMENTS: RelationRules['nodes'] = { jsx_opening_element: element, jsx_self_closing_element: element };

function text(reading: Reading): void {
  wholeText(reading);
  commonExports(reading);
}

export const typescript: RelationRules = {
  spelling: SPELLING,
  nodes: { ...SHARED, ...TYPES },
  top: ['import_statement', 'export_statement'],
  brackets: ['arguments'],
  callbacks: ['arrow_function', 'function_expression', 'generator_function'],
  definition,
  text,
  values: VALUES,
  ignoredTypes: GLOBAL_TYPES,
  ignoredRoots: GLOBAL_ROOTS,
  literalCalls: LITERAL_CALLS,
};
export const tsx: RelationRules = { ...typescript, nodes: { ...SHARED, ...TYPES, ...ELEMENTS } };
export const javascript: RelationRules = {
  ...typescript,
  nodes: { ...SHARED, ...ELEMENTS },
  definition: (view, reading) => {
    documented(view, reading);
    definition(view, reading);
  },
};
