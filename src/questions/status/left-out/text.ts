/** Text of `status --left-out`: a paragraph for each rule, with its files. */
import { groupDigits } from '../../../base/digits.js';
import { visibleLine } from '../../../base/hygiene.js';
import { reasonText } from '../../explain/text.js';
import { formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import type { LeftOutResponse } from './output.js';

export function leftOutText({ below, total, leftOut, groups }: LeftOutResponse, { pen }: { pen: Pen }): string {
  const where = below === '' ? '' : ` below ${visibleLine(below)}`;
  const head = `${groupDigits(leftOut)} of ${formatCount(total, 'file')}${where} not indexed\n`;
  const parts = groups.map(({ reason, rule, count, paths, next }) => {
    const more = count - paths.length;
    const lines = [
      `${formatCount(count, 'file')}: ${reasonText(reason, rule)}`,
      ...paths.map((path) => `  ${pen.path(visibleLine(path))}`),
      ...(more > 0 ? [`  (+${groupDigits(more)} more)`] : []),
      ...(next === null ? [] : [pen.dim(`  next: ${visibleLine(next)}`)]),
    ];
    return lines.map((line, i) => (i === 0 ? visibleLine(line) : line)).join('\n');
  });
  return [head, ...parts].join('\n').concat(parts.length > 0 ? '\n' : '');
}
