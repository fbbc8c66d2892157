/** Fetches a remote's records into tracking refs, and unites those with the local notes. */
import { isSocraticodeError } from '../base/errors.js';
import { RefLocks } from '../git/crash-recovery.js';
import { Remote, type RemoteOptions } from '../git/remote.js';
import type { Repository } from '../git/repository.js';
import { listMissing } from '../git/snapshot.js';
import { requireDirectBelow } from '../git/symbolic.js';
import { uniteNotes } from '../git/unite.js';
import { isPartialClone } from '../git/worktree.js';
import { conflictPolicyOf } from './conflict-policy.js';
import { RemoteMemory } from './remote-memory.js';
import {
  type NotesRefs,
  type NotesSelector,
  requireNotes,
  type SharedRepository,
  selectNotesRefs,
  selectorRefspec,
  trackingPrefix,
  trackingRef,
} from './remotes.js';

/** Number of records for one notes ref. */
export interface RefCount {
  ref: string;
  records: number;
}

interface Pulled {
  /** Refs of the remote, with the number of records that were new in this repository. */
  refs: RefCount[];
  /** Sum of the new records. */
  received: number;
}

/** Maximum number of objects that one request names. */
const MAX_ASKED = 200_000;

/** Fetches the selected notes refs and unites them with the local ones. Throws what `Remote` and `uniteNotes` throw. */
export async function pullNotes(
  shared: SharedRepository,
  name: string,
  selectors: readonly NotesSelector[],
  options: RemoteOptions = {},
): Promise<Pulled> {
  const tracked = await fetchNotes(shared, name, selectors, options);
  return uniteTracked(shared, name, tracked);
}

/** Updates the tracking refs. Returns the remote's commits by local ref name. */
export async function fetchNotes(
  { repository, config }: SharedRepository,
  name: string,
  selectors: readonly NotesSelector[],
  options: RemoteOptions = {},
): Promise<NotesRefs> {
  const remote = new Remote(repository, config, name, options);
  const [before, local] = [
    await selectNotesRefs(repository, selectors, name),
    await selectNotesRefs(repository, selectors),
  ];
  const known = new Set([...before.values(), ...local.values()]);
  await requireDirectBelow(repository, trackingPrefix(name));
  const refspecs = selectors.map((selector) => selectorRefspec(name, selector));
  const locks = new RefLocks(repository, `${trackingPrefix(name)}/`);
  await whileBusy(() => remote.fetch(refspecs, [...known]), locks, options.signal);
  await requireNotes(repository, name, selectors);
  const tracked = await selectNotesRefs(repository, selectors, name);
  // In a partial clone, a plain `git fetch` may have brought trees without their notes; the remote does not resend
  // those.
  if (isPartialClone(config)) for (const commit of tracked.values()) await completeNotes(repository, remote, commit);
  return tracked;
}

/** Retries while another `git fetch` in this repository writes the same refs. Nothing else gets better by asking again. */
export async function whileBusy(work: () => Promise<void>, locks: RefLocks, signal?: AbortSignal): Promise<void> {
  let busy: unknown;
  const done = await locks.retry(async () => {
    try {
      await work();
      return true;
    } catch (error) {
      if (!isSocraticodeError(error, 'REMOTE_BUSY')) throw error;
      busy = error;
      return undefined;
    }
  }, signal);
  if (done === undefined) throw busy;
}

/** Fetches the notes that a notes tree lists and this partial clone lacks. */
export async function completeNotes(repository: Repository, remote: Remote, commit: string): Promise<void> {
  const missing = await listMissing(repository.git, commit);
  if (missing.length > 0) await remote.fetchObjects(missing.slice(0, MAX_ASKED));
}

/** Unites tracking refs with the local notes, without network access. */
export async function uniteTracked(
  { repository }: SharedRepository,
  name: string,
  tracked: NotesRefs,
): Promise<Pulled> {
  const memory = new RemoteMemory(repository);
  const refs: RefCount[] = [];
  for (const [ref, commit] of tracked) {
    refs.push({ ref, records: await uniteNotes(repository, ref, commit, await conflictPolicyOf(ref)) });
    memory.setUnited(trackingRef(name, ref), commit);
  }
  return { refs, received: refs.reduce((sum, { records }) => sum + records, 0) };
}
