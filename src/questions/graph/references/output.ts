/** Document of `graph references`. */
import { z } from 'zod';
import { asked, callerPlace, header, nodePlace, some, usePlace } from '../output-parts.js';
import { count } from '../../output-parts.js';

export const graphReferencesResponseSchema = z.strictObject({
  ...header,
  ...asked,
  definitions: z.array(nodePlace),
  counts: z.record(z.string(), count).describe('All uses by kind, before the limit.'),
  files: count.describe('Files with uses.'),
  uses: some(callerPlace),
  possible: some(usePlace).describe('Uses of that name whose target is not known.'),
});

export type GraphReferencesResponse = z.infer<typeof graphReferencesResponseSchema>;
