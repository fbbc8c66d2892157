/** A server in a process of its own: `node serving.js DIR` opens DIR, has it indexed, says the pid of who does it, and stays. */
import { Projects } from '../../../src/serve/projects.js';

const project = await new Projects({ directory: process.argv[2] }).open();
project.background.onChange(() => {
  const { running } = project.background.state();
  if (running !== null) process.stdout.write(`${running.phase}\n`);
});
void project.background.update({}).catch(() => {});
setInterval(() => {}, 1_000);
