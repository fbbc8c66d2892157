/** Compacts and removes notes on a remote. Each ref changes only if it still points at the commit that was examined. */
import { SocraticodeError } from '../base/errors.js';
import { shellWord, withoutPassword } from '../base/printable.js';
import type { RefMove } from '../git/notes-history.js';
import type { ObjectReader } from '../git/objects.js';
import { isDenied, isLostPushRace, Remote, type RemoteOptions } from '../git/remote.js';
import { kindOfRef } from '../knowledge/kinds.js';
import { type Compacted, compactCommit, reachableBlobs } from './compact.js';
import { isIndex, kindOfNotesRef, listNotesRefs } from './notes-refs.js';
import { fetchNotes, type NotesSelector, RemoteMemory, type SharedRepository, trackingRef } from './pull.js';

/**
 * Squashes each notes ref of the remote to one commit with only the records of blobs that the remote's branches and tags reach. The local
 * notes do not change. Throws BAD_ARGUMENT if this repository lacks commits of the remote, REMOTE_BUSY if somebody pushed in the
 * meantime, REMOTE_DENIED, and everything that `Remote` throws.
 */
export async function compactRemote(
  shared: SharedRepository & { objects: ObjectReader },
  name: string,
  selectors: readonly NotesSelector[],
  options: RemoteOptions & { dryRun?: boolean } = {},
): Promise<Compacted[]> {
  const { repository, objects } = shared;
  const remote = new Remote(repository, shared.config, name, options);
  await remote.requireOneAddress();
  const tracked = await fetchNotes(shared, name, selectors, options);
  const tips = await remote.listTips();
  const here = await Promise.all(tips.map((tip) => objects.info(tip)));
  if (here.includes(null)) {
    throw new SocraticodeError(
      'BAD_ARGUMENT',
      `${name} has commits that this repository lacks, so it is unknown which blobs they reach`,
      {
        hint: `git fetch ${shellWord(name)}`,
      },
    );
  }
  const reachable = (targets: Iterable<string>) => reachableBlobs(repository.git, tips, targets);
  const compacted: Compacted[] = [];
  const moves: RefMove[] = [];
  for (const [ref, commit] of tracked) {
    // Entries stay, whatever became of the code that they are about.
    const filter = kindOfRef(ref) === null ? reachable : null;
    const result = await compactCommit(repository, { ref, commit }, { reachable: filter, dryRun: options.dryRun });
    compacted.push(result.compacted);
    if (result.to !== null) moves.push({ ref, from: commit, to: result.to });
  }
  await moveAll(remote, moves);
  const memory = new RemoteMemory(repository);
  for (const { ref, to } of moves) {
    await repository.git.run(['update-ref', '--no-deref', trackingRef(name, ref), to as string]);
    // The tracking ref counts as united: its records were fetched above, and those dropped from it are not needed.
    memory.setUnited(trackingRef(name, ref), to as string);
  }
  return compacted;
}

/**
 * Lists the deletions of a remote's notes refs, with the commits that they point at; of knowledge only on request. Throws what `Remote`
 * throws.
 */
export async function findRemote(
  shared: SharedRepository,
  name: string,
  { profile, knowledge = false, ...options }: RemoteOptions & { profile?: string; knowledge?: boolean } = {},
): Promise<RefMove[]> {
  const remote = new Remote(shared.repository, shared.config, name, options);
  await remote.requireOneAddress();
  const found = await remote.listNotes();
  const moves = [...found].map(([ref, from]): RefMove => ({ ref, from, to: null }));
  // A kind that only a later version knows may be knowledge of the whole team.
  const index = moves.filter(({ ref }) => knowledge || isIndex({ kind: kindOfNotesRef(ref) }));
  return index.filter(({ ref }) => profile === undefined || ref.endsWith(`/${profile}`));
}

/**
 * Deletes refs of the remote, their local tracking refs, and the memory of these. Throws REMOTE_BUSY, REMOTE_DENIED, and what `Remote`
 * throws.
 */
export async function removeRemote(
  shared: SharedRepository,
  name: string,
  moves: readonly RefMove[],
  options: RemoteOptions = {},
): Promise<void> {
  await moveAll(new Remote(shared.repository, shared.config, name, options), moves);
  const gone = new Set(moves.map(({ ref }) => trackingRef(name, ref)));
  for (const { ref } of await listNotesRefs(shared.repository))
    if (gone.has(ref)) await shared.repository.git.run(['update-ref', '--no-deref', '-d', ref]);
  new RemoteMemory(shared.repository).forgetUnited(gone);
}

async function moveAll(remote: Remote, moves: readonly RefMove[]): Promise<void> {
  if (moves.length === 0) return;
  const outcomes = await remote.move(moves);
  for (const { ref } of moves) {
    const outcome = outcomes.find((each) => each.ref === ref);
    const rejection = outcome === undefined ? 'no answer' : outcome.rejection;
    if (rejection === null) continue;
    if (isLostPushRace(rejection)) {
      throw new SocraticodeError('REMOTE_BUSY', `${remote.name} has changed: ${withoutPassword(rejection)}`);
    }
    const code = isDenied(rejection) ? 'REMOTE_DENIED' : 'GIT_FAILED';
    throw new SocraticodeError(code, `${remote.name} refused the push: ${withoutPassword(rejection)}`);
  }
}
