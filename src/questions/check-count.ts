/** Check of a number that no declaration bounds yet. */
import { SocraticodeError } from '../base/errors.js';

/** Throws BAD_ARGUMENT for anything but a whole number from 1 to `most`. */
export function checkCount(option: string, value: number | undefined, most: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1 && value <= most)) return;
  const range = most === Number.MAX_SAFE_INTEGER ? 'of at least 1' : `from 1 to ${most.toLocaleString('en')}`;
  throw new SocraticodeError('BAD_ARGUMENT', `${option} is ${value}; it takes a whole number ${range}`);
}
