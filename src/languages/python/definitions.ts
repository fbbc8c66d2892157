/** Python. */
import type { DefinitionRules } from '../roles/definitions.js';

/** Statements whose blocks, at top level or in a class, define what stands in them. */
const BLOCKS = ['class_definition', 'if_statement', 'elif_clause', 'else_clause', 'try_statement', 'except_clause'].map(
  (kind) => ({ kind }),
);

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

      outer: 'members',
      where: {
        inside: {
          kind: 'expression_statement',
          inside: { any: [{ kind: 'module' }, { kind: 'block', inside: { any: BLOCKS } }] },
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
  // Bounded, since each name of a long line is looked at from all sides.
  assigned: new RegExp(
    String.raw`(?<![\p{L}\p{N}_.])(?:self|cls)\.([\p{L}_][\p{L}\p{N}_]*)(?![\p{L}\p{N}_])(?:` +
      [
        // `self.total = 0`, but not `f'{self.total=}'`.
        String.raw`(?=[ \t]*=(?![=}]))`,
        // `self.total: int`, with or without a value.
        String.raw`(?<=^[ \t]*(?:self|cls)\.[^\s.[(]+)[ \t]*:[ \t]*[^=:\n]{1,150}(?==(?!=)|$)`,
        // `self.total, self.count = 0, 1`
        String.raw`(?<=^[ \t]{0,100}\(?[\p{L}\p{N}_.,* \t]{0,300})(?=(?:,[ \t]*\*?[\p{L}\p{N}_.]+){1,30}[ \t]*\)?[ \t]*=(?!=))`,
        // `with open(path) as self.file:`
        String.raw`(?<=\bas[ \t]{1,20}\S{1,200})(?=[:,)])`,
      ].join('|') +
      ')',
    'gmu',
  ),
};
