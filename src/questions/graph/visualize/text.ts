/** Text of a picture, or of the file that it was written to. */
import { groupDigits } from '../../../base/digits.js';
import { safeJson, visibleLine, visibleText } from '../../../base/hygiene.js';
import type { GraphPicture, GraphVisualizeReport } from './output.js';
import type { VisualizeValues } from './question.js';

/** On the command line the picture as programs read it; agents are told its size as well. */
export function visualizeText(
  document: GraphVisualizeReport | GraphPicture,
  { isCommand, values: { open } }: { isCommand: boolean; values: VisualizeValues },
): string {
  if ('leftOut' in document) return `${safeJson(document)}\n`;
  const { picture } = document;
  if (isCommand) return picture ?? writtenText(document);
  const text =
    picture === undefined ? writtenText(document) : `${visibleText(picture).trimEnd()}\n\n${drawnText(document)}\n`;
  return open ? `${text}nothing was opened: a server starts no browser\n` : text;
}

function writtenText(report: GraphVisualizeReport): string {
  const { output, bytes, format } = report;
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  return [
    `wrote ${visibleLine(output ?? '')} (${size}): ${drawnText(report)}`,
    ...(format === 'html' ? ['  one file that needs no network: open it in a browser'] : []),
    '',
  ].join('\n');
}

function drawnText({ view, nodes, edges, total, unlinked, format }: GraphVisualizeReport): string {
  const all = `${groupDigits(total)} ${view === 'symbols' ? 'symbols' : 'files'}`;
  const drawn = `${groupDigits(nodes)} nodes and ${groupDigits(edges)} links`;
  const what = view === 'folders' ? 'tests, examples and generated ones' : 'without links';
  const left = unlinked > 0 ? `; ${groupDigits(unlinked)} ${what} are left out` : '';
  return `${all} as ${drawn}${format === 'html' ? ' at first' : ''}${left}`;
}
