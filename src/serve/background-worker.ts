/** Main file of the child process that indexes and links for a server; `JobProcess` starts it. */
import { Worker } from 'node:worker_threads';
import { loadProgram } from '../base/bundle.js';
import { delayOptimisation } from '../base/runtime.js';
import type { ToProcess } from './job.js';

delayOptimisation();
// Ctrl-C in the server's terminal reaches this process too; the server decides whether to end.
process.on('SIGINT', () => {});
/** Time for a job to save finished work after the server is gone. */
const LINGER_MS = 3_000;
/**
 * Watches the server from a thread: a step of linking blocks the event loop for minutes, in which this process hears neither
 * the server's end nor a signal.
 */
const WATCH = `const { workerData: [parent, linger] } = require('node:worker_threads');
const timer = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(timer);
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), linger);
}, 1_000);`;
new Worker(WATCH, { eval: true, workerData: [process.ppid, LINGER_MS] }).unref();

const early: ToProcess[] = [];
const keep = (message: ToProcess) => void early.push(message);
process.on('message', keep);
process.once('message', async () => {
  const { module, keepCode } = await loadProgram('background', 'background', () => import('./background-job.js'));
  process.off('message', keep);
  module.answerServer(early, keepCode);
});
