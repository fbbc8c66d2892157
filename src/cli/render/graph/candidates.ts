/** What is said where a name means several things: which, and how to pick one. */
import { visibleLine } from '../../../base/hygiene.js';
import type { GraphCandidates } from '../../../engine/contract.js';
import type { Io } from '../../io.js';
import { createColors } from '../colors.js';
import { formatCount } from '../format.js';
import { more, placeText, renderFooter, total } from './parts.js';

export function renderCandidates(answer: GraphCandidates, io: Io): string {
  const colors = createColors(io);
  const { target, candidates } = answer;
  const files = candidates.list.every(({ symbol }) => symbol === null);
  const lines = candidates.list.map((each) => {
    const uses = each.uses === 0 ? 'no uses' : formatCount(each.uses, 'use');
    return `  ${placeText(each, colors)}  ${colors.dim(`${each.exported ? 'exported, ' : ''}${uses}`)}`;
  });
  const head = `${visibleLine(target)} is ambiguous: ${formatCount(total(candidates), files ? 'file' : 'definition')}`;
  const [first] = candidates.list;
  const pick = first === undefined ? [] : ['', colors.dim(`pick one with its place: ${visibleLine(first.pick)}`)];
  const byFile = first === undefined || files ? [] : [colors.dim('or with --file PATH')];
  return `${[head, ...lines, ...more(candidates.leftOut, colors), ...pick, ...byFile].join('\n')}\n${renderFooter(answer, colors)}`;
}
