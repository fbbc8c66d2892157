/**
 * Uses of the symbols of `fixtures/truth/<language>`, against those that `truth.json` there lists by hand. A use is a line of
 * a file: imports, and further uses of a symbol on one line, do not count.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SocraticodeError } from '../../../src/base/errors.js';
import type { Graph } from '../../../src/graph/graph.js';
import { resolveTarget } from '../../../src/graph/query/target.js';
import { type EdgeKind, FILE_EDGE_KINDS } from '../../../src/graph/tables.js';
import { referencesOf } from '../../../src/questions/graph/references/answer.js';
import { graphOf } from '../../graph/link/project.js';
import { ROOT } from '../../house/root.js';

export const TRUTH = fileURLToPath(new URL('fixtures/truth/', ROOT));
export const TRUTH_FILE = 'truth.json';

/** Groups of symbols that are counted together. Functions of a type that need no instance are functions. */
export const GROUPS = ['functions', 'methods and properties', 'types'] as const;
export type Group = (typeof GROUPS)[number];

const FUNCTIONS: ReadonlySet<string> = new Set(['function', 'macro']);
const MEMBERS: ReadonlySet<string> = new Set(['method', 'constructor', 'property', 'field']);

/** Shares of 1. */
export interface Rates {
  /** Of the listed uses, those that are proven. */
  recall: number;
  /** Of the listed uses, those that are proven or possible. */
  possible: number;
  /** Of the proven uses, those that are listed. */
  precision: number;
}

export interface Truth {
  /** Rates that no change may fall below. */
  floors?: Partial<Record<Group, Rates>>;
  symbols: readonly TruthSymbol[];
}

interface TruthSymbol {
  /** `src/cart.rs:Cart.total`. */
  symbol: string;
  /** Kind by the words of the language, which decides the group: `function` for a static method. */
  kind: string;
  /** `src/main.rs:12`. */
  uses: readonly string[];
}

interface Counts {
  symbols: number;
  listed: number;
  found: number;
  right: number;
  /** Listed uses that are not proven, but possible. */
  possible: number;
}

/** One group of one language. */
export interface Row extends Counts {
  language: string;
  group: Group;
  rates: Rates;
  /** `- Cart.total src/main.rs:12` for a missed use, `?` for a possible one, `+` for a wrong one, `!` for a symbol that the graph lacks. */
  differences: string[];
}

export function truthLanguages(): string[] {
  return readdirSync(TRUTH)
    .filter((name) => statSync(join(TRUTH, name)).isDirectory())
    .sort();
}

export function readTruth(language: string): Truth {
  return JSON.parse(readFileSync(join(TRUTH, language, TRUTH_FILE), 'utf8')) as Truth;
}

/** Rows of one language. Throws if neither name nor kind of a symbol tells which one is meant. */
export function judge(language: string): Row[] {
  const graph = graphOf(readProject(join(TRUTH, language)));
  const imports = importLines(graph);
  const rows = new Map<Group, Row>();
  for (const truth of readTruth(language).symbols) {
    const group = groupOf(truth.kind);
    const row = rows.get(group) ?? emptyRow(language, group);
    rows.set(group, row);
    count(row, truth, graph, imports);
  }
  return GROUPS.flatMap((group) => rows.get(group) ?? []).map((row) => ({ ...row, rates: ratesOf(row) }));
}

function emptyRow(language: string, group: Group): Row {
  const rates = { recall: 1, possible: 1, precision: 1 };
  return { language, group, symbols: 0, listed: 0, found: 0, right: 0, possible: 0, rates, differences: [] };
}

function count(row: Row, { symbol, kind, uses }: TruthSymbol, graph: Graph, imports: ReadonlySet<string>): void {
  const nodes = nodesOf(graph, symbol, kind);
  if (nodes.length === 0) row.differences.push(`! ${symbol} is not in the graph`);
  const answer = referencesOf(graph, nodes, Number.POSITIVE_INFINITY);
  const proven = answer.uses.list.filter((use) => !FILE_KINDS.has(use.kind) && use.through === undefined);
  const lines = (list: readonly { path: string; line: number }[]) =>
    new Set(list.map(({ path, line }) => `${path}:${line}`).filter((use) => !imports.has(use)));
  const found = lines(proven);
  const possible = lines([...answer.likely.list, ...answer.possible.list]);
  const listed = new Set(uses);
  row.symbols++;
  row.listed += listed.size;
  row.found += found.size;
  for (const use of listed) {
    if (found.has(use)) row.right++;
    else if (possible.has(use)) row.possible++;
    if (!found.has(use)) row.differences.push(`${possible.has(use) ? '?' : '-'} ${symbol} ${use}`);
  }
  for (const use of found) if (!listed.has(use)) row.differences.push(`+ ${symbol} ${use}`);
}

/** Nodes of a symbol, none if the graph does not have it. Where a field and a method have one name, the kind tells which is meant. */
function nodesOf(graph: Graph, symbol: string, kind: string): readonly number[] {
  const target = known(() => resolveTarget(graph, symbol));
  if (target === null) return [];
  if (!('candidates' in target)) {
    const same = target.nodes.filter((node) => graph.kind(node) === kind);
    return partsOf(graph, same.length > 0 ? same : target.nodes);
  }
  const same = target.candidates.filter((candidate) => candidate.kind === kind);
  const only = same.length === 1 ? resolveTarget(graph, same[0].pick) : target;
  if ('candidates' in only) throw new Error(`${symbol} is ambiguous`);
  return only.nodes;
}

/** The nodes, and the further parts of a type that stands in several files. */
function partsOf(graph: Graph, nodes: readonly number[]): readonly number[] {
  const whole = known(() => resolveTarget(graph, graph.qualifiedName(nodes[0])));
  const isWhole = whole !== null && 'nodes' in whole && nodes.every((node) => whole.nodes.includes(node));
  return isWhole && nodes.some((node) => graph.kind(node) === 'class') ? whole.nodes : nodes;
}

function known<T>(find: () => T): T | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof SocraticodeError && error.code === 'BAD_ARGUMENT') return null;
    throw error;
  }
}

const FILE_KINDS: ReadonlySet<string> = new Set<EdgeKind>(FILE_EDGE_KINDS);

/** Lines of all import statements. */
function importLines(graph: Graph): Set<string> {
  const lines = new Set<string>();
  for (let i = 0; i < graph.edgeCount; i++) {
    if (!graph.isFileEdge(i)) continue;
    const { from, startLine, endLine } = graph.edge(i);
    for (let line = startLine; line <= endLine; line++) lines.add(`${graph.path(from)}:${line}`);
  }
  return lines;
}

function groupOf(kind: string): Group {
  return FUNCTIONS.has(kind) ? 'functions' : MEMBERS.has(kind) ? 'methods and properties' : 'types';
}

function ratesOf({ listed, found, right, possible }: Counts): Rates {
  const ratio = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);
  return {
    recall: ratio(right, listed),
    possible: ratio(right + possible, listed),
    precision: ratio(right, found),
  };
}

/** All files of a project by path, without its `truth.json`. */
function readProject(folder: string): Record<string, string> {
  const project: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const path = join(folder, name);
    if (name !== TRUTH_FILE && statSync(path).isFile())
      project[name.replaceAll('\\', '/')] = readFileSync(path, 'utf8');
  }
  return project;
}

/** Lines of a table, as `npm run bench -- graph-truth --fixtures` prints it. */
export function tableOf(rows: readonly Row[]): string[] {
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(WIDTHS[i] ?? 0))
      .join('')
      .trimEnd();
  const body = rows.map(({ language, group, symbols, listed, rates }) =>
    line([
      language,
      group,
      String(symbols),
      String(listed),
      ...[rates.recall, rates.possible, rates.precision].map((rate) => rate.toFixed(3)),
    ]),
  );
  return [line(['language', 'group', 'symbols', 'uses', 'recall', 'possible', 'precision']), ...body];
}

const WIDTHS = [12, 24, 9, 7, 9, 10];
