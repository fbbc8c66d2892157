/** Definitions that a task is about, from search results and from the places and names in its text. */
import type { Graph } from '../../../graph/graph.js';
import { pathsEnding } from '../../../graph/query/paths.js';
import { classOf, isProduction, isTestCode } from '../../../graph/query/place.js';
import { isPlain, isType, lastNodeOf } from '../../../graph/query/uses.js';
import type { SearchResponse } from '../../search/output.js';
import type { Task } from '../task/read.js';
import type { Candidate } from './candidate.js';
import { licenceLines } from './licence.js';
import { meets, type Range } from './lines.js';

type Result = Pick<
  SearchResponse['results'][number],
  'path' | 'startLine' | 'endLine' | 'symbol' | 'score' | 'kind' | 'content'
>;

/** A definition of more lines is shown as the chunk that was found, not as a whole. */
const MAX_LINES = 120;
/** Lines around a place that is in no definition. */
const AROUND = 8;
/** So many frames of a trace are shown as whole definitions. The callers further out only hand on what they were given. */
const WHOLE_PLACES = 4;
/** Lines around the line of a further frame. */
const AROUND_CALLER = 3;
/** Most definitions of a name that are considered: a more frequent name does not tell which one is meant. */
const MAX_DEFINITIONS = 6;

/** A place is what the task points at with its finger: the first frame of a trace most of all, the first four before all else. */
const PLACE_VALUE = 1.3;
const LATER_PLACE = 0.95;
const NAME_VALUE = 0.75;

/** Search results, each as the definition it is a part of where that is not much longer. */
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

/** A result without the licence at its head; none where nothing is left. */
function withoutLicence(result: Result): Result[] {
  if (result.startLine > 1) return [result];
  const lines = (result.content ?? '').split('\n');
  const skipped = licenceLines(lines);
  return skipped > 0 && skipped === lines.length ? [] : [{ ...result, startLine: result.startLine + skipped }];
}

/** The definition that a chunk is about: it begins with its comment, and may hold another one. */
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

/** By score, and by rank: scores alone say little where all are close together. */
function worth(share: number, rank: number): number {
  return 0.5 * share + 0.5 / (1 + rank * RANK_DECAY);
}
const RANK_DECAY = 0.12;

/** Definitions that the task points at or names, and what the search found for its words. */
export function fromTask(
  graph: Graph,
  { names, failed }: Pick<Task, 'names' | 'failed'>,
  { pointedAt, results }: { pointedAt: readonly Candidate[]; results: readonly Result[] },
): Candidate[] {
  const isTrace = pointedAt.length >= LEAST_FRAMES || failed.length > 0;
  const found = fromResults(graph, isTrace ? results.filter(({ path }) => definesSomething(graph, path)) : results);
  const matching = isTrace ? found.map((each) => ({ ...each, value: each.value * BESIDE_TRACE })) : found;
  const worthy = matching.filter(({ value }) => !isTrace || value >= LEAST_BESIDE_TRACE);
  return [...pointedAt, ...names.flatMap((name) => fromName(graph, name)), ...worthy];
}

/** Code fails: files of settings, such as `go.mod`, have the words of a trace and say nothing of it. */
function definesSomething(graph: Graph, path: string): boolean {
  const file = graph.findFile(path);
  if (file < 0 || ['document', 'data'].includes(classOf(graph, file) ?? '')) return false;
  const node = graph.fileNode(file);
  return lastNodeOf(graph, node) > node + 1;
}

/** A trace says where to look; its words ("object has no attribute") are those of the runtime and match anything. */
const LEAST_FRAMES = 2;
const BESIDE_TRACE = 0.45;
/** Leaves the first six to eight results. */
const LEAST_BESIDE_TRACE = 0.3;

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
  /** Of the file. */
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

/** A file by its path, or by as much of its end as the repository has: traces name absolute ones of other machines. */
export function fileAt(graph: Graph, path: string): number {
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
  const meant = own.length > 0 ? own : exact;
  if (meant.length > MAX_DEFINITIONS) return [];
  return meant.flatMap((node) => {
    const whole = rangeOf(graph, node);
    const kind = isTestCode(graph, node) ? 'test' : 'code';
    const value = NAME_VALUE / Math.sqrt(meant.length);
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

/** The innermost definition around these lines; the file where there is none. */
function enclosing(graph: Graph, file: number, { startLine, endLine }: Range): number {
  const first = graph.fileNode(file);
  let found = first;
  for (let node = first + 1; node < lastNodeOf(graph, first) && graph.startLine(node) <= startLine; node++)
    if (graph.endLine(node) >= endLine && isShown(graph, node)) found = node;
  return found;
}

/** Values and fields are shown with the definition around them. */
const PARTS: ReadonlySet<string> = new Set(['field', 'property', 'enum-member', 'key']);
function isShown(graph: Graph, node: number): boolean {
  return !PARTS.has(graph.kind(node));
}
