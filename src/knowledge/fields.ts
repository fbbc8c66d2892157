/** Reads the fields of untrusted CBOR maps. Each check throws RECORD_CORRUPT. */
import { corrupt, count } from '../record/checks.js';

/** A text of at least one and at most `max` UTF-16 code units. */
export function textField(value: unknown, max: number, what: string, min = 1): string {
  if (typeof value !== 'string' || value.length < min || value.length > max)
    corrupt(`${what} is no text of ${min} to ${max} characters`);
  return value;
}

const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** An id of 20 or 32 bytes as hex. */
export function oidField(value: unknown, what: string): string {
  const hex = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : '';
  return OID.test(hex) ? hex : corrupt(`${what} is no object id`);
}

export const isOid = (text: string): boolean => OID.test(text);

/** Bytes of an id, as entries hold it. */
export const oidBytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex');

/** A map whose keys are all in `keys`; missing ones are undefined. */
export function mapField<const K extends string>(
  value: unknown,
  keys: readonly K[],
  what: string,
): Partial<Record<K, unknown>> {
  if (!(value instanceof Map)) corrupt(`${what} is no map`);
  for (const key of value.keys()) if (!keys.includes(key)) corrupt(`${what} has the unknown field ${String(key)}`);
  return Object.fromEntries(value) as Partial<Record<K, unknown>>;
}

/** One of a closed list of words. */
export function wordField<const W extends string>(value: unknown, words: readonly W[], what: string): W {
  const found = words.find((word) => word === value);
  return found ?? corrupt(`${what} is none of ${words.join(', ')}`);
}

export const countField = count;

/** A field that may be missing. */
export function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined ? undefined : read(value);
}
