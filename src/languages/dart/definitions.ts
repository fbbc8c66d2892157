/** Dart: signatures and bodies are siblings. */
import type { DefinitionRules } from '../roles/definitions.js';

const FOLLOW = ['function_body'];
/** `: items = items, super(name)` and `: this(name)` see the constructor's parameters. */
const FOLLOW_CONSTRUCTOR = ['initializers', 'redirection', ...FOLLOW];

export const dart: DefinitionRules = {
  definitions: [
    { node: 'class_definition', kind: 'class' },
    { node: 'mixin_declaration', kind: 'trait', name: '>identifier', body: '>class_body' },
    { node: 'extension_declaration', kind: 'impl' },
    { node: 'enum_declaration', kind: 'enum' },
    { node: 'enum_constant', kind: 'enum-member', exported: {} },
    {
      node: ['function_signature', 'getter_signature', 'setter_signature'],
      kind: 'function',
      member: 'method',
      follow: FOLLOW,
    },
    {
      node: ['constructor_signature', 'factory_constructor_signature', 'constant_constructor_signature'],
      kind: 'constructor',
      nameText: /(?:const\s+|factory\s+)*(?:\w+\.)?(\w+)/y,
      follow: FOLLOW_CONSTRUCTOR,
    },
    { node: 'operator_signature', kind: 'method', nameText: /[^(]*?(operator\s*[^\s(]+)/y, follow: FOLLOW },
    { node: 'type_alias', kind: 'type', name: '>type_identifier' },
    { node: 'initialized_identifier', kind: 'variable', member: 'field', name: '>identifier', outer: true },
    { node: 'static_final_declaration', kind: 'constant', name: '>identifier', outer: true },
  ],
  wrappers: {
    method_signature: {},
    declaration: {},
    initialized_identifier_list: {},
    static_final_declaration_list: {},
  },
  attached: { kinds: ['marker_annotation', 'annotation', 'final_builtin', 'const_builtin'], ends: /[\w)]/ },
  imports: ['import_or_export', 'library_name', 'part_directive', 'part_of_directive'],
  comments: ['comment', 'documentation_comment'],
  docs: { line: /^\/\//, block: ['/*', '*/'] },
  exported: { name: /^(?!_)(?!\w+\._)/ },
};
