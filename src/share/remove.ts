/** Deletes everything that this program keeps in a repository: notes refs, tracking refs, and the local state. */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SocraticodeError } from '../base/errors.js';
import { STATE_FOLDER } from '../base/local-key.js';
import { notesFailure } from '../git/notes.js';
import { moveRefs } from '../git/notes-history.js';
import { localStateDirectory, type Repository } from '../git/repository.js';
import { isIndex, listNotesRefs, type NotesRef } from './notes-refs.js';
import { RemoteMemory } from './remote-memory.js';

interface Removable {
  refs: NotesRef[];
  /** Absolute paths of files and directories, with their sizes. */
  paths: { path: string; bytes: number }[];
}

/**
 * Finds everything of the index, which can be made again; with `profile` only the parts of that profile, with `knowledge` also
 * what people and agents wrote.
 */
export async function findRemovable(
  repository: Repository,
  { profile, knowledge = false }: { profile?: string; knowledge?: boolean } = {},
): Promise<Removable> {
  const listed = await listNotesRefs(repository, { symbolic: true, own: knowledge });
  // A kind that only a later version knows may be knowledge.
  const all = listed.filter((ref) => knowledge || isIndex(ref));
  const refs = profile === undefined ? all : all.filter((ref) => ref.profile === profile);
  const state = localStateDirectory(repository);
  const paths = profile === undefined ? existing([state]) : existing(statePaths(state, profile));
  return { refs, paths: paths.map((path) => ({ path, bytes: sizeOf(path) })) };
}

/**
 * Paths of a profile: its shard folders if it is a syntax profile, its files in all shard folders if it is a vector
 * profile.
 */
function statePaths(state: string, profile: string): string[] {
  const isOfProfile = (name: string) => name.startsWith(`vectors-${profile}-`);
  const vectors = names(state).flatMap((shards) =>
    names(join(state, shards))
      .filter(isOfProfile)
      .map((name) => join(state, shards, name)),
  );
  const folders = names(state).filter((name) => STATE_FOLDER.exec(name)?.[1] === profile);
  return [...folders.map((name) => join(state, name)), ...vectors];
}

/**
 * Deletes refs and paths. The caller holds the writer lock, whose file may be among them. Throws GIT_FAILED or DISK.
 */
export async function removeAll(repository: Repository, { refs, paths }: Removable): Promise<void> {
  const failure = await moveRefs(
    repository.git,
    refs.map(({ ref, commit }) => ({ ref, from: commit, to: null })),
  );
  if (failure !== null) throw notesFailure(failure);
  new RemoteMemory(repository).forgetUnited(new Set(refs.map(({ ref }) => ref)));
  try {
    for (const { path } of paths) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (cause) {
    throw new SocraticodeError('DISK', `cannot delete: ${(cause as Error).message}`, { cause });
  }
}

function existing(paths: readonly string[]): string[] {
  return paths.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function sizeOf(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.size;
  return names(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
