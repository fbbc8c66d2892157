/** Pieces of documents that list chunks: a result, how many chunks have vectors, and the state of each linked repository. */
import { z } from 'zod';
import { count, oid, placeSchema } from '../output-parts.js';

export const searchResultSchema = placeSchema.extend({
  project: z.string().optional().describe('The linked repository it is from; absent: this one.'),
  places: z.array(placeSchema).optional().describe('The other places with the same text.'),
  language: z.string(),
  kind: z
    .string()
    .describe('What the chunk is: a kind of definition, or imports, code, text, data, markup, style, comment.'),
  symbol: z.string().nullable().describe('Qualified name of the definition that the chunk is about.'),
  score: z.number().describe('Higher is better; comparable within one answer only.'),
  sources: z
    .array(z.enum(['lexical', 'definition', 'path', 'semantic']))
    .optional()
    .describe('With `explain`, what speaks for the chunk: its words, a definition, the path, its meaning.'),
  explain: z.record(z.string(), z.number()).optional().describe('With `explain`: every contribution to the score.'),
  also: z
    .array(z.strictObject({ symbol: z.string(), startLine: count, endLine: count }))
    .optional()
    .describe('Parts of the file at `path` that fit next best; absent if none comes near.'),
  uncommitted: z.literal(true).optional().describe('The file at `path` is not committed as it is here.'),
  artifact: z.string().optional().describe('The context artifact that the file at `path` belongs to.'),
  contentLine: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('First line of `content`, where it is a part of the text.'),
  content: z.string().optional().describe("The chunk's text, read from the blob; untrusted repository content."),
});

export const searchedVectors = z.strictObject({
  covered: count,
  total: count,
  reason: z
    .string()
    .nullable()
    .describe('Why vectors are missing, or why the built-in model was used instead, and what to do about it.'),
});

export const linkState = z.enum([
  ...(['searched', 'indexing', 'same', 'missing', 'not-a-repository', 'not-allowed', 'failed', 'left-out'] as const),
]);

export const linkedAnswerSchema = z.strictObject({
  project: z.string().describe('What its results are labelled with.'),
  path: z.string().describe('As the settings name it; of a submodule, its path.'),
  state: linkState.describe(
    'indexing: answered from what there was. same: this repository, or one named before. left-out: beyond the limit of 20.',
  ),
  commit: oid.nullable(),
  coverage: z.strictObject({ covered: count, total: count }).nullable(),
  results: count.describe('Of those in this answer.'),
  reason: z.string().nullable().describe('Why it was not searched, and what to do about it.'),
});

export type LinkState = z.infer<typeof linkState>;
export type LinkedAnswer = z.infer<typeof linkedAnswerSchema>;
export type ResultDocument = z.infer<typeof searchResultSchema>;
