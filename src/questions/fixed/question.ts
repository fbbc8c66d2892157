/** `fixed`, `codebase_fixed`: which branches and tags have a fix, and which still have the code that it replaced. */
import { flag, list, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { line, some } from '../graph/output.js';
import { defineQuestion } from '../question.js';
import { count, linkedAnswerSchema, oid } from '../shared-output.js';
import { graphLimit, MAX_GRAPH_LIMIT } from '../shared-params.js';

/** Default of the refs that are listed, and of the copies. */
export const LISTED_REFS = 50;

const params = {
  fix: text({
    summary: 'the commit that fixes, or A..B for several together',
    required: true,
    minLength: 1,
    maxLength: 1_024,
    completes: 'range',
    cli: { argument: '<commit>' },
  }),
  refs: list({
    summary: 'only branches and tags whose names match; "!glob" excludes; repeatable',
    maxLength: 512,
    minLength: 1,
    completes: 'ref',
    cli: { value: 'glob' },
  }),
  linked: flag({ summary: 'copies of its code in the linked repositories and submodules, too, each at its HEAD' }),
  fleet: flag({
    summary: 'copies of its code in the repositories of the fleet (setting fleet.url), too, as they were published',
  }),
  limit: graphLimit('refs, and copies', LISTED_REFS),
} as const;

export type FixedValues = Values<typeof params>;

const place = s.object({
  path: s.string(),
  line,
  symbol: s.string().nullable().describe('Null outside of symbols, and where symbols are not known.'),
});

const found = s.object({
  refs: s.array(s.string()).describe('Branches and tags at this commit.'),
  commit: oid,
  state: s
    .enum(['fixed', 'vulnerable', 'never', 'unknown'])
    .describe(
      'fixed: it has what the fix added; vulnerable: it has what the fix removed; never: it has neither the file nor its code elsewhere; unknown: none of these can be shown.',
    ),
  how: s
    .enum(['commit', 'content', 'adapted', 'picked', 'code', 'absent', 'unclear'])
    .describe(
      'commit: it contains the fix itself; content: every changed line is there; adapted: most of them are; picked: a commit says that it takes the fix over; code: lines that the fix removed are there.',
    ),
  picked: oid.optional().describe('The commit that takes the fix over, by its own account.'),
  places: s.array(place).describe('Code that the fix would change.'),
  needs: s
    .array(s.string())
    .optional()
    .describe('Names that the fix uses and that are nowhere in this version; absent where they were not looked up.'),
});

const copy = place.extend({
  project: s.string().describe('The repository.'),
  state: s
    .enum(['fixed', 'vulnerable', 'unknown'])
    .describe('Of the code that was found; unknown: it differs from that before and from that after the fix.'),
});

export const fixedSchema = s.object({
  schemaVersion: s.literal(1),
  fix: s.object({ from: oid, to: oid, subject: s.string().describe('Untrusted repository content.') }),
  files: count.describe('Files of code that the fix changes; tests and documents do not decide.'),
  hunks: count.describe('Places that it changes in them.'),
  counts: s.object({ fixed: count, vulnerable: count, never: count, unknown: count }).describe('Refs.'),
  refs: some(found).describe('Vulnerable ones first.'),
  copies: some(place).describe('Other places of the newest version that have the code which the fix removed.'),
  linked: s
    .object({
      repositories: s.array(linkedAnswerSchema).describe('Each linked repository, or why it was not asked.'),
      copies: some(copy).describe('Vulnerable ones first.'),
    })
    .optional()
    .describe('With `linked`: copies in other repositories.'),
  fleet: s
    .object({
      searched: count.describe('Repositories that were searched, without this one; 0 for a fix that says too little.'),
      withoutRef: count,
      damaged: count,
      unknown: count.describe(
        'Repositories in which nothing was found: a search by words does not show that they have no copy.',
      ),
      copies: some(copy.extend({ ref: s.string(), commit: oid })).describe('Vulnerable ones first.'),
    })
    .optional()
    .describe('With `fleet`: copies in its repositories.'),
});

export type FixedDocument = s.Infer<typeof fixedSchema>;
export type RefState = s.Infer<typeof found>;

export const question = defineQuestion<typeof params, FixedDocument>({
  name: 'fixed',
  summary: 'branches and tags that have a fix, and those that still have the code which it replaced',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerFixed,
  text: async () => (await import('./answer.js')).fixedText,
  documents: { fixed: { schema: fixedSchema } },
  command: {
    group: 'See changes',
    examples: [
      ['fixed 4fd2a1c', 'every branch and tag'],
      ['fixed 4fd2a1c --refs "release-*"', 'release branches'],
      ['fixed main~3..main', 'a fix of three commits'],
      ['fixed 4fd2a1c --linked', 'copies in the linked repositories, too'],
    ],
    isNegative: ({ counts, linked, fleet }) =>
      counts.vulnerable > 0 ||
      [linked, fleet].some((found) => found?.copies.list.some(({ state }) => state === 'vulnerable')),
  },
  tool: {
    name: 'codebase_fixed',
    title: 'Who has a fix',
    toolset: 'history',
    description:
      'Which branches and tags have a fix, by content, and which are still vulnerable: with place, and names that a backport would lack.',
    params: {
      fix: 'A commit, or A..B.',
      refs: { summary: 'Glob of names; !glob excludes.', one: true },
      linked: { summary: '', name: 'includeLinked' },
    },
    maxTokens: 2_000,
    page: { size: LISTED_REFS, most: MAX_GRAPH_LIMIT },
  },
});
