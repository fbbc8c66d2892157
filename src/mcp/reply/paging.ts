/**
 * Cuts a document to a budget of tokens. Everything fits: nothing is changed. Else as many entries of each outermost list as
 * fit, at least one, and the rest on further pages; only where one entry alone is too large, what is inside it is cut, too.
 */
import { type CutDocument, cutDocument, type Fields, longestLists, WHOLE } from './lists.js';

export interface PageOptions {
  /** Entries of each outermost list that earlier pages had. */
  skip: number;
  /** Entries of each outermost list at most; Infinity for no limit. */
  limit: number;
  /** True if a reply with this would keep its budget. */
  fits: (page: CutDocument) => boolean;
}

export function cutToBudget(document: object, { skip, limit, fits }: PageOptions): CutDocument {
  const whole = { ...WHOLE, from: skip, outer: limit };
  const all = cutDocument(document, whole);
  if (fits(all)) return all;
  const longest = longestLists(document);
  const entries = Math.min(limit, longest.outer - skip);
  const some = largest(entries, (outer) => fits(cutDocument(document, { ...whole, outer })));
  if (some > 0) return cutDocument(document, { ...whole, outer: some });
  const one = { ...whole, outer: 1 };
  const inner = largest(longest.inner, (size) => fits(cutDocument(document, { ...one, inner: size })));
  if (inner > 0) return cutDocument(document, { ...one, inner });
  const least = { ...one, inner: 1 };
  const lines = largest(longest.lines, (size) => fits(cutDocument(document, { ...least, lines: size })));
  const page = cutDocument(document, { ...least, lines: Math.max(1, lines) });
  return lines > 0 ? page : squeezed(page, fits);
}

/** Entries of every list, and characters of every text: what hostile names, and lists that nobody counts, are cut to. */
const SQUEEZES = [
  { entries: 100, characters: 1_000 },
  { entries: 20, characters: 200 },
  { entries: 4, characters: 80 },
  { entries: 1, characters: 72 },
] as const;

/** The smallest steps first; the last one, where none fits. */
function squeezed(page: CutDocument, fits: PageOptions['fits']): CutDocument {
  let least = page;
  for (const bounds of SQUEEZES) {
    least = { ...page, document: squeeze(page.document, bounds) as Fields };
    if (fits(least)) break;
  }
  return least;
}

/** Groups of entries stay: what was cut from the lists in them is counted there. */
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

/** The largest number from 1 to `most` that is good, 0 if none is; whatever is below a good one is good. */
function largest(most: number, isGood: (size: number) => boolean): number {
  let [good, bad] = [0, most + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (isGood(middle)) good = middle;
    else bad = middle;
  }
  return good;
}
