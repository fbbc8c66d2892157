/** Text of `export` and `import`, of records, SCIP indexes and coverage. */
import { groupDigits, visibleLine } from '../../base/printable.js';
import { formatBytes, formatCount } from '../format.js';
import type { CoverageImportReport, ImportReport, ScipImportReport } from '../import/question.js';
import type { ExportReport, ScipExportReport } from './question.js';

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
function othersLine(names: readonly string[], what: string): string[] {
  return names.length === 0 ? [] : [`${what}: ${names.map(visibleLine).join(', ')}`];
}

function scipText(report: ScipExportReport): string {
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

export function importText(report: ImportReport | ScipImportReport | CoverageImportReport): string {
  if ('format' in report) return coverageText(report);
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

function scipImportText(report: ScipImportReport): string {
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

function coverageText(report: CoverageImportReport): string {
  const { format, label, commit, files, tests, added, known, missing, different, unnamed } = report;
  const rest = [
    [missing, 'not in the repository'],
    [different, 'with another text than at HEAD'],
  ] as const;
  const counts = rest.filter(([n]) => n > 0).map(([n, what]) => `, ${groupDigits(n)} ${what}`);
  const lines = [
    `${format}, ${visibleLine(label)} of ${commit.slice(0, 7)}: ${formatCount(files, 'file')}${counts.join('')}`,
    `evidence: ${formatCount(tests, 'test file')}, ${formatCount(added, 'run')} of a file added, ${groupDigits(known)} known`,
  ];
  if (unnamed > 0) lines.push(`${formatCount(unnamed, 'name')} of tests that no file has: some test ran these lines`);
  return `${lines.join('\n')}\n`;
}
