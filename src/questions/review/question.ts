/**
 * `review`, `codebase_review`: a change for its reviewer: dangling uses, effects, tests to run, the API, files that usually change along, and
 * the code that nobody has approved yet. `review ok` approves code.
 */
import { choice, flag, integer, list, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { LISTED } from '../graph/graph-question.js';
import { graphImpactResponseSchema } from '../graph/impact/question.js';
import { line, some } from '../graph/output.js';
import { defineQuestion } from '../question.js';
import { count, oid } from '../shared-output.js';
import { graphLimit, linkedUsers, MAX_GRAPH_LIMIT, snapshot, staged } from '../shared-params.js';

const reviewer = { name: s.string(), email: s.string(), by: s.enum(['person', 'agent']) };

const part = s.object({
  path: s.string(),
  symbol: s.string().nullable().describe('Null for text outside of symbols, and for a whole file.'),
  what: s
    .enum(['symbol', 'outside', 'file', 'mode', 'removed'])
    .describe(
      'A symbol without its members; text outside of all symbols; a file as a whole, or its mode; something removed.',
    ),
  kind: s.string(),
  line: line.nullable().describe('Null for something removed.'),
  reviewers: count.describe('Reviewers who have approved it as it is.'),
});

const approvals = s.object({
  parts: count.describe('Parts of the change: every byte of it is in one.'),
  seen: count.describe('Of these, parts that were approved as they are, or that the older side has elsewhere.'),
  how: s
    .object({ same: count, moved: count, renamed: count, reindented: count })
    .describe('How the seen parts were recognised; moved: in another file; renamed: the old name is gone.'),
  minReviewers: count,
  unseen: some(part).describe('Parts that too few reviewers have seen as they are.'),
  reviewers: s
    .array(
      s.object({
        ...reviewer,
        signed: s
          .boolean()
          .describe('The name is that of a trusted key; otherwise it is what the entry says, without proof.'),
        parts: count,
      }),
    )
    .describe('Who has approved parts of this change.'),
  unreadable: count.describe('Approvals that this version cannot read.'),
});

export type Approvals = s.Infer<typeof approvals>;

const reviewSchema = graphImpactResponseSchema.extend({
  changes: graphImpactResponseSchema.fields.changes.required(),
  approvals: approvals
    .optional()
    .describe(
      'With `unseen`, and where anybody has approved code; with `unseen` symbols, removed and api list new code alone.',
    ),
});

const side = s.object({ ref: s.string(), commit: oid });

const reviewOkSchema = s.object({
  schemaVersion: s.literal(1),
  from: side,
  to: side,
  author: s.object({ ...reviewer, agent: s.string().optional() }),
  withdrawn: s.boolean(),
  shared: s.boolean().describe('Sent with the next push.'),
  signed: s.boolean(),
  already: count.describe('Named parts that were as asked for before.'),
  parts: some(part),
});

export type ReviewOkDocument = s.Infer<typeof reviewOkSchema>;

export type ReviewDocument = s.Infer<typeof reviewSchema>;

const params = {
  range: text({
    summary: 'A..B, or A...B since they parted; without one, the uncommitted changes',
    completes: 'range',
    cli: { argument: '[range]' },
  }),
  format: choice(['text', 'markdown', 'sarif'], {
    summary: 'form of the review',
    default: 'text',
    cli: { value: 'format' },
  }),
  failOn: choice(['dangling', 'high'], {
    summary: 'exit with 1 if a use certainly dangles, or if the risk is high as well',
    cli: { value: 'what' },
  }),
  depth: integer({ summary: 'hops', min: 1, max: 10, default: 3, cli: { value: 'n' } }),
  linked: linkedUsers,
  unseen: flag({ summary: 'only code that nobody has approved as it is; without a range, of this branch' }),
  by: text({
    summary: 'only approvals by this reviewer, a part of the name or address; programs count only if named',
    minLength: 1,
    maxLength: 200,
    cli: { value: 'name' },
  }),
  minReviewers: integer({
    summary: 'reviewers that all code needs; exit with 1 if some has fewer',
    min: 1,
    max: 100,
    cli: { value: 'n' },
  }),
  signed: flag({ summary: 'only approvals that a trusted key has signed' }),
  reindented: flag({ summary: 'code that differs from what was approved in its indentation alone counts as approved' }),
  staged,
  committed: snapshot.committed,
  limit: graphLimit('entries of each list', LISTED.impact),
} as const;

const okParams = {
  names: list({
    summary: 'symbols, files or directories of the change',
    completes: 'symbol',
    cli: { argument: '[names...]' },
  }),
  all: flag({ summary: 'everything that changed' }),
  range: text({
    summary: 'A..B, or A...B since they parted',
    defaultText: 'this branch since it left the main one',
    completes: 'range',
    cli: { value: 'range' },
  }),
  share: flag({ summary: 'send the approvals with the next push, too; otherwise they stay in this clone' }),
  withdraw: flag({ summary: 'take approvals of your own back' }),
  agent: text({
    summary: 'record this program as the author, in place of a person',
    minLength: 1,
    maxLength: 200,
    cli: { value: 'name' },
  }),
  limit: integer({
    summary: 'parts that are listed',
    min: 1,
    max: MAX_GRAPH_LIMIT,
    default: 20,
    cli: { short: '-n', value: 'n' },
  }),
} as const;

export type ReviewOkValues = Values<typeof okParams>;

export type ReviewValues = Values<typeof params>;

const review = defineQuestion<typeof params, ReviewDocument>({
  name: 'review',
  summary:
    'review a change: uses that dangle, calls that do not fit, users, tests to run, files that usually change along',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerReview,
  text: async () => (await import('./answer.js')).reviewText,
  isExact: (_, { format }) => format === 'sarif',
  documents: { review: { schema: reviewSchema } },
  command: {
    group: 'See changes',
    examples: [
      ['review', 'uncommitted changes'],
      ['review --staged', 'what the next commit will hold'],
      ['review main...feature --format markdown', 'a branch, for its pull request'],
      ['review HEAD~1..HEAD --format sarif --fail-on dangling', 'a commit, for a code scanner'],
      ['review main...feature --unseen', 'code that nobody has approved, whatever was rebased or squashed'],
      ['review main...feature --min-reviewers 2 --signed', 'in CI: exit with 1 unless two people signed everything'],
    ],
    isNegative: (document, { failOn, minReviewers }) =>
      (failOn !== undefined && isBad(document, failOn)) || (minReviewers !== undefined && hasUnseen(document)),
  },
  tool: {
    name: 'codebase_review',
    title: 'Review',
    toolset: 'knowledge',
    description:
      'A review of a range: what may break, and with unseen only the code that no reviewer has approved as it is, whatever was rebased or squashed.',
    params: { range: 'A..B or A...B.', unseen: '', by: 'Only approvals by this reviewer.', minReviewers: '' },
    maxTokens: 3_000,
  },
});

const ok = defineQuestion<typeof okParams, ReviewOkDocument>({
  name: 'review ok',
  summary: 'approve changed code by its content: it stays approved after a rebase, a squash or a cherry-pick',
  effect: 'writes',
  params: okParams,
  answer: async () => (await import('./approvals.js')).answerReviewOk,
  text: async () => (await import('./approvals.js')).reviewOkText,
  documents: { 'review-ok': { schema: reviewOkSchema } },
  command: {
    group: 'See changes',
    examples: [
      ['review ok Cart.total src/price.ts', 'a method and a file of this branch'],
      ['review ok --all --range main...feature --share', 'a whole branch, for everybody'],
    ],
  },
});

export const questions = [review, ok];

const hasUnseen = ({ approvals: found }: ReviewDocument): boolean => found !== undefined && found.seen < found.parts;

/** Certain dangling uses come first in their list. */
function isBad({ risk, changes }: ReviewDocument, failOn: 'dangling' | 'high'): boolean {
  const dangles = changes.dangling.list[0]?.certainty === 'certain';
  return dangles || (failOn === 'high' && (risk.level === 'high' || risk.level === 'critical'));
}
