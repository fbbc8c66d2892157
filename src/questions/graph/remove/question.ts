/** `graph remove`, `codebase_graph_remove`: deletes the linked graphs on this machine. */
import * as s from '../../../params/shape.js';
import { defineQuestion } from '../../question.js';
import { cachedGraphs } from '../output.js';

export const graphRemoveReportSchema = s.object({
  schemaVersion: s.literal(1),
  removed: cachedGraphs.describe('Linked graphs that were deleted; the next question links again.'),
});

export type GraphRemoveReport = s.Infer<typeof graphRemoveReportSchema>;

const params = {} as const;

export const question = defineQuestion<typeof params, GraphRemoveReport>({
  name: 'graph remove',
  summary: 'delete the linked graphs kept here; the next question links again',
  effect: 'deletes',
  params,
  answer: async () => (await import('./answer.js')).answerGraphRemove,
  text: async () => (await import('./answer.js')).graphRemoveText,
  documents: { 'graph-remove': { schema: graphRemoveReportSchema } },
  command: {
    group: 'Follow code',
    examples: [
      ['graph remove', 'free the space of linked graphs'],
      ['graph remove --json', 'what was deleted, for a program'],
    ],
    json: 'print what was deleted as JSON',
    isNegative: ({ removed }) => removed.files === 0,
  },
  tool: {
    name: 'codebase_graph_remove',
    title: 'Delete cached graphs',
    toolset: 'graph',
    description: 'Deletes the cached graphs of a repository; the next question links again.',
    params: {},
    reply: ['projectPath'],
    maxTokens: 500,
  },
});
