/** Converts text to the ids of its terms, with the same term rules as indexing and searching. */

import { eachIdentifier, identifierTerms, STOP_WORDS } from '../../../src/extract/terms.js';

/** Terms by number, in order of appearance. */
export class Lexicon {
  readonly terms: string[] = [];
  private readonly ids = new Map<string, number>();
  private readonly byIdentifier = new Map<string, Uint32Array>();

  id(term: string): number {
    let id = this.ids.get(term);
    if (id === undefined) {
      id = this.terms.length;
      this.ids.set(term, id);
      this.terms.push(term);
    }
    return id;
  }

  /** Distinct term ids of a text with their frequencies, in order of appearance; `query` leaves stop words out. */
  count(text: string, query = false): Map<number, number> {
    const counts = new Map<number, number>();
    eachIdentifier(text, (identifier) => {
      if (query && STOP_WORDS.has(identifier.toLowerCase())) return;
      for (const id of this.idsOf(identifier)) counts.set(id, (counts.get(id) ?? 0) + 1);
    });
    return counts;
  }

  private idsOf(identifier: string): Uint32Array {
    let ids = this.byIdentifier.get(identifier);
    if (ids === undefined) {
      ids = Uint32Array.from(identifierTerms(identifier), (term) => this.id(term));
      this.byIdentifier.set(identifier, ids);
    }
    return ids;
  }
}
