/** Document of `graph references`. */
import { z } from 'zod';
import { count } from '../../output-parts.js';
import { linkedUses } from '../linked/output.js';
import { asked, callerPlace, header, nodePlace, some, usePlace } from '../output-parts.js';

const possibleUse = usePlace.extend({
  likelihood: z
    .number()
    .min(0)
    .max(1)
    .describe('Share of such uses that compilers confirmed on fourteen repositories.'),
});

const facts = {
  definitions: z.array(nodePlace).describe('For agents at most the first 3.'),
  definitionCount: count.describe('All definitions: overloads of one name, or parts of one type.'),
  counts: z.record(z.string(), count).describe('All uses by kind, before the limit.'),
  files: count.describe('Files with uses.'),
  uses: some(callerPlace),
  possible: some(possibleUse).describe('Uses of that name whose target is not known, the most likely first.'),
};

export const graphReferencesResponseSchema = z.strictObject({
  ...header,
  ...asked,
  ...facts,
  linked: linkedUses.optional().describe('With `linked`: uses by other repositories.'),
});

export type GraphReferencesResponse = z.infer<typeof graphReferencesResponseSchema>;
export type PossibleUse = z.infer<typeof possibleUse>;
/** The uses, without the snapshot that they are of. */
export type References = z.infer<z.ZodObject<typeof facts>>;
