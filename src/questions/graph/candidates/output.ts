/** The document of every `graph` question whose name means several things. */
import * as s from '../../../params/shape.js';
import { count } from '../../output-parts.js';
import { header, nodePlace, some } from '../output-parts.js';

export const graphCandidatesSchema = s.object({
  ...header,
  target: s.string().describe('The ambiguous name, as asked for.'),
  candidates: some(
    nodePlace.extend({
      uses: count.describe('Uses that lead there.'),
      pick: s.string().describe('What to ask for to mean this one.'),
    }),
  ).describe('Exported code that is no test first, then what is used most.'),
});

export type GraphCandidates = s.Infer<typeof graphCandidatesSchema>;
