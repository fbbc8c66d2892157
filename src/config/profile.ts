/** Profile ids: short names for the settings and versions that change the bytes of a record. */
import { createHash } from 'node:crypto';
import { SocraticodeError } from '../base/errors.js';

/** Hex digits of an id. A repository holds a handful of profiles, so 48 bits are plenty and refs stay readable. */
const ID_LENGTH = 12;

/** JSON with sorted keys and no spaces, so that equal values give equal text. Throws INTERNAL for values that JSON lacks. */
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

/** Id of a profile: 12 hex digits of the SHA-256 of its fingerprint, independent of the order of keys. */
export function profileId(fingerprint: unknown): string {
  return createHash('sha256').update(canonicalJson(fingerprint)).digest('hex').slice(0, ID_LENGTH);
}
