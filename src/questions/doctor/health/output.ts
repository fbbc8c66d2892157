/** Document of the health check. */
import { z } from 'zod';

export const healthSchema = z.strictObject({
  schemaVersion: z.literal(1),
  ok: z.boolean().describe('Nothing needs attention.'),
  checks: z.array(
    z.strictObject({
      name: z.enum([
        ...(['node', 'git', 'configuration', 'parser', 'grammars', 'vectors', 'embedder', 'disk', 'locks'] as const),
        ...(['index', 'hooks'] as const),
      ]),
      ok: z.boolean(),
      detail: z.string(),
      hint: z.string().nullable().describe('What to do; null where nothing need be done.'),
    }),
  ),
});

export type HealthReport = z.infer<typeof healthSchema>;
export type HealthCheck = HealthReport['checks'][number];
