/** Text of the differences of two graphs: dependencies, circles, exported symbols, one line each. */
import { visibleLine } from '../../../base/hygiene.js';
import { formatCount, formatCounts } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import { at, more, section, VERBS } from '../text-parts.js';
import type { ApiChange, CycleChange, DependencyChange, GraphDiffResponse } from './output.js';

const MARKS = { added: '+', grown: '+', removed: '-', shrunk: '-', changed: '~', moved: '>' } as const;
/** Names of a dependency that are written out. */
const MAX_NAMES = 6;
const SHORT_OID = 9;

export function graphDiffText(response: GraphDiffResponse, { pen }: { pen: Pen }): string {
  const { counts, dependencies, cycles, api, movedFiles } = response;
  const head = pen.dim(sidesLine(response));
  if ([dependencies, cycles, api].every(({ list }) => list.length === 0))
    return `${head}\n${pen.dim('no dependency, import cycle or exported symbol differs')}\n`;
  const title = (name: string, each: Record<string, number>) => `${name}: ${formatCounts(each) || 'no differences'}`;
  const uses = formatCounts({ 'uses added': counts.uses.added, 'uses removed': counts.uses.removed });
  const lines = [
    head,
    ...(movedFiles.length > 0
      ? [pen.dim(`${formatCount(movedFiles.length, 'file')} moved, each compared as one`)]
      : []),
    ...section(`${title('dependencies', counts.dependencies)}${uses === '' ? '' : pen.dim(`  (${uses})`)}`, [
      ...dependencies.list.map((change) => dependencyLine(change, pen)),
      ...more(dependencies.leftOut, pen),
    ]),
    ...(cycles.list.length === 0
      ? []
      : section(
          title('import cycles', counts.cycles),
          cycles.list.flatMap((change) => cycleLines(change, pen)),
        )),
    ...more(cycles.leftOut, pen),
    ...(api.list.length === 0
      ? []
      : section(
          title('exported symbols', counts.api),
          api.list.flatMap((change) => apiLines(change, pen)),
        )),
    ...more(api.leftOut, pen),
  ];
  return `${lines.join('\n')}\n`;
}

function sidesLine({ from, to }: GraphDiffResponse): string {
  const side = ({ ref, commit }: { ref: string; commit: string | null }) =>
    visibleLine(ref) + (commit === null ? '' : ` (${commit.slice(0, SHORT_OID)})`);
  return `${side(from)} to ${to === null ? 'the work tree' : side(to)}`;
}

function dependencyLine({ change, from, to, line, use, gained, lost }: DependencyChange, pen: Pen): string {
  const names = [...named('+', gained, pen), ...named('-', lost, pen)].join(' ');
  const verb = change === 'changed' ? 'uses' : (VERBS[use] ?? use);
  return `  ${MARKS[change]} ${at(from, line, pen)} ${verb} ${pen.path(visibleLine(to))}${names === '' ? '' : `  ${names}`}`;
}

function named(sign: string, names: readonly string[], pen: Pen): string[] {
  const shown = names.slice(0, MAX_NAMES).map((name) => `${sign}${pen.symbol(visibleLine(name))}`);
  return names.length > MAX_NAMES ? [...shown, pen.dim(`${sign}${names.length - MAX_NAMES} more`)] : shown;
}

function cycleLines({ change, size, was, shortest, closedBy }: CycleChange, pen: Pen): string[] {
  const told = {
    added: `${formatCount(size, 'file')} import each other in a circle now`,
    grown: `a circle has ${formatCount(size, 'file')} now, and had ${was}`,
    shrunk: `a circle of ${formatCount(size, 'file')} has lost some of them`,
    removed: `${formatCount(size, 'file')} no longer import each other in a circle`,
  };
  const way = shortest.map(({ path, line }) => `    ${at(path, line, pen)}`);
  const [first] = shortest;
  const back = first === undefined ? [] : [pen.dim(`    back to ${visibleLine(first.path)}`)];
  const closing = closedBy.map(
    ({ from, to, line }) => `    ${pen.dim('new:')} ${at(from, line, pen)} imports ${pen.path(visibleLine(to))}`,
  );
  return [`  ${MARKS[change]} ${told[change]}`, ...way, ...back, ...closing];
}

function apiLines(
  { change, path, startLine, symbol, kind, signature, was, from, members }: ApiChange,
  pen: Pen,
): string[] {
  const text =
    signature === null ? `${pen.symbol(visibleLine(symbol ?? ''))}  ${pen.dim(kind)}` : visibleLine(signature);
  const owner =
    signature !== null && symbol?.includes('.')
      ? `${pen.symbol(visibleLine(symbol.slice(0, symbol.lastIndexOf('.'))))}: `
      : '';
  const moved = from === undefined ? '' : pen.dim(`  from ${visibleLine(from)}`);
  const inside = members === undefined ? '' : pen.dim(`  with ${formatCount(members, 'member')}`);
  const line = `  ${MARKS[change]} ${at(path, startLine, pen)}  ${owner}${text}${inside}${moved}`;
  return was === undefined ? [line] : [line, pen.dim(`      was ${visibleLine(was)}`)];
}
