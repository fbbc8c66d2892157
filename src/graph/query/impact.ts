/**
 * Impact of changes, of each and of all together: users and their users, hop by hop, the tests to run, and how much
 * attention the change deserves.
 */
import { groupBy } from '../../base/lists.js';
import { groupDigits } from '../../base/printable.js';
import { conventionsOf, sameFamily } from '../../languages/registry.js';
import type { DanglingUse, Mismatch } from '../../questions/graph/changes/output.js';
import type { Affected, ChangeImpact, Hop, Impact, RemovedUses } from '../../questions/graph/impact/question.js';
import type { Graph } from '../graph.js';
import type { EdgeKind } from '../tables.js';
import { folderOf, readUnseen, runUnseen, usedUnseen } from './entry-patterns.js';
import { cut, isInnerTest, isRunnableTest, isTestCode, placeOf, type Some, topFolder } from './node-place.js';
import { wordsOf } from './target.js';
import { type RanTest, ranFirst, reachingTests, type TestsToRun, testsToRun } from './tests-to-run.js';
import {
  countTestsImporting,
  possibleUses,
  type ReachingTest,
  resolvedCalls,
  TEST_DEPTH,
  type User,
  usesAbove,
  walkUsers,
} from './users.js';
import { filesOfParts, isFunction, isPlain, isType, outgoing, overridersOf, withInside } from './uses.js';

export interface ImpactOptions {
  depth: number;
  minConfidence: number;
  limit: number;
  /** Applies the limit to each hop, so that lists can be read page by page. Default: to all hops together. */
  perHop?: boolean;
  /** Do the members of a type or a file change with it? Default: yes. */
  membersToo?: boolean;
  /** Nodes whose uses may have been missed; default: all. Added ones are left out, since nothing could mean them before. */
  doubted?: readonly number[];
  /** Nodes of changed files, if more than definitions changed: tests that a script calls have none (`test('…', () => …)`). */
  differing?: readonly number[];
  /** Nodes that only their own files can name. */
  fileOwn?: ReadonlySet<number>;
  /** Looks for tests that may run it, too: walks forward from tests. */
  mayRun?: boolean;
  /** Tests that evidence says ran one of the nodes. */
  ran?: (graph: Graph, nodes: readonly number[]) => readonly RanTest[];
}

/** Impact of a change of `nodes`. A file includes everything in it, a type its members. */
export function impactOf(graph: Graph, nodes: readonly number[], options: ImpactOptions): Impact {
  const { own, will, may, ran } = reachedBy(graph, nodes, options);
  const names = nodes.filter((node) => !graph.isFile(node));
  const someTest = will.length > 0 ? undefined : ran.find(({ path }) => path === null)?.by;
  const risk = riskOf(graph, nodes, { users: own, tests: will.length, someTest });
  return {
    affected: own.length,
    files: new Set(own.map(({ node }) => graph.fileOf(node))).size,
    risk: risk.level === 'low' ? doubted(risk, doubtsAbout(graph, options.doubted ?? nodes, options.fileOwn)) : risk,
    hops: hopsOf(graph, own, options),
    tests: cut(will, options.limit),
    ...(options.mayRun && { mayRun: cut(may, options.limit) }),
    possible: new Set(names.flatMap((node) => usesInReach(graph, node, options.fileOwn))).size,
  };
}

interface Reached extends TestsToRun {
  /** Users within the depth that is asked for, without tests. */
  own: User[];
  ran: readonly RanTest[];
}

function reachedBy(graph: Graph, nodes: readonly number[], options: ImpactOptions): Reached {
  const { membersToo = true, differing = [], depth } = options;
  const seeds = membersToo ? [...withInside(graph, nodes)] : [...nodes];
  const users = walkUsers(graph, seeds, { ...options, depth: Math.max(depth, TEST_DEPTH) });
  const known = changedTestFiles(graph, [...nodes, ...differing]);
  const ran = options.ran?.(graph, seeds) ?? [];
  const tests = testsOf(graph, seeds, { users, known, ran, isWhole: options.mayRun === true });
  return { own: users.filter(({ hop, node }) => hop <= depth && !isTestCode(graph, node)), ran, ...tests };
}

interface KnownTests {
  users: readonly User[];
  known: readonly ReachingTest[];
  ran: readonly RanTest[];
  isWhole: boolean;
}

function testsOf(graph: Graph, nodes: readonly number[], { users, known, ran, isWhole }: KnownTests): TestsToRun {
  if (isWhole) return testsToRun(graph, nodes, { users, known, ran });
  const paths = new Set(known.map(({ path }) => path));
  const reaching = reachingTests(graph, nodes, users).filter(({ path }) => !paths.has(path));
  return { will: ranFirst([...known, ...reaching], ran), may: [] };
}

/** Test files that change: they should run whether or not something uses them. */
function changedTestFiles(graph: Graph, nodes: readonly number[]): ReachingTest[] {
  const changed = nodes
    .map((node) => ({ node, file: graph.fileOf(node) }))
    .filter(({ node, file }) => isRunnableTest(graph, file) || isInnerTest(graph, node, file));
  const files = [...new Set(changed.map(({ file }) => file))];
  return files.map((file) => ({ path: graph.tables.files[file].path, symbol: null, hops: 0, line: 1 }));
}

/** Cuts the users into hops, nearest and surest first. */
function hopsOf(graph: Graph, users: readonly User[], { limit, perHop = false }: ImpactOptions): Hop[] {
  const byHop = groupBy(users, ({ hop }) => hop);
  let room = limit;
  return [...byHop].map(([hop, list]) => {
    list.sort((a, b) => b.confidence - a.confidence || a.node - b.node);
    const shown = list.slice(0, room);
    if (!perHop) room -= shown.length;
    return { hop, affected: shown.map((user) => affectedOf(graph, user)), leftOut: list.length - shown.length };
  });
}

function affectedOf(graph: Graph, { node, how, line, confidence, via, isLikely }: User): Affected {
  return {
    ...placeOf(graph, node),
    use: how,
    line,
    confidence: Math.round(confidence * 100) / 100,
    via: graph.qualifiedName(via),
    ...(isLikely && { likely: true as const }),
  };
}

export interface ChangedSymbol {
  node: number;
  change: 'added' | 'changed' | 'moved' | 'renamed';
  /** True if its declaration differs. */
  signature?: boolean;
  /** Its former name, if it was renamed. */
  was?: string;
  /** True for a type whose own body differs beside members that do: its users are left out of the sum of all changes. */
  ownBody?: true;
}

export interface RemovedSymbol {
  path: string;
  symbol: string;
  kind: string;
  /** True if no other file can name it. */
  isLocal?: boolean;
  /** Is there evidence that a use of its name on this receiver, in this file, meant it? Absent: each use may have. */
  mayMean?: (receiver: string, path: string) => boolean;
}

interface ChangesImpact {
  together: Impact;
  symbols: Some<ChangeImpact>;
  removed: Some<RemovedUses>;
}

export interface ChangesOptions extends ImpactOptions {
  /** Limit of the lists of each single change; default: `limit`. */
  limitInside?: number;
}

/** Maximum number of changes that are examined one by one: of a larger set only the sum is worth reading. */
const MAX_EACH = 500;
const MAX_USES = 5;

export function impactOfChanges(
  graph: Graph,
  changes: { symbols: readonly ChangedSymbol[]; removed: readonly RemovedSymbol[]; paths?: ReadonlySet<string> },
  options: ChangesOptions,
): ChangesImpact {
  const nodes = changes.symbols.filter(({ ownBody }) => !ownBody).map(({ node }) => node);
  const { limit, limitInside = limit } = options;
  // Runners call tests, so a use of a test that may have been missed is no doubt about the change.
  const older = changes.symbols
    .filter(({ node, change }) => change !== 'added' && !isTestCode(graph, node))
    .map(({ node }) => node);
  // A member that changes is a change of its own.
  const ofAll = { ...options, membersToo: false, doubted: older };
  const optionsOf = ({ node, change }: ChangedSymbol) => {
    return { ...ofAll, limit: limitInside, doubted: change === 'added' ? [] : [node], membersToo: graph.isFile(node) };
  };
  const ranked = mostReaching(graph, changes.symbols.slice(0, MAX_EACH), { limit, optionsOf });
  const list = ranked.map((one): ChangeImpact => {
    const { node, change, was, ownBody } = one;
    const former = { ...(was !== undefined && { was }), ...(ownBody === true && { ownBody }) };
    return { ...placeOf(graph, node), change, ...former, ...impactOf(graph, [node], optionsOf(one)) };
  });
  const removed = changes.removed.map(({ isLocal, mayMean, ...gone }) => {
    return { ...gone, uses: cut(isLocal ? [] : danglingPlaces(graph, { ...gone, mayMean }), MAX_USES) };
  });
  removed.sort((a, b) => b.uses.list.length - a.uses.list.length);
  return {
    together: impactOf(graph, withFiles(graph, nodes), {
      ...ofAll,
      mayRun: true,
      differing: filesOf(graph, changes.paths ?? new Set()),
    }),
    symbols: { list, leftOut: changes.symbols.length - list.length },
    removed: cut(removed, limit),
  };
}

/** Changes in the order of what they reach: most users, then most tests; types whose own body alone differs come last. */
function mostReaching(
  graph: Graph,
  changes: readonly ChangedSymbol[],
  { limit, optionsOf }: { limit: number; optionsOf: (one: ChangedSymbol) => ImpactOptions },
): ChangedSymbol[] {
  // Most of a large change is not listed, so its risks, hops and doubts are not asked for.
  const ranked = changes.map((change) => {
    const { own, will } = reachedBy(graph, [change.node], optionsOf(change));
    return { change, isOwn: Number(change.ownBody === true), users: own.length, tests: will.length };
  });
  ranked.sort((a, b) => a.isOwn - b.isOwn || b.users - a.users || b.tests - a.tests);
  return ranked.slice(0, limit).map(({ change }) => change);
}

/** Changed nodes; a file that moved, or whose symbols are not known, with all that is in it. */
const withFiles = (graph: Graph, nodes: readonly number[]): number[] =>
  nodes.flatMap((node) => (graph.isFile(node) ? [...withInside(graph, [node])] : [node]));

function filesOf(graph: Graph, paths: ReadonlySet<string>): number[] {
  const files = [...paths].map((path) => graph.findFile(path)).filter((file) => file >= 0);
  return files.map((file) => graph.tables.nodeBase[file]);
}

function danglingPlaces(graph: Graph, { path, symbol, mayMean }: RemovedSymbol): { path: string; line: number }[] {
  const file = graph.findFile(path);
  const language = file < 0 ? null : graph.tables.files[file].language;
  const named = danglingUses(graph, { symbol, language });
  const edges = named.filter((edge) => mayMean?.(graph.edge(edge).receiver, graph.path(graph.source(edge))) ?? true);
  return edges.map((edge) => ({ path: graph.path(graph.source(edge)), line: graph.tables.edgeLine[edge] }));
}

/**
 * Edges without a target that have the name of a removed definition. A plain name that nothing defines any more looks
 * like a global name of the language.
 */
export function danglingUses(
  graph: Graph,
  { symbol, language }: { symbol: string; language: string | null },
): readonly number[] {
  const words = wordsOf(symbol);
  const name = words[words.length - 1] ?? symbol;
  const isSame = (other: string) => language === null || sameFamily(language, other);
  return graph.danglingEdges(name).filter((edge) => {
    const { from, tier, receiver } = graph.edge(edge);
    const isGlobal = tier === 'external' && receiver === '' && words.length === 1;
    return (tier === 'unresolved' || isGlobal) && isSame(graph.tables.files[graph.fileOf(from)].language);
  });
}

/**
 * Marks types whose own body differs (a setting in a Ruby class) beside members that differ and are known to be used.
 * The users of these members show what the change affects, but most code that names the type is not affected. A type
 * with other parents stays as it is.
 */
export function markOwnBodies(old: Graph, now: Graph, symbols: readonly ChangedSymbol[]): ChangedSymbol[] {
  const holding = new Set<number>();
  for (const { node, change } of symbols) {
    if (change === 'added' || now.isFile(node)) continue;
    for (let at = now.container(node); !now.isFile(at); at = now.container(at)) holding.add(at);
  }
  return symbols.map((symbol) => {
    const { node, change, signature } = symbol;
    const isOwn = change === 'changed' && !signature && isType(now, node) && holding.has(node);
    return isOwn && hasSameParents(old, now, node) ? { ...symbol, ownBody: true } : symbol;
  });
}

function hasSameParents(old: Graph, now: Graph, node: number): boolean {
  const file = old.findFile(now.path(node));
  if (file < 0) return false;
  const name = now.qualifiedName(node);
  for (let at = old.fileNode(file) + 1; at < old.tables.nodeBase[file + 1]; at++)
    if (old.name(at) === now.name(node) && old.qualifiedName(at) === name)
      return parentNames(old, at) === parentNames(now, node);
  return false;
}

function parentNames(graph: Graph, node: number): string {
  const { edgeName, strings } = graph.tables;
  const isParent = (edge: number) => PARENT_KINDS.has(graph.edgeKind(edge));
  return [...outgoing(graph, node)]
    .filter(isParent)
    .map((edge) => strings[edgeName[edge]])
    .sort()
    .join(' ');
}

const PARENT_KINDS: ReadonlySet<EdgeKind> = new Set(['extends', 'implements']);

// Risk: points with their reasons.

type Risk = Impact['risk'];
type Level = Risk['level'];

const RISK_LEVELS: readonly Level[] = ['low', 'medium', 'high', 'critical'];

/** Minimum points of a medium, high and critical risk. */
const LEAST_POINTS: readonly number[] = [2, 4, 6];

/** Numbers of direct users with their points: more than one person can oversee, more than a review can, and beyond. */
const DIRECT_POINTS: readonly [above: number, points: number][] = [
  [20, 2],
  [5, 1],
];
const FILE_POINTS: readonly [above: number, points: number][] = [
  [50, 3],
  [15, 2],
  [3, 1],
];
/** Minimum resolved share of a language's calls: with less, a missing use proves nothing. */
const MIN_RESOLVED_CALLS = 0.5;
/** Minimum number of affected top folders that concern several people. */
const MANY_FOLDERS = 4;

/** Risk of a change by its users. `users` is without tests. */
function riskOf(
  graph: Graph,
  nodes: readonly number[],
  { users, tests, someTest }: { users: readonly User[]; tests: number; someTest: string | undefined },
): Risk {
  const direct = users.filter(({ hop }) => hop === 1).length;
  const files = new Set(users.map(({ node }) => graph.fileOf(node)));
  const own = new Set(nodes.map((node) => graph.fileOf(node)));
  const outside = [...files].filter((file) => !own.has(file));
  const paths = outside.map((file) => graph.tables.files[file].path);
  const folders = new Set(paths.map(folderOf));
  const reasons: string[] = [];
  let points = pointsFor(direct, DIRECT_POINTS) + pointsFor(outside.length, FILE_POINTS);
  if (direct > 0) reasons.push(`${plural(direct, 'direct user')}`);
  if (outside.length > 0) reasons.push(`${plural(outside.length, 'other file')} in ${plural(folders.size, 'folder')}`);
  if (new Set(paths.map(topFolder)).size >= MANY_FOLDERS) points++;
  const exported = nodes.some((node) => !graph.isFile(node) && graph.isExported(node));
  if (exported && outside.length > 0) points++;
  // The program decides while it runs which member a call means, so the calls do not show all users.
  if (users.some(({ hop, how }) => hop === 1 && how === 'overrides')) {
    points++;
    reasons.push('called through what it overrides');
  }
  const overriders = overridersAmong(graph, nodes);
  if (overriders > 0) {
    points++;
    reasons.push(`${plural(overriders, 'member')} override${overriders === 1 ? 's' : ''} it`);
  }
  if (exported) reasons.push('exported');
  const isUntested = tests === 0 && someTest === undefined;
  if (isUntested && users.length > 0) points++;
  reasons.push(isUntested ? untested(graph, own) : testedBy(tests, someTest));
  const level = RISK_LEVELS[LEAST_POINTS.filter((least) => points >= least).length];
  return { level, reasons, ...(someTest !== undefined && { someTest }) };
}

const testedBy = (tests: number, someTest: string | undefined): string =>
  tests === 0 ? `some test ran it, ${someTest}` : `${plural(tests, 'test file')} reach${tests === 1 ? 'es' : ''} it`;

/** Number of members that stand in for one of the nodes: other parameters of it need others there. */
function overridersAmong(graph: Graph, nodes: readonly number[]): number {
  const found = new Set(nodes.flatMap((node) => (isFunction(graph, node) ? [...overridersOf(graph, node)] : [])));
  for (const node of nodes) found.delete(node);
  return [...found].filter((node) => !isTestCode(graph, node)).length;
}

/** Makes a low risk an unknown one, and adds the reasons why uses may have been missed; they come after the first of an unknown risk. */
export function doubted(risk: Risk, reasons: readonly string[]): Risk {
  const { level, reasons: before } = risk;
  if ((level !== 'low' && level !== 'unknown') || reasons.length === 0) return risk;
  const at = level === 'low' ? 0 : 1;
  // Overloads share one risk, and have the same lines with their name.
  const all = new Set([...before.slice(0, at), ...reasons, ...before.slice(at)]);
  return { ...risk, level: 'unknown', reasons: [...all] };
}

/** A name that code uses without quotes. */
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

function needsQuotes(graph: Graph, node: number): boolean {
  const { language } = graph.tables.files[graph.fileOf(node)];
  return conventionsOf(language).quotedNames === true && !IDENTIFIER.test(graph.name(node));
}

/** Possible uses of a node; of one that only its file can name, those in its file, or in the files with the parts of its type. */
function usesInReach(graph: Graph, node: number, fileOwn: ReadonlySet<number> = new Set()): number[] {
  const edges = possibleUses(graph, node);
  if (!fileOwn.has(node)) return edges;
  const own = filesOfParts(graph, node);
  return edges.filter((edge) => own.has(graph.fileOf(graph.source(edge))));
}

/** Reasons why uses of nodes may be missing in the graph. Callers look for text that names the nodes. Uses in tests raise no risk. */
function doubtsAbout(graph: Graph, nodes: readonly number[], fileOwn?: ReadonlySet<number>): string[] {
  const names = nodes.flatMap((node) => (graph.isFile(node) ? [...withInside(graph, [node])].slice(1) : [node]));
  const inCode = (node: number) =>
    usesInReach(graph, node, fileOwn).filter(
      (edge) => isTestCode(graph, node) || !isTestCode(graph, graph.source(edge)),
    );
  const possible = new Set(names.flatMap(inCode)).size;
  const reasons = new Set<string>();
  if (possible > 0)
    reasons.add(
      `${plural(possible, 'use')} of ${names.length === 1 ? 'its name' : 'their names'} could not be resolved`,
    );
  for (const node of nodes) {
    // Users of a member that it overrides are users of this one, and counted as such.
    const above = graph.isFile(node) ? [] : usesAbove(graph, node).mayRun.map(({ edge }) => edge);
    const isUsed = [...graph.incoming(node), ...above].some((edge) => !isTestCode(graph, graph.source(edge)));
    for (const reason of [
      isUsed || graph.isFile(node) ? null : runUnseen(graph, node),
      readUnseen(graph, node, isUsed),
    ])
      if (reason !== null) reasons.add(reason);
    if (!graph.isFile(node) && needsQuotes(graph, node)) reasons.add('uses of a name in quotes are not known');
  }
  for (const reason of doubtsAboutFiles(graph, nodes)) reasons.add(reason);
  if (reasons.size > 0) return [...reasons];
  return [...new Set(nodes.flatMap((node) => whyNotUnused(graph, node) ?? []))];
}

/** Reasons why uses may be missing in the files of nodes, or in files of their languages. */
function* doubtsAboutFiles(graph: Graph, nodes: readonly number[]): Generator<string> {
  for (const file of new Set(nodes.map((node) => graph.fileOf(node)))) {
    const { language, state } = graph.tables.files[file];
    const share = resolvedCalls(graph, language);
    if (state === 'none') yield `uses are not known in ${language} files`;
    else if (state !== 'linked') yield 'its file could not be parsed as a whole';
    else if (share < MIN_RESOLVED_CALLS)
      yield `of the calls in ${language} that may stay in this repository, ${Math.round(100 * share)}% are resolved`;
  }
}

/** Reason why a definition without a known use, of which nothing inside has one either, may be used all the same; null for none. */
function whyNotUnused(graph: Graph, node: number): string | null {
  if (graph.isFile(node) || isPlain(graph, node) || isTestCode(graph, node)) return null;
  const own = withInside(graph, [node]);
  const isOutside = (edge: number) => !own.has(graph.source(edge)) && !isTestCode(graph, graph.source(edge));
  if ([...own].some((each) => graph.incoming(each).some(isOutside))) return null;
  const reason = usedUnseen(graph, node);
  return reason === null ? null : `nothing here is known to use it, but ${reason}`;
}

function untested(graph: Graph, files: ReadonlySet<number>): string {
  const importing = countTestsImporting(graph, files);
  if (importing === 0) return 'no test is known to reach it';
  const who = `${plural(importing, 'test file')} import${importing === 1 ? 's' : ''} its file`;
  return `no test is known to reach it by calls, but ${who}, directly or through others`;
}

function pointsFor(count: number, table: readonly [above: number, points: number][]): number {
  return table.find(([above]) => count > above)?.[1] ?? 0;
}

const plural = (count: number, one: string): string => `${groupDigits(count)} ${one}${count === 1 ? '' : 's'}`;

const BY_SEVERITY: readonly Level[] = ['low', 'unknown', 'medium', 'high', 'critical'];

/** Numbers of dangling uses from which on a level applies, highest first. */
const BY_CERTAINTY: Readonly<Record<DanglingUse['certainty'], readonly [least: number, level: Level][]>> = {
  certain: [
    [10, 'critical'],
    [1, 'high'],
  ],
  likely: [
    [10, 'high'],
    [1, 'medium'],
  ],
  possible: [
    [50, 'high'],
    [1, 'medium'],
  ],
};

export const highest = (a: Level, b: Level): Level => (BY_SEVERITY.indexOf(a) >= BY_SEVERITY.indexOf(b) ? a : b);

/**
 * Risk of a change whose graphs before and after are known: that of one graph, raised by what both show. Reasons of the
 * latter come first. `isLost`: more tests reached the code before.
 */
export function riskOfBoth(
  now: Risk,
  before: Risk,
  found: { dangling: readonly DanglingUse[]; mismatches: readonly Mismatch[]; isLost: boolean },
): Risk {
  const { dangling, mismatches } = found;
  let level = highest(now.level, before.level);
  const reasons: string[] = [];
  for (const certainty of ['certain', 'likely', 'possible'] as const) {
    const uses = dangling.filter((use) => use.certainty === certainty);
    const reached = BY_CERTAINTY[certainty].find(([least]) => uses.length >= least);
    if (reached === undefined) continue;
    level = highest(level, reached[1]);
    const files = new Set(uses.map(({ path }) => path)).size;
    reasons.push(`${plural(uses.length, `${certainty} dangling use`)} in ${plural(files, 'file')}`);
  }
  const wrong = mismatches.filter((call) => call.level === 'error').length;
  if (wrong > 0) reasons.push(`${plural(wrong, 'call')} ${wrong === 1 ? 'does' : 'do'} not fit the new parameters`);
  if (mismatches.length > 0) level = highest(level, wrong > 0 ? 'high' : 'medium');
  const isBefore = highest(now.level, before.level) === before.level && (before.level !== now.level || found.isLost);
  const were = isBefore ? [`before: ${before.reasons.join(', ')}`] : now.reasons;
  return { ...now, level, reasons: [...reasons, ...were] };
}
