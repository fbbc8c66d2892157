/** What `graph symbols` says. */
import { visibleLine } from '../../../base/hygiene.js';
import type { GraphSymbolsResponse } from '../../../engine/contract.js';
import type { Colors } from '../colors.js';
import { formatCount } from '../format.js';
import { more } from './parts.js';

export function renderSymbols({ total, symbols, suggestions = [] }: GraphSymbolsResponse, colors: Colors): string {
  if (total === 0) {
    const hint = suggestions.length === 0 ? [] : [`did you mean ${suggestions.map(visibleLine).join(', ')}?`];
    return `${['no symbols', ...hint].map((line) => colors.dim(line)).join('\n')}\n`;
  }
  const lines: string[] = [];
  let path = '';
  for (const { path: file, symbol, kind, exported, startLine, endLine, uses } of symbols.list) {
    if (file !== path) lines.push(colors.path(visibleLine(file)));
    path = file;
    const range = colors.line(endLine > startLine ? `${startLine}-${endLine}` : String(startLine));
    const told = [kind, ...(exported ? ['exported'] : []), ...(uses > 0 ? [formatCount(uses, 'use')] : [])];
    lines.push(`  ${range} ${colors.symbol(visibleLine(symbol ?? ''))}  ${colors.dim(told.join(', '))}`);
  }
  return `${[...lines, ...more(symbols.leftOut, colors)].join('\n')}\n`;
}
