/** Document of `wiki`. */
import * as s from '../../params/shape.js';
import { header } from '../graph/output-parts.js';
import { count } from '../output-parts.js';

export const wikiSchema = s.object({
  ...header,
  output: s.string().describe('The page to open.'),
  pages: count,
  bytes: count,
  summaries: s.object({ model: count, extracted: count }).describe('Written by a model, and extracted from the code.'),
});

export type WikiDocument = s.Infer<typeof wikiSchema>;
