/** `codebase_search` */
import { z } from 'zod';
import { searchResponseSchema } from '../../engine/contract/search.js';
import { plainPen } from '../../render/pen.js';
import { renderSearch } from '../../render/search-results.js';
import { TOOL_WORDS } from '../../render/words.js';
import { reading } from '../inputs.js';
import { defineTool } from '../tool.js';

const LINES = 8;
const DEFAULT_LIMIT = 10;
const MAX_RESULTS = 100;

const input = z.strictObject({
  query: z.string().min(1).max(10_000).describe('Words, a name, or a question.'),
  limit: z.int().min(1).max(50).optional().describe('Results; default 10.'),
  fileFilter: z.string().min(1).max(512).optional().describe('Path glob; !glob excludes.'),
  languageFilter: z.string().min(1).max(64).optional().describe('Language id, like typescript.'),
  minScore: z.number().min(0).max(1).optional().describe('Share of the best score.'),
  ...reading,
});

export const search = defineTool({
  name: 'codebase_search',
  title: 'Search code',
  toolset: 'core',
  description: 'Finds code by words, name, meaning or question. Start here.',
  effect: 'reads',
  input,
  output: searchResponseSchema,
  maxTokens: 4_000,
  async run({ query, limit = DEFAULT_LIMIT, fileFilter, languageFilter, ref }, call) {
    const { searcher } = await call.project();
    return searcher.search({
      query,
      ref,
      limit: Math.min(MAX_RESULTS, call.skip + limit),
      path: fileFilter === undefined ? undefined : [fileFilter],
      lang: languageFilter === undefined ? undefined : [languageFilter],
      signal: call.signal,
    });
  },
  render: (document) => renderSearch(document, { pen: plainPen(TOOL_WORDS), lines: LINES }),
});
