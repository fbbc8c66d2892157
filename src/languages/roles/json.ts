/** Values of manifests, as untrusted data: whatever a repository wrote, asking for a field is safe. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A field that the object has itself; undefined for everything else, whatever `value` is. */
export function field(value: Json | undefined, name: string): Json | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

export function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The strings of an array; none for everything else. */
export function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Fields in the order of the text; none for everything else. */
export function entries(value: Json | undefined): [string, Json][] {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
}
