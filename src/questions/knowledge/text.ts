/** Text of `knowledge status`. */
import { visibleLine } from '../../base/hygiene.js';
import { formatCount } from '../writing/format.js';
import type { KnowledgeStatus } from './output.js';

export function knowledgeStatusText({ remote, kinds }: KnowledgeStatus): string {
  if (kinds.length === 0) return 'nobody has written anything yet\n';
  const lines = kinds.map(({ kind, shared, own, ahead, behind }) => {
    const here = `${formatCount(shared, 'shared entry', 'shared entries')}, ${own.toLocaleString('en')} only in this clone`;
    const there =
      remote === null ? '' : `; ${ahead.toLocaleString('en')} to push, ${behind.toLocaleString('en')} to pull`;
    return `${kind}: ${here}${there}`;
  });
  if (remote !== null) lines.push(`compared with ${visibleLine(remote)} as of the last fetch`);
  return `${lines.join('\n')}\n`;
}
