/** Document of `knowledge status`. */
import * as s from '../../params/shape.js';
import { count } from '../output-parts.js';

export const knowledgeStatusSchema = s.object({
  schemaVersion: s.literal(1),
  remote: s.string().nullable().describe('The remote that is compared with; null if there is none.'),
  kinds: s
    .array(
      s.object({
        kind: s.string().describe('notes, tasks or tags.'),
        shared: count.describe('Entries that pushes send.'),
        own: count.describe('Entries that stay in this clone.'),
        ahead: count.describe('Shared entries that the remote lacked at the last fetch.'),
        behind: count.describe('Entries of the remote, as of the last fetch, that are not here.'),
      }),
    )
    .describe('Kinds of which there are entries.'),
});

export type KnowledgeStatus = s.Infer<typeof knowledgeStatusSchema>;
