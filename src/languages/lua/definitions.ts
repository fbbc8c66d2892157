/** Definitions of Lua: functions, and variables that hold functions or tables. */
import type { DefinitionRules } from '../roles/definitions.js';

export const lua: DefinitionRules = {
  definitions: [
    {
      node: 'function_declaration',
      kind: 'function',
      nameText: /(?:local\s+)?function\s+(?:[\w.]+[.:])?(\w+)/y,
      owner: /(\w+)[.:]$/,
    },
    {
      node: 'assignment_statement',
      kind: 'variable',
      nameText: /(?:[\w.]+\.)?(\w+)\s*=/y,
      by: { path: '>expression_list/>function_definition', kinds: { function_definition: 'function' } },
      owner: /(\w+)\.$/,
      tail: [[/^\s*=\s*require\b/, null]],
      body: '>expression_list/>function_definition/body',
      found: 'walk',
    },
  ],
  wrappers: { variable_declaration: { walk: true } },
  walk: ['variable_declaration'],
  importText: /^(?:local\s+\w+\s*=\s*)?require\b/,
  comments: ['comment', 'hash_bang_line'],
  docs: { line: /^--/, block: ['--[[', ']]'] },
  exported: { notHead: /\blocal\b/ },
  lateExports: [{ needs: 'return ', pattern: /^return\s+(\w+)\s*(?:;\s*)?$/gm }],
  constants: /^[A-Z][A-Z0-9_]+$/,
};
