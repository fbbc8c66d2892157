/** Limits the pairs of one package, file or phrase, so that none of them dominates the training set. */
import { createHash } from 'node:crypto';
import { PAIRS } from '../recipe.js';
import { hashOf, PAIR_KINDS, type Pair } from './types.js';

/** Kept pairs in their order. `seen` has the hashes of all packages so far, and is extended. */
export function choosePairs(pairs: readonly Pair[], seen: Set<string>): Pair[] {
  const ranked = fresh(pairs, seen)
    .map((pair, index) => ({ pair, index, rank: hashOf(pair.kind + pair.query + pair.code) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index);
  const files = new Map<string, number>();
  const queries = new Map<string, number>();
  const allowed = ranked.filter(
    ({ pair }) =>
      count(files, pair.file) <= PAIRS.perFile && count(queries, pair.query.toLowerCase()) <= PAIRS.perQuery,
  );
  const share = Math.min(1, PAIRS.perPackage / Math.max(allowed.length, 1));
  const kept = PAIR_KINDS.flatMap((kind) => {
    const ofKind = allowed.filter(({ pair }) => pair.kind === kind);
    return ofKind.slice(0, Math.floor(ofKind.length * share));
  });
  return kept.sort((a, b) => a.index - b.index).map(({ pair }) => pair);
}

function count(counts: Map<string, number>, key: string): number {
  const next = (counts.get(key) ?? 0) + 1;
  counts.set(key, next);
  return next;
}

/** Drops pairs seen before: forks and copies share definitions even if their files differ. */
function fresh(pairs: readonly Pair[], seen: Set<string>): Pair[] {
  return pairs.filter(({ query, code }) => {
    const key = createHash('sha1')
      .update(`${query}\n${code.replace(/\s+/g, ' ')}`)
      .digest('base64')
      .slice(0, 16);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
