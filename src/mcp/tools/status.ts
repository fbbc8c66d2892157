/** `codebase_status` */
import { z } from 'zod';
import { serverStatusSchema } from '../../questions/status/server/output.js';
import { renderServerStatus } from '../../questions/status/server/text.js';
import { projectPath, ref } from '../inputs.js';
import { defineTool } from '../tool.js';

export const status = defineTool({
  name: 'codebase_status',
  title: 'Index status',
  toolset: 'core',
  description: 'How much is indexed, what is not and why, what runs now.',
  effect: 'reads',
  input: z.strictObject({ ref, projectPath }),
  output: serverStatusSchema,
  maxTokens: 2_000,
  async run(asked, call) {
    const [project, { readServerStatus }] = await Promise.all([
      call.project(),
      import('../../questions/status/server/answer.js'),
    ]);
    return readServerStatus(project, asked.ref);
  },
  render: renderServerStatus,
});
