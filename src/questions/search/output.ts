/** Document of `search`. */
import * as s from '../../params/shape.js';
import { answer, count, oid } from '../output-parts.js';
import { linkedAnswerSchema, searchedVectors, searchResultSchema } from '../results/output.js';

export const searchResponseSchema = s.object({
  schemaVersion: s.literal(1),
  query: s.string(),
  kind: s.enum(['symbol', 'natural', 'question']).describe('How the query was understood.'),
  mode: s.enum(['lexical', 'hybrid', 'semantic']).describe('The mode that was used.'),
  ...answer,
  range: s
    .object({
      from: oid.nullable().describe('The commit compared with; null where a tree was named.'),
      files: count.describe('Files of the snapshot whose blob is new.'),
    })
    .optional()
    .describe('With `in`: only what is new was searched.'),
  branches: s
    .object({ searched: count, leftOut: count })
    .optional()
    .describe('With `allRefs`: how many branches were searched, and how many older ones were not.'),
  vectors: searchedVectors
    .optional()
    .describe('Chunks of the snapshot that can be found by meaning; absent in lexical mode.'),
  corrections: s
    .record(s.array(s.string()))
    .optional()
    .describe('Words no document has, and those searched for instead; none: the parts of an identifier.'),
  linked: s.array(linkedAnswerSchema).optional().describe('With `linked`: the repositories searched beside this one.'),
  results: s.array(searchResultSchema),
});

export type SearchResponse = s.Infer<typeof searchResponseSchema>;
