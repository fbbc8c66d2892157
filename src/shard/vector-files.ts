/**
 * Names of the files that belong to a lexical shard: its vectors under one vectors profile, and their graph. Both names
 * contain the 16 hex digits of the lexical shard, and both files are removed together with it.
 */
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { SocraticodeError } from '../base/errors.js';

const LEXICAL_NAME = /^lexical-([0-9a-f]{16})\.bin$/;
const PROFILE = /^[0-9a-f]{4,64}$/;
const VECTOR_NAME = /^vectors-([0-9a-f]{4,64})-([0-9a-f]{16})\.(bin|hnsw)$/;

/**
 * Path of the vectors: `vectors-<profile>-<16 hex>.bin` in the directory of the shards. Throws INTERNAL for malformed
 * names.
 */
export function vectorPath(directory: string, profile: string, lexical: string): string {
  return join(directory, `${vectorStem(profile, lexical)}.bin`);
}

/** Path of the graph over the same vectors: `vectors-<profile>-<16 hex>.hnsw`. Throws INTERNAL for malformed names. */
export function hnswPath(directory: string, profile: string, lexical: string): string {
  return join(directory, `${vectorStem(profile, lexical)}.hnsw`);
}

function vectorStem(profile: string, lexical: string): string {
  const hex = LEXICAL_NAME.exec(lexical)?.[1];
  if (hex === undefined || !PROFILE.test(profile)) {
    throw new SocraticodeError('INTERNAL', `no vectors can belong to ${lexical} under profile ${profile}`);
  }
  return `vectors-${profile}-${hex}`;
}

/** File name of the lexical shard that a vector or graph file belongs to, under any profile; null for other files. */
export function vectorFileOwner(name: string): string | null {
  const hex = VECTOR_NAME.exec(name)?.[2];
  return hex === undefined ? null : `lexical-${hex}.bin`;
}

/** Profiles under which a lexical shard has vectors. */
export function vectorProfilesOf(directory: string, lexical: string): string[] {
  return readdirSync(directory)
    .map((name) => VECTOR_NAME.exec(name))
    .filter((match) => match !== null && match[3] === 'bin' && `lexical-${match[2]}.bin` === lexical)
    .map((match) => (match as RegExpExecArray)[1]);
}

/** Renames a file that cannot be trusted to `<path>.bad`, so that it is built again. */
export function moveAside(path: string): void {
  try {
    if (existsSync(path)) renameSync(path, `${path}.bad`);
  } catch {
    // The directory is read-only; the file is simply not used.
  }
}
