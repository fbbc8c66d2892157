/** Definitions of Scala. */
import type { DefinitionRules } from '../../roles/definitions.js';

export const scala: DefinitionRules = {
  definitions: [
    { node: 'class_definition', kind: 'class' },
    { node: 'trait_definition', kind: 'trait' },
    { node: ['object_definition', 'package_object'], kind: 'object' },
    { node: 'enum_definition', kind: 'enum' },
    { node: ['simple_enum_case', 'full_enum_case'], kind: 'enum-member', exported: {} },
    { node: ['function_definition', 'function_declaration'], kind: 'function', member: 'method' },
    {
      node: ['val_definition', 'var_definition'],
      kind: 'variable',
      member: 'property',
      name: 'pattern',
      named: /^[\w$`]+$/,
      outer: true,
    },
    { node: ['val_declaration', 'var_declaration'], kind: 'property', outer: true },
    { node: 'given_definition', kind: 'constant', outer: true },
    { node: 'type_definition', kind: 'type', outer: true },
  ],
  imports: ['package_clause', 'import_declaration'],
  comments: ['comment', 'block_comment'],
  docs: { line: /^\/\//, block: ['/*', '*/'] },
  exported: { notHead: /\bprivate\b/ },
  constructors: /^this$/,
  constants: /^[A-Z]/,
};
