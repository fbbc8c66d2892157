/** How many records a notes ref holds, and what they weigh. */
import { listNotes } from '../git/notes.js';
import type { RecordStore } from '../record/store.js';
import type { Session } from './session.js';

export interface NotesState {
  ref: string;
  commit: string | null;
  targets: Map<string, string>;
  packedBytes: number;
}

/** Packed bytes are what the notes' blobs take in the object store (trees and commits add a few per cent). */
export async function readNotes(
  session: Session,
  store: Pick<RecordStore<unknown>, 'ref' | 'readTip'>,
): Promise<NotesState> {
  const { ref } = store;
  const commit = await store.readTip();
  if (commit === null) return { ref, commit, targets: new Map(), packedBytes: 0 };
  const { git } = session.repository;
  const { notes } = await listNotes(git, commit);
  const { stdout } = await git.run(['cat-file', '--batch-check=%(objectsize:disk)'], {
    input: `${[...notes.values()].join('\n')}\n`,
  });
  const packedBytes = stdout
    .toString('latin1')
    .split('\n')
    .reduce((sum, line) => sum + (Number(line) || 0), 0);
  return { ref, commit, targets: notes, packedBytes };
}

export function describeNotes({ ref, commit, targets, packedBytes }: NotesState) {
  return { ref, commit, records: targets.size, packedBytes };
}
