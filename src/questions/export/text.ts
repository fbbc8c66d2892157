/** Text of `export`. */
import { groupDigits } from '../../base/digits.js';
import { visibleLine } from '../../base/hygiene.js';
import { formatBytes, formatCount } from '../writing/format.js';
import type { ExportReport } from './output.js';
import type { ScipExportReport } from './scip/output.js';
import { scipText } from './scip/text.js';

export function exportText(report: ExportReport | ScipExportReport): string {
  if ('definitions' in report) return scipText(report);
  const { directory, profiles, otherProfiles } = report;
  const lines = profiles.map(({ kind, records, missing, files, bytes, written, removed }) => {
    const changes = [`${groupDigits(written)} written`];
    if (removed > 0) changes.push(`${groupDigits(removed)} deleted`);
    const without = missing > 0 ? `; ${formatCount(missing, 'file')} without a record` : '';
    const size = `${formatCount(files, 'file')}, ${formatBytes(bytes)}`;
    return `${kind}: ${formatCount(records, 'record')} in ${size} (${changes.join(', ')})${without}`;
  });
  lines.push(`in ${visibleLine(directory)}`);
  if (profiles.some(({ written, removed }) => written + removed > 0)) lines.push('commit it to share it');
  lines.push(...othersLine(otherProfiles, 'left as they are, records of other versions or settings'));
  return `${lines.join('\n')}\n`;
}

/** Profiles that this installation cannot use. */
export function othersLine(names: readonly string[], what: string): string[] {
  return names.length === 0 ? [] : [`${what}: ${names.map(visibleLine).join(', ')}`];
}
