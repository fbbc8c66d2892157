/** Text of `export` of a SCIP index. */
import { groupDigits } from '../../../base/digits.js';
import { visibleLine } from '../../../base/hygiene.js';
import { formatBytes, formatCount } from '../../writing/format.js';
import type { ScipExportReport } from './output.js';

export function scipText(report: ScipExportReport): string {
  const { definitions, references, relationships, documents, coverage, file, bytes, unplaced } = report;
  const counts = [
    formatCount(definitions, 'definition'),
    formatCount(references, 'reference'),
    formatCount(relationships, 'relationship'),
  ];
  const lines = [`${counts.join(', ')} in ${formatCount(documents, 'file')}`];
  if (unplaced > 0) lines.push(`left out: ${formatCount(unplaced, 'use')} whose name is not on its line`);
  if (coverage.covered < coverage.total)
    lines.push(`${formatCount(coverage.covered, 'file')} of ${groupDigits(coverage.total)} are indexed`);
  lines.push(`in ${visibleLine(file)}, ${formatBytes(bytes)}`);
  return `${lines.join('\n')}\n`;
}
