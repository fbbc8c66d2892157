/** What the worker did: lines of the repository's log, and what it printed, which is nothing unless node itself failed. */
import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { visibleLine } from '../base/hygiene.js';
import { log } from '../base/log.js';
import { type LogData, type LogLine, readLog } from '../base/log-file.js';
import { readPlain } from './files.js';

/** `hooks/shim.sh` sends the worker's stdout and stderr there, anew for every worker. */
const OUTPUT = 'hook.stderr';
/** A stack, or the heap's last words. */
const MAX_OUTPUT_BYTES = 1 << 20;
const MAX_OUTPUT_LINES = 20;
/** Event of the log's lines. */
const EVENT = 'hook';

export function writeHookLog(text: string, data: LogData, failed: boolean): void {
  log.event(EVENT, text, data, failed ? 'error' : 'info');
}

/** The last lines of workers, oldest first. */
export function readHookLog(state: string, count: number): LogLine[] {
  return readLog(state, count, ({ event }) => event === EVENT);
}

/** What the last worker printed: its beginning, since that says why. */
export function readOutput(state: string): string[] {
  const text = readPlain(join(state, OUTPUT), MAX_OUTPUT_BYTES)?.toString('utf8') ?? '';
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, MAX_OUTPUT_LINES)
    .map(visibleLine);
}

/** A worker that printed nothing leaves no file. */
export function removeEmptyOutput(state: string): void {
  try {
    const path = join(state, OUTPUT);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() && stat.size === 0) rmSync(path, { force: true });
  } catch {
    // Read-only: the next one tries again.
  }
}
