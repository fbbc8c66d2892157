/** `review`: a change for its reviewer: dangling uses, effects, tests to run, the API, and files that usually change along. */
import { choice, integer, text, type Values } from '../../params/param.js';
import type * as s from '../../params/shape.js';
import { LISTED } from '../graph/graph-question.js';
import { graphImpactResponseSchema } from '../graph/impact/question.js';
import { defineQuestion } from '../question.js';
import { graphLimit, linkedUsers, snapshot, staged } from '../shared-params.js';

const reviewSchema = graphImpactResponseSchema.extend({
  changes: graphImpactResponseSchema.fields.changes.required(),
});

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
  staged,
  committed: snapshot.committed,
  limit: graphLimit('entries of each list', LISTED.impact),
} as const;

export type ReviewValues = Values<typeof params>;

export const question = defineQuestion<typeof params, ReviewDocument>({
  name: 'review',
  summary:
    'review a change: uses that dangle, calls that do not fit, users, tests to run, files that usually change along',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerReview,
  text: async () => (await import('./answer.js')).reviewText,
  documents: { review: { schema: reviewSchema } },
  command: {
    group: 'See changes',
    examples: [
      ['review', 'uncommitted changes'],
      ['review --staged', 'what the next commit will hold'],
      ['review main...feature --format markdown', 'a branch, for its pull request'],
      ['review HEAD~1..HEAD --format sarif --fail-on dangling', 'a commit, for a code scanner'],
    ],
    isNegative: (document, { failOn }) => failOn !== undefined && isBad(document, failOn),
  },
});

/** Certain dangling uses come first in their list. */
function isBad({ risk, changes }: ReviewDocument, failOn: 'dangling' | 'high'): boolean {
  const dangles = changes.dangling.list[0]?.certainty === 'certain';
  return dangles || (failOn === 'high' && (risk.level === 'high' || risk.level === 'critical'));
}
