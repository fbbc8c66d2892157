/** Document of `graph definition`. */
import * as s from '../../../params/shape.js';
import { confidence, header, nodePlace, tier } from '../output-parts.js';

export const graphDefinitionResponseSchema = s.object({
  ...header,
  place: s.string().describe('As asked for.'),
  name: s.string().describe("The name there; '' where none stands."),
  definitions: s.array(nodePlace.extend({ tier, confidence })).describe('Several where it is overloaded.'),
  possible: s.array(nodePlace).describe('Definitions of that name, where the use is known and its target is not.'),
});

export type GraphDefinitionResponse = s.Infer<typeof graphDefinitionResponseSchema>;
