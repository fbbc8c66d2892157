/** Document of `graph remove`. */
import * as s from '../../../params/shape.js';
import { cachedGraphs } from '../output-parts.js';

export const graphRemoveReportSchema = s.object({
  schemaVersion: s.literal(1),
  removed: cachedGraphs.describe('Linked graphs that were deleted; the next question links again.'),
});

export type GraphRemoveReport = s.Infer<typeof graphRemoveReportSchema>;
