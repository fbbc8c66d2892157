/**
 * Answers the impact of the differences between two snapshots: users before and after, dangling uses, calls that do not
 * fit, and the history of the changed files.
 */
import { SocraticodeError } from '../../../base/errors.js';
import { diffTrees } from '../../../git/diff.js';
import { type Comparison, graphVersionsOf, samePaths } from '../../../graph/compare/correspondence.js';
import { emptyGraph, type Graph } from '../../../graph/graph.js';
import { isRuntimeHook } from '../../../graph/query/entry-patterns.js';
import {
  type ChangesOptions,
  danglingUses,
  doubted,
  type ImpactOptions,
  impactOf,
  impactOfChanges,
  markOwnBodies,
  type RemovedSymbol,
  riskOfBoth,
} from '../../../graph/query/impact.js';
import { classOf, cut, isProduction, isTestCode, reachOf } from '../../../graph/query/node-place.js';
import { wordsOf } from '../../../graph/query/target.js';
import { ranFirst } from '../../../graph/query/tests-to-run.js';
import { evidenceFor } from '../../../graph/query/users.js';
import { isFunction, isHidden } from '../../../graph/query/uses.js';
import type { FileState } from '../../../graph/tables.js';
import {
  coupledFiles,
  FORGOTTEN,
  type LoggedCommit,
  mainOwners,
  ownersOf,
  tellingCommits,
} from '../../../history/change-log.js';
import { languageOf, sameFamily } from '../../../languages/registry.js';
import type { PathClass } from '../../../search/corpus.js';
import { type BlobFactsSource, openFacts } from '../../../session/blob-facts.js';
import type { PreparedGraph } from '../../../session/graph/graphs.js';
import { peopleOf, readChangeLog } from '../../../session/history/change-log.js';
import type { Session } from '../../../session/session.js';
import { parseRange, type Range } from '../../../session/snapshot/target.js';
import type { Asker } from '../../asker.js';
import type { FleetAsker } from '../../fleet/package.js';
import { formatCount } from '../../format.js';
import type { ChangeImpact, ChangeImpactResponse, Impact, ImpactValues } from '../impact/question.js';
import type { LinkAsker } from '../sibling-uses.js';
import { doubtLowRisks, type GraphAndHeader, mentionsIn, ranBy } from '../snapshot-graph.js';
import { apiChanges, furtherChanges } from './api-changes.js';
import { type BothGraphs, FileTexts, prepareBothGraphs } from './both-graphs.js';
import { findMismatches } from './call-mismatches.js';
import { type Changes, changedSymbols, compareGraphs } from './changed-symbols.js';
import { findDangling } from './dangling-uses.js';
import type { DanglingUse, Mismatch } from './output.js';

interface Request {
  target: string;
  options: ChangesOptions;
  /** Includes uses by linked repositories and by those of the fleet. */
  linked?: boolean;
  fleet?: boolean;
}

/** `target`: a range, or '' for the uncommitted changes. Throws BAD_ARGUMENT and UNKNOWN_REF. */
export async function answerChanges(
  at: Asker,
  question: ImpactValues & { target: string; options: ChangesOptions },
): Promise<ChangeImpactResponse> {
  const { target, options } = question;
  const range = target === '' ? null : parseRange(target);
  checkRef(question, range);
  const both = await prepareBothGraphs(at, range, question);
  return impactOfRange(at, both, { target, options, linked: question.linked, fleet: question.fleet });
}

function checkRef({ ref, committed }: ImpactValues, range: Range | null): void {
  if (range === null && (ref !== undefined || committed)) {
    throw new SocraticodeError('BAD_ARGUMENT', 'without a target, impact is about uncommitted changes', {
      hint: 'Name a symbol, a file, or a range like main..feature.',
    });
  }
  if (range?.to !== undefined && ref !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', 'a ref and the newer side of a range exclude each other');
}

/**
 * The impact of a change whose graphs are prepared. Reading the log and comparing trees runs beside the graph's work, so they are begun
 * first and awaited where their results are needed; until then a rejection of theirs must not count as unhandled.
 */
export async function impactOfRange(
  at: LinkAsker & FleetAsker,
  { before, after, from, isWorkTree }: BothGraphs,
  { target, linked = false, fleet = false, ...request }: Request,
): Promise<ChangeImpactResponse> {
  const { session, signal } = at;
  const options = { ...request.options, ran: await ranBy(session) };
  const { graph, header } = after;
  const { depth, minConfidence, limit } = options;
  const source = await openFacts(session, after, {
    count: 2 * countDiffering(before?.graph ?? emptyGraph(), graph),
    signal,
  });
  const uses = await openFacts(session, after, { count: 0, relations: true, signal });
  try {
    const tree = before?.origin.resolved.tree ?? null;
    const log = readLog(session, from.commit, signal);
    log.catch(() => {});
    const found = await changedSymbols(session, after, { tree, older: before?.graph, source });
    const older = before ?? { ...after, graph: emptyGraph() };
    const changes = { ...found, symbols: markOwnBodies(older.graph, graph, found.symbols) };
    const notIndexed = countNotIndexed(session, after, { tree, isWorkTree, indexed: changes.paths, signal });
    notIndexed.catch(() => {});
    const history = historyOf(session, { log: await log, paths: changes.paths, signal });
    history.catch(() => {});
    // Doubts about `together` are added in the order in which its text lists them, and before it is compared with the impact before.
    const removed = changes.removed.map((gone) => ({ ...gone, ...formerUses(older.graph, gone) }));
    const { together, ...listed } = impactOfChanges(graph, { ...changes, removed }, options);
    await doubtChanges(at, after, { together, listed: listed.symbols.list, changes });
    together.risk = doubted(together.risk, unseenChanges(older.graph, graph, changes, await notIndexed));
    const compared = { old: older.graph, now: graph, changes, source: uses, together, options };
    const { risk, tests, mayRun, ...both } = await bothVersionsOf(compared);
    const versions = graphVersionsOf(older.graph, graph, (path) => changes.paths.has(path));
    const api = await apiChanges(session, versions, { before: older, after, signal });
    const known = changes.symbols.filter(({ change }) => change !== 'added').map(({ node }) => node);
    const mentioned = await mentionsIn({ session, signal }, after, known);
    const { coupled, owners } = await history;
    return {
      ...header,
      target,
      others: 0,
      depth,
      minConfidence,
      definitions: [],
      ...together,
      risk,
      tests,
      ...(mayRun && { mayRun }),
      ...mentioned,
      ...(await usesElsewhere(at, { before: older, after, changes, removed, options }, { linked, fleet })),
      changes: {
        from,
        to: isWorkTree ? null : { ref: header.ref, commit: header.commit },
        files: changes.files,
        notIndexed: await notIndexed,
        notRead: cut(notRead(older.graph, graph, changes), limit),
        ...both,
        api: cut(api, limit),
        further: cut(furtherChanges(older.graph, graph, changes.paths), limit),
        coupled: cut(
          coupled.filter(({ path, with: other }) => graph.findFile(path) >= 0 && isTelling(graph, other)),
          limit,
        ),
        owners: cut(owners, Math.min(limit, mainOwners(owners))),
        ...listed,
      },
    };
  } finally {
    await Promise.all([source.close(), uses.close()]);
  }
}

/** Searches text for the names of changed symbols. A doubt about one of them is a doubt about the whole change. */
async function doubtChanges(
  at: Pick<LinkAsker, 'session' | 'signal'>,
  after: GraphAndHeader,
  { together, listed, changes }: { together: Impact; listed: readonly ChangeImpact[]; changes: Changes },
): Promise<void> {
  const { graph } = after;
  const nodes = new Map<string, number>();
  const keyOf = (path: string, symbol: string | null, line: number) => `${path}\0${symbol}\0${line}`;
  for (const { node, change } of changes.symbols)
    if (change !== 'added') nodes.set(keyOf(graph.path(node), graph.qualifiedName(node), graph.startLine(node)), node);
  const impacts = new Map<number, ChangeImpact>();
  for (const impact of listed) {
    const node = nodes.get(keyOf(impact.path, impact.symbol, impact.startLine));
    if (node !== undefined) impacts.set(node, impact);
  }
  await doubtLowRisks(at, after, impacts);
  const named = [...impacts.values()].filter((impact) => impact.risk.named !== undefined);
  if (named.length > 0)
    together.risk = doubted(together.risk, [
      `lines elsewhere have the ${named.length === 1 ? `name ${wordsOf(named[0].symbol ?? '').at(-1)}` : `names of ${named.length} changed symbols`}`,
    ]);
}

/** Classes of files whose changes do nothing to a program. */
const TELLING_NOTHING: ReadonlySet<PathClass | null> = new Set(['document', 'test', 'example']);

/** Reasons why a change may do more than its symbols show: files without any, such as lists of dependencies, and files without an index. */
function unseenChanges(old: Graph, now: Graph, { compared, symbols, removed }: Changes, notIndexed: number): string[] {
  const told = new Set([...symbols.map(({ node }) => now.path(node)), ...removed.map(({ path }) => path)]);
  const isUnseen = ({ after, change: { path } }: Changes['compared'][number]) => {
    const graph = after === null ? old : now;
    const file = graph.findFile(path);
    if (told.has(path) || file < 0) return false;
    const { state, language } = graph.tables.files[file];
    const isRead = state !== 'none' && languageOf(language)?.plain === 'code';
    return !isRead && !TELLING_NOTHING.has(classOf(graph, file));
  };
  const [first, ...others] = compared.filter(isUnseen).map(({ change }) => change.path);
  const what = others.length === 0 ? `${first} has` : `${first} and ${formatCount(others.length, 'other')} have`;
  return [
    ...(first === undefined ? [] : [`${what} no symbols, so what depends on the change is not known`]),
    ...(notIndexed === 0
      ? []
      : [`${formatCount(notIndexed, 'changed file')} ${notIndexed === 1 ? 'is' : 'are'} not indexed`]),
  ];
}

/** Uses of changed or removed definitions by other repositories. */
async function usesElsewhere(
  at: LinkAsker & FleetAsker,
  { before, after, changes, removed, options }: Linked,
  { linked, fleet }: { linked: boolean; fleet: boolean },
): Promise<Pick<ChangeImpactResponse, 'linked' | 'fleet'>> {
  // Nothing uses an added definition, unless it replaces one of that name elsewhere.
  const nodes = changes.symbols.map(({ node }) => node);
  const { depth, minConfidence, limit } = options;
  const places = removed.filter(({ isLocal: local }) => !local);
  const request = { prepared: after, nodes, depth, minConfidence, limit, removed: { before, places } };
  const found: Pick<ChangeImpactResponse, 'linked' | 'fleet'> = {};
  if (linked) {
    const { linkedUsesOf } = await import('../sibling-uses.js');
    found.linked = await linkedUsesOf(at, request);
  }
  if (fleet) {
    const { fleetUsesOf } = await import('../sibling-uses.js');
    found.fleet = await fleetUsesOf(at, request);
  }
  return found;
}

/** A change as other repositories may notice it: both graphs, and the definitions that changed or are gone. */
interface Linked {
  before: PreparedGraph;
  after: PreparedGraph;
  changes: Changes;
  removed: readonly RemovedSymbol[];
  options: ChangesOptions;
}

/** Paths of files that differ and could not be parsed completely before or after: out of time, out of memory, or beyond a limit. */
function notRead(old: Graph, now: Graph, { compared }: Changes): string[] {
  const isPartial = (graph: Graph, path: string | undefined) => {
    const file = path === undefined ? -1 : graph.findFile(path);
    return file >= 0 && PARTIAL.has(graph.tables.files[file].state);
  };
  const partial = compared.filter(({ before, after }) => isPartial(old, before?.path) || isPartial(now, after?.path));
  return partial.map(({ change }) => change.path);
}

const PARTIAL: ReadonlySet<FileState> = new Set(['degraded', 'unreadable']);

/** Number of files whose content is new. */
function countDiffering(old: Graph, now: Graph): number {
  const { older } = samePaths(old, now);
  return now.tables.files.filter(({ oid }, file) => old.tables.files[older[file]]?.oid !== oid).length;
}

/** Log up to the newest commit before the change, null without one. It is read while the graphs are prepared. */
async function readLog(session: Session, tip: string | null, signal: AbortSignal): Promise<readonly LoggedCommit[]> {
  return tip === null ? [] : (await readChangeLog(session, { tip, signal })).commits;
}

/** History of the files that differ, whose paths are `paths`. */
async function historyOf(
  session: Session,
  { log: commits, paths, signal }: { log: readonly LoggedCommit[]; paths: ReadonlySet<string>; signal: AbortSignal },
) {
  if (commits.length === 0 || paths.size === 0) return { coupled: [], owners: [] };
  const log = tellingCommits({ commits });
  return {
    coupled: coupledFiles(log, paths, FORGOTTEN),
    owners: ownersOf(log, paths, await peopleOf(session, commits, signal)),
  };
}

/** Is it code of the program? A test, a changelog or a list of settings often changes without what it usually changes with. */
function isTelling(graph: Graph, path: string): boolean {
  const file = graph.findFile(path);
  return file >= 0 && isProduction(graph, file) && languageOf(graph.tables.files[file].language)?.plain === 'code';
}

/** Uses that could mean a removed definition, as the graph before the change shows. */
function formerUses(graph: Graph, { path, symbol }: RemovedSymbol): Pick<RemovedSymbol, 'isLocal' | 'mayMean'> {
  const words = wordsOf(symbol);
  const named = graph.nodesNamed(words[words.length - 1] ?? symbol);
  const node = named.find((other) => graph.path(other) === path && graph.qualifiedName(other) === symbol);
  return node === undefined ? {} : { isLocal: isHidden(graph, node), mayMean: meaningOf(graph, node) };
}

/** May a use of the name in a file and on a receiver mean the node? A function is used by its plain name, a member after a dot. */
function meaningOf(graph: Graph, node: number): (receiver: string, path: string) => boolean {
  const isEvident = evidenceFor(graph, node);
  const isMember = !graph.isFile(graph.container(node));
  // Without the member of this type, a call runs that of all values.
  if (isMember && isRuntimeHook(graph, node)) return () => false;
  const isNear = reachOf(graph, node);
  return (receiver, path) => (receiver !== '') === isMember && isEvident(receiver) && isNear(path);
}

// Everything that needs both graphs.

interface ComparedGraphs {
  old: Graph;
  now: Graph;
  changes: Changes;
  /** Reads blobs of both snapshots. */
  source: BlobFactsSource;
  /** Impact of all changes together, in the graph after them. */
  together: Impact;
  options: ImpactOptions;
}

interface Both {
  risk: Impact['risk'];
  tests: Impact['tests'];
  mayRun?: Impact['mayRun'];
  users: { before: number; after: number };
  dangling: Some<DanglingUse>;
  mismatches: Some<Mismatch>;
}

interface Some<T> {
  list: T[];
  leftOut: number;
}

/** Maximum number of listed uses that may have meant a removed definition. */
const MAX_POSSIBLE = 500;

/** Compares both graphs: uses and calls that the change breaks, and risk, tests and users by the code before it and after it. */
async function bothVersionsOf({ old, now, changes, source, together, options }: ComparedGraphs): Promise<Both> {
  const comparison = compareGraphs(old, now, changes);
  const [former, texts] = [new FileTexts(comparison.old, source), new FileTexts(now, source)];
  const touched = new Set(changes.symbols.map(({ node }) => node));
  const proven = await findDangling(comparison, texts, touched);
  const dangling = [...proven, ...namesakes(comparison, proven)];
  const mismatches = await findMismatches(comparison, { former, texts, touched });
  const { limit } = options;
  const were = formerNodes(comparison, changes);
  const doubtful = were.filter((node) => !isTestCode(old, node));
  const before = impactOf(comparison.old, were, { ...options, membersToo: false, doubted: doubtful });
  const isLost = countOf(before.tests) > countOf(together.tests);
  return {
    risk: riskOfBoth(together.risk, before.risk, { dangling, mismatches, isLost }),
    ...testsOfBoth(together, before, comparison, limit),
    users: { before: before.affected, after: together.affected },
    dangling: cut(dangling, limit),
    mismatches: cut(mismatches, limit),
  };
}

const countOf = ({ list, leftOut }: Impact['tests']): number => list.length + leftOut;

/** Changed, moved and removed symbols as nodes before the change. */
function formerNodes(comparison: Comparison, { symbols }: Changes): number[] {
  const gone = [...comparison.displaced()];
  const known = symbols.filter(({ ownBody }) => !ownBody).map(({ node }) => comparison.older(node));
  return [...new Set([...known.filter((node) => node >= 0), ...gone])];
}

const MEMBERS: ReadonlySet<string> = new Set(['field', 'property']);

/** Former functions and fields that other files could name, and whose name is gone; those of tests, and of files that a tool wrote, are left out. */
function lostNames(comparison: Comparison): number[] {
  const { old, now } = comparison;
  return comparison.displaced().filter((node) => {
    if (!isFunction(old, node) && !MEMBERS.has(old.kind(node))) return false;
    if (isHidden(old, node) || isTestCode(old, node) || classOf(old, old.fileOf(node)) === 'generated') return false;
    const newer = comparison.node(node);
    return newer < 0 || now.name(newer) !== old.name(node);
  });
}

/** Tests after the change, and tests that reached the code before it and still exist; first those that are known to have run it. */
function testsOfBoth(
  together: Impact,
  before: Impact,
  { now }: Comparison,
  limit: number,
): Pick<Impact, 'tests' | 'mayRun'> {
  const known = new Set(together.tests.list.map(({ path }) => path));
  const still = before.tests.list.filter(({ path }) => now.findFile(path) >= 0);
  const ran = [...together.tests.list, ...still].flatMap(({ path, ran: by }) =>
    by === undefined ? [] : [{ path, by }],
  );
  const all = [...together.tests.list, ...still.filter(({ path }) => !known.has(path))];
  const first = [...new Map(ran.reverse().map((test) => [test.path, test])).values()].reverse();
  const { list, leftOut } = cut(ranFirst(all, first), limit);
  const paths = new Set(all.map(({ path }) => path));
  const may = together.mayRun;
  return {
    tests: { list, leftOut: leftOut + Math.max(together.tests.leftOut, before.tests.leftOut) },
    ...(may && { mayRun: { ...may, list: may.list.filter(({ path }) => !paths.has(path)) } }),
  };
}

/** Uses that may have meant removed definitions, if nothing has the name any more: they had no target before either. */
function namesakes(comparison: Comparison, known: readonly DanglingUse[]): DanglingUse[] {
  const { old, now } = comparison;
  const reported = new Set(known.map(({ path, line }) => `${path}:${line}`));
  const found: DanglingUse[] = [];
  for (const node of lostNames(comparison)) {
    const newer = comparison.node(node);
    const name = old.name(node);
    const { language } = old.tables.files[old.fileOf(node)];
    const isStill = now
      .nodesNamed(name)
      .some((other) => sameFamily(language, now.tables.files[now.fileOf(other)].language));
    if (isStill || found.length >= MAX_POSSIBLE) continue;
    const mayMean = meaningOf(old, node);
    for (const edge of danglingUses(now, { symbol: old.qualifiedName(node), language })) {
      const { from, startLine, kind, receiver } = now.edge(edge);
      const path = now.path(from);
      if (kind === 'write' || !mayMean(receiver, path) || reported.has(`${path}:${startLine}`)) continue;
      reported.add(`${path}:${startLine}`);
      found.push({
        ...{ path, line: startLine, symbol: now.isFile(from) ? null : now.qualifiedName(from), kind },
        ...{ text: receiver === '' ? name : `${receiver}.${name}`, certainty: 'possible' },
        was: { path: old.path(node), symbol: old.qualifiedName(node), kind: old.kind(node) },
        ...(newer < 0
          ? { how: 'removed' }
          : {
              how: 'renamed',
              now: { path: now.path(newer), symbol: now.qualifiedName(newer), line: Math.max(1, now.startLine(newer)) },
            }),
      });
    }
  }
  return found;
}

// Files that differ and are in no graph, such as lock files and pictures: a change of them is not empty.

interface ComparedTrees {
  /** Tree before the change; null for the empty one. */
  tree: string | null;
  isWorkTree: boolean;
  /** Paths of indexed files that differ. */
  indexed: ReadonlySet<string>;
  signal?: AbortSignal;
}

/** Counts them. Throws as `diffTrees` does. */
async function countNotIndexed(
  session: Session,
  { graph, origin }: PreparedGraph,
  { tree, isWorkTree, indexed, signal }: ComparedTrees,
): Promise<number> {
  const now = origin.resolved.tree;
  const [committed, changes] = await Promise.all([
    tree === now ? [] : diffTrees(session.repository.git, tree, now, { signal }),
    isWorkTree ? session.readChanges?.() : undefined,
  ]);
  const differing = [...committed, ...(changes?.list ?? [])].map(({ path }) => path);
  return new Set(differing.filter((path) => !indexed.has(path) && graph.findFile(path) < 0)).size;
}
