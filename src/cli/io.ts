/** Errors and long output of commands. */

import { ERROR_CODES } from '../base/error-codes.js';
import { unexpected } from '../base/errors.js';
import { visibleText } from '../base/hygiene.js';
import { isVerbose, log } from '../base/log.js';
import type { Io } from '../questions/asker.js';
import { HINTS } from './hints.js';

export type { Io };

/** Prints a failure as one line and its next step; anything unexpected counts as a bug. */
export function printError(io: Io, error: unknown): void {
  const known = unexpected(error);
  const { code } = known;
  const hint = known.hint === ERROR_CODES[code] ? (HINTS[code] ?? known.hint) : known.hint;
  io.stderr.write(`git-socraticode: ${visibleText(known.message)}\n  ${visibleText(hint)}\n`);
  log.failure(known);
  if (isVerbose() && error instanceof Error) io.stderr.write(`${error.stack}\n`);
}

/** Writes and waits until the pipe has taken it, so that a slow reader is not buffered without bound. */
export function writeOut(io: Io, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (io.stdout.write(text)) resolve();
    else io.stdout.once('drain', resolve);
  });
}
