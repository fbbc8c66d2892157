/** `grep`, `codebase_grep`: every line that matches a pattern. */
import { defineQuestion } from '../question.js';
import { ONE_GLOB, REF } from '../shared-params.js';
import type { GrepResponse } from './output.js';
import { grepResponseSchema } from './output.js';
import { HITS, MAX_HITS, params } from './params.js';

export const question = defineQuestion<typeof params, GrepResponse>({
  name: 'grep',
  summary: 'find every line that matches a pattern, counted, each with the symbol around it',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerGrep,
  text: async () => (await import('./text.js')).grepText,
  documents: { grep: { schema: grepResponseSchema } },
  command: {
    group: 'Find code',
    examples: [
      ["grep -w 'total' src", 'every line with that word below src'],
      ["grep -F 'Cart.total(' --ref v1.2", 'an exact string, as of a tag'],
      ["grep --ast 'console.log($$$ARGS)'", 'every such call, whatever its layout'],
      ["grep --ast 'old($$$A)' --rewrite 'fresh($$$A)' | git apply", 'change every such call'],
      ["grep 'TODO|FIXME' --in main..", 'in the lines that this branch adds or changes'],
    ],
    readOnly: true,
    isNegative: ({ total }) => total.hits === 0,
    stream: {
      when: ({ stdin }) => stdin === true,
      load: async () => (await import('./lines.js')).answerLines,
    },
  },
  tool: {
    name: 'codebase_grep',
    title: 'Search for exact text',
    toolset: 'core',
    description: 'Every line that matches, counted, with the symbol around it.',
    params: {
      pattern: { summary: 'RE2 syntax.', required: true },
      path: { ...ONE_GLOB, name: 'fileFilter' },
      ast: 'Pattern is code: f($A, $$$B).',
      rewrite: 'Code for a patch.',
      fixed: 'Exact text.',
      words: '',
      ignoreCase: '',
      files: 'Names alone.',
      context: { summary: 'Lines around.', max: 10 },
      in: 'A..B: only new lines.',
      ref: REF,
      limit: { summary: `Default ${HITS}.`, max: 1_000 },
    },
    maxTokens: 2_500,
    page: { size: HITS, most: MAX_HITS },
  },
});
