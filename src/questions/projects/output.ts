/** Document about the repositories that belong together: work trees, submodules, linked ones. */
import * as s from '../../params/shape.js';
import { count, oid } from '../output-parts.js';
import { LINK_STATES } from '../results/output.js';

const projectSchema = s.object({
  name: s.string(),
  path: s.string().describe('Absolute where it is known; else as it was named.'),
  relation: s.enum(['this', 'worktree', 'submodule', 'linked', 'open']).describe('open: only the server has it open.'),
  state: s.enum([...(['indexed', 'partial', 'unborn'] as const), ...LINK_STATES]),
  branch: s.string().nullable(),
  commit: oid.nullable(),
  coverage: s.object({ covered: count, total: count }).nullable(),
  reason: s.string().nullable().describe('Why it is not used, and what to do about it.'),
});

export const projectsSchema = s.object({
  schemaVersion: s.literal(1),
  projects: s.array(projectSchema),
  leftOut: count.describe('Work trees that are not listed.'),
});

export type ProjectsReport = s.Infer<typeof projectsSchema>;
export type ProjectEntry = s.Infer<typeof projectSchema>;
