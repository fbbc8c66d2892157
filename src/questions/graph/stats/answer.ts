/** Answers `graph stats`: sizes of the graph, and how much of it is resolved. */
import { groupDigits } from '../../../base/printable.js';
import { statsOf } from '../../../graph/query/statistics.js';
import type { Asker } from '../../asker.js';
import { formatCount, formatCounts, percent } from '../../format.js';
import type { Pen } from '../../pen.js';
import { type Block, blockLines, count, type Item, type Some, sectionOf } from '../../view.js';
import { LISTED } from '../graph-question.js';
import { placeColumns } from '../graph-text.js';
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
  const blocks = [
    languageSection(response),
    sectionOf('most connected files', topOf(response.connectedFiles), ({ path, dependents, imports: used }) => {
      return [{ path }, { aside: `used by ${groupDigits(dependents)}, uses ${groupDigits(used)}` }];
    }),
    sectionOf('most used symbols', topOf(response.connectedSymbols), (symbol) => {
      const uses = `${formatCount(symbol.uses, 'use')} in ${formatCount(symbol.files, 'file')}`;
      return [...placeColumns(symbol), { aside: uses }];
    }),
    sectionOf(`orphans: ${formatCount(count(orphans, pen), 'file')} that no import connects`, orphans, (path) => [
      { path },
    ]),
  ];
  const lines = [
    ...facts.map(([label, text]) => `${label.padEnd(LABEL_WIDTH)} ${text}`),
    ...blockLines(blocks, pen),
    ...advice.flatMap((text) => ['', text]),
  ];
  return `${lines.join('\n')}\n`;
}

/** The first of all files or symbols: nobody asks for the rest of them. */
const topOf = <T>({ list }: Some<T>): Some<T> => ({ list, leftOut: 0 });

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

/** Languages with edges; the others are counted. */
function languageSection({ languages }: GraphStatsResponse): Block {
  const linked = languages.filter(({ calls, imports }) => calls.total + imports.total >= FEW_EDGES);
  const list = linked.map(({ language, files, calls, imports }): Item => {
    const shares = `imports ${sharesText(imports)}; calls ${sharesText(calls)}`;
    return [language, { aside: `${formatCount(files, 'file')}; ${shares}` }];
  });
  const rest = languages.filter((each) => !linked.includes(each));
  const shown = rest.slice(0, MOST_WITHOUT).map(({ language, files }) => [language, files] as const);
  const others = rest.length > shown.length ? `, ${formatCount(rest.length - shown.length, 'other language')}` : '';
  const few = { aside: `few or no edges: ${formatCounts(Object.fromEntries(shown))}${others}` };
  return { title: 'languages', list: rest.length > 0 ? [...list, [few]] : list, leftOut: 0 };
}
