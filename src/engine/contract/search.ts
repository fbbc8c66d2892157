/** Documents of `search` and `similar`. */
import { z } from 'zod';
import { answer, count, oid, placeSchema } from '../../questions/output-parts.js';
import { linkedAnswerSchema } from './linked.js';

export const searchResultSchema = placeSchema.extend({
  project: z.string().optional().describe('The linked repository it is from; absent: this one.'),
  paths: z.array(z.string()).min(1).describe('Every path where this text stands, `path` first.'),
  places: z.array(placeSchema).optional().describe('The other places with the same text.'),
  language: z.string(),
  kind: z
    .string()
    .describe('What the chunk is: a kind of definition, or imports, code, text, data, markup, style, comment.'),
  symbol: z.string().nullable().describe('Qualified name of the definition that the chunk is about.'),
  score: z.number().describe('Higher is better; comparable within one answer only.'),
  sources: z
    .array(z.enum(['lexical', 'definition', 'path', 'semantic']))
    .describe('What speaks for the chunk: its words, a definition, the path, its meaning.'),
  explain: z.record(z.string(), z.number()).optional().describe('With --explain: every contribution to the score.'),
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

const searchedVectors = z.strictObject({
  covered: count,
  total: count,
  reason: z
    .string()
    .nullable()
    .describe(
      'Why vectors are missing, or why those of the built-in model stood in for them, and what to do about it.',
    ),
});

export const searchResponseSchema = z.strictObject({
  schemaVersion: z.literal(1),
  query: z.string(),
  kind: z.enum(['symbol', 'natural', 'question']).describe('How the query was understood.'),
  mode: z.enum(['lexical', 'hybrid', 'semantic']).describe('The mode that was used.'),
  ...answer,
  range: z
    .strictObject({
      from: oid.nullable().describe('The commit compared with; null where a tree was named.'),
      files: count.describe('Files of the snapshot whose blob is new.'),
    })
    .optional()
    .describe('With --in: only what is new was searched.'),
  branches: z
    .strictObject({ searched: count, leftOut: count })
    .optional()
    .describe('With --all-refs: how many branches were searched, and how many older ones were not.'),
  vectors: searchedVectors
    .optional()
    .describe('Chunks of the snapshot that can be found by meaning; absent in lexical mode.'),
  corrections: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('Words no document has, and those searched for instead; none: the parts of an identifier.'),
  linked: z.array(linkedAnswerSchema).optional().describe('With --linked: the repositories searched beside this one.'),
  results: z.array(searchResultSchema),
});

export const similarResponseSchema = z.strictObject({
  schemaVersion: z.literal(1),
  place: searchResultSchema.describe('The chunk at the place asked for.'),
  ...answer,
  vectors: searchedVectors.describe('Chunks of the snapshot that can be found by meaning.'),
  results: z.array(searchResultSchema),
});

export type SearchResponse = z.infer<typeof searchResponseSchema>;
export type SimilarResponse = z.infer<typeof similarResponseSchema>;
