/** TypeScript, TSX, JavaScript and JSX. */
import type { Definition, KindByText, LanguageRules } from './types.js';

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
const valueIs = (kinds: string[]) => ({ has: { field: 'value', any: kinds.map((kind) => ({ kind })) } });
const kinds = (names: string[]) => names.map((kind) => ({ kind }));

const SHARED: Definition[] = [
  { node: ['function_declaration', 'generator_function_declaration'], kind: 'function' },
  { node: 'class_declaration', kind: 'class' },
  {
    node: 'method_definition',
    kind: 'method',
    exported: { notHead: /\b(?:private|protected)\b|#\s*$/, name: /^[^#]/ },
  },
  {
    node: 'variable_declarator',
    kind: 'variable',
    by: { path: 'value', kinds: FUNCTION_VALUES },
    head: [[/^\s*(?:export\s+)?(?:declare\s+)?const\b/, 'constant']],
    tail: IMPORTED,
    named: IDENTIFIER,
    body: 'value?/body',
    where: valueIs(FUNCTIONS),
    found: 'both',
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
    where: { has: { field: 'right', any: kinds([...FUNCTIONS, 'class']) } },
    found: 'both',
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

const TYPESCRIPT: Definition[] = [
  ...SHARED,
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

const COMMON: Omit<LanguageRules, 'grammar' | 'definitions'> = {
  wrappers: {
    export_statement: { exports: true, walk: true },
    lexical_declaration: { walk: true },
    variable_declaration: { walk: true },
    expression_statement: { walk: true },
    ambient_declaration: { walk: true },
  },
  walk: [
    ...[
      'export_statement',
      'lexical_declaration',
      'variable_declaration',
      'expression_statement',
      'ambient_declaration',
    ],
    ...['class_declaration', 'abstract_class_declaration', 'class_body', 'interface_declaration', 'interface_body'],
    ...['enum_declaration', 'internal_module', 'module', 'statement_block', 'variable_declarator'],
    ...['assignment_expression', 'object', 'as_expression', 'satisfies_expression'],
  ],
  attached: { kinds: ['decorator'], ends: /[\w$)]/ },
  imports: ['import_statement'],
  importText:
    /^(?:(?:const|let|var)\s[^=;]{1,400}=\s*(?:await\s+)?(?:require|import)\s*\(|import\s*["'{*\w]|require\s*\(|["']use \w+["'])/,
  comments: ['comment', 'hash_bang_line'],
  docs: { line: /^\/\/(?!\/\s*<)/, block: ['/*', '*/'] },
  exported: { wrapped: true },
  constructors: /^constructor$/,
  lateExports: [
    /^export\s+(?:type\s+)?\{([^}]{1,20000})\}(?!\s*from)/gm,
    /^export\s+default\s+([\w$]+)\s*;?\s*$/gm,
    /^(?:module\.)?exports\s*=\s*(?:module\.exports\s*=\s*)?\{([^}]{1,20000})\}/gm,
    /^(?:module\.)?exports(?:\.[\w$]+)?\s*=\s*(?:module\.exports\s*=\s*)?([\w$]+)\s*;?\s*$/gm,
    /^(?:var|let|const)\s+([\w$]+)\s*=\s*(?:module\.)?exports\b/gm,
  ],
  merge: 'overloads',
};

export const typescript: LanguageRules = {
  ...COMMON,
  grammar: 'TypeScript',
  definitions: TYPESCRIPT,
};
export const tsx: LanguageRules = { ...typescript, grammar: 'Tsx' };
export const javascript: LanguageRules = {
  ...COMMON,
  grammar: 'JavaScript',
  definitions: JAVASCRIPT,
};
