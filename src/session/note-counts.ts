/** Counts the contents of notes refs: records with their packed size, and entries of knowledge by kind. */
import { remember } from '../base/cache.js';
import { listNotes } from '../git/notes.js';
import { KNOWLEDGE_KINDS, PRIVATE_PREFIX } from '../knowledge/kinds.js';
import type { RecordStore } from '../record/store.js';
import { listNotesRefs } from '../share/notes-refs.js';
import type { Session } from './session.js';

interface NotesState {
  ref: string;
  commit: string | null;
  targets: Map<string, string>;
  packedBytes: number;
}

/** Counts by commit of the notes ref, whose tree never changes. */
const COUNTED = new WeakMap<Session, Map<string, NotesState>>();
const MAX_CACHED = 4;

/** Counts the bytes of the notes' blobs in the object store. Trees and commits add a few per cent. */
export async function readNotes(
  session: Session,
  store: Pick<RecordStore<unknown>, 'ref' | 'readTip'>,
): Promise<NotesState> {
  const { ref } = store;
  const commit = await store.readTip();
  if (commit === null) return { ref, commit, targets: new Map(), packedBytes: 0 };
  const counted = COUNTED.get(session) ?? new Map<string, NotesState>();
  COUNTED.set(session, counted);
  const key = `${ref} ${commit}`;
  const state = counted.get(key) ?? (await countNotes(session, ref, commit));
  remember(counted, key, state, MAX_CACHED);
  return state;
}

async function countNotes(session: Session, ref: string, commit: string): Promise<NotesState> {
  const { git } = session.repository;
  const { notes } = await listNotes(git, commit);
  // Sorted: git looks into each pack for an object, and the first index of 100,000 files leaves 400 packs.
  const { stdout } = await git.run(['cat-file', '--batch-check=%(objectsize:disk)'], {
    input: `${[...notes.values()].sort().join('\n')}\n`,
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

export interface KnowledgeCount {
  kind: string;
  /** Entries that pushes send. `own`: entries that stay in this clone. */
  shared: number;
  own: number;
  /** Refs with entries: each task has its own. */
  sets: number;
}

/** Counts the entries of each kind that has some. Starts one git, and one more for each ref. */
export async function countKnowledge({ repository }: Session): Promise<KnowledgeCount[]> {
  const counts = new Map<string, KnowledgeCount>();
  for (const { ref, commit, kind, isKnowledge, remote } of await listNotesRefs(repository, { own: true })) {
    if (!isKnowledge || remote !== null) continue;
    const { notes } = await listNotes(repository.git, commit);
    const count = counts.get(kind) ?? { kind, shared: 0, own: 0, sets: 0 };
    count[ref.startsWith(`${PRIVATE_PREFIX}/`) ? 'own' : 'shared'] += notes.size;
    count.sets++;
    counts.set(kind, count);
  }
  return [...counts.values()].sort((a, b) => KNOWLEDGE_KINDS.indexOf(a.kind) - KNOWLEDGE_KINDS.indexOf(b.kind));
}
