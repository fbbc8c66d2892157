/** Finds the words of a text that match a query. */
import { eachIdentifier, identifierTerms } from '../../extract/terms.js';
import { parseQuery } from '../../search/query.js';

export interface Highlight {
  offset: number;
  length: number;
  /** The query terms that the word contains. */
  terms: string[];
}

/** `extra` terms (corrections of misspelt words) count like the query's own. */
export function createHighlighter(query: string, extra: readonly string[] = []): (text: string) => Highlight[] {
  const wanted = new Set([...parseQuery(query).terms, ...extra]);
  return (text) => {
    const found: Highlight[] = [];
    eachIdentifier(text, (identifier, offset) => {
      const terms = identifierTerms(identifier).filter((term) => wanted.has(term));
      if (terms.length > 0) found.push({ offset, length: identifier.length, terms });
    });
    return found;
  };
}
