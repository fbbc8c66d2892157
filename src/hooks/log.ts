/**
 * Log of the hook worker: its lines in the repository's log, and its output file, which is empty unless node failed to
 * start.
 */
import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { visibleLine } from '../base/hygiene.js';
import { log } from '../base/log.js';
import { type LogData, type LogLine, readLog } from '../base/log-file.js';
import { readPlain } from './files.js';

/** File that `hooks/shim.sh` redirects the worker's stdout and stderr to, created anew for every worker. */
const OUTPUT = 'hook.stderr';
/** Enough for a stack trace or the message of an exhausted heap. */
const MAX_OUTPUT_BYTES = 1 << 20;
const MAX_OUTPUT_LINES = 20;
/** Event name of the worker's lines in the log. */
const EVENT = 'hook';

export function writeHookLog(text: string, data: LogData, failed: boolean): void {
  log.event(EVENT, text, data, failed ? 'error' : 'info');
}

/** Returns the last log lines of workers, oldest first. */
export function readHookLog(state: string, count: number): LogLine[] {
  return readLog(state, count, ({ event }) => event === EVENT);
}

/** Returns the first 20 lines that the last worker printed; the cause of a failure comes first. */
export function readOutput(state: string): string[] {
  const text = readPlain(join(state, OUTPUT), MAX_OUTPUT_BYTES)?.toString('utf8') ?? '';
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, MAX_OUTPUT_LINES)
    .map(visibleLine);
}

/** Deletes the output file of a worker that printed nothing. */
export function removeEmptyOutput(state: string): void {
  try {
    const path = join(state, OUTPUT);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() && stat.size === 0) rmSync(path, { force: true });
  } catch {
    // The directory may be read-only; the next worker tries again.
  }
}
