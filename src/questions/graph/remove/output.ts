/** Document of `graph remove`. */
import { z } from 'zod';
import { cachedGraphs } from '../output-parts.js';

export const graphRemoveReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  removed: cachedGraphs.describe('Linked graphs that were deleted; the next question links again.'),
});

export type GraphRemoveReport = z.infer<typeof graphRemoveReportSchema>;
