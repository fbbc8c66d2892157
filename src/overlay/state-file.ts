/** Reads and checks the sealed state file of an overlay, which names its files and shards. */
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isLink, readPlainFile, refuseLinks } from '../base/atomic.js';
import { sealOf } from '../base/cache.js';
import { LEXICAL_MAGIC } from '../shard/lexical-format.js';
import { type FileStamp, isSameStamp, pathOf, stampOf } from './worktree-file.js';

/** Version of the state file. Bump it when the content changes; states of other versions are ignored. */
export const FORMAT = `1 ${LEXICAL_MAGIC}`;
export const STATE = 'state.json';
/** File with the git directory of the overlay's work tree. It shows whether the work tree still exists. */
export const OWNER = 'worktree';
export const PREFIX = 'overlay-';
/** Maximum size of a state file or shard, far above that of real overlays. */
export const MAX_BYTES = 1 << 30;
export const SHARD_NAME = /^lexical-[0-9a-f]{16}\.bin$/;

/** Stamp and blob id of a file when it was read. */
export interface KnownFile extends FileStamp {
  oid: string;
  /** Language by its first bytes, for paths that do not show the language. */
  content: string;
  /** Time of reading in milliseconds. A change shortly after it may not show in the stamp. */
  at: number;
}

export interface StateFile {
  format: string;
  files: [string, KnownFile][];
  shards: { file: string; sha256: string }[];
}

export function hasOverlay(directory: string): boolean {
  return !levels(directory).some(isLink) && existsSync(join(directory, STATE));
}

/**
 * Returns whether a remembered uncommitted file has changed, so that there is probably something to parse. A quick check that neither
 * runs git nor opens a shard.
 */
export function isOutdated(directory: string, workTree: string): boolean {
  try {
    const state = readState(directory);
    const root = realpathSync.native(workTree, { encoding: 'buffer' });
    return state.files.some(([name, known]) => {
      const stamp = stampOf(pathOf(root, Buffer.from(name, 'latin1')));
      return stamp !== null && !isSameStamp(known, stamp);
    });
  } catch {
    return false;
  }
}

/** Directories that must not be symbolic links: those of the state, the profile and the overlay. */
export function levels(directory: string): string[] {
  const profile = dirname(directory);
  return [dirname(profile), profile, directory];
}

/** Name for the seal. It has both folders, so that a state copied from another work tree or profile is rejected. */
export function sealedName(directory: string): string {
  return `${basename(dirname(directory))}/${basename(directory)}/${STATE}`;
}

/** Reads the state file. Throws file system errors, DISK for a symbolic link, and an error if the file is damaged. */
export function readState(directory: string): StateFile & { json: string } {
  refuseLinks(levels(directory));
  const text = readPlainFile(join(directory, STATE), MAX_BYTES)?.toString('utf8') ?? '';
  const [json, seal] = text.split('\n');
  if (sealOf(sealedName(directory), json) !== seal) throw new Error(`${STATE} was not sealed here`);
  return { ...(JSON.parse(json) as StateFile), json };
}

/**
 * Checks the state file and all shards of an overlay. Returns the fault as a sentence; null if there is none or no overlay. Writes
 * nothing.
 */
export function overlayFault(directory: string): string | null {
  if (!hasOverlay(directory)) return null;
  try {
    const { format, shards } = readState(directory);
    if (format !== FORMAT) return null;
    for (const { file, sha256: digest } of shards) {
      const bytes = SHARD_NAME.test(file) ? readPlainFile(join(directory, file), MAX_BYTES) : null;
      if (bytes === null) return `${file} is missing`;
      if (sha256(bytes) !== digest) return `${file} fails its checksum`;
    }
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Directory of the overlay of a work tree. `gitDir`: git directory of that work tree. */
export function overlayDirectory(profileDirectory: string, gitDir: string): string {
  return join(profileDirectory, PREFIX + sha256(Buffer.from(gitDir)).slice(0, 16));
}

/** Names of the shards in the current state file; empty if it is unreadable. */
export function namedIn(directory: string): Set<string> {
  try {
    return new Set(readState(directory).shards.map(({ file }) => file));
  } catch {
    return new Set();
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
