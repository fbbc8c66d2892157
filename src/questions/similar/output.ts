/** Document of `similar`: the place asked for, and chunks like it. */
import { z } from 'zod';
import { answer } from '../output-parts.js';
import { searchedVectors, searchResultSchema } from '../results/output.js';

export const similarResponseSchema = z.strictObject({
  schemaVersion: z.literal(1),
  place: searchResultSchema.nullable().describe('The chunk at the place asked for; null for a snippet.'),
  ...answer,
  vectors: searchedVectors.describe('Chunks of the snapshot that can be found by meaning.'),
  results: z.array(searchResultSchema),
});

export type SimilarResponse = z.infer<typeof similarResponseSchema>;
