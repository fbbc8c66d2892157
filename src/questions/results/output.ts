/** Pieces of documents that list chunks: a result, how many chunks have vectors, and the state of each linked repository. */
import * as s from '../../params/shape.js';
import { count, oid, placeSchema } from '../output-parts.js';

export const searchResultSchema = placeSchema.extend({
  project: s.string().optional().describe('The linked repository it is from; absent: this one.'),
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
