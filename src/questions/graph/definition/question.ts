/** `graph definition`: what the name at a line and column means. Editors ask it; people can. */
import { text, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { snapshot } from '../../shared-params.js';
import { defineGraphQuestion } from '../graph-question.js';
import { confidence, header, nodePlace, tier } from '../output.js';

const graphDefinitionResponseSchema = s.object({
  ...header,
  place: s.string().describe('As asked for.'),
  name: s.string().describe("The name there; '' where none stands."),
  definitions: s.array(nodePlace.extend({ tier, confidence })).describe('Several where it is overloaded.'),
  possible: s.array(nodePlace).describe('Definitions of that name, where the use is known and its target is not.'),
});

export type GraphDefinitionResponse = s.Infer<typeof graphDefinitionResponseSchema>;

const params = {
  place: text({
    summary: 'PATH:LINE:COLUMN of a name; a column counts UTF-16 units from 1',
    required: true,
    minLength: 1,
    maxLength: 4_200,
    completes: 'path',
    cli: { argument: '<place>' },
  }),
  ...snapshot,
} as const;

export type DefinitionValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'graph definition',
  summary: 'where the name at a line and column is defined; exits with 1 if that is not known',
  effect: 'reads',
  params,
  candidates: false,
  answer: async () => (await import('./answer.js')).answerDefinition,
  text: async () => (await import('./answer.js')).placesBlocks,
  documents: {
    'graph-definition': { schema: graphDefinitionResponseSchema },
  },
  command: {
    group: 'Follow code',
    examples: [
      ['graph definition src/cart.ts:42:17', 'the definition of the name at a line and column'],
      ['graph definition src/cart.ts:42:17 --ref v1', 'the same place at a tag'],
    ],
    isNegative: ({ definitions }) => definitions.length === 0,
  },
});
