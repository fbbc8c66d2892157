/** `why`, `codebase_why`: the commits that made lines what they are, with what they say and name. */
import { flag, integer, text, type Values } from '../../params/param.js';
import { defineQuestion } from '../question.js';
import { committedRef, REF } from '../shared-params.js';
import { MAX_COMMITS } from './limits.js';
import type { WhyDocument } from './output.js';
import { whySchema } from './output.js';

const LISTED = 10;

const params = {
  place: text({
    summary: 'a symbol, or lines of a file: Cart.total, src/cart.ts:42, src/cart.ts:40-60',
    required: true,
    completes: 'symbol',
    cli: { argument: '<place>' },
  }),
  ref: committedRef,
  full: flag({ summary: 'print messages whole' }),
  limit: integer({ summary: 'commits', min: 1, max: MAX_COMMITS, default: LISTED, cli: { short: '-n', value: 'n' } }),
} as const;

export type WhyValues = Values<typeof params>;

export const question = defineQuestion<typeof params, WhyDocument>({
  name: 'why',
  summary: 'why lines are as they are: the commits that made them so, with messages, pull requests and issues',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerWhy,
  text: async () => (await import('./text.js')).whyText,
  documents: { why: { schema: whySchema } },
  command: {
    group: 'See changes',
    examples: [
      ['why src/cart.ts:42', 'the commits behind one line'],
      ['why Cart.total --full', 'the commits behind a method, with their whole messages'],
    ],
    isNegative: ({ commits }) => commits.list.length === 0,
  },
  tool: {
    name: 'codebase_why',
    title: 'Why code is as it is',
    toolset: 'history',
    description: 'The commits that made lines or a symbol what they are: messages, authors, pull requests and issues.',
    params: {
      place: { summary: 'Symbol, FILE:LINE or FILE:LINE-LINE.', minLength: 1 },
      full: 'Whole messages.',
      ref: REF,
    },
    maxTokens: 3_000,
    page: { size: LISTED, most: MAX_COMMITS },
  },
});
