/** `codebase_graph_status`, `codebase_graph_build`, `codebase_graph_remove` */
import { z } from 'zod';
import { type GraphStatus, graphRemoveReportSchema, graphStatusSchema } from '../../questions/graph/status/output.js';
import { renderGraphRemove, renderGraphStatus } from '../../questions/graph/status/text.js';
import type { Project } from '../../serve/project.js';
import { projectPath, ref, text } from '../inputs.js';
import { defineTool } from '../tool.js';
import { PEN } from './question.js';

const STATUS_TOKENS = 500;
/** A small repository is linked by then. */
const WAIT_MS = 2_000;

async function statusOf(project: Project, ref: string | undefined): Promise<GraphStatus> {
  const { readGraphStatus } = await import('../../questions/graph/status/answer.js');
  const background = project.background.state();
  return readGraphStatus(project.session, { ref, background }, await project.graphs());
}

export const graphStatus = defineTool({
  name: 'codebase_graph_status',
  title: 'State of the graph',
  toolset: 'graph',
  description: 'Whether the graph of a ref is linked, how much is resolved, what is cached.',
  effect: 'reads',
  input: z.strictObject({ ref, projectPath }),
  output: graphStatusSchema,
  maxTokens: STATUS_TOKENS,
  async run({ ref }, call) {
    const project = await call.project();
    return statusOf(project, ref);
  },
  render: (document) => renderGraphStatus(document, PEN),
});

export const graphBuild = defineTool({
  name: 'codebase_graph_build',
  title: 'Link the graph',
  toolset: 'graph',
  description: 'Links the graph of a ref in the background. Not needed: questions link what they lack.',
  effect: 'writes',
  input: z.strictObject({ ref, projectPath }),
  output: graphStatusSchema,
  maxTokens: STATUS_TOKENS,
  async run({ ref }, call) {
    const project = await call.project();
    const outcome = await project.background.relink({ ref }, { waitMs: WAIT_MS, signal: call.signal });
    if (outcome.status === 'failed') throw outcome.error;
    return statusOf(project, ref);
  },
  render: (document) => `${renderGraphStatus(document, PEN)}${onDemand(document)}`,
});

const onDemand = ({ state }: GraphStatus): string =>
  state === 'building' ? 'it goes on in the background; questions wait for it or link what they lack\n' : '';

export const graphRemove = defineTool({
  name: 'codebase_graph_remove',
  title: 'Delete cached graphs',
  toolset: 'graph',
  description: 'Deletes the cached graphs of a repository; the next question links again.',
  effect: 'deletes',
  input: z.strictObject({ projectPath: text.describe('Repository directory.') }),
  output: graphRemoveReportSchema,
  maxTokens: STATUS_TOKENS,
  async run(_, call) {
    const project = await call.project();
    const { removeGraphs } = await import('../../questions/graph/status/answer.js');
    return removeGraphs(project.session, await project.graphs());
  },
  render: (document) => renderGraphRemove(document),
});
