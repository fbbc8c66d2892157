/**
 * Keeps the trigram filters of blobs between processes, sealed as other local state. `grep` makes them of the blobs that it reads
 * anyway, so that indexing costs nothing more; without the file an answer is the same and takes longer.
 */
import { basename, join } from 'node:path';
import { makeDirectory, readPlainFile, writeStateFile } from '../../base/atomic.js';
import { sealFile, unsealFile } from '../../base/sealed.js';
import { TrigramFilters } from '../../search/grep/trigrams.js';
import type { Session } from '../session.js';

const FILE = 'trigrams.bin';
/** No filter is added beyond this size: those of 2 GB of text. */
const MAX_BYTES = 256 << 20;
/** Fewer new blobs are read again instead of writing the file anew: writing takes as long as reading some hundred blobs. */
const FEWEST = 200;

const sealedName = (directory: string): string => `${basename(directory)}/${FILE}`;

/** Filters of a long-lived process. */
const OPEN = new WeakMap<Session, TrigramFilters>();

export function openTrigrams(session: Session): TrigramFilters {
  const known = OPEN.get(session) ?? read(session) ?? TrigramFilters.empty(session.oidBytes);
  OPEN.set(session, known);
  return known;
}

function read({ shards: { directory } }: Session): TrigramFilters | null {
  try {
    const file = readPlainFile(join(directory, FILE), 2 * MAX_BYTES);
    return file === null ? null : TrigramFilters.of(unsealFile(sealedName(directory), file).content, FILE);
  } catch {
    return null;
  }
}

export const hasRoom = (filters: TrigramFilters): boolean => filters.bytes < MAX_BYTES;

/** Never throws: without the file the next process takes longer. */
export function saveTrigrams(session: Session, filters: TrigramFilters): void {
  const { directory } = session.shards;
  if (filters.added < FEWEST) return;
  try {
    makeDirectory(directory);
    const content = filters.encode();
    writeStateFile(join(directory, FILE), sealFile(sealedName(directory), content, null));
    OPEN.set(session, TrigramFilters.of(content, FILE));
  } catch {
    // The repository may be read-only.
  }
}

/** Returns whether the file is whole and has this user's seal; null for names of other files. */
export function isWholeTrigrams(directory: string, name: string): boolean | null {
  if (name !== FILE) return null;
  try {
    const file = readPlainFile(join(directory, FILE), 2 * MAX_BYTES);
    if (file === null) return false;
    TrigramFilters.of(unsealFile(sealedName(directory), file).content, FILE);
    return true;
  } catch {
    return false;
  }
}
