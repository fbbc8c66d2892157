/** Answers `graph cycles`: a shortest circle for each group of files or functions. */
import { findCycles } from '../../../graph/query/statistics.js';
import type { Asker } from '../../asker.js';
import { formatCount } from '../../format.js';
import type { Pen } from '../../pen.js';
import { inside, rows } from '../../view.js';
import { LISTED } from '../graph-question.js';
import { prepareGraph } from '../snapshot-graph.js';
import type { Cycle, CyclesValues, GraphCyclesResponse } from './question.js';

export async function answerCycles(at: Asker, values: CyclesValues): Promise<GraphCyclesResponse> {
  const { graph, header } = await prepareGraph(at, values);
  const { types, symbols, limit = LISTED.cycles } = values;
  return { ...header, ...findCycles(graph, { types, symbols, limit }) };
}

export function cyclesText(response: GraphCyclesResponse, { pen }: { pen: Pen }): string {
  const { of, count, involved, cycles } = response;
  const what = of === 'files' ? 'file' : 'function';
  if (count === 0) return `${pen.dim(`no ${what}s ${of === 'files' ? 'import' : 'call'} each other in circles`)}\n`;
  const head = `${formatCount(count, 'group')} of ${what}s that reach each other, ${formatCount(involved, what)} in all`;
  return `${[head, ...rows(cycles, (cycle) => ['', ...cycleLines(cycle, what, pen)], pen)].join('\n')}\n`;
}

function cycleLines({ size, shortest }: Cycle, what: string, pen: Pen): string[] {
  const group = `${formatCount(size, what)}${size > shortest.length ? `, a shortest circle has ${shortest.length}` : ''}`;
  const steps = shortest.map(({ path, symbol, line, use }) => {
    const how = use === 'import' || use === 'call' ? '' : pen.dim(`  ${use}`);
    return `  ${inside(path, line, symbol, pen)}${how}`;
  });
  const [first] = shortest;
  const back = first === undefined || shortest.length < 2 ? '' : (first.symbol ?? first.path);
  const calls = shortest.length === 1 ? [pen.dim('  calls itself')] : [pen.dim(`  back to ${back}`)];
  return [group, ...steps, ...calls];
}
