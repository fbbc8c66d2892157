/** Tests that failed, as the task names them: functions by their names, others by their titles. */
import type { ObjectReader } from '../../../git/objects.js';
import type { Graph } from '../../../graph/graph.js';
import { isTestCode } from '../../../graph/query/place.js';
import type { FailedTest } from '../task/failed-tests.js';
import { fileAt, rangeOf } from './anchors.js';
import type { Candidate } from './candidate.js';
import { contains, type Range } from './lines.js';
import { readLines } from './texts.js';

/** The first failed test is what the task is about; each further one often fails for the same cause. */
const FIRST = 1.3;
const FURTHER = 0.85;
/** Functions of a name that are considered. */
const MAX_NAMED = 4;
/** Most lines of a test that are shown; a longer one by its beginning. */
const MAX_LINES = 60;
/** Test files without a function for each test that are read for titles. */
const MAX_FILES = 12;

export interface Failures {
  failed: readonly FailedTest[];
  /** Lines to which the places of the task lead: a test that is among them is there. */
  pointedAt: readonly Candidate[];
  /** Files that the search found. */
  paths: Iterable<string>;
}

export async function fromFailures(graph: Graph, objects: ObjectReader, failures: Failures): Promise<Candidate[]> {
  const { failed, pointedAt } = failures;
  const titled = failed.filter((test) => functionsOf(graph, test).length === 0);
  const files = titled.length === 0 ? [] : await readTests(graph, objects, { ...failures, failed: titled });
  const found: Candidate[] = [];
  let value = FIRST;
  for (const test of failed) {
    const own = [...functionsOf(graph, test), ...(titled.includes(test) ? titleOf(files, test) : [])];
    const isThere =
      own.length > 0 &&
      own.every((each) => pointedAt.some((other) => other.path === each.path && contains([other], each)));
    if (!isThere) found.push(...own.map((each) => ({ ...each, value })));
    if (own.length > 0) value *= FURTHER;
  }
  return found;
}

/** Functions of tests with the name, those whose container agrees too before others. */
function functionsOf(graph: Graph, { path, names }: FailedTest): Candidate[] {
  const own = names[names.length - 1];
  const file = path === null ? -1 : fileAt(graph, path);
  const named = graph.nodesNamed(own).filter((node) => isTestCode(graph, node));
  const here = file < 0 ? named : named.filter((node) => graph.fileOf(node) === file);
  const qualified = names.slice(-2).join('.');
  const exact = here.filter((node) => `.${graph.qualifiedName(node)}`.endsWith(`.${qualified}`));
  const meant = exact.length > 0 ? exact : here;
  return meant.length > MAX_NAMED ? [] : meant.map((node) => testOf(graph, node));
}

function testOf(graph: Graph, node: number): Candidate {
  const whole = rangeOf(graph, node);
  const endLine = Math.min(whole.endLine, whole.startLine + MAX_LINES - 1);
  const symbol = graph.qualifiedName(node);
  return { ...base(graph.path(node)), startLine: whole.startLine, endLine, symbol, node };
}

const base = (path: string) => ({ kind: 'test' as const, path, why: 'failed', value: FIRST });

interface TestFile {
  path: string;
  lines: readonly string[];
}

/** Test files that can hold the titles: files that the report names, then those that the places and the search found. */
async function readTests(graph: Graph, objects: ObjectReader, failures: Failures): Promise<TestFile[]> {
  const { failed, paths, pointedAt } = failures;
  const told = failed.flatMap(({ path }) => (path === null ? [] : [fileAt(graph, path)]));
  const found = [...pointedAt.map(({ path }) => path), ...paths].map((path) => graph.findFile(path));
  const tests = [...told, ...found].filter((file) => file >= 0 && isTestCode(graph, graph.fileNode(file)));
  const wanted = [...new Set(tests)].slice(0, MAX_FILES).map((file) => graph.tables.files[file].path);
  const lines = await readLines(graph, objects, wanted);
  return wanted.map((path) => ({ path, lines: lines(path) ?? [] }));
}

/** The call with the title of the test: `it('adds prices', …)`. */
function titleOf(files: readonly TestFile[], { names }: FailedTest): Candidate[] {
  const title = names[names.length - 1];
  for (const { path, lines } of files) {
    const at = lines.findIndex((line) => quotes(line, title));
    if (at >= 0) return [{ ...base(path), ...block(lines, at), symbol: null, node: -1 }];
  }
  return [];
}

function quotes(line: string, title: string): boolean {
  const at = line.indexOf(title);
  return at > 0 && /["'`]/.test(line[at - 1]) && line[at + title.length] === line[at - 1];
}

/** From a line to the one that ends what it begins: the next that is indented no deeper. */
function block(lines: readonly string[], at: number): Range {
  const depth = indentOf(lines[at]);
  let end = at + 1;
  const last = Math.min(lines.length, at + MAX_LINES) - 1;
  while (end < last && (lines[end].trim() === '' || indentOf(lines[end]) > depth)) end++;
  return { startLine: at + 1, endLine: Math.min(end, last) + 1 };
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
