/** `docs drift`, `codebase_doc_drift`: where documents are out of date. */
import { text, type Values } from '../../../params/param.js';
import { defineGraphQuestion } from '../../graph/graph-question.js';
import { graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { LISTED } from '../limits.js';
import { docsDriftSchema } from './output.js';

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
  text: async () => (await import('./text.js')).driftText,
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
