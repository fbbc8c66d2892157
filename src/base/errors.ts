/**
 * Error class of the project, with its table of codes. Every failure that a user can meet has a stable code, a message
 * that says what happened, and a hint that says what to do next. A test fails on a code without a hint.
 */

interface ErrorDetails {
  /** Replaces the code's default hint if the next step depends on the case. */
  hint?: string;
  cause?: unknown;
  /** File that was looked for; the reason why it is not indexed is added to the message. */
  file?: string;
}

export class SocraticodeError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly file?: string;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'SocraticodeError';
    this.code = code;
    this.hint = details.hint ?? ERROR_CODES[code];
    this.file = details.file;
  }
}

/** True for an error of the project, and of this code if one is given; narrows the type. */
export function isSocraticodeError(error: unknown, code?: ErrorCode): error is SocraticodeError {
  return error instanceof SocraticodeError && (code === undefined || error.code === code);
}

interface SystemError extends Error {
  code?: string;
  syscall?: string;
}

/** Error codes of the system about files (data). */
const FILE_FAULTS: ReadonlySet<string> = new Set([
  ...['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EFBIG', 'EBUSY', 'ENAMETOOLONG', 'ELOOP'],
  ...['EISDIR', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY', 'ENOENT'],
]);
const LIMIT_FAULTS: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);
const MISSING_PARTS: ReadonlySet<string> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED']);
const GONE = 'It was removed or replaced meanwhile: run again; `git socraticode doctor` says what is missing.';

/** Converts an error of the system, or of a broken installation, into one with a next step; null for other errors. */
export function systemFailure(cause: unknown): SocraticodeError | null {
  if (!(cause instanceof Error)) return null;
  const { code = '', syscall, message } = cause as SystemError;
  if (code === 'ENOENT' && syscall === 'uv_cwd')
    return new SocraticodeError('BAD_ARGUMENT', 'the current directory is gone', {
      hint: 'Change to one that exists, or name one with -C DIR.',
      cause,
    });
  if (FILE_FAULTS.has(code)) {
    const hint = code === 'ENOENT' || code === 'ENOTDIR' ? GONE : undefined;
    return new SocraticodeError('DISK', message, { hint, cause });
  }
  if (LIMIT_FAULTS.has(code)) return new SocraticodeError('RESOURCES', message, { cause });
  if (MISSING_PARTS.has(code)) return new SocraticodeError('BROKEN_INSTALLATION', message.split('\n')[0], { cause });
  return null;
}

/** Converts any error at the top level: cancellation and system errors get their codes, the rest are bugs (INTERNAL). */
export function unexpected(error: unknown): SocraticodeError {
  if (error instanceof SocraticodeError) return error;
  const { name, message } = (error ?? {}) as Partial<Error>;
  if (name === 'AbortError') return new SocraticodeError('CANCELLED', 'cancelled');
  return systemFailure(error) ?? new SocraticodeError('INTERNAL', message ?? String(error), { cause: error });
}

/** Error codes and the default next step of each (data). A test fails on a code without a hint. */
export const ERROR_CODES = {
  NOT_A_REPOSITORY: 'Run inside a git repository, or name one.',
  UNSAFE_REPOSITORY: 'If you trust it: git config --global --add safe.directory DIR',
  GIT_MISSING: 'Install git 2.31 or newer and make sure it is on PATH.',
  GIT_FAILED: 'Run the git command above by hand to see more, or `git fsck` to check the repository.',
  UNKNOWN_REF: 'List refs with `git branch -a` or `git tag`.',
  UNBORN_HEAD: 'Make a first commit, or name another ref.',
  UNREADABLE_OBJECT: 'Run `git fsck`; in a partial clone, `git fetch --refetch --no-filter` brings missing objects.',
  EMPTY_QUERY: 'Say what to look for: git socraticode search "where are sessions stored"',
  BAD_ARGUMENT: 'See `git socraticode --help`.',
  BAD_CONFIG: 'Correct it where the message says; `git socraticode config` then lists what is set.',
  EMBEDDER_UNREACHABLE: 'Start the embedder, or set its address: git config --global socraticode.embedder.endpoint URL',
  EMBEDDER_MODEL_MISSING: 'Pull or load the model on the embedder, or name another one in embedder.model.',
  EMBEDDER_BAD_ANSWER: 'Check that embedder.endpoint and embedder.model belong together: git socraticode config',
  EMBEDDER_DENIED: 'Set the key in the environment variable SOCRATICODE_OPENAI_API_KEY or OPENAI_API_KEY.',
  EMBEDDER_REFUSED: 'If source text may leave this machine: git config --global socraticode.embedder.remote true',
  NO_REMOTE: 'Add one with `git remote add origin URL`, or name one: git socraticode push REMOTE',
  REMOTE_DENIED: 'Ask for write access, or push to a remote of your own; the local index is complete without it.',
  REMOTE_UNREACHABLE: 'Check the connection and `git remote -v`, then run again; the local index works without it.',
  REMOTE_BUSY: 'Another clone shares at the same time; run again, nothing is lost.',
  FLEET_PACKAGES: 'Add it beside git-socraticode: npm install git-socraticode-fleet',
  FLEET_UNSAFE_STORE:
    'Use a bucket that honours `If-None-Match: *` on PUT, or a directory on a disk: file:///srv/fleet',
  FLEET_PROFILE: 'Publish and serve with the same version and embedder; tables of another profile stand side by side.',
  FLEET_STORE: 'Check the address and the storage of the fleet; publishing again stores what is missing.',
  FLEET_BUSY: 'Ask again in a few seconds; if it happens often, let more servers answer over the same store.',
  FLEET_MOVED: 'Others publish this ref at the same time; publish again, finished work is kept.',
  FLEET_BAD_UNIT: 'Update git-socraticode where it publishes; nothing of the publication was stored.',
  FLEET_DENIED: 'Ask for a token of the fleet that may do this, and set SOCRATICODE_FLEET_TOKEN.',
  FLEET_UNREACHABLE: 'Check the address and the connection, then run again; a publication continues where it stopped.',
  RECORD_CORRUPT: 'The record is ignored and derived again by `git socraticode index`.',
  SHARD_CORRUPT: 'The shard was moved aside; `git socraticode index` rebuilds it from the records.',
  NOT_READY: 'Ask again in a few seconds: it is being built in the background.',
  LOCKED: 'Another process is indexing this repository; wait for it, or run again.',
  DISK: 'Free some space or check permissions of the .git directory, then run again.',
  RESOURCES: 'Too many files or processes are open: close some, or raise the limits (ulimit -n), then run again.',
  BROKEN_INSTALLATION: 'Install again: npm install -g git-socraticode',
  CANCELLED: 'Run the command again to continue; finished work is kept.',
  INTERNAL: 'This is a bug in git-socraticode; please report it with the message above.',
} as const satisfies Record<string, string>;

export type ErrorCode = keyof typeof ERROR_CODES;
