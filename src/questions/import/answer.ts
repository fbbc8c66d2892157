/** `import`: adds records from files to the local notes. */
import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { importStores, usedStores } from '../../session/records/portable-stores.js';
import { currentConfig } from '../../session/records/profiles.js';
import type { Session } from '../../session/session.js';
import { withWriterLock } from '../../session/writer-lock.js';
import { directorySource, EXPORT_DIRECTORY, type ExportSource, treeSource } from '../../share/exported-records.js';
import type { Asker } from '../asker.js';
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
