/** Counts what people and agents have written, by kind, from the refs alone. */
import { listNotes } from '../../git/notes.js';
import { KNOWLEDGE_KINDS, PRIVATE_PREFIX } from '../../knowledge/kinds.js';
import { listNotesRefs } from '../../share/notes-refs.js';
import type { Session } from '../session.js';

export interface KnowledgeCount {
  kind: string;
  /** Entries that pushes send, and those that stay in this clone. */
  shared: number;
  own: number;
  /** Refs that hold them: a task has one of its own. */
  sets: number;
}

/** Kinds of which there are entries. One git, and one more for each ref. */
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
