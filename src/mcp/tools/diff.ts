/** `codebase_diff` */
import { z } from 'zod';
import { diffResponseSchema } from '../../engine/contract/diff.js';
import { renderDiff } from '../../render/diff.js';
import { cursor, maxTokens, projectPath } from '../inputs.js';
import { defineTool } from '../tool.js';
import { PEN } from './question.js';

/** Without one the reply's budget is the limit: no file is listed in part. */
const NO_LIMIT = 100_000;

const name = z.string().min(1).max(1_024);

const input = z.strictObject({
  from: name.describe('Branch, tag or commit; A..B; or A...B, since they parted.'),
  to: name.optional().describe('Default: HEAD.'),
  path: z.string().min(1).max(512).optional().describe('Path glob; !glob excludes.'),
  limit: z.int().min(1).max(5_000).optional().describe('Symbols; default: as many as fit.'),
  ...{ maxTokens, cursor, projectPath },
});

export const diff = defineTool({
  name: 'codebase_diff',
  title: 'Symbols that differ',
  toolset: 'history',
  description: 'Symbols added, removed, moved and changed between two commits.',
  effect: 'reads',
  input,
  output: diffResponseSchema,
  maxTokens: 4_000,
  async run({ from, to, path, limit = NO_LIMIT }, call) {
    const { session } = await call.project();
    const { runDiff } = await import('../../engine/history/diff-operation.js');
    return runDiff(session, {
      refs: to === undefined ? [from] : [from, to],
      path: path === undefined ? undefined : [path],
      limit,
      skip: call.skip,
      codeFirst: true,
      signal: call.signal,
    });
  },
  render: (document) => renderDiff(document, PEN),
});
