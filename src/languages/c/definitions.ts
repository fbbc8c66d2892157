/** C and C++. */

import type { Definition, DefinitionRules, KindByText } from '../roles/definitions.js';
import { withoutMacros } from './macros.js';

/** Include guards define nothing. */
const MACRO_NAME = /^(?!\w*_(?:H|HH|HPP|HXX|H_|HPP_|HH_|INCLUDED|INCLUDED_)_*$)\w+$/;
const DECLARED: KindByText = [[/^\s*\(/, 'function']];
const GLOBAL_HEAD: KindByText = [[/\b(?:const|constexpr)\b/, 'constant']];

const MACROS: Definition[] = [
  { node: 'preproc_def', kind: 'macro', named: MACRO_NAME, body: 'value', exported: {} },
  { node: 'preproc_function_def', kind: 'macro', body: 'value', exported: {} },
];

const C: Definition[] = [
  ...MACROS,
  { node: 'function_definition', kind: 'function', name: 'declarator*', named: /^\w+$/ },
  {
    node: 'declaration',
    kind: 'variable',
    name: 'declarator*',
    head: GLOBAL_HEAD,
    tail: DECLARED,
    named: /^\w+$/,
    outer: true,
  },
  { node: 'struct_specifier', kind: 'struct', where: { has: { field: 'body', kind: 'field_declaration_list' } } },
  { node: 'union_specifier', kind: 'struct', where: { has: { field: 'body', kind: 'field_declaration_list' } } },
  { node: 'enum_specifier', kind: 'enum', where: { has: { field: 'body', kind: 'enumerator_list' } } },
  { node: 'enumerator', kind: 'enum-member', exported: {} },
  { node: 'type_definition', kind: 'type', name: 'declarator*', named: /^\w+$/, outer: true },
  { node: 'field_declaration', kind: 'field', name: 'declarator*', named: /^\w+$/, outer: true, exported: {} },
];

const COMMON = {
  parsed: withoutMacros,
  imports: ['preproc_include'],
  importText: /^(?:#\s*pragma\s+once|#\s*define\s+\w+_H(?:PP|H|XX)?_*\s*$)/,
  comments: ['comment'],
  docs: { line: /^\/\//, block: ['/*', '*/'] },
} as const;

export const c: DefinitionRules = {
  ...COMMON,
  definitions: C,
  exported: { notHead: /(?:^|[\s\n])static\b/ },
};

const OWNER = /(\w+)\s*(?:<[^<>]*>)?\s*::\s*~?$/;
/** The grammar gives what a reference refers to (`Cart& add()`) no field. */
const CPP_NAME = 'declarator*/>function_declarator?/declarator*/name*';

export const cpp: DefinitionRules = {
  ...COMMON,
  definitions: [
    ...MACROS,
    {
      node: 'function_definition',
      kind: 'function',
      member: 'method',
      name: CPP_NAME,
      owner: OWNER,
      named: /^[\w~]/,
      // A macro before `namespace x {` makes the grammar see a function.
      head: [[/\bnamespace\s+$/, 'namespace']],
    },
    {
      node: ['declaration', 'field_declaration'],
      kind: 'variable',
      member: 'field',
      head: GLOBAL_HEAD,
      name: CPP_NAME,
      tail: DECLARED,
      named: /^(?:[\w~]+|operator\W.*)$/,
      outer: true,
    },
    { node: 'class_specifier', kind: 'class', name: 'name*', where: { has: { kind: 'field_declaration_list' } } },
    { node: 'struct_specifier', kind: 'struct', name: 'name*', where: { has: { kind: 'field_declaration_list' } } },
    { node: 'union_specifier', kind: 'struct', where: { has: { kind: 'field_declaration_list' } } },
    { node: 'enum_specifier', kind: 'enum', where: { has: { kind: 'enumerator_list' } } },
    { node: 'enumerator', kind: 'enum-member', exported: {} },
    { node: 'namespace_definition', kind: 'namespace' },
    { node: 'alias_declaration', kind: 'type', outer: true },
    { node: 'type_definition', kind: 'type', name: 'declarator*', named: /^\w+$/, outer: true },
    { node: 'concept_definition', kind: 'type' },
  ],
  wrappers: { template_declaration: {} },
  imports: ['preproc_include', 'using_declaration'],
  exported: { notHead: /(?:^|[\s\n])static\b/, members: true },
  visibility: {
    hide: /^\s*(?:private|protected)\s*(?:\w+\s*)?:\s*(?:\/\/.*)?$/,
    show: /^\s*public\s*(?:\w+\s*)?:\s*(?:\/\/.*)?$/,
  },
};
