/** Text of the candidates that an ambiguous name may mean, and how to pick one. */
import { visibleLine } from '../../../base/hygiene.js';
import { formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import { count, more, placeText } from '../text-parts.js';
import type { GraphCandidates } from './output.js';

export function candidatesText({ target, candidates }: GraphCandidates, { pen }: { pen: Pen }): string {
  const files = candidates.list.every(({ symbol }) => symbol === null);
  const lines = candidates.list.map((each) => {
    const uses = each.uses === 0 ? 'no uses' : formatCount(each.uses, 'use');
    return `  ${placeText(each, pen)}  ${pen.dim(`${each.exported ? 'exported, ' : ''}${uses}`)}`;
  });
  const head = `${visibleLine(target)} is ambiguous: ${formatCount(count(candidates, pen), files ? 'file' : 'definition')}`;
  const [first] = candidates.list;
  const pick = first === undefined ? [] : ['', pen.dim(`pick one with its place: ${visibleLine(first.pick)}`)];
  const byFile = first === undefined || files ? [] : [pen.dim(pen.words.byFile)];
  return `${[head, ...lines, ...more(candidates.leftOut, pen), ...pick, ...byFile].join('\n')}\n`;
}
