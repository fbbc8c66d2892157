/** What `graph references` says. */
import type { GraphReferencesResponse } from '../../../engine/contract.js';
import { definitionLines, othersLine, section, total, useLines } from '../text-parts.js';
import { formatCount, formatCounts } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';

export function renderReferences(response: GraphReferencesResponse, pen: Pen): string {
  const { definitions, counts, files, uses, possible } = response;
  const kinds = formatCounts(counts);
  const head =
    total(uses) === 0
      ? 'no uses are known'
      : `${formatCount(total(uses), 'use')} in ${formatCount(files, 'file')}: ${kinds}`;
  const lines = [
    ...definitionLines(definitions, pen),
    '',
    head,
    ...useLines(uses, pen),
    ...section(
      `${formatCount(total(possible), 'possible use')}: the name is right, the target is not known`,
      useLines(possible, pen),
    ),
    ...othersLine(response.others, pen),
  ];
  return `${lines.join('\n')}\n`;
}
