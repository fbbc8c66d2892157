/** Text of `import`. */
import { groupDigits } from '../../base/digits.js';
import { visibleLine } from '../../base/hygiene.js';
import { othersLine } from '../export/text.js';
import { formatCount } from '../writing/format.js';
import type { ImportReport } from './output.js';
import type { ScipImportReport } from './scip/output.js';
import { scipImportText } from './scip/text.js';

export function importText(report: ImportReport | ScipImportReport): string {
  if ('tool' in report) return scipImportText(report);
  const { source, profiles, otherProfiles } = report;
  const lines = profiles.map(({ kind, added, known, foreign, bad }) => {
    const rest = [
      [known, 'known'],
      [foreign, 'of blobs that are not here'],
      [bad, 'unusable'],
    ] as const;
    const counts = rest.filter(([n]) => n > 0).map(([n, what]) => `, ${groupDigits(n)} ${what}`);
    return `${kind}: ${formatCount(added, 'record')} added${counts.join('')}`;
  });
  if (lines.length === 0) lines.push(`${visibleLine(source)} has no records for this version and these settings`);
  lines.push(...othersLine(otherProfiles, 'of other versions or settings'));
  return `${lines.join('\n')}\n`;
}
