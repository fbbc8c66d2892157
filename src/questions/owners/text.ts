/** Text of owners: a line for each author, with the numbers that the order comes from. */
import { visibleLine } from '../../base/hygiene.js';
import { more, percent } from '../graph/text-parts.js';
import { dateText, formatCount, windowLines } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { OwnersDocument } from './output.js';

export function ownersText({ paths, files, changes, owners, window }: OwnersDocument, { pen }: { pen: Pen }): string {
  const what = paths.length === 0 ? 'this repository' : paths.map(visibleLine).join(', ');
  const of = files === 1 ? '' : ` (${formatCount(files, 'file')})`;
  const lines = [`${pen.path(what)}${of} changed in ${formatCount(changes, 'commit')}`];
  for (const { author, share, commits, last } of owners.list) {
    const numbers = `${formatCount(commits, 'commit')}, last ${dateText(last)}`;
    lines.push(`  ${percent(share).padStart(4)}  ${visibleLine(author)}  ${pen.dim(numbers)}`);
  }
  lines.push(...more(owners.leftOut, pen), ...windowLines(window, pen));
  return `${lines.join('\n')}\n`;
}
