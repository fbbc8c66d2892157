/**
 * Answers `hotspots`: files, or functions of the hottest files, by churn x centrality x complexity; and functions by their own complexity
 * alone, which `graph check` limits.
 */
import type { ObjectReader } from '../../git/objects.js';
import type { Graph } from '../../graph/graph.js';
import { isOnMap, shareOfBest } from '../../graph/query/file-edges.js';
import { cut, isTest, placeOf } from '../../graph/query/node-place.js';
import { type Parameters, parametersOf } from '../../graph/query/signatures.js';
import { isFunction, isLocalFunction, isType, usesOf } from '../../graph/query/uses.js';
import { isoDate, type LoggedCommit, tellingCommits, weightOf } from '../../history/change-log.js';
import { conventionsOf, loadRules, rulesOf } from '../../languages/registry.js';
import type { LexicalConventions } from '../../languages/roles/relations.js';
import { skipLiteral } from '../../languages/roles/scan.js';
import { optionText } from '../../params/param.js';
import { secondsOf } from '../../session/history/open-history.js';
import { retried } from '../../session/retry.js';
import type { Asker } from '../asker.js';
import { formatCount, windowLines } from '../format.js';
import { type GraphAndHeader, openGraph } from '../graph/snapshot-graph.js';
import { allPathsNamed, openPast, windowOf } from '../history-targets.js';
import type { Pen, Writing } from '../pen.js';
import { at, more } from '../view.js';
import type { FunctionSize, Hotspot, HotspotsDocument, HotspotsValues } from './question.js';

/** Throws BAD_ARGUMENT for an unknown path and for an invalid date, and UNKNOWN_REF. */
export async function answerHotspots(at: Asker, values: HotspotsValues): Promise<HotspotsDocument> {
  return retried(at.session, values.ref, () => answerOnce(at, values));
}

async function answerOnce(at: Asker, values: HotspotsValues): Promise<HotspotsDocument> {
  const { paths = [], since, ref, limit, symbols } = values;
  const from = since === undefined ? -Infinity : await secondsOf(at.session, since);
  const past = await openPast(at, ref);
  const prepared = await openGraph(at, { ref, committed: true });
  const named = await allPathsNamed(past, paths.length === 0 ? ['.'] : paths);
  const log = tellingCommits(past.log).filter(({ time }) => time >= from);
  if (values.functions) {
    const accepts = (file: number) =>
      named.has(prepared.graph.tables.files[file].path) &&
      (isOnMap(prepared.graph, file) || (values.tests === true && isTest(prepared.graph, file)));
    const functions = (await functionSizes(prepared, accepts)).sort(mostComplexFirst);
    const header = { ...prepared.header, ref: past.ref, window: windowOf(past), paths };
    return { ...header, aside: { tests: 0, others: 0 }, functions: cut(functions, limit), hotspots: cut([], limit) };
  }
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
  { functions, hotspots, aside, compared, since, window }: HotspotsDocument,
  { pen, isCommand }: Pick<Writing, 'pen' | 'isCommand'>,
): string {
  if (functions !== undefined) return functionsText(functions, pen);
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
  return `${[...lines, ...windowLines(window, pen).map(pen.dim)].join('\n')}\n`;
}

const shown = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });

function nameText({ path, symbol, startLine }: Hotspot, pen: Pen): string {
  return symbol === null ? pen.path(path) : `${at(path, startLine, pen)}  ${pen.symbol(symbol)}`;
}

function notes({ commits, codeLines, uses }: Hotspot): string {
  const used = uses === undefined ? [] : [formatCount(uses, 'use')];
  return [formatCount(commits, 'commit'), ...used, formatCount(codeLines, 'line of code', 'lines of code')].join(', ');
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
  const { symbolChanges, symbolKey } = await import('../../session/history/symbol-changes.js');
  const sets = await symbolChanges(session, touching, { names: isHot, signal });
  const churns = churnOf(sets, new Set(sets.flatMap(({ paths }) => paths)));
  const lists = await Promise.all(
    hottest.map(async (path) => {
      const file = graph.findFile(path);
      const object = await session.objects.read(graph.tables.files[file].oid);
      const depths = depthsOf(object?.content.toString('latin1') ?? '');
      return nodesOf(graph, file).flatMap((node): Hotspot[] => {
        const churn = churns.get(symbolKey(path, graph.qualifiedName(node)));
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

// Functions by their own complexity. It is counted from the text without comments and strings, so that every language is counted alike.

/** Words after which code may go another way. */
const WAYS = new Set(
  'if elif elsif elseif unless for foreach while until case when catch except rescue guard and or && || ?? ?'.split(
    ' ',
  ),
);
/** Words that open a part which is harder to read the deeper it stands, and those that continue a thought. */
const OPENS = new Set('if unless for foreach while until switch catch except rescue guard ?'.split(' '));
const CONTINUES = new Set('else elif elsif elseif and or && || ??'.split(' '));
const TOKEN = /[A-Za-z_$][\w$]*|&&|\|\||\?\?|\?/y;

interface LineMarks {
  ways: number;
  opens: number;
  continues: number;
}

/** Marks of each line of a text. Time is linear in the text. */
function marksOf(text: string, lexical: LexicalConventions): LineMarks[] {
  const lines: LineMarks[] = [{ ways: 0, opens: 0, continues: 0 }];
  let [before, lastJoin] = ['', ''];
  for (let at = 0; at < text.length; ) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    const end = token === undefined ? skipLiteral(text, at, lexical) : at + token.length;
    for (let feed = text.indexOf('\n', at); feed >= 0 && feed < end; feed = text.indexOf('\n', feed + 1)) {
      lines.push({ ways: 0, opens: 0, continues: 0 });
      lastJoin = '';
    }
    if (token !== undefined && isKeyword(text, token, at, end)) {
      const line = lines[lines.length - 1];
      const isJoin = /^(?:and|or|&&|\|\||\?\?)$/.test(token);
      if (WAYS.has(token)) line.ways++;
      if (OPENS.has(token) && !(token === 'if' && before === 'else')) line.opens++;
      // A run of the same operator is one thought.
      if (CONTINUES.has(token) && token !== lastJoin) line.continues++;
      if (isJoin) lastJoin = token;
    }
    if (token !== undefined) before = token;
    at = end;
  }
  return lines;
}

/** Is it no part of a name, member, key or named argument? A choice by `?` has spaces around it, and `and` and `or` have, too. */
function isKeyword(text: string, token: string, at: number, end: number): boolean {
  const [previous, next] = [text[at - 1] ?? '\n', text[end] ?? '\n'];
  if (token === '?' || token === 'and' || token === 'or') return /\s/.test(previous) && /\s/.test(next);
  if (!/^\w/.test(token)) return true;
  return (
    !/[.$@:\-#]/.test(previous) && (token === 'else' || !/^\s?(?:[:=](?!=)|[,;.)\]])/.test(text.slice(end, end + 2)))
  );
}

/** Sizes of the functions of files. What stands in a function inside counts for that one alone. */
export async function functionSizes(
  { graph, objects }: { graph: Graph; objects: ObjectReader },
  accepts: (file: number) => boolean,
): Promise<FunctionSize[]> {
  const found: FunctionSize[] = [];
  const files = graph.tables.files.map((_, file) => file).filter((file) => accepts(file) && hasFunctions(graph, file));
  await Promise.all([...new Set(files.map((file) => graph.tables.files[file].language))].map(loadRules));
  for (const file of files) {
    const { oid, language } = graph.tables.files[file];
    const lexical = rulesOf(language).relations?.lexical;
    const text = lexical === undefined ? undefined : (await objects.read(oid))?.content.toString('utf8');
    if (text !== undefined && lexical !== undefined) found.push(...sizesIn(graph, file, { text, lexical }));
  }
  return found;
}

const hasFunctions = (graph: Graph, file: number) => nodesOf(graph, file).some((node) => isFunction(graph, node));

function sizesIn(
  graph: Graph,
  file: number,
  { text, lexical }: { text: string; lexical: LexicalConventions },
): FunctionSize[] {
  const nodes = nodesOf(graph, file).filter((node) => isFunction(graph, node) && graph.startLine(node) > 0);
  const owner: number[] = [];
  const inOrder = nodes.sort((a, b) => graph.startLine(a) - graph.startLine(b) || graph.endLine(b) - graph.endLine(a));
  const [marks, depths, lines] = [marksOf(text, lexical), depthsOf(text), text.split('\n')];
  for (const node of inOrder)
    for (let line = graph.startLine(node); line <= Math.min(graph.endLine(node), lines.length); line++)
      owner[line] = node;
  return inOrder.map((node) => {
    const [start, end] = [graph.startLine(node), Math.min(graph.endLine(node), lines.length)];
    const base = depths[start - 1] ?? 0;
    let [cyclomatic, cognitive] = [1, 0];
    for (let line = start; line <= end; line++) {
      const mark = marks[line - 1];
      if (owner[line] !== node || mark === undefined) continue;
      cyclomatic += mark.ways;
      cognitive += mark.continues + mark.opens * Math.max(1, (depths[line - 1] ?? base) - base);
    }
    const parameters = parameterCount(graph, node, { lines, lexical });
    const { exported: _, ...place } = placeOf(graph, node);
    return { ...place, cyclomatic, cognitive, lines: end - start + 1, ...(parameters !== null && { parameters }) };
  });
}

/** Lines of a declaration that are read for its parameters. */
const MAX_HEAD = 60;

/** Number of parameters; null if they cannot be read. */
function parameterCount(
  graph: Graph,
  node: number,
  { lines, lexical }: { lines: readonly string[]; lexical: LexicalConventions },
): number | null {
  const form = conventionsOf(graph.tables.files[graph.fileOf(node)].language).parameters;
  const start = graph.startLine(node);
  const head = lines.slice(start - 1, Math.min(graph.endLine(node), start + MAX_HEAD)).join('\n');
  const at = head.indexOf(graph.name(node));
  if (form === undefined || at < 0) return null;
  const isMember = isType(graph, graph.container(node));
  const found = parametersOf(head.slice(at), { form, lexical, isMember });
  return found === null ? null : sizeOf(found);
}

const sizeOf = ({ names, keywords, most }: Parameters): number =>
  names.length + keywords.length + (most === Number.POSITIVE_INFINITY ? 1 : 0);

const mostComplexFirst = (a: FunctionSize, b: FunctionSize): number =>
  b.cognitive - a.cognitive ||
  b.cyclomatic - a.cyclomatic ||
  (a.path < b.path ? -1 : a.path > b.path ? 1 : a.startLine - b.startLine);

const SIZES = ['cognitive', 'cyclomatic', 'lines', 'parameters'] as const;

function functionsText(functions: NonNullable<HotspotsDocument['functions']>, pen: Pen): string {
  if (functions.list.length === 0) return 'no functions of a language whose rules are known\n';
  const rows = functions.list.map((one) => SIZES.map((name) => String(one[name] ?? '?')));
  const line = (cells: readonly string[]) => cells.map((cell, i) => cell.padStart(SIZES[i].length)).join('  ');
  const lines = [
    pen.dim(line(SIZES)),
    ...functions.list.map(
      ({ path, startLine, symbol }, i) => `${line(rows[i])}  ${at(path, startLine, pen)}  ${pen.symbol(symbol ?? '')}`,
    ),
    ...more(functions.leftOut, pen),
    pen.dim(
      'cognitive: branches and loops, deeper ones count more; cyclomatic: 1 + places where code may go another way',
    ),
  ];
  return `${lines.join('\n')}\n`;
}
