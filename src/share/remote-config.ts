/** Adds and removes, in the repository's configuration, the refspec that makes a plain `git fetch` bring the notes. */
import { NOTES_PREFIX } from '../git/repository.js';
import { notesBeyond } from '../git/unite.js';
import { conflictPolicyOf } from './conflict-policy.js';
import { type NotesSelector, type SharedRepository, selectNotesRefs, trackingRefspec } from './remotes.js';

interface NotesFetchConfig {
  enabled: boolean;
  refspec: string;
  /**
   * True if `git fetch` overwrites the local notes refs, as in a mirror: each fetch then loses records not yet pushed.
   */
  isMirrored: boolean;
}

export function readNotesFetchConfig({ config }: Pick<SharedRepository, 'config'>, remote: string): NotesFetchConfig {
  const specs = config.filter(({ key }) => key === `remote.${remote}.fetch`).map(({ value }) => value);
  const refspec = trackingRefspec(remote);
  const isMirrored = specs.some(mapsOntoNotes);
  return { enabled: isMirrored || specs.includes(refspec), refspec, isMirrored };
}

/** Does a refspec write local notes refs, as `+refs/*:refs/*` and `refs/notes/*:refs/notes/*` do? */
function mapsOntoNotes(spec: string): boolean {
  const target = spec.split(':')[1] ?? '';
  const start = target.replace(/\*.*$/s, '');
  if (start === target) return target.startsWith(`${NOTES_PREFIX}/`);
  return start !== '' && (`${NOTES_PREFIX}/`.startsWith(start) || start.startsWith(`${NOTES_PREFIX}/`));
}

/** Adds the refspec and keeps those already configured. Returns false if it was there. Throws GIT_FAILED. */
export async function enable(shared: SharedRepository, remote: string): Promise<boolean> {
  const { enabled, refspec } = readNotesFetchConfig(shared, remote);
  if (enabled) return false;
  await shared.repository.git.run(['config', '--local', '--add', `remote.${remote}.fetch`, refspec]);
  return true;
}

/** Removes only the refspec that `enable` added. Returns false if it was not configured. */
export async function disable(shared: SharedRepository, remote: string): Promise<boolean> {
  const refspec = trackingRefspec(remote);
  const key = `remote.${remote}.fetch`;
  if (!shared.config.some((entry) => entry.key === key && entry.value === refspec)) return false;
  await shared.repository.git.run(['config', '--local', '--fixed-value', '--unset-all', key, refspec]);
  return true;
}

/** Difference between a local notes ref and the remote's, as last fetched. */
interface Comparison {
  ref: string;
  /** Records that only the local ref has, or that win over the remote's. */
  ahead: number;
  /** Records that only the remote has, or that win over the local ones. */
  behind: number;
  hasLocal: boolean;
  hasRemote: boolean;
}

/** Compares the local notes with the tracking refs of a remote, without network access. */
export async function compare(
  { repository }: SharedRepository,
  remote: string,
  selectors: readonly NotesSelector[],
): Promise<Comparison[]> {
  const local = await selectNotesRefs(repository, selectors);
  const tracked = await selectNotesRefs(repository, selectors, remote);
  const refs = [...new Set([...local.keys(), ...tracked.keys()])].sort();
  const compared: Comparison[] = [];
  for (const ref of refs) {
    const [ours, theirs] = [local.get(ref) ?? null, tracked.get(ref) ?? null];
    const ahead = (await notesBeyond(repository.git, theirs, ours, await conflictPolicyOf(ref))).notes.size;
    const behind = (await notesBeyond(repository.git, ours, theirs, await conflictPolicyOf(ref))).notes.size;
    compared.push({ ref, ahead, behind, hasLocal: ours !== null, hasRemote: theirs !== null });
  }
  return compared;
}
