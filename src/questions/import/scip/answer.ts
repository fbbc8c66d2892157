/** `import` of a SCIP index: keeps what a compiler told about names, as a record of each blob that it is about. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { SocraticodeError } from '../../../base/errors.js';
import { log } from '../../../base/log.js';
import type { NoteEntry } from '../../../git/notes.js';
import { encodeCompilerRecord } from '../../../record/compiler-codec.js';
import type { CompilerStore } from '../../../record/store.js';
import type { CompilerRecord } from '../../../record/types.js';
import { readScipFile } from '../../../scip/read.js';
import { OWN_TOOL, type ScipDocument, type ScipMetadata } from '../../../scip/types.js';
import { openCompilerStore } from '../../../session/records/compiler-records.js';
import type { SnapshotFiles } from '../../../session/snapshot/snapshot.js';
import { withWriterLock } from '../../../session/writer-lock.js';
import type { Asker } from '../../asker.js';
import { Copies } from './copies.js';
import { commonTo, OccurrenceReader } from './occurrences.js';
import type { ScipImportReport } from './output.js';
import { rootFolder, SAMPLE } from './place.js';

/** Records written at a time: a killed run loses little. */
const BATCH_RECORDS = 500;

/** Takes in the index of a ref. Throws BAD_ARGUMENT for a file that is none, LOCKED, GIT_FAILED and DISK. */
export async function importScip(
  { session, directory, signal }: Asker,
  { path, ref = 'HEAD' }: { path: string; ref?: string },
): Promise<ScipImportReport> {
  const file = resolve(directory ?? '.', path);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new SocraticodeError('BAD_ARGUMENT', `not a file: ${file}`);
  const scope = await session.files(ref);
  const report = await withWriterLock(session, () => new ScipImport(session, scope, signal).run(file), { signal });
  const { added, occurrences } = report;
  if (added > 0) log.event('import', `import: ${added} records of a SCIP index`, { added, occurrences });
  return report;
}

class ScipImport {
  private readonly store: CompilerStore;
  private readonly oids: ReadonlyMap<string, string>;
  private readonly copies: Copies;
  private readonly reader: OccurrenceReader;
  /** Records of blobs with several files, until all documents are read. */
  private readonly shared = new Map<string, CompilerRecord>();
  /** Paths whose document was read. Only the first one of a path counts: each costs reading the blob. */
  private readonly read = new Set<string>();
  private batch: NoteEntry[] = [];
  private readonly counts = { documents: 0, added: 0, known: 0, missing: 0, different: 0, occurrences: 0 };

  constructor(
    private readonly session: Asker['session'],
    private readonly scope: SnapshotFiles,
    private readonly signal: AbortSignal,
  ) {
    this.store = openCompilerStore(session);
    this.oids = new Map(scope.catalog.files.map(({ path, oid }) => [path, oid]));
    this.copies = new Copies(this.oids.values());
    this.reader = new OccurrenceReader(this.copies.same);
  }

  async run(file: string): Promise<ScipImportReport> {
    const { metadata, root } = this.start(file);
    refuseOwn(metadata);
    await this.store.load();
    if (!this.copies.isNone) {
      for (const document of this.documents(file)) {
        const oid = this.oids.get(root + document.path);
        if (oid !== undefined) this.copies.note(oid, document);
      }
    }
    for (const document of this.documents(file)) await this.add(root, document);
    for (const [oid, record] of this.shared) await this.keep(oid, record);
    await this.flush();
    const { ref, commit } = this.scope;
    const { name, version } = metadata.tool;
    return { schemaVersion: 1, file, ref, commit, root, tool: { name, version }, ...this.counts };
  }

  private *documents(file: string): Generator<ScipDocument> {
    for (const part of readScipFile(file)) {
      this.signal.throwIfAborted();
      if (part.kind === 'document') yield part.document;
    }
  }

  /** Reads the beginning of the index: which tool made it, and where its documents are. */
  private start(file: string): { metadata: ScipMetadata; root: string } {
    let metadata: ScipMetadata = { tool: { name: '', version: '', arguments: [] }, projectRoot: '' };
    const paths: string[] = [];
    for (const part of readScipFile(file)) {
      if (part.kind === 'metadata') metadata = part.metadata;
      if (part.kind === 'document') paths.push(part.document.path);
      if (paths.length >= SAMPLE) break;
    }
    return { metadata, root: rootFolder(metadata.projectRoot, paths, (path) => this.oids.has(path)) };
  }

  private async add(root: string, document: ScipDocument): Promise<void> {
    const { counts, copies, shared } = this;
    counts.documents++;
    const path = root + document.path;
    const oid = this.read.has(path) ? undefined : this.oids.get(path);
    if (oid !== undefined) this.read.add(path);
    const text = oid === undefined ? null : await this.textOf(oid);
    if (oid === undefined || text === null) {
      counts.missing++;
      return;
    }
    const record = this.reader.read(document, text, oid);
    if (record === null) counts.different++;
    else if (!copies.has(oid)) await this.keep(oid, record);
    else {
      const other = shared.get(oid);
      shared.set(oid, other === undefined ? record : commonTo(other, record));
    }
  }

  private async keep(oid: string, record: CompilerRecord): Promise<void> {
    const { counts, store } = this;
    const note = record.occurrences.length === 0 ? null : encodeCompilerRecord(oid, record);
    if (note === null) return;
    counts.occurrences += record.occurrences.length;
    const before = store.has(oid) ? await store.readEncoded(oid) : null;
    if (before !== null && Buffer.compare(before, note) === 0) counts.known++;
    else this.batch.push({ target: oid, note });
    if (this.batch.length >= BATCH_RECORDS) await this.flush();
  }

  private async textOf(oid: string): Promise<string | null> {
    const info = await this.session.objects.info(oid);
    if (info?.type !== 'blob' || info.size > this.scope.config.maxFileBytes) return null;
    return (await this.session.objects.read(oid))?.content.toString('utf8') ?? null;
  }

  private async flush(): Promise<void> {
    await this.store.write(this.batch);
    this.counts.added += this.batch.length;
    this.batch = [];
  }
}

/** Refuses what this program exports, which would come back as if a compiler had said it. */
function refuseOwn({ tool }: ScipMetadata): void {
  if (tool.name !== OWN_TOOL) return;
  throw new SocraticodeError('BAD_ARGUMENT', 'this index was exported from here: no compiler made it', {
    hint: 'Import the index of an indexer that is built on a compiler, such as scip-typescript or scip-python.',
  });
}
