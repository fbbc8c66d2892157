/** What `graph deps` says. */
import { visibleLine } from '../../../base/hygiene.js';
import type { GraphDepsResponse } from '../../../engine/contract.js';
import type { Colors } from '../colors.js';
import { formatCount } from '../format.js';
import { lineList, more, type Some, section, total } from './parts.js';

type Link = GraphDepsResponse['imports']['list'][number];
type Outside = GraphDepsResponse['external'];
type Reached = NonNullable<GraphDepsResponse['transitive']>['imports'];

export function renderDeps(response: GraphDepsResponse, colors: Colors): string {
  const { file, imports, external, unresolved, dependents, transitive } = response;
  const state = file.state === 'linked' ? '' : `, ${STATES[file.state]}`;
  const lines = [
    `${colors.path(visibleLine(file.path))}  ${colors.dim(`${file.language}, ${formatCount(file.lines, 'line')}${state}`)}`,
    ...section(`imports ${formatCount(total(imports), 'file')}`, links(imports, colors)),
    ...section(`imports ${formatCount(total(external), 'package')}`, outside(external, colors)),
    ...section(`not found: ${formatCount(total(unresolved), 'import')}`, outside(unresolved, colors)),
    ...section(`imported by ${formatCount(total(dependents), 'file')}`, links(dependents, colors)),
  ];
  if (total(dependents) === 0) lines.push('', `nothing here imports it`);
  if (transitive !== undefined) {
    const within = `within ${formatCount(transitive.depth, 'hop')}`;
    lines.push(
      ...section(
        `reaches ${formatCount(total(transitive.imports), 'file')} ${within}`,
        hops(transitive.imports, colors),
      ),
      ...section(
        `reached from ${formatCount(total(transitive.dependents), 'file')} ${within}`,
        hops(transitive.dependents, colors),
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

function links(all: Some<Link>, colors: Colors): string[] {
  const lines = all.list.map(({ path, kinds, lines: at, names }) => {
    const usual = kinds.every((kind) => kind === 'import' || kind === 'require' || kind === 'include');
    const how = kinds.length === 0 ? '  (used without an import)' : usual ? '' : `  (${kinds.join(', ')})`;
    const rest = names.leftOut > 0 ? ` and ${names.leftOut} more` : '';
    const used = names.list.length === 0 ? '' : `  ${names.list.map(visibleLine).join(', ')}${rest}`;
    return `  ${colors.path(visibleLine(path))}  ${colors.dim(`line ${lineList(at)}${how}`)}${used}`;
  });
  return [...lines, ...more(all.leftOut, colors)];
}

function outside(all: Outside, colors: Colors): string[] {
  const lines = all.list.map(
    ({ specifier, kind, line }) =>
      `  ${visibleLine(specifier)}  ${colors.dim(`line ${line}${kind === 'import' ? '' : `, ${kind}`}`)}`,
  );
  return [...lines, ...more(all.leftOut, colors)];
}

function hops(all: Reached, colors: Colors): string[] {
  const lines = all.list.map(
    ({ path, hops: count, via }) =>
      `  ${count} ${colors.path(visibleLine(path))}  ${colors.dim(`by ${visibleLine(via)}`)}`,
  );
  return [...lines, ...more(all.leftOut, colors)];
}
