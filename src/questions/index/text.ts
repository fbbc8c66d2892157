/** Text of `index`: a summary of the run, or of the plan. */
import { groupDigits } from '../../base/digits.js';
import { visibleLine } from '../../base/hygiene.js';
import { formatBytes, formatCount, formatCounts, formatSeconds, withoutWords } from '../writing/format.js';
import { gaps } from './gaps.js';
import type { DryRun, IndexReport } from './output.js';
import type { IndexValues } from './question.js';

export function indexText(document: DryRun | IndexReport, { values }: { values: IndexValues }): string {
  const text = 'wouldParse' in document ? dryRunText(document) : indexReportText(document);
  const past = 'history' in document && document.history ? historyLine(document.history) : '';
  const missing = values.requireComplete ? gaps(document) : '';
  return `${text}${past}${missing === '' ? '' : `incomplete: ${missing}\n`}`;
}

/** `HEAD 1a2b3c4: 2,930 files, 8,120 chunks (2,900 new, 30 reused, 12.1 MB added) in 4.1 s; skipped 12 binary` */
export function indexReportText(report: IndexReport): string {
  const where = `${visibleLine(report.ref)} ${(report.commit ?? report.tree).slice(0, 9)}`;
  const size = `${formatCount(report.files, 'file')}, ${formatCount(report.chunks, 'chunk')}`;
  const work =
    report.new > 0
      ? `${groupDigits(report.new)} new, ${groupDigits(report.reused)} reused, ${formatBytes(report.bytesAdded)} added`
      : report.bytesAdded > 0
        ? `loaded from records, ${formatBytes(report.bytesAdded)} added`
        : 'nothing to do';
  const notes = [
    vectorClause(report.vectors),
    formatCounts(report.skipped) && `skipped ${formatCounts(report.skipped)}`,
    formatCounts(report.degraded) && `chunked by lines ${formatCounts(report.degraded)}`,
  ].filter(Boolean);
  return `${where}: ${size} (${work}) in ${formatSeconds(report.ms.total)}${notes.map((note) => `; ${note}`).join('')}\n`;
}

/** `past: 500 commits, 1,830 versions of files (1,700 new, 130 reused, 4.1 MB added)` */
function historyLine({
  commits,
  blobs,
  new: fresh,
  reused,
  failed,
  bytesAdded,
}: NonNullable<IndexReport['history']>): string {
  const counts = formatCounts({ new: fresh, reused, 'not parsed': failed });
  const added = fresh > 0 ? `, ${formatBytes(bytesAdded)} added` : '';
  return `past: ${formatCount(commits, 'commit')}, ${formatCount(blobs, 'version')} of files${counts && ` (${counts}${added})`}\n`;
}

/** `8,120 vectors of nomic-embed-text (120 made, 8,000 from records)`; '' where no chunk could have one. */
function vectorClause({ embedder, model, covered, total, embedded, loaded }: IndexReport['vectors']): string {
  if (total === 0) return '';
  const count = `${covered < total ? `${groupDigits(covered)} of ` : ''}${formatCount(total, 'vector')}`;
  if (embedder === 'builtin') return `${count}${withoutWords(total - covered)}`;
  const work = formatCounts({ made: embedded, 'from records': loaded });
  return `${count} of ${visibleLine(model)}${work && ` (${work})`}`;
}

function dryVectorLine({ embedder, model, endpoint, wouldEmbed, isEstimate }: DryRun['vectors']): string {
  const where = endpoint === null ? '' : ` at ${endpoint}`;
  const who = embedder === 'builtin' ? 'the built-in model' : `${embedder} ${model}${where}`;
  return `  would embed ${isEstimate ? 'about ' : ''}${formatCount(wouldEmbed, 'chunk')} with ${visibleLine(who)}`;
}

export function dryRunText(plan: DryRun): string {
  const lines = [
    `${visibleLine(plan.ref)} ${(plan.commit ?? '').slice(0, 9)}: ${formatCount(plan.files, 'file')}, ${formatCount(plan.blobs, 'blob')}`,
    `  would parse ${formatCount(plan.wouldParse, 'blob')} (${formatBytes(plan.sourceBytes)}), load ${formatCount(plan.wouldLoad, 'record')}`,
    dryVectorLine(plan.vectors),
    `  estimated: ${formatSeconds(plan.estimatedSeconds * 1000)}, ${formatBytes(plan.estimatedBytes)} on disk`,
  ];
  if (Object.keys(plan.skipped).length > 0) lines.push(`  skipped: ${formatCounts(plan.skipped)}`);
  return `${lines.join('\n')}\n`;
}
