/** Failures as statuses and bodies. Only errors made for readers are shown; of others the client learns only that there was one. */
import { type ErrorCode, isSocraticodeError, log, SocraticodeError } from '../internal.js';

const STATUS: Partial<Record<ErrorCode, number>> = {
  BAD_ARGUMENT: 400,
  EMPTY_QUERY: 400,
  UNKNOWN_REF: 404,
  FLEET_BAD_UNIT: 400,
  FLEET_PROFILE: 400,
  FLEET_DENIED: 403,
  FLEET_STORE: 503,
  FLEET_BUSY: 503,
};
const RETRY_AFTER = { 'Retry-After': '2' };

export interface Failure {
  status: number;
  body: { code: string; message: string; hint: string };
  headers?: Readonly<Record<string, string>>;
}

export function failureOf(error: unknown): Failure {
  const status = isSocraticodeError(error) ? STATUS[error.code] : undefined;
  if (status === undefined) {
    log.debug(`fleet: ${error instanceof Error ? error.stack : String(error)}`);
    const { code, message, hint } = new SocraticodeError('INTERNAL', 'the server failed; its log says more');
    return { status: 500, body: { code, message, hint } };
  }
  const { code, message, hint } = error as SocraticodeError;
  return { status, body: { code, message, hint }, ...(status === 503 && { headers: RETRY_AFTER }) };
}
