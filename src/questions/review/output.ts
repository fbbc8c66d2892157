/** Document of `review`: that of an impact, always with both sides of the change. */
import type * as s from '../../params/shape.js';
import { graphImpactResponseSchema } from '../graph/impact/output.js';

export const reviewSchema = graphImpactResponseSchema.extend({
  changes: graphImpactResponseSchema.fields.changes.required(),
});

export type ReviewDocument = s.Infer<typeof reviewSchema>;
