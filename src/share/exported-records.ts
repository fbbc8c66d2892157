/**
 * Exported records: written to a directory, read from one or from a tree of the repository, and imported into the notes. Both places are
 * untrusted, so every record is checked. The layout is `<kind>/<profile>/<digits>.cbor`; other files are ignored.
 */
import { type Dirent, lstatSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, readPlainFile, writeFileAtomic } from '../base/atomic.js';
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { STATE_FOLDER } from '../base/local-key.js';
import { log } from '../base/log.js';
import { removeStaleTemporaries } from '../base/processes.js';
import { listNotes, type NoteEntry } from '../git/notes.js';
import { commitDate, readAbout } from '../git/notes-history.js';
import { listTree, type ObjectReader, type TreeEntry } from '../git/objects.js';
import { localStateDirectory, type Repository } from '../git/repository.js';
import {
  byFile,
  decodePortable,
  encodePortable,
  isPortableName,
  MAX_PORTABLE_BYTES,
  type PortableRecord,
} from '../record/portable.js';
import type { RecordStore } from '../record/store.js';
import { sizesOf } from './compact.js';
import { listNotesRefs, type NotesRef } from './notes-refs.js';

/** Name of the directory at the top of a work tree. */
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

interface RecordSet {
  kind: string;
  profile: string;
}

export interface ExportSource {
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
  // A directory with too many files counts as empty, so that it does not make searches fail.
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

export interface Imported {
  files: number;
  /** Records that were written to the notes. */
  added: number;
  /** Records that the notes already had. */
  known: number;
  /** Records of blobs that this repository does not have. */
  foreign: number;
  /** Files and items that are not valid records of this kind. */
  bad: number;
}

/** Record store of one kind and profile. */
type ImportStore = Pick<RecordStore<unknown>, 'load' | 'has' | 'accepts' | 'write'>;

const BATCH_RECORDS = 1_000;
const BATCH_BYTES = 4 << 20;

/** Imports one record set into the notes. If it throws GIT_FAILED or DISK, batches written before stay. */
export async function importRecordSet(
  place: ExportSource,
  recordSet: RecordSet,
  { store, objects, signal }: { store: ImportStore; objects: ObjectReader; signal?: AbortSignal },
): Promise<Imported> {
  const { files, refused } = await place.files(recordSet);
  const imported: Imported = { files: files.length, added: 0, known: 0, foreign: 0, bad: refused };
  if (files.length === 0) return imported;
  await store.load();
  const taken = new Set<string>();
  let batch: NoteEntry[] = [];
  let bytes = 0;
  const flush = async () => {
    await store.write(batch);
    imported.added += batch.length;
    [batch, bytes] = [[], 0];
  };
  for (const file of files) {
    if (signal?.aborted) throw new SocraticodeError('CANCELLED', 'cancelled');
    const { records, bad } = readRecords(recordSet.kind, await file.read());
    imported.bad += bad;
    const here = await Promise.all(records.map(async ({ oid }) => (await objects.info(oid))?.type === 'blob'));
    for (const [i, { oid, bytes: note }] of records.entries()) {
      if (taken.has(oid) || store.has(oid)) imported.known++;
      else if (!here[i]) imported.foreign++;
      else if (!store.accepts(note, oid)) imported.bad++;
      else {
        taken.add(oid);
        batch.push({ target: oid, note });
        bytes += note.length;
      }
    }
    if (batch.length >= BATCH_RECORDS || bytes >= BATCH_BYTES) await flush();
  }
  if (batch.length > 0) await flush();
  return imported;
}

function readRecords(kind: string, file: Uint8Array | null): { records: PortableRecord[]; bad: number } {
  if (file === null) return { records: [], bad: 1 };
  try {
    return decodePortable(kind, file);
  } catch {
    return { records: [], bad: 1 };
  }
}

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
 * Makes the folder of one record set hold exactly these records. Other record sets and files with other names stay. Throws DISK, and
 * BAD_ARGUMENT if a symbolic link or a file is in the way.
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

/** Creates a directory, but refuses a symbolic link: a repository can contain one that leads anywhere. Throws BAD_ARGUMENT. */
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

export interface ProfileLocation {
  where: 'notes' | 'remote' | 'tree' | 'shards';
  /** Ref name, `<commit>:.socraticode/…`, or directory. */
  name: string;
  /** Null if counting would need all files to be read. */
  records: number | null;
  bytes: number;
  /** Date of the newest commit, in ISO 8601. */
  date: string | null;
}

export interface KnownProfile {
  kind: string;
  profile: string;
  /** Description of the profile from the notes commit: untrusted text. */
  about: string | null;
  places: ProfileLocation[];
}

/** Lists profiles sorted by kind and profile. `tree`: snapshot whose `.socraticode/` is searched; null for none. */
export async function listProfiles(
  repository: Repository,
  objects: ObjectReader,
  tree: string | null,
): Promise<KnownProfile[]> {
  const profiles = new Map<string, KnownProfile>();
  const add = (kind: string, profile: string, place: ProfileLocation, about: string | null = null) => {
    const key = `${kind}/${profile}`;
    const known = profiles.get(key) ?? { kind, profile, about: null, places: [] };
    profiles.set(key, { ...known, about: known.about ?? about, places: [...known.places, place] });
  };
  for (const { ref, commit, kind, profile, remote } of await indexRefs(repository)) {
    const { notes } = await listNotes(repository.git, commit);
    const bytes = await sizesOf(repository.git, notes.values());
    const date = await commitDate(repository.git, commit);
    const where = remote === null ? 'notes' : 'remote';
    add(kind, profile, { where, name: ref, records: notes.size, bytes, date }, await readAbout(repository.git, commit));
  }
  const place = tree === null ? null : await treeSource(repository, objects, tree);
  if (place !== null) await addPortable(place, add);
  for (const { kind, profile, name, bytes } of shardLocations(localStateDirectory(repository)))
    add(kind, profile, { where: 'shards', name, records: null, bytes, date: null });
  return [...profiles.keys()].sort().map((key) => profiles.get(key) as KnownProfile);
}

async function indexRefs(repository: Repository): Promise<NotesRef[]> {
  return (await listNotesRefs(repository)).filter(({ isKnowledge }) => !isKnowledge);
}

async function addPortable(
  place: ExportSource,
  add: (kind: string, profile: string, place: ProfileLocation) => void,
): Promise<void> {
  for (const { kind, profile } of await place.recordSets()) {
    const { files } = await place.files({ kind, profile });
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    add(kind, profile, { where: 'tree', name: `${place.name}/${kind}/${profile}`, records: null, bytes, date: null });
  }
}

interface ShardLocation {
  kind: string;
  profile: string;
  name: string;
  bytes: number;
}

const VECTOR_NAME = /^vectors-([0-9a-f]{4,64})-[0-9a-f]{16}\.(?:bin|hnsw)$/;

/** Shard directories as syntax profiles, and the vector files in them as vector profiles. */
function shardLocations(state: string): ShardLocation[] {
  const places: ShardLocation[] = [];
  for (const folder of names(state)) {
    const profile = STATE_FOLDER.exec(folder)?.[1];
    if (profile === undefined) continue;
    const directory = join(state, folder);
    const sizes = new Map<string, number>();
    for (const name of names(directory)) {
      const owner = VECTOR_NAME.exec(name)?.[1] ?? '';
      const size = statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0;
      sizes.set(owner, (sizes.get(owner) ?? 0) + size);
    }
    for (const [owner, bytes] of sizes) {
      const kind = owner === '' ? 'syntax' : 'vectors';
      places.push({ kind, profile: owner === '' ? profile : owner, name: directory, bytes });
    }
  }
  return places;
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}
