/** Definitions of Kotlin. */
import type { DefinitionRules } from '../../roles/definitions.js';

export const kotlin: DefinitionRules = {
  definitions: [
    {
      node: 'class_declaration',
      kind: 'class',
      name: '>type_identifier',
      head: [
        [/\benum\s+class\s*$/, 'enum'],
        [/\binterface\s*$/, 'interface'],
      ],
      body: '>class_body',
    },
    { node: 'object_declaration', kind: 'object', name: '>type_identifier', body: '>class_body' },
    { node: 'companion_object', kind: 'object', name: '>type_identifier', unnamed: 'Companion', body: '>class_body' },
    {
      node: 'function_declaration',
      kind: 'function',
      member: 'method',
      name: '>simple_identifier',
      body: '>function_body',
    },
    { node: 'secondary_constructor', kind: 'constructor', unnamed: 'constructor', body: '>statements' },
    {
      node: 'property_declaration',
      kind: 'variable',
      member: 'property',
      name: '>variable_declaration/>simple_identifier',
      head: [[/\bconst\s+val\s*$/, 'constant']],
      outer: true,
    },
    {
      node: 'class_parameter',
      kind: 'property',
      name: '>simple_identifier',
      head: [
        [/\b(?:val|var)\s+$/, 'property'],
        [/^/, null],
      ],
    },
    { node: 'type_alias', kind: 'type', name: '>type_identifier' },
    { node: 'enum_entry', kind: 'enum-member', name: '>simple_identifier', exported: {} },
  ],
  groups: ['import_list'],
  imports: ['package_header', 'import_header', 'file_annotation', 'shebang_line'],
  comments: ['line_comment', 'multiline_comment'],
  docs: { line: /^\/\//, block: ['/*', '*/'] },
  exported: { notHead: /\b(?:private|internal)\b/ },
};
