/** Compares two versions of a file and lists added, removed and changed symbols. */
import type { FileDigest, SymbolDigest } from './symbol-digest.js';

/** Part of a symbol that changed; `layout` means white space only. */
type SymbolPart = 'signature' | 'body' | 'doc' | 'layout';

export interface SymbolChange {
  type: 'added' | 'removed' | 'changed' | 'moved';
  /** New version of the symbol; for a removed symbol the old one. */
  symbol: SymbolDigest;
  /** Number of symbols inside an added or removed one, which are not listed separately. */
  members: number;
  parts?: SymbolPart[];
  /** Former place of a moved symbol. */
  from?: { path: string; symbol: SymbolDigest };
}

export interface FileDiff {
  changes: SymbolChange[];
  /** Number of symbols without changes. */
  unchanged: number;
  /** Did text outside of all symbols change? */
  outside: boolean;
}

const NOTHING: FileDigest = { symbols: [], outside: '' };

/**
 * Lists symbol changes. Members of an added or removed symbol are only counted. A symbol counts as changed if its own
 * text changed, not that of its members.
 */
export function diffSymbols(before: FileDigest | null, after: FileDigest | null): FileDiff {
  const [old, now] = [before ?? NOTHING, after ?? NOTHING];
  const pairs = pairSymbols(old.symbols, now.symbols);
  const kept = new Set(pairs.values());
  const [inOld, inNow] = [countMembers(old.symbols), countMembers(now.symbols)];
  const isAdded = (i: number) => !pairs.has(i);
  const isRemoved = (i: number) => !kept.has(i);
  const changes: SymbolChange[] = [];
  let unchanged = 0;
  for (const [i, symbol] of now.symbols.entries()) {
    const partner = pairs.get(i);
    const parts = partner === undefined ? null : changedPartsOf(old.symbols[partner], symbol);
    if (parts === null) {
      if (!(symbol.container >= 0 && isAdded(symbol.container)))
        changes.push({ type: 'added', symbol, members: inNow[i] });
    } else if (parts.length > 0) changes.push({ type: 'changed', symbol, members: 0, parts });
    else unchanged++;
  }
  for (const [i, symbol] of old.symbols.entries()) {
    if (!isRemoved(i) || (symbol.container >= 0 && isRemoved(symbol.container))) continue;
    changes.push({ type: 'removed', symbol, members: inOld[i] });
  }
  return { changes, unchanged, outside: before !== null && after !== null && old.outside !== now.outside };
}

/**
 * Pairs new and old symbols of one name: those with equal text first, then the rest in order. Maps new to old indexes.
 */
function pairSymbols(old: readonly SymbolDigest[], now: readonly SymbolDigest[]): Map<number, number> {
  const pairs = new Map<number, number>();
  const pair = (keyOf: (symbol: SymbolDigest) => string) => {
    const taken = new Set(pairs.values());
    const waiting = new Map<string, number[]>();
    // Fills the lists from the end, so that `pop` gives the first symbol.
    for (let i = old.length - 1; i >= 0; i--) {
      const list = taken.has(i) ? null : waiting.get(keyOf(old[i]));
      if (list === undefined) waiting.set(keyOf(old[i]), [i]);
      else list?.push(i);
    }
    for (const [i, symbol] of now.entries()) {
      const found = pairs.has(i) ? undefined : waiting.get(keyOf(symbol))?.pop();
      if (found !== undefined) pairs.set(i, found);
    }
  };
  pair((symbol) => `${nameOf(symbol)} ${symbol.text}`);
  pair(nameOf);
  return pairs;
}

function nameOf({ kind, symbol }: SymbolDigest): string {
  return `${kind} ${symbol}`;
}

export function changedPartsOf(before: SymbolDigest, after: SymbolDigest): SymbolPart[] {
  const parts: SymbolPart[] = [];
  if (before.signature !== after.signature || before.exported !== after.exported) parts.push('signature');
  if (before.body !== after.body) parts.push('body');
  if (before.doc !== after.doc) parts.push('doc');
  if (parts.length === 0 && before.raw !== after.raw) parts.push('layout');
  return parts;
}

/** Counts the symbols inside each symbol, at any depth. Members follow their container in the list. */
function countMembers(symbols: readonly SymbolDigest[]): number[] {
  const counts: number[] = new Array(symbols.length).fill(0);
  for (let i = symbols.length - 1; i >= 0; i--) {
    const { container } = symbols[i];
    if (container >= 0) counts[container] += counts[i] + 1;
  }
  return counts;
}
