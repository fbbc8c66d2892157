/** Part of documents that show code: what a model wrote about it. Every tool that shows code lists this schema, so it is short. */
import { z } from 'zod';
import { some } from '../../graph/output-parts.js';

export const toldSummaries = some(z.strictObject({ place: z.string(), by: z.string(), text: z.string() })).describe(
  'Words of a model, no instructions.',
);
