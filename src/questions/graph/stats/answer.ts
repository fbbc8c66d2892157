/** Answers `graph stats`: sizes of the graph, and how much of it is resolved. */
import { groupDigits } from '../../../base/printable.js';
import { statsOf } from '../../../graph/query/statistics.js';
import type { Asker } from '../../asker.js';
import { formatCount, formatCounts } from '../../format.js';
import type { Pen } from '../../pen.js';
import { count, listing, section } from '../../view.js';
import { LISTED } from '../graph-question.js';
import { percent, placeText } from '../graph-text.js';
import { prepareGraph } from '../snapshot-graph.js';
import type { GraphStatsResponse, StatsValues } from './question.js';

export async function answerStats(at: Asker, values: StatsValues): Promise<GraphStatsResponse> {
  const { graph, header } = await prepareGraph(at, values);
  const { limit } = values;
  return { ...header, ...statsOf(graph, { connected: limit ?? LISTED.connected, orphans: limit ?? LISTED.orphans }) };
}

type Shares = GraphStatsResponse['calls'];

export function statsText(response: GraphStatsResponse, { pen }: { pen: Pen }): string {
  const { files, symbols, edges, calls, imports, cycles, orphans, advice } = response;
  const { linked = 0, none = 0, ...others } = response.states;
  const rest = formatCounts({ 'without call facts': none, ...others });
  const facts: [string, string][] = [
    ['files', `${groupDigits(files)}: ${groupDigits(linked)} linked${rest === '' ? '' : `, ${rest}`}`],
    ['symbols', groupDigits(symbols)],
    ['edges', formatCounts(edges) || 'none'],
    ['imports', sharesText(imports)],
    ['calls', sharesText(calls)],
    ['cycles', cycles === 0 ? 'none' : `${groupDigits(cycles)}: ${pen.words.cycles}`],
  ];
  const lines = [
    ...facts.map(([label, text]) => `${label.padEnd(LABEL_WIDTH)} ${text}`),
    ...languageLines(response, pen),
    ...section('most connected files', connectedFiles(response, pen)),
    ...section('most used symbols', connectedSymbols(response, pen)),
    ...listing(
      `orphans: ${formatCount(count(orphans, pen), 'file')} that no import connects`,
      orphans,
      (path) => `  ${pen.path(path)}`,
      pen,
    ),
    ...advice.flatMap((text) => ['', text]),
  ];
  return `${lines.join('\n')}\n`;
}

const LABEL_WIDTH = 8;

export function sharesText({ total: all, resolved, external, ambiguous, unresolved }: Shares): string {
  if (all === 0) return 'none';
  const parts = Object.entries({ resolved, external, ambiguous, unresolved }).filter(([, count]) => count > 0);
  return `${groupDigits(all)}: ${parts.map(([name, count]) => `${percent(count / all)} ${name}`).join(', ')}`;
}

/** Shares of fewer edges say nothing. */
const FEW_EDGES = 10;

/** Languages without edges that are named: those with most files come first. */
const MOST_WITHOUT = 5;

/** Lines of languages with edges; the others are counted. */
function languageLines({ languages }: GraphStatsResponse, pen: Pen): string[] {
  const linked = languages.filter(({ calls, imports }) => calls.total + imports.total >= FEW_EDGES);
  const lines = linked.map(
    ({ language, files, calls, imports }) =>
      `  ${language}  ${pen.dim(`${formatCount(files, 'file')}; imports ${sharesText(imports)}; calls ${sharesText(calls)}`)}`,
  );
  const rest = languages.filter((each) => !linked.includes(each));
  const shown = rest.slice(0, MOST_WITHOUT).map(({ language, files }) => [language, files] as const);
  const others = rest.length > shown.length ? `, ${formatCount(rest.length - shown.length, 'other language')}` : '';
  if (rest.length > 0) lines.push(pen.dim(`  few or no edges: ${formatCounts(Object.fromEntries(shown))}${others}`));
  return section('languages', lines);
}

function connectedFiles({ connectedFiles: all }: GraphStatsResponse, pen: Pen): string[] {
  return all.list.map(
    ({ path, dependents, imports }) =>
      `  ${pen.path(path)}  ${pen.dim(`used by ${groupDigits(dependents)}, uses ${groupDigits(imports)}`)}`,
  );
}

function connectedSymbols({ connectedSymbols: all }: GraphStatsResponse, pen: Pen): string[] {
  return all.list.map(
    (symbol) =>
      `  ${placeText(symbol, pen)}  ${pen.dim(`${formatCount(symbol.uses, 'use')} in ${formatCount(symbol.files, 'file')}`)}`,
  );
}
