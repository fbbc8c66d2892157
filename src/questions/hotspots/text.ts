/** Text of hotspots: a table with the factors of each product. */
import { visibleLine } from '../../base/hygiene.js';
import { optionText } from '../../params/command-line.js';
import { at, more } from '../graph/text-parts.js';
import { formatCount, windowLines } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { Hotspot, HotspotsDocument } from './output.js';

const COLUMNS = ['heat', 'churn', 'centrality', 'complexity'] as const;

export function hotspotsText(
  { hotspots, aside, compared, since, window }: HotspotsDocument,
  { pen, isCommand }: { pen: Pen; isCommand: boolean },
): string {
  const rows = hotspots.list.map((one) => COLUMNS.map((column) => shown(one[column])));
  const widths = COLUMNS.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i].length)));
  const line = (cells: readonly string[]) => cells.map((cell, i) => cell.padStart(widths[i])).join('  ');
  const lines =
    rows.length === 0
      ? ['no code changed often enough to be a hotspot']
      : ['heat = churn x centrality x complexity', pen.dim(line(COLUMNS))];
  lines.push(...hotspots.list.map((one, i) => `${line(rows[i])}  ${nameText(one, pen)}  ${pen.dim(notes(one))}`));
  lines.push(...more(hotspots.leftOut, pen));
  if (rows.length > 0 && pen.skipped === undefined) lines.push(...meaning(compared).map((text) => pen.dim(text)));
  lines.push(...asideLines(aside, isCommand).map((text) => pen.dim(text)));
  if (since !== undefined) lines.push(pen.dim(`only commits since ${visibleLine(since)}`));
  return `${[...lines, ...windowLines(window, pen)].join('\n')}\n`;
}

const shown = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });

function nameText({ path, symbol, startLine }: Hotspot, pen: Pen): string {
  return symbol === null
    ? pen.path(visibleLine(path))
    : `${at(path, startLine, pen)}  ${pen.symbol(visibleLine(symbol))}`;
}

function notes({ commits, codeLines, uses }: Hotspot): string {
  const used = uses === undefined ? [] : [formatCount(uses, 'use')];
  return [formatCount(commits, 'commit'), ...used, formatCount(codeLines, 'line')].join(', ');
}

function meaning(compared: HotspotsDocument['compared']): string[] {
  const complexity = 'complexity: depth of indentation, added up over the lines of code';
  if (compared === undefined)
    return [
      'churn: commits, newer ones weigh more; centrality: 1 for the file that the others rest on most',
      complexity,
    ];
  const { files, commits } = compared;
  return [
    'churn: commits, newer ones weigh more; centrality: log2(2 + uses)',
    complexity,
    `functions of the ${formatCount(files, 'hottest file')}, by the newest ${formatCount(commits, 'commit')} that changed them`,
  ];
}

function asideLines({ tests, others }: HotspotsDocument['aside'], isCommand: boolean): string[] {
  const how = isCommand ? `: ${optionText('tests')}` : '';
  return [
    ...(tests === 0 ? [] : [`${formatCount(tests, 'changed test file')} left out${how}`]),
    ...(others === 0
      ? []
      : [`${formatCount(others, 'changed file')} left out: deleted, generated, vendored, text or data`]),
  ];
}
