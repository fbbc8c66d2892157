/** Text of the state of a graph. */
import { visibleLine } from '../../../base/hygiene.js';
import { formatBytes, formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import { sharesText } from '../stats/text.js';
import { percent } from '../text-parts.js';
import type { GraphStatus } from './output.js';

const LABEL_WIDTH = 8;

export function graphStatusText(
  { state, graph, building, cache, version }: GraphStatus,
  { pen }: { pen: Pen },
): string {
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
    if (graph.compiled > 0) size.push(`a compiler told about ${formatCount(graph.compiled, 'file')}`);
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

/** Adds that linking goes on, where the wait was too short for it. */
export function graphBuildText(document: GraphStatus, writing: { pen: Pen }): string {
  const text = graphStatusText(document, writing);
  if (document.state !== 'building') return text;
  return `${text}it goes on in the background; questions wait for it or link what they lack\n`;
}
