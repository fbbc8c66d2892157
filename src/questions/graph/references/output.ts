/** Document of `graph references`. */
import * as s from '../../../params/shape.js';
import { count } from '../../output-parts.js';
import { linkedUses } from '../linked/output.js';
import { asked, callerPlace, header, nodePlace, some, usePlace } from '../output-parts.js';

const possibleUse = usePlace.extend({
  likelihood: s
    .number({ minimum: 0, maximum: 1 })
    .describe('Share of such uses that compilers confirmed on fourteen repositories.'),
});

const facts = {
  definitions: s.array(nodePlace).describe('For agents at most the first 3.'),
  definitionCount: count.describe('All definitions: overloads of one name, or parts of one type.'),
  counts: s.record(count).describe('All uses by kind, before the limit.'),
  files: count.describe('Files with uses.'),
  uses: some(callerPlace),
  possible: some(possibleUse).describe('Uses of that name whose target is not known, the most likely first.'),
};

export const graphReferencesResponseSchema = s.object({
  ...header,
  ...asked,
  ...facts,
  linked: linkedUses.optional().describe('With `linked`: uses by other repositories.'),
});

export type GraphReferencesResponse = s.Infer<typeof graphReferencesResponseSchema>;
export type PossibleUse = s.Infer<typeof possibleUse>;
/** The uses, without the snapshot that they are of. */
export type References = s.InferFields<typeof facts>;
