/** Terms to rows of the model: a word has its own row, a compound that is no word those of the words in it. */

/** Shorter compounds are abbreviations, whose letters mean nothing. */
const MIN_COMPOUND = 4;
const MIN_SEGMENT = 3;
/** The vocabulary has no longer words. */
export const MAX_WORD = 24;

/** Rows of a term: its own, or from left to right those of the longest words it is made of; none if there are none. */
export function segment(term: string, rowOf: ReadonlyMap<string, number>): number[] {
  const own = rowOf.get(term);
  if (own !== undefined) return [own];
  const rows: number[] = [];
  if (term.length < MIN_COMPOUND) return rows;
  for (let at = 0; at + MIN_SEGMENT <= term.length; ) {
    let end = Math.min(term.length, at + MAX_WORD);
    let row: number | undefined;
    for (; end >= at + MIN_SEGMENT && row === undefined; end--) row = rowOf.get(term.slice(at, end));
    if (row === undefined) at++;
    else {
      rows.push(row);
      at = end + 1;
    }
  }
  return rows;
}
