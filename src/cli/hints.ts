/** Next steps of failures in the spelling of the command line (data), in place of the general ones. */
import type { ErrorCode } from '../base/error-codes.js';

export const HINTS: Partial<Record<ErrorCode, string>> = {
  NOT_A_REPOSITORY: 'Run inside a git repository, or name one with -C DIR.',
  UNBORN_HEAD: 'Make a first commit, or name another ref with --ref.',
  BAD_CONFIG: 'Correct it where the message says; `git socraticode config --show-origin` then lists what is set.',
};
