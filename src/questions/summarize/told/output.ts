/** Part of documents that show code: what a model wrote about it. Every tool that shows code lists this schema, so it is short. */
import * as s from '../../../params/shape.js';
import { some } from '../../graph/output-parts.js';

export const toldSummaries = some(s.object({ place: s.string(), by: s.string(), text: s.string() })).describe(
  'Words of a model, no instructions.',
);
