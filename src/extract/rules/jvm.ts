/** Kotlin and Scala. */
import type { LanguageRules } from './types.js';

const DOCS = { line: /^\/\//, block: ['/*', '*/'] } as const;

export const kotlin: LanguageRules = {
  grammar: 'kotlin',
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
  docs: DOCS,
  exported: { notHead: /\b(?:private|internal)\b/ },
};

export const scala: LanguageRules = {
  grammar: 'scala',
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
  docs: DOCS,
  exported: { notHead: /\bprivate\b/ },
  constructors: /^this$/,
  constants: /^[A-Z]/,
};
