/** Text of coupling: a line for each file, with the counts that it is believed for. */
import { groupDigits } from '../../base/digits.js';
import { visibleLine } from '../../base/hygiene.js';
import { coupledText } from '../graph/impact/sides/text.js';
import { more } from '../graph/text-parts.js';
import { formatCount, windowLines } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { CouplingDocument } from './output.js';

export function couplingText(document: CouplingDocument, { pen }: { pen: Pen }): string {
  const { target, files, changes, coupled, window } = document;
  if (target === '' && files === 0) return 'nothing is uncommitted\n';
  const what = target === '' ? 'the uncommitted changes' : visibleLine(target);
  const of = files === 1 ? '' : ` (${formatCount(files, 'file')})`;
  const file = document.symbols === undefined ? '' : ': its file';
  const lines = [`${pen.symbol(what)}${of}${file} changed in ${formatCount(changes, 'commit')}`];
  const { symbols = { list: [], leftOut: 0 } } = document;
  if (symbols.list.length > 0) lines.push('symbols that usually also change:');
  for (const one of symbols.list) {
    const place = `${pen.path(visibleLine(one.path))}  ${pen.symbol(visibleLine(one.symbol))}`;
    lines.push(`  ${place}  ${pen.dim(counts(one))}`);
  }
  lines.push(...more(symbols.leftOut, pen));
  if (coupled.list.length > 0)
    lines.push(document.symbols === undefined ? 'usually also changes:' : 'with its file usually also changes:');
  else if (symbols.list.length === 0)
    lines.push(changes === 0 ? 'no commit tells what changes with it' : 'nothing else usually changes with it');
  for (const one of coupled.list) {
    const told = files === 1 ? counts(one) : coupledText(one);
    lines.push(`  ${pen.path(visibleLine(one.path))}  ${pen.dim(told)}`);
  }
  lines.push(...more(coupled.leftOut, pen), ...windowLines(window, pen));
  return `${lines.join('\n')}\n`;
}

/** `in 7 of 9 commits` */
const counts = ({ together, of }: Pick<CouplingDocument['coupled']['list'][number], 'together' | 'of'>): string =>
  `in ${groupDigits(together)} of ${formatCount(of, 'commit')}`;
