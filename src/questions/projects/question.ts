/** `codebase_list_projects`: the repositories that belong to this one, and others that the server has open. */
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';
import { count, LINK_STATES, oid } from '../shared-output.js';

const projectSchema = s.object({
  name: s.string(),
  path: s.string().describe('Absolute where it is known; else as it was named.'),
  relation: s
    .enum(['this', 'worktree', 'submodule', 'linked', 'open', 'known'])
    .describe('open: only the server has it open. known: this user indexed it once.'),
  state: s.enum([...(['indexed', 'partial', 'unborn'] as const), ...LINK_STATES]),
  branch: s.string().nullable(),
  commit: oid.nullable(),
  coverage: s.object({ covered: count, total: count }).nullable(),
  reason: s.string().nullable().describe('Why it is not used, and what to do about it.'),
});

const projectsSchema = s.object({
  schemaVersion: s.literal(1),
  projects: s.array(projectSchema),
  leftOut: count.describe('Work trees and known repositories that are not listed.'),
});

export type ProjectsReport = s.Infer<typeof projectsSchema>;
export type ProjectEntry = s.Infer<typeof projectSchema>;

export const question = defineQuestion({
  name: 'projects',
  summary: 'list this repository, its work trees, submodules and linked repositories',
  effect: 'reads',
  params: {},
  answer: async () => (await import('./answer.js')).answerProjects,
  text: async () => (await import('./answer.js')).projectsText,
  documents: { projects: { schema: projectsSchema } },
  tool: {
    name: 'codebase_list_projects',
    title: 'List projects',
    toolset: 'admin',
    description:
      'Lists this repository, its work trees, submodules and linked repositories, what else is open, and what this user indexed.',
    params: {},
    reply: ['projectPath'],
    maxTokens: 2_000,
  },
});
