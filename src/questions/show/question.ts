/** `show`, `codebase_read`: the text of files, lines and symbols of any ref. */
import { commandText } from '../../params/command-line.js';
import { flag, integer, list, type Values } from '../../params/param.js';
import { defineQuestion } from '../question.js';
import { inRange, REF, snapshot } from '../shared-params.js';
import type { ShowDocument } from './output.js';
import { showSchema } from './output.js';
import { RANGE_PLACES } from './range/limits.js';

/** Most targets of one question. */
const MAX_TARGETS = 200;
const MAX_PLACES = 100_000;

const params = {
  targets: list({
    summary: 'src/a.ts, src/a.ts:10-40, src/a.ts:10,+20, Cart.total, or src/a.ts#total; several at once',
    maxEntries: MAX_TARGETS,
    minLength: 1,
    completes: 'symbol',
    cli: { argument: '[targets...]' },
  }),
  ...snapshot,
  in: inRange('mark the lines that are new or changed from A to B; without targets, show all of them in their symbols'),
  context: integer({ summary: 'lines before and after each target', min: 0, max: 1_000, cli: { value: 'n' } }),
  skeleton: flag({ summary: 'whole files without the bodies of functions, but for the targets in them' }),
  limit: integer({
    summary: 'places of a range without targets',
    defaultText: String(RANGE_PLACES),
    min: 1,
    max: MAX_PLACES,
    cli: { value: 'n' },
  }),
  stdin: flag({ summary: 'read further targets from stdin, one a line' }),
} as const;

export type ShowValues = Values<typeof params>;

/** Tokens of a reply to an agent that asks for none. */
const REPLY_TOKENS = 4_000;

export const question = defineQuestion<typeof params, ShowDocument>({
  name: 'show',
  summary: 'read files, lines and whole symbols, as of any ref',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerShow,
  text: async () => (await import('./text.js')).showText,
  documents: {
    show: { schema: showSchema, title: commandText('show TARGET…', { json: true }) },
  },
  command: {
    group: 'Find code',
    examples: [
      ['show Cart.total', 'the whole method, with its comment'],
      ['show src/cart.ts:10-40 --ref v1.2', 'lines of a file, as of a tag'],
      ['show src/cart.ts#total --skeleton', 'a method, and declarations of the rest of its file'],
      ['show src/cart.ts#total src/index.ts:42 --context 5', 'several places, with lines around them'],
      ['show --in main..feature', 'the symbols that a branch changed, with new and changed lines marked'],
    ],
    isNegative: ({ problems, parts }) => problems.length > 0 || parts.length === 0,
  },
  tool: {
    name: 'codebase_read',
    title: 'Read code',
    toolset: 'core',
    description: 'Text of files, lines or whole symbols at any ref; several at once.',
    params: {
      targets: {
        summary: 'PATH, PATH:10-40, NAME or PATH#NAME.',
      },
      skeleton: '',
      in: 'A..B: marks changed lines; no targets: all.',
      ref: REF,
    },
    maxTokens: REPLY_TOKENS,
  },
});
