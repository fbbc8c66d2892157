/**
 * Finds symbols that differ between a tree and a snapshot with its uncommitted files, those that moved or were renamed,
 * and the corresponding nodes of both graphs.
 */
import { addTo } from '../../../base/lists.js';
import type { TreeEntry } from '../../../git/objects.js';
import { Comparison, movedFiles, type NodePair } from '../../../graph/compare/correspondence.js';
import type { Graph } from '../../../graph/graph.js';
import type { ChangedSymbol, RemovedSymbol } from '../../../graph/query/impact.js';
import { isTest } from '../../../graph/query/node-place.js';
import { lastNodeOf } from '../../../graph/query/uses.js';
import { findRenames, type Rename } from '../../../history/file-versions.js';
import { isCosmetic, type PlacedChange, type SymbolChange, type SymbolDigest } from '../../../history/symbol-diff.js';
import { isFile } from '../../../history/trace.js';
import { languageOf } from '../../../languages/registry.js';
import type { BlobFactsSource } from '../../../session/blob-facts.js';
import type { PreparedGraph } from '../../../session/graph/graphs.js';
import { pathSelector } from '../../../session/history/open-history.js';
import { type ComparedFile, compareSymbols, joinMovedSymbols } from '../../../session/history/symbol-changes.js';
import type { Session } from '../../../session/session.js';

export interface Changes {
  /** Number of files that differ. */
  files: number;
  /** Their paths, before and after. */
  paths: ReadonlySet<string>;
  symbols: ChangedSymbol[];
  removed: RemovedSymbol[];
  compared: readonly ComparedFile[];
  renames: readonly Rename[];
}

/**
 * Compares `tree` (null: the empty one) with the snapshot. `older`: the tree's graph if it is linked, which knows its
 * files sooner than git does. `source` reads the facts of both.
 */
export async function changedSymbols(
  session: Session,
  { graph, origin }: PreparedGraph,
  { tree, older, source }: { tree: string | null; older?: Graph; source: BlobFactsSource },
): Promise<Changes> {
  const { config } = await session.configOfOrigin(origin);
  const accepts = pathSelector({ config }, origin, undefined);
  const { files, moved } = await differingFiles(session, graph, { tree, older, accepts });
  await compareSymbols(files, source);
  await joinMovedSymbols(files, source);
  const renames = await findRenames(placedIn(files), source);
  const paths = new Set([...files.map(({ change }) => change.path), ...moved.flat()]);
  const found = collect({ older, graph }, { files, moved }, renames);
  return { files: files.length + moved.length, paths, compared: files, renames, ...found };
}

function placedIn(files: readonly ComparedFile[]): PlacedChange[] {
  return files.flatMap(({ diff, before, after }) =>
    (diff?.changes ?? []).flatMap((change): PlacedChange[] => {
      const version = change.type === 'removed' ? before : after;
      return version === null ? [] : [{ ...version, change }];
    }),
  );
}

interface DifferingFiles {
  files: readonly ComparedFile[];
  moved: readonly (readonly [from: string, to: string])[];
}

/** Files whose content differs, and the paths of files that moved without a change: their definitions are the same. */
async function differingFiles(
  session: Session,
  graph: Graph,
  { tree, older, accepts }: { tree: string | null; older?: Graph; accepts: (path: string) => boolean },
): Promise<DifferingFiles> {
  const entries = older?.tables.files ?? (tree === null ? [] : await filesIn(session, tree));
  const old = new Map(entries.map(({ path, oid }) => [path, oid]));
  const gone = new Map<string, string[]>();
  for (const [path, oid] of old) {
    if (graph.findFile(path) < 0 && accepts(path)) addTo(gone, oid, path);
  }
  const files: ComparedFile[] = [];
  const moved: [string, string][] = [];
  for (const { path, oid } of graph.tables.files) {
    const oldOid = old.get(path) ?? null;
    if (oldOid === oid) continue;
    const from = oldOid === null ? gone.get(oid)?.shift() : undefined;
    if (from === undefined) files.push(comparedFile(path, oldOid, oid));
    else moved.push([from, path]);
  }
  for (const [oid, paths] of gone) for (const path of paths) files.push(comparedFile(path, oid, null));
  return { files, moved };
}

async function filesIn(session: Session, tree: string): Promise<TreeEntry[]> {
  return (await session.objects.list(tree)).filter(({ type }) => isFile(type));
}

function comparedFile(path: string, oldOid: string | null, newOid: string | null): ComparedFile {
  const status = oldOid === null ? 'added' : newOid === null ? 'deleted' : 'modified';
  return {
    change: { path, oldOid, newOid, oldType: typeOf(oldOid), newType: typeOf(newOid), status },
    before: oldOid === null ? null : { oid: oldOid, path },
    after: newOid === null ? null : { oid: newOid, path },
    diff: null,
  };
}

const typeOf = (oid: string | null) => (oid === null ? null : 'file');

/**
 * Finds the symbol with the same kind and qualified name in another file, for one that is gone from its file; -1 for none, for several, and
 * if that file had it before the change. A symbol at the top level is not looked for: a module that a new file opens counts as one new symbol
 * with all of its members.
 */
function nodeElsewhere(
  { older, graph }: { older: Graph; graph: Graph },
  { symbol, kind, path }: { symbol: string; kind: string; path: string },
): number {
  const name = spelled(symbol);
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (last === name) return -1;
  const nodesIn = (side: Graph): number[] =>
    [last, symbol]
      .flatMap((each) => side.nodesNamed(each))
      .filter((node) => side.kind(node) === kind && spelled(side.qualifiedName(node)) === name);
  const found = nodesIn(graph);
  const [node] = found;
  if (found.length !== 1 || graph.path(node) === path) return -1;
  const wasThere = nodesIn(older).some((each) => older.path(each) === graph.path(node));
  return wasThere ? -1 : node;
}

/** One spelling of `class Shop::Error` and of `class Error` in `module Shop`. */
export const spelled = (symbol: string): string => symbol.replaceAll('::', '.');

/** Nodes that changed and symbols that are gone, from the differences of files. */
function collect(
  { older, graph }: { older?: Graph; graph: Graph },
  { files, moved }: DifferingFiles,
  renames: readonly Rename[],
): Pick<Changes, 'symbols' | 'removed'> {
  const [symbols, removed]: [ChangedSymbol[], RemovedSymbol[]] = [[], []];
  const former = new Map(renames.map(({ from, to }) => [to.change, from]));
  const gone = new Set(renames.map(({ from }) => from.change));
  const addRemoved = (change: SymbolChange, path: string) => {
    const { symbol, kind } = change.symbol;
    const node = older === undefined ? -1 : nodeElsewhere({ older, graph }, { symbol, kind, path });
    if (node >= 0) symbols.push({ node, change: 'moved', signature: false });
    else removed.push({ path, symbol: formerName(older, path, change.symbol), kind });
  };
  const addPresent = (change: SymbolChange, type: ChangedSymbol['change'], file: number) => {
    const node = file < 0 || isCosmetic(change) ? -1 : nodeOf(graph, file, change.symbol);
    if (node < 0 || isNameless(graph, node)) return;
    const [from, signature] = [former.get(change), change.parts?.includes('signature') ?? false];
    if (from === undefined) symbols.push({ node, change: type, signature });
    else symbols.push({ node, change: 'renamed', signature, was: from.change.symbol.symbol });
  };
  for (const [was, path] of moved) {
    const file = graph.findFile(path);
    if (languageOf(graph.tables.files[file].language)?.plain === 'code')
      symbols.push({ node: graph.fileNode(file), change: 'moved', was });
  }
  for (const { before, after, diff, isGenerated } of files) {
    const file = after === null ? -1 : graph.findFile(after.path);
    // The symbols are unknown, or nobody reads them, so every file that imports it may be affected.
    if (file >= 0 && (isGenerated || (diff === null && before !== null)))
      symbols.push({ node: graph.fileNode(file), change: before === null ? 'added' : 'changed', signature: false });
    if (isGenerated) continue;
    for (const change of diff?.changes ?? []) {
      if (change.type !== 'removed') addPresent(change, change.type, file);
      else if (before !== null && !gone.has(change)) addRemoved(change, before.path);
    }
  }
  return { symbols, removed };
}

/** Name of a removed symbol. The graph knows the class of a member that stands outside of it. */
function formerName(older: Graph | undefined, path: string, symbol: SymbolDigest): string {
  const was = older === undefined ? -1 : find(older, { path, symbol });
  return older === undefined || was < 0 ? symbol.symbol : older.qualifiedName(was);
}

/** Is it a method of a literal in a test? No code can name it, and the test itself changes. */
function isNameless(graph: Graph, node: number): boolean {
  const isAlone = graph.kind(node) === 'method' && graph.isFile(graph.container(node)) && !graph.isExported(node);
  return isAlone && isTest(graph, graph.fileOf(node)) && graph.incoming(node).length === 0;
}

/** Node of a symbol of a compared file; -1 for none. */
function nodeOf(graph: Graph, file: number, { name, startLine }: Pick<SymbolDigest, 'name' | 'startLine'>): number {
  const end = graph.tables.nodeBase[file + 1];
  for (let node = graph.fileNode(file) + 1; node < end; node++)
    if (graph.startLine(node) === startLine && graph.name(node) === name) return node;
  return -1;
}

type Place = Pick<SymbolDigest, 'name' | 'startLine'>;

export function compareGraphs(
  old: Graph,
  now: Graph,
  { compared, renames }: Pick<Changes, 'compared' | 'renames'>,
): Comparison {
  const pairs: NodePair[] = [];
  const add = (from: { path: string; symbol: Place }, to: { path: string; symbol: Place }, how: NodePair['how']) => {
    const [a, b] = [find(old, from), find(now, to)];
    if (a >= 0 && b >= 0) pairs.push({ old: a, now: b, how }, ...membersOf(old, now, { old: a, now: b, how }));
  };
  for (const { before, diff } of compared) {
    if (before === null || diff === null) continue;
    for (const { type, symbol } of diff.changes) {
      const node = type === 'removed' ? find(old, { path: before.path, symbol }) : -1;
      const place = { symbol: symbol.symbol, kind: symbol.kind, path: before.path };
      const elsewhere = node < 0 ? -1 : nodeElsewhere({ older: old, graph: now }, place);
      const pair: NodePair = { old: node, now: elsewhere, how: 'moved' };
      if (elsewhere >= 0) pairs.push(pair, ...membersOf(old, now, pair));
    }
  }
  for (const { after, diff } of compared) {
    if (after === null || diff === null) continue;
    for (const { type, symbol, from } of diff.changes)
      if (type === 'moved' && from !== undefined) add(from, { path: after.path, symbol }, 'moved');
  }
  for (const { from, to } of renames)
    add({ path: from.path, symbol: from.change.symbol }, { path: to.path, symbol: to.change.symbol }, 'renamed');
  const files = new Map([...movedFiles(old, now)].map(([path, from]) => [from, path]));
  return new Comparison(old, now, files, pairs);
}

function find(graph: Graph, { path, symbol }: { path: string; symbol: Place }): number {
  const file = graph.findFile(path);
  return file < 0 ? -1 : nodeOf(graph, file, symbol);
}

/** Pairs of members of a moved container. */
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
