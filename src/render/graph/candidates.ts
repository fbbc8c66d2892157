/** What is said where a name means several things: which, and how to pick one. */
import { visibleLine } from '../../base/hygiene.js';
import type { GraphCandidates } from '../../engine/contract.js';
import { formatCount } from '../format.js';
import type { Pen } from '../pen.js';
import { count, more, placeText } from './parts.js';

export function renderCandidates({ target, candidates }: GraphCandidates, pen: Pen): string {
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
