/** `compact` and `remove` on a remote: refs are replaced only while they are what was looked at. */
import { SocraticodeError } from '../base/errors.js';
import { withoutPassword } from '../base/hygiene.js';
import type { RefMove } from '../git/notes-history.js';
import type { ObjectReader } from '../git/objects.js';
import { Remote, type RemoteOptions } from '../git/remote.js';
import { isDenied, isLostPushRace } from '../git/remote-failure.js';
import { type Compacted, compactCommit } from './compact.js';
import { listNotesRefs } from './notes-refs.js';
import { fetchNotes } from './pull.js';
import { reachableBlobs } from './reachable.js';
import { RemoteMemory } from './remote-memory.js';
import { type NotesSelector, type SharedRepository, trackingRef } from './remotes.js';

/**
 * Compacts the remote's notes to one commit each, with the records of blobs that its branches and tags reach. The local
 * notes stay as they are. Throws BAD_ARGUMENT where commits of the remote are not here, REMOTE_BUSY if somebody pushed
 * meanwhile, REMOTE_DENIED, and what `Remote` throws.
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
    throw new SocraticodeError('BAD_ARGUMENT', `${name} has commits that are not here, so what they reach is unknown`, {
      hint: `git fetch ${name}`,
    });
  }
  const reachable = (targets: Iterable<string>) => reachableBlobs(repository.git, tips, targets);
  const compacted: Compacted[] = [];
  const moves: RefMove[] = [];
  for (const [ref, commit] of tracked) {
    const result = await compactCommit(repository, { ref, commit }, { reachable, dryRun: options.dryRun });
    compacted.push(result.compacted);
    if (result.to !== null) moves.push({ ref, from: commit, to: result.to });
  }
  await moveAll(remote, moves);
  const memory = new RemoteMemory(repository);
  for (const { ref, to } of moves) {
    await repository.git.run(['update-ref', '--no-deref', trackingRef(name, ref), to as string]);
    // What was left out there is known here, or of no use here.
    memory.setUnited(trackingRef(name, ref), to as string);
  }
  return compacted;
}

/** Notes refs of the remote that would be deleted, with what they point at. Throws what `Remote` throws. */
export async function findRemote(
  shared: SharedRepository,
  name: string,
  profile?: string,
  options: RemoteOptions = {},
): Promise<RefMove[]> {
  const remote = new Remote(shared.repository, shared.config, name, options);
  await remote.requireOneAddress();
  const found = await remote.listNotes();
  const moves = [...found].map(([ref, from]): RefMove => ({ ref, from, to: null }));
  return moves.filter(({ ref }) => profile === undefined || ref.endsWith(`/${profile}`));
}

/** Deletes refs of the remote, and what is tracked of them. Throws REMOTE_BUSY, REMOTE_DENIED, and what `Remote` throws. */
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
