/**
 * `pack`: context for a task within a budget of tokens. A task is a sentence, an issue, or the output of a failing
 * test: words to search for, places in files, and names.
 */
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { signs } from '../../base/printable.js';
import type { Graph } from '../../graph/graph.js';
import { isTestCode } from '../../graph/query/node-place.js';
import { coupledFiles, ownersOf, tellingCommits } from '../../history/change-log.js';
import { type Place, placesIn } from '../../search/exact.js';
import { pathMatcher } from '../../search/filter.js';
import { parseQuery } from '../../search/query.js';
import { openFacts } from '../../session/blob-facts.js';
import type { Graphs, PreparedGraph } from '../../session/graph/graphs.js';
import { peopleOf, readChangeLog } from '../../session/history/change-log.js';
import { type Attempt, FileChanged, retried } from '../../session/retry.js';
import type { Searcher } from '../../session/search/searcher.js';
import type { Session } from '../../session/session.js';
import { type OpenTarget, snapshotsOf } from '../../session/snapshot/overlay.js';
import type { Asker } from '../asker.js';
import { readPiped } from '../asker.js';
import { formatCount, quoted, shortName } from '../format.js';
import { mentionedBlocks, noteBlocks, summaryBlocks } from '../graph/graph-text.js';
import { mentionsIn } from '../graph/snapshot-graph.js';
import type { Pen } from '../pen.js';
import { createHighlighter } from '../result-text.js';
import type { SearchResponse } from '../search/question.js';
import { notesOn, summariesOn } from '../shown-knowledge.js';
import { blockLines } from '../view.js';
import {
  agree,
  declare,
  fromFailures,
  fromPlaces,
  fromResults,
  fromTask,
  type Lines,
  linesOfResults,
  readLines,
} from './anchors.js';
import { type Candidate, type Declaration, POINTED_AT, type Range, unite } from './packing.js';
import type { PackResponse, PackValues } from './question.js';
import { type Anchor, isTranslated, nearestCode, neighboursOf, packDocument, supported, testsOf } from './select.js';

/** `task` includes the text of stdin. */
interface PackOptions extends Pick<PackValues, 'ref' | 'committed' | 'path' | 'maxTokens'> {
  task: string;
  tests?: boolean;
  signal?: AbortSignal;
}

export interface PackSources {
  searcher: Pick<Searcher, 'searchIn'>;
  /** Null if no graph is linked yet: then the pack consists of search results. */
  graphs: Pick<Graphs, 'of'> | null;
}

/** The sources of a session. */
export async function openSources(session: Session): Promise<PackSources> {
  const [{ searcherOf }, { graphsOf }] = await Promise.all([
    import('../../session/search/searcher.js'),
    import('../../session/graph/graphs.js'),
  ]);
  return { searcher: searcherOf(session), graphs: graphsOf(session) };
}

/** Search results to choose from: more than can fit. */
const TOKENS_PER_RESULT = 200;
const LEAST_RESULTS = 24;
const MOST_RESULTS = 100;
/** Most neighbours whose declarations are read: each file takes half a millisecond. */
const NEIGHBOURS = 80;
/** UTF-16 units of the task that the answer repeats. */
const MAX_ECHO = 200;

/** Signal that never aborts. */
const NEVER = new AbortController().signal;

/** Throws EMPTY_QUERY, and what searching throws. */
export async function answerPack(at: Asker, values: PackValues): Promise<PackResponse> {
  const { session, command, signal } = at;
  const piped = values.stdin && command !== undefined ? await readPiped(command.io.stdin, signal) : '';
  const task = [values.task ?? '', piped].filter((part) => part.trim() !== '').join('\n');
  if (task === '') throw new SocraticodeError('EMPTY_QUERY', 'the task is empty');
  return runPack(session, { ...values, task, signal }, await openSources(session));
}

/** Throws what searching throws. */
export async function runPack(session: Session, options: PackOptions, sources: PackSources): Promise<PackResponse> {
  const budget = options.maxTokens;
  const task = readTask(options.task);
  return retried(session, options.ref, async (attempt) => {
    const target = await snapshotsOf(session).open(options);
    const found = await search(task, { ...options, budget, target }, { ...sources, attempt });
    const gathered = await gather(session, found, { task, options });
    if (gathered === null && !attempt.isLast) throw new FileChanged();
    const { graph, candidates, declarations, lines } = gathered ?? unlinked(found.response);
    const { ref, commit, coverage, dirty, overlay, told } = found.response;
    const head = { schemaVersion: 1 as const, ref, commit, coverage, dirty, overlay, ...(told && { told }) };
    const highlight = createHighlighter(task.query);
    const material = { graph, candidates, declarations, lines, weigh: (line: string) => highlight(line).length };
    const about = { ...head, task: echoOf(options.task), linked: graph !== null, budget };
    const pack = packDocument(material, about);
    if (graph === null || commit === null || pack.items.length === 0 || budget < LEAST_BUDGET) return pack;
    const past = await pastOf(session, { graph, commit, items: pack.items, signal: options.signal });
    const shown = pack.items.filter(({ kind }) => kind !== 'signature');
    const asker = { session, signal: options.signal ?? NEVER };
    const notes = { ...(await summariesOn(asker, options, shown)), ...(await notesOn(asker, options, shown)) };
    const mentions = found.prepared === null ? {} : await mentionsIn(asker, found.prepared, nodesOf(graph, shown));
    const annotations = { ...notes, ...mentions, ...(past !== null && { past }) };
    return Object.keys(annotations).length === 0 ? pack : packDocument(material, { ...about, ...annotations });
  });
}

/** Definitions in a pack. */
function nodesOf(graph: Graph, items: PackResponse['items']): number[] {
  return items.flatMap(({ kind, path, symbol }) => {
    if (kind !== 'code' || symbol === null) return [];
    const named = graph.nodesNamed(symbol.slice(symbol.lastIndexOf('.') + 1));
    return named.filter((node) => graph.path(node) === path && graph.qualifiedName(node) === symbol);
  });
}

interface Found {
  response: SearchResponse;
  prepared: PreparedGraph | null;
}

async function search(
  task: Task,
  options: PackOptions & { budget: number; target: OpenTarget },
  sources: PackSources & { attempt: Attempt },
): Promise<Found> {
  const { target, path, signal, budget } = options;
  const limit = Math.min(MOST_RESULTS, Math.max(LEAST_RESULTS, Math.round(budget / TOKENS_PER_RESULT)));
  // Waits for both, even if one fails: a running one would start git again after the session is closed.
  const [response, prepared] = await Promise.allSettled([
    sources.searcher.searchIn(target, { query: task.query, path, limit, signal }, sources.attempt),
    linked(sources, target, signal),
  ]);
  if (response.status === 'rejected') throw response.reason;
  if (prepared.status === 'rejected') throw prepared.reason;
  return { response: response.value, prepared: prepared.value };
}

/** Null while the graph is being linked, so that the answer need not wait for it. */
async function linked(
  { graphs }: PackSources,
  target: OpenTarget,
  signal?: AbortSignal,
): Promise<PreparedGraph | null> {
  try {
    return (await graphs?.of(target, { signal })) ?? null;
  } catch (error) {
    if (isSocraticodeError(error, 'NOT_READY')) return null;
    throw error;
  }
}

interface Gathered {
  graph: Graph | null;
  candidates: Candidate[];
  declarations: Declaration[];
  lines: Lines;
}

function unlinked({ results }: SearchResponse): Gathered {
  return { graph: null, candidates: fromResults(null, results), declarations: [], lines: linesOfResults(results) };
}

/** Null if files have changed since the search. */
async function gather(
  session: Session,
  { response, prepared }: Found,
  { task, options }: { task: Task; options: PackOptions },
): Promise<Gathered | null> {
  if (prepared === null) return unlinked(response);
  const { graph, objects } = prepared;
  const { path, tests = true, signal } = options;
  const isWanted = path?.length ? pathMatcher(path) : () => true;
  const { results } = response;
  const places = fromPlaces(graph, task.places);
  const paths = results.map((result) => result.path);
  const failed = await fromFailures(graph, objects, { failed: task.failed, pointedAt: places, paths });
  const found = unite(fromTask(graph, task, { pointedAt: [...places, ...failed], results }));
  const wanted = found.filter(
    (each) => isWanted(each.path) && (tests || each.kind === 'code') && !isTranslated(graph, each.path),
  );
  const anchors = anchorsOf(graph, wanted);
  const reaching = tests ? testsOf(graph, anchors).filter((test) => isWanted(test.path)) : [];
  const around = neighboursOf(graph, anchors);
  const near = around.near.filter(({ node }) => isWanted(graph.path(node)));
  const candidates = [...supported(wanted, around.support), ...nearestCode(graph, near), ...reaching];
  const lines = await readLines(
    graph,
    objects,
    candidates.map((each) => each.path),
  );
  if (!agree(lines, response.results)) return null;
  const source = await openFacts(session, prepared, { count: NEIGHBOURS, signal });
  try {
    const matching = anchors.map((anchor) => ({ ...anchor, why: 'matches' }));
    const definitions = [...near, ...matching].sort((a, b) => b.value - a.value).slice(0, NEIGHBOURS);
    const declarations = await declare(graph, source, definitions);
    return { graph, candidates, declarations, lines };
  } finally {
    await source.close();
  }
}

/** Definitions that the task is about, each once, with its relevant lines. Tests count only if the task points at them. */
function anchorsOf(graph: Graph, candidates: readonly Candidate[]): Anchor[] {
  const found = new Map<number, { node: number; value: number; ranges: Range[] }>();
  for (const { node, value, startLine, endLine } of candidates) {
    const isFound = value < POINTED_AT;
    if (node < 0 || graph.isFile(node) || (isFound && isTestCode(graph, node))) continue;
    const anchor = found.get(node) ?? { node, value: 0, ranges: [] };
    anchor.value = Math.max(anchor.value, value);
    anchor.ranges.push({ startLine, endLine });
    found.set(node, anchor);
  }
  return [...found.values()];
}

function echoOf(task: string): string {
  const line = task.replace(/\s+/g, ' ').trim();
  return line.length > MAX_ECHO ? `${line.slice(0, MAX_ECHO)}${signs.cut}` : line;
}

// History of the files in a pack: files that usually change with them, and their owners.

type Past = NonNullable<PackResponse['past']>;

/** Most entries of each list: about 100 tokens together. */
const MAX_COUPLED = 3;
const MAX_OWNERS = 2;
/** Smallest budget with room for them. */
const LEAST_BUDGET = 1_500;
/** Most files whose owners are named, those with most code in the pack. */
const MAX_FILES = 5;

interface Packed {
  graph: Graph;
  commit: string;
  items: PackResponse['items'];
  signal?: AbortSignal;
}

/** Null if the history says nothing or cannot be read, since a pack is useful without it. Throws CANCELLED. */
async function pastOf(session: Session, { graph, commit, items, signal }: Packed): Promise<Past | null> {
  try {
    const log = await readChangeLog(session, { tip: commit, signal });
    const telling = tellingCommits(log);
    const coupled = coupledFiles(telling, new Set(items.map(({ path }) => path)))
      .filter(({ path }) => graph.findFile(path) >= 0)
      .slice(0, MAX_COUPLED)
      .map(({ path, with: changed, together, of }) => ({ path, with: changed, together, of }));
    const people = await peopleOf(session, log.commits, signal);
    const owners = ownersOf(telling, new Set(mainFiles(items)), people).slice(0, MAX_OWNERS);
    return coupled.length + owners.length === 0 ? null : { coupled, owners };
  } catch (error) {
    if (!isSocraticodeError(error) || error.code === 'CANCELLED') throw error;
    return null;
  }
}

function mainFiles(items: PackResponse['items']): string[] {
  const tokens = new Map<string, number>();
  for (const { path, kind, tokens: each } of items)
    if (kind === 'code') tokens.set(path, (tokens.get(path) ?? 0) + each);
  const files = [...tokens].sort(([, a], [, b]) => b - a).map(([path]) => path);
  return files.slice(0, MAX_FILES);
}

// Text of a pack: a heading for each file, code without line numbers (which would cost a tenth more), and lists.

type Item = PackResponse['items'][number];

export function packText(pack: PackResponse, pen: Pen): string {
  const { items, linked, tokens, budget } = pack;
  const lines: string[] = [];
  let path: string | null = null;
  for (const item of items) {
    if (item.path !== path) {
      if (path !== null) lines.push('');
      lines.push(pen.path(item.path));
      path = item.path;
    }
    lines.push(...itemLines(item, pen));
  }
  if (items.length === 0) lines.push(pen.words.noResults);
  if (!linked) lines.push('', 'Callers, callees and tests are missing: the graph is not linked yet.');
  lines.push(
    '',
    ...pastLines(pack),
    ...blockLines(mentionedBlocks(pack.mentionedIn, pen), pen).slice(1),
    ...blockLines([...summaryBlocks(pack.summaries), ...noteBlocks(pack.notes)], pen),
    ...droppedLines(pack, pen),
    ...(pack.told ?? []),
    pen.dim(`${tokens} of ${budget} tokens`),
  );
  return `${lines.join('\n')}\n`;
}

function itemLines({ kind, path, startLine, endLine, symbol, why, content }: Item, pen: Pen): string[] {
  if (kind === 'signature') return content.split('\n').map((line) => `  ${line}`);
  const name = symbol === null ? '' : ` ${pen.symbol(shortName(symbol, path))}`;
  const head = `${pen.line(`${startLine}-${endLine}`)}${name} ${pen.dim(`(${why})`)}`;
  return [head, quoted(content)];
}

/** Length of the day in an ISO 8601 date. */
const DAY = 10;

function pastLines({ past }: PackResponse): string[] {
  if (past === undefined) return [];
  const { coupled, owners } = past;
  const files = coupled.map(
    ({ path, with: changed, together, of }) => `  ${path} (in ${together} of ${of} commits of ${changed})`,
  );
  const people = owners.map(({ author, commits, share, last }) => {
    const until = last === null ? '' : `, last ${last.slice(0, DAY)}`;
    return `${author} (${formatCount(commits, 'commit')}, ${Math.round(share * 100)}%${until})`;
  });
  return [
    ...(files.length > 0 ? ['Usually also changes:', ...files] : []),
    ...(people.length > 0 ? [`Who knows this: ${people.join(', ')}`] : []),
  ];
}

/** Most unselected places that get a line each. */
const MAX_LISTED = 20;

function droppedLines({ dropped }: PackResponse, pen: Pen): string[] {
  const { list, leftOut } = dropped;
  if (list.length + leftOut === 0) return [];
  const shown = list.slice(0, MAX_LISTED).map(({ path, startLine, endLine, symbol, tokens, why }) => {
    const name = symbol === null ? '' : ` ${shortName(symbol, path)}`;
    return `  ${pen.path(path)}:${startLine}-${endLine}${name} ${pen.dim(`(${why}, ${tokens})`)}`;
  });
  const rest = leftOut + list.length - shown.length;
  const more = rest > 0 ? [`  ${signs.cut} and ${rest} more`] : [];
  return [`Left out, with tokens: ${formatCount(list.length + leftOut, 'place')}`, ...shown, ...more];
}

export interface Task {
  /** Query of the search. */
  query: string;
  /** Places, the failure before its callers. */
  places: Place[];
  /** Names written as identifiers, with qualifiers: `Cart.total`. */
  names: string[];
  /** Tests that a report calls failed. */
  failed: FailedTest[];
}

/** Longest query. Longer ones are slower and say less: people ask at the beginning. */
const MAX_QUERY = 600;
const MAX_NAMES = 32;

/** Lines of a trace: their places count, their words do not. */
const FRAME =
  /^\s*(?:at\s.+[:(]\d+|File "[^"]+", line \d+|#\d+\s|\.{3} \d+ more|goroutine \d+|\S+\.go:\d+( \+0x|$)|\d+: +0x)/;

/** Names of several words, and qualified names. */
const COMPOUND = /[a-z\d][A-Z]|[^\W_]_|\./;

export function readTask(text: string): Task {
  const lines = text.split(/\r?\n/);
  const prose = lines.filter((line) => !FRAME.test(line)).join('\n');
  const places = placesIn(text);
  // Frames of a trace are found by place, so their names are not looked up.
  const found = namesIn(places.length > 0 ? prose : text);
  const failed = failedTests(lines);
  // Words of reports, such as `Error:` and `Test:`, are no names of the code.
  const names = failed.length === 0 ? found : found.filter((name) => COMPOUND.test(name));
  return { query: queryOf(prose.trim() === '' ? text : prose, names), places, names, failed };
}

function namesIn(text: string): string[] {
  const found = new Set<string>();
  const last = new Set(parseQuery(text.slice(0, MAX_NAMED)).identifiers);
  for (const [name] of text
    .slice(0, MAX_NAMED)
    .matchAll(/[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*/gu)) {
    const parts = name.split(/\.|::|#|->/);
    const own = parts[parts.length - 1];
    if (last.has(own) && own.length >= MIN_NAME) found.add(parts.join('.'));
    if (found.size >= MAX_NAMES) break;
  }
  return [...found];
}

/** Characters of a task that are searched for names. */
const MAX_NAMED = 20_000;
const MIN_NAME = 3;

function queryOf(prose: string, names: readonly string[]): string {
  if (prose.length <= MAX_QUERY) return prose;
  const head = prose.slice(0, MAX_QUERY).replace(/\S*$/, '');
  // Names follow: they say most about the rest of the task.
  const further = names.filter((name) => !head.includes(name)).slice(0, 12);
  return [head || prose.slice(0, MAX_QUERY), ...further].join(' ');
}

// Finds failed tests in the reports of test runners.

export interface FailedTest {
  /** File of the test as reported; null if none is named. */
  path: string | null;
  /** Names from the outside in: class and method, modules and function, titles. */
  names: string[];
}

/** Most failed tests that are read: if more fail, the first ones show the common cause. */
const MAX_FAILED = 12;
/** Longest line that can be a heading of a report. */
const MAX_LINE = 1_000;

interface Report {
  pattern: RegExp;
  /** Separator of names. */
  between: string | RegExp;
}

/** Patterns of lines, with the groups `path` and `name`. */
const REPORTS: readonly Report[] = [
  // pytest
  { pattern: /^(?:FAILED|ERROR) (?<path>[^\s:]+\.py)::(?<name>[^\s[]+)/, between: '::' },
  { pattern: /^(?<path>[^\s:]+\.py)::(?<name>[^\s[]+)\S* (?:FAILED|ERROR)\b/, between: '::' },
  // unittest
  { pattern: /^(?:FAIL|ERROR): (?<name>\w+) \(/, between: '.' },
  // go test: subtests have no function of their own
  { pattern: /^\s*--- FAIL: (?<name>[^\s/]+)/, between: '.' },
  // cargo test
  { pattern: /^test (?<name>[\w:]+)(?: - should panic)? \.\.\. FAILED/, between: '::' },
  { pattern: /^---- (?<name>[\w:]+) stdout ----/, between: '::' },
  { pattern: /^thread '(?!main')(?<name>[\w:]+)' (?:\(\d+\) )?panicked at/, between: '::' },
  // Vitest, then Jest, which names the file on a line of its own
  { pattern: /^\s*(?:FAIL|×)\s+(?<path>\S+\.\w+) > (?<name>.+)$/, between: ' > ' },
  { pattern: /^\s*FAIL\s+(?<path>\S+\.\w+)(?: \([\d.]+ m?s\))?$/, between: '' },
  { pattern: /^\s*● (?<name>.+)$/, between: ' › ' },
  // node:test and TAP
  { pattern: /^\s*not ok \d+ - (?<name>.+)$/, between: ' > ' },
  { pattern: /^\s*✖ (?<name>.+?) \([\d.]+ms\)$/, between: ' > ' },
  // Gradle, Maven, .NET, PHPUnit
  { pattern: /^(?<name>\w+ > \w+)(?:\(\))? FAILED$/, between: ' > ' },
  { pattern: /^\[ERROR\]\s+(?<name>\w+\.\w+):\d+/, between: '.' },
  { pattern: /^\s*Failed (?<name>[\w.]+)(?:\(.*\))? \[/, between: '.' },
  { pattern: /^\d+\) (?<name>[\w\\]+::\w+)/, between: /\\|::/ },
];

/** Failed tests in the order in which the lines first name them. */
function failedTests(lines: readonly string[]): FailedTest[] {
  const found = new Map<string, FailedTest>();
  let file: string | null = null;
  for (const line of lines) {
    if (line.length > MAX_LINE || found.size >= MAX_FAILED) continue;
    for (const { pattern, between } of REPORTS) {
      const groups = pattern.exec(line)?.groups;
      if (groups === undefined) continue;
      const { path, name } = groups as { path?: string; name?: string };
      if (name === undefined) file = path ?? null;
      else remember(found, { path: path ?? file, names: name.trim().split(between) });
      break;
    }
  }
  return [...found.values()];
}

/** Joins tests that a report names more than once: its summary often adds the file. */
function remember(found: Map<string, FailedTest>, test: FailedTest): void {
  const key = test.names.join('\0');
  const known = found.get(key);
  if (known === undefined) found.set(key, test);
  else known.path ??= test.path;
}
