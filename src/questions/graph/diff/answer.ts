/** Answers `graph diff`. */
import { SocraticodeError } from '../../../base/errors.js';
import { emptyGraph } from '../../../graph/graph.js';
import { cut } from '../../../graph/query/place.js';
import { commandText } from '../../../params/command-line.js';
import { pathFilter } from '../../../search/filter.js';
import { parseRange, type Range } from '../../../session/snapshot/range.js';
import type { Asker } from '../../asker.js';
import { prepareBothGraphs } from '../both-graphs.js';
import { LISTED } from '../limits.js';
import { apiChanges } from './changes/api-changes.js';
import { cycleChanges } from './changes/cycle-changes.js';
import { dependencyChanges } from './changes/dependency-changes.js';
import { sidesOf } from './changes/sides.js';
import type { GraphDiffResponse } from './output.js';
import type { GraphDiffValues } from './question.js';

/** Throws BAD_ARGUMENT and UNKNOWN_REF. */
export async function answerGraphDiff(at: Asker, values: GraphDiffValues): Promise<GraphDiffResponse> {
  const { session, signal } = at;
  const { from, to, path, limit = LISTED.diff } = values;
  const range = rangeOf(values.refs ?? [from, to].filter((ref) => ref !== undefined));
  const { before, after, isWorkTree, ...side } = await prepareBothGraphs(at, range);
  const older = before ?? { ...after, graph: emptyGraph() };
  const sides = sidesOf(older.graph, after.graph, pathFilter({ path }));
  const dependencies = dependencyChanges(sides);
  const cycles = cycleChanges(sides);
  const api = await apiChanges(session, sides, { before: older, after, signal });
  const { header } = after;
  return {
    ...header,
    from: side.from,
    to: isWorkTree ? null : { ref: header.ref, commit: header.commit },
    movedFiles: [...sides.moved].map(([now, was]) => ({ from: was, to: now })),
    counts: {
      ...dependencies.counts,
      cycles: countBy(cycles, { added: 0, grown: 0, shrunk: 0, removed: 0 }),
      api: countBy(api, { added: 0, removed: 0, changed: 0, moved: 0 }),
    },
    dependencies: cut(dependencies.list, limit),
    cycles: cut(cycles, limit),
    api: cut(api, limit),
  };
}

/** Null for the uncommitted changes. */
function rangeOf(refs: readonly string[]): Range | null {
  if (refs.length > 2) {
    throw new SocraticodeError('BAD_ARGUMENT', 'two refs can be compared, or one range', {
      hint: `${commandText('graph diff')} main..feature`,
    });
  }
  const [from, to] = refs;
  if (from === undefined) return null;
  return to === undefined && from.includes('..') ? parseRange(from) : { from, to, symmetric: false };
}

function countBy<K extends string>(list: readonly { change: K }[], counts: Record<K, number>): Record<K, number> {
  for (const { change } of list) counts[change]++;
  return counts;
}
