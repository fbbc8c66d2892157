/** `codebase_search` */
import { z } from 'zod';
import { type SearchResponse, searchResponseSchema } from '../../engine/contract/search.js';
import { plainPen } from '../../questions/writing/pen.js';
import { TOOL_WORDS } from '../../questions/writing/words.js';
import { renderSearch } from '../../render/search-results.js';
import type { Project } from '../../serve/project.js';
import type { SearchOptions } from '../../session/search/searcher.js';
import { reading } from '../inputs.js';
import { defineTool, type ToolCall } from '../tool.js';

const DEFAULT_LIMIT = 10;
const DEFAULT_TOKENS = 2_500;
/** Fewer do not tell whether a result is what was meant. */
const MIN_LINES = 3;
/** As many as the engine ranks. */
const MAX_RESULTS = 100;

/** Lines of a result by its place in the reply: what is found first is what is read. */
const LINES = [
  { upTo: 3, text: 8, structured: 16 },
  { upTo: 6, text: 4, structured: 8 },
  { upTo: Infinity, text: 2, structured: 5 },
] as const;

const linesAt = (rank: number) => LINES.find(({ upTo }) => rank < upTo) ?? LINES[0];

const input = z.strictObject({
  query: z.string().min(1).max(10_000).describe('A name, words, or a question.'),
  limit: z.int().min(1).max(50).optional().describe('Results; default 10.'),
  fileFilter: z.string().min(1).max(512).optional().describe('Path glob; !glob excludes.'),
  languageFilter: z.string().min(1).max(64).optional().describe('Language id, e.g. typescript.'),
  kind: z.string().min(1).max(64).optional().describe('E.g. function, class, text.'),
  minScore: z.number().min(0).max(1).optional().describe('Share of the best score.'),
  mode: z.enum(['hybrid', 'lexical', 'semantic']).optional(),
  in: z.string().min(1).max(1_024).optional().describe('A..B: only files changed from A to B.'),
  includeLinked: z.boolean().optional().describe('Linked repositories, too.'),
  ...reading,
});

export const search = defineTool({
  name: 'codebase_search',
  title: 'Search code',
  toolset: 'core',
  description: 'Finds code by name, words, meaning or question. Start here, before grep or reading files.',
  effect: 'reads',
  input,
  output: searchResponseSchema,
  maxTokens: DEFAULT_TOKENS,
  limit: ({ limit = DEFAULT_LIMIT }) => limit,
  async run({ limit = DEFAULT_LIMIT, ...asked }, call) {
    const [project, { withExcerpts }] = await Promise.all([call.project(), import('../../engine/search/excerpt.js')]);
    const options: SearchOptions = {
      ...{ query: asked.query, ref: asked.ref, in: asked.in, mode: asked.mode, minScore: asked.minScore },
      path: listOf(asked.fileFilter),
      lang: listOf(asked.languageFilter),
      kind: listOf(asked.kind),
      limit: Math.min(MAX_RESULTS, call.skip + limit + 1),
      signal: call.signal,
    };
    const found = await (asked.includeLinked ? searchAll(project, options, call) : project.searcher.search(options));
    // A small budget is better spent on more results than on more of their lines.
    const share = Math.min(1, (asked.maxTokens ?? DEFAULT_TOKENS) / DEFAULT_TOKENS);
    return withExcerpts(found, (rank) => Math.max(MIN_LINES, Math.round(linesAt(rank - call.skip).structured * share)));
  },
  render: (document) =>
    renderSearch(document, { pen: plainPen(TOOL_WORDS), lines: (rank) => linesAt(rank).text, compact: true }),
});

async function searchAll(project: Project, options: SearchOptions, { projects }: ToolCall): Promise<SearchResponse> {
  const [{ searchLinked }, { servedLinks }] = await Promise.all([
    import('../../session/linked/linked-search.js'),
    import('../../serve/served-links.js'),
  ]);
  return searchLinked(project, options, servedLinks(projects));
}

const listOf = (value: string | undefined) => (value === undefined ? undefined : [value]);
