/**
 * `import`: adds records that `export` wrote, or a SCIP index, to the local notes. Reports of tests are read in `coverage.ts` and
 * `results.ts`; the texts of all four are here.
 */
import { lstatSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SocraticodeError } from '../../base/errors.js';
import { getOrMake } from '../../base/lists.js';
import { log } from '../../base/log.js';
import { groupDigits } from '../../base/printable.js';
import type { NoteEntry } from '../../git/notes.js';
import {
  type CompilerOccurrence,
  type CompilerRecord,
  MAX_OCCURRENCES,
  MAX_RELATION_STRING,
} from '../../record/format.js';
import { type CompilerStore, compilerStore, encodeCompilerRecord, moniker } from '../../record/store.js';
import {
  formatSymbol,
  isLocalSymbol,
  OWN_TOOL,
  parseSymbol,
  readScipFile,
  SCIP_COLUMNS,
  SCIP_ROLES,
  type ScipDocument,
  type ScipMetadata,
  type ScipRange,
} from '../../scip/index-file.js';
import { importStores, usedStores } from '../../session/records/bring-records.js';
import { currentConfig } from '../../session/records/profiles.js';
import { COMPILER_ABOUT, COMPILER_PROFILE, type Session } from '../../session/session.js';
import type { SnapshotFiles } from '../../session/snapshot/snapshot.js';
import { withWriterLock } from '../../session/writer-lock.js';
import { directorySource, EXPORT_DIRECTORY, type ExportSource, treeSource } from '../../share/exported-records.js';
import type { Asker } from '../asker.js';
import { formatCount, formatOthers } from '../format.js';
import type {
  CoverageImportReport,
  ImportDocument,
  ImportReport,
  ImportValues,
  ResultsImportReport,
  ScipImportReport,
} from './question.js';

type ForeignReport = ScipImportReport | CoverageImportReport | ResultsImportReport;

interface ImportRequest {
  ref?: string;
  /** Directory to read; default: `.socraticode` of the work tree, or of HEAD if it has none. */
  directory?: string;
  signal?: AbortSignal;
}

export async function answerImport(
  at: Asker,
  { ref, directory, scip, coverage, results, label, ranBy }: ImportValues,
): Promise<ImportDocument | ForeignReport> {
  const { session, signal } = at;
  if (coverage !== undefined || results !== undefined) {
    const others = [directory, scip, ref, coverage === undefined ? undefined : results];
    if (others.some((other) => other !== undefined))
      throw new SocraticodeError('BAD_ARGUMENT', 'a report of tests is imported alone, and is about HEAD');
    if (results !== undefined) return (await import('./results.js')).importResults(at, { path: results, label });
  }
  if (coverage !== undefined)
    return (await import('./coverage.js')).importCoverage(at, { path: coverage, label, test: ranBy });
  if (scip !== undefined) {
    if (directory !== undefined)
      throw new SocraticodeError('BAD_ARGUMENT', 'records and a SCIP index are imported one after the other');
    return importScip(at, { path: scip, ref });
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

export function importText(report: ImportReport | ForeignReport): string {
  if ('missed' in report) return resultsText(report);
  if ('format' in report) return coverageText(report);
  if ('tool' in report) return scipImportText(report);
  const { source, profiles, otherProfiles } = report;
  const lines = profiles.map(({ kind, added, known, foreign, bad }) => {
    const counts = counted([
      [known, 'known'],
      [foreign, 'of blobs that are not here'],
      [bad, 'unusable'],
    ]);
    return `${kind}: ${formatCount(added, 'record')} added${counts}`;
  });
  if (lines.length === 0) lines.push(`${source} has no records for this version and these settings`);
  lines.push(...formatOthers(otherProfiles, 'of other versions or settings'));
  return `${lines.join('\n')}\n`;
}

/** `, 3 known, 1 unusable`: what there is of each. */
const counted = (all: readonly (readonly [count: number, what: string])[]): string =>
  all.flatMap(([n, what]) => (n > 0 ? [`, ${groupDigits(n)} ${what}`] : [])).join('');

function scipImportText(report: ScipImportReport): string {
  const { tool, root, documents, added, known, missing, different, occurrences } = report;
  const counts = counted([
    [known, 'known'],
    [missing, 'of files that are not in the snapshot'],
    [different, 'about another text'],
  ]);
  const name = `${tool.name} ${tool.version}`.trim() || 'an unnamed indexer';
  const below = root === '' ? '' : ` below ${root}`;
  const lines = [
    `${name}: ${formatCount(documents, 'file')}${below}`,
    `compiler: ${formatCount(added, 'record')} added${counts}`,
  ];
  if (added + known > 0) lines.push(`${formatCount(occurrences, 'name')} whose meaning is told`);
  return `${lines.join('\n')}\n`;
}

function coverageText(report: CoverageImportReport): string {
  const { format, label, commit, files, tests, added, known, missing, different, unnamed } = report;
  const counts = counted([
    [missing, 'not in the repository'],
    [different, 'with another text than at HEAD'],
  ]);
  const lines = [
    `${format}, ${label} of ${commit.slice(0, 7)}: ${formatCount(files, 'file')}${counts}`,
    `evidence: ${formatCount(tests, 'test file')}, ${formatCount(added, 'run')} of a file added, ${groupDigits(known)} known`,
  ];
  if (unnamed > 0) lines.push(`${formatCount(unnamed, 'name')} of tests that no file has: some test ran these lines`);
  else if (tests === 0 && added + known > 0)
    lines.push('the report names no test, so some test ran these lines; name the test file if one ran alone');
  return `${lines.join('\n')}\n`;
}

function resultsText(report: ResultsImportReport): string {
  const { format, label, commit, passed, failed, different, unnamed, unsure, added, known, again, missed } = report;
  const left = different === 0 ? '' : `, ${groupDigits(different)} left out, since what they reach is not that of HEAD`;
  const lines = [
    `${format}, ${label} of ${commit.slice(0, 7)}: ${formatCount(passed, 'test file')} passed, ${groupDigits(failed)} failed${left}`,
    `evidence: ${formatCount(added, 'outcome')} added, ${groupDigits(known)} known`,
  ];
  if (unsure > 0)
    lines.push(`${formatCount(unsure, 'test file')} may reach anything, and count for the very same files alone`);
  if (unnamed > 0) lines.push(`${formatCount(unnamed, 'case')} of no known test file`);
  if (again + missed > 0)
    lines.push(`known to pass as they are: ${groupDigits(again)} passed again, ${groupDigits(missed)} failed`);
  return `${lines.join('\n')}\n`;
}

// `import` of a SCIP index: stores a compiler's facts about names, as a record of each blob.

/** Records written at a time; a small batch loses little if the run is killed. */
const BATCH_RECORDS = 500;

/** Imports the index of a ref. Throws BAD_ARGUMENT for another kind of file, LOCKED, GIT_FAILED and DISK. */
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
  /** Records of blobs at several paths, until all documents are read. */
  private readonly shared = new Map<string, CompilerRecord>();
  /** Paths whose document was read. Only a path's first document counts, since each costs reading the blob. */
  private readonly read = new Set<string>();
  private batch: NoteEntry[] = [];
  private readonly counts = { documents: 0, added: 0, known: 0, missing: 0, different: 0, occurrences: 0 };

  constructor(
    private readonly session: Asker['session'],
    private readonly scope: SnapshotFiles,
    private readonly signal: AbortSignal,
  ) {
    this.store = compilerStore(session.repository, session.objects, COMPILER_PROFILE, COMPILER_ABOUT);
    this.oids = new Map(scope.catalog.files.map(({ path, oid }) => [path, oid]));
    this.copies = new Copies(this.oids.values());
    this.reader = new OccurrenceReader(this.copies.same);
  }

  /** Reads the file up to three times, since an index may be too large to keep: its beginning, definitions of copies, then all. */
  async run(file: string): Promise<ScipImportReport> {
    const { metadata, root } = this.start(file);
    refuseOwn(metadata);
    await this.store.load();
    // The reader looks symbols of copies up, so they are noted before any document is read.
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

  /** Reads the beginning of the index: its tool, and where its documents are. */
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

  /** Takes in one document. The record of a blob with copies waits in `shared`, since only facts of all copies are kept. */
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

  /** Queues a record for writing, unless the notes have it; an empty one is not kept. */
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

/** Refuses this program's own export, which would come back as a compiler's facts. */
function refuseOwn({ tool }: ScipMetadata): void {
  if (tool.name !== OWN_TOOL) return;
  throw new SocraticodeError('BAD_ARGUMENT', 'this index was exported from here: no compiler made it', {
    hint: 'Import the index of an indexer that is built on a compiler, such as scip-typescript or scip-python.',
  });
}

// Finds the repository's folder that paths of an index start from. Its project root is a path of another machine.

/** Documents of an index that are looked for in the repository. */
const SAMPLE = 200;
/** Most folders at the end of the project root that are tried, since a hostile index can name any number. */
const MAX_DEPTH = 20;

/**
 * Folder below which most of the documents exist, as a path with a final `/`, or '' for the top. `projectRoot` is the URI of the index; in
 * a monorepo its last folders are folders of the repository.
 */
function rootFolder(projectRoot: string, documents: readonly string[], has: (path: string) => boolean): string {
  const folders = decoded(projectRoot)
    .split('/')
    .filter((name) => name !== '' && name !== '..');
  let best = '';
  let most = 0;
  for (let depth = 0; depth <= Math.min(folders.length, MAX_DEPTH); depth++) {
    const folder = depth === 0 ? '' : `${folders.slice(-depth).join('/')}/`;
    const found = documents.filter((path) => has(folder + path)).length;
    if (found > most) [best, most] = [folder, found];
  }
  return best;
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri.replace(/^[a-z]+:\/\//i, ''));
  } catch {
    return '';
  }
}

// Turns a document of a SCIP index into the record of a blob, if it fits the blob's text: ranges must lie in it, and symbols must have
// their names there.

/**
 * Largest share of names that may differ from their symbols' names. Aliases differ; in another version of the text, nearly all names behind
 * the first change do.
 */
const MAX_DIFFERENT = 0.1;
/** Names that may differ in a short file, if most do not. */
const FEW_DIFFERENT = 3;
/** Most symbols whose numbers are cached. */
const MAX_KNOWN = 200_000;
const NAME = /^[\p{L}_$#@][\p{L}\p{N}_$]*[?!]?$/u;
const MEMBER = /(?:\.|->|::)\s*$/;
/** Characters before a name that are read to see whether it is a member's: a line can be a whole file. */
const MAX_BEFORE = 40;
/** Suffixes of symbols whose uses are written with the symbol's own name. */
const NAMED: ReadonlySet<string> = new Set(['#', '.', '().', '!']);

/** Suffixes of parameters and type parameters. */
const LOCAL: ReadonlySet<string> = new Set(['()', '[]']);

interface Known {
  number: number;
  isLocal: boolean;
  /** Expected name in the text; null if it is not known. */
  name: string | null;
}

class OccurrenceReader {
  private readonly known = new Map<string, Known>();

  /** `same` maps symbols of copies to those of the first file with the same bytes. */
  constructor(private readonly same: ReadonlyMap<string, string>) {}

  /** Reads a document about blob `oid`; null if its text is another one. */
  read(document: ScipDocument, text: string, oid: string): CompilerRecord | null {
    const lines = text.split('\n');
    const columns = new Columns(lines, document.columns);
    const found = new Map<string, CompilerOccurrence>();
    let checked = 0;
    let different = 0;
    for (const { range, symbol, roles } of document.occurrences) {
      const place = placeOf(range, lines, columns);
      const meaning = this.meaning(oid, symbol);
      if (meaning === null) continue;
      const isNamed = meaning.name !== null && NAME.test(meaning.name) && !isEmpty(range);
      if (isNamed) checked++;
      const differs = isNamed && place?.name !== meaning.name;
      if (differs) different++;
      const isDefinition = (roles & SCIP_ROLES.definition) !== 0;
      if (place === null || !isName(place.name) || (isDefinition && differs)) continue;
      const key = `${place.line}:${place.column}`;
      // A name can have two targets, such as a property and a variable in `{ total }`. The one that is not local counts.
      if (found.has(key) && meaning.isLocal) continue;
      found.set(key, {
        ...{ ...place, moniker: meaning.number, isLocal: meaning.isLocal, isDefinition },
        isWrite: (roles & SCIP_ROLES.write) !== 0,
        isMember: MEMBER.test(lines[range[0]].slice(Math.max(0, place.column - MAX_BEFORE), place.column)),
      });
    }
    if (isAnotherText(different, checked)) return null;
    const occurrences = [...found.values()].sort((a, b) => a.line - b.line || a.column - b.column);
    return { occurrences: occurrences.slice(0, MAX_OCCURRENCES) };
  }

  /** Null for an invalid symbol. The version of the package is dropped, so that records of several commits fit together. */
  private meaning(oid: string, symbol: string): Known | null {
    // Local symbols differ between documents.
    if (isLocalSymbol(symbol)) return { number: moniker(`${oid} ${symbol}`), isLocal: true, name: null };
    const known = this.known.get(symbol);
    if (known !== undefined) return known;
    const parsed = parseSymbol(this.same.get(symbol) ?? symbol);
    if (parsed === null) return null;
    const last = parsed.descriptors[parsed.descriptors.length - 1];
    const number = moniker(formatSymbol({ ...parsed, version: '' }));
    const meaning = { number, isLocal: LOCAL.has(last.suffix), name: NAMED.has(last.suffix) ? last.name : null };
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(symbol, meaning);
    return meaning;
  }
}

function isAnotherText(different: number, checked: number): boolean {
  if (different <= checked * MAX_DIFFERENT) return false;
  return different > FEW_DIFFERENT || different * 2 >= checked;
}

/** Keeps facts that two copies of a file share: their imports may lead to different files. */
function commonTo(a: CompilerRecord, b: CompilerRecord): CompilerRecord {
  const keyOf = ({ line, column, moniker: number }: CompilerOccurrence) => `${line}:${column} ${number}`;
  const other = new Set(b.occurrences.map(keyOf));
  return { occurrences: a.occurrences.filter((occurrence) => other.has(keyOf(occurrence))) };
}

function isEmpty([startLine, startColumn, endLine, endColumn]: ScipRange): boolean {
  return startLine === endLine && startColumn === endColumn;
}

function isName(name: string): boolean {
  return name.length <= MAX_RELATION_STRING && NAME.test(name);
}

/** Text and place of a range within one line; null for other ranges and those outside of the text. */
function placeOf(
  [startLine, startColumn, endLine, endColumn]: ScipRange,
  lines: readonly string[],
  columns: Columns,
): Pick<CompilerOccurrence, 'line' | 'column' | 'name'> | null {
  const line = lines[startLine];
  if (line === undefined || startLine !== endLine) return null;
  const start = columns.utf16(startLine, startColumn);
  const end = columns.utf16(startLine, endColumn);
  return end > line.length ? null : { line: startLine + 1, column: start, name: line.slice(start, end) };
}

const PLAIN = /^[\0-\x7f]*$/;

/** Converts columns of a document to UTF-16 units. Each line is measured once: a line may hold all names of a file. */
class Columns {
  /** UTF-16 column of each unit of a line; null if both are the same. */
  private readonly known = new Map<number, Uint32Array | null>();

  /** Indexers that do not name their unit use UTF-16. */
  constructor(
    private readonly lines: readonly string[],
    private readonly unit: number,
  ) {}

  utf16(line: number, column: number): number {
    if (this.unit !== SCIP_COLUMNS.utf8 && this.unit !== SCIP_COLUMNS.utf32) return column;
    const table = getOrMake(this.known, line, () =>
      PLAIN.test(this.lines[line]) ? null : this.measure(this.lines[line]),
    );
    return table === null ? column : (table[column] ?? Number.POSITIVE_INFINITY);
  }

  private measure(line: string): Uint32Array {
    const table = new Uint32Array((this.unit === SCIP_COLUMNS.utf8 ? Buffer.byteLength(line) : [...line].length) + 1);
    let at = 0;
    let column = 0;
    for (const char of line) {
      const units = this.unit === SCIP_COLUMNS.utf8 ? Buffer.byteLength(char) : 1;
      table.fill(column, at, at + units);
      at += units;
      column += char.length;
    }
    table[at] = column;
    return table;
  }
}

// Files with the same bytes share one record, but an index has a document and symbols for each of them.

export class Copies {
  /** Symbols of further copies, mapped to those of the first. */
  readonly same = new Map<string, string>();
  private readonly repeated: ReadonlySet<string>;
  /** Symbols that the first copy of a blob defines, by place. */
  private readonly first = new Map<string, Map<string, string>>();

  /** `oids` are those of all files. */
  constructor(oids: Iterable<string>) {
    const seen = new Set<string>();
    const repeated = new Set<string>();
    for (const oid of oids) (seen.has(oid) ? repeated : seen).add(oid);
    this.repeated = repeated;
  }

  get isNone(): boolean {
    return this.repeated.size === 0;
  }

  has(oid: string): boolean {
    return this.repeated.has(oid);
  }

  /** Records the definitions of a document about a blob. */
  note(oid: string, { occurrences }: ScipDocument): void {
    if (!this.repeated.has(oid)) return;
    const known = this.first.get(oid);
    const own = known ?? new Map<string, string>();
    if (known === undefined) this.first.set(oid, own);
    for (const { range, symbol, roles } of occurrences) {
      if (!(roles & SCIP_ROLES.definition) || isLocalSymbol(symbol)) continue;
      const place = range.join(':');
      if (known === undefined) own.set(place, symbol);
      else {
        const first = own.get(place);
        if (first !== undefined && first !== symbol) this.same.set(symbol, first);
      }
    }
  }
}
