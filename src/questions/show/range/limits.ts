/** Places of a range that are shown in a terminal; agents page through all of them. */
export const RANGE_PLACES = 200;
