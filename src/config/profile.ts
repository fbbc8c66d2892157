/** Profiles: short names for everything that changes the bytes of a record. */
import { createHash } from 'node:crypto';
import { SocraticodeError } from '../base/errors.js';

/** 48 bits: a repository holds a handful of profiles, and refs stay short enough to read. */
const ID_LENGTH = 12;

/** JSON with sorted keys and without spaces, so that equal values are equal text. Throws INTERNAL for other values. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
  }
  const isPlain = value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  if (!isPlain) throw new SocraticodeError('INTERNAL', `a fingerprint cannot hold ${typeof value} ${String(value)}`);
  return JSON.stringify(value);
}

/** The id of a profile: 12 hex digits of the SHA-256 of its fingerprint, independent of the order of keys. */
export function profileId(fingerprint: unknown): string {
  return createHash('sha256').update(canonicalJson(fingerprint)).digest('hex').slice(0, ID_LENGTH);
}
