/** `docs drift`, `codebase_doc_drift`: where documents are out of date. */
import { text, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { defineGraphQuestion } from '../../graph/graph-question.js';
import { header, nodePlace, some } from '../../graph/output.js';
import { count, oid } from '../../shared-output.js';
import { graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { LISTED, mention, namedPlace } from '../links/question.js';

const drift = mention.extend({
  problem: s
    .enum(['gone', 'renamed', 'no-member', 'no-file', 'arguments'])
    .describe(
      'gone, renamed: what it meant at the older side; no-member: its type has no such member; no-file: nothing is at that path; arguments: a sample calls it in a way that does not fit its parameters.',
    ),
  detail: s.string().describe('In words.'),
  was: namedPlace.optional().describe('Meaning at the older side.'),
  now: namedPlace.optional().describe('The same code now, or the type or function that is meant.'),
});

const changed = mention.extend({
  target: nodePlace,
  confidence: s.number({ minimum: 0, maximum: 1 }).describe('How likely it means the target.'),
  signature: s.boolean().describe('The declaration differs, not the body alone.'),
  mentions: count.describe('Mentions of it in this document, the first of which is shown.'),
});

const docsDriftSchema = s.object({
  ...header,
  from: s.object({ ref: s.string(), commit: oid.nullable() }).optional().describe('Older side of a range.'),
  documents: s
    .object({ read: count, leftOut: count })
    .describe('Documents of the snapshot; too many or too large ones are left out.'),
  drift: some(drift).describe('Mentions that are out of date.'),
  changed: some(changed)
    .optional()
    .describe('With a range: documents that did not change and mention what did. They may be out of date.'),
});

export type DocsDriftDocument = s.Infer<typeof docsDriftSchema>;
/** A mention that is out of date. */
export type Drift = s.Infer<typeof drift>;
/** A mention of code that changed. */
export type ChangedMention = s.Infer<typeof changed>;

const params = {
  range: text({
    summary:
      'A..B, or A...B (since they parted): what the change made out of date; without one, the snapshot by itself',
    maxLength: 1_024,
    minLength: 1,
    completes: 'range',
    cli: { argument: '[range]' },
  }),
  ...snapshot,
  limit: graphLimit('entries of each list', LISTED.drift),
} as const;

export type DriftValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'docs drift',
  summary:
    'documents that name what is gone, or call it as it cannot be called any more; exits with 1 if there are any',
  effect: 'reads',
  params,
  candidates: false,
  answer: async () => (await import('./answer.js')).answerDrift,
  text: async () => (await import('../mentions.js')).driftText,
  documents: { 'docs-drift': { schema: docsDriftSchema } },
  command: {
    group: 'Find code',
    examples: [
      ['docs drift', 'members, files and calls in documents that do not exist or fit'],
      ['docs drift main..feature', 'documents that a branch has to change as well'],
      ['docs drift v1.0..', 'since a release, uncommitted changes included'],
    ],
    isNegative: ({ drift }) => drift.list.length > 0,
  },
  tool: {
    name: 'codebase_doc_drift',
    title: 'Documents out of date',
    toolset: 'docs',
    description:
      'Mentions in documents of code that is gone, renamed or called with wrong arguments; of a range, also documents that mention what changed.',
    params: {
      range: 'A..B or A...B; default: the snapshot by itself.',
      ref: REF,
    },
    maxTokens: 2_500,
    page: { size: LISTED.drift, most: MAX_GRAPH_LIMIT },
  },
});
