/** Text of a list of symbols, below the files that define them. */
import { visibleLine } from '../../../base/hygiene.js';
import { formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import { more } from '../text-parts.js';
import type { GraphSymbolsResponse } from './output.js';

export function symbolsText({ total, symbols, suggestions = [] }: GraphSymbolsResponse, { pen }: { pen: Pen }): string {
  if (total === 0) {
    const hint = suggestions.length === 0 ? [] : [`did you mean ${suggestions.map(visibleLine).join(', ')}?`];
    return `${['no symbols', ...hint].map((line) => pen.dim(line)).join('\n')}\n`;
  }
  const lines: string[] = [];
  let path = '';
  for (const { path: file, symbol, kind, exported, startLine, endLine, uses } of symbols.list) {
    if (file !== path) lines.push(pen.path(visibleLine(file)));
    path = file;
    const range = pen.line(endLine > startLine ? `${startLine}-${endLine}` : String(startLine));
    const told = [kind, ...(exported ? ['exported'] : []), ...(uses > 0 ? [formatCount(uses, 'use')] : [])];
    lines.push(`  ${range} ${pen.symbol(visibleLine(symbol ?? ''))}  ${pen.dim(told.join(', '))}`);
  }
  return `${[...lines, ...more(symbols.leftOut, pen)].join('\n')}\n`;
}
