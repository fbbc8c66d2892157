/** Symbols that differ between a tree and a snapshot with its uncommitted files, as nodes of the snapshot's graph. */

import type { Graph } from '../../../graph/graph.js';
import { isFile } from '../../../history/follow.js';
import type { SymbolChange } from '../../../history/symbol-diff.js';
import { openFacts } from '../../../session/graph/facts-source.js';
import type { PreparedGraph } from '../../../session/graph/prepare.js';
import { type ComparedFile, compareSymbols, joinMovedSymbols } from '../../../session/history/compare-symbols.js';
import { pathSelector } from '../../../session/history/scope.js';
import type { Session } from '../../../session/session.js';
import type { ChangedSymbol, RemovedSymbol } from './impact-of-changes.js';

export interface Changes {
  /** Files that differ. */
  files: number;
  symbols: ChangedSymbol[];
  removed: RemovedSymbol[];
}

/** `tree`: the older side; null stands for the empty one. */
export async function changedSymbols(
  session: Session,
  prepared: PreparedGraph,
  { tree, signal }: { tree: string | null; signal?: AbortSignal },
): Promise<Changes> {
  const { graph, origin } = prepared;
  const { config } = await session.configOfOrigin(origin);
  const accepts = pathSelector({ config }, origin, undefined);
  const files = await differingFiles(session, graph, { tree, accepts });
  const source = await openFacts(session, prepared, { count: 2 * files.length, signal });
  try {
    await compareSymbols(files, source);
    await joinMovedSymbols(files, source);
  } finally {
    await source.close();
  }
  const changes: Changes = { files: files.length, symbols: [], removed: [] };
  for (const file of files) collect(graph, file, changes);
  return changes;
}

async function differingFiles(
  session: Session,
  graph: Graph,
  { tree, accepts }: { tree: string | null; accepts: (path: string) => boolean },
): Promise<ComparedFile[]> {
  const entries = tree === null ? [] : await session.objects.list(tree);
  const old = new Map(entries.filter(({ type }) => isFile(type)).map(({ path, oid }) => [path, oid]));
  const found: ComparedFile[] = [];
  const add = (path: string, oldOid: string | null, newOid: string | null) => {
    const status = oldOid === null ? 'added' : newOid === null ? 'deleted' : 'modified';
    found.push({
      change: { path, oldOid, newOid, oldType: typeOf(oldOid), newType: typeOf(newOid), status },
      before: oldOid === null ? null : { oid: oldOid, path },
      after: newOid === null ? null : { oid: newOid, path },
      diff: null,
    });
  };
  const gone = new Map<string, string>();
  for (const [path, oid] of old) if (graph.findFile(path) < 0 && accepts(path)) gone.set(path, oid);
  const left = new Set(gone.values());
  for (const { path, oid } of graph.tables.files) {
    const oldOid = old.get(path) ?? null;
    // A file that moved as it was: what it defines is the same.
    if (oldOid !== oid && !(oldOid === null && left.has(oid))) add(path, oldOid, oid);
  }
  const now = new Set(graph.tables.files.map(({ oid }) => oid));
  for (const [path, oid] of gone) if (!now.has(oid)) add(path, oid, null);
  return found;
}

const typeOf = (oid: string | null) => (oid === null ? null : 'file');

function collect(graph: Graph, { before, after, diff }: ComparedFile, changes: Changes): void {
  const file = after === null ? -1 : graph.findFile(after.path);
  if (diff === null) {
    // Its symbols are not known: every file that imports it may be affected.
    if (file >= 0 && before !== null) changes.symbols.push({ node: graph.fileNode(file), change: 'changed' });
    return;
  }
  for (const change of diff.changes) {
    const { symbol, type } = change;
    if (type === 'removed') {
      if (before !== null) changes.removed.push({ path: before.path, symbol: symbol.symbol, kind: symbol.kind });
      continue;
    }
    if (file < 0 || isCosmetic(change)) continue;
    const node = nodeOf(graph, file, symbol);
    if (node >= 0) changes.symbols.push({ node, change: type });
  }
}

/** Only comments and white space: no other code is affected. */
function isCosmetic({ parts }: SymbolChange): boolean {
  return parts !== undefined && parts.length > 0 && parts.every((part) => part === 'doc' || part === 'layout');
}

function nodeOf(graph: Graph, file: number, { name, startLine }: { name: string; startLine: number }): number {
  const end = graph.tables.nodeBase[file + 1];
  for (let node = graph.fileNode(file) + 1; node < end; node++)
    if (graph.startLine(node) === startLine && graph.name(node) === name) return node;
  return -1;
}
