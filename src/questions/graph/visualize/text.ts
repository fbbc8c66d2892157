/** What `graph visualize` says of the file it wrote, or the text of the picture itself. */
import { visibleLine, visibleText } from '../../../base/hygiene.js';
import type { GraphVisualizeReport } from '../../../engine/contract.js';

/** The picture where it is text, else where it was written. */
export function visiblePicture(report: GraphVisualizeReport): string {
  const { picture } = report;
  if (picture === undefined) return renderVisualize(report);
  return `${visibleText(picture).trimEnd()}\n\n${drawnText(report)}\n`;
}

export function renderVisualize(report: GraphVisualizeReport): string {
  const { output, bytes, format } = report;
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  return [
    `wrote ${visibleLine(output ?? '')} (${size}): ${drawnText(report)}`,
    ...(format === 'html' ? ['  one file that needs no network: open it in a browser'] : []),
    '',
  ].join('\n');
}

function drawnText({ view, nodes, edges, total, unlinked, format }: GraphVisualizeReport): string {
  const all = `${total.toLocaleString('en')} ${view === 'files' ? 'files' : 'symbols'}`;
  const drawn = `${nodes.toLocaleString('en')} nodes and ${edges.toLocaleString('en')} links`;
  const left = unlinked > 0 ? `; ${unlinked.toLocaleString('en')} without links are left out` : '';
  return `${all} as ${drawn}${format === 'html' ? ' at first' : ''}${left}`;
}
