/** `codebase_history` */
import { z } from 'zod';
import { historyResponseSchema } from '../../engine/contract/history.js';
import { renderHistory } from '../../render/history.js';
import { reading } from '../inputs.js';
import { defineTool } from '../tool.js';
import { listed, PEN } from './question.js';

const DEFAULT_LIMIT = 5;
const MAX_RESULTS = 100;
/** Of the text of each result: enough to tell what it is. */
const LINES = 6;

const input = z.strictObject({
  query: z.string().min(1).max(10_000).describe('Symbol (Cart.total), or what the code was about.'),
  deleted: z.boolean().optional().describe('Only code that is gone.'),
  maxCommits: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional().describe('How far back.'),
  since: z.string().min(1).max(64).optional().describe('Date: 2024-05-31, "3 months ago".'),
  path: z.string().min(1).max(512).optional().describe('Path glob; !glob excludes.'),
  limit: z.int().min(1).max(50).optional().describe('Results; default 5.'),
  ...reading,
});

export const history = defineTool({
  name: 'codebase_history',
  title: 'History of code',
  toolset: 'history',
  description: 'In which commits code appeared, changed, moved and disappeared. Finds deleted code.',
  effect: 'reads',
  input,
  output: historyResponseSchema,
  maxTokens: 4_000,
  limit: ({ limit = DEFAULT_LIMIT }) => limit,
  async run({ limit = DEFAULT_LIMIT, path, ...asked }, call) {
    const { session } = await call.project();
    const { runHistory } = await import('../../engine/history/history-operation.js');
    const { query, deleted, maxCommits, since, ref } = asked;
    return runHistory(session, {
      ...{ query, deleted, maxCommits, since, ref, signal: call.signal },
      path: path === undefined ? undefined : [path],
      limit: listed(call, limit + 1, MAX_RESULTS),
      contentLines: LINES,
    });
  },
  render: (document) => renderHistory(document, { pen: PEN, lines: LINES, events: true }),
});
