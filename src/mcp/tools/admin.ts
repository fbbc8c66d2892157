/** `codebase_index`, `codebase_update`, `codebase_stop`, `codebase_remove` and `codebase_watch`. */
import { z } from 'zod';
import { removeReportSchema } from '../../questions/compact/output.js';
import { renderRemove } from '../../questions/compact/text.js';
import { indexingSchema, stopReportSchema, watchReportSchema } from '../../questions/index/server/output.js';
import { renderIndexing, renderStop, renderWatch } from '../../questions/index/server/text.js';
import { projectPath, ref, text } from '../inputs.js';
import { type AnyTool, defineTool, type ToolCall } from '../tool.js';

/** A few files are indexed by then; of more, the state is told. */
const MOMENT_MS = 2_000;
/** Clients wait a minute for a reply. */
const LONG_MS = 50_000;

const engine = () => import('../../questions/index/server/answer.js');
const extraExtensions = text.optional().describe('E.g. .tpl,.inc');
const told = ({ signal, progress }: ToolCall) => ({ signal, tell: progress });

/** The two differ in how long they wait. */
function indexer({ waitMs, ...named }: Pick<AnyTool, 'name' | 'title' | 'description'> & { waitMs: number }): AnyTool {
  return defineTool({
    ...named,
    toolset: 'admin',
    effect: 'writes',
    input: z.strictObject({ ref, extraExtensions, projectPath }),
    output: indexingSchema,
    maxTokens: 1_000,
    async run(input, call) {
      const [project, { indexProject }] = await Promise.all([call.project(), engine()]);
      return indexProject(project, { ...input, ...told(call), waitMs });
    },
    render: renderIndexing,
  });
}

export const index = indexer({
  name: 'codebase_index',
  title: 'Begin indexing',
  description:
    'Begins to index in the background; again: says how far it is. Questions index by themselves what they lack.',
  waitMs: MOMENT_MS,
});

export const update = indexer({
  name: 'codebase_update',
  title: 'Bring the index up to date',
  description: 'Indexes what is new, waits up to 50 s for it, and reports.',
  waitMs: LONG_MS,
});

export const stop = defineTool({
  name: 'codebase_stop',
  title: 'Stop indexing',
  toolset: 'admin',
  description: 'Stops what this server indexes; finished work is kept.',
  effect: 'writes',
  input: z.strictObject({ projectPath }),
  output: stopReportSchema,
  maxTokens: 500,
  async run(_, call) {
    const [project, { stopIndexing }] = await Promise.all([call.project(), engine()]);
    return stopIndexing(project);
  },
  render: renderStop,
});

export const remove = defineTool({
  name: 'codebase_remove',
  title: 'Delete the index',
  toolset: 'admin',
  description:
    'Deletes the local index of a repository: notes and caches, which can be made again. Never code, never a remote.',
  effect: 'deletes',
  input: z.strictObject({ projectPath: text.describe('Repository directory.') }),
  output: removeReportSchema,
  maxTokens: 1_000,
  async run(_, call) {
    const [project, { removeProject }] = await Promise.all([call.project(), engine()]);
    return removeProject(project, call.signal);
  },
  render: renderRemove,
});

export const watch = defineTool({
  name: 'codebase_watch',
  title: 'Watch the work tree',
  toolset: 'admin',
  description: 'Says whether changes are noticed by themselves; start catches up with them now.',
  effect: 'writes',
  input: z.strictObject({ action: z.enum(['start', 'stop', 'status']), projectPath }),
  output: watchReportSchema,
  maxTokens: 1_000,
  async run({ action }, call) {
    const [project, { watchProject }] = await Promise.all([call.project(), engine()]);
    return watchProject(project, { action, ...told(call), waitMs: LONG_MS });
  },
  render: renderWatch,
});
