/** Answers `graph diff`: dependencies, circles of imports and exported symbols that differ, one line each. */

import { SocraticodeError } from '../../../base/errors.js';
import { shortOid } from '../../../base/printable.js';
import { graphVersionsOf } from '../../../graph/compare/correspondence.js';
import { cycleChanges, dependencyChanges } from '../../../graph/compare/dependency-changes.js';
import { emptyGraph } from '../../../graph/graph.js';
import { cut } from '../../../graph/query/node-place.js';
import { commandText } from '../../../params/param.js';
import { pathFilter } from '../../../search/filter.js';
import { parseRange, type Range } from '../../../session/snapshot/target.js';
import type { Asker } from '../../asker.js';
import { formatCount, formatCounts } from '../../format.js';
import type { Pen } from '../../pen.js';
import { at, listing } from '../../view.js';
import { apiChanges } from '../changes/api-changes.js';
import { prepareBothGraphs } from '../changes/both-graphs.js';
import { LISTED } from '../graph-question.js';
import { VERBS } from '../graph-text.js';
import type { ApiChange, CycleChange, DependencyChange, GraphDiffResponse, GraphDiffValues } from './question.js';

/** Throws BAD_ARGUMENT and UNKNOWN_REF. */
export async function answerGraphDiff(at: Asker, values: GraphDiffValues): Promise<GraphDiffResponse> {
  const { session, signal } = at;
  const { from, to, path, limit = LISTED.diff } = values;
  const range = rangeOf(values.refs ?? [from, to].filter((ref) => ref !== undefined));
  const { before, after, isWorkTree, ...side } = await prepareBothGraphs(at, range);
  const older = before ?? { ...after, graph: emptyGraph() };
  const versions = graphVersionsOf(older.graph, after.graph, pathFilter({ path }));
  const dependencies = dependencyChanges(versions);
  const cycles = cycleChanges(versions);
  const api = await apiChanges(session, versions, { before: older, after, signal });
  const { header } = after;
  return {
    ...header,
    from: side.from,
    to: isWorkTree ? null : { ref: header.ref, commit: header.commit },
    movedFiles: [...versions.moved].map(([now, was]) => ({ from: was, to: now })),
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

/** Range to compare; null for the uncommitted changes. */
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

const MARKS = { added: '+', grown: '+', removed: '-', shrunk: '-', changed: '~', moved: '>' } as const;
/** Maximum number of names of a dependency that are listed. */
const MAX_NAMES = 6;

export function graphDiffText(response: GraphDiffResponse, { pen }: { pen: Pen }): string {
  const { counts, dependencies, cycles, api, movedFiles } = response;
  const head = pen.dim(comparisonText(response));
  if ([dependencies, cycles, api].every(({ list }) => list.length === 0))
    return `${head}\n${pen.dim('no dependency, import cycle or exported symbol differs')}\n`;
  const title = (name: string, each: Record<string, number>) => `${name}: ${formatCounts(each) || 'no differences'}`;
  const uses = formatCounts(counts.uses);
  const lines = [
    head,
    ...(movedFiles.length > 0
      ? [pen.dim(`${formatCount(movedFiles.length, 'file')} moved, each compared as one`)]
      : []),
    ...listing(
      `${title('dependencies', counts.dependencies)}${uses === '' ? '' : pen.dim(`  (uses: ${uses})`)}`,
      dependencies,
      (change) => dependencyLine(change, pen),
      pen,
    ),
    ...listing(title('import cycles', counts.cycles), cycles, (change) => cycleLines(change, pen), pen),
    ...listing(title('exported symbols', counts.api), api, (change) => apiLines(change, pen), pen),
  ];
  return `${lines.join('\n')}\n`;
}

function comparisonText({ from, to }: GraphDiffResponse): string {
  const version = ({ ref, commit }: { ref: string; commit: string | null }) =>
    ref + (commit === null ? '' : ` (${shortOid(commit)})`);
  return `${version(from)} to ${to === null ? 'the work tree' : version(to)}`;
}

function dependencyLine({ change, from, to, line, use, gained, lost }: DependencyChange, pen: Pen): string {
  const names = [...named('+', gained, pen), ...named('-', lost, pen)].join(' ');
  const verb = change === 'changed' ? 'uses' : (VERBS[use] ?? use);
  return `  ${MARKS[change]} ${at(from, line, pen)} ${verb} ${pen.path(to)}${names === '' ? '' : `  ${names}`}`;
}

function named(sign: string, names: readonly string[], pen: Pen): string[] {
  const shown = names.slice(0, MAX_NAMES).map((name) => `${sign}${pen.symbol(name)}`);
  return names.length > MAX_NAMES ? [...shown, pen.dim(`${sign}${names.length - MAX_NAMES} more`)] : shown;
}

function cycleLines({ change, size, was, shortest, closedBy }: CycleChange, pen: Pen): string[] {
  const descriptions = {
    added: `${formatCount(size, 'file')} import each other in a circle now`,
    grown: `a circle has ${formatCount(size, 'file')} now, and had ${was}`,
    shrunk: `a circle of ${formatCount(size, 'file')} has lost some of them`,
    removed: `${formatCount(size, 'file')} no longer import each other in a circle`,
  };
  const way = shortest.map(({ path, line }) => `    ${at(path, line, pen)}`);
  const [first] = shortest;
  const back = first === undefined ? [] : [pen.dim(`    back to ${first.path}`)];
  const closing = closedBy.map(
    ({ from, to, line }) => `    ${pen.dim('new:')} ${at(from, line, pen)} imports ${pen.path(to)}`,
  );
  return [`  ${MARKS[change]} ${descriptions[change]}`, ...way, ...back, ...closing];
}

function apiLines(
  { change, path, startLine, symbol, kind, signature, was, from, members }: ApiChange,
  pen: Pen,
): string[] {
  const text = signature === null ? `${pen.symbol(symbol ?? '')}  ${pen.dim(kind)}` : signature;
  const owner =
    signature !== null && symbol?.includes('.') ? `${pen.symbol(symbol.slice(0, symbol.lastIndexOf('.')))}: ` : '';
  const moved = from === undefined ? '' : pen.dim(`  from ${from}`);
  const inside = members === undefined ? '' : pen.dim(`  with ${formatCount(members, 'member')}`);
  const line = `  ${MARKS[change]} ${at(path, startLine, pen)}  ${owner}${text}${inside}${moved}`;
  return was === undefined ? [line] : [line, pen.dim(`      was ${was}`)];
}
