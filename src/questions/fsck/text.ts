/** Text of `fsck`. */
import { groupDigits } from '../../base/digits.js';
import { visibleLine } from '../../base/hygiene.js';
import { optionText } from '../../params/command-line.js';
import { formatBytes, formatCount, formatCounts, formatSeconds } from '../writing/format.js';
import type { FsckFinding, FsckReport } from './output.js';

/** Findings of each kind; the document has more. */
const SHOWN = 8;

export function fsckText(report: FsckReport): string {
  const { indexed, repaired, rederived } = report;
  if (!indexed && repaired === null && report.findings.length === 0) return 'nothing indexed yet\n';
  const lines = repaired === null ? [] : repairLines(repaired);
  lines.push(...findingLines(report, repaired === null ? '' : 'left: '));
  lines.push(checkedLine(report));
  if (rederived !== null) lines.push(...rederivedLines(rederived));
  lines.push(verdict(report));
  return `${lines.join('\n')}\n`;
}

function findingLines({ findings, counts }: Pick<FsckReport, 'findings' | 'counts'>, before: string): string[] {
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => {
    const own = findings.filter((finding) => finding.kind === kind);
    const shown = own.slice(0, SHOWN);
    const more = (counts[kind] ?? own.length) - shown.length;
    const lines = shown.map((finding) => `${before}${findingLine(finding)}`);
    if (more > 0) lines.push(`  and ${groupDigits(more)} more (${optionText('json')})`);
    const next =
      own[0].hint ?? (own[0].repair !== null && before === '' ? `${optionText('repair')} ${own[0].repair}` : null);
    return next === null ? lines : [...lines, `  ${visibleLine(next)}`];
  });
}

function findingLine({ kind, isFault, about, path, message }: FsckFinding): string {
  const at = path === null ? '' : ` (${visibleLine(path)})`;
  return `${isFault ? 'error' : 'note'}: ${kind}: ${visibleLine(about)}: ${visibleLine(message)}${at}`;
}

function repairLines({ findings, counts, aside, commits, indexed }: NonNullable<FsckReport['repaired']>): string[] {
  const lines = findingLines({ findings, counts }, 'found ');
  for (const { ref, removed, replaced } of commits) {
    const done = `${formatCount(replaced, 'record')} derived again, ${groupDigits(removed)} taken out`;
    lines.push(`repaired ${visibleLine(ref)}: ${done}`);
  }
  if (aside.length > 0) {
    const [first] = aside;
    lines.push(
      `set aside, in the local state: ${visibleLine(first)}${aside.length > 1 ? ` and ${aside.length - 1} more` : ''}`,
    );
  }
  if (indexed) lines.push('HEAD was indexed');
  return lines;
}

function recordCounts({ records, vectors, compiler, knowledge }: FsckReport['checked']): string {
  const others = [
    [vectors, 'vector record'],
    [compiler, 'compiler record'],
  ] as const;
  const counts = others.filter(([n]) => n > 0).map(([n, what]) => ` and ${formatCount(n, what)}`);
  if (knowledge > 0) counts.push(` and ${formatCount(knowledge, 'entry', 'entries')} of people and agents`);
  return `${formatCount(records, 'record')}${counts.join('')}`;
}

function checkedLine({ checked, ms }: FsckReport): string {
  const { noteBytes, shards, units, snapshots, files, fileBytes } = checked;
  const parts = [
    `${recordCounts(checked)} (${formatBytes(noteBytes)})`,
    `${formatCount(shards, 'shard')} with ${formatCount(units, 'blob')}`,
    `${formatCount(snapshots, 'complete snapshot')}`,
    `${formatCount(files, 'local file')} (${formatBytes(fileBytes)})`,
  ];
  return `checked ${parts.join(', ')} in ${formatSeconds(ms)}`;
}

function rederivedLines({
  of,
  equal,
  different,
  notComparable,
  vectorsCompared,
}: NonNullable<FsckReport['rederived']>): string[] {
  const compared = equal + different;
  const lines = [
    `derived ${groupDigits(compared)} of ${formatCount(of, 'record')} again: ${different === 0 ? 'all equal' : `${groupDigits(different)} differ`}`,
  ];
  const left = formatCounts(notComparable);
  if (left !== '') lines.push(`not comparable on this machine: ${left}`);
  if (vectorsCompared > 0)
    lines.push(
      `${formatCount(vectorsCompared, 'vector record')} compared with the texts of their chunks; no provider was asked again`,
    );
  return lines;
}

function verdict({ ok, counts, findings }: FsckReport): string {
  if (ok) return 'nothing is wrong';
  const faults = [...new Set(findings.filter(({ isFault }) => isFault).map(({ kind }) => kind))];
  return formatCount(
    faults.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0),
    'error',
  );
}
