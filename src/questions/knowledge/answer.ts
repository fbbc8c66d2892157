/** Answers `knowledge status`: counts entries by kind, without asking the remote. */
import { groupDigits, visibleLine } from '../../base/printable.js';
import { NOTES_PREFIX } from '../../git/repository.js';
import { KNOWLEDGE_KINDS } from '../../knowledge/kinds.js';
import { countKnowledge } from '../../session/note-counts.js';
import { sharedRepository } from '../../session/records/bring-records.js';
import { KNOWLEDGE } from '../../share/notes-refs.js';
import { chooseRemote, compare } from '../../share/pull.js';
import type { Asker } from '../asker.js';
import { formatCount } from '../format.js';
import type { KnowledgeStatus, KnowledgeStatusValues } from './question.js';

type Counts = KnowledgeStatus['kinds'][number];

/** Throws NO_REMOTE for an unknown remote. */
export async function answerKnowledgeStatus(
  { session }: Asker,
  values: KnowledgeStatusValues,
): Promise<KnowledgeStatus> {
  const shared = sharedRepository(session);
  const choosing = chooseRemote(shared, values.remote, 'fetch');
  const remote = values.remote === undefined ? await choosing.catch(() => null) : await choosing;
  const kinds = new Map<string, Counts>();
  const countsOf = (kind: string): Counts => {
    const counts = kinds.get(kind) ?? { kind, shared: 0, own: 0, ahead: 0, behind: 0 };
    kinds.set(kind, counts);
    return counts;
  };
  for (const { kind, shared: sent, own } of await countKnowledge(session))
    Object.assign(countsOf(kind), { shared: sent, own });
  for (const { ref, ahead, behind } of remote === null ? [] : await compare(shared, remote, KNOWLEDGE)) {
    const counts = countsOf(ref.slice(NOTES_PREFIX.length + 1).split('/')[0]);
    counts.ahead += ahead;
    counts.behind += behind;
  }
  const known = [...kinds.values()].sort((a, b) => KNOWLEDGE_KINDS.indexOf(a.kind) - KNOWLEDGE_KINDS.indexOf(b.kind));
  return { schemaVersion: 1, remote, kinds: known };
}

export function knowledgeStatusText({ remote, kinds }: KnowledgeStatus): string {
  if (kinds.length === 0) return 'nobody has written anything yet\n';
  const lines = kinds.map(({ kind, shared, own, ahead, behind }) => {
    const here = `${formatCount(shared, 'shared entry', 'shared entries')}, ${groupDigits(own)} only in this clone`;
    const there = remote === null ? '' : `; ${groupDigits(ahead)} to push, ${groupDigits(behind)} to pull`;
    return `${kind}: ${here}${there}`;
  });
  if (remote !== null) lines.push(`compared with ${visibleLine(remote)} as of the last fetch`);
  return `${lines.join('\n')}\n`;
}
