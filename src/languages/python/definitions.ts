/** Python. */
import type { DefinitionRules } from '../roles/definitions.js';

export const python: DefinitionRules = {
  definitions: [
    { node: 'class_definition', kind: 'class' },
    { node: 'function_definition', kind: 'function', member: 'method' },
    {
      node: 'assignment',
      kind: 'variable',
      member: 'field',
      name: 'left',
      named: /^[\p{L}_][\p{L}\p{N}_]*$/u,

      outer: true,
      where: {
        inside: {
          kind: 'expression_statement',
          inside: { any: [{ kind: 'module' }, { kind: 'block', inside: { kind: 'class_definition' } }] },
        },
      },
    },
    { node: 'type_alias_statement', kind: 'type', name: 'left', body: 'right', outer: true },
  ],
  constants: /^_{0,2}[A-Z][A-Z0-9_]*$/,
  wrappers: { decorated_definition: {} },
  imports: ['import_statement', 'import_from_statement', 'future_import_statement'],
  importText: /^(?:if (?:typing\.)?TYPE_CHECKING:|try:\s*\n\s+(?:import|from) )/,
  comments: ['comment'],
  docs: { line: /^#/, docstring: true },
  exported: { name: /^(?!_)|^__\w+__$/ },
  constructors: /^__init__$/,
};
