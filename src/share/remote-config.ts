/** The refspec that lets a plain `git fetch` bring the index, in the repository's own configuration. */
import { NOTES_PREFIX } from '../git/notes.js';
import { notesBeyond } from '../git/unite.js';
import { conflictPolicyOf } from './conflict-policy.js';
import { type NotesSelector, type SharedRepository, selectNotesRefs, trackingRefspec } from './remotes.js';

interface NotesFetchConfig {
  enabled: boolean;
  refspec: string;
  /** `git fetch` maps the remote's notes onto the local ones, as in a mirror: what was not pushed is lost by it. */
  isMirrored: boolean;
}

export function readNotesFetchConfig({ config }: Pick<SharedRepository, 'config'>, remote: string): NotesFetchConfig {
  const specs = config.filter(({ key }) => key === `remote.${remote}.fetch`).map(({ value }) => value);
  const refspec = trackingRefspec(remote);
  const isMirrored = specs.some(mapsOntoNotes);
  return { enabled: isMirrored || specs.includes(refspec), refspec, isMirrored };
}

/** `+refs/*:refs/*`, `refs/notes/*:refs/notes/*` and the like. */
function mapsOntoNotes(spec: string): boolean {
  const target = spec.split(':')[1] ?? '';
  const start = target.replace(/\*.*$/s, '');
  if (start === target) return target.startsWith(`${NOTES_PREFIX}/`);
  return start !== '' && (`${NOTES_PREFIX}/`.startsWith(start) || start.startsWith(`${NOTES_PREFIX}/`));
}

/** Adds the refspec beside whatever is there. Returns false if there was nothing to add. Throws GIT_FAILED. */
export async function enable(shared: SharedRepository, remote: string): Promise<boolean> {
  const { enabled, refspec } = readNotesFetchConfig(shared, remote);
  if (enabled) return false;
  await shared.repository.git.run(['config', '--local', '--add', `remote.${remote}.fetch`, refspec]);
  return true;
}

/** Takes out what `enable` added, and nothing else. */
export async function disable(shared: SharedRepository, remote: string): Promise<boolean> {
  const refspec = trackingRefspec(remote);
  const key = `remote.${remote}.fetch`;
  if (!shared.config.some((entry) => entry.key === key && entry.value === refspec)) return false;
  await shared.repository.git.run(['config', '--local', '--fixed-value', '--unset-all', key, refspec]);
  return true;
}

/** Records of one notes ref, here and as last seen on a remote. */
export interface Comparison {
  ref: string;
  /** Records that only this side has, or has in the better form. */
  ahead: number;
  behind: number;
  hasLocal: boolean;
  hasRemote: boolean;
}

/** Compares the local notes with those tracked of a remote; asks nobody. */
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
    const ahead = (await notesBeyond(repository.git, theirs, ours, conflictPolicyOf(ref))).notes.size;
    const behind = (await notesBeyond(repository.git, ours, theirs, conflictPolicyOf(ref))).notes.size;
    compared.push({ ref, ahead, behind, hasLocal: ours !== null, hasRemote: theirs !== null });
  }
  return compared;
}
