/** Java. */
import type { DefinitionRules } from '../../roles/definitions.js';

export const java: DefinitionRules = {
  definitions: [
    { node: 'class_declaration', kind: 'class' },
    {
      node: 'record_declaration',
      kind: 'class',
      parts: { path: 'parameters/>formal_parameter', definition: { kind: 'field', exported: {} } },
    },
    { node: ['interface_declaration', 'annotation_type_declaration'], kind: 'interface', opens: /./ },
    { node: 'enum_declaration', kind: 'enum' },
    { node: 'enum_constant', kind: 'enum-member', exported: {} },
    { node: ['method_declaration', 'annotation_type_element_declaration'], kind: 'method' },
    { node: ['constructor_declaration', 'compact_constructor_declaration'], kind: 'constructor' },
    {
      node: ['field_declaration', 'constant_declaration'],
      kind: 'field',
      name: 'declarator/name',
      each: true,
      head: [[/\bstatic\b[^=]*\bfinal\b|\bfinal\b[^=]*\bstatic\b/, 'constant']],
    },
  ],
  imports: ['package_declaration', 'import_declaration'],
  comments: ['block_comment', 'line_comment'],
  docs: { line: /^\/\//, block: ['/*', '*/'] },
  exported: { head: /\b(?:public|protected)\b/ },
};
