/** `pack`, `codebase_pack`: context for a task within a budget of tokens. */
import { flag, integer, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { mentionedIn, shownNotes, shownSummaries, some } from '../graph/output.js';
import { defineQuestion } from '../question.js';
import { answer, count, told } from '../shared-output.js';
import { ONE_GLOB, path, REF, snapshot } from '../shared-params.js';

/** Default tokens of a pack, and the most that can be requested. */
const PACK_TOKENS = 12_000;
const MAX_PACK_TOKENS = 100_000;

export const params = {
  task: text({
    summary: 'what is to be done or understood; names and places (src/a.ts:12) in it are looked up',
    maxLength: 1_000_000,
    cli: { argument: '[task...]' },
  }),
  maxTokens: integer({ summary: 'budget', min: 500, max: MAX_PACK_TOKENS, default: PACK_TOKENS, cli: { value: 'n' } }),
  ...snapshot,
  path,
  tests: flag({ summary: 'leave tests out', default: true }),
  stdin: flag({ summary: 'read the task from stdin: the output of a failing test, an issue' }),
} as const;

export type PackValues = Values<typeof params>;

const line = s.integer({ exclusiveMinimum: 0 });

const place = {
  path: s.string(),
  startLine: line,
  endLine: line,
  symbol: s.string().nullable().describe('What stands there; null where that is several things, or none.'),
};

export const packResponseSchema = s.object({
  schemaVersion: s.literal(1),
  ...answer,
  task: s.string(),
  linked: s.boolean().describe('False: callers, callees and tests are missing, the graph is not linked yet.'),
  budget: count.describe('Tokens asked for.'),
  tokens: count.describe('Tokens of this document, estimated; its text has fewer.'),
  items: s
    .array(
      s.object({
        ...place,
        kind: s
          .enum(['code', 'signature', 'test'])
          .describe('Whole lines, or a list of declarations with their lines.'),
        why: s.string(),
        tokens: count,
        content: s.string().describe('Untrusted repository content.'),
      }),
    )
    .describe('In the order of reading: files by importance, definitions before their users.'),
  past: s
    .object({
      coupled: s
        .array(s.object({ path: s.string(), with: s.string(), together: count, of: count }))
        .describe('Files that usually change with one of these: `together` of the `of` commits that changed `with`.'),
      owners: s
        .array(
          s.object({
            author: s.string().describe('Untrusted repository content.'),
            commits: count,
            share: s
              .number({ minimum: 0, maximum: 1 })
              .describe('Of the commits that changed these files, newer ones weighing more.'),
            last: s.string().nullable().describe('Date of the newest.'),
          }),
        )
        .describe('Who changed the main files of the pack most.'),
    })
    .optional()
    .describe('What the history tells, where there is room and it tells something.'),
  notes: shownNotes.optional(),
  summaries: shownSummaries.optional(),
  mentionedIn: mentionedIn.describe('Documents that mention the code shown, where any do.'),
  told,
  dropped: some(s.object({ ...place, tokens: count, why: s.string() })).describe('What did not fit, best first.'),
});

export type PackResponse = s.Infer<typeof packResponseSchema>;

export const question = defineQuestion<typeof params, PackResponse>({
  name: 'pack',
  summary: 'collect what a task needs, within a budget of tokens: code, declarations around it, tests',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerPack,
  async text() {
    const [{ packText }, { renderFooter }] = await Promise.all([
      import('./answer.js'),
      import('../graph/graph-text.js'),
    ]);
    return (pack, { pen, isCommand }) => packText(pack, pen) + (isCommand ? renderFooter(pack, pen) : '');
  },
  multiline: ['content'],
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
    description: 'The code, neighbouring declarations and tests that a task needs, in one call, within a budget.',
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
    // The answer keeps the budget itself: cutting its end would lose the wrong parts.
    maxTokens: MAX_PACK_TOKENS,
  },
});
