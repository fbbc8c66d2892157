/** Makes the two sides of a change from both graphs and what a comparison of the files found. */
import type { Graph } from '../../../../graph/graph.js';
import { movedFiles } from '../../../../graph/query/moved-files.js';
import { lastNodeOf } from '../../../../graph/query/uses.js';
import { type NodePair, Sides } from '../../../../graph/sides/sides.js';
import type { SymbolDigest } from '../../../../history/symbol-digest.js';
import { type Changes, nodeOf } from '../changed-symbols.js';

type Place = Pick<SymbolDigest, 'name' | 'startLine'>;

export function compareSides(
  old: Graph,
  now: Graph,
  { compared, renames }: Pick<Changes, 'compared' | 'renames'>,
): Sides {
  const pairs: NodePair[] = [];
  const add = (from: { path: string; symbol: Place }, to: { path: string; symbol: Place }, how: NodePair['how']) => {
    const [a, b] = [find(old, from), find(now, to)];
    if (a >= 0 && b >= 0) pairs.push({ old: a, now: b, how }, ...membersOf(old, now, { old: a, now: b, how }));
  };
  for (const { after, diff } of compared) {
    if (after === null || diff === null) continue;
    for (const { type, symbol, from } of diff.changes)
      if (type === 'moved' && from !== undefined) add(from, { path: after.path, symbol }, 'moved');
  }
  for (const { from, to } of renames)
    add({ path: from.path, symbol: from.change.symbol }, { path: to.path, symbol: to.change.symbol }, 'renamed');
  const files = new Map([...movedFiles(old, now)].map(([path, from]) => [from, path]));
  return new Sides(old, now, files, pairs);
}

function find(graph: Graph, { path, symbol }: { path: string; symbol: Place }): number {
  const file = graph.findFile(path);
  return file < 0 ? -1 : nodeOf(graph, file, symbol);
}

/** Members go where their container goes. */
function membersOf(old: Graph, now: Graph, { old: from, now: to, how }: NodePair): NodePair[] {
  const inside = new Map(namesInside(now, to).map(([node, name]) => [name, node]));
  return namesInside(old, from).flatMap(([node, name]) => {
    const found = inside.get(name);
    return found === undefined ? [] : [{ old: node, now: found, how }];
  });
}

function namesInside(graph: Graph, outer: number): [node: number, name: string][] {
  const found: [number, string][] = [];
  const names = new Map([[outer, '']]);
  for (let node = outer + 1; node < lastNodeOf(graph, outer); node++) {
    const container = names.get(graph.container(node));
    if (container === undefined) continue;
    const name = `${container}.${graph.name(node)}`;
    names.set(node, name);
    found.push([node, name]);
  }
  return found;
}
