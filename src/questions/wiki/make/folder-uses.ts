/** Uses between the parts of each folder, and between a folder and the rest: counted in one pass over the edges of the graph. */
import type { Graph } from '../../../graph/graph.js';

/** Uses by pairs: from, then to. */
export type Counts = Map<string, Map<string, number>>;

export interface FolderUses {
  /** By folder: uses between what is directly in it, folders and files, by their paths. */
  inside: Map<string, Counts>;
  /** By folder: folders outside of it that it uses, and those that use it. */
  uses: Counts;
  usedBy: Counts;
  /** By path of a file, with a page or without. */
  fileUses: Counts;
  fileUsedBy: Counts;
}

export const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');

/** Of files that `accepts` accepts. */
export function countUses(graph: Graph, accepts: (file: number) => boolean): FolderUses {
  const found: FolderUses = {
    inside: new Map(),
    uses: new Map(),
    usedBy: new Map(),
    fileUses: new Map(),
    fileUsedBy: new Map(),
  };
  for (let file = 0; file < graph.fileCount; file++) {
    if (!accepts(file)) continue;
    const { path } = graph.tables.files[file];
    for (const [to, count] of usesOfFile(graph, file)) {
      if (!accepts(to)) continue;
      const other = graph.tables.files[to].path;
      add(found.fileUses, path, other, count);
      add(found.fileUsedBy, other, path, count);
      countFolders(found, path, other, count);
    }
  }
  return found;
}

function usesOfFile(graph: Graph, file: number): Map<number, number> {
  const counts = new Map<number, number>();
  const [start] = graph.edgeRange(graph.fileNode(file));
  const [, end] = graph.edgeRange(graph.tables.nodeBase[file + 1] - 1);
  for (let edge = start; edge < end; edge++) {
    const target = graph.target(edge);
    const to = target < 0 ? file : graph.fileOf(target);
    if (to !== file) counts.set(to, (counts.get(to) ?? 0) + 1);
  }
  return counts;
}

/** Both stand in one part of every folder above the deepest one that holds both: only there the use is between parts. */
function countFolders(found: FolderUses, path: string, other: string, count: number): void {
  const common = commonFolder(path, other);
  const inside = found.inside.get(common) ?? new Map();
  found.inside.set(common, inside);
  add(inside, partIn(common, path), partIn(common, other), count);
  for (let at = folderOf(path); at !== common && at !== ''; at = folderOf(at))
    add(found.uses, at, folderOf(other), count);
  for (let at = folderOf(other); at !== common && at !== ''; at = folderOf(at))
    add(found.usedBy, at, folderOf(path), count);
}

function commonFolder(path: string, other: string): string {
  let common = folderOf(path);
  while (common !== '' && !other.startsWith(`${common}/`)) common = folderOf(common);
  return common;
}

/** The folder or file directly in `folder` that a path is in, or is. */
export function partIn(folder: string, path: string): string {
  const next = path.indexOf('/', folder === '' ? 0 : folder.length + 1);
  return next < 0 ? path : path.slice(0, next);
}

function add(counts: Counts, from: string, to: string, count: number): void {
  const row = counts.get(from) ?? new Map<string, number>();
  counts.set(from, row);
  row.set(to, (row.get(to) ?? 0) + count);
}

/** The largest first, equal ones by name. */
export function largest(row: ReadonlyMap<string, number> | undefined, most: number): [string, number][] {
  return [...(row ?? [])].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, most);
}
