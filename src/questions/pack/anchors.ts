/** Definitions that a task is about, from search results, from places and names in its text, and from failed tests. */
import type { ObjectReader } from '../../git/objects.js';
import type { Graph } from '../../graph/graph.js';
import { classOf, isProduction, isTestCode, pathsEnding } from '../../graph/query/node-place.js';
import { declarationText, signatureText } from '../../graph/query/signatures.js';
import { isPlain, isType, lastNodeOf } from '../../graph/query/uses.js';
import type { BlobFactsSource } from '../../session/blob-facts.js';
import type { SearchResponse } from '../search/question.js';
import type { FailedTest, Task } from './answer.js';
import { type Candidate, contains, type Declaration, linesOf, meets, type Neighbour, type Range } from './packing.js';

type Result = Pick<
  SearchResponse['results'][number],
  'path' | 'startLine' | 'endLine' | 'symbol' | 'score' | 'kind' | 'content'
>;

/** Most lines of a definition that is shown whole; of a longer one, the found chunk is shown. */
const MAX_LINES = 120;
/** Lines shown around a place outside of all definitions. */
const AROUND = 8;
/** Frames of a trace that are shown as whole definitions. Callers further out only pass on values. */
const WHOLE_PLACES = 4;
/** Lines shown around the line of a further frame. */
const AROUND_CALLER = 3;
/** Most definitions that share a name: with more, the name does not show which one is intended. */
const MAX_DEFINITIONS = 6;

/** Worth of places in the task: the first frame of a trace has most, and the first four come before all else. */
const PLACE_VALUE = 1.3;
const LATER_PLACE = 0.95;
const NAME_VALUE = 0.75;

/** Search results, each as its definition unless that is much longer. */
export function fromResults(graph: Graph | null, results: readonly Result[]): Candidate[] {
  const best = results[0]?.score ?? 1;
  return results.flatMap(withoutLicence).map((result, rank) => {
    const value = worth(result.score / best, rank);
    const { path, startLine, endLine, symbol } = result;
    const chunk = { startLine, endLine };
    const plain: Candidate = { kind: 'code', path, ...chunk, symbol, why: 'matches', value, node: -1 };
    const file = graph?.findFile(path) ?? -1;
    if (graph === null || file < 0) return plain;
    const node = named(graph, file, result) ?? enclosing(graph, file, chunk);
    const kind = isTestCode(graph, node) ? 'test' : 'code';
    if (graph.isFile(node)) return { ...plain, kind };
    const whole = together(rangeOf(graph, node), chunk);
    const lines = whole.endLine - whole.startLine + 1;
    if (lines > MAX_LINES || (isType(graph, node) && lines > endLine - startLine + 1 + AROUND))
      return { ...plain, kind, node };
    return { ...plain, kind, ...whole, node, smaller: chunk };
  });
}

/** A result without the licence in it; none if nothing else is left. */
function withoutLicence(result: Result): Result[] {
  if (result.startLine > 1) return [result];
  const lines = (result.content ?? '').split('\n');
  const skipped = licenceLines(lines);
  return skipped > 0 && skipped === lines.length ? [] : [{ ...result, startLine: result.startLine + skipped }];
}

/** Definition that a chunk is about. The chunk begins with its comment, and may hold other definitions. */
function named(graph: Graph, file: number, { symbol, startLine, endLine }: Result): number | null {
  if (symbol === null) return null;
  const first = graph.fileNode(file);
  const name = symbol.split('.').at(-1) ?? symbol;
  const found = graph.nodesNamed(name).find((node) => {
    const isHere =
      node > first && node < lastNodeOf(graph, first) && meets([rangeOf(graph, node)], { startLine, endLine });
    return isHere && graph.qualifiedName(node) === symbol && isShown(graph, node);
  });
  return found ?? null;
}

function together(a: Range, b: Range): Range {
  return { startLine: Math.min(a.startLine, b.startLine), endLine: Math.max(a.endLine, b.endLine) };
}

/** Worth by score and by rank: where all scores are close, they say little. */
function worth(share: number, rank: number): number {
  return 0.5 * share + 0.5 / (1 + rank * RANK_DECAY);
}
const RANK_DECAY = 0.12;

/** Definitions that the task points at or names, and results of the search for its words. */
export function fromTask(
  graph: Graph,
  { names, failed }: Pick<Task, 'names' | 'failed'>,
  { pointedAt, results }: { pointedAt: readonly Candidate[]; results: readonly Result[] },
): Candidate[] {
  const isTrace = pointedAt.length >= LEAST_FRAMES || failed.length > 0;
  const found = fromResults(graph, isTrace ? results.filter(({ path }) => definesSomething(graph, path)) : results);
  const matching = isTrace ? found.map((each) => ({ ...each, value: each.value * MATCH_WEIGHT_WITH_TRACE })) : found;
  const worthy = matching.filter(({ value }) => !isTrace || value >= LEAST_VALUE_WITH_TRACE);
  return [...pointedAt, ...names.flatMap((name) => fromName(graph, name)), ...worthy];
}

/** False for files of settings, such as `go.mod`: they share words with a trace, but only code fails. */
function definesSomething(graph: Graph, path: string): boolean {
  const file = graph.findFile(path);
  if (file < 0 || ['document', 'data'].includes(classOf(graph, file) ?? '')) return false;
  const node = graph.fileNode(file);
  return lastNodeOf(graph, node) > node + 1;
}

/** Least places in a task that make it a trace, which shows where to look. */
const LEAST_FRAMES = 2;
/** Weight of matches with the words of a trace ("object has no attribute"): they are the runtime's, and match anything. */
const MATCH_WEIGHT_WITH_TRACE = 0.45;
/** Leaves six to eight results. */
const LEAST_VALUE_WITH_TRACE = 0.3;

/** Definitions around the places, the first ones whole. */
export function fromPlaces(graph: Graph, places: Task['places']): Candidate[] {
  const found: Candidate[] = [];
  let value = PLACE_VALUE;
  for (const { path, line } of places) {
    const file = fileAt(graph, path);
    const lines = file < 0 ? 0 : graph.endLine(graph.fileNode(file));
    if (line > lines) continue;
    const isNear = found.length < WHOLE_PLACES;
    found.push(isNear ? placed(graph, { file, line, lines, value }) : caller(graph, { file, line, lines, value }));
    value *= LATER_PLACE;
  }
  return found;
}

interface PlaceInFile {
  file: number;
  line: number;
  /** Lines of the file. */
  lines: number;
  value: number;
}

function caller(graph: Graph, at: PlaceInFile): Candidate {
  const whole = placed(graph, at);
  const startLine = Math.max(whole.startLine, at.line - AROUND_CALLER);
  return { ...whole, startLine, endLine: Math.min(whole.endLine, at.line + AROUND_CALLER), smaller: undefined };
}

function placed(graph: Graph, at: PlaceInFile): Candidate {
  const { file, line, lines, value } = at;
  const node = enclosing(graph, file, { startLine: line, endLine: line });
  const around = { startLine: Math.max(1, line - AROUND), endLine: Math.min(lines, line + AROUND) };
  const base = { path: graph.tables.files[file].path, why: `named at line ${line}`, value, node };
  const kind = isTestCode(graph, node) ? 'test' : 'code';
  if (graph.isFile(node)) return { kind, ...base, ...around, symbol: null, node: -1 };
  const whole = rangeOf(graph, node);
  const symbol = graph.qualifiedName(node);
  const isShort = whole.endLine - whole.startLine < MAX_LINES;
  return isShort ? { kind, ...base, ...whole, symbol, smaller: around } : { kind, ...base, ...around, symbol };
}

/** Finds a file by its path, or by a long enough end of it: traces have absolute paths of other machines. */
function fileAt(graph: Graph, path: string): number {
  for (let rest = path.replace(/^\/+/, ''); ; rest = rest.slice(rest.indexOf('/') + 1)) {
    const exact = graph.findFile(rest);
    if (exact >= 0) return exact;
    const endings = pathsEnding(graph, rest);
    if (endings.length === 1) return endings[0];
    if (endings.length > 1 || !rest.includes('/')) return -1;
  }
}

function fromName(graph: Graph, name: string): Candidate[] {
  const parts = name.split('.');
  const named = graph.nodesNamed(parts[parts.length - 1]).filter((node) => !isPlain(graph, node));
  const exact = parts.length > 1 ? named.filter((node) => `.${graph.qualifiedName(node)}`.endsWith(`.${name}`)) : named;
  const own = exact.filter((node) => isProduction(graph, graph.fileOf(node)));
  const matched = own.length > 0 ? own : exact;
  if (matched.length > MAX_DEFINITIONS) return [];
  return matched.flatMap((node) => {
    const whole = rangeOf(graph, node);
    const kind = isTestCode(graph, node) ? 'test' : 'code';
    const value = NAME_VALUE / Math.sqrt(matched.length);
    const symbol = graph.qualifiedName(node);
    const head = { startLine: whole.startLine, endLine: Math.min(whole.endLine, whole.startLine + 2 * AROUND) };
    const isShort = whole.endLine - whole.startLine < MAX_LINES;
    const lines = isShort ? { ...whole, smaller: head } : head;
    return [{ kind, path: graph.path(node), ...lines, symbol, why: `defines ${graph.name(node)}`, value, node }];
  });
}

export function rangeOf(graph: Graph, node: number): Range {
  const startLine = Math.max(1, graph.startLine(node));
  return { startLine, endLine: Math.max(startLine, graph.endLine(node)) };
}

/** Innermost definition around these lines, or the file. */
function enclosing(graph: Graph, file: number, { startLine, endLine }: Range): number {
  const first = graph.fileNode(file);
  let found = first;
  for (let node = first + 1; node < lastNodeOf(graph, first) && graph.startLine(node) <= startLine; node++)
    if (graph.endLine(node) >= endLine && isShown(graph, node)) found = node;
  return found;
}

/** Values and fields, which are shown with the definition around them. */
const PARTS: ReadonlySet<string> = new Set(['field', 'property', 'enum-member', 'key']);
function isShown(graph: Graph, node: number): boolean {
  return !PARTS.has(graph.kind(node));
}

// Finds failed tests: functions by name, others by title.

/** Worth of the first failed test and of further ones, which often fail for the same reason. */
const FIRST = 1.3;
const FURTHER = 0.85;
/** Most functions of a name that are considered. */
const MAX_NAMED = 4;
/** Most lines of a test that are shown; a longer one is cut at its end. */
const MAX_TEST_LINES = 60;
/** Most test files without functions that are read for titles. */
const MAX_FILES = 12;

interface Failures {
  failed: readonly FailedTest[];
  /** Lines at the places of the task. A test among them is already included. */
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

/** Test functions of that name; those in a matching container come first. */
function functionsOf(graph: Graph, { path, names }: FailedTest): Candidate[] {
  const own = names[names.length - 1];
  const file = path === null ? -1 : fileAt(graph, path);
  const named = graph.nodesNamed(own).filter((node) => isTestCode(graph, node));
  const here = file < 0 ? named : named.filter((node) => graph.fileOf(node) === file);
  const qualified = names.slice(-2).join('.');
  const exact = here.filter((node) => `.${graph.qualifiedName(node)}`.endsWith(`.${qualified}`));
  const matched = exact.length > 0 ? exact : here;
  return matched.length > MAX_NAMED ? [] : matched.map((node) => testOf(graph, node));
}

function testOf(graph: Graph, node: number): Candidate {
  const whole = rangeOf(graph, node);
  const endLine = Math.min(whole.endLine, whole.startLine + MAX_TEST_LINES - 1);
  const symbol = graph.qualifiedName(node);
  return { ...base(graph.path(node)), startLine: whole.startLine, endLine, symbol, node };
}

const base = (path: string) => ({ kind: 'test' as const, path, why: 'failed', value: FIRST });

interface TestFile {
  path: string;
  lines: readonly string[];
}

/** Test files that may hold the titles: those that the report names, then those at the places and in the results. */
async function readTests(graph: Graph, objects: ObjectReader, failures: Failures): Promise<TestFile[]> {
  const { failed, paths, pointedAt } = failures;
  const reported = failed.flatMap(({ path }) => (path === null ? [] : [fileAt(graph, path)]));
  const found = [...pointedAt.map(({ path }) => path), ...paths].map((path) => graph.findFile(path));
  const tests = [...reported, ...found].filter((file) => file >= 0 && isTestCode(graph, graph.fileNode(file)));
  const wanted = [...new Set(tests)].slice(0, MAX_FILES).map((file) => graph.tables.files[file].path);
  const lines = await readLines(graph, objects, wanted);
  return wanted.map((path) => ({ path, lines: lines(path) ?? [] }));
}

/** Call with the title of the test: `it('adds prices', …)`. */
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

/** From a line to the end of its block: the next line that is indented no deeper. */
function block(lines: readonly string[], at: number): Range {
  const depth = indentOf(lines[at]);
  let end = at + 1;
  const last = Math.min(lines.length, at + MAX_TEST_LINES) - 1;
  while (end < last && (lines[end].trim() === '' || indentOf(lines[end]) > depth)) end++;
  return { startLine: at + 1, endLine: Math.min(end, last) + 1 };
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

// Licences at the heads of files: all files of a project share one, and it says nothing about the task.

/** Lines at the head of a file that are examined; the longest common licence in full has fewer. */
const MAX_HEAD_LINES = 60;
const LICENCE = /copyright|\(c\) \d{4}|spdx-|licen[cs]ed? |all rights reserved/i;
const LINE_COMMENT = /^\s*(?:\/\/|#|--|;|%)/;
/** Beginnings and ends of block comments. */
const BLOCKS: readonly (readonly [begin: RegExp, end: string])[] = [
  [/^\s*\/\*/, '*/'],
  [/^\s*<!--/, '-->'],
  [/^\s*\(\*/, '*)'],
];

/** Number of lines of licence comments at the head of a file, with blank lines after them; 0 for none. */
function licenceLines(lines: readonly string[]): number {
  let end = 0;
  for (let at = 0; at < Math.min(lines.length, MAX_HEAD_LINES); ) {
    if (lines[at].trim() === '' || lines[at].startsWith('#!')) {
      at++;
      continue;
    }
    const after = afterComment(lines, at);
    if (after === at || !LICENCE.test(lines.slice(at, after).join('\n'))) break;
    at = after;
    end = after;
  }
  while (end > 0 && end < lines.length && lines[end].trim() === '') end++;
  return end;
}

/** Line after the comment that begins here; the same line if none begins. */
function afterComment(lines: readonly string[], from: number): number {
  const block = BLOCKS.find(([begin]) => begin.test(lines[from]));
  let at = from;
  if (block !== undefined) {
    while (at < lines.length && !lines[at].includes(block[1])) at++;
    return Math.min(lines.length, at + 1);
  }
  while (at < lines.length && LINE_COMMENT.test(lines[at])) at++;
  return at;
}

// Lines and declarations of the files in a pack; each file is read once.

/** Lines of a file; null if unknown. */
export type Lines = (path: string) => readonly string[] | null;

/** Reads files of a graph's snapshot. */
export async function readLines(graph: Graph, objects: ObjectReader, paths: Iterable<string>): Promise<Lines> {
  const known = new Map<string, readonly string[] | null>();
  const reading = [...new Set(paths)].map(async (path) => {
    const file = graph.findFile(path);
    const object = file < 0 ? null : await objects.read(graph.tables.files[file].oid);
    known.set(path, object === null ? null : linesOf(object.content.toString('utf8')));
  });
  await Promise.all(reading);
  return (path) => known.get(path) ?? null;
}

type ResultLines = Pick<SearchResponse['results'][number], 'path' | 'startLine' | 'endLine' | 'content'>;

/** Lines of files in search results: the only source without a graph. */
export function linesOfResults(results: readonly ResultLines[]): Lines {
  const known = new Map<string, string[]>();
  for (const { path, startLine, content = '' } of results) {
    const lines = known.get(path) ?? [];
    known.set(path, lines);
    for (const [i, line] of content.split('\n').entries()) lines[startLine - 1 + i] = line;
  }
  return (path) => known.get(path) ?? null;
}

/** True if the files still hold what the search found. */
export function agree(lines: Lines, results: readonly ResultLines[]): boolean {
  return results.every(({ path, startLine, content = '' }) => {
    const known = lines(path);
    const first = content.split('\n', 1)[0];
    // Chunks can begin and end within a line.
    return known === null || (known[startLine - 1] ?? '').includes(first.replace(/\r$/, ''));
  });
}

/** Declarations of neighbours, except in unreadable files. */
export async function declare(
  graph: Graph,
  source: BlobFactsSource,
  neighbours: readonly Neighbour[],
): Promise<Declaration[]> {
  const files = [...new Set(neighbours.map(({ node }) => graph.fileOf(node)))].map((file) => graph.tables.files[file]);
  await source.prefetch(files);
  const found: Declaration[] = [];
  for (const { node, value, why } of neighbours) {
    const file = graph.fileOf(node);
    const { path, oid } = graph.tables.files[file];
    const [facts, bytes] = [await source.facts({ path, oid }), await source.bytes(oid)];
    const symbol = facts?.symbols[node - graph.fileNode(file) - 1];
    if (symbol === undefined || bytes === null) continue;
    const text = declarationText(signatureText(bytes, symbol), graph.tables.files[file].language);
    found.push({ path, ...rangeOf(graph, node), symbol: graph.qualifiedName(node), why, value, text });
  }
  return found;
}
