/** `codebase_pack` */
import { z } from 'zod';
import { packResponseSchema } from '../../engine/contract/pack.js';
import { plainPen } from '../../questions/writing/pen.js';
import { TOOL_WORDS } from '../../questions/writing/words.js';
import { renderPack } from '../../render/pack.js';
import { projectPath, ref } from '../inputs.js';
import { defineTool } from '../tool.js';

const DEFAULT_TOKENS = 12_000;
const LEAST_TOKENS = 500;
const MOST_TOKENS = 100_000;
/** Traces and issues. */
const MAX_TASK = 50_000;

const input = z.strictObject({
  task: z.string().min(1).max(MAX_TASK).describe('What to do or understand; a trace or failing test works, too.'),
  maxTokens: z.int().min(LEAST_TOKENS).max(MOST_TOKENS).default(DEFAULT_TOKENS).describe('Budget.'),
  fileFilter: z.string().min(1).max(512).optional().describe('Path glob; !glob excludes.'),
  includeTests: z.boolean().default(true),
  committed: z.boolean().optional().describe('Leave uncommitted files out.'),
  ref,
  projectPath,
});

export const pack = defineTool({
  name: 'codebase_pack',
  title: 'Pack context for a task',
  toolset: 'core',
  description:
    'Collects, in one call, the code, neighbouring declarations and tests that a task needs, within a budget.',
  effect: 'reads',
  input,
  output: packResponseSchema,
  // The operation keeps the budget itself: what is cut off behind it would be the wrong end.
  maxTokens: MOST_TOKENS,
  async run({ task, maxTokens, fileFilter, includeTests, committed, ref }, call) {
    const { runPack } = await import('../../engine/pack/pack-operation.js');
    const project = await call.project();
    const path = fileFilter === undefined ? undefined : [fileFilter];
    const options = { task, maxTokens, path, tests: includeTests, committed, ref, signal: call.signal };
    return runPack(project.session, options, { searcher: project.searcher, graphs: await project.graphs() });
  },
  render: (document) => renderPack(document, plainPen(TOOL_WORDS)),
});
