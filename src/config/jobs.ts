/** Bounds of the number of parser processes, for the setting and the option. */
export const JOBS = { min: 1, max: 64 } as const;
