/**
 * Cuts a document to a budget of tokens. Everything fits: nothing is changed. Else as many entries of each outermost list as
 * fit, at least one, and the rest on further pages; only where one entry alone is too large, what is inside it is cut, too.
 */
import { type CutDocument, cutDocument, longestLists, WHOLE } from './lists.js';

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
  const page = cutDocument(document, whole);
  if (fits(page)) return page;
  const longest = longestLists(document);
  const entries = Math.min(limit, longest.outer - skip);
  const some = largest(entries, (outer) => fits(cutDocument(document, { ...whole, outer })));
  if (some > 0) return cutDocument(document, { ...whole, outer: some });
  const one = { ...whole, outer: 1 };
  const inner = largest(longest.inner, (size) => fits(cutDocument(document, { ...one, inner: size })));
  if (inner > 0) return cutDocument(document, { ...one, inner });
  const least = { ...one, inner: 1 };
  const lines = largest(longest.lines, (size) => fits(cutDocument(document, { ...least, lines: size })));
  return cutDocument(document, { ...least, lines: Math.max(1, lines) });
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
