#!/usr/bin/env node
/** Entry point. `--version` answers before anything else is loaded. */
import { delayOptimisation, packageVersion } from '../base/runtime.js';

/** A process that still runs after so many milliseconds is a server, or busy enough to save its compiled code. */
const SERVER_MS = 5000;

if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  process.stdout.write(`${packageVersion()}\n`);
} else {
  delayOptimisation();
  const { loadProgram } = await import('../base/bundle.js');
  const [word = ''] = process.argv.slice(2);
  const command = /^[a-z-]+$/.test(word) ? word : 'other';
  const { module, keepCode } = await loadProgram('program', command, () => import('./program.js'));
  module.chooseSigns(process.env);
  // Reports an error event without a listener like any failure, such as that of a program for which no file could be opened.
  process.once('uncaughtException', (error) => {
    module.printError(process, error);
    process.exit(2);
  });
  // A server does not end by itself.
  setTimeout(keepCode, SERVER_MS).unref();
  // Setting the code instead of exiting lets pipes drain.
  process.exitCode = await module.runCli(process.argv, process);
  // A word that is no command fails: no code is saved under its name. That nothing was found (1) is an answer.
  if (process.exitCode < 2) keepCode();
}
