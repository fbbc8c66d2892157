/**
 * Cache files of facts about objects, which never change. Each is believed only with this user's seal, and may be deleted at any time.
 *
 * - `commits.bin`, `lines.bin`, `symbols.bin`: commits, and the lines and symbols that they changed.
 * - `uses.bin`: who uses which names in the latest view. `notes.bin`: sizes of records. `documents.bin`: documents.
 * - `tags.bin`: the tags of a snapshot. `tasks.bin`: tasks. `blames.bin`: commits that changed uses.
 * - `subjects-*.bin`, `messages-*.bin`: subjects and messages of the commits before a snapshot. `summaries-*.bin`: what models wrote.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isLink, makeDirectory, readPlainFile, refuseLinks, writeStateFile } from '../base/atomic.js';
import { sealFile, unsealFile } from '../base/cache.js';
import { log } from '../base/log.js';

const NAMES = ['commits', 'lines', 'symbols', 'documents', 'tasks', 'tags', 'uses', 'notes', 'blames'] as const;
type CacheName = (typeof NAMES)[number] | `${'subjects' | 'messages' | 'summaries'}-${string}`;

export const SUBJECTS_NAME = /^subjects-[0-9a-f]{24}\.bin$/;
export const MESSAGES_NAME = /^messages-[0-9a-f]{24}\.bin$/;
export const SUMMARIES_NAME = /^summaries-[0-9a-f]{24}\.bin$/;

const MAX_FILE_BYTES = 64 << 20;

/** Returns whether a file of that name exists. It may be damaged. */
export function hasCacheFile(directory: string, name: CacheName): boolean {
  return existsSync(join(directory, `${name}.bin`));
}

/** Decodes a file of the shard directory; null if it is missing, damaged or of another version. */
export function readCacheFile<T>(
  directory: string,
  name: CacheName,
  decode: (file: { content: Buffer; note: unknown }) => T,
): T | null {
  try {
    const path = join(directory, `${name}.bin`);
    const bytes = levels(directory).some(isLink) ? null : readPlainFile(path, MAX_FILE_BYTES);
    return bytes === null ? null : decode(unsealFile(sealedName(directory, name), bytes));
  } catch (error) {
    log.debug(`what was kept of ${name} is read anew: ${(error as Error).message}`);
    return null;
  }
}

/** Never throws: without the file the next process reads the commits again. */
export function writeCacheFile(directory: string, name: CacheName, content: Uint8Array, note: unknown): void {
  try {
    const bytes = sealFile(sealedName(directory, name), content, note);
    if (bytes.length > MAX_FILE_BYTES) throw new Error('too large');
    refuseLinks(levels(directory));
    makeDirectory(directory);
    writeStateFile(join(directory, `${name}.bin`), bytes);
  } catch (error) {
    log.debug(`${name} are not kept: ${(error as Error).message}`);
  }
}

/** Returns whether the file is whole and has this user's seal; null for names of other files. */
export function isWholeCache(directory: string, file: string): boolean | null {
  const fixed = NAMES.find((each) => file === `${each}.bin`);
  const isNamed = [SUBJECTS_NAME, MESSAGES_NAME, SUMMARIES_NAME].some((name) => name.test(file));
  const name = isNamed ? (file.slice(0, -4) as CacheName) : fixed;
  return name === undefined ? null : readCacheFile(directory, name, () => true) === true;
}

/** Includes the folder's name, so that a file copied from another profile fails its seal. */
const sealedName = (directory: string, name: CacheName): string => `${basename(directory)}/${name}`;

/** Directories that an unpacked archive could have replaced by symbolic links. */
const levels = (directory: string): string[] => [dirname(directory), directory];
