/** Compares two versions of a file and lists added, removed and changed symbols. */
import { mayDifferInComments } from './comment-lines.js';
import { FileDigest, type SymbolDigest, type SymbolParts } from './symbol-digest.js';

/** Part of a symbol that changed; `layout` means white space only, and comments where they are known. */
type SymbolPart = 'signature' | 'body' | 'doc' | 'layout';

export interface SymbolChange {
  type: 'added' | 'removed' | 'changed' | 'moved';
  /** New version of the symbol; for a removed symbol the old one. */
  symbol: SymbolDigest;
  /** Number of symbols inside an added or removed one, which are not listed separately. */
  members: number;
  /** Names of those directly in an added or removed one. */
  memberNames?: readonly string[];
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
  /** Code of a symbol changed, or comments in it: both versions have to be parsed to tell. */
  mayBeComments: boolean;
}

const NOTHING = new FileDigest(Buffer.alloc(0), { symbols: [] });

/**
 * Lists symbol changes. Members of an added or removed symbol are only counted. A symbol counts as changed if its own
 * text changed, not that of its members.
 */
export function diffSymbols(before: FileDigest | null, after: FileDigest | null): FileDiff {
  const [old, now] = [before ?? NOTHING, after ?? NOTHING];
  const pairs = pairSymbols(old, now);
  const kept = new Set(pairs.values());
  const [inOld, inNow] = [countMembers(old), countMembers(now)];
  const isAdded = (i: number) => !pairs.has(i);
  const isRemoved = (i: number) => !kept.has(i);
  const changes: SymbolChange[] = [];
  let unchanged = 0;
  let mayBeComments = false;
  for (let i = 0; i < now.size; i++) {
    const { container } = now.at(i);
    const partner = pairs.get(i);
    if (partner === undefined) {
      if (!(container >= 0 && isAdded(container)))
        changes.push({ type: 'added', symbol: now.digest(i), ...membersOf(now, i, inNow[i]) });
      continue;
    }
    const own = now.isEqual(i, old, partner) ? null : now.parts(i);
    const former = own === null ? null : old.parts(partner);
    const parts = own === null || former === null ? [] : changedPartsOf(former, own);
    if (own === null || former === null || parts.length === 0) {
      unchanged++;
      continue;
    }
    changes.push({ type: 'changed', symbol: now.digest(i, own), members: 0, parts });
    mayBeComments ||= !areCosmetic(parts) && mayDifferInComments(former.raw, own.raw);
  }
  for (let i = 0; i < old.size; i++) {
    const { container } = old.at(i);
    if (!isRemoved(i) || (container >= 0 && isRemoved(container))) continue;
    changes.push({ type: 'removed', symbol: old.digest(i), ...membersOf(old, i, inOld[i]) });
  }
  const outside = before !== null && after !== null && old.outside() !== now.outside();
  return { changes, unchanged, outside, mayBeComments };
}

/**
 * Pairs new and old symbols of one name: those with equal text first, then the rest in order. Maps new to old indexes.
 */
function pairSymbols(old: FileDigest, now: FileDigest): Map<number, number> {
  const [oldNames, names] = [old, now].map((file) => Array.from({ length: file.size }, (_, i) => file.nameOf(i)));
  const pairs = new Map<number, number>();
  const pair = (oldKeys: readonly (string | null)[], keys: readonly (string | null)[]) => {
    const taken = new Set(pairs.values());
    const waiting = new Map<string | null, number[]>();
    // Fills the lists from the end, so that `pop` gives the first symbol.
    for (let i = old.size - 1; i >= 0; i--) {
      const key = oldKeys[i];
      if (key === null || taken.has(i)) continue;
      const list = waiting.get(key);
      if (list === undefined) waiting.set(key, [i]);
      else list.push(i);
    }
    for (const [i, key] of keys.entries()) {
      const found = key === null || pairs.has(i) ? undefined : waiting.get(key)?.pop();
      if (found !== undefined) pairs.set(i, found);
    }
  };
  // Only names that stand for several symbols need their texts.
  const repeated = new Set([...repeatedIn(oldNames), ...repeatedIn(names)]);
  const withText = (file: FileDigest, all: readonly string[]) =>
    all.map((name, i) => (repeated.has(name) ? `${name} ${file.text(i)}` : null));
  if (repeated.size > 0) pair(withText(old, oldNames), withText(now, names));
  pair(oldNames, names);
  return pairs;
}

function repeatedIn(names: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
  }
  return repeated;
}

export function changedPartsOf(before: SymbolParts, after: SymbolParts): SymbolPart[] {
  const parts: SymbolPart[] = [];
  if (before.signature !== after.signature || before.exported !== after.exported) parts.push('signature');
  if (before.body !== after.body) parts.push('body');
  if (before.doc !== after.doc) parts.push('doc');
  if (parts.length === 0 && before.raw !== after.raw) parts.push('layout');
  return parts;
}

const areCosmetic = (parts: readonly SymbolPart[]): boolean =>
  parts.every((part) => part === 'doc' || part === 'layout');

/** Only comments and white space: no other code is affected. */
export function isCosmetic({ type, parts }: SymbolChange): boolean {
  return type === 'changed' && parts !== undefined && areCosmetic(parts);
}

function membersOf(
  file: FileDigest,
  container: number,
  members: number,
): Pick<SymbolChange, 'members' | 'memberNames'> {
  const memberNames: string[] = [];
  for (let i = container + 1; i <= container + members; i++)
    if (file.at(i).container === container) memberNames.push(file.at(i).name);
  return { members, memberNames };
}

/** Counts the symbols inside each symbol, at any depth. Members follow their container in the list. */
function countMembers(file: FileDigest): number[] {
  const counts: number[] = new Array(file.size).fill(0);
  for (let i = file.size - 1; i >= 0; i--) {
    const { container } = file.at(i);
    if (container >= 0) counts[container] += counts[i] + 1;
  }
  return counts;
}
