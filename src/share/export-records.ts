/** Exports records to files. Equal records give equal files, and files that are already right are not rewritten. */
import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, removeStaleTemporaries, writeFileAtomic } from '../base/atomic.js';
import { SocraticodeError } from '../base/errors.js';
import { byFile, encodePortable, isPortableName, type PortableRecord } from '../record/portable.js';
import type { RecordSet } from './export-source.js';

interface Exported {
  files: number;
  /** Total size of all files. */
  bytes: number;
  /** Files that were new or have changed. */
  written: number;
  /** Files of earlier exports that were deleted. */
  removed: number;
}

const ATTRIBUTES = '.gitattributes';
/** Marks record files as binary: git must not convert their line ends or merge them line by line. */
const ATTRIBUTES_TEXT = `# Records of git-socraticode; after a conflict, export again.\n*.cbor binary linguist-generated\n`;

/**
 * Makes the folder of one record set hold exactly these records. Other record sets and files with other names stay.
 * Throws DISK, and BAD_ARGUMENT if a symbolic link or a file is in the way.
 */
export function exportRecordSet(
  directory: string,
  { kind, profile }: RecordSet,
  records: readonly PortableRecord[],
): Exported {
  const folder = join(directory, kind, profile);
  for (const path of [join(directory, kind), folder]) makeRealDirectory(path);
  for (const path of [directory, folder]) removeStaleTemporaries(path);
  writeAttributes(directory);
  const result: Exported = { files: 0, bytes: 0, written: 0, removed: 0 };
  const files = byFile(records);
  for (const [name, content] of files) {
    const bytes = encodePortable(kind, content);
    result.files++;
    result.bytes += bytes.length;
    if (holds(join(folder, name), bytes)) continue;
    writeFileAtomic(join(folder, name), bytes);
    result.written++;
  }
  for (const name of readdirSync(folder)) {
    if (!isPortableName(name) || files.has(name)) continue;
    rmSync(join(folder, name), { force: true });
    result.removed++;
  }
  return result;
}

/**
 * Creates a directory, but refuses a symbolic link: a repository can contain one that leads anywhere. Throws
 * BAD_ARGUMENT.
 */
export function makeRealDirectory(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) makeDirectory(path);
  else if (!stat.isDirectory()) throw new SocraticodeError('BAD_ARGUMENT', `${path} is not a directory`);
}

/** Writes `.gitattributes` only if there is none, so that a user's edits survive. */
function writeAttributes(directory: string): void {
  const path = join(directory, ATTRIBUTES);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) writeFileAtomic(path, ATTRIBUTES_TEXT);
}

function holds(path: string, bytes: Uint8Array): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || stat.size !== bytes.length) return false;
  try {
    return readFileSync(path).equals(bytes);
  } catch {
    return false;
  }
}
