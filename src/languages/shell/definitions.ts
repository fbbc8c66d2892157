/** Definitions of Bash: functions and variables. */
import type { DefinitionRules } from '../roles/definitions.js';

export const bash: DefinitionRules = {
  definitions: [
    { node: 'function_definition', kind: 'function' },
    {
      node: 'variable_assignment',
      kind: 'variable',
      found: 'walk',
      named: /^[A-Za-z_]\w*$/,
      head: [[/\b(?:readonly|declare\s+-\w*r\w*)\s/, 'constant']],
      lead: /\b(?:export|readonly|declare(?:\s+-\w+)*|typeset)\s+$/,
      outer: true,
    },
  ],
  wrappers: { declaration_command: { walk: true } },
  walk: ['declaration_command'],
  imports: [],
  importText: /^(?:source\s|\.\s|#!|set\s+-)/,
  comments: ['comment'],
  docs: { line: /^#(?!!)/ },
  exported: {},
};
