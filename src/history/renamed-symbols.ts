/** Recognises pairs of a removed and an added symbol as one symbol with another name: the rest of its text is the same. */
import { condense, hashOf } from './definitions.js';
import type { PlacedChange } from './moved-symbols.js';
import { countWords, similarity, type WordCounts } from './similar-text.js';
import type { BlobSource } from './source.js';

export interface Rename {
  from: PlacedChange;
  to: PlacedChange;
}

/** Share of words in common from which a symbol at the same place counts as renamed although its text changed too. */
const RENAMED_SIMILARITY = 0.75;
/** Shorter symbols are alike by chance: two getters of a line each. */
const MIN_BYTES = 48;
/** Most pairs compared word by word. */
const MAX_COMPARED = 4_000;

/** Each change is in one pair at most. Equal texts come first, those of one file and container before others. */
export async function findRenames(all: readonly PlacedChange[], source: BlobSource): Promise<Rename[]> {
  const [removed, added] = await Promise.all(
    (['removed', 'added'] as const).map((type) =>
      Promise.all(all.filter(({ change }) => change.type === type).map((placed) => withText(placed, source))),
    ),
  );
  const found: Rename[] = [];
  const taken = new Set<Texted>();
  const join = (from: Texted, to: Texted) => {
    taken.add(from).add(to);
    found.push({ from: from.placed, to: to.placed });
  };
  const byHash = groupBy(added, ({ hash }) => hash);
  for (const isNear of [true, false]) {
    for (const from of removed) {
      // Elsewhere an equal text has to be long enough to be no accident.
      if (taken.has(from) || (!isNear && from.size < MIN_BYTES)) continue;
      const alike = byHash.get(from.hash) ?? [];
      const twins = alike.filter((to) => !taken.has(to) && kindOf(to) === kindOf(from) && areNear(from, to) === isNear);
      if (twins.length === 1) join(from, twins[0]);
    }
  }
  const byPlace = groupBy(added, placeOf);
  let compared = 0;
  for (const from of removed) {
    if (taken.has(from) || from.size < MIN_BYTES) continue;
    let best: Texted | null = null;
    let most = RENAMED_SIMILARITY;
    for (const to of byPlace.get(placeOf(from)) ?? []) {
      if (taken.has(to) || kindOf(from) !== kindOf(to) || haveOtherMembers(from, to) || ++compared > MAX_COMPARED)
        continue;
      const score = similarity(from.words(), to.words());
      if (score >= most) [best, most] = [to, score];
    }
    if (best !== null) join(from, best);
  }
  return found;
}

interface Texted {
  placed: PlacedChange;
  /** Hash of its text without white space and without its own name. */
  hash: string;
  size: number;
  words: () => WordCounts;
}

async function withText(placed: PlacedChange, source: BlobSource): Promise<Texted> {
  const { start, end, name } = placed.change.symbol;
  const bytes = (await source.bytes(placed.oid))?.subarray(start, end) ?? Buffer.alloc(0);
  let words: WordCounts | null = null;
  const nameless = condense(bytes).replaceAll(Buffer.from(name).toString('latin1'), '\0');
  return {
    placed,
    hash: hashOf([nameless]),
    size: end - start,
    words: () => {
      words ??= countWords(bytes);
      return words;
    },
  };
}

const kindOf = ({ placed }: Texted): string => placed.change.symbol.kind;
const areNear = (a: Texted, b: Texted): boolean => placeOf(a) === placeOf(b);

/** A type whose text was a part of the other's is another type: what one member held is the whole now. */
function haveOtherMembers({ placed: a }: Texted, { placed: b }: Texted): boolean {
  const names = new Set(a.change.memberNames);
  const others = b.change.memberNames ?? [];
  return names.size > 0 && others.length > 0 && !others.some((name) => names.has(name));
}

/** The file, and the container in it. */
function placeOf({ placed: { path, change } }: Texted): string {
  const { symbol, name } = change.symbol;
  return `${path} ${symbol.slice(0, symbol.length - name.length)}`;
}

function groupBy(all: readonly Texted[], keyOf: (one: Texted) => string): Map<string, Texted[]> {
  const groups = new Map<string, Texted[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}
