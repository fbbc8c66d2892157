/** `docs links`, `codebase_doc_links`: which documents mention a symbol or a file, and what a document mentions. */
import { number, text, type Values } from '../../../params/param.js';
import { defineGraphQuestion } from '../../graph/graph-question.js';
import { file, graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { LISTED } from '../limits.js';
import { docsLinksSchema } from './output.js';

const params = {
  target: text({
    summary: 'a symbol, a file of code, or a document',
    required: true,
    completes: 'symbol',
    cli: { argument: '<target>' },
  }),
  file,
  minConfidence: number({
    summary: 'leave out mentions that are less certain',
    min: 0,
    max: 1,
    default: 0,
    cli: { value: 'p' },
  }),
  ...snapshot,
  limit: graphLimit('mentions', LISTED.links),
} as const;

export type LinksValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'docs links',
  summary: 'which documents and doc comments mention a symbol or a file, and what they mention',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerLinks,
  text: async () => (await import('./text.js')).linksText,
  documents: { 'docs-links': { schema: docsLinksSchema } },
  command: {
    group: 'Find code',
    examples: [
      ['docs links Cart.total', 'where documents speak of a method'],
      ['docs links README.md', 'code that a document speaks of'],
      ['docs links src/cart.ts --ref v1.0', 'documents that mention a file, in an older snapshot'],
    ],
    isNegative: ({ mentions, mentionedIn }) => mentions.list.length + mentionedIn.list.length === 0,
  },
  tool: {
    name: 'codebase_doc_links',
    title: 'Documents of code',
    toolset: 'docs',
    description: 'Documents that mention a symbol or file, with section and line; of a document, the code it mentions.',
    params: {
      target: 'Symbol, file or document.',
      file: 'File or directory the symbol is defined in.',
      minConfidence: 'Leave out less certain mentions.',
      ref: REF,
    },
    maxTokens: 2_000,
    page: { size: LISTED.links, most: MAX_GRAPH_LIMIT },
  },
});
