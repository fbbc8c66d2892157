/** Errors and long output of commands. */
import { ERROR_CODES, type ErrorCode } from '../base/error-codes.js';
import { unexpected } from '../base/errors.js';
import { safeJson, visibleText } from '../base/hygiene.js';
import { isVerbose, log } from '../base/log.js';
import type { Io } from '../questions/asker.js';
import type { ErrorDocument } from '../questions/output-parts.js';

export type { Io };

/** Next steps in the spelling of the command line, in place of the general ones (data). */
const HINTS: Partial<Record<ErrorCode, string>> = {
  NOT_A_REPOSITORY: 'Run inside a git repository, or name one with -C DIR.',
  UNBORN_HEAD: 'Make a first commit, or name another ref with --ref.',
  BAD_CONFIG: 'Correct it where the message says; `git socraticode config --show-origin` then lists what is set.',
};

interface Printing {
  /** Prints a document on stdout as well. */
  json?: boolean;
}

/** Prints a failure as one line and its next step; anything unexpected counts as a bug. */
export function printError(io: Io, error: unknown, { json = false }: Printing = {}): void {
  const known = unexpected(error);
  const { code, message } = known;
  const hint = known.hint === ERROR_CODES[code] ? (HINTS[code] ?? known.hint) : known.hint;
  if (json) io.stdout.write(errorDocument({ code, message, hint }));
  io.stderr.write(`git-socraticode: ${visibleText(message)}\n  ${visibleText(hint)}\n`);
  log.failure(known);
  if (isVerbose() && error instanceof Error) io.stderr.write(`${error.stack}\n`);
}

/** The document of a failure, of the schema `error.schema.json`: one line. */
export function errorDocument(error: ErrorDocument['error']): string {
  const document: ErrorDocument = { schemaVersion: 1, error };
  return `${safeJson(document)}\n`;
}

/** Writes and waits until the pipe has taken it, so that a slow reader is not buffered without bound. */
export function writeOut(io: Io, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (io.stdout.write(text)) resolve();
    else io.stdout.once('drain', resolve);
  });
}
