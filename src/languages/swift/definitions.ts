/** Swift. */
import type { DefinitionRules } from '../roles/definitions.js';

export const swift: DefinitionRules = {
  definitions: [
    {
      node: 'class_declaration',
      kind: 'class',
      head: [
        [/\bstruct\s+$/, 'struct'],
        [/\benum\s+$/, 'enum'],
        [/\bextension\s+$/, 'impl'],
      ],
    },
    { node: 'protocol_declaration', kind: 'interface', opens: /./ },
    { node: ['function_declaration', 'protocol_function_declaration'], kind: 'function', member: 'method' },
    { node: 'init_declaration', kind: 'constructor' },
    { node: 'deinit_declaration', kind: 'method', unnamed: 'deinit' },
    {
      node: 'subscript_declaration',
      kind: 'method',
      nameText: /(?:[\w@()]+\s+)*?(subscript)\b/y,
      body: '>computed_property',
    },
    {
      node: ['property_declaration', 'protocol_property_declaration'],
      kind: 'variable',
      member: 'property',
      name: 'name/>simple_identifier',
      head: [[/\b(?:static|class)\s+let\s+$/, 'constant']],
      body: 'computed_value',
      outer: true,
    },
    { node: 'enum_entry', kind: 'enum-member', each: true, exported: {} },
    { node: ['typealias_declaration', 'associatedtype_declaration'], kind: 'type' },
  ],
  imports: ['import_declaration'],
  comments: ['comment', 'multiline_comment'],
  docs: { line: /^\/\//, block: ['/*', '*/'] },
  exported: { notHead: /\b(?:private|fileprivate)\b(?!\(set\))/ },
};
