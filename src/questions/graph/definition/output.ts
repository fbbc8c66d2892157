/** Document of `graph definition`. */
import { z } from 'zod';
import { confidence, header, nodePlace, tier } from '../output-parts.js';

export const graphDefinitionResponseSchema = z.strictObject({
  ...header,
  place: z.string().describe('As asked for.'),
  name: z.string().describe("The name there; '' where none stands."),
  definitions: z.array(nodePlace.extend({ tier, confidence })).describe('Several where it is overloaded.'),
  possible: z.array(nodePlace).describe('Definitions of that name, where the use is known and its target is not.'),
});

export type GraphDefinitionResponse = z.infer<typeof graphDefinitionResponseSchema>;
