/** Document of `docs drift`. */
import * as s from '../../../params/shape.js';
import { header, nodePlace, some } from '../../graph/output-parts.js';
import { count, oid } from '../../output-parts.js';
import { mention, namedPlace } from '../output-parts.js';

const drift = mention.extend({
  problem: s
    .enum(['gone', 'renamed', 'no-member', 'no-file', 'arguments'])
    .describe(
      'gone, renamed: what it meant at the older side; no-member: its type has no such member; no-file: nothing is at that path; arguments: a sample calls it in a way that does not fit its parameters.',
    ),
  detail: s.string().describe('In words.'),
  was: namedPlace.optional().describe('Meaning at the older side.'),
  now: namedPlace.optional().describe('The same code now, or the type or function that is meant.'),
});

const changed = mention.extend({
  target: nodePlace,
  confidence: s.number({ minimum: 0, maximum: 1 }).describe('How likely it means the target.'),
  signature: s.boolean().describe('The declaration differs, not the body alone.'),
  mentions: count.describe('Mentions of it in this document, the first of which is shown.'),
});

export const docsDriftSchema = s.object({
  ...header,
  from: s.object({ ref: s.string(), commit: oid.nullable() }).optional().describe('Older side of a range.'),
  documents: s
    .object({ read: count, leftOut: count })
    .describe('Documents of the snapshot; too many or too large ones are left out.'),
  drift: some(drift).describe('Mentions that are out of date.'),
  changed: some(changed)
    .optional()
    .describe('With a range: documents that did not change and mention what did. They may be out of date.'),
});

export type DocsDriftDocument = s.Infer<typeof docsDriftSchema>;
/** A mention that is out of date. */
export type Drift = s.Infer<typeof drift>;
/** A mention of code that changed. */
export type ChangedMention = s.Infer<typeof changed>;
