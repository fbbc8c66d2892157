/** Main file of the child process that indexes and links for a server; `job-process` starts it. */
import { loadProgram } from '../base/bundle.js';
import { delayOptimisation } from '../base/tiering.js';
import type { ToProcess } from './background-protocol.js';

delayOptimisation();
// Ctrl-C in the server's terminal reaches this process too; the server decides whether to end.
process.on('SIGINT', () => {});
const early: ToProcess[] = [];
const keep = (message: ToProcess) => void early.push(message);
process.on('message', keep);
process.once('message', async () => {
  const { module, keepCode } = await loadProgram('background', 'background', () => import('./background-job.js'));
  process.off('message', keep);
  module.answerServer(early, keepCode);
});
