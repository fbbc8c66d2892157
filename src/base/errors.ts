/**
 * The one error class of the project. Every failure a user can meet carries a stable code, a message that says
 * what happened, and a hint that says what to type next. The table of codes is in `error-codes.ts`.
 */
import { ERROR_CODES, type ErrorCode } from './error-codes.js';

export interface ErrorDetails {
  /** Overrides the code's default hint where the next step depends on the case. */
  hint?: string;
  cause?: unknown;
}

export class SocraticodeError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'SocraticodeError';
    this.code = code;
    this.hint = details.hint ?? ERROR_CODES[code];
  }
}

/** True for errors that `code` names; narrows the type. */
export function isSocraticodeError(error: unknown, code?: ErrorCode): error is SocraticodeError {
  return error instanceof SocraticodeError && (code === undefined || error.code === code);
}

/** What was thrown where nothing was expected: cancelling and a full disk are known, anything else is a bug. */
export function unexpected(error: unknown): SocraticodeError {
  const { name, message, code } = error as NodeJS.ErrnoException;
  if (name === 'AbortError') return new SocraticodeError('CANCELLED', 'cancelled');
  if (code === 'ENOSPC' || code === 'EROFS' || code === 'EACCES' || code === 'EIO')
    return new SocraticodeError('DISK', message, { cause: error });
  return new SocraticodeError('INTERNAL', message ?? String(error), { cause: error });
}
