/** Document of the health check. */
import * as s from '../../../params/shape.js';

export const healthSchema = s.object({
  schemaVersion: s.literal(1),
  ok: s.boolean().describe('Nothing needs attention.'),
  checks: s.array(
    s.object({
      name: s.enum([
        ...(['node', 'git', 'configuration', 'parser', 'grammars', 'vectors', 'embedder', 'disk', 'locks'] as const),
        ...(['index', 'hooks'] as const),
      ]),
      ok: s.boolean(),
      detail: s.string(),
      hint: s.string().nullable().describe('What to do; null where nothing need be done.'),
    }),
  ),
});

export type HealthReport = s.Infer<typeof healthSchema>;
export type HealthCheck = HealthReport['checks'][number];
