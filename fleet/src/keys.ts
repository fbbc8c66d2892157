/** Keys of units, families and views: hashes that every machine computes alike, so that publishers need no coordination. */
import { createHash } from 'node:crypto';
import type { FleetProfile } from './contract.js';
import { SocraticodeError } from './internal.js';

/** Bytes of a unit's key: in a fleet of 2^40 units, the probability of a collision is 2^-49. */
export const KEY_BYTES = 16;
const FAMILY_BYTES = 8;
/** Longest name of a repository or ref, in UTF-16 units. */
const MAX_NAME = 400;
/** Control characters, and characters that reorder what a person reads. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|\p{Surrogate}/u;

function digest(parts: readonly string[], bytes: number): string {
  return createHash('sha256').update(parts.join('\0')).digest().subarray(0, bytes).toString('base64url');
}

/** Id of the family with this name: that of the repository which the others are forks of. */
export function familyId(name: string): string {
  return digest(['family', checkName(name, 'family')], FAMILY_BYTES);
}

/** Key of a blob (hex id) read as a language, in the family with this id. */
export function unitKey(family: string, oid: string, language: string): string {
  return digest(['unit', family, oid, language], KEY_BYTES);
}

/** Key of the view of a ref. */
export function viewKey(repo: string, ref: string): string {
  return digest(['view', repo, ref], KEY_BYTES);
}

/** Digits of a commit in the name of its kept view. */
const KEPT_DIGITS = 12;

/** Name under which a commit of a branch is kept. No branch or tag can have it: git refuses `@{`. */
export function keptName(ref: string, commit: string): string {
  return `${ref}@{${commit.slice(0, KEPT_DIGITS)}}`;
}

/** The branch of a kept commit; null for the name of a branch or tag. */
export function keptOf(name: string): string | null {
  return /^(.+)@\{[0-9a-f]+\}$/.exec(name)?.[1] ?? null;
}

export function keyBytes(key: string): Buffer {
  return Buffer.from(key, 'base64url');
}

export function keyOf(bytes: Uint8Array, index = 0): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + index * KEY_BYTES, KEY_BYTES).toString('base64url');
}

/** Checks and returns the name of a repository, ref or family. Throws BAD_ARGUMENT for one that is empty, too long, or not printable. */
export function checkName(name: string, what: string): string {
  if (name === '' || name.length > MAX_NAME || UNPRINTABLE.test(name) || name.trim() !== name) {
    throw new SocraticodeError('BAD_ARGUMENT', `the name of a ${what} must be 1 to ${MAX_NAME} printable characters`);
  }
  return name;
}

/** `pathDimensions`: numbers of the built-in model's vectors; `provider`: numbers of a provider's, null without one. */
export function fleetProfile(
  syntax: string,
  vectors: string,
  { pathDimensions, provider }: { pathDimensions: number; provider: number | null },
): FleetProfile {
  const content = provider ?? pathDimensions;
  return { id: `${syntax}-${vectors}`, content, dimensions: provider === null ? content : content + pathDimensions };
}
