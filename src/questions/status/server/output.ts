/** Document of `codebase_status`: the status of a repository, and the work of the server that has it open. */
import { z } from 'zod';
import { count, faultSchema } from '../../output-parts.js';
import { statusSchema } from '../output.js';

const job = {
  kind: z.enum(['index', 'full', 'link']).describe('What lacks for a question; everything; the graph.'),
  ref: z.string(),
};

export const serverStatusSchema = statusSchema.extend({
  background: z.strictObject({
    running: z
      .strictObject({
        ...job,
        phase: z.enum(['starting', 'waiting-for-lock', 'fetching', 'indexing', 'vectors', 'linking']),
        done: count,
        total: count.nullable().describe('null as long as it is not known.'),
      })
      .nullable(),
    queued: z.array(z.strictObject(job)),
    last: z
      .strictObject({
        ...job,
        ok: z.boolean(),
        error: faultSchema.nullable(),
        ms: count.describe('How long it took.'),
        endedAt: z.string().describe('ISO 8601.'),
      })
      .nullable(),
  }),
  watches: z.boolean().describe('Changes of the work tree are noticed by themselves, without asking git.'),
});

export type ServerStatus = z.infer<typeof serverStatusSchema>;
