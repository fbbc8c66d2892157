/** Document of `similar`: the place asked for, and chunks like it. */
import * as s from '../../params/shape.js';
import { answer } from '../output-parts.js';
import { searchedVectors, searchResultSchema } from '../results/output.js';

export const similarResponseSchema = s.object({
  schemaVersion: s.literal(1),
  place: searchResultSchema.nullable().describe('The chunk at the place asked for; null for a snippet.'),
  ...answer,
  vectors: searchedVectors.describe('Chunks of the snapshot that can be found by meaning.'),
  results: s.array(searchResultSchema),
});

export type SimilarResponse = s.Infer<typeof similarResponseSchema>;
