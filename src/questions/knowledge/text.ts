/** Text of `knowledge status`. */
import { groupDigits } from '../../base/digits.js';
import { visibleLine } from '../../base/hygiene.js';
import { formatCount } from '../writing/format.js';
import type { KnowledgeStatus } from './output.js';

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
