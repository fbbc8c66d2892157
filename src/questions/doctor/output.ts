/** Document of `doctor`. */
import * as s from '../../params/shape.js';

export const doctorSchema = s.object({
  schemaVersion: s.literal(1),
  ok: s.boolean().describe('Nothing needs attention.'),
  repository: s.string().nullable().describe('Null where there is none, or none that can be opened.'),
  online: s.boolean().describe('The remote and the embedder were asked.'),
  checks: s.array(
    s.object({
      group: s.enum(['program', 'repository', 'configuration', 'index', 'sharing', 'hooks', 'locks', 'storage']),
      name: s.string().describe('Of the check, a setting, a ref or a hook.'),
      ok: s.boolean(),
      detail: s.string(),
      hint: s.string().nullable().describe('What to do; null where nothing need be done.'),
      facts: s
        .record(s.union([s.string(), s.number(), s.boolean(), s.null()]))
        .describe('What was found, for programs: versions, counts, bytes, paths.'),
    }),
  ),
});

export type DoctorReport = s.Infer<typeof doctorSchema>;
