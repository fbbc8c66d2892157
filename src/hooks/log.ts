/** `hook.log` in the common directory: one line for each thing the worker did; never source text. */
import { lstatSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { visibleLine } from '../base/hygiene.js';
import { appendPlain, readPlain } from './files.js';

/** The log and one older one of this size are kept. */
const MAX_LOG_BYTES = 64 * 1024;
/** Node's own last words (a broken installation) may have made it longer than that. */
const MAX_READ_BYTES = 8 << 20;

export class HookLog {
  readonly path: string;

  constructor(state: string) {
    this.path = join(state, 'hook.log');
  }

  /** A log that cannot be written is no reason to do less. */
  write(text: string): void {
    try {
      appendPlain(this.path, `${new Date().toISOString()} ${visibleLine(text)}\n`);
    } catch {
      // Nobody could be told.
    }
  }

  rotate(): void {
    try {
      const stat = lstatSync(this.path, { throwIfNoEntry: false });
      if (stat?.isFile() && stat.size > MAX_LOG_BYTES) renameSync(this.path, `${this.path}.1`);
    } catch {
      // Read-only: nothing will be added either.
    }
  }

  /** The last lines, oldest first. */
  tail(lines: number): string[] {
    const text = readPlain(this.path, MAX_READ_BYTES)?.toString('utf8') ?? '';
    return text.split('\n').filter(Boolean).slice(-lines);
  }
}
