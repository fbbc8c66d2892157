/** TypeScript, TSX, JavaScript and JSX. */
import type { DefinedParts, Definition, DefinitionRules, KindByText } from '../roles/definitions.js';

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

/** Bindings of `require` belong to the import block. */
const IMPORTED: KindByText = [[/^\s*(?::[^=]*)?=\s*(?:await\s+)?(?:require|import)\s*\(/, null]];
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

const SHARED: Definition[] = [
  { node: ['function_declaration', 'generator_function_declaration'], kind: 'function' },
  { node: 'class_declaration', kind: 'class' },
  {
    node: 'method_definition',
    kind: 'method',
    exported: { notHead: /\b(?:private|protected)\b|#\s*$/, name: /^[^#]/, notIn: FUNCTIONS },
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
    // `app.use = function …`, `exports.x = …`; other assignments of values define nothing.
    node: 'assignment_expression',
    kind: 'constant',
    head: [
      [/(?:^|[^.\w])(?:module\.)?exports\.$/, 'constant'],
      [/^/, null],
    ],
    by: { path: 'right', kinds: FUNCTION_VALUES },
    name: 'left/property',
    named: /^(?!exports$)#?[\p{L}_$][\p{L}\p{N}_$]*$/u,
    owner: /([\w$]+)(?:\.prototype)?\.$/,
    body: 'right/body',
    exported: { head: /^(?:module\.)?exports\./ },
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
  },
];

const FIELD: Omit<Definition, 'node'> = {
  found: 'walk',
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
  beside: /^constructor$/,
};

const TYPESCRIPT: Definition[] = [
  ...SHARED.map((one) => (one.node === 'method_definition' ? { ...one, parts: PARAMETER_PROPERTIES } : one)),
  { node: 'abstract_class_declaration', kind: 'class', found: 'walk' },
  { node: 'interface_declaration', kind: 'interface', found: 'walk' },
  { node: 'type_alias_declaration', kind: 'type', found: 'walk', body: 'value' },
  { node: 'enum_declaration', kind: 'enum', found: 'walk' },
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

const JAVASCRIPT: Definition[] = [...SHARED, { node: 'field_definition', ...FIELD, name: 'property' }];

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
/** `const X = freeze({ … })`: functions in a literal that the value of a name is made from are its members. */
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

/** The blank before `<` of a call signature on a line of its own stands for the semicolon of the one before it. */
const UNSEPARATED = /((?:[\w$\]})]|(?<!=)>)[ \t]*\r?\n[ \t]*)[ \t](?=<(?:[A-Za-z_$]|[ \t]*\r?\n))/g;

export const typescript: DefinitionRules = {
  ...COMMON,
  // The grammar reads the `<` of a second call signature as one of the type before it, and gives the whole file up.
  parsed: (text) => (/\n[ \t]+</.test(text) ? text.replace(UNSEPARATED, '$1;') : text),
  definitions: TYPESCRIPT,
  wrappers: { ...COMMON.wrappers, ambient_declaration: { walk: true } },
  walk: [...WALK, 'ambient_declaration', ...WALK_TYPES],
};
export const tsx: DefinitionRules = { ...typescript, parsed: undefined };
export const javascript: DefinitionRules = {
  ...COMMON,
  walk: WALK,
  definitions: JAVASCRIPT,
};
