/** Answers `graph flow`: everything that an entry point runs, or the list of entry points. */
import { groupDigits, signs } from '../../../base/printable.js';
import type { ObjectReader } from '../../../git/objects.js';
import type { Graph } from '../../../graph/graph.js';
import { findEntries, flowFrom } from '../../../graph/query/call-tree.js';
import { resolveTarget } from '../../../graph/query/target.js';
import type { Program } from '../../../languages/language.js';
import { allLanguages, type Language } from '../../../languages/registry.js';
import type { Asker } from '../../asker.js';
import { formatCount } from '../../format.js';
import type { Pen } from '../../pen.js';
import { at, blockLines, count, more, type Some, section } from '../../view.js';
import { LISTED } from '../graph-question.js';
import { doubt, othersBlocks, placeText } from '../graph-text.js';
import type { GraphCandidates } from '../output.js';
import { ambiguous, parseErrorsAt, prepareGraph } from '../snapshot-graph.js';
import type {
  Entry,
  FlowValues,
  GraphEntriesResponse,
  GraphFlowResponse,
  FlowNode as Node,
  Route,
} from './question.js';

/** Throws BAD_ARGUMENT for a name that nothing has. */
export async function answerFlow(
  at: Asker,
  values: FlowValues,
): Promise<GraphFlowResponse | GraphEntriesResponse | GraphCandidates> {
  const { entry: target, file, limit, depth } = values;
  const prepared = await prepareGraph(at, values);
  const { graph, header, prefix, objects } = prepared;
  if (target === undefined) {
    const bins = await readBins(graph, objects);
    return { ...header, ...findEntries(graph, { limit: limit ?? LISTED.entries, bins }) };
  }
  const found = resolveTarget(graph, target, { file, prefix });
  if ('candidates' in found) return ambiguous(prepared, { target, ...found, limit });
  const flow = flowFrom(graph, found.nodes, { depth, limit: limit ?? LISTED.flow });
  return {
    ...header,
    ...parseErrorsAt(graph, found.nodes),
    target,
    others: found.others,
    alternatives: found.alternatives,
    depth,
    ...flow,
  };
}

// Programs that manifests name: `bin` of package.json, `[project.scripts]` of pyproject.toml.

/** Maximum number of manifests that are read: a monorepo has about a hundred packages. */
const MAX_MANIFESTS = 200;
const MAX_MANIFEST_BYTES = 256 * 1024;
/** Maximum number of programs: a hostile manifest could name any number. */
const MAX_PROGRAMS = 500;

async function readBins(graph: Graph, objects: ObjectReader): Promise<Program[]> {
  const loaders = loadersByName();
  const has = (path: string) => graph.findFile(path) >= 0;
  const found: Program[] = [];
  let looked = 0;
  for (const { path, oid } of graph.tables.files) {
    const load = loaders.get(path.slice(path.lastIndexOf('/') + 1));
    if (load === undefined || ++looked > MAX_MANIFESTS) continue;
    const info = await objects.info(oid);
    const object = info !== null && info.size <= MAX_MANIFEST_BYTES ? await objects.read(oid) : null;
    if (object === null) continue;
    const programs = await load();
    found.push(...programs(path, object.content.toString('utf8'), has));
  }
  return found.slice(0, MAX_PROGRAMS);
}

type Load = NonNullable<Language['programs']>['load'];

function loadersByName(): Map<string, Load> {
  const loaders = new Map<string, Load>();
  for (const { programs } of allLanguages()) {
    if (programs !== undefined) for (const name of programs.manifests) loaders.set(name, programs.load);
  }
  return loaders;
}

export function flowText(answer: GraphFlowResponse | GraphEntriesResponse, { pen }: { pen: Pen }): string {
  return 'tree' in answer ? treeText(answer, pen) : entriesText(answer, pen);
}

function treeText(response: GraphFlowResponse, pen: Pen): string {
  const { tree, reached, depth } = response;
  const lines = treeLines(tree.list, pen);
  const summary =
    tree.list.length <= 1 && tree.leftOut === 0 && pen.skipped === undefined
      ? nothingText(tree.list[0])
      : `${formatCount(reached, 'function')} reached within ${formatCount(depth, 'step')}`;
  return `${[...lines, ...more(tree.leftOut, pen), '', pen.dim(summary), ...blockLines(othersBlocks(response), pen)].join('\n')}\n`;
}

function nothingText(entry: Node | undefined): string {
  return entry?.symbol === null
    ? 'its top level calls nothing of this repository that is known: ask for one of its functions'
    : 'it calls nothing of this repository that is known';
}

/** Lines of a tree with its branches: a bar shows that a sibling of an ancestor follows. */
function treeLines(nodes: readonly Node[], pen: Pen): string[] {
  const lines: string[] = [];
  // From the last line up: is there another child of the same parent below?
  const open: boolean[] = [];
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { depth } = nodes[i];
    const bars = Array.from({ length: Math.max(0, depth - 1) }, (_, level) =>
      open[level + 1] ? `${signs.bar}  ` : '   ',
    );
    const branch = depth === 0 ? '' : `${open[depth] ? signs.branch : signs.last} `;
    lines.push(`${pen.dim(bars.join('') + branch)}${nodeText(nodes[i], pen, depth >= (nodes[i + 1]?.depth ?? 0))}`);
    open.length = depth;
    for (let level = 0; level < depth; level++) open[level] ??= false;
    open[depth] = true;
  }
  return lines.reverse();
}

const SEEN: Readonly<Record<string, string>> = {
  above: '(its calls are listed above)',
  below: '(its calls are listed below)',
  cycle: '(calls itself in a circle)',
};

const WHY = {
  ambiguous: 'several definitions fit',
  unresolved: 'which is not known',
  unnamed: 'nothing here has that name',
};
/** Calls that the text names where the flow ends. */
const MAX_ENDS = 2;

/** Calls without a known target, with the reason where a branch of the tree ends. */
function unresolvedText({ unresolved, ends = [] }: Node, isEnd: boolean): string {
  if (!isEnd || ends.length === 0) return `${unresolved} unresolved`;
  const named = ends.slice(0, MAX_ENDS).map(({ line, text, why }) => `${text} on line ${line} (${WHY[why]})`);
  return `${unresolved} unresolved: ${named.join(', ')}${unresolved > MAX_ENDS ? ` ${signs.cut}` : ''}`;
}

function nodeText(node: Node, pen: Pen, isEnd: boolean): string {
  const notes: string[] = [];
  if (node.use === 'override') notes.push('or instead');
  else if (node.use !== 'call' && node.use !== 'entry')
    notes.push(node.use === 'value' ? 'passed as a value' : node.use);
  if (node.seen !== undefined) notes.push(SEEN[node.seen]);
  if (node.deeper !== undefined) notes.push(`+${formatCount(node.deeper, 'call')} deeper`);
  const name = node.symbol === null ? pen.path(node.path) : pen.symbol(node.symbol);
  const where = node.symbol === null ? '' : `  ${at(node.path, node.startLine, pen)}`;
  const out = [
    ...(node.external > 0 ? [`${node.external} outside`] : []),
    ...(node.unresolved > 0 ? [unresolvedText(node, isEnd && node.deeper === undefined)] : []),
  ];
  if (out.length > 0 && node.seen === undefined) notes.push(out.join(', '));
  const details = notes.length === 0 ? '' : `  ${pen.dim(notes.join('  '))}`;
  return `${name}${where}${details}${doubt(node, pen)}`;
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
      ...tests.folders.list.map(({ folder, files }) => `  ${pen.path(folder)}  ${groupDigits(files)}`),
      ...more(tests.folders.leftOut, pen),
    ]),
    ...entries('exported functions that no known call leads to', uncalled, pen),
  ];
  if (lines.length === 0) return `${pen.dim('no entry points are known')}\n`;
  return `${lines.slice(1).join('\n')}\n`;
}

function entries(title: string, all: Some<Entry>, pen: Pen): string[] {
  const lines = all.list.map((entry) => {
    const label = entry.label === undefined ? '' : `  ${pen.symbol(entry.label)}`;
    return `  ${placeText(entry, pen)}${label}  ${pen.dim(`calls ${entry.calls}`)}`;
  });
  return section(
    `${title}: ${groupDigits(count(all, pen))}`,
    lines.length === 0 ? [] : [...lines, ...more(all.leftOut, pen)],
  );
}

const METHOD_WIDTH = 6;

function routeText({ method, route, path, line, handler }: Route, pen: Pen): string {
  const to = handler === null ? '' : `  -> ${pen.symbol(handler.symbol ?? '')}`;
  const there = handler === null || handler.path === path ? '' : `  ${at(handler.path, handler.startLine, pen)}`;
  return `  ${method.padEnd(METHOD_WIDTH)} ${route}${to}${there}  ${pen.dim(`${path}:${line}`)}`;
}
