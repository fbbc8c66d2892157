/** C#. */
import type { DefinitionRules } from '../roles/definitions.js';
import { withoutDirectives } from './directives.js';

export const csharp: DefinitionRules = {
  parsed: withoutDirectives,
  definitions: [
    { node: ['namespace_declaration', 'file_scoped_namespace_declaration'], kind: 'namespace', exported: {} },
    { node: 'class_declaration', kind: 'class' },
    {
      node: 'record_declaration',
      kind: 'class',
      parts: { path: '>parameter_list/>parameter', definition: { kind: 'property', exported: {} } },
    },
    { node: 'interface_declaration', kind: 'interface', opens: /./ },
    { node: 'struct_declaration', kind: 'struct' },
    { node: 'enum_declaration', kind: 'enum' },
    { node: 'enum_member_declaration', kind: 'enum-member', exported: {} },
    { node: 'delegate_declaration', kind: 'type' },
    { node: 'method_declaration', kind: 'method' },
    { node: 'constructor_declaration', kind: 'constructor' },
    { node: 'property_declaration', kind: 'property', body: 'accessors' },
    { node: 'indexer_declaration', kind: 'property', unnamed: 'this', body: 'accessors' },
    { node: 'event_declaration', kind: 'property', body: 'accessors' },
    {
      node: ['field_declaration', 'event_field_declaration'],
      kind: 'field',
      name: '>variable_declaration/>variable_declarator/name',
      each: true,
      head: [[/\bconst\b|\bstatic\s+readonly\b/, 'constant']],
    },
    { node: 'local_function_statement', kind: 'function' },
    { node: 'operator_declaration', kind: 'method', name: 'operator' },
  ],
  imports: ['using_directive', 'extern_alias_directive'],
  comments: ['comment'],
  docs: { line: /^\/\//, block: ['/*', '*/'] },
  exported: { head: /\b(?:public|protected)\b/ },
};
