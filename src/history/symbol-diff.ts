/** Two versions of a file as added, removed and changed symbols. */
import type { FileDigest, SymbolDigest } from './symbol-digest.js';

/** What of a changed symbol; layout is white space alone. */
export type SymbolPart = 'signature' | 'body' | 'doc' | 'layout';

export interface SymbolChange {
  type: 'added' | 'removed' | 'changed' | 'moved';
  /** The new one; the old one where it was removed. */
  symbol: SymbolDigest;
  /** Symbols inside, which are not listed by themselves. */
  members: number;
  parts?: SymbolPart[];
  /** Where it moved from. */
  from?: { path: string; symbol: SymbolDigest };
}

export interface FileDiff {
  changes: SymbolChange[];
  /** Symbols that are the same. */
  unchanged: number;
  /** Did text outside of all symbols change? */
  outside: boolean;
}

const NOTHING: FileDigest = { symbols: [], outside: '' };

/** Members of what came or went as a whole are counted only; of a changed symbol, only its own text counts. */
export function diffSymbols(before: FileDigest | null, after: FileDigest | null): FileDiff {
  const [old, now] = [before ?? NOTHING, after ?? NOTHING];
  const pairs = pairSymbols(old.symbols, now.symbols);
  const kept = new Set(pairs.values());
  const isAdded = (i: number) => !pairs.has(i);
  const isRemoved = (i: number) => !kept.has(i);
  const changes: SymbolChange[] = [];
  let unchanged = 0;
  for (const [i, symbol] of now.symbols.entries()) {
    const partner = pairs.get(i);
    const parts = partner === undefined ? null : changedPartsOf(old.symbols[partner], symbol);
    if (parts === null) {
      if (!(symbol.container >= 0 && isAdded(symbol.container)))
        changes.push({ type: 'added', symbol, members: membersOf(now.symbols, i) });
    } else if (parts.length > 0) changes.push({ type: 'changed', symbol, members: 0, parts });
    else unchanged++;
  }
  for (const [i, symbol] of old.symbols.entries()) {
    if (!isRemoved(i) || (symbol.container >= 0 && isRemoved(symbol.container))) continue;
    changes.push({ type: 'removed', symbol, members: membersOf(old.symbols, i) });
  }
  return { changes, unchanged, outside: before !== null && after !== null && old.outside !== now.outside };
}

/** New index to old index. Of several symbols with one name, equal ones belong together, then those in order. */
function pairSymbols(old: readonly SymbolDigest[], now: readonly SymbolDigest[]): Map<number, number> {
  const waiting = new Map<string, number[]>();
  for (const [i, symbol] of old.entries()) {
    const key = keyOf(symbol);
    const list = waiting.get(key);
    if (list === undefined) waiting.set(key, [i]);
    else list.push(i);
  }
  const pairs = new Map<number, number>();
  const pair = (isEqual: (a: SymbolDigest, b: SymbolDigest) => boolean) => {
    for (const [i, symbol] of now.entries()) {
      const list = pairs.has(i) ? undefined : waiting.get(keyOf(symbol));
      const at = list?.findIndex((candidate) => isEqual(old[candidate], symbol)) ?? -1;
      if (list !== undefined && at >= 0) pairs.set(i, list.splice(at, 1)[0]);
    }
  };
  pair((a, b) => a.text === b.text);
  pair(() => true);
  return pairs;
}

function keyOf({ kind, symbol }: SymbolDigest): string {
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

/** Symbols inside, at any depth. They stand right behind their container. */
function membersOf(symbols: readonly SymbolDigest[], index: number): number {
  let count = 0;
  const inside = new Set([index]);
  for (let i = index + 1; i < symbols.length; i++) {
    if (!inside.has(symbols[i].container)) continue;
    inside.add(i);
    count++;
  }
  return count;
}
