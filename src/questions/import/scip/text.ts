/** Text of `import` of a SCIP index. */
import { groupDigits } from '../../../base/digits.js';
import { visibleLine } from '../../../base/hygiene.js';
import { formatCount } from '../../writing/format.js';
import type { ScipImportReport } from './output.js';

export function scipImportText(report: ScipImportReport): string {
  const { tool, root, documents, added, known, missing, different, occurrences } = report;
  const rest = [
    [known, 'known'],
    [missing, 'of files that are not in the snapshot'],
    [different, 'about another text'],
  ] as const;
  const counts = rest.filter(([n]) => n > 0).map(([n, what]) => `, ${groupDigits(n)} ${what}`);
  const name = visibleLine(`${tool.name} ${tool.version}`.trim()) || 'an unnamed indexer';
  const below = root === '' ? '' : ` below ${visibleLine(root)}`;
  const lines = [
    `${name}: ${formatCount(documents, 'file')}${below}`,
    `compiler: ${formatCount(added, 'record')} added${counts.join('')}`,
  ];
  if (added + known > 0) lines.push(`${formatCount(occurrences, 'name')} whose meaning is told`);
  return `${lines.join('\n')}\n`;
}
