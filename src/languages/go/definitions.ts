/** Go. */
import type { DefinitionRules } from '../roles/definitions.js';

export const go: DefinitionRules = {
  definitions: [
    { node: 'function_declaration', kind: 'function' },
    { node: 'method_declaration', kind: 'method', owner: /\(\s*(?:\w+\s+)?\*?\s*(\w+)(?:\[[^\]]*\])?\s*\)\s*$/ },
    {
      node: ['type_spec', 'type_alias'],
      kind: 'type',
      by: { path: 'type', kinds: { struct_type: 'struct', interface_type: 'interface' } },
      body: 'type',
    },
    { node: 'const_spec', kind: 'constant', each: true, outer: true, named: /^[^_,]|^_\w/ },
    { node: 'var_spec', kind: 'variable', each: true, outer: true, named: /^[^_]|^_\w/ },
    { node: 'field_declaration', kind: 'field', each: true, outer: true },
    { node: 'method_elem', kind: 'method', outer: true },
  ],
  wrappers: { type_declaration: {}, const_declaration: {}, var_declaration: {} },
  imports: ['package_clause', 'import_declaration'],
  comments: ['comment'],
  docs: { line: /^\/\/(?!go:build)/, block: ['/*', '*/'] },
  exported: { name: /^\p{Lu}/u },
};
