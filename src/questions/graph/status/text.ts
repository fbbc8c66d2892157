/** What `graph status` and `graph remove` say. */
import { visibleLine } from '../../../base/hygiene.js';
import type { GraphRemoveReport, GraphStatus } from '../../../engine/contract.js';
import { sharesText } from '../stats/text.js';
import { percent } from '../text-parts.js';
import { formatBytes, formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';

const LABEL_WIDTH = 8;

export function renderGraphStatus({ state, graph, building, cache, version }: GraphStatus, pen: Pen): string {
  const rows: [string, string][] = [['state', STATES[state]]];
  if (building !== null) {
    const share = building.total === null || building.total === 0 ? '' : ` ${percent(building.done / building.total)}`;
    rows.push(['phase', `${building.phase}${share}`]);
  }
  if (graph !== null) {
    const size = [
      formatCount(graph.files, 'file'),
      formatCount(graph.symbols, 'symbol'),
      formatCount(graph.edges, 'edge'),
    ];
    rows.push(['graph', size.join(', ')], ['imports', sharesText(graph.imports)], ['calls', sharesText(graph.calls)]);
  }
  rows.push(['cache', `${formatCount(cache.files, 'file')}, ${formatBytes(cache.bytes)}; link version ${version}`]);
  return `${rows.map(([label, text]) => `${pen.dim(label.padEnd(LABEL_WIDTH))} ${visibleLine(text)}`).join('\n')}\n`;
}

const STATES: Readonly<Record<GraphStatus['state'], string>> = {
  linked: 'linked',
  building: 'BUILDING',
  none: 'not linked yet: the next question about it links it',
};

export function renderGraphRemove({ removed }: GraphRemoveReport): string {
  if (removed.files === 0) return 'no linked graphs are kept here\n';
  const what = formatCount(removed.files, 'file');
  return `deleted the linked graphs: ${what}, ${formatBytes(removed.bytes)}; the next question links again\n`;
}
