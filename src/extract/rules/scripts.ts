/** Bash and Lua. */
import type { LanguageRules } from './types.js';

export const bash: LanguageRules = {
  grammar: 'bash',
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

export const lua: LanguageRules = {
  grammar: 'lua',
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
  lateExports: [{ needs: 'return ', pattern: /^return\s+(\w+)\s*;?\s*$/gm }],
  constants: /^[A-Z][A-Z0-9_]+$/,
};
