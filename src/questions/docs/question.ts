/** `docs`: sections of documents, which code they mention, and where they are out of date. */
import { MENTION_KINDS } from '../../documents/read.js';
import { number, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import type { Asker } from '../asker.js';
import { defineGraphQuestion } from '../graph/graph-question.js';
import { header, line, nodePlace, requested, some } from '../graph/output.js';
import { defineQuestion } from '../question.js';
import { PAGE_SIZE, REPLY_TOKENS } from '../search/output.js';
import { queryParams, type SearchResponse, type SearchValues, searchResponseSchema } from '../search/question.js';
import { count, oid } from '../shared-output.js';
import {
  file,
  fileFilters,
  graphLimit,
  MAX_GRAPH_LIMIT,
  MAX_RESULTS,
  ONE_GLOB,
  REF,
  snapshot,
} from '../shared-params.js';

// `docs links`, `codebase_doc_links`: which documents mention a symbol or a file, and what a document mentions.

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

const linksParams = {
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

export type LinksValues = Values<typeof linksParams>;

const docsLinks = defineGraphQuestion({
  name: 'docs links',
  summary: 'which documents and doc comments mention a symbol or a file, and what they mention',
  effect: 'reads',
  params: linksParams,
  answer: async () => (await import('./mentions.js')).answerLinks,
  text: async () => (await import('./mentions.js')).linksBlocks,
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

// `docs search`, `codebase_doc_search`: sections of documents that answer a query best.

const { query, ref, committed, limit, path, in: range, allRefs, mode, minScore } = queryParams;
const { explain, noContent, context, lines } = queryParams;
const { author, since, until, is, tag } = fileFilters;
/** Parameters of `search` that documents can have: none for languages, kinds of code and uses of symbols. */
const searchParams = {
  ...{ query, ref, committed, limit, path, in: range, allRefs, mode, minScore },
  ...{ author, since, until, is, tag, explain, noContent, context, lines },
} as const;

type DocsSearchValues = Values<typeof searchParams>;

const docsSearch = defineQuestion({
  name: 'docs search',
  summary: 'find sections of documents by words, names, meaning or a question',
  effect: 'reads',
  params: searchParams,
  answer: async () => {
    const [{ answerSearch }, { allLanguages }] = await Promise.all([
      import('../search/answer.js'),
      import('../../languages/registry.js'),
    ]);
    const lang = [...allLanguages()].filter(({ document }) => document !== undefined).map(({ id }) => id);
    // Only a search for commits has another document.
    return async (at: Asker, values: DocsSearchValues) =>
      (await answerSearch(at, { ...(values as SearchValues), lang })) as SearchResponse;
  },
  text: async () => (await import('../result-text.js')).searchText,
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

// `docs drift`, `codebase_doc_drift`: where documents are out of date.

const drift = mention.extend({
  problem: s
    .enum(['gone', 'renamed', 'no-member', 'no-file', 'arguments'])
    .describe(
      'gone, renamed: what it meant at the older side; no-member: its type has no such member; no-file: nothing is at that path; arguments: a sample calls it in a way that does not fit its parameters.',
    ),
  detail: s.string().describe('In words.'),
  was: namedPlace.optional().describe('Meaning at the older side.'),
  now: namedPlace.optional().describe('The same code now, or the type or function that is meant.'),
});

const changed = mention.extend({
  target: nodePlace,
  confidence: s.number({ minimum: 0, maximum: 1 }).describe('How likely it means the target.'),
  signature: s.boolean().describe('The declaration differs, not the body alone.'),
  mentions: count.describe('Mentions of it in this document, the first of which is shown.'),
});

const docsDriftSchema = s.object({
  ...header,
  from: s.object({ ref: s.string(), commit: oid.nullable() }).optional().describe('Older side of a range.'),
  documents: s
    .object({ read: count, leftOut: count })
    .describe('Documents of the snapshot; too many or too large ones are left out.'),
  drift: some(drift).describe('Mentions that are out of date.'),
  changed: some(changed)
    .optional()
    .describe('With a range: documents that did not change and mention what did. They may be out of date.'),
});

export type DocsDriftDocument = s.Infer<typeof docsDriftSchema>;
/** A mention that is out of date. */
export type Drift = s.Infer<typeof drift>;
/** A mention of code that changed. */
export type ChangedMention = s.Infer<typeof changed>;

const driftParams = {
  range: text({
    summary:
      'A..B, or A...B (since they parted): what the change made out of date; without one, the snapshot by itself',
    maxLength: 1_024,
    minLength: 1,
    completes: 'range',
    cli: { argument: '[range]' },
  }),
  ...snapshot,
  limit: graphLimit('entries of each list', LISTED.drift),
} as const;

export type DriftValues = Values<typeof driftParams>;

const docsDrift = defineGraphQuestion({
  name: 'docs drift',
  summary:
    'documents that name what is gone, or call it as it cannot be called any more; exits with 1 if there are any',
  effect: 'reads',
  params: driftParams,
  candidates: false,
  answer: async () => (await import('./drift.js')).answerDrift,
  text: async () => (await import('./mentions.js')).driftBlocks,
  documents: { 'docs-drift': { schema: docsDriftSchema } },
  command: {
    group: 'Find code',
    examples: [
      ['docs drift', 'members, files and calls in documents that do not exist or fit'],
      ['docs drift main..feature', 'documents that a branch has to change as well'],
      ['docs drift v1.0..', 'since a release, uncommitted changes included'],
    ],
    isNegative: ({ drift }) => drift.list.length > 0,
  },
  tool: {
    name: 'codebase_doc_drift',
    title: 'Documents out of date',
    toolset: 'docs',
    description:
      'Mentions in documents of code that is gone, renamed or called with wrong arguments; of a range, also documents that mention what changed.',
    params: {
      range: 'A..B or A...B; default: the snapshot by itself.',
      ref: REF,
    },
    maxTokens: 2_500,
    page: { size: LISTED.drift, most: MAX_GRAPH_LIMIT },
  },
});
export const questions = [docsSearch, docsLinks, docsDrift];
