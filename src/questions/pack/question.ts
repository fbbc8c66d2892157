/** `pack`, `codebase_pack`: context for a task within a budget of tokens. */
import { defineQuestion } from '../question.js';
import { ONE_GLOB, REF } from '../shared-params.js';
import type { PackResponse } from './output.js';
import { packResponseSchema } from './output.js';
import { MAX_PACK_TOKENS, PACK_TOKENS, params } from './params.js';

export const question = defineQuestion<typeof params, PackResponse>({
  name: 'pack',
  summary: 'collect what a task needs, within a budget of tokens: code, declarations around it, tests',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerPack,
  async text() {
    const [{ packText }, { renderFooter }] = await Promise.all([import('./text.js'), import('../graph/text-parts.js')]);
    return (pack, { pen, isCommand }) => packText(pack, pen) + (isCommand ? renderFooter(pack, pen) : '');
  },
  documents: { pack: { schema: packResponseSchema } },
  command: {
    group: 'Find code',
    examples: [
      ['pack add a discount to Cart.total', 'the code to change, its users and its tests'],
      ['pack --stdin --max-tokens 4000', 'for the output of a failing test, piped in'],
    ],
    isNegative: ({ items }) => items.length === 0,
  },
  tool: {
    name: 'codebase_pack',
    title: 'Pack context for a task',
    toolset: 'core',
    description:
      'Collects, in one call, the code, neighbouring declarations and tests that a task needs, within a budget.',
    params: {
      task: {
        summary: 'What to do or understand; a trace or failing test works, too.',
        minLength: 1,
        maxLength: 50_000,
        required: true,
      },
      maxTokens: { summary: 'Budget.', default: PACK_TOKENS },
      path: { ...ONE_GLOB, name: 'fileFilter' },
      tests: { name: 'includeTests', summary: '', default: true },
      committed: 'Leave uncommitted files out.',
      ref: REF,
    },
    reply: ['projectPath'],
    // The answer keeps the budget itself: cutting the reply again would cut the wrong end.
    maxTokens: MAX_PACK_TOKENS,
  },
});
