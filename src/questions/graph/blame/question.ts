/** `graph blame`, `codebase_graph_blame`: the commits that brought a dependency in, let it grow, and took it away. */
import { list, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { defineQuestion } from '../../question.js';
import { count, oid } from '../../shared-output.js';
import { committedRef, graphLimit, MAX_GRAPH_LIMIT, REF } from '../../shared-params.js';
import { some } from '../output.js';

export const LISTED_EVENTS = 20;

const params = {
  places: list({
    summary:
      'two files, folders or symbols (src/a.ts, src/shop, src/a.ts#total), or more for a circle; one for all uses of it',
    required: true,
    completes: 'path',
    cli: { argument: '<places...>' },
  }),
  ref: committedRef,
  limit: graphLimit('commits of each dependency', LISTED_EVENTS),
} as const;

export type BlameValues = Values<typeof params>;

const event = s.object({
  change: s.enum(['appeared', 'grew', 'shrank', 'gone']),
  commit: oid,
  date: s.string().nullable(),
  author: s.string().describe('Untrusted repository content.'),
  subject: s.string().describe('Untrusted repository content.'),
  pull: s
    .string()
    .nullable()
    .describe('The pull request that its message names, or that of the merge which brought it.'),
  uses: count.describe('Uses after it.'),
  delta: s.integer().describe('Uses that it added, or took away.'),
  paths: s.array(s.string()).describe('Files with these uses, as they were called then.'),
});

const dependency = s.object({
  from: s.string().nullable().describe('Null: anything.'),
  to: s.string(),
  uses: count.describe('Uses now.'),
  since: oid
    .nullable()
    .describe(
      'The commit since which there has been a use all along; null for none, or where it is older than what was walked.',
    ),
  events: some(event).describe('Newest first.'),
});

export const blameSchema = s.object({
  schemaVersion: s.literal(1),
  ref: s.string(),
  commit: oid,
  dependencies: s.array(dependency).describe('Each place on the next.'),
  closed: oid
    .nullable()
    .optional()
    .describe('For a circle: the commit since which it is closed; null where it is open.'),
  commits: count.describe('Commits that changed the files.'),
  linked: count.describe('Versions that were linked; in the others the names of the target did not change.'),
  unknown: s.array(s.string()).describe('Reasons why commits may be missing.'),
});

export type BlameDocument = s.Infer<typeof blameSchema>;
export type Blamed = s.Infer<typeof dependency>;
export type BlameEvent = s.Infer<typeof event>;

export const question = defineQuestion<typeof params, BlameDocument>({
  name: 'graph blame',
  summary: 'commits that brought a dependency, a circle or the first use of a symbol in, let it grow, and took it away',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerBlame,
  text: async () => (await import('./answer.js')).blameText,
  documents: { 'graph-blame': { schema: blameSchema } },
  command: {
    group: 'Follow code',
    examples: [
      ['graph blame src/cart.ts src/ui', 'since when a file uses a folder, and by whom'],
      ['graph blame src/a.ts src/b.ts src/a.ts', 'the commit that closed a circle'],
      ['graph blame src/price.ts#tax', 'the first and the last use of a symbol'],
    ],
    isNegative: ({ dependencies }) => dependencies.every(({ uses, events }) => uses === 0 && events.list.length === 0),
  },
  tool: {
    name: 'codebase_graph_blame',
    title: 'Who brought a dependency in',
    toolset: 'history',
    description:
      'Commits that brought a dependency between files, folders or symbols in, let it grow, and took it away.',
    params: { places: 'Two or more of PATH, DIRECTORY, PATH#NAME; one for all its uses.', ref: REF },
    maxTokens: 1_500,
    page: { size: LISTED_EVENTS, most: MAX_GRAPH_LIMIT },
  },
});
