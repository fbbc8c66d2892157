/** What `graph references` says. */
import type { GraphReferencesResponse } from '../../../engine/contract.js';
import type { Colors } from '../colors.js';
import { formatCount, formatCounts } from '../format.js';
import { definitionLines, othersLine, section, total, useLines } from './parts.js';

export function renderReferences(response: GraphReferencesResponse, colors: Colors): string {
  const { definitions, counts, files, uses, possible } = response;
  const kinds = formatCounts(counts);
  const head =
    total(uses) === 0
      ? 'no uses are known'
      : `${formatCount(total(uses), 'use')} in ${formatCount(files, 'file')}: ${kinds}`;
  const lines = [
    ...definitionLines(definitions, colors),
    '',
    head,
    ...useLines(uses, colors),
    ...section(
      `${formatCount(total(possible), 'possible use')}: the name is right, the target is not known`,
      useLines(possible, colors),
    ),
    ...othersLine(response.others, colors),
  ];
  return `${lines.join('\n')}\n`;
}
