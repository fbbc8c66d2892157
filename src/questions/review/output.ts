/** Document of `review`: that of an impact, always with both sides of the change. */
import type { z } from 'zod';
import { graphImpactResponseSchema } from '../graph/impact/output.js';

export const reviewSchema = graphImpactResponseSchema.required({ changes: true });

export type ReviewDocument = z.infer<typeof reviewSchema>;
