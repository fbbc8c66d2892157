/** Checks of untrusted decoded values, shared by the payloads of all kinds. Each of them throws RECORD_CORRUPT. */
import { SocraticodeError } from '../base/errors.js';

export function corrupt(what: string): never {
  throw new SocraticodeError('RECORD_CORRUPT', what);
}

/** Returns a number from 0 to `limit`. `prescan` has already made sure that it is an integer. */
export function count(value: unknown, limit: number, what: string): number {
  if (typeof value !== 'number' || value < 0 || value > limit) corrupt(`${what} is not a number up to ${limit}`);
  return value;
}

export function bytesOf(value: unknown, what: string): Uint8Array {
  return value instanceof Uint8Array ? value : corrupt(`${what} are not a byte string`);
}
