/** Recognises pairs of a removed and an added symbol as one symbol that moved. */
import { countWords, MOVED_SIMILARITY, similarity, type WordCounts } from './similar-text.js';
import type { BlobSource } from './source.js';
import { changedPartsOf, type SymbolChange } from './symbol-diff.js';
import type { SymbolDigest } from './symbol-digest.js';

/** Symbol change with its file, and the blob that has the symbol. */
export interface PlacedChange {
  path: string;
  oid: string;
  change: SymbolChange;
}

/** Maximum number of pairs compared word by word. Equal texts need no such comparison. */
const MAX_COMPARED = 4_000;
/** Minimum size of a symbol for a comparison by words. Two short getters of one name in two files are no move. */
const MIN_MOVED_BYTES = 32;

/**
 * Turns the `added` change of each pair into `moved`. Returns the `removed` changes of the pairs, which the caller
 * drops.
 */
export async function joinMoves(all: readonly PlacedChange[], source: BlobSource): Promise<Set<SymbolChange>> {
  const removed = new Map<string, PlacedChange[]>();
  for (const placed of all) {
    if (placed.change.type !== 'removed') continue;
    const key = nameOf(placed.change.symbol);
    const others = removed.get(key);
    if (others === undefined) removed.set(key, [placed]);
    else others.push(placed);
  }
  const added = all.filter(({ change }) => change.type === 'added' && removed.has(nameOf(change.symbol)));
  const gone = new Set<SymbolChange>();
  const join = (to: PlacedChange, from: PlacedChange) => {
    const parts = changedPartsOf(from.change.symbol, to.change.symbol);
    Object.assign(to.change, { type: 'moved', from: { path: from.path, symbol: from.change.symbol }, parts });
    gone.add(from.change);
  };
  const candidates = (to: PlacedChange) =>
    (removed.get(nameOf(to.change.symbol)) ?? []).filter(({ change }) => !gone.has(change));
  for (const to of added) {
    const twin = candidates(to).find(({ change }) => change.symbol.text === to.change.symbol.text);
    if (twin !== undefined) join(to, twin);
  }
  const words = new WordCache(source);
  let compared = 0;
  for (const to of added) {
    if (to.change.type !== 'added' || sizeOf(to.change.symbol) < MIN_MOVED_BYTES) continue;
    let best: PlacedChange | null = null;
    let most = MOVED_SIMILARITY;
    for (const from of candidates(to)) {
      if (++compared > MAX_COMPARED) return gone;
      const score = similarity(await words.of(from), await words.of(to));
      if (score >= most) [best, most] = [from, score];
    }
    if (best !== null) join(to, best);
  }
  return gone;
}

const nameOf = ({ kind, name }: SymbolDigest): string => `${kind} ${name}`;
const sizeOf = ({ start, end }: SymbolDigest): number => end - start;

class WordCache {
  private readonly known = new Map<PlacedChange, WordCounts>();

  constructor(private readonly source: BlobSource) {}

  async of(placed: PlacedChange): Promise<WordCounts> {
    const known = this.known.get(placed);
    if (known !== undefined) return known;
    const { start, end } = placed.change.symbol;
    const words = countWords((await this.source.bytes(placed.oid))?.subarray(start, end) ?? Buffer.alloc(0));
    this.known.set(placed, words);
    return words;
  }
}
