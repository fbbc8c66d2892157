/** Document of `status --porcelain`: what a shell prompt or a script wants to know, without what takes long. */
import { z } from 'zod';
import { answer, count } from '../../output-parts.js';

export const porcelainSchema = z.strictObject({
  schemaVersion: z.literal(1),
  ref: answer.ref,
  commit: answer.commit,
  branch: z.string().nullable().describe('The branch that is checked out; null for a detached HEAD.'),
  coverage: z
    .strictObject({ covered: count, total: count })
    .describe('Files of the snapshot that are indexed, and all.'),
  writer: z.number().int().nullable().describe('Process that is indexing now.'),
});

export type PorcelainStatus = z.infer<typeof porcelainSchema>;
