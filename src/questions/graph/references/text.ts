/** Text of the uses of a symbol, below the files that they are in. */

import { formatCount, formatCounts } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import { definitionLines, linkedUsesLines, othersLine, section, total, useLines } from '../text-parts.js';
import type { GraphReferencesResponse } from './output.js';

export function referencesText(response: GraphReferencesResponse, { pen }: { pen: Pen }): string {
  const { definitions, definitionCount, counts, files, uses, possible } = response;
  const kinds = formatCounts(counts);
  // Of all pages: one that lists possible uses alone has no others.
  const known = Object.values(counts).reduce((sum, each) => sum + each, 0);
  const head =
    known === 0 ? 'no uses are known' : `${formatCount(known, 'use')} in ${formatCount(files, 'file')}: ${kinds}`;
  const lines = [
    ...definitionLines(definitions, pen, definitionCount),
    '',
    head,
    ...useLines(uses, pen),
    ...section(
      `${formatCount(total(possible), 'possible use')}: the name is right, the target is not known`,
      useLines(possible, pen),
    ),
    ...othersLine(response, pen),
    ...(response.linked === undefined ? [] : linkedUsesLines(response.linked, pen)),
  ];
  return `${lines.join('\n')}\n`;
}
