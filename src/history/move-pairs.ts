/** Pairs the definitions that a commit removed with those that it added elsewhere: the same code, moved. */
import { countWords, MOVED_SIMILARITY, similarity, type WordCounts } from './similar-text.js';
import type { BlobSource } from './source.js';
import type { TraceEvent, Version } from './trace.js';
import { textOf } from './version-text.js';

/**
 * Maximum number of word-by-word comparisons in one commit. Each takes up to a few milliseconds, and a hostile commit
 * can remove and add thousands of definitions of one name. Equal texts need no such comparison.
 */
export const MAX_COMPARED = 2_000;
/** Maximum number of words kept for further comparisons in one commit, about 50 MB. */
const MAX_KEPT_WORDS = 500_000;
/** Preference for a definition of the same key among equally similar ones. */
const SAME_KEY = 0.5;

interface MovePairs {
  /** Appearance -> disappearance. */
  pairs: Map<TraceEvent, TraceEvent>;
  /** True if some pairs were not compared, because there were too many. */
  isCut: boolean;
}

export async function pairMoves(
  gone: readonly TraceEvent[],
  come: readonly TraceEvent[],
  source: BlobSource,
): Promise<MovePairs> {
  const pairs = new Map<TraceEvent, TraceEvent>();
  const taken = new Set<TraceEvent>();
  const pair = (to: TraceEvent, from: TraceEvent) => {
    if (pairs.has(to) || taken.has(from)) return;
    pairs.set(to, from);
    taken.add(from);
  };
  pairEqual(gone, come, pair, taken);
  const left = gone.filter((event) => !taken.has(event));
  const { scored, isCut } = await compare(
    left,
    come.filter((event) => !pairs.has(event)),
    source,
  );
  scored.sort((a, b) => b.score - a.score);
  for (const { from, to } of scored) pair(to, from);
  return { pairs, isCut };
}

/** Pairs equal texts in linear time, those of equal keys first. */
function pairEqual(
  gone: readonly TraceEvent[],
  come: readonly TraceEvent[],
  pair: (to: TraceEvent, from: TraceEvent) => void,
  taken: ReadonlySet<TraceEvent>,
): void {
  const paired = new Set<TraceEvent>();
  for (const withKey of [true, false]) {
    const idOf = ({ key }: TraceEvent, version: Version | null) =>
      version === null ? null : JSON.stringify([version.definition.kind, version.definition.text, withKey ? key : '']);
    // Last first, so that `pop` gives the first.
    const left = gone.filter((from) => !taken.has(from)).reverse();
    const waiting = groupBy(left, (from) => idOf(from, from.before));
    for (const to of come) {
      const id = idOf(to, to.after);
      const from = id === null || paired.has(to) ? undefined : waiting.get(id)?.pop();
      if (from === undefined) continue;
      pair(to, from);
      paired.add(to);
    }
  }
}

async function compare(gone: readonly TraceEvent[], come: readonly TraceEvent[], source: BlobSource) {
  const scored: { from: TraceEvent; to: TraceEvent; score: number }[] = [];
  const words = new KeptWords(source);
  const byKind = groupBy(gone, ({ before }) => before?.definition.kind ?? null);
  let compared = 0;
  for (const to of come) {
    if (to.after === null) continue;
    for (const from of byKind.get(to.after.definition.kind) ?? []) {
      if (++compared > MAX_COMPARED) return { scored, isCut: true };
      const [a, b] = [await words.of(from.before as Version), await words.of(to.after)];
      const score = a === null || b === null ? 0 : similarity(a, b);
      if (score >= MOVED_SIMILARITY) scored.push({ from, to, score: score + (from.key === to.key ? SAME_KEY : 0) });
    }
  }
  return { scored, isCut: false };
}

function groupBy(events: readonly TraceEvent[], keyOf: (event: TraceEvent) => string | null) {
  const groups = new Map<string | null, TraceEvent[]>();
  for (const event of events) {
    const group = groups.get(keyOf(event));
    if (group === undefined) groups.set(keyOf(event), [event]);
    else group.push(event);
  }
  return groups;
}

/** Words of definitions, kept up to a bound. */
class KeptWords {
  private readonly known = new Map<Version, WordCounts | null>();
  private kept = 0;

  constructor(private readonly source: BlobSource) {}

  async of(version: Version): Promise<WordCounts | null> {
    const known = this.known.get(version);
    if (known !== undefined) return known;
    const text = await textOf(version, this.source);
    const words = text === null ? null : countWords(text);
    this.kept += words?.size ?? 0;
    if (this.kept <= MAX_KEPT_WORDS) this.known.set(version, words);
    return words;
  }
}
