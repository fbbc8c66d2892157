/** Relations of TypeScript, TSX and JavaScript: which rule reads which node, and what is read from the text without its tree. */
import { calls, typeNames } from '../roles/call-rules.js';
import type { FactSink, LexicalConventions, NodeRule, RelationRules } from '../roles/relations.js';
import { findOutside } from '../roles/scan.js';
import { definition, parameters, variableDeclarator } from './bindings.js';
import { toldByLiteral } from './discriminants.js';
import { documented } from './doc-comments.js';
import { closingElement, element } from './elements.js';
import { blocksAround, bracketsOf, conditionsAround, expectedOf, TYPE_ARGUMENT } from './expected.js';
import { heritage } from './heritage.js';
import { commonExports, exportStatement, importStatement, loads, namespaceExports } from './modules.js';
import { ELEMENT_NAMES, NAMES } from './names.js';
import { GLOBAL_ROOTS, GLOBAL_TYPES, LITERAL_CALLS } from './patterns.js';
import { ambient, ambientDefinition, innerType } from './scopes.js';
import { callSignature, typeParameter } from './signatures.js';
import { wholeText } from './whole-text.js';

const LEXICAL: LexicalConventions = {
  joins: ['?.', '.'],
  nameExtra: '$#',
  postfix: '!',
  prefixes: ['await', 'yield', 'void'],
  newWord: 'new',
  cast: /\s(?:as|satisfies)\s+[\w$.<>[\]|&\s,'"]+$/,
  castType:
    /\sas\s+(?!(?:any|unknown|never|const|string|number|boolean|object|typeof|keyof|Record|Partial|Array|Promise)\b)([A-Za-z_$][\w$.]*)(?:<[^<>]*>)?\s*$/,
  castAway: /\sas\s+(?:any|unknown|never)\s*$/,
  typeArguments: '<>',
  quotes: '"\'`',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
  computed: /^[A-Z][A-Z\d]*_[A-Z\d_]+$/,
  spread: /^\.\.\./,
};

const callList = calls({
  typed: TYPE_ARGUMENT,
  classes: /^\(\s*([A-Z][\w$]*)\s*[,)]/,
  special: (call, sink) => {
    if (loads(call, sink)) return true;
    if (call.callee.accessPath !== 'super') return false;
    sink.reference(call.callee.nameStart, call.end, 'call', 'super.constructor', { args: call.list.count });
    return true;
  },
  kind: (call, { source }) => {
    if (source[call.start - 1] === '@') return 'decorator';
    return call.callee.isNew && !call.callee.accessPath.includes('()') ? 'new' : 'call';
  },
});

/** Decorators with arguments are calls, and were found as such. */
const decorator: NodeRule = ({ end }, sink) => {
  if (sink.source[end - 1] === ')') return;
  const { accessPath, nameStart } = sink.accessPathBefore(end);
  sink.reference(nameStart, end, 'decorator', accessPath);
};

/** A template with a tag is a call. */
const template: NodeRule = ({ start, end }, sink) => {
  const before = sink.source[start - 1];
  if (before === undefined || !/[\w$)\]>]/.test(before)) return;
  const { accessPath, nameStart, start: from } = sink.accessPathBefore(start);
  const isWord = /^(?:return|case|of|in|typeof|throw|else|default|await|yield|void|delete|new)$/.test(accessPath);
  if (accessPath === '' || accessPath.startsWith('?') || isWord) return;
  sink.remember(end, from, `${accessPath}()`);
  sink.reference(nameStart, end, 'call', accessPath);
};

/** `{ total: 1 }` writes a property of what it is given to. */
const object: NodeRule = (node, sink) => {
  const { start, end } = node;
  bracketsOf(sink).pair(start, end);
  blocksAround(node, sink);
  conditionsAround(node, sink);
  const place = expectedOf(sink, start, end);
  sink.literal(start, end, place === '' ? '' : place + toldByLiteral(sink, start, end));
};

/** `{ total: number }` as a type has no names that something else could mean. */
const propertySignature: NodeRule = ({ start }, sink) => {
  NAME_OF_PROPERTY.lastIndex = start;
  sink.declared(start + (NAME_OF_PROPERTY.exec(sink.source)?.[0].length ?? 0));
};
const NAME_OF_PROPERTY = /(?:readonly\s+)?["']?/y;

/** `number` as a type is no use of a function of that name. */
const plainType: NodeRule = ({ start }, sink) => sink.declared(start);

/** `typeof cart.total` as a type. */
const typeQuery: NodeRule = ({ start, end }, sink) => {
  const { accessPath, nameStart } = sink.accessPathBefore(
    findOutside(sink.source, start, end, '<', sink.rules.lexical),
  );
  sink.reference(nameStart, end, 'type', accessPath);
};

/** `X?.y` and `X[]` after `,`, `(` and the like. What follows must end the expression. */
const VALUES =
  /(?:[(,[:=?|&{]|=>|\breturn|\.\.\.|\bdefault)\s*((?:this\.)?[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)?)\s*(?=[,)\]};|&]|\n|$)/g;

/** Names that a function binds mean nothing behind it. */
const closure: NodeRule = ({ start, end }, sink) => sink.closure(start, end);

const SHARED: RelationRules['nodes'] = {
  arguments: callList,
  arrow_function: closure,
  class_heritage: heritage,
  export_statement: exportStatement,
  formal_parameters: parameters,
  function_expression: closure,
  object,
  import_statement: importStatement,
  template_string: template,
  variable_declarator: variableDeclarator,
  decorator,
};
const TYPES: RelationRules['nodes'] = {
  ambient_declaration: ambient,
  call_signature: callSignature,
  enum_declaration: innerType,
  extends_type_clause: heritage,
  interface_declaration: innerType,
  predefined_type: plainType,
  property_signature: propertySignature,
  type_alias_declaration: (node, sink) => {
    // The word `type` is no use of a function of that name.
    sink.declared(node.start);
    innerType(node, sink);
  },
  type_identifier: typeNames(),
  type_parameter: typeParameter,
  type_query: typeQuery,
};
const ELEMENTS: RelationRules['nodes'] = {
  jsx_closing_element: closingElement,
  jsx_opening_element: element,
  jsx_self_closing_element: element,
};

function text(sink: FactSink): void {
  wholeText(sink);
  commonExports(sink);
  namespaceExports(sink);
}

export const typescript: RelationRules = {
  lexical: LEXICAL,
  names: NAMES,
  nodes: { ...SHARED, ...TYPES },
  top: ['import_statement', 'export_statement'],
  brackets: ['arguments'],
  callbacks: ['arrow_function', 'function_expression', 'generator_function'],
  definition: (view, sink) => {
    ambientDefinition(view, sink);
    definition(view, sink);
  },
  text,
  values: VALUES,
  ignoredTypes: GLOBAL_TYPES,
  ignoredRoots: GLOBAL_ROOTS,
  literalCalls: LITERAL_CALLS,
};
export const tsx: RelationRules = { ...typescript, names: ELEMENT_NAMES, nodes: { ...SHARED, ...TYPES, ...ELEMENTS } };
export const javascript: RelationRules = {
  ...typescript,
  names: ELEMENT_NAMES,
  nodes: { ...SHARED, ...ELEMENTS },
  definition: (view, sink) => {
    documented(view, sink);
    definition(view, sink);
  },
};
