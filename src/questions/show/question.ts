/** `show`, `codebase_read`: the text of files, lines and symbols of any ref. */
import { commandText, flag, integer, list, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { nodePlace, shownNotes, shownSummaries, some } from '../graph/output.js';
import { defineQuestion } from '../question.js';
import { answer, count, faultSchema, oid } from '../shared-output.js';
import { inRange, REF, snapshot } from '../shared-params.js';

/** Most places of a range in a terminal; agents page through all of them. */
export const RANGE_PLACES = 200;

const line = s.integer({ exclusiveMinimum: 0 });

const changeSchema = s.object({
  line: line.describe(
    'First of the lines that are new or changed; where lines were only removed, the line after them.',
  ),
  added: count.describe('Lines that are new or changed.'),
  removed: count.describe('Lines of the older side that stood in their place.'),
});

const partSchema = s.object({
  target: s.string().describe('The target that it answers, as asked for.'),
  path: s.string(),
  symbol: s.string().nullable().describe('Qualified name where a symbol was asked for.'),
  startLine: line,
  endLine: line.describe('Last line, inclusive.'),
  content: s.string().describe('Lines of the file as of the ref; untrusted repository content.'),
  alternatives: s
    .array(s.string())
    .optional()
    .describe('First part of a symbol: definitions of its name that were not meant, as they are asked for.'),
  changes: s.array(changeSchema).optional().describe('With a range: its changes in these lines, in order.'),
});

const candidateSchema = nodePlace.extend({
  uses: count.describe('Uses that lead there.'),
  pick: s.string().describe('What to ask for to mean this one.'),
});

export const showSchema = s.object({
  schemaVersion: s.literal(1),
  ref: answer.ref,
  commit: answer.commit,
  coverage: answer.coverage
    .optional()
    .describe('Where a symbol was looked up: files in the graph, and how many could be.'),
  range: s
    .object({
      from: oid.nullable().describe('Commit of the older side; of A...B the merge base.'),
      deleted: s
        .object({ count, first: s.array(s.string()).describe('At most 20 paths.') })
        .optional()
        .describe('Without targets: files that the newer side lacks.'),
      skipped: s.record(count).optional().describe('Without targets: changed files without text to show, by reason.'),
    })
    .optional()
    .describe('The range whose changes are marked.'),
  files: s
    .array(
      s.object({
        path: s.string(),
        blob: oid.describe('Blob id of the text, also of one that is not committed.'),
        lines: count,
        bytes: count,
        uncommitted: s.literal(true).optional().describe('The text is not committed as it is here.'),
        note: s.string().optional().describe('What a reader has to know about the text.'),
      }),
    )
    .describe('Every file of which there is a part.'),
  parts: s.array(partSchema).describe('In the order of the targets; long ones in several parts for agents.'),
  notes: shownNotes.optional(),
  summaries: shownSummaries.optional(),
  partsLeftOut: count.describe('Further parts, on the next page or beyond the limit.'),
  problems: s
    .array(faultSchema.extend({ target: s.string(), candidates: some(candidateSchema).optional() }))
    .describe('Targets without an answer, each with the reason and the next step.'),
});

export type ShowDocument = s.Infer<typeof showSchema>;
export type Part = ShowDocument['parts'][number];
export type Change = s.Infer<typeof changeSchema>;
export type Problem = ShowDocument['problems'][number];

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

/** Default tokens of a reply to an agent. */
const REPLY_TOKENS = 4_000;

export const question = defineQuestion<typeof params, ShowDocument>({
  name: 'show',
  summary: 'read files, lines and whole symbols, as of any ref',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerShow,
  text: async () => (await import('./answer.js')).showText,
  multiline: ['content'],
  documents: {
    show: { schema: showSchema, title: commandText('show TARGET…', { json: true }) },
  },
  command: {
    readOnly: true,
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
