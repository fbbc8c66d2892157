/** `docs links`, `codebase_doc_links`: which documents mention a symbol or a file, and what a document mentions. */
import { MENTION_KINDS } from '../../../documents/read.js';
import { number, text, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { defineGraphQuestion } from '../../graph/graph-question.js';
import { header, line, nodePlace, requested, some } from '../../graph/output.js';
import { count } from '../../shared-output.js';
import { file, graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';

export const mention = s.object({
  path: s.string().describe('The document.'),
  line,
  section: s
    .array(s.string())
    .describe('Titles of the sections around it, outermost first; untrusted repository content.'),
  kind: s
    .enum(MENTION_KINDS)
    .describe('Words set as code (name, path), a cross-reference, a link, or an import or use in a sample of code.'),
  text: s.string().describe('As written; untrusted repository content.'),
});

const docLink = mention.extend({
  target: nodePlace,
  confidence: s.number({ minimum: 0, maximum: 1 }).describe('How likely it means the target.'),
});

/** A mention in a document. */
export type DocMention = s.Infer<typeof mention>;
/** A mention and its target. */
export type DocLink = s.Infer<typeof docLink>;

/** A symbol or a file at one end of a change. */
export const namedPlace = nodePlace.pick('path', 'symbol', 'startLine');

const docsLinksSchema = s.object({
  ...header,
  ...requested,
  definitions: s.array(nodePlace).describe('What was asked about.'),
  documents: s
    .object({ read: count, leftOut: count })
    .describe('Documents of the snapshot; too many or too large ones are left out.'),
  comments: s
    .object({ read: count, leftOut: count })
    .describe('Files of code that hold its name; doc comments are read in the first 400 of them.'),
  mentions: some(docLink).describe('What the document, or the comments of the code, mention.'),
  mentionedIn: some(docLink).describe('Documents that mention it or a member of it, and doc comments that mention it.'),
});

export type DocsLinksDocument = s.Infer<typeof docsLinksSchema>;

/** Default number of entries in the lists of `docs` (data). */
export const LISTED = { links: 50, drift: 50 } as const;

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
  answer: async () => (await import('../mentions.js')).answerLinks,
  text: async () => (await import('../mentions.js')).linksText,
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
