/**
 * Rules of TypeScript, TSX and JavaScript: definitions, the rule for each node, and facts that are read from the text without its tree. Vue
 * and Svelte are markup around these.
 */
import type { ParsingRules } from '../language.js';
import { type Mask, maskedRanges } from '../roles/declarations.js';
import type { DefinedParts, Definition, DefinitionRules, KindByText } from '../roles/definitions.js';
import { blanked, withoutMarks } from '../roles/masks.js';
import {
  calls,
  type FactSink,
  type InlineScripts,
  type LexicalConventions,
  type NameRules,
  type NodeRule,
  type RelationRules,
  type TemplateRules,
  typeNames,
} from '../roles/relations.js';
import { findOutside, skipSpace, skipString } from '../roles/scan.js';
import { loadedBy, styleImports } from '../web/rules.js';
import { definition, parameters, variableDeclarator } from './bindings.js';
import { blocksAround, bracketsOf, conditionsAround, expectedOf, TYPE_ARGUMENT } from './expressions.js';
import { FLOW_PRAGMA, flowAsTypescript } from './flow.js';
import {
  commonExports,
  exportedObjects,
  exportStatement,
  importStatement,
  loads,
  namespaceExports,
  SCRIPT_IMPORTS,
} from './modules.js';
import { narrowedByLiteral } from './narrowings.js';
import { delegated, GLOBAL_ROOTS, GLOBAL_TYPES, LITERAL_CALLS, madeFrom, wholeText } from './patterns.js';
import { prefixOfRouter, statedByCall } from './routes.js';
import {
  ambient,
  ambientDefinition,
  callSignature,
  documented,
  heritage,
  innerType,
  typeParameter,
} from './signatures.js';
import { bracesIn, componentOf, decoratedNames, partsOf, usesOf } from './templates.js';

const NAMES: NameRules = {
  opaque: ['comment', 'hash_bang_line', 'string_fragment', 'regex'],
  keywords: new Set(),
  keys: true,
  interpolation: '$',
};

/** Names in grammars with elements. */
const ELEMENT_NAMES: NameRules = { ...NAMES, opaque: [...NAMES.opaque, 'jsx_text'] };

const ELEMENT = /<\/?\s*([\p{L}_$][\p{L}\p{N}_$.]*)/uy;

/** `<Cart/>` makes a Cart; elements in lower case are those of the page. */
export const element: NodeRule = ({ start, end }, sink) => {
  ELEMENT.lastIndex = start;
  const match = ELEMENT.exec(sink.source);
  if (match === null) return;
  const [all, name] = match;
  if (!isComponent(name)) {
    sink.declared(start + all.length - name.length);
    attributes(start + all.length, end, '', sink);
    return;
  }
  const at = start + all.length - (name.length - name.lastIndexOf('.') - 1);
  sink.reference(at, end, 'new', name);
  attributes(start + all.length, end, name, sink);
};

/** `</body>` is no use of an import of that name. */
const closingElement: NodeRule = ({ start }, sink) => {
  ELEMENT.lastIndex = start;
  const match = ELEMENT.exec(sink.source);
  if (match !== null && !isComponent(match[1])) sink.declared(start + match[0].length - match[1].length);
};

const isComponent = (name: string): boolean => /^\p{Lu}|[._$]/u.test(name);

const ATTRIBUTE = /([A-Za-z_$][\w$]*)\s*(?=[\s=/>])(?:=\s*)?/y;
/** Most attributes of one element. */
const MAX_ATTRIBUTES = 100;

/** `<Cart tax={2}/>` writes `tax` of the first parameter of `Cart`; attributes of the page's own elements do not count. */
function attributes(from: number, end: number, component: string, sink: FactSink): void {
  const { source, rules } = sink;
  let at = from;
  for (let count = 0; count < MAX_ATTRIBUTES && at < end; count++) {
    at = skipSpace(source, at, end, rules.lexical);
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(source);
    if (match !== null) {
      if (component === '') sink.declared(at);
      else sink.reference(at, at + match[1].length, 'write', `${component}(0).${match[1]}`);
      at += match[0].length;
    }
    const value = source[at] === '{' ? sink.closing(at, end) : skipString(source, at, end, `"'`);
    if (value === at && match === null) return;
    at = value;
  }
}

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
    const isDecorated = call.name === 'Component' || call.name === 'Directive';
    if (isDecorated && sink.source[call.start - 1] === '@') componentOf(call.view.start, call.end, sink);
    madeFrom(call, sink);
    delegated(call, sink);
    if (statedByCall(call, sink)) return true;
    const prefix = call.callee.isNew ? prefixOfRouter(call, sink) : '';
    if (prefix !== '') {
      const { accessPath, nameStart } = call.callee;
      sink.reference(nameStart, call.end, 'new', accessPath, { args: call.list.count, literal: prefix });
      return true;
    }
    if (call.callee.accessPath !== 'super') return false;
    sink.reference(call.callee.nameStart, call.end, 'call', 'super.constructor', { args: call.list.count });
    return true;
  },
  kind: (call, { source }) => {
    if (source[call.start - 1] === '@') return 'decorator';
    return call.callee.isNew && !call.callee.accessPath.includes('()') ? 'new' : 'call';
  },
});

/** Decorators without arguments; those with arguments are found as calls. */
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

/** `{ total: 1 }` writes a property of what the object is given to. */
const object: NodeRule = (node, sink) => {
  const { start, end } = node;
  bracketsOf(sink).pair(start, end);
  blocksAround(node, sink);
  conditionsAround(node, sink);
  const place = expectedOf(sink, start, end);
  sink.literal(start, end, place === '' ? '' : place + narrowedByLiteral(sink, start, end));
};

/** `{ total: number }` as a type has no names that mean other code. */
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

/** Values that are passed on, `X?.y` and `X[]` after `,`, `(` and the like. The expression must end behind them. */
const VALUES =
  /(?:[(,[:=?|&{]|=>|\breturn|\.\.\.|\bdefault)\s*((?:this\.)?[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)?)\s*(?=[,)\]};|&]|\n|$)/g;

/** States the object around a method: its bracket can be further away than the text is read back. */
const methodOfObject: NodeRule = (node, sink) => {
  const name = node.parent?.kind === 'object' ? node.field('name') : null;
  if (name !== null && node.parent !== null) bracketsOf(sink).inside(name.start, node.parent.start);
};

/** Names that a function binds have no meaning behind it. */
const closure: NodeRule = ({ start, end }, sink) => sink.closure(start, end);

const SHARED_NODES: RelationRules['nodes'] = {
  arguments: callList,
  arrow_function: closure,
  class_heritage: heritage,
  export_statement: exportStatement,
  formal_parameters: parameters,
  function_expression: closure,
  object,
  import_statement: importStatement,
  method_definition: methodOfObject,
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
  exportedObjects(sink);
  namespaceExports(sink);
}

const typescriptRelations: RelationRules = {
  lexical: LEXICAL,
  names: NAMES,
  importText: SCRIPT_IMPORTS,
  nodes: { ...SHARED_NODES, ...TYPES },
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
  handedValues: /[rR]out(?:er|es)[\w$]*\(\)$/,
};
const tsxRelations: RelationRules = {
  ...typescriptRelations,
  names: ELEMENT_NAMES,
  nodes: { ...SHARED_NODES, ...TYPES, ...ELEMENTS },
};
const javascriptRelations: RelationRules = {
  ...typescriptRelations,
  names: ELEMENT_NAMES,
  nodes: { ...SHARED_NODES, ...ELEMENTS },
  definition: (view, sink) => {
    documented(view, sink);
    definition(view, sink);
  },
};

const TYPESCRIPT_ATTRIBUTE = /\blang\s*=\s*["']?tsx?\b/i;

const MARKUP: Omit<TemplateRules, 'expressions' | 'loops' | 'dashed'> = {
  scriptLanguage: (attributes) => (TYPESCRIPT_ATTRIBUTE.test(attributes) ? 'typescript' : 'javascript'),
  names: typescriptRelations,
  loadedBy,
  styleImports,
  uses: usesOf,
};

/** Of a script that loads another file nothing counts, and data is no script. */
const NO_SCRIPT =
  /(?:^|\s)src\s*=|(?:^|\s)type\s*=\s*["']?(?!module\b|(?:text|application)\/(?:javascript|ecmascript|babel|jsx)\b|["'\s]|$)/i;

/** Scripts of HTML. */
export const inline: InlineScripts = {
  scriptLanguage: (attributes) => (NO_SCRIPT.test(attributes) ? null : MARKUP.scriptLanguage(attributes)),
  parsed: withoutMarks,
  names: typescriptRelations,
};

const VUE_EXPRESSION =
  /\{\{([\s\S]{1,500}?)\}\}|\s(?:[@:#]|v-)[\w.:\-[\]]{0,60}\s*=\s*(?:"([^"]{1,2000})"|'([^']{1,2000})')/g;

export const vue: TemplateRules = {
  ...MARKUP,
  expressions: (markup) => partsOf(markup, VUE_EXPRESSION),
  loops: /\sv-for\s*=\s*["']\s*\(?\s*(?<each>[\w$]+)[^"'<>]{0,100}?\s(?:in|of)\s+(?<of>[\w$.]+)\s*["']/g,
  dashed: true,
};

export const svelte: TemplateRules = {
  ...MARKUP,
  expressions: bracesIn,
  loops: /\{#each\s+(?<of>[\w$.]+)\s+as\s+(?<each>[\w$]+)/g,
  dashed: false,
};

/** The frontmatter is a script, too. */
export const astro: TemplateRules = {
  ...svelte,
  scriptLanguage: (attributes) => (NO_SCRIPT.test(attributes) ? null : 'typescript'),
  first: [/^(\s*---[^\S\n]*\n)([\s\S]*?)(?<=\n)---[^\S\n]*(?:\n|$)/, 'typescript'],
};

const FUNCTIONS = ['arrow_function', 'function_expression', 'generator_function'];
const FUNCTION_VALUES = {
  arrow_function: 'function',
  function_expression: 'function',
  generator_function: 'function',
  class: 'class',
} as const;
const METHOD_VALUES = {
  arrow_function: 'method',
  function_expression: 'method',
  generator_function: 'method',
} as const;

/** Bindings of `require` are part of the import block. */
const IMPORTED: KindByText = [[/^\s*(?::[^=]*)?=\s*(?:await\s+)?(?:require|import)\s*\(/, null]];
/** `exports.cart = require('./cart')` re-exports, as `export { cart } from './cart'` does. */
const REEXPORTED: KindByText = [
  [/^\s*=\s*require\s*\(\s*(["'`])[^"'`\n]{1,200}\1\s*\)(?:\.[\w$]+)?[ \t]*(?:;|\/\/|$)/m, null],
];
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** `Cart.prototype = { … }`, `Object.assign(Cart.prototype, { … })`: functions of the object are members of the type. */
const PROTOTYPE =
  /(?:^|[^.\w$])([A-Za-z_$][\w$]*)\.(?:prototype|fn)\s*=\s*$|\b(?:assign|extend|extendOwn|merge)\(\s*([A-Za-z_$][\w$]*)\.prototype\s*,\s*$/;

const SHARED_DEFINITIONS: Definition[] = [
  { node: ['function_declaration', 'generator_function_declaration'], kind: 'function' },
  { node: 'class_declaration', kind: 'class' },
  {
    node: 'method_definition',
    kind: 'method',
    exported: { notHead: /\b(?:private|protected)\b|#\s*$/, name: /^[^#]/, notIn: FUNCTIONS },
    ownerOfObject: PROTOTYPE,
  },
  {
    node: 'variable_declarator',
    kind: 'variable',
    by: { path: 'value', kinds: FUNCTION_VALUES },
    head: [[/^\s*(?:export\s+)?(?:declare\s+)?const\b/, 'constant']],
    tail: IMPORTED,
    named: IDENTIFIER,
    body: 'value?/body',
    found: 'walk',
    lead: /\b(?:const|let|var)\s+$/,
  },
  {
    // `app.use = function …`, `exports.x = …`; other assigned values define nothing.
    node: 'assignment_expression',
    kind: 'constant',
    head: [
      [/(?:^|[^.\w])(?:module\.)?exports\.$/, 'constant'],
      [/^/, null],
    ],
    tail: REEXPORTED,
    by: { path: 'right', kinds: FUNCTION_VALUES },
    name: 'left/property',
    // `module.exports = class Cart { … }`, `module.exports = function total () { … }`
    renamed:
      /exports\s*=\s*(?:class\s+(?!extends\b)|(?:async\s+)?function\b\s*(?:\*\s*)?)([\p{L}_$][\p{L}\p{N}_$]*)|(#?[\p{L}_$][\p{L}\p{N}_$]*)/uy,
    named: /^(?!exports$)#?[\p{L}_$][\p{L}\p{N}_$]*$/u,
    owner: /([\w$]+)(?:\.prototype)?\.$/,
    body: 'right/body',
    exported: { head: /^(?:module\.)?exports\.|^module\.$/ },
    found: 'walk',
  },
  {
    node: 'pair',
    kind: 'method',
    name: 'key',
    body: 'value/body',
    named: IDENTIFIER,
    exported: {},
    by: { path: 'value', kinds: { ...METHOD_VALUES, '*': null } },
    found: 'walk',
    ownerOfObject: PROTOTYPE,
  },
];

const FIELD: Omit<Definition, 'node'> = {
  kind: 'field',
  by: { path: 'value', kinds: METHOD_VALUES },
  body: 'value?/body',
  exported: { notHead: /\b(?:private|protected)\b/, name: /^[^#]/ },
};

/** `constructor(private cart: Cart)` */
const PARAMETER_PROPERTIES: DefinedParts = {
  path: 'parameters/>required_parameter|optional_parameter',
  definition: {
    kind: 'field',
    name: 'pattern',
    head: [
      [/\b(?:public|private|protected|readonly|override)\s+$/, 'field'],
      [/^/, null],
    ],
    named: IDENTIFIER,
    exported: { notHead: /\b(?:private|protected)\b/ },
  },
  memberOf: /^constructor$/,
};

const TYPESCRIPT: Definition[] = [
  ...SHARED_DEFINITIONS.map((one) =>
    one.node === 'method_definition' ? { ...one, parts: PARAMETER_PROPERTIES } : one,
  ),
  { node: 'abstract_class_declaration', kind: 'class', found: 'walk' },
  { node: 'interface_declaration', kind: 'interface' },
  { node: 'type_alias_declaration', kind: 'type', body: 'value' },
  { node: 'enum_declaration', kind: 'enum' },
  { node: 'enum_assignment', kind: 'enum-member', found: 'walk', exported: {} },
  { node: 'enum_body', kind: 'enum-member', found: 'walk', each: 'alone', exported: {} },
  { node: ['internal_module', 'module'], kind: 'namespace', found: 'walk' },
  { node: ['function_signature'], kind: 'function', found: 'walk' },
  {
    node: ['method_signature', 'abstract_method_signature'],
    kind: 'method',
    found: 'walk',
    exported: { notHead: /\b(?:private|protected)\b/ },
  },
  { node: 'property_signature', kind: 'property', found: 'walk', exported: {} },
  { node: 'public_field_definition', ...FIELD },
];

const JAVASCRIPT: Definition[] = [...SHARED_DEFINITIONS, { node: 'field_definition', ...FIELD, name: 'property' }];

const WALK = [
  ...['export_statement', 'lexical_declaration', 'variable_declaration', 'expression_statement', 'statement_block'],
  ...['class_declaration', 'class_body', 'variable_declarator', 'assignment_expression', 'object'],
];
const WALK_TYPES = [
  ...['abstract_class_declaration', 'interface_declaration', 'interface_body', 'enum_declaration', 'enum_body'],
  ...['internal_module', 'module', 'as_expression', 'satisfies_expression'],
  ...['type_alias_declaration', 'object_type', 'intersection_type', 'union_type', 'parenthesized_type'],
  ...['generic_type', 'type_arguments'],
];
/** `const X = freeze({ … })`: functions in a literal that the value of `X` is made from are members of `X`. */
const WALK_UNDER = { call_expression: ['variable_declarator'], arguments: ['call_expression'] };

const COMMON: Omit<DefinitionRules, 'grammar' | 'definitions'> = {
  wrappers: {
    export_statement: { exports: true, walk: true },
    lexical_declaration: { walk: true },
    variable_declaration: { walk: true },
    expression_statement: { walk: true },
  },
  values: { kinds: [...FUNCTIONS, 'class'], before: /[^=]=\s*$/ },
  attached: { kinds: ['decorator'], ends: /[\w$)]/ },
  imports: ['import_statement'],
  importText:
    /^(?:(?:const|let|var)\s[^=;]{1,400}=\s*(?:await\s+)?(?:require|import)\s*\(|import\s*["'{*\w]|require\s*\(|["']use \w+["']|export\s+(?:type\s+)?(?:\*|\{[^}]{0,480}(?:\}\s*from\b|$)))/,
  comments: ['comment', 'hash_bang_line'],
  docs: { line: /^\/\/(?!\/\s*<)/, block: ['/*', '*/'] },
  exported: { wrapped: true },
  fixed: /(?:^|\s)(?:private|static)\s|^#/,
  constructors: /^constructor$/,
  lateExports: [
    { needs: 'export {', pattern: /^export\s\{([^}]{1,20000})\}(?!\s*from)/gm },
    { needs: 'export type {', pattern: /^export\stype\s\{([^}]{1,20000})\}(?!\s*from)/gm },
    { needs: 'export default ', pattern: /^export\sdefault\s([\w$]+)\s*(?:;\s*)?$/gm },
    {
      needs: 'exports',
      pattern: /^(?:module\.)?exports\s*=\s*(?:module\.exports\s*=\s*)?\{([^}]{1,20000})\}/gm,
    },
    {
      needs: 'exports',
      pattern: /^(?:module\.)?exports(?:\.[\w$]+)?\s*=\s*(?:module\.exports\s*=\s*)?([\w$]+)\s*(?:;\s*)?$/gm,
    },
    { needs: 'exports', pattern: /^(?:var|let|const)\s+([\w$]+)\s*=\s*(?:module\.)?exports\b/gm },
  ],
  merge: 'overloads',
  walkUnder: WALK_UNDER,
};

/** Blank before the `<` of a call signature on its own line, perhaps below a comment; a semicolon in its place ends the signature before it. */
const UNSEPARATED =
  /((?:[\w$\]})]|(?<!=)>)[ \t]*\r?\n(?:[ \t]*\r?\n){0,3}(?:[ \t]*\/\*(?:[^*]|\*(?!\/)){0,2000}\*\/[ \t]*\r?\n|[ \t]*\/\/[^\n]{0,500}\n){0,3}[ \t]*)[ \t](?=<(?:[A-Za-z_$]|[ \t]*\r?\n))/g;

/** `export type * from './cart.js'` of TypeScript 5, which the grammar does not know. */
const TYPES_OF_MODULE = /(?<=\bexport[ \t]{1,8})type(?=[ \t]{0,8}\*)/g;

/** `import defer * as a from 'a'`, `interface Box<in out T>` */
const NEWER: readonly Mask[] = [
  [/\bimport[ \t]+(defer)(?=[ \t]+\*)/g],
  [/[<,][ \t\n\r]*((?:in[ \t]+out|in|out)[ \t]+)(?=[A-Z]\w*\s*(?:[,>=]|extends\b))/g],
];

const typescriptDefinitions: DefinitionRules = {
  otherNames: decoratedNames,
  repaired: (text) => blanked(text.replace(TYPES_OF_MODULE, '    '), maskedRanges(text, NEWER)),
  ...COMMON,
  // The grammar reads the `<` of a second call signature as part of the type before it, and fails for the whole file.
  parsed: (text) => (/\n[ \t]+</.test(text) ? text.replace(UNSEPARATED, '$1;') : text),
  definitions: TYPESCRIPT,
  wrappers: { ...COMMON.wrappers, ambient_declaration: { walk: true } },
  walk: [...WALK, 'ambient_declaration', ...WALK_TYPES],
};
const tsxDefinitions: DefinitionRules = { ...typescriptDefinitions, parsed: undefined };
const javascriptDefinitions: DefinitionRules = {
  ...COMMON,
  walk: WALK,
  definitions: JAVASCRIPT,
};

export const typescript: ParsingRules = { definitions: typescriptDefinitions, relations: typescriptRelations };

export const tsx: ParsingRules = { definitions: tsxDefinitions, relations: tsxRelations };

export const javascript: ParsingRules = {
  definitions: javascriptDefinitions,
  relations: javascriptRelations,
  dialect: { language: 'tsx', stated: FLOW_PRAGMA, parsed: flowAsTypescript },
};
