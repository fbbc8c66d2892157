/** `import`: adds records from files to the local notes. */
import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { groupDigits } from '../../base/printable.js';
import { importStores, usedStores } from '../../session/records/portable-stores.js';
import { currentConfig } from '../../session/records/profiles.js';
import type { Session } from '../../session/session.js';
import { withWriterLock } from '../../session/writer-lock.js';
import { directorySource, EXPORT_DIRECTORY, type ExportSource, treeSource } from '../../share/exported-records.js';
import type { Asker } from '../asker.js';
import { formatCount, formatOthers } from '../format.js';
import type { CoverageImportReport, ImportDocument, ImportReport, ImportValues, ScipImportReport } from './question.js';

interface ImportRequest {
  ref?: string;
  /** Directory to read; default: `.socraticode` of the work tree, or of HEAD if it has none. */
  directory?: string;
  signal?: AbortSignal;
}

export async function answerImport(
  at: Asker,
  { ref, directory, scip, coverage, label, ranBy }: ImportValues,
): Promise<ImportDocument | ScipImportReport | CoverageImportReport> {
  const { session, signal } = at;
  if (coverage !== undefined) {
    if (directory !== undefined || scip !== undefined || ref !== undefined)
      throw new SocraticodeError('BAD_ARGUMENT', 'a coverage report is imported alone, and is about HEAD');
    return (await import('./coverage.js')).importCoverage(at, { path: coverage, label, test: ranBy });
  }
  if (scip !== undefined) {
    if (directory !== undefined)
      throw new SocraticodeError('BAD_ARGUMENT', 'records and a SCIP index are imported one after the other');
    return (await import('./scip.js')).importScip(at, { path: scip, ref });
  }
  return { schemaVersion: 1 as const, ...(await importRecords(session, { ref, directory, signal })) };
}

/** Adds records to the local notes. Throws BAD_ARGUMENT if there are none, LOCKED, GIT_FAILED or DISK. */
async function importRecords(session: Session, request: ImportRequest): Promise<ImportReport> {
  const place = await importPlace(session, request);
  const stores = usedStores(session, await currentConfig(session), 'in');
  const { signal } = request;
  const report = await withWriterLock(session, () => importStores(session, place, stores, signal), { signal });
  const added = report.profiles.reduce((sum, profile) => sum + profile.added, 0);
  const bad = report.profiles.reduce((sum, profile) => sum + profile.bad, 0);
  if (added + bad > 0) log.event('import', `import: ${added} records added, ${bad} bad ones left out`, { added, bad });
  return report;
}

async function importPlace(session: Session, { ref, directory }: ImportRequest): Promise<ExportSource> {
  const { repository, objects } = session;
  if (directory !== undefined) return existingDirectory(resolve(directory));
  const own = repository.workTree === null ? null : join(repository.workTree, EXPORT_DIRECTORY);
  if (ref === undefined && own !== null && isDirectory(own)) return directorySource(own);
  const { tree } = await objects.resolve(ref ?? 'HEAD');
  const place = await treeSource(repository, objects, tree);
  if (place !== null) return place;
  throw new SocraticodeError('BAD_ARGUMENT', `${ref ?? 'HEAD'} has no ${EXPORT_DIRECTORY}/`, {
    hint: 'In a clone that has an index, write the files with: git socraticode export',
  });
}

function existingDirectory(directory: string): ExportSource {
  if (isDirectory(directory)) return directorySource(directory);
  throw new SocraticodeError('BAD_ARGUMENT', `not a directory: ${directory}`);
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
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
  if (lines.length === 0) lines.push(`${source} has no records for this version and these settings`);
  lines.push(...formatOthers(otherProfiles, 'of other versions or settings'));
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
  const name = `${tool.name} ${tool.version}`.trim() || 'an unnamed indexer';
  const below = root === '' ? '' : ` below ${root}`;
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
    `${format}, ${label} of ${commit.slice(0, 7)}: ${formatCount(files, 'file')}${counts.join('')}`,
    `evidence: ${formatCount(tests, 'test file')}, ${formatCount(added, 'run')} of a file added, ${groupDigits(known)} known`,
  ];
  if (unnamed > 0) lines.push(`${formatCount(unnamed, 'name')} of tests that no file has: some test ran these lines`);
  return `${lines.join('\n')}\n`;
}
