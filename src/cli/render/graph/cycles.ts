/** What `graph cycles` says. */
import { visibleLine } from '../../../base/hygiene.js';
import type { GraphCyclesResponse } from '../../../engine/contract.js';
import type { Colors } from '../colors.js';
import { formatCount } from '../format.js';
import { at, more } from './parts.js';

type Cycle = GraphCyclesResponse['cycles']['list'][number];

export function renderCycles(response: GraphCyclesResponse, colors: Colors): string {
  const { of, count, involved, cycles } = response;
  const what = of === 'files' ? 'file' : 'function';
  if (count === 0) return `${colors.dim(`no ${what}s ${of === 'files' ? 'import' : 'call'} each other in circles`)}\n`;
  const head = `${formatCount(count, 'group')} of ${what}s that reach each other, ${formatCount(involved, what)} in all`;
  const blocks = cycles.list.map((cycle) => ['', ...cycleLines(cycle, what, colors)].join('\n'));
  return `${[head, ...blocks, ...more(cycles.leftOut, colors)].join('\n')}\n`;
}

function cycleLines({ size, shortest }: Cycle, what: string, colors: Colors): string[] {
  const group = `${formatCount(size, what)}${size > shortest.length ? `, a shortest circle has ${shortest.length}` : ''}`;
  const steps = shortest.map(({ path, symbol, line, use }) => {
    const name = symbol === null ? '' : `  ${colors.symbol(visibleLine(symbol))}`;
    const how = use === 'import' || use === 'call' ? '' : colors.dim(`  ${use}`);
    return `  ${at(path, line, colors)}${name}${how}`;
  });
  const [first] = shortest;
  const back = first === undefined || shortest.length < 2 ? '' : visibleLine(first.symbol ?? first.path);
  const calls = shortest.length === 1 ? [colors.dim('  calls itself')] : [colors.dim(`  back to ${back}`)];
  return [group, ...steps, ...calls];
}
