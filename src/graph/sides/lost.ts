/**
 * Uses that led somewhere in the older graph and lead nowhere in the newer one, because what they led to is gone, or has another
 * name or place. These are candidates: whether something else stands behind the name now, the text has to tell.
 */
import type { Graph } from '../graph.js';
import { lastNodeOf } from '../query/uses.js';
import type { Sides } from './sides.js';

export interface LostUse {
  /** Edge of the newer graph, without a target or with one that its name alone suggests. */
  edge: number;
  /** Edge of the older graph, and the node that it led to. */
  oldEdge: number;
  was: number;
}

/** Each edge of the newer graph once, in the order of files and lines. */
export function lostUses(sides: Sides): LostUse[] {
  const { old } = sides;
  const byFile = new Map<number, number[]>();
  const add = (edge: number) => {
    const file = old.fileOf(old.source(edge));
    if (sides.file(file) < 0) return;
    const list = byFile.get(file);
    if (list === undefined) byFile.set(file, [edge]);
    else list.push(edge);
  };
  for (const node of sides.displaced()) for (const edge of old.incoming(node)) add(edge);
  for (const edge of importsOfMoved(sides)) add(edge);
  const found = new Map<number, LostUse>();
  for (const [file, edges] of byFile) for (const use of lostIn(sides, file, edges)) found.set(use.edge, use);
  return [...found.values()].sort((a, b) => a.edge - b.edge);
}

/** Imports of a moved file may not lead from its new place to where they led. */
function* importsOfMoved(sides: Sides): Generator<number> {
  const { old } = sides;
  for (let file = 0; file < old.fileCount; file++) {
    if (sides.isUntouched(file) || !isMoved(sides, file)) continue;
    const first = old.fileNode(file);
    for (let node = first; node < lastNodeOf(old, first); node++) {
      const [start, end] = old.edgeRange(node);
      for (let edge = start; edge < end; edge++) if (old.isFileEdge(edge) && old.target(edge) >= 0) yield edge;
    }
  }
}

function isMoved(sides: Sides, file: number): boolean {
  const newer = sides.file(file);
  return newer >= 0 && sides.now.tables.files[newer].path !== sides.old.tables.files[file].path;
}

/** `edges`: of the older file. */
function* lostIn(sides: Sides, file: number, edges: readonly number[]): Generator<LostUse> {
  const { old, now } = sides;
  const newer = edgesByText(now, sides.file(file));
  for (const oldEdge of edges) {
    const use = old.edge(oldEdge);
    const source = sides.node(use.from);
    const isImport = old.isFileEdge(oldEdge);
    const alike = newer.get(textOf(old, oldEdge)) ?? [];
    const meant = alike.filter((edge) => {
      if (now.isFileEdge(edge) !== isImport) return false;
      if (isImport) return true;
      if (sides.isSame(file)) return now.tables.edgeLine[edge] === use.startLine;
      return source < 0 || now.source(edge) === source;
    });
    // An import of several names or files stands for several edges: one that leads somewhere is enough.
    if (isImport && meant.some((edge) => now.target(edge) >= 0)) continue;
    const was = old.target(oldEdge);
    const isFound = (edge: number) => now.target(edge) >= 0 && now.target(edge) === sides.node(was);
    for (const edge of meant) if (isLost(now, edge) && !isFound(edge)) yield { edge, oldEdge, was };
  }
}

/** An edge that its name alone suggests is no proof that the use means what it leads to. */
function isLost(graph: Graph, edge: number): boolean {
  return graph.target(edge) < 0 || graph.tier(edge) === 'unique';
}

function edgesByText(graph: Graph, file: number): Map<string, number[]> {
  const found = new Map<string, number[]>();
  const first = graph.fileNode(file);
  for (let node = first; node < lastNodeOf(graph, first); node++) {
    const [start, end] = graph.edgeRange(node);
    for (let edge = start; edge < end; edge++) {
      const key = textOf(graph, edge);
      const list = found.get(key);
      if (list === undefined) found.set(key, [edge]);
      else list.push(edge);
    }
  }
  return found;
}

function textOf(graph: Graph, edge: number): string {
  const { name, receiver } = graph.edge(edge);
  return `${receiver} ${name}`;
}
