/** The map from language id to value in a payload. One blob can be read as several languages. */
import type { CborValue } from './cbor.js';
import { corrupt } from './checks.js';
import { MAX_LANGUAGES } from './limits.js';

/** Language ids become keys of plain objects after decoding, so `__proto__` must not match. */
const LANGUAGE_ID = /^[a-z][a-z0-9+#._-]{0,31}$/;

/** Builds the map that `readLanguages` reads. Bad ids and counts are refused there. */
export function writeLanguages<T>(
  languages: Readonly<Record<string, T>>,
  write: (value: T) => CborValue,
): ReadonlyMap<string, CborValue> {
  return new Map(Object.entries(languages).map(([id, value]): [string, CborValue] => [id, write(value)]));
}

/**
 * Returns the values by language id, each made by `read` from an untrusted value. Throws RECORD_CORRUPT for anything
 * but a map of 1 to MAX_LANGUAGES ids.
 */
export function readLanguages<T>(map: unknown, read: (value: unknown) => T): Record<string, T> {
  if (!(map instanceof Map)) corrupt('the languages are not a map');
  if (map.size === 0 || map.size > MAX_LANGUAGES) corrupt(`${map.size} languages`);
  const languages: Record<string, T> = {};
  for (const [id, value] of map) {
    if (typeof id !== 'string' || !LANGUAGE_ID.test(id)) corrupt('bad language id');
    languages[id] = read(value);
  }
  return languages;
}
