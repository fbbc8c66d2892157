/** What `graph visualize` says of the file it wrote. */
import { visibleLine } from '../../base/hygiene.js';
import type { GraphVisualizeReport } from '../../engine/contract.js';

export function renderVisualize({
  output,
  view,
  bytes,
  nodes,
  edges,
  total,
  unlinked,
  format,
}: GraphVisualizeReport): string {
  const what = view === 'files' ? 'files' : 'symbols';
  const all = `${total.toLocaleString('en')} ${what}`;
  const drawn = `${nodes.toLocaleString('en')} nodes and ${edges.toLocaleString('en')} links`;
  const left = unlinked > 0 ? `; ${unlinked.toLocaleString('en')} without links are left out` : '';
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  return [
    `wrote ${visibleLine(output ?? '')} (${size}): ${all} as ${drawn}${format === 'html' ? ' at first' : ''}${left}`,
    ...(format === 'html' ? ['  one file that needs no network: open it in a browser'] : []),
    '',
  ].join('\n');
}
