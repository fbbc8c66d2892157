/** Checks of untrusted decoded values that the payloads of all kinds share. All of them throw RECORD_CORRUPT. */
import { SocraticodeError } from '../base/errors.js';

export function corrupt(what: string): never {
  throw new SocraticodeError('RECORD_CORRUPT', what);
}

/** A number from 0 to `limit`; that it is an integer is known from the prescan. */
export function count(value: unknown, limit: number, what: string): number {
  if (typeof value !== 'number' || value < 0 || value > limit) corrupt(`${what} is not a number up to ${limit}`);
  return value;
}

export function bytesOf(value: unknown, what: string): Uint8Array {
  return value instanceof Uint8Array ? value : corrupt(`${what} are not a byte string`);
}
