/** Bounds of answers about the graph where none are given (data): declarations tell them, answers keep them. */

/** Entries of lists. `candidates`: of an ambiguous name, whatever the question. */
export const LISTED = {
  ...{ symbol: 30, impact: 50, references: 100, deps: 50, symbols: 100, cycles: 20 },
  ...{ connected: 10, orphans: 20, candidates: 20 },
} as const;

/** Hops of imports of imports. */
export const DEPS_DEPTH = 5;
