/** Decides which snapshots are answered from memory, without files of the local state. */
import type { ObjectReader } from '../../git/objects.js';
import type { Session } from '../session.js';
import type { UnitCounts } from './coverage.js';
import type { SnapshotFiles, SnapshotOrigin } from './snapshot.js';

/** Most missing files of such a snapshot: each process reads or parses them again. */
const MOST_FILES = 400;
/** Folders in which git looks for a ref of a name. */
const REF_FOLDERS = ['refs/heads/', 'refs/remotes/', 'refs/tags/', 'refs/'];
/** Revision expressions: `main~3`, `v1^`, `main@{1}`, `HEAD:src`. */
const EXPRESSION = /[~^:]|@\{/;

/**
 * Returns whether a snapshot that lacks files is answered from memory: it was not named by a ref, most of its files are indexed,
 * and no provider has to make its vectors.
 */
export async function isPassing(
  { objects }: Pick<Session, 'objects'>,
  { resolved: { ref }, trees }: SnapshotOrigin,
  { config }: SnapshotFiles,
  { missing, files }: UnitCounts,
): Promise<boolean> {
  if (trees !== undefined || config.embedder.name !== 'builtin') return false;
  if (missing > MOST_FILES || missing > files) return false;
  return !(await isRef(objects, ref));
}

async function isRef(objects: ObjectReader, name: string): Promise<boolean> {
  if (name === 'HEAD' || name.startsWith('refs/')) return true;
  if (EXPRESSION.test(name)) return false;
  const found = await Promise.all(REF_FOLDERS.map((folder) => objects.info(`${folder}${name}`)));
  return found.some((object) => object !== null);
}
