/** What `graph stats` says. */
import { visibleLine } from '../../../base/hygiene.js';
import type { GraphStatsResponse } from '../../../engine/contract.js';
import type { Colors } from '../colors.js';
import { formatCount, formatCounts } from '../format.js';
import { more, percent, placeText, section, total } from './parts.js';

type Shares = GraphStatsResponse['calls'];

export function renderStats(response: GraphStatsResponse, colors: Colors): string {
  const { files, symbols, edges, calls, imports, cycles, orphans, advice } = response;
  const { linked = 0, ...others } = response.states;
  const rest = formatCounts(renamed(others));
  const rows: [string, string][] = [
    ['files', `${files.toLocaleString('en')}: ${linked.toLocaleString('en')} linked${rest === '' ? '' : `, ${rest}`}`],
    ['symbols', symbols.toLocaleString('en')],
    ['edges', formatCounts(edges) || 'none'],
    ['imports', sharesText(imports)],
    ['calls', sharesText(calls)],
    ['cycles', cycles === 0 ? 'none' : `${cycles.toLocaleString('en')}: graph cycles lists them`],
  ];
  const lines = [
    ...rows.map(([label, text]) => `${label.padEnd(LABEL_WIDTH)} ${text}`),
    ...languageLines(response, colors),
    ...section('most connected files', connectedFiles(response, colors)),
    ...section('most used symbols', connectedSymbols(response, colors)),
    ...section(`orphans: ${formatCount(total(orphans), 'file')} that nothing imports and that import nothing`, [
      ...orphans.list.map((path) => `  ${colors.path(visibleLine(path))}`),
      ...more(orphans.leftOut, colors),
    ]),
    ...advice.flatMap((text) => ['', visibleLine(text)]),
  ];
  return `${lines.join('\n')}\n`;
}

const LABEL_WIDTH = 8;

function renamed({ none = 0, ...rest }: Record<string, number>): Record<string, number> {
  return { 'without call facts': none, ...rest };
}

function sharesText({ total: all, resolved, external, ambiguous, unresolved }: Shares): string {
  if (all === 0) return 'none';
  const parts = Object.entries({ resolved, external, ambiguous, unresolved }).filter(([, count]) => count > 0);
  return `${all.toLocaleString('en')}: ${parts.map(([name, count]) => `${percent(count / all)} ${name}`).join(', ')}`;
}

/** Languages with edges; the others are counted. */
function languageLines({ languages }: GraphStatsResponse, colors: Colors): string[] {
  const linked = languages.filter(({ calls, imports }) => calls.total + imports.total > 0);
  const lines = linked.map(
    ({ language, files, calls, imports }) =>
      `  ${language}  ${colors.dim(`${formatCount(files, 'file')}; imports ${sharesText(imports)}; calls ${sharesText(calls)}`)}`,
  );
  const rest = languages.filter((each) => !linked.includes(each));
  const names = Object.fromEntries(rest.map(({ language, files }) => [visibleLine(language), files]));
  if (rest.length > 0) lines.push(colors.dim(`  without edges: ${formatCounts(names)}`));
  return section('languages', lines);
}

function connectedFiles({ connectedFiles: all }: GraphStatsResponse, colors: Colors): string[] {
  return all.list.map(
    ({ path, dependents, imports }) =>
      `  ${colors.path(visibleLine(path))}  ${colors.dim(`used by ${dependents.toLocaleString('en')}, uses ${imports.toLocaleString('en')}`)}`,
  );
}

function connectedSymbols({ connectedSymbols: all }: GraphStatsResponse, colors: Colors): string[] {
  return all.list.map(
    (symbol) =>
      `  ${placeText(symbol, colors)}  ${colors.dim(`${formatCount(symbol.uses, 'use')} in ${formatCount(symbol.files, 'file')}`)}`,
  );
}
