/** PHP. */
import type { DefinitionRules } from '../roles/definitions.js';

export const php: DefinitionRules = {
  definitions: [
    { node: 'class_declaration', kind: 'class' },
    { node: 'interface_declaration', kind: 'interface' },
    { node: 'trait_declaration', kind: 'trait' },
    { node: 'enum_declaration', kind: 'enum' },
    { node: 'enum_case', kind: 'enum-member' },
    { node: 'function_definition', kind: 'function' },
    {
      node: 'method_declaration',
      kind: 'method',
      parts: {
        path: 'parameters/>property_promotion_parameter',
        definition: { kind: 'property', name: 'name/>name' },
        beside: /^__construct$/i,
      },
    },
    { node: 'const_declaration', kind: 'constant', name: '>const_element/>name', each: true },
    { node: 'property_declaration', kind: 'property', name: '>property_element/name/>name', each: true },
    {
      node: 'function_call_expression',
      kind: 'constant',
      nameText: /define\s*\(\s*["'](\w+)["']/y,
      outer: true,
      where: { has: { field: 'function', regex: '^define$' } },
    },
  ],
  imports: ['php_tag', 'namespace_use_declaration', 'declare_statement'],
  importText: /^(?:(?:require|include)(?:_once)?\b|namespace\s[\w\s\\]+;)/,
  comments: ['comment'],
  docs: { line: /^(?:\/\/|#(?!\[))/, block: ['/*', '*/'] },
  exported: { notHead: /\b(?:private|protected)\b/ },
  constructors: /^__construct$/,
};
