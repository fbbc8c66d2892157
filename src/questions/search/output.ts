/** Document of `search`. */
import { z } from 'zod';
import { answer, count, oid } from '../output-parts.js';
import { linkedAnswerSchema, searchedVectors, searchResultSchema } from '../results/output.js';

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
    .describe('With `in`: only what is new was searched.'),
  branches: z
    .strictObject({ searched: count, leftOut: count })
    .optional()
    .describe('With `allRefs`: how many branches were searched, and how many older ones were not.'),
  vectors: searchedVectors
    .optional()
    .describe('Chunks of the snapshot that can be found by meaning; absent in lexical mode.'),
  corrections: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('Words no document has, and those searched for instead; none: the parts of an identifier.'),
  linked: z.array(linkedAnswerSchema).optional().describe('With `linked`: the repositories searched beside this one.'),
  results: z.array(searchResultSchema),
});

export type SearchResponse = z.infer<typeof searchResponseSchema>;
