/** The status page. */
import { visibleLine } from '../../base/hygiene.js';
import type { StatusReport } from '../../engine/contract.js';
import { formatBytes, formatCount, formatCounts } from './format.js';

export function renderStatus(status: StatusReport): string {
  const { coverage, records, notes, shards, hook, grammars } = status;
  const rows: [string, string][] = [
    ['ref', `${status.ref} ${(status.commit ?? '').slice(0, 9)}${status.branch === null ? '' : ` (${status.branch})`}`],
    [
      'coverage',
      `${coverage.covered.toLocaleString('en')} of ${formatCount(coverage.total, 'file')}, ${formatCount(status.chunks, 'chunk')}`,
    ],
    ['skipped', formatCounts(status.skipped) || 'nothing'],
    ['by lines', formatCounts(status.degraded) || 'nothing'],
    ['languages', formatCounts(status.languages) || 'none'],
    [
      'records',
      `${formatCount(records.present, 'blob')} with a record, ${records.missing.toLocaleString('en')} without`,
    ],
    ['notes', `${notes.ref}: ${formatCount(notes.records, 'record')}, ${formatBytes(notes.packedBytes)} packed`],
    [
      'shards',
      `${formatCount(shards.count, 'shard')}, ${formatCount(shards.documents, 'document')}, ${formatBytes(shards.bytes)}`,
    ],
    [
      'grammars',
      grammars.missing.length === 0 ? `all ${grammars.available.length}` : `missing: ${grammars.missing.join(', ')}`,
    ],
    [
      'dirty',
      status.dirty === 0 ? 'no uncommitted files' : `${formatCount(status.dirty, 'uncommitted file')} (not in answers)`,
    ],
    ['hook', hook.installed ? hook.path : `not installed (${hook.path})`],
    ['remotes', status.remotes.join(', ') || 'none'],
  ];
  if (status.writer !== null) rows.push(['writer', `process ${status.writer} is indexing`]);
  const lines = rows.map(([name, text]) => `${name.padEnd(10)} ${visibleLine(text)}`);
  const next = status.next.map((step) => `  ${visibleLine(step)}`);
  return `${[...lines, ...(next.length > 0 ? ['next', ...next] : [])].join('\n')}\n`;
}
