#!/usr/bin/env node
/** Entry point. `--version` answers before anything else is loaded. */
import { delayOptimisation } from '../base/tiering.js';
import { packageVersion } from '../base/version.js';

if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  process.stdout.write(`${packageVersion()}\n`);
} else {
  delayOptimisation();
  const { runCli } = await import('./program.js');
  // Setting the code instead of exiting lets pipes drain.
  process.exitCode = await runCli(process.argv, process);
}
