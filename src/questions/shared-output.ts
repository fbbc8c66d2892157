/** Shapes that documents of several questions share: snapshot and coverage, search results, and the counted part of the history. */
import * as s from '../params/shape.js';

export const count = s.integer({ minimum: 0 });
export const oid = s.string({ pattern: /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/ });
export const counts = s.record(count);

export const refs = s
  .array(s.string())
  .optional()
  .describe('With `allRefs`: branches that hold this blob at this path, the newest 100.');
export const refsLeftOut = count.optional().describe('Further such branches.');

export const placeSchema = s.object({
  path: s.string().describe('Path from the top of the repository.'),
  startLine: s.integer({ exclusiveMinimum: 0 }).describe('First line, counted from 1.'),
  endLine: s.integer({ exclusiveMinimum: 0 }).describe('Last line, inclusive.'),
  blob: oid.optional().describe('With `allRefs`: the blob that the text stands in.'),
  refs,
});

/** Snapshot and coverage, as every answer about a snapshot names them. */
export const answer = {
  ref: s.string().describe('The ref as asked for.'),
  commit: oid.nullable().describe('The commit that the answer is about; null where a tree was named.'),
  coverage: s
    .object({ covered: count, total: count })
    .describe('Files of the snapshot that were searched, and how many could be.'),
  dirty: count.describe('Files of the work tree that differ from HEAD.'),
  overlay: count.describe('Of those, the files that the answer knows as they are now; 0 where a ref was named.'),
};

export const parseError = s.object({
  startLine: s.integer({ exclusiveMinimum: 0 }),
  endLine: s.integer({ exclusiveMinimum: 0 }),
  lost: s.boolean().describe('Declarations may stand there that are not known; else the error is small.'),
});

export type ParseError = s.Infer<typeof parseError>;

export const faultSchema = s.object({ code: s.string(), message: s.string(), hint: s.string() });

/** A failure as JSON. */
export const errorSchema = s.object({
  schemaVersion: s.literal(1),
  error: s.object({ code: s.string(), message: s.string(), hint: s.string() }),
});

export type ErrorDocument = s.Infer<typeof errorSchema>;

export const searchResultSchema = placeSchema.extend({
  project: s.string().optional().describe('The linked repository it is from; absent: this one.'),
  refsLeftOut,
  places: s.array(placeSchema).optional().describe('The other places with the same text.'),
  language: s.string(),
  kind: s
    .string()
    .describe('What the chunk is: a kind of definition, or imports, code, text, data, markup, style, comment.'),
  symbol: s.string().nullable().describe('Qualified name of the definition that the chunk is about.'),
  score: s.number().describe('Higher is better; comparable within one answer only.'),
  sources: s
    .array(s.enum(['lexical', 'definition', 'path', 'semantic']))
    .optional()
    .describe('With `explain`, what speaks for the chunk: its words, a definition, the path, its meaning.'),
  explain: s.record(s.number()).optional().describe('With `explain`: every contribution to the score.'),
  also: s
    .array(s.object({ symbol: s.string(), startLine: count, endLine: count }))
    .optional()
    .describe('Parts of the file at `path` that fit next best; absent if none comes near.'),
  uncommitted: s.literal(true).optional().describe('The file at `path` is not committed as it is here.'),
  artifact: s.string().optional().describe('The context artifact that the file at `path` belongs to.'),
  contentLine: s
    .integer({ exclusiveMinimum: 0 })
    .optional()
    .describe('First line of `content`, where it is a part of the text.'),
  content: s.string().optional().describe("The chunk's text, read from the blob; untrusted repository content."),
});

export const searchedVectors = s.object({
  covered: count,
  total: count,
  reason: s
    .string()
    .nullable()
    .describe('Why vectors are missing, or why the built-in model was used instead, and what to do about it.'),
});

export const LINK_STATES = [
  ...(['searched', 'indexing', 'same', 'missing', 'not-a-repository', 'not-allowed', 'failed', 'left-out'] as const),
];

export const linkedAnswerSchema = s.object({
  project: s.string().describe('What its results are labelled with.'),
  path: s.string().describe('As the settings name it; of a submodule, its path.'),
  state: s
    .enum(LINK_STATES)
    .describe(
      'indexing: answered from what there was. same: this repository, or one named before. left-out: beyond the limit of 20.',
    ),
  commit: oid.nullable(),
  coverage: s.object({ covered: count, total: count }).nullable(),
  results: count.describe('Of those in this answer.'),
  reason: s.string().nullable().describe('Why it was not searched, and what to do about it.'),
});

export type LinkState = (typeof LINK_STATES)[number];
export type LinkedAnswer = s.Infer<typeof linkedAnswerSchema>;
export type ResultDocument = s.Infer<typeof searchResultSchema>;

export const pastWindow = s
  .object({
    commits: count.describe('Newest commits that were counted from; at most 5,000.'),
    end: s.enum(['root', 'max-commits', 'shallow']).describe('Why they end; root: history begins there.'),
    unknown: count.describe('Of them, commits whose changes are not in this shallow or partial clone.'),
    oldest: s.string().nullable().describe('Date of the oldest.'),
  })
  .describe('How much of the history the answer is counted from.');

/** First fields of documents about the past. */
export const pastHeader = {
  schemaVersion: s.literal(1),
  ref: s.string().describe('The ref as asked for.'),
  commit: oid.describe('The commit whose past it is.'),
  window: pastWindow,
};

export type PastWindow = s.Infer<typeof pastWindow>;

/** A pull request or an issue that a commit's message names. */
export const mention = s.object({
  kind: s.enum(['pull', 'issue', 'unknown']).describe('A pull or merge request, an issue, or either of them.'),
  text: s.string().describe('As written: #123, GH-12 or an address; untrusted text of the commit.'),
});

/** Lines of text, since a program does nothing with them but show them. */
export const told = s
  .array(s.string())
  .optional()
  .describe('What became of the query: words that no file has, phrases that occur nowhere, what was left out.');
