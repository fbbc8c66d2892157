/** Document of `doctor`. */
import { z } from 'zod';

export const doctorSchema = z.strictObject({
  schemaVersion: z.literal(1),
  ok: z.boolean().describe('Nothing needs attention.'),
  repository: z.string().nullable().describe('Null where there is none, or none that can be opened.'),
  online: z.boolean().describe('The remote and the embedder were asked.'),
  checks: z.array(
    z.strictObject({
      group: z.enum(['program', 'repository', 'configuration', 'index', 'sharing', 'hooks', 'locks', 'storage']),
      name: z.string().describe('Of the check, a setting, a ref or a hook.'),
      ok: z.boolean(),
      detail: z.string(),
      hint: z.string().nullable().describe('What to do; null where nothing need be done.'),
      facts: z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .describe('What was found, for programs: versions, counts, bytes, paths.'),
    }),
  ),
});

export type DoctorReport = z.infer<typeof doctorSchema>;
