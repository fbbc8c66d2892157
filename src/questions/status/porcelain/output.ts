/** Document of `status --porcelain`: what a shell prompt or a script wants to know, without what takes long. */
import * as s from '../../../params/shape.js';
import { answer, count } from '../../output-parts.js';

export const porcelainSchema = s.object({
  schemaVersion: s.literal(1),
  ref: answer.ref,
  commit: answer.commit,
  branch: s.string().nullable().describe('The branch that is checked out; null for a detached HEAD.'),
  coverage: s.object({ covered: count, total: count }).describe('Files of the snapshot that are indexed, and all.'),
  writer: s.integer().nullable().describe('Process that is indexing now.'),
});

export type PorcelainStatus = s.Infer<typeof porcelainSchema>;
