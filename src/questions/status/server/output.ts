/** Document of `codebase_status`: the status of a repository, and the work of the server that has it open. */
import * as s from '../../../params/shape.js';
import { count, faultSchema } from '../../output-parts.js';
import { statusSchema } from '../output.js';

const job = {
  kind: s.enum(['index', 'full', 'link']).describe('What lacks for a question; everything; the graph.'),
  ref: s.string(),
};

export const serverStatusSchema = statusSchema.extend({
  background: s.object({
    running: s
      .object({
        ...job,
        phase: s.enum(['starting', 'waiting-for-lock', 'fetching', 'indexing', 'vectors', 'linking']),
        done: count,
        total: count.nullable().describe('null as long as it is not known.'),
      })
      .nullable(),
    queued: s.array(s.object(job)),
    last: s
      .object({
        ...job,
        ok: s.boolean(),
        error: faultSchema.nullable(),
        ms: count.describe('How long it took.'),
        endedAt: s.string().describe('ISO 8601.'),
      })
      .nullable(),
  }),
  watches: s.boolean().describe('Changes of the work tree are noticed by themselves, without asking git.'),
});

export type ServerStatus = s.Infer<typeof serverStatusSchema>;
