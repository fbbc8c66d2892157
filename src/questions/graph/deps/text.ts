/** Text of the imports of a file and of its importers. */
import { visibleLine } from '../../../base/hygiene.js';
import { formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import { count, lineList, more, type Some, section, total } from '../text-parts.js';
import type { GraphDepsResponse } from './output.js';

type Link = GraphDepsResponse['imports']['list'][number];
type Outside = GraphDepsResponse['external'];
type Reached = NonNullable<GraphDepsResponse['transitive']>['imports'];

export function depsText(response: GraphDepsResponse, { pen }: { pen: Pen }): string {
  const { file, imports, external, unresolved, dependents, transitive } = response;
  const state = file.state === 'linked' ? '' : `, ${STATES[file.state]}`;
  const lines = [
    `${pen.path(visibleLine(file.path))}  ${pen.dim(`${file.language}, ${formatCount(file.lines, 'line')}${state}`)}`,
    ...section(`imports ${formatCount(count(imports, pen), 'file')}`, links(imports, pen, true)),
    ...section(`imports ${formatCount(count(external, pen), 'package')}`, outside(external, pen)),
    ...section(`not found: ${formatCount(count(unresolved, pen), 'import')}`, outside(unresolved, pen)),
    ...section(`imported by ${formatCount(count(dependents, pen), 'file')}`, links(dependents, pen, false)),
  ];
  if (total(dependents) === 0 && pen.skipped === undefined) lines.push('', `nothing here imports it`);
  if (transitive !== undefined) {
    const within = `within ${formatCount(transitive.depth, 'hop')}`;
    lines.push(
      ...section(
        `reaches ${formatCount(count(transitive.imports, pen), 'file')} ${within}`,
        hops(transitive.imports, pen),
      ),
      ...section(
        `reached from ${formatCount(count(transitive.dependents, pen), 'file')} ${within}`,
        hops(transitive.dependents, pen),
      ),
    );
  }
  return `${lines.join('\n')}\n`;
}

const STATES: Readonly<Record<string, string>> = {
  none: 'no imports and calls are known in this language',
  degraded: 'could not be parsed as a whole',
  unreadable: 'could not be read',
};

/** `isHere`: the lines are those of the file that was asked about, else of the other one. */
function links(all: Some<Link>, pen: Pen, isHere: boolean): string[] {
  const lines = all.list.map(({ path, kinds, lines: at, names }) => {
    const usual = kinds.every((kind) => kind === 'import' || kind === 'require' || kind === 'include');
    const how = kinds.length === 0 ? ' without an import' : usual ? '' : ` ${kinds.join(', ')}`;
    const rest = names.leftOut > 0 ? ` and ${names.leftOut} more` : '';
    const used = names.list.length === 0 ? '' : `  ${names.list.map(visibleLine).join(', ')}${rest}`;
    return `  ${pen.path(visibleLine(path))}${isHere ? pen.dim(' line ') : ':'}${pen.line(lineList(at))}${pen.dim(how)}${used}`;
  });
  return [...lines, ...more(all.leftOut, pen)];
}

function outside(all: Outside, pen: Pen): string[] {
  const lines = all.list.map(
    ({ specifier, kind, line }) =>
      `  ${visibleLine(specifier)}  ${pen.dim(`line ${line}${kind === 'import' ? '' : `, ${kind}`}`)}`,
  );
  return [...lines, ...more(all.leftOut, pen)];
}

function hops(all: Reached, pen: Pen): string[] {
  const lines = all.list.map(
    ({ path, hops: count, via }) => `  ${count} ${pen.path(visibleLine(path))}  ${pen.dim(`by ${visibleLine(via)}`)}`,
  );
  return [...lines, ...more(all.leftOut, pen)];
}
