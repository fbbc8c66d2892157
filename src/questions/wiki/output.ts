/** Document of `wiki`. */
import { z } from 'zod';
import { header } from '../graph/output-parts.js';
import { count } from '../output-parts.js';

export const wikiSchema = z.strictObject({
  ...header,
  output: z.string().describe('The page to open.'),
  pages: count,
  bytes: count,
  summaries: z
    .strictObject({ model: count, extracted: count })
    .describe('Written by a model, and extracted from the code.'),
});

export type WikiDocument = z.infer<typeof wikiSchema>;
