/**
 * Turns the filters that all searches share into conditions on paths and lines: author, date and class of a file, symbols that it uses,
 * tags.
 */
import { SocraticodeError } from '../base/errors.js';
import { addTo } from '../base/lists.js';
import { resolveTarget } from '../graph/query/target.js';
import { classTest } from '../search/path-classes.js';
import type { FileFilters } from '../search/query-filters.js';
import { type TargetOptions, targetRef, workTreeUse } from '../session/snapshot/target.js';
import type { Asker } from './asker.js';
import { type GraphAndHeader, openGraph, prepareGraph } from './graph/snapshot-graph.js';

export interface Narrowing {
  /** Accepts the path of a file. */
  within?: (path: string) => boolean;
  /** Lines with a use of the symbol, by path. */
  usesAt?: ReadonlyMap<string, readonly number[]>;
  /** Accepts lines that have one of the tags and no excluded one. */
  hasTag?: (path: string, startLine: number, endLine: number) => boolean;
}

type Filtered = FileFilters & TargetOptions & { linked?: boolean };

/** As `narrow`, for a question that is asked again as a whole if its commit vanishes. */
export const narrowOnce = (at: Asker, filters: Filtered): Promise<Narrowing> => narrow(at, filters, openGraph);

/** Throws BAD_ARGUMENT for an invalid date, an unknown or ambiguous symbol, and filters that need different snapshots. */
export async function narrow(at: Asker, filters: Filtered, graphOf = prepareGraph): Promise<Narrowing> {
  const { author, since, until, is = [], uses, tag = [] } = filters;
  const isDated = [author, since, until].some((value) => value !== undefined);
  if ((isDated || uses !== undefined || tag.length > 0) && (filters.allRefs || filters.linked))
    throw new SocraticodeError(
      'BAD_ARGUMENT',
      'author, since, until, uses and tag are about one snapshot of one repository',
      {
        hint: 'Ask without all branches and linked repositories, or leave these filters out.',
      },
    );
  const tests: ((path: string) => boolean)[] = [];
  if (is.length > 0) tests.push(classTest(is));
  if (isDated) tests.push(await changeTest(at, filters));
  const snapshot = { ref: targetRef(filters), committed: filters.committed };
  const lines = uses === undefined ? undefined : linesUsing(uses, await graphOf(at, snapshot));
  if (lines !== undefined) tests.push((path) => lines.has(path));
  const hasTag = tag.length === 0 ? undefined : await (await import('./tag/read-tags.js')).tagTest(at, tag, filters);
  return {
    ...(tests.length > 0 && { within: (path) => tests.every((test) => test(path)) }),
    ...(lines && { usesAt: lines }),
    ...(hasTag && { hasTag }),
  };
}

async function changeTest({ session, signal }: Asker, filters: Filtered): Promise<(path: string) => boolean> {
  const isIncluded = workTreeUse(filters) === 'included';
  const [{ changedBetween }, origin, changes] = await Promise.all([
    import('../session/history/last-changes.js'),
    session.origin(targetRef(filters), { unborn: isIncluded }),
    isIncluded ? session.readChanges?.() : undefined,
  ]);
  const uncommitted = new Set((changes?.list ?? []).map(({ path }) => path));
  return changedBetween(session, filters, { tip: origin.resolved.commit, uncommitted, signal });
}

function linesUsing(name: string, { graph, prefix }: GraphAndHeader): Map<string, number[]> {
  const found = resolveTarget(graph, name, { prefix });
  if ('candidates' in found) {
    const picks = found.candidates.slice(0, 3).map(({ pick }) => pick);
    throw new SocraticodeError('BAD_ARGUMENT', `${name} is ambiguous: ${found.candidates.length} definitions`, {
      hint: `Name one by its place: ${picks.join(', ')}`,
    });
  }
  const lines = new Map<string, number[]>();
  for (const edge of found.nodes.flatMap((node) => [...graph.incoming(node)])) {
    const { from, startLine } = graph.edge(edge);
    addTo(lines, graph.path(from), startLine);
  }
  return lines;
}
