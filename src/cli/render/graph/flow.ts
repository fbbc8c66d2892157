/** What `graph flow` says: a tree of calls, or where programs begin. */
import { visibleLine } from '../../../base/hygiene.js';
import type { GraphEntriesResponse, GraphFlowResponse } from '../../../engine/contract.js';
import type { Colors } from '../colors.js';
import { formatCount } from '../format.js';
import { at, doubt, more, othersLine, placeText, type Some, section, total } from './parts.js';

type Node = GraphFlowResponse['tree']['list'][number];

export function renderFlow(response: GraphFlowResponse, colors: Colors): string {
  const { tree, reached, depth, others } = response;
  const lines = treeLines(tree.list, colors);
  const told =
    tree.list.length <= 1 && tree.leftOut === 0
      ? 'it calls nothing of this repository that is known'
      : `${formatCount(reached, 'function')} reached within ${formatCount(depth, 'step')}`;
  return `${[...lines, ...more(tree.leftOut, colors), '', colors.dim(told), ...othersLine(others, colors)].join('\n')}\n`;
}

/** Each line's branches: a bar where a sister of one of its ancestors follows. */
function treeLines(nodes: readonly Node[], colors: Colors): string[] {
  const lines: string[] = [];
  // From the last line up: is there another child of the same parent below?
  const open: boolean[] = [];
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { depth } = nodes[i];
    const bars = Array.from({ length: Math.max(0, depth - 1) }, (_, level) => (open[level + 1] ? '│  ' : '   '));
    const branch = depth === 0 ? '' : open[depth] ? '├─ ' : '└─ ';
    lines.push(`${colors.dim(bars.join('') + branch)}${nodeText(nodes[i], colors)}`);
    open.length = depth;
    for (let level = 0; level < depth; level++) open[level] ??= false;
    open[depth] = true;
  }
  return lines.reverse();
}

const SEEN: Readonly<Record<string, string>> = {
  above: '(see above)',
  below: '(see below)',
  cycle: '(calls itself in a circle)',
};

function nodeText(node: Node, colors: Colors): string {
  const notes: string[] = [];
  if (node.use === 'override') notes.push('or instead');
  else if (node.use !== 'call' && node.use !== 'entry') notes.push(node.use === 'value' ? 'handed on' : node.use);
  if (node.seen !== undefined) notes.push(SEEN[node.seen]);
  if (node.deeper !== undefined) notes.push(`+${formatCount(node.deeper, 'call')} deeper`);
  const name = node.symbol === null ? colors.path(visibleLine(node.path)) : colors.symbol(visibleLine(node.symbol));
  const where = node.symbol === null ? '' : `  ${at(node.path, node.startLine, colors)}`;
  const out = [
    ...(node.external > 0 ? [`${node.external} outside`] : []),
    ...(node.unresolved > 0 ? [`${node.unresolved} unresolved`] : []),
  ];
  if (out.length > 0 && node.seen === undefined) notes.push(out.join(', '));
  const told = notes.length === 0 ? '' : `  ${colors.dim(notes.join('  '))}`;
  return `${name}${where}${told}${doubt(node, colors)}`;
}

type Entry = GraphEntriesResponse['mains']['list'][number];
type Route = GraphEntriesResponse['routes']['list'][number];

export function renderEntries(response: GraphEntriesResponse, colors: Colors): string {
  const { mains, bins, routes, scripts, tests, uncalled } = response;
  const lines = [
    ...entries('main functions', mains, colors),
    ...entries('commands', bins, colors),
    ...section(`routes: ${total(routes)}`, [
      ...routes.list.map((route) => routeText(route, colors)),
      ...more(routes.leftOut, colors),
    ]),
    ...entries('scripts: top-level code that nothing imports', scripts, colors),
    ...section(`tests: ${formatCount(tests.files, 'file')}`, [
      ...tests.folders.list.map(
        ({ folder, files }) => `  ${colors.path(visibleLine(folder))}  ${files.toLocaleString('en')}`,
      ),
      ...more(tests.folders.leftOut, colors),
    ]),
    ...entries('exported functions that no known call leads to', uncalled, colors),
  ];
  if (lines.length === 0) return `${colors.dim('no entry points are known')}\n`;
  return `${lines.slice(1).join('\n')}\n`;
}

function entries(title: string, all: Some<Entry>, colors: Colors): string[] {
  const lines = all.list.map((entry) => {
    const label = entry.label === undefined ? '' : `  ${colors.symbol(visibleLine(entry.label))}`;
    return `  ${placeText(entry, colors)}${label}  ${colors.dim(`calls ${entry.calls}`)}`;
  });
  return section(
    `${title}: ${total(all).toLocaleString('en')}`,
    lines.length === 0 ? [] : [...lines, ...more(all.leftOut, colors)],
  );
}

const METHOD_WIDTH = 6;

function routeText({ method, route, path, line, handler }: Route, colors: Colors): string {
  const to = handler === null ? '' : `  -> ${colors.symbol(visibleLine(handler.symbol ?? ''))}`;
  const there = handler === null || handler.path === path ? '' : `  ${at(handler.path, handler.startLine, colors)}`;
  return `  ${method.padEnd(METHOD_WIDTH)} ${visibleLine(route)}${to}${there}  ${colors.dim(`${visibleLine(path)}:${line}`)}`;
}
