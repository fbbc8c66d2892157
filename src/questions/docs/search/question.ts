/** `docs search`, `codebase_doc_search`: sections of documents that answer a query best. */
import type { Values } from '../../../params/param.js';
import type { Asker } from '../../asker.js';
import { defineQuestion } from '../../question.js';
import { PAGE_SIZE, REPLY_TOKENS } from '../../search/output.js';
import { queryParams, type SearchResponse, type SearchValues, searchResponseSchema } from '../../search/question.js';
import { fileFilters, MAX_RESULTS, ONE_GLOB, REF } from '../../shared-params.js';

const { query, ref, committed, limit, path, in: range, allRefs, mode, minScore } = queryParams;
const { explain, noContent, context, lines } = queryParams;
const { author, since, until, is, tag } = fileFilters;
/** Parameters of `search` that documents can have: none for languages, kinds of code and uses of symbols. */
const params = {
  ...{ query, ref, committed, limit, path, in: range, allRefs, mode, minScore },
  ...{ author, since, until, is, tag, explain, noContent, context, lines },
} as const;

type DocsSearchValues = Values<typeof params>;

export const question = defineQuestion({
  name: 'docs search',
  summary: 'find sections of documents by words, names, meaning or a question',
  effect: 'reads',
  params,
  answer: async () => {
    const [{ answerSearch }, { allLanguages }] = await Promise.all([
      import('../../search/answer.js'),
      import('../../../languages/registry.js'),
    ]);
    const lang = [...allLanguages()].filter(({ document }) => document !== undefined).map(({ id }) => id);
    // Only a search for commits has another document.
    return async (at: Asker, values: DocsSearchValues) =>
      (await answerSearch(at, { ...(values as SearchValues), lang })) as SearchResponse;
  },
  text: async () => (await import('../../result-text.js')).searchText,
  multiline: ['content'],
  documents: { 'docs-search': { schema: searchResponseSchema } },
  command: {
    group: 'Find code',
    examples: [
      ['docs search how are sessions stored', 'sections of guides, without code'],
      ['docs search "rate limit" --path "docs/**" --ref v1.2', 'in one folder, as of a tag'],
      ['docs search install --author ann --since 3m', 'in documents that Ann changed in the last three months'],
    ],
    readOnly: true,
    isNegative: ({ results }) => results.length === 0,
  },
  tool: {
    name: 'codebase_doc_search',
    title: 'Search documents',
    toolset: 'docs',
    description: 'Finds sections of documents (Markdown, reStructuredText, AsciiDoc, notebooks), without code.',
    params: {
      query: { summary: 'Words or a question.', minLength: 1, maxLength: 10_000, required: true },
      limit: { summary: `Results; default ${PAGE_SIZE}.`, max: 50 },
      path: { ...ONE_GLOB, name: 'fileFilter' },
      in: 'A..B: only changed files.',
      allRefs: '',
      ref: REF,
    },
    maxTokens: REPLY_TOKENS,
    page: { size: PAGE_SIZE, most: MAX_RESULTS, isOpenEnded: true },
  },
});
