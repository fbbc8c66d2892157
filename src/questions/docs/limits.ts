/** Entries of the lists of `docs` where no limit is given (data). */
export const LISTED = { links: 50, drift: 50 } as const;
