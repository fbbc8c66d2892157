/** Text of owners: a line for each author, with the numbers that the order comes from. */
import { visibleLine } from '../../base/hygiene.js';
import { more, percent } from '../graph/text-parts.js';
import { dateText, formatCount, windowLines } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { OwnersDocument } from './output.js';

export function ownersText(
  { paths, method, files, unread = 0, missing = 0, changes, owners, window }: OwnersDocument,
  { pen }: { pen: Pen },
): string {
  const what = paths.length === 0 ? 'this repository' : paths.map(visibleLine).join(', ');
  const of = files === 1 ? '' : ` (${formatCount(files, 'file')})`;
  const how =
    method === 'lines' ? ': who wrote the lines that stand there' : ` changed in ${formatCount(changes, 'commit')}`;
  const lines = [`${pen.path(what)}${of}${how}`];
  for (const { author, share, lines: own, commits, last } of owners.list) {
    const wrote = own === undefined ? '' : `${formatCount(own, 'line')}, `;
    const numbers = `${wrote}${formatCount(commits, 'commit')}, last ${dateText(last)}`;
    lines.push(`  ${percent(share).padStart(4)}  ${visibleLine(author)}  ${pen.dim(numbers)}`);
  }
  // Lines are followed beyond the window, to the end of the history.
  const isWindowed = method === 'commits' || window.end === 'shallow';
  if (unread > 0) lines.push(pen.dim(`${formatCount(unread, 'file')} not read: only the 50 files that changed most`));
  if (missing > 0) lines.push(pen.dim(`${formatCount(missing, 'file')} not read: older versions are missing here`));
  lines.push(...more(owners.leftOut, pen), ...(isWindowed ? windowLines(window, pen, method === 'commits') : []));
  return `${lines.join('\n')}\n`;
}
