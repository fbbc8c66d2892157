/** Bounds of answers about the graph where none are given (data): declarations tell them, answers keep them. */

/** Entries of lists. `candidates`: of an ambiguous name, whatever the question. */
export const LISTED = {
  ...{
    symbol: 30,
    impact: 50,
    references: 100,
    deps: 50,
    symbols: 100,
    cycles: 20,
    diff: 50,
    violations: 200,
    unused: 100,
  },
  /** Lines of a tree, entry points of a kind, symbols of a file. */
  ...{ flow: 200, entries: 50, outline: 500 },
  ...{ connected: 10, orphans: 20, candidates: 20, candidatesOfSeveral: 5 },
} as const;

/** Fewest entries of each list, however many symbols are asked about at once. */
const LEAST = 5;

/** Entries of each list of each symbol: several symbols share the entries that one has. */
export const listedFor = (names: readonly string[]): number =>
  Math.max(LEAST, Math.ceil(LISTED.symbol / Math.max(1, names.length)));

/** Hops of imports of imports. */
export const DEPS_DEPTH = 5;

/**
 * Nodes of a picture (of a page: at first). Mermaid refuses more than 500 edges and arranges badly long before; a program that
 * reads JSON wants everything.
 */
export const PICTURE_NODES = { mermaid: 80, dot: 300, json: 10_000, html: 40, folders: 40 } as const;
