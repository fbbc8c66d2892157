/** Document about the repositories that belong together: work trees, submodules, linked ones. */
import { z } from 'zod';
import { count, oid } from '../output-parts.js';
import { linkState } from '../results/output.js';

const projectSchema = z.strictObject({
  name: z.string(),
  path: z.string().describe('Absolute where it is known; else as it was named.'),
  relation: z.enum(['this', 'worktree', 'submodule', 'linked', 'open']).describe('open: only the server has it open.'),
  state: z.enum([...(['indexed', 'partial', 'unborn'] as const), ...linkState.options]),
  branch: z.string().nullable(),
  commit: oid.nullable(),
  coverage: z.strictObject({ covered: count, total: count }).nullable(),
  reason: z.string().nullable().describe('Why it is not used, and what to do about it.'),
});

export const projectsSchema = z.strictObject({
  schemaVersion: z.literal(1),
  projects: z.array(projectSchema),
  leftOut: count.describe('Work trees that are not listed.'),
});

export type ProjectsReport = z.infer<typeof projectsSchema>;
export type ProjectEntry = z.infer<typeof projectSchema>;
