/** Text of `status`, and `status --porcelain`, which computes little more than its text. */
import { join } from 'node:path';
import { lockHolder } from '../../base/lock.js';
import { groupDigits, shortOid, signs } from '../../base/printable.js';
import { headBranch } from '../../git/repository.js';
import { commandText } from '../../params/param.js';
import { retried } from '../../session/retry.js';
import type { Session } from '../../session/session.js';
import { countUnits, coverageOf } from '../../session/snapshot/coverage.js';
import { reasonText } from '../explain/reasons.js';
import { formatBytes, formatCount, formatCounts, formatSkipped, withoutWords } from '../format.js';
import type { Pen } from '../pen.js';
import type { LeftOutResponse, PorcelainStatus, StatusReport } from './question.js';

export function statusText(document: StatusReport | LeftOutResponse | PorcelainStatus, { pen }: { pen: Pen }): string {
  if ('groups' in document) return leftOutText(document, { pen });
  return 'shards' in document ? statusReportText(document) : porcelainText(document);
}

export function statusReportText(status: StatusReport): string {
  const { records, notes, shards, hook, grammars } = status;
  const rows: [string, string][] = [
    [
      'ref',
      `${status.ref} ${status.commit === null ? '(no commit)' : shortOid(status.commit)}${status.branch === null ? '' : ` (${status.branch})`}`,
    ],
    ['coverage', coverageRow(status)],
    ['left out', leftOutRow(status.skipped)],
    ['unparsed', formatCounts(status.degraded) || 'no file'],
    ...parseErrorRows(status),
    ['languages', formatCounts(status.languages) || 'none'],
    ['records', `${formatCount(records.present, 'blob')} with a record, ${groupDigits(records.missing)} without`],
    ['notes', `${notes.ref}: ${formatCount(notes.records, 'record')}, ${formatBytes(notes.packedBytes)} packed`],
    [
      'shards',
      `${formatCount(shards.count, 'shard')}, ${formatCount(shards.documents, 'document')}, ${formatBytes(shards.bytes)}`,
    ],
    ['vectors', vectorRow(status.vectors)],
    ['embedder', embedderRow(status.vectors)],
    [
      'grammars',
      grammars.missing.length === 0 ? `all ${grammars.available.length}` : `missing: ${grammars.missing.join(', ')}`,
    ],
    [
      'dirty',
      status.dirty === 0
        ? 'no uncommitted files'
        : `${formatCount(status.dirty, 'uncommitted file')} (searched as they are)`,
    ],
    ['hook', hook.installed ? hook.path : `not installed (${hook.path})`],
    ['remotes', status.remotes.join(', ') || 'none'],
  ];
  if (status.compiler !== null) {
    const { present, ref, records, packedBytes } = status.compiler;
    const storage = `${ref}: ${formatCount(records, 'record')}, ${formatBytes(packedBytes)} packed`;
    rows.push(['compiler', `told about ${formatCount(present, 'blob')}; ${storage}`]);
  }
  if (status.knowledge !== undefined) rows.push(['knowledge', knowledgeLine(status.knowledge)]);
  if (status.writer !== null) rows.push(['writer', `process ${status.writer} is indexing`]);
  if (status.notice !== null) rows.push(['notice', status.notice]);
  const lines = rows.map(([name, text]) => `${name.padEnd(10)} ${text}`);
  const next = status.next.map((step) => `  ${step}`);
  return `${[...lines, ...(next.length > 0 ? ['next', ...next] : [])].join('\n')}\n`;
}

/** Says where to see the lines. */
function parseErrorRows({ parseErrors }: StatusReport): [string, string][] {
  if (parseErrors === undefined) return [];
  const { files, first } = parseErrors;
  const all = `${first.join(', ')}${files > first.length ? ` ${signs.cut}` : ''}`;
  const where = commandText('explain FILE', {});
  return [
    ['incomplete', `${formatCount(files, 'file')}, whose parse errors may hide declarations: ${all}; where: ${where}`],
  ];
}

/** After an interrupted run, files may have records and be in no shard yet: that work is not lost. */
function coverageRow({ coverage, chunks, records, skipped }: StatusReport): string {
  const { covered, total } = coverage;
  const text = `${groupDigits(covered)} of ${formatCount(total, 'file')}, ${formatCount(chunks, 'chunk')}`;
  const parsed = Math.min(records.present - covered, total - covered - (skipped.unreadable ?? 0));
  return parsed > 0 ? `${text}; ${groupDigits(parsed)} more are parsed, and are not parsed again` : text;
}

function leftOutRow(skipped: StatusReport['skipped']): string {
  const counts = formatSkipped(skipped);
  return counts === '' ? 'nothing' : `${counts}; which: ${commandText('status', { leftOut: true })}`;
}

function vectorRow({ embedder, covered, total, bytes, notes, indexReason }: StatusReport['vectors']): string {
  const shared =
    notes === null
      ? ''
      : `; ${notes.ref}: ${formatCount(notes.records, 'record')}, ${formatBytes(notes.packedBytes)} packed`;
  const gap = embedder === 'builtin' ? withoutWords(total - covered) : '';
  const why = indexReason === null ? '' : ` (${indexReason})`;
  return `${groupDigits(covered)} of ${formatCount(total, 'chunk')}${gap}, ${formatBytes(bytes)}${why}${shared}`;
}

function embedderRow({ embedder, model, dimensions, profile, endpoint, fault }: StatusReport['vectors']): string {
  const size = dimensions === null ? '' : `, ${dimensions} dimensions`;
  const where = endpoint === null ? '' : ` at ${endpoint}`;
  return `${embedder} ${model}${where}${size}, profile ${profile}${fault === null ? '' : `; ${fault.message}`}`;
}

type Written = NonNullable<StatusReport['knowledge']>[number];

/** `notes: 12 shared, 3 only in this clone; tasks: 2 in 41 operations`; '' where there is nothing. */
export const knowledgeLine = (counts: readonly Written[]): string => counts.map(kindText).join('; ');

function kindText({ kind, shared, own, sets }: Written): string {
  if (kind === 'tasks') return `${kind}: ${groupDigits(sets)} in ${formatCount(shared + own, 'operation')}`;
  const here = own === 0 ? '' : `${shared === 0 ? '' : ', '}${groupDigits(own)} only in this clone`;
  return `${kind}: ${shared === 0 ? '' : `${groupDigits(shared)} shared`}${here}`;
}

/**
 * Lines of a name, a space and a value, for programs. Names, meaning and order never change; later versions add lines at the end. The first
 * two lines are those of `git status --porcelain=v2 --branch`.
 */
function porcelainText({ commit, branch, coverage, writer }: PorcelainStatus): string {
  const lines: [name: string, value: string | number][] = [
    ['branch.oid', commit ?? '(initial)'],
    ['branch.head', branch ?? '(detached)'],
    ['index.files', coverage.total],
    ['index.covered', coverage.covered],
    ['index.writer', writer ?? 0],
  ];
  return lines.map(([name, value]) => `${name} ${value}\n`).join('');
}

// Text of `status --left-out`: a paragraph for each rule.

function leftOutText({ below, total, leftOut, groups }: LeftOutResponse, { pen }: { pen: Pen }): string {
  const where = below === '' ? '' : ` below ${below}`;
  const head = `${groupDigits(leftOut)} of ${formatCount(total, 'file')}${where} not indexed\n`;
  const parts = groups.map(({ reason, rule, count, paths, next }) => {
    const more = count - paths.length;
    const lines = [
      `${formatCount(count, 'file')}: ${reasonText(reason, rule)}`,
      ...paths.map((path) => `  ${pen.path(path)}`),
      ...(more > 0 ? [`  (+${groupDigits(more)} more)`] : []),
      ...(next === null ? [] : [pen.dim(`  next: ${next}`)]),
    ];
    return lines.join('\n');
  });
  return [head, ...parts].join('\n').concat(parts.length > 0 ? '\n' : '');
}

// `status --porcelain` skips `git status`, notes and vectors, which take most of the time of a status.

/** Throws UNKNOWN_REF and BAD_CONFIG. */
export function answerPorcelain(session: Session, ref?: string): Promise<PorcelainStatus> {
  return retried(session, ref, async () => {
    const { repository, shards } = session;
    const [scope, branch] = await Promise.all([
      session.origin(ref, { unborn: true }).then((origin) => session.filesOf(origin)),
      headBranch(repository),
    ]);
    const manifest = shards.readManifest();
    const counts = countUnits(scope, shards.openShards(manifest), manifest);
    return {
      schemaVersion: 1,
      ref: scope.ref,
      commit: scope.commit,
      branch,
      coverage: coverageOf(counts),
      writer: lockHolder(join(repository.commonDir, 'socraticode', 'writer.lock')),
    };
  });
}
