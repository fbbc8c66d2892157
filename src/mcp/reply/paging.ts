/**
 * Cuts a document to a budget of tokens. A document that fits is unchanged. Otherwise each outermost list keeps as many
 * entries as fit, at least one, and further pages have the rest. An entry that is too large alone is cut inside.
 */
import { type CutDocument, cutDocument, type Fields, longestLists, WHOLE } from './lists.js';

interface PageOptions {
  /** Entries of each outermost list on earlier pages. */
  skip: number;
  /** Most entries of each outermost list; Infinity for no limit. */
  limit: number;
  /** Tells whether a reply with this page keeps its budget. */
  fits: (page: CutDocument) => boolean;
}

export function cutToBudget(document: object, { skip, limit, fits }: PageOptions): CutDocument {
  const whole = { ...WHOLE, from: skip, outer: limit };
  const longest = longestLists(document);
  const entries = Math.min(limit, longest.outer - skip);
  const isGood = (outer: number) => fits(cutDocument(document, { ...whole, outer }));
  // Writing all of a long document takes longer than the question did, so a long page is tried first.
  if (entries <= LONG_PAGE || isGood(LONG_PAGE)) {
    const all = cutDocument(document, whole);
    if (fits(all)) return all;
  }
  const some = largest(entries, isGood);
  if (some > 0) return cutDocument(document, { ...whole, outer: some });
  const one = { ...whole, outer: 1 };
  const inner = largest(longest.inner, (size) => fits(cutDocument(document, { ...one, inner: size })));
  if (inner > 0) return cutDocument(document, { ...one, inner });
  const least = { ...one, inner: 1 };
  const lines = largest(longest.lines, (size) => fits(cutDocument(document, { ...least, lines: size })));
  const page = cutDocument(document, { ...least, lines: Math.max(1, lines) });
  return lines > 0 ? page : squeezed(page, fits);
}

/** Entries of which few budgets hold more: the default ones hold 20 to 80. */
const LONG_PAGE = 128;
/** Entries that most budgets hold. */
const SHORT_PAGE = 16;

/** Last cuts, for very long names and for lists without a counter: entries of every list, and characters of every text. */
const SQUEEZES = [
  { entries: 100, characters: 1_000 },
  { entries: 20, characters: 200 },
  { entries: 4, characters: 80 },
  { entries: 1, characters: 72 },
] as const;

/** Applies the mildest cut that fits, or the last. */
function squeezed(page: CutDocument, fits: PageOptions['fits']): CutDocument {
  let least = page;
  for (const bounds of SQUEEZES) {
    least = { ...page, document: squeeze(page.document, bounds) as Fields };
    if (fits(least)) break;
  }
  return least;
}

/** Tells whether entries have lists of their own. Such a list is not shortened, since its entries have counters. */
const holdsLists = (list: readonly unknown[]): boolean =>
  list.some((each) => typeof each === 'object' && each !== null && Object.values(each).some(Array.isArray));

function squeeze(value: unknown, bounds: (typeof SQUEEZES)[number]): unknown {
  const { entries, characters } = bounds;
  if (typeof value === 'string') return value.length > characters ? `${value.slice(0, characters)}…` : value;
  if (Array.isArray(value))
    return (holdsLists(value) ? value : value.slice(0, entries)).map((each) => squeeze(each, bounds));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, squeeze(field, bounds)]));
}

/**
 * Largest good number from 1 to `most`, 0 if none is; all numbers below a good one must be good. Doubles until a number is bad, since
 * the good ones are small and a number costs as much as its size.
 */
function largest(most: number, isGood: (size: number) => boolean): number {
  let [good, bad] = [0, SHORT_PAGE];
  while (bad <= most && isGood(bad)) [good, bad] = [bad, bad * 2];
  bad = Math.min(bad, most + 1);
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (isGood(middle)) good = middle;
    else bad = middle;
  }
  return good;
}
