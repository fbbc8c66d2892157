/** `export` and `import`: records as files, for places that drop notes. */
import { existsSync, lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeDirectory } from '../../base/atomic.js';
import { SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import type { PortableRecord } from '../../record/portable.js';
import type { RecordStore } from '../../record/store.js';
import { indexRef } from '../../session/indexing/index-operation.js';
import { importStores, otherRecordSets, usedStores } from '../../session/records/portable-stores.js';
import { currentConfig } from '../../session/records/profile-use.js';
import type { Session } from '../../session/session.js';
import { withWriterLock } from '../../session/writer-lock.js';
import { exportRecordSet, makeRealDirectory } from '../../share/export-records.js';
import { directorySource, EXPORT_DIRECTORY, type ExportSource, treeSource } from '../../share/export-source.js';
import type { ExportReport, ImportReport } from './output.js';

export interface ExportRequest {
  ref?: string;
  /** Directory to write; default: `.socraticode` at the top of the work tree. */
  output?: string;
  signal?: AbortSignal;
}

export interface ImportRequest {
  ref?: string;
  /** Directory to read; default: `.socraticode` of the work tree, or of HEAD where there is none. */
  directory?: string;
  signal?: AbortSignal;
}

/** Indexes the snapshot and writes its records. Throws what `indexRef` throws, and BAD_ARGUMENT for the directory. */
export async function exportRecords(session: Session, request: ExportRequest): Promise<ExportReport> {
  const directory = exportDirectory(session, request.output);
  await indexRef(session, { ref: request.ref, signal: request.signal });
  const scope = await session.files(request.ref);
  const oids = [...new Set(scope.catalog.files.map(({ oid }) => oid))];
  const stores = usedStores(session, scope.config, 'out');
  const profiles: ExportReport['profiles'] = [];
  for (const { kind, profile, store } of stores) {
    const records = await readRecords(store, oids);
    const exported = exportRecordSet(directory, { kind, profile }, records);
    profiles.push({ kind, profile, records: records.length, missing: oids.length - records.length, ...exported });
  }
  const place = directorySource(directory);
  return {
    ref: scope.ref,
    commit: scope.commit,
    directory,
    profiles,
    otherProfiles: await otherRecordSets(place, stores),
  };
}

function exportDirectory({ repository }: Session, output: string | undefined): string {
  if (output !== undefined) {
    const directory = resolve(output);
    // A link that the user names is the user's own.
    if (!existsSync(directory)) makeDirectory(directory);
    return directory;
  }
  if (repository.workTree === null) {
    throw new SocraticodeError('BAD_ARGUMENT', 'a bare repository has no place for .socraticode/', {
      hint: 'Say where to: git socraticode export --output DIR',
    });
  }
  const directory = join(repository.workTree, EXPORT_DIRECTORY);
  makeRealDirectory(directory);
  return directory;
}

const READ_AT_ONCE = 500;

async function readRecords(store: RecordStore<unknown>, oids: readonly string[]): Promise<PortableRecord[]> {
  await store.load();
  const records: PortableRecord[] = [];
  for (let at = 0; at < oids.length; at += READ_AT_ONCE) {
    const some = oids.slice(at, at + READ_AT_ONCE);
    const found = await Promise.all(some.map((oid) => store.readEncoded(oid)));
    for (const [i, bytes] of found.entries()) if (bytes !== null) records.push({ oid: some[i], bytes });
  }
  return records;
}

/** Brings records into the local notes. Throws BAD_ARGUMENT if there are none to bring, LOCKED, GIT_FAILED or DISK. */
export async function importRecords(session: Session, request: ImportRequest): Promise<ImportReport> {
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
    hint: 'Whoever has an index writes it with: git socraticode export',
  });
}

function existingDirectory(directory: string): ExportSource {
  if (isDirectory(directory)) return directorySource(directory);
  throw new SocraticodeError('BAD_ARGUMENT', `not a directory: ${directory}`);
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
