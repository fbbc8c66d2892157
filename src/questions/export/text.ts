/** Text of `export` and `import`. */
import { visibleLine } from '../../base/hygiene.js';
import { formatBytes, formatCount } from '../writing/format.js';
import type { ExportReport, ImportReport } from './output.js';

export function renderExport({ directory, profiles, otherProfiles }: ExportReport): string {
  const lines = profiles.map(({ kind, records, missing, files, bytes, written, removed }) => {
    const changes = [`${written.toLocaleString('en')} written`];
    if (removed > 0) changes.push(`${removed.toLocaleString('en')} deleted`);
    const without = missing > 0 ? `; ${formatCount(missing, 'file')} without a record` : '';
    const size = `${formatCount(files, 'file')}, ${formatBytes(bytes)}`;
    return `${kind}: ${formatCount(records, 'record')} in ${size} (${changes.join(', ')})${without}`;
  });
  lines.push(`in ${visibleLine(directory)}`);
  if (profiles.some(({ written, removed }) => written + removed > 0)) lines.push('commit it to share it');
  lines.push(...othersLine(otherProfiles, 'left as they are, records of other versions or settings'));
  return `${lines.join('\n')}\n`;
}

export function renderImport({ source, profiles, otherProfiles }: ImportReport): string {
  const lines = profiles.map(({ kind, added, known, foreign, bad }) => {
    const rest = [
      [known, 'known'],
      [foreign, 'of blobs that are not here'],
      [bad, 'unusable'],
    ] as const;
    const counts = rest.filter(([n]) => n > 0).map(([n, what]) => `, ${n.toLocaleString('en')} ${what}`);
    return `${kind}: ${formatCount(added, 'record')} added${counts.join('')}`;
  });
  if (lines.length === 0) lines.push(`${visibleLine(source)} has no records for this version and these settings`);
  lines.push(...othersLine(otherProfiles, 'of other versions or settings'));
  return `${lines.join('\n')}\n`;
}

function othersLine(names: readonly string[], what: string): string[] {
  return names.length === 0 ? [] : [`${what}: ${names.map(visibleLine).join(', ')}`];
}
