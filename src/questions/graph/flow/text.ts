/** Text of a tree of calls, or of the entry points. */
import { groupDigits } from '../../../base/digits.js';
import { visibleLine } from '../../../base/hygiene.js';
import { formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import { at, count, doubt, more, othersLine, placeText, type Some, section } from '../text-parts.js';
import type { Entry, GraphEntriesResponse, GraphFlowResponse, FlowNode as Node, Route } from './output.js';

export function flowText(answer: GraphFlowResponse | GraphEntriesResponse, { pen }: { pen: Pen }): string {
  return 'tree' in answer ? treeText(answer, pen) : entriesText(answer, pen);
}

function treeText(response: GraphFlowResponse, pen: Pen): string {
  const { tree, reached, depth } = response;
  const lines = treeLines(tree.list, pen);
  const told =
    tree.list.length <= 1 && tree.leftOut === 0 && pen.skipped === undefined
      ? nothingText(tree.list[0])
      : `${formatCount(reached, 'function')} reached within ${formatCount(depth, 'step')}`;
  return `${[...lines, ...more(tree.leftOut, pen), '', pen.dim(told), ...othersLine(response, pen)].join('\n')}\n`;
}

function nothingText(entry: Node | undefined): string {
  return entry?.symbol === null
    ? 'its top level calls nothing of this repository that is known: ask for one of its functions'
    : 'it calls nothing of this repository that is known';
}

/** Each line's branches: a bar where a sister of one of its ancestors follows. */
function treeLines(nodes: readonly Node[], pen: Pen): string[] {
  const lines: string[] = [];
  // From the last line up: is there another child of the same parent below?
  const open: boolean[] = [];
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { depth } = nodes[i];
    const bars = Array.from({ length: Math.max(0, depth - 1) }, (_, level) => (open[level + 1] ? '│  ' : '   '));
    const branch = depth === 0 ? '' : open[depth] ? '├─ ' : '└─ ';
    lines.push(`${pen.dim(bars.join('') + branch)}${nodeText(nodes[i], pen)}`);
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

function nodeText(node: Node, pen: Pen): string {
  const notes: string[] = [];
  if (node.use === 'override') notes.push('or instead');
  else if (node.use !== 'call' && node.use !== 'entry') notes.push(node.use === 'value' ? 'not called here' : node.use);
  if (node.seen !== undefined) notes.push(SEEN[node.seen]);
  if (node.deeper !== undefined) notes.push(`+${formatCount(node.deeper, 'call')} deeper`);
  const name = node.symbol === null ? pen.path(visibleLine(node.path)) : pen.symbol(visibleLine(node.symbol));
  const where = node.symbol === null ? '' : `  ${at(node.path, node.startLine, pen)}`;
  const out = [
    ...(node.external > 0 ? [`${node.external} outside`] : []),
    ...(node.unresolved > 0 ? [`${node.unresolved} unresolved`] : []),
  ];
  if (out.length > 0 && node.seen === undefined) notes.push(out.join(', '));
  const told = notes.length === 0 ? '' : `  ${pen.dim(notes.join('  '))}`;
  return `${name}${where}${told}${doubt(node, pen)}`;
}

function entriesText(response: GraphEntriesResponse, pen: Pen): string {
  const { mains, bins, routes, scripts, tests, uncalled } = response;
  const lines = [
    ...entries('main functions', mains, pen),
    ...entries('commands', bins, pen),
    ...section(`routes: ${count(routes, pen)}`, [
      ...routes.list.map((route) => routeText(route, pen)),
      ...more(routes.leftOut, pen),
    ]),
    ...entries('scripts: top-level code that nothing imports', scripts, pen),
    ...section(`tests: ${formatCount(tests.files, 'file')}`, [
      ...tests.folders.list.map(({ folder, files }) => `  ${pen.path(visibleLine(folder))}  ${groupDigits(files)}`),
      ...more(tests.folders.leftOut, pen),
    ]),
    ...entries('exported functions that no known call leads to', uncalled, pen),
  ];
  if (lines.length === 0) return `${pen.dim('no entry points are known')}\n`;
  return `${lines.slice(1).join('\n')}\n`;
}

function entries(title: string, all: Some<Entry>, pen: Pen): string[] {
  const lines = all.list.map((entry) => {
    const label = entry.label === undefined ? '' : `  ${pen.symbol(visibleLine(entry.label))}`;
    return `  ${placeText(entry, pen)}${label}  ${pen.dim(`calls ${entry.calls}`)}`;
  });
  return section(
    `${title}: ${groupDigits(count(all, pen))}`,
    lines.length === 0 ? [] : [...lines, ...more(all.leftOut, pen)],
  );
}

const METHOD_WIDTH = 6;

function routeText({ method, route, path, line, handler }: Route, pen: Pen): string {
  const to = handler === null ? '' : `  -> ${pen.symbol(visibleLine(handler.symbol ?? ''))}`;
  const there = handler === null || handler.path === path ? '' : `  ${at(handler.path, handler.startLine, pen)}`;
  return `  ${method.padEnd(METHOD_WIDTH)} ${visibleLine(route)}${to}${there}  ${pen.dim(`${visibleLine(path)}:${line}`)}`;
}
