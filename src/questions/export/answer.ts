/** `export`: writes records as files, for hosts that drop notes. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeDirectory } from '../../base/atomic.js';
import { SocraticodeError } from '../../base/errors.js';
import { groupDigits } from '../../base/printable.js';
import { commandText } from '../../params/param.js';
import type { PortableRecord } from '../../record/portable.js';
import type { RecordStore } from '../../record/store.js';
import { indexRef } from '../../session/indexing/index-operation.js';
import { otherRecordSets, usedStores } from '../../session/records/bring-records.js';
import type { Session } from '../../session/session.js';
import { directorySource, EXPORT_DIRECTORY, exportRecordSet, makeRealDirectory } from '../../share/exported-records.js';
import type { Asker } from '../asker.js';
import { formatBytes, formatCount, formatOthers } from '../format.js';
import type { ExportDocument, ExportReport, ExportValues, ScipExportReport } from './question.js';

interface ExportRequest {
  ref?: string;
  /** Directory to write; default: `.socraticode` at the top of the work tree. */
  output?: string;
  signal?: AbortSignal;
}

export async function answerExport(
  at: Asker,
  { ref, output, scip }: ExportValues,
): Promise<ExportDocument | ScipExportReport> {
  const { session, signal } = at;
  if (scip !== undefined) {
    if (output !== undefined) throw new SocraticodeError('BAD_ARGUMENT', 'a SCIP index is one file, not a directory');
    return (await import('./scip.js')).exportScip(at, { path: scip, ref });
  }
  return { schemaVersion: 1 as const, ...(await exportRecords(session, { ref, output, signal })) };
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
    // The user names the directory, so a link there is followed.
    if (!existsSync(directory)) makeDirectory(directory);
    return directory;
  }
  if (repository.workTree === null) {
    throw new SocraticodeError('BAD_ARGUMENT', 'a bare repository has no place for .socraticode/', {
      hint: `Say where to: ${commandText('export', { output: 'DIR' })}`,
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
  lines.push(`in ${directory}`);
  if (profiles.some(({ written, removed }) => written + removed > 0)) lines.push('commit it to share it');
  lines.push(...formatOthers(otherProfiles, 'left as they are, records of other versions or settings'));
  return `${lines.join('\n')}\n`;
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
  lines.push(`in ${file}, ${formatBytes(bytes)}`);
  return `${lines.join('\n')}\n`;
}
