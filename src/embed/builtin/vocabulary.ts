/**
 * Maps a term to rows of the model. A known word has its own row; an unknown compound has the rows of the words in it.
 */

/** Shorter unknown terms are taken for abbreviations and not cut into words. */
const MIN_COMPOUND = 4;
const MIN_SEGMENT = 3;
/** Longest word of the vocabulary, in UTF-16 code units. */
const MAX_WORD = 24;

/**
 * Returns the term's own row, or the rows of the words it consists of, cut greedily from left to right with the longest
 * word first. Returns an empty list if the term cannot be cut into words. When the words were trained, stems had no final e.
 */
export function segment(term: string, rowOf: ReadonlyMap<string, number>): number[] {
  const own = rowOf.get(term) ?? (term.endsWith('e') ? rowOf.get(term.slice(0, -1)) : undefined);
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
