/** Main file of the child process that indexes and links for a server; `job-process` starts it. */
import { loadProgram } from '../base/bundle.js';
import { delayOptimisation } from '../base/tiering.js';
import type { JobRequest } from './background-protocol.js';

delayOptimisation();
// Ctrl-C in the server's terminal reaches this process too; the server decides whether to end.
process.on('SIGINT', () => {});
process.once('message', async (request: JobRequest) => {
  const { module, keepCode } = await loadProgram('background', 'background', () => import('./background-job.js'));
  module.answerServer(request, keepCode);
});
