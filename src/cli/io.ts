/** What a command may touch of the outside: injected, so that commands are testable without a terminal. */
import { unexpected } from '../base/errors.js';
import { visibleText } from '../base/hygiene.js';
import { isVerbose, log } from '../base/log.js';

export interface Io {
  stdout: NodeJS.WritableStream & { isTTY?: boolean };
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  stdin: NodeJS.ReadableStream;
  env: NodeJS.ProcessEnv;
}

/** 0 fine, 1 a negative answer (nothing found), 2 failure. */
export type ExitCode = 0 | 1 | 2;

/** Prints a failure as one line and its next step; anything unexpected counts as a bug. */
export function printError(io: Io, error: unknown): void {
  const known = unexpected(error);
  io.stderr.write(`git-socraticode: ${visibleText(known.message)}\n  ${visibleText(known.hint)}\n`);
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
