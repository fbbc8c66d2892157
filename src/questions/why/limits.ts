/** Bounds of `why` (data). */

/** Most commits that are listed, and read of each range. */
export const MAX_COMMITS = 200;
