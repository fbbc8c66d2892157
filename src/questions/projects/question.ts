/** `codebase_list_projects`: the repositories that belong to this one, and others that the server has open. */
import { defineQuestion } from '../question.js';
import { projectsSchema } from './output.js';

export const question = defineQuestion({
  name: 'projects',
  summary: 'list this repository, its work trees, submodules and linked repositories',
  effect: 'reads',
  params: {},
  answer: async () => (await import('./answer.js')).answerProjects,
  text: async () => (await import('./text.js')).projectsText,
  documents: { projects: { schema: projectsSchema } },
  tool: {
    name: 'codebase_list_projects',
    title: 'List projects',
    toolset: 'admin',
    description: 'Lists this repository, its work trees, submodules and linked repositories, and what else is open.',
    params: {},
    reply: ['projectPath'],
    maxTokens: 2_000,
  },
});
