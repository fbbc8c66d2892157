/** The order of reading: files by importance, what is used before its users, tests and mere declarations last. */
import type { Graph } from '../../../graph/graph.js';
import { filesUsedBy } from '../../../graph/query/file-edges.js';
import { declaredItem, type Item, type Packing, pieceItem } from './packing.js';

/** A file goes before its user if it is worth so much of it: the best result stays first. */
const NEAR = 0.5;
/** A further piece of a file adds so much of its worth to the file's. */
const FURTHER_PIECE = 0.3;

interface FileOfPack {
  path: string;
  value: number;
  items: Item[];
}

export function orderItems(graph: Graph | null, packing: Packing): Item[] {
  const code: FileOfPack[] = [];
  const tests: FileOfPack[] = [];
  const near: FileOfPack[] = [];
  for (const [path, pieces] of packing.pieces) {
    if (pieces.length === 0) continue;
    const values = pieces.map(({ value }) => value).sort((a, b) => b - a);
    const value = values.reduce((sum, each, i) => sum + (i === 0 ? each : each * FURTHER_PIECE), 0);
    const declared = packing.declared.get(path);
    const items = [...pieces.map(pieceItem), ...(declared === undefined ? [] : [declaredItem(path, declared)])];
    (pieces.every(({ kind }) => kind === 'test') ? tests : code).push({ path, value, items });
  }
  for (const [path, declared] of packing.declared) {
    if ((packing.pieces.get(path)?.length ?? 0) > 0 || declared.length === 0) continue;
    near.push({ path, value: Math.max(...declared.map(({ value }) => value)), items: [declaredItem(path, declared)] });
  }
  const byValue = (a: FileOfPack, b: FileOfPack) => b.value - a.value || (a.path < b.path ? -1 : 1);
  const ordered = definitionsFirst(graph, code.sort(byValue));
  return [...ordered, ...near.sort(byValue), ...tests.sort(byValue)].flatMap(({ items }) => items);
}

function definitionsFirst(graph: Graph | null, files: FileOfPack[]): FileOfPack[] {
  if (graph === null) return files;
  const used = new Map(files.map(({ path }) => [path, usedBy(graph, path)]));
  const ordered: FileOfPack[] = [];
  for (const file of files) {
    let at = ordered.length;
    while (at > 0) {
      const before = ordered[at - 1];
      const isUsed = used.get(before.path)?.has(file.path) && !used.get(file.path)?.has(before.path);
      if (!isUsed || file.value < before.value * NEAR) break;
      at--;
    }
    ordered.splice(at, 0, file);
  }
  return ordered;
}

function usedBy(graph: Graph, path: string): Set<string> {
  const file = graph.findFile(path);
  return new Set(file < 0 ? [] : filesUsedBy(graph, file).map((link) => link.path));
}
