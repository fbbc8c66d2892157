/** Document of `knowledge status`. */
import { z } from 'zod';
import { count } from '../output-parts.js';

export const knowledgeStatusSchema = z.strictObject({
  schemaVersion: z.literal(1),
  remote: z.string().nullable().describe('The remote that is compared with; null if there is none.'),
  kinds: z
    .array(
      z.strictObject({
        kind: z.string().describe('notes, tasks or tags.'),
        shared: count.describe('Entries that pushes send.'),
        own: count.describe('Entries that stay in this clone.'),
        ahead: count.describe('Shared entries that the remote lacked at the last fetch.'),
        behind: count.describe('Entries of the remote, as of the last fetch, that are not here.'),
      }),
    )
    .describe('Kinds of which there are entries.'),
});

export type KnowledgeStatus = z.infer<typeof knowledgeStatusSchema>;
