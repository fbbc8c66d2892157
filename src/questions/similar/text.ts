/** Text of what is similar to a place. */
import { visibleLine } from '../../base/hygiene.js';
import { placeLine, resultsText } from '../results/text.js';
import { formatCount } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { SimilarResponse } from './output.js';

/** Most exact copies of the place that are listed. */
const MAX_COPIES = 5;

export function similarText(
  response: SimilarResponse,
  { pen, values, isCommand }: { pen: Pen; values: { lines: number; context?: number }; isCommand: boolean },
): string {
  const { place } = response;
  // Nothing is marked: no words were asked for.
  const results = resultsText(response, {
    pen,
    matches: () => [],
    lines: values.lines,
    context: values.context,
    compact: !isCommand,
  });
  if (place === null) return results;
  const symbol = place.symbol === null ? '' : ` (${visibleLine(place.symbol)})`;
  const copies = place.places ?? [];
  const lines = [
    `like ${placeLine(place)}${symbol}`,
    ...copies.slice(0, MAX_COPIES).map((copy) => `same text: ${placeLine(copy)}`),
    ...(copies.length > MAX_COPIES ? [`(+${formatCount(copies.length - MAX_COPIES, 'more place')})`] : []),
  ];
  return `${pen.dim(lines.join('\n'))}\n\n${results}`;
}
