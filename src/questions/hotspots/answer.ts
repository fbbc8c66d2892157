/** Answers `hotspots`: files, or functions of the hottest files, by churn x centrality x complexity. */
import { isOnMap, shareOfBest } from '../../graph/query/file-edges.js';
import { cut, isTest, placeOf } from '../../graph/query/node-place.js';
import { isFunction, isLocalFunction, usesOf } from '../../graph/query/uses.js';
import { isoDate, type LoggedCommit, tellingCommits, weightOf } from '../../history/change-log.js';
import { optionText } from '../../params/param.js';
import { secondsOf } from '../../session/history/open-history.js';
import { retried } from '../../session/retry.js';
import type { Asker } from '../asker.js';
import { formatCount, windowLines } from '../format.js';
import { at, more } from '../graph/graph-text.js';
import { type GraphAndHeader, prepareGraph } from '../graph/snapshot-graph.js';
import { allPathsNamed, openPast, windowOf } from '../history-targets.js';
import type { Pen, Writing } from '../pen.js';
import type { Hotspot, HotspotsDocument, HotspotsValues } from './question.js';

/** Throws BAD_ARGUMENT for an unknown path and for an invalid date, and UNKNOWN_REF. */
export async function answerHotspots(at: Asker, values: HotspotsValues): Promise<HotspotsDocument> {
  return retried(at.session, values.ref, () => answerOnce(at, values));
}

async function answerOnce(at: Asker, values: HotspotsValues): Promise<HotspotsDocument> {
  const { paths = [], since, ref, limit, symbols } = values;
  const from = since === undefined ? -Infinity : await secondsOf(at.session, since);
  const past = await openPast(at, ref);
  const prepared = await prepareGraph(at, { ref, committed: true, isRetried: true });
  const named = await allPathsNamed(past, paths.length === 0 ? ['.'] : paths);
  const log = tellingCommits(past.log).filter(({ time }) => time >= from);
  const { churns, aside } = rankedFiles(prepared, churnOf(log, named), values);
  const files = await measureFiles(at, prepared, churns);
  const shared = { ...prepared.header, ref: past.ref, window: windowOf(past), paths, ...(since && { since }), aside };
  if (!symbols) return { ...shared, hotspots: cut(files, limit) };
  const { compared, list } = await hotFunctions(at, prepared, { files, log });
  return { ...shared, compared, hotspots: cut(list, limit) };
}

/** Ranks files that somebody may refactor. Leaves out copies, text, data, files that are gone, and tests unless they are requested. */
function rankedFiles(
  { graph }: GraphAndHeader,
  all: ReadonlyMap<string, Churn>,
  { tests }: HotspotsValues,
): { churns: Map<number, Churn>; aside: HotspotsDocument['aside'] } {
  const churns = new Map<number, Churn>();
  const aside = { tests: 0, others: 0 };
  for (const [path, churn] of all) {
    const file = graph.findFile(path);
    if (file >= 0 && (isOnMap(graph, file) || (tests && isTest(graph, file)))) churns.set(file, churn);
    else if (file >= 0 && isTest(graph, file)) aside.tests++;
    else aside.others++;
  }
  return { churns, aside };
}

async function measureFiles(
  { session: { objects } }: Asker,
  { graph }: GraphAndHeader,
  churns: ReadonlyMap<number, Churn>,
): Promise<Hotspot[]> {
  const spots = await Promise.all(
    [...churns].map(async ([file, churn]) => {
      const depths = depthsOf((await objects.read(graph.tables.files[file].oid))?.content.toString('latin1') ?? '');
      const factors = { churn, centrality: shareOfBest(graph, file), measured: complexityOf(depths) };
      return hotspotOf({ graph }, graph.fileNode(file), factors);
    }),
  );
  return spots.sort(hottestFirst);
}

/** Changes of a file or a symbol. */
interface Churn {
  churn: number;
  commits: number;
  last: string | null;
}

/** Changes of each path. `log` begins with the newest commit. */
function churnOf(
  log: readonly Pick<LoggedCommit, 'age' | 'authored' | 'paths'>[],
  accepts: ReadonlySet<string>,
): Map<string, Churn> {
  const found = new Map<string, Churn>();
  for (const commit of log) {
    for (const path of commit.paths) {
      if (!accepts.has(path)) continue;
      const known = found.get(path) ?? { churn: 0, commits: 0, last: isoDate(commit.authored) };
      found.set(path, { ...known, churn: known.churn + weightOf(commit), commits: known.commits + 1 });
    }
  }
  return found;
}

interface Factors {
  churn: Churn;
  centrality: number;
  measured: Pick<Hotspot, 'complexity' | 'codeLines'>;
  uses?: number;
}

/** Rounds the factors before it multiplies them, so that the displayed numbers give the displayed product. */
function hotspotOf({ graph }: Pick<GraphAndHeader, 'graph'>, node: number, factors: Factors): Hotspot {
  const { exported: _, ...place } = placeOf(graph, node);
  const churn = rounded(factors.churn.churn);
  const centrality = rounded(factors.centrality);
  const { uses, measured } = factors;
  const heat = rounded(churn * centrality * measured.complexity);
  return { ...place, heat, ...factors.churn, churn, centrality, ...(uses === undefined ? {} : { uses }), ...measured };
}

const rounded = (value: number): number => Number(value.toPrecision(3));

/** Sorts by heat, then by changes, then by place. */
export const hottestFirst = (a: Hotspot, b: Hotspot): number =>
  b.heat - a.heat || b.churn - a.churn || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.startLine - b.startLine);

const COLUMNS = ['heat', 'churn', 'centrality', 'complexity'] as const;

export function hotspotsText(
  { hotspots, aside, compared, since, window }: HotspotsDocument,
  { pen, isCommand }: Pick<Writing, 'pen' | 'isCommand'>,
): string {
  const rows = hotspots.list.map((one) => COLUMNS.map((column) => shown(one[column])));
  const widths = COLUMNS.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i].length)));
  const line = (cells: readonly string[]) => cells.map((cell, i) => cell.padStart(widths[i])).join('  ');
  const lines =
    rows.length === 0
      ? ['no code changed often enough to be a hotspot']
      : ['heat = churn x centrality x complexity, a number without a unit', pen.dim(line(COLUMNS))];
  lines.push(...hotspots.list.map((one, i) => `${line(rows[i])}  ${nameText(one, pen)}  ${pen.dim(notes(one))}`));
  lines.push(...more(hotspots.leftOut, pen));
  if (rows.length > 0 && pen.skipped === undefined) lines.push(...meaning(compared).map((text) => pen.dim(text)));
  lines.push(...leftOutFileLines(aside, isCommand).map((text) => pen.dim(text)));
  if (since !== undefined) lines.push(pen.dim(`only commits since ${since}`));
  return `${[...lines, ...windowLines(window, pen)].join('\n')}\n`;
}

const shown = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });

function nameText({ path, symbol, startLine }: Hotspot, pen: Pen): string {
  return symbol === null ? pen.path(path) : `${at(path, startLine, pen)}  ${pen.symbol(symbol)}`;
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

function leftOutFileLines({ tests, others }: HotspotsDocument['aside'], isCommand: boolean): string[] {
  const how = isCommand ? `: ${optionText('tests')}` : '';
  return [
    ...(tests === 0 ? [] : [`${formatCount(tests, 'changed test file')} left out${how}`]),
    ...(others === 0
      ? []
      : [`${formatCount(others, 'changed file')} left out: deleted, generated, vendored, text or data`]),
  ];
}

/** Columns of a tab. The width matters only for text that mixes tabs and spaces. */
const TAB = 8;
/** Trimmed lines that hold no code: comments in most languages, and lines without a word, such as a closing bracket. */
const NO_CODE = /^(?:\/\/|\/\*|\*|#(?!\w)|--|\W*$)/;
/** Characters of a line that are read: the rest of a longer one cannot change its depth. */
const MAX_READ = 400;

/**
 * Depth of each line of code, null for all others. A line is one deeper than the nearest line above with less indentation, so the width of
 * an indentation does not matter. Time is linear in the text.
 */
export function depthsOf(text: string): (number | null)[] {
  const around: number[] = [];
  return text.split('\n').map((line) => {
    const start = line.slice(0, MAX_READ);
    if (NO_CODE.test(start.trimStart())) return null;
    const columns = columnsBefore(start);
    while (around.length > 0 && around[around.length - 1] >= columns) around.pop();
    around.push(columns);
    return around.length - 1;
  });
}

interface Complexity {
  /** Sum of depths. */
  complexity: number;
  /** Lines of code. */
  codeLines: number;
}

/**
 * Complexity of the lines `startLine` to `endLine`, counted from 1; default: all. Depths count from the first line's, so that a method in a
 * class is as complex as the same function outside of it.
 */
export function complexityOf(depths: readonly (number | null)[], startLine = 1, endLine = depths.length): Complexity {
  const own = depths.slice(startLine - 1, endLine).filter((depth) => depth !== null);
  const base = own[0] ?? 0;
  return { complexity: own.reduce((sum, depth) => sum + Math.max(0, depth - base), 0), codeLines: own.length };
}

function columnsBefore(line: string): number {
  let columns = 0;
  for (const sign of line) {
    if (sign === '\t') columns += TAB - (columns % TAB);
    else if (sign === ' ') columns++;
    else break;
  }
  return columns;
}

/** Hottest files whose functions are ranked. */
const MAX_FILES = 10;
/** Most commits that are compared: parsing old versions takes 10 ms a file, once. */
const MAX_COMMITS = 60;

interface FunctionsQuestion {
  /** Begins with the hottest. */
  files: readonly Hotspot[];
  log: readonly LoggedCommit[];
}

async function hotFunctions(
  { session, signal }: Asker,
  { graph }: GraphAndHeader,
  { files, log }: FunctionsQuestion,
): Promise<{ compared: NonNullable<HotspotsDocument['compared']>; list: Hotspot[] }> {
  const hottest = files.slice(0, MAX_FILES).map(({ path }) => path);
  const isHot = new Set(hottest);
  const touching = log.filter(({ paths }) => paths.some((path) => isHot.has(path))).slice(0, MAX_COMMITS);
  const { symbolsInFiles } = await import('../../session/history/commit-symbols.js');
  const changed = await symbolsInFiles(session, touching, { names: isHot, signal });
  const sets = touching.map(({ commit, age, authored, renamed }) => {
    const keys = (changed.get(commit) ?? []).map(({ path, symbol }) => keyOf(renamed?.get(path) ?? path, symbol));
    return { age, authored, paths: [...new Set(keys)] };
  });
  const churns = churnOf(sets, new Set(sets.flatMap(({ paths }) => paths)));
  const lists = await Promise.all(
    hottest.map(async (path) => {
      const file = graph.findFile(path);
      const object = await session.objects.read(graph.tables.files[file].oid);
      const depths = depthsOf(object?.content.toString('latin1') ?? '');
      return nodesOf(graph, file).flatMap((node): Hotspot[] => {
        const churn = churns.get(keyOf(path, graph.qualifiedName(node)));
        if (churn === undefined || !isFunction(graph, node) || isLocalFunction(graph, node)) return [];
        const uses = usesOf(graph, node);
        const measured = complexityOf(depths, graph.startLine(node), graph.endLine(node));
        // The logarithm keeps a hundred uses from counting a hundred times as much as one.
        return [hotspotOf({ graph }, node, { churn, centrality: Math.log2(2 + uses), uses, measured })];
      });
    }),
  );
  const compared = { files: hottest.length, commits: touching.length };
  return { compared, list: lists.flat().sort(hottestFirst) };
}

function nodesOf(graph: GraphAndHeader['graph'], file: number): number[] {
  const first = graph.fileNode(file) + 1;
  return Array.from({ length: Math.max(0, graph.tables.nodeBase[file + 1] - first) }, (_, i) => first + i);
}

/** Joins with NUL, which no path holds. */
const keyOf = (path: string, symbol: string): string => `${path}\0${symbol}`;
