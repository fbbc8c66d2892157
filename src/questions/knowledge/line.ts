/** One line about what people and agents have written, for pages about a repository. */
import { TASKS_KIND } from '../../knowledge/kinds.js';
import type { KnowledgeCount } from '../../session/knowledge/count.js';
import { formatCount } from '../writing/format.js';

/** `notes: 12 shared, 3 only in this clone; tasks: 2 in 41 operations`; '' where there is nothing. */
export const knowledgeLine = (counts: readonly KnowledgeCount[]): string => counts.map(kindText).join('; ');

function kindText({ kind, shared, own, sets }: KnowledgeCount): string {
  if (kind === TASKS_KIND) return `${kind}: ${sets.toLocaleString('en')} in ${formatCount(shared + own, 'operation')}`;
  const here = own === 0 ? '' : `${shared === 0 ? '' : ', '}${own.toLocaleString('en')} only in this clone`;
  return `${kind}: ${shared === 0 ? '' : `${shared.toLocaleString('en')} shared`}${here}`;
}
