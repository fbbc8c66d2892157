/** The impact of what differs between two snapshots: of both sides, with what history says of the files that changed. */
import { SocraticodeError } from '../../../base/errors.js';
import { emptyGraph, type Graph } from '../../../graph/graph.js';
import { wordsOf } from '../../../graph/query/names.js';
import { cut } from '../../../graph/query/place.js';
import { samePaths } from '../../../graph/query/same-paths.js';
import { isHidden } from '../../../graph/query/uses.js';
import type { FileState } from '../../../graph/types.js';
import { type LoggedCommit, tellingCommits } from '../../../history/change-log.js';
import { coupledFiles } from '../../../history/coupling.js';
import { mainOwners, ownersOf } from '../../../history/owners.js';
import { openFacts } from '../../../session/graph/facts-source.js';
import type { PreparedGraph } from '../../../session/graph/prepare.js';
import { readChangeLog } from '../../../session/history/change-log.js';
import { peopleOf } from '../../../session/history/people.js';
import type { Session } from '../../../session/session.js';
import { parseRange, type Range } from '../../../session/snapshot/range.js';
import type { Asker } from '../../asker.js';
import type { FleetSide } from '../../fleet/connect.js';
import { type BothGraphs, prepareBothGraphs } from '../both-graphs.js';
import { apiChanges } from '../diff/changes/api-changes.js';
import { sidesOf } from '../diff/changes/sides.js';
import type { LinkAsker } from '../linked/uses.js';
import { mentionsIn } from '../snapshot-graph.js';
import { type Changes, changedSymbols } from './changed-symbols.js';
import { type ChangesOptions, impactOfChanges, type RemovedSymbol } from './impact-of-changes.js';
import type { ChangeImpactResponse } from './output.js';
import type { ImpactValues } from './question.js';
import { bothSidesOf } from './sides/both-sides.js';
import { countNotIndexed } from './sides/not-indexed.js';
import { markOwnBodies } from './sides/own-body.js';

interface Request {
  target: string;
  options: ChangesOptions;
  /** Uses by linked repositories, and by those of the fleet, too. */
  linked?: boolean;
  fleet?: boolean;
}

/** `target`: a range, or '' for what is not committed. Throws BAD_ARGUMENT and UNKNOWN_REF. */
export async function answerChanges(
  at: Asker,
  question: ImpactValues & { target: string; options: ChangesOptions },
): Promise<ChangeImpactResponse> {
  const { target, options } = question;
  const range = target === '' ? null : parseRange(target);
  checkSide(question, range);
  const both = await prepareBothGraphs(at, range, question);
  return impactOfRange(at, both, { target, options, linked: question.linked, fleet: question.fleet });
}

function checkSide({ ref, committed }: ImpactValues, range: Range | null): void {
  if (range === null && (ref !== undefined || committed)) {
    throw new SocraticodeError('BAD_ARGUMENT', 'without a target, impact is about uncommitted changes', {
      hint: 'Name a symbol, a file, or a range like main..feature.',
    });
  }
  if (range?.to !== undefined && ref !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', 'a ref and the newer side of a range exclude each other');
}

export async function impactOfRange(
  at: LinkAsker & FleetSide,
  { before, after, from, isWorkTree }: BothGraphs,
  { target, options, linked = false, fleet = false }: Request,
): Promise<ChangeImpactResponse> {
  const { session, signal } = at;
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
    const removed = changes.removed.map((gone) => ({ ...gone, isLocal: isLocal(older.graph, gone) }));
    const { together, ...listed } = impactOfChanges(graph, { ...changes, removed }, options);
    const request = { old: older.graph, now: graph, changes, source: uses, together, options };
    const { risk, tests, ...both } = await bothSidesOf(request);
    const sides = sidesOf(older.graph, graph, (path) => changes.paths.has(path));
    const api = await apiChanges(session, sides, { before: older, after, signal });
    const known = changes.symbols.filter(({ change }) => change !== 'added').map(({ node }) => node);
    const mentioned = await mentionsIn({ session, signal }, after, known);
    const { coupled, owners } = await history;
    return {
      ...header,
      ...{ target, others: 0, depth, minConfidence, definitions: [], ...together, risk, tests, ...mentioned },
      ...(await usesElsewhere(at, { before: older, after, changes, removed, options }, { linked, fleet })),
      changes: {
        from,
        to: isWorkTree ? null : { ref: header.ref, commit: header.commit },
        files: changes.files,
        notIndexed: await notIndexed,
        notRead: cut(notRead(older.graph, graph, changes), limit),
        ...both,
        api: cut(api, limit),
        ...{
          coupled: cut(
            coupled.filter(({ path }) => graph.findFile(path) >= 0),
            limit,
          ),
          owners: cut(owners, Math.min(limit, mainOwners(owners))),
        },
        ...listed,
      },
    };
  } finally {
    await Promise.all([source.close(), uses.close()]);
  }
}

/** Uses of what changed, or is gone, by other repositories. */
async function usesElsewhere(
  at: LinkAsker & FleetSide,
  { before, after, changes, removed, options }: Linked,
  { linked, fleet }: { linked: boolean; fleet: boolean },
): Promise<Pick<ChangeImpactResponse, 'linked' | 'fleet'>> {
  // Nothing uses what was added, unless it replaces a definition of that name elsewhere.
  const nodes = changes.symbols.map(({ node }) => node);
  const { depth, minConfidence, limit } = options;
  const places = removed.filter(({ isLocal: local }) => !local);
  const request = { prepared: after, nodes, depth, minConfidence, limit, removed: { before, places } };
  const found: Pick<ChangeImpactResponse, 'linked' | 'fleet'> = {};
  if (linked) {
    const { linkedUsesOf } = await import('../linked/uses.js');
    found.linked = await linkedUsesOf(at, request);
  }
  if (fleet) {
    const { fleetUsesOf } = await import('../linked/fleet-uses.js');
    found.fleet = await fleetUsesOf(at, request);
  }
  return found;
}

interface Linked {
  before: PreparedGraph;
  after: PreparedGraph;
  changes: Changes;
  removed: readonly RemovedSymbol[];
  options: ChangesOptions;
}

/** Paths of files that differ and were not parsed as a whole on a side: out of time, out of memory, or beyond a limit. */
function notRead(old: Graph, now: Graph, { compared }: Changes): string[] {
  const isPartial = (graph: Graph, path: string | undefined) => {
    const file = path === undefined ? -1 : graph.findFile(path);
    return file >= 0 && PARTIAL.has(graph.tables.files[file].state);
  };
  const partial = compared.filter(({ before, after }) => isPartial(old, before?.path) || isPartial(now, after?.path));
  return partial.map(({ change }) => change.path);
}

const PARTIAL: ReadonlySet<FileState> = new Set(['degraded', 'unreadable']);

/** Files of the newer side whose content is new. */
function countDiffering(old: Graph, now: Graph): number {
  const { older } = samePaths(old, now);
  return now.tables.files.filter(({ oid }, file) => old.tables.files[older[file]]?.oid !== oid).length;
}

/** Commits up to the newest before the change; none where there is none. Read while both sides are. */
async function readLog(session: Session, tip: string | null, signal: AbortSignal): Promise<readonly LoggedCommit[]> {
  return tip === null ? [] : (await readChangeLog(session, { tip, signal })).commits;
}

/** `paths`: of the files that differ. */
async function historyOf(
  session: Session,
  { log: commits, paths, signal }: { log: readonly LoggedCommit[]; paths: ReadonlySet<string>; signal: AbortSignal },
) {
  if (commits.length === 0 || paths.size === 0) return { coupled: [], owners: [] };
  const log = tellingCommits({ commits });
  return { coupled: coupledFiles(log, paths), owners: ownersOf(log, paths, await peopleOf(session, commits, signal)) };
}

function isLocal(graph: Graph, { path, symbol }: RemovedSymbol): boolean {
  const words = wordsOf(symbol);
  const named = graph.nodesNamed(words[words.length - 1] ?? symbol);
  const node = named.find((other) => graph.path(other) === path && graph.qualifiedName(other) === symbol);
  return node !== undefined && isHidden(graph, node);
}
