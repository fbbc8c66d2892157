/** `codebase_list_projects` and `codebase_about`. */
import { z } from 'zod';
import { aboutSchema } from '../../questions/index/server/output.js';
import { renderAbout } from '../../questions/index/server/text.js';
import { projectsSchema } from '../../questions/projects/output.js';
import { renderProjects } from '../../questions/projects/text.js';
import { TOOL_NAMES } from '../../questions/tool-names.js';
import { projectPath } from '../inputs.js';
import { defineTool, TOOLSETS } from '../tool.js';

export const listProjects = defineTool({
  name: 'codebase_list_projects',
  title: 'List projects',
  toolset: 'admin',
  description: 'Lists this repository, its work trees, submodules and linked repositories, and what else is open.',
  effect: 'reads',
  input: z.strictObject({ projectPath }),
  output: projectsSchema,
  maxTokens: 2_000,
  async run(_, call) {
    const [{ session }, { readProjects }] = await Promise.all([
      call.project(),
      import('../../questions/projects/answer.js'),
    ]);
    const open = await call.projects.opened();
    return readProjects(
      session,
      open.map((project) => project.session),
    );
  },
  render: renderProjects,
});

export const about = defineTool({
  name: 'codebase_about',
  title: 'About this server',
  toolset: 'admin',
  description: 'Version, toolsets, limits, and where things are stored.',
  effect: 'reads',
  input: z.strictObject({ projectPath }),
  output: aboutSchema,
  maxTokens: 1_000,
  async run(_, call) {
    const [{ session }, { readAbout }] = await Promise.all([call.project(), import('../../questions/about/answer.js')]);
    return readAbout(
      session,
      TOOLSETS.map((name) => ({ name, tools: [...TOOL_NAMES[name]] })),
    );
  },
  render: renderAbout,
});
