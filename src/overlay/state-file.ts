/** What an overlay remembers, as one sealed file beside its shards: where it is, what it names, what is wrong with it. */
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isLink, readPlainFile, refuseLinks } from '../base/atomic.js';
import { sealOf } from '../base/sealed.js';
import { LEXICAL_MAGIC } from '../shard/lexical-format.js';
import { type FileStamp, isSameStamp, pathOf, stampOf } from './work-file.js';

/** Bump when what is kept changes; older states are forgotten. */
export const FORMAT = `1 ${LEXICAL_MAGIC}`;
export const STATE = 'state.json';
/** Names the work tree that a directory belongs to, so that those of removed work trees can be told. */
export const OWNER = 'worktree';
export const PREFIX = 'overlay-';
/** Of one file: what is uncommitted is far less than that. */
export const MAX_BYTES = 1 << 30;
export const SHARD_NAME = /^lexical-[0-9a-f]{16}\.bin$/;

/** A file as it was when it was read. */
export interface KnownFile extends FileStamp {
  oid: string;
  /** Language by its first bytes, for paths that do not tell. */
  content: string;
  /** When it was read, in milliseconds: a change in the same moment would not show in its stamp. */
  at: number;
}

export interface StateFile {
  format: string;
  files: [string, KnownFile][];
  shards: { file: string; sha256: string }[];
}

/** Is anything remembered of a work tree? */
export function hasOverlay(directory: string): boolean {
  return !levels(directory).some(isLink) && existsSync(join(directory, STATE));
}

/**
 * Has a file that was uncommitted before changed since, so that there will probably be something to parse? Asked before
 * git has said anything; opens no shard.
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

/** What must not be a symbolic link: of the state, the profile, and the overlay. */
export function levels(directory: string): string[] {
  const profile = dirname(directory);
  return [dirname(profile), profile, directory];
}

/** With both folders: the state of another work tree, or another profile, is about other files. */
export function sealedName(directory: string): string {
  return `${basename(dirname(directory))}/${basename(directory)}/${STATE}`;
}

/** Throws what reading throws, DISK where a link leads elsewhere, and where the file is damaged. */
export function readState(directory: string): StateFile & { json: string } {
  refuseLinks(levels(directory));
  const text = readPlainFile(join(directory, STATE), MAX_BYTES)?.toString('utf8') ?? '';
  const [json, seal] = text.split('\n');
  if (sealOf(sealedName(directory), json) !== seal) throw new Error(`${STATE} was not sealed here`);
  return { ...(JSON.parse(json) as StateFile), json };
}

/**
 * What is wrong with what is kept of a work tree, as a sentence; null if nothing is, and where nothing is kept. Reads all
 * shards and touches nothing.
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

/** Where the overlay of a work tree is kept; `gitDir` is this work tree's own git directory. */
export function overlayDirectory(profileDirectory: string, gitDir: string): string {
  return join(profileDirectory, PREFIX + sha256(Buffer.from(gitDir)).slice(0, 16));
}

/** Shards of the state that is there. */
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
