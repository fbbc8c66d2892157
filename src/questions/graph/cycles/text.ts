/** Text of the circles: of each group a shortest way round. */
import { visibleLine } from '../../../base/hygiene.js';
import { formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import { at, more } from '../text-parts.js';
import type { Cycle, GraphCyclesResponse } from './output.js';

export function cyclesText(response: GraphCyclesResponse, { pen }: { pen: Pen }): string {
  const { of, count, involved, cycles } = response;
  const what = of === 'files' ? 'file' : 'function';
  if (count === 0) return `${pen.dim(`no ${what}s ${of === 'files' ? 'import' : 'call'} each other in circles`)}\n`;
  const head = `${formatCount(count, 'group')} of ${what}s that reach each other, ${formatCount(involved, what)} in all`;
  const blocks = cycles.list.map((cycle) => ['', ...cycleLines(cycle, what, pen)].join('\n'));
  return `${[head, ...blocks, ...more(cycles.leftOut, pen)].join('\n')}\n`;
}

function cycleLines({ size, shortest }: Cycle, what: string, pen: Pen): string[] {
  const group = `${formatCount(size, what)}${size > shortest.length ? `, a shortest circle has ${shortest.length}` : ''}`;
  const steps = shortest.map(({ path, symbol, line, use }) => {
    const name = symbol === null ? '' : `  ${pen.symbol(visibleLine(symbol))}`;
    const how = use === 'import' || use === 'call' ? '' : pen.dim(`  ${use}`);
    return `  ${at(path, line, pen)}${name}${how}`;
  });
  const [first] = shortest;
  const back = first === undefined || shortest.length < 2 ? '' : visibleLine(first.symbol ?? first.path);
  const calls = shortest.length === 1 ? [pen.dim('  calls itself')] : [pen.dim(`  back to ${back}`)];
  return [group, ...steps, ...calls];
}
