/** Rust. */
import type { DefinitionRules } from '../roles/definitions.js';

export const rust: DefinitionRules = {
  definitions: [
    { node: ['function_item', 'function_signature_item'], kind: 'function', member: 'method' },
    { node: 'struct_item', kind: 'struct' },
    { node: 'union_item', kind: 'struct' },
    { node: 'enum_item', kind: 'enum' },
    { node: 'enum_variant', kind: 'enum-member', exported: {} },
    { node: 'trait_item', kind: 'trait', opens: /./ },
    {
      node: 'impl_item',
      kind: 'impl',
      name: 'type/type?',
      named: /^[\w:]/,
      exported: {},
      // Methods of a trait are as visible as the trait, without saying so.
      opens: /\bfor\b/,
    },
    { node: 'mod_item', kind: 'module', where: { has: { field: 'body', kind: 'declaration_list' } } },
    { node: 'const_item', kind: 'constant', outer: true, named: /^[^_]|^_\w/ },
    { node: 'static_item', kind: 'variable', outer: true },
    { node: ['type_item', 'associated_type'], kind: 'type', outer: true },
    { node: 'macro_definition', kind: 'macro', exported: { head: /#\[macro_export|\bpub\b/ } },
    { node: 'field_declaration', kind: 'field', parents: ['field_declaration_list'], outer: true },
  ],
  attached: { kinds: ['attribute_item'], ends: /\]/ },
  imports: ['use_declaration', 'extern_crate_declaration', 'inner_attribute_item'],
  importText: /^(?:pub(?:\([^)]*\))?\s+)?(?:mod\s+\w+\s*;|use\s)/,
  comments: ['line_comment', 'block_comment'],
  docs: { line: /^\/\/(?!!)/, block: ['/*', '*/'] },
  exported: { head: /(?:^|[\s\]])pub\b/ },
};
