/**
 * Reads exported records from a directory or from a tree of the repository. Both are untrusted. The layout is
 * `<kind>/<profile>/<digits>.cbor`; other files are ignored.
 */
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainFile } from '../base/atomic.js';
import { isSocraticodeError } from '../base/errors.js';
import { log } from '../base/log.js';
import type { ObjectReader } from '../git/objects.js';
import type { Repository } from '../git/repository.js';
import { listTree, type TreeEntry } from '../git/snapshot.js';
import { isPortableName, MAX_PORTABLE_BYTES } from '../record/portable.js';

/** The name of the directory at the top of a work tree. */
export const EXPORT_DIRECTORY = '.socraticode';

/** Maximum number of files of one record set: all names that `byFile` can produce. */
const MAX_FILES = 16 + 256 + 4096;
/** Maximum size of one record set: 300,000 blobs with vectors of 3,000 bytes. */
const MAX_TOTAL_BYTES = 1 << 30;
const MAX_PROFILES = 100;

interface ExportFile {
  name: string;
  size: number;
  /** Returns null if the file can no longer be read. */
  read(): Promise<Uint8Array | null>;
}

/** Names the records of one kind and profile. */
export interface RecordSet {
  kind: string;
  profile: string;
}

export interface ExportSource {
  /** Name of the source in messages. */
  readonly name: string;
  recordSets(): Promise<RecordSet[]>;
  /** Files of one record set in the order of their names. `refused` counts files that exceed the limits. */
  files(recordSet: RecordSet): Promise<{ files: ExportFile[]; refused: number }>;
}

function isRecordSet({ kind, profile }: RecordSet): boolean {
  return (kind === 'syntax' || kind === 'vectors') && /^[0-9a-f]{4,64}$/.test(profile);
}

function withinLimits(found: readonly ExportFile[]): { files: ExportFile[]; refused: number } {
  const files: ExportFile[] = [];
  let total = 0;
  for (const file of [...found].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const fits = file.size <= MAX_PORTABLE_BYTES && total + file.size <= MAX_TOTAL_BYTES && files.length < MAX_FILES;
    if (!fits) continue;
    total += file.size;
    files.push(file);
  }
  return { files, refused: found.length - files.length };
}

/** Source of a directory in the file system. Symbolic links in it are never followed. */
export function directorySource(directory: string): ExportSource {
  return {
    name: directory,
    async recordSets() {
      const found = subdirectories(directory).flatMap((kind) =>
        subdirectories(join(directory, kind)).map((profile) => ({ kind, profile })),
      );
      return found.filter(isRecordSet).slice(0, MAX_PROFILES);
    },
    async files({ kind, profile }) {
      const isReal = [kind, join(kind, profile)].every((path) => isDirectory(join(directory, path)));
      if (!isReal) return { files: [], refused: 0 };
      const folder = join(directory, kind, profile);
      const names = list(folder).filter((entry) => entry.isFile() && isPortableName(entry.name));
      return withinLimits(names.map(({ name }) => fileOf(join(folder, name), name)));
    },
  };
}

function fileOf(path: string, name: string): ExportFile {
  const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return { name, size, read: async () => readRegular(path) };
}

function readRegular(path: string): Uint8Array | null {
  try {
    return readPlainFile(path, MAX_PORTABLE_BYTES);
  } catch {
    return null;
  }
}

function list(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function subdirectories(directory: string): string[] {
  return list(directory)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Source of `.socraticode` in a tree, without a checkout; null if the tree has none. */
export async function treeSource(
  repository: Repository,
  objects: ObjectReader,
  tree: string,
): Promise<ExportSource | null> {
  const top = await objects.info(`${tree}:${EXPORT_DIRECTORY}`);
  if (top?.type !== 'tree') return null;
  let isWarned = false;
  // A directory with too many files must not make searches fail, so it counts as empty.
  const listWithin = async (oid: string, limit: number): Promise<TreeEntry[]> => {
    try {
      return await listTree(repository.git, oid, limit);
    } catch (error) {
      if (!isSocraticodeError(error, 'BAD_ARGUMENT')) throw error;
      if (!isWarned) log.warn(`${EXPORT_DIRECTORY}/ has too many files, so its records are not used`);
      isWarned = true;
      return [];
    }
  };
  return {
    name: `${tree.slice(0, 12)}:${EXPORT_DIRECTORY}`,
    async recordSets() {
      const entries = await listWithin(top.oid, MAX_PROFILES * MAX_FILES);
      const names = new Set(entries.map(({ path }) => path.split('/').slice(0, -1).join('/')));
      const found = [...names].map((name) => name.split('/')).filter((parts) => parts.length === 2);
      const recordSets = found.map(([kind, profile]) => ({ kind, profile }));
      return recordSets.filter(isRecordSet).slice(0, MAX_PROFILES);
    },
    async files({ kind, profile }) {
      const folder = await objects.info(`${top.oid}:${kind}/${profile}`);
      if (folder?.type !== 'tree') return { files: [], refused: 0 };
      const entries = await listWithin(folder.oid, 2 * MAX_FILES);
      const named = entries.filter(({ path, type }) => type === 'file' && isPortableName(path));
      const sized = named.map(async ({ path, oid }): Promise<ExportFile | null> => {
        const info = await objects.info(oid);
        const read = async () => (await objects.read(oid))?.content ?? null;
        return info?.type === 'blob' ? { name: path, size: info.size, read } : null;
      });
      return withinLimits((await Promise.all(sized)).filter((file) => file !== null));
    },
  };
}
