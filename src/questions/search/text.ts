/** Text of a search: its results with the query's words marked. */
import type { CommitsDocument } from '../history/commits/output.js';
import { highlighterOf } from '../results/excerpt.js';
import { commitsText, resultsText } from '../results/text.js';
import type { Pen } from '../writing/pen.js';
import { TERMINAL_LINES, textLines } from './excerpts.js';
import type { SearchResponse } from './output.js';

interface SearchWriting {
  pen: Pen;
  values: { lines?: number; context?: number };
  isCommand: boolean;
}

export function searchText(
  response: SearchResponse | CommitsDocument,
  { pen, values, isCommand }: SearchWriting,
): string {
  if ('window' in response) return commitsText(response, { pen });
  const lines = isCommand ? (values.lines ?? TERMINAL_LINES) : textLines;
  return resultsText(response, {
    pen,
    matches: highlighterOf(response),
    lines,
    context: values.context,
    compact: !isCommand,
  });
}
