/** `codebase_context…`: named files and folders beside the code. */
import { z } from 'zod';
import {
  contextIndexReportSchema,
  contextListSchema,
  contextRemoveReportSchema,
  contextSearchResponseSchema,
} from '../../engine/contract/context.js';
import { plainPen } from '../../questions/writing/pen.js';
import { TOOL_WORDS } from '../../questions/writing/words.js';
import {
  renderContextIndex,
  renderContextList,
  renderContextRemove,
  renderContextSearch,
} from '../../render/context.js';
import { artifactsOf } from '../artifacts.js';
import { projectPath, reading, ref, text } from '../inputs.js';
import { defineTool, type ToolCall } from '../tool.js';

const DEFAULT_LIMIT = 10;
const MAX_RESULTS = 100;
/** Lines of each result in the structured answer; prose has long ones. */
const LINES = 10;
/** The same in the text, by rank. */
const textLines = (rank: number) => (rank < 3 ? 5 : 2);
/** How long a call waits for an index that is being made. */
const WAIT_MS = 20_000;

const pen = plainPen(TOOL_WORDS);
const artifacts = async (call: ToolCall) => artifactsOf(await call.project());

const list = defineTool({
  name: 'codebase_context',
  title: 'List context artifacts',
  toolset: 'context',
  description: 'Lists named specifications, schemas and documents beside the code, and how much of each is indexed.',
  effect: 'reads',
  input: z.strictObject({
    artifactName: text.optional().describe('Only this one, with the text of its files.'),
    ...reading,
  }),
  output: contextListSchema,
  maxTokens: 2_000,
  async run({ artifactName, ref: at }, call) {
    const context = await artifacts(call);
    return artifactName === undefined
      ? context.list({ ref: at })
      : context.read(artifactName, { ref: at, from: call.skip });
  },
  render: (document) => renderContextList(document, pen),
});

const search = defineTool({
  name: 'codebase_context_search',
  title: 'Search context artifacts',
  toolset: 'context',
  description: 'Searches context artifacts alone; indexes what has changed first.',
  effect: 'reads',
  input: z.strictObject({
    query: z.string().min(1).max(10_000).describe('A name, words, or a question.'),
    artifactName: text.optional().describe('Default: all.'),
    limit: z.int().min(1).max(50).optional().describe('Results; default 10.'),
    minScore: z.number().min(0).max(1).optional().describe('Share of the best score.'),
    ...reading,
  }),
  output: contextSearchResponseSchema,
  maxTokens: 2_500,
  limit: ({ limit = DEFAULT_LIMIT }) => limit,
  async run({ query, artifactName, limit = DEFAULT_LIMIT, minScore, ref: at }, call) {
    const [context, { withExcerpts }] = await Promise.all([
      artifacts(call),
      import('../../questions/results/excerpt.js'),
    ]);
    const found = await context.search({
      ...{ query, minScore, ref: at, signal: call.signal },
      artifacts: artifactName === undefined ? undefined : [artifactName],
      limit: Math.min(MAX_RESULTS, call.skip + limit + 1),
    });
    return withExcerpts(found, () => LINES);
  },
  render: (document) => renderContextSearch(document, { pen, lines: textLines, compact: true }),
});

const index = defineTool({
  name: 'codebase_context_index',
  title: 'Index context artifacts',
  toolset: 'context',
  description: 'Brings context artifacts up to date. Searches do it by themselves.',
  effect: 'writes',
  input: z.strictObject({ ref, projectPath }),
  output: contextIndexReportSchema,
  maxTokens: 2_000,
  async run(asked, call) {
    const project = await call.project();
    const { background } = project;
    return (await artifactsOf(project)).index({
      ref: asked.ref,
      signal: call.signal,
      async update(at, signal) {
        const outcome = await background.update({ ref: at }, { waitMs: WAIT_MS, signal });
        if (outcome.status === 'failed') throw outcome.error;
        return outcome.status === 'done' ? outcome.report.new : null;
      },
    });
  },
  render: (document) => renderContextIndex(document, pen),
});

const remove = defineTool({
  name: 'codebase_context_remove',
  title: 'Delete indexes of context artifacts',
  toolset: 'context',
  description: 'Deletes what is kept of context artifacts outside of the repository; those inside belong to its index.',
  effect: 'deletes',
  input: z.strictObject({ projectPath: text.describe('Repository directory.') }),
  output: contextRemoveReportSchema,
  maxTokens: 1_000,
  run: async (_, call) => (await artifacts(call)).remove(),
  render: renderContextRemove,
});

export const CONTEXT_TOOLS = [list, search, index, remove];
