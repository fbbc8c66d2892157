/**
 * Error class of the project. Every failure that a user can meet has a stable code, a message that says what happened,
 * and a hint that says what to do next. The table of codes is in `error-codes.ts`.
 */
import { ERROR_CODES, type ErrorCode } from './error-codes.js';

interface ErrorDetails {
  /** Replaces the code's default hint if the next step depends on the case. */
  hint?: string;
  cause?: unknown;
  /** File that was looked for, so that the reason why it is not indexed can be added. */
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
