/** Symbols that both sides change, and uses in changes of one side of symbols that the other changes. */
import type { Graph } from '../../../graph/graph.js';
import { lastNodeOf } from '../../../graph/query/uses.js';
import type { ChangeWord, SharedSymbol } from '../output.js';
import type { ChangedFile, ChangedFiles } from './changes.js';
import { type ChangedSymbol, changeOf, type FileSymbols, RANK, type Versions } from './versions.js';

/** Files that both sides change, by path where they parted. */
export function bothChanged(mine: ChangedFiles, theirs: ChangedFiles): string[] {
  const [small, large] = mine.size < theirs.size ? [mine, theirs] : [theirs, mine];
  return [...small.keys()].filter((path) => large.has(path));
}

/** Symbols of one file that both sides change in different ways. */
export function sharedSymbols(path: string, mine: FileSymbols, theirs: FileSymbols): SharedSymbol[] {
  const found = new Map<string, SharedSymbol>();
  const add = (symbol: string, own: ChangedSymbol | undefined, other: ChangedSymbol | undefined) => {
    if (own === undefined || other === undefined || found.has(symbol) || isSame(own, other)) return;
    const { kind, startLine } = own.digest.symbol === symbol ? own.digest : other.digest;
    const line = own.word === 'removed' ? null : own.digest.symbol === symbol ? startLine : own.digest.startLine;
    found.set(symbol, { path, symbol, kind, line, mine: own.word, theirs: other.word });
  };
  for (const [symbol, own] of mine.changed) add(symbol, own, changeOf(theirs, symbol));
  for (const [symbol, other] of theirs.changed) add(symbol, changeOf(mine, symbol), other);
  return [...found.values()];
}

/** Both made the same of it. */
function isSame(a: ChangedSymbol, b: ChangedSymbol): boolean {
  if (a.word === 'removed' && b.word === 'removed') return true;
  return a.digest.symbol === b.digest.symbol && a.digest.text === b.digest.text && a.digest.doc === b.digest.doc;
}

/** A use in a file that this side changes, of a symbol in a file that the other changes. */
export interface PossibleUse {
  edge: number;
  /** Files with the use and with its target, on this side and on the other. */
  from: ChangedFile;
  target: ChangedFile;
}

/** Uses that lead from files of `mine` to symbols in files of `theirs`, before anything is read. */
export function possibleUses(graph: Graph, mine: ChangedFiles, theirs: ChangedFiles): PossibleUse[] {
  const own = new Map<number, ChangedFile>();
  const paths = new Map<string, string>();
  for (const [base, file] of mine) {
    if (file.after === null) continue;
    own.set(graph.findFile(file.after.path), file);
    paths.set(base, file.after.path);
  }
  const found: PossibleUse[] = [];
  for (const [base, target] of theirs) {
    const file = graph.findFile(paths.get(base) ?? base);
    if (file < 0 || target.before === null) continue;
    for (let node = graph.fileNode(file) + 1; node < lastNodeOf(graph, graph.fileNode(file)); node++) {
      for (const edge of graph.incoming(node)) {
        const source = graph.fileOf(graph.source(edge));
        const from = source === file ? undefined : own.get(source);
        if (from !== undefined) found.push({ edge, from, target });
      }
    }
  }
  return found;
}

/** The change of the other side that a use meets; null where this side does not change the use, or the other not its target. */
export function changeUsed(
  graph: Graph,
  { edge, from, target }: PossibleUse,
  versions: Versions,
): { symbol: string; change: ChangedSymbol } | null {
  const [mine, theirs] = [versions.symbolsOf(from), versions.symbolsOf(target)];
  if (mine === null || theirs === null) return null;
  const symbol = graph.qualifiedName(graph.target(edge));
  const change = changeOf(theirs, symbol);
  // A comment changes nothing for its callers, and a symbol that the other side adds is not the one that is used.
  if (change === undefined || change.word === 'doc' || change.word === 'added') return null;
  const source = graph.source(edge);
  const isMine = graph.isFile(source) ? mine.outside : isChanged(mine, graph.qualifiedName(source));
  return isMine ? { symbol, change } : null;
}

function isChanged(mine: FileSymbols, symbol: string): boolean {
  const own = changeOf(mine, symbol);
  return own !== undefined && own.word !== 'doc';
}

export const byRank = (a: ChangeWord, b: ChangeWord): number => RANK.indexOf(a) - RANK.indexOf(b);
