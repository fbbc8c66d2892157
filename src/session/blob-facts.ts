/**
 * Facts of any blob of the repository, for answers about several snapshots, and the symbols around lines. They are read from the blob's
 * record, or parsed and cached.
 */
import { addTo } from '../base/lists.js';
import { type Progress, silentProgress } from '../base/progress.js';
import { qualifiedName } from '../extract/collect-drafts.js';
import type { BlobFacts, ByteRange } from '../extract/facts.js';
import type { NoteEntry } from '../git/notes.js';
import { blobOid, type ObjectReader, readable } from '../git/objects.js';
import type { BlobSource, FileVersion } from '../history/file-versions.js';
import { languageOfPath } from '../indexer/catalog.js';
import { type DerivedBlob, deriveBlobs } from '../indexer/derive.js';
import { type ParseJob, readRanges } from '../indexer/parser-pool.js';
import type { PlannedBlob } from '../indexer/run.js';
import { languageOfContent } from '../languages/detect.js';
import { type SyntaxStore, syntaxStore } from '../record/store.js';
import type { PreparedGraph } from './graph/graphs.js';
import type { GrepMatch, GrepResult } from './grep/grep.js';
import type { Session } from './session.js';
import { parsersOf } from './speculation.js';
import { writeRecords } from './writer-lock.js';

interface BlobFactsOptions {
  maxFileBytes: number;
  languages: Readonly<Record<string, string>>;
  /** Objects missing from a partial clone: a request to git for one costs a process each time. */
  missing?: ReadonlySet<string>;
  /** Reader that has uncommitted blobs as well; with it no record is written but of blobs that are `kept` in the repository. */
  objects?: ObjectReader;
  kept?: ReadonlySet<string>;
  /** Facts with imports and uses, which take as long to read as all others together. */
  relations?: boolean;
  /** Number of blobs that will be read, if known. Few records are looked up one by one. */
  count?: number;
  signal?: AbortSignal;
  /** Milliseconds from the first read on after which nothing more is parsed: only what has a record is read. */
  parseMs?: number;
}

/** Bytes of old files kept in memory: each version of a file is compared with the next. */
const CACHED_BYTES = 32 << 20;
/** Facts kept in memory; those of a large file take half a megabyte. */
const CACHED_FACTS = 200;
/** Versions that are derived between two looks at the time. */
const AT_ONCE = 64;
/** Records are written in batches of this size, so that a killed run loses little. */
const BATCH_BYTES = 4 << 20;

/** Versions of one blob in one language, by their key. */
type SameBlob = readonly [key: string, same: FileVersion[]];

/** Writes the new records in `close`, which the caller must call. */
export class BlobFactsSource implements BlobSource {
  /** Blobs that cannot be read. `degraded`: blobs that have only line chunks, because they could not be parsed. */
  readonly unreadable = new Set<string>();
  readonly degraded = new Set<string>();
  /** Blobs that nobody had time to parse; they count as unreadable as well, since nothing may be concluded from them. */
  readonly late = new Set<string>();
  parsed = 0;
  private readonly store: SyntaxStore;
  private readonly objects: ObjectReader;
  private readonly known = new Map<string, BlobFacts | null>();
  private readonly cache = new Map<string, Buffer>();
  private cachedBytes = 0;
  private loaded: Promise<void> | null = null;
  private notes: NoteEntry[] = [];
  private noteBytes = 0;
  private deadline: number | null = null;

  constructor(
    private readonly session: Session,
    private readonly options: BlobFactsOptions,
  ) {
    this.store = syntaxStore(session.repository, session.objects, session.profile);
    this.objects = options.objects ?? session.objects;
  }

  /** Returns the content of a blob; null if it is too large, or cannot be read (only that makes it `unreadable`). */
  async bytes(oid: string): Promise<Buffer | null> {
    const cached = this.cache.get(oid);
    if (cached !== undefined) {
      this.cache.delete(oid);
      this.cache.set(oid, cached);
      return cached;
    }
    if (this.options.missing?.has(oid)) return this.fail(oid);
    const info = await this.objects.info(oid);
    if (info?.type === 'blob' && info.size > this.options.maxFileBytes) return null;
    const object = info?.type === 'blob' ? await this.objects.read(oid) : null;
    if (object === null) return this.fail(oid);
    this.keep(oid, object.content);
    return object.content;
  }

  private fail(oid: string): null {
    this.unreadable.add(oid);
    return null;
  }

  private keep(oid: string, content: Buffer): void {
    if (this.cache.has(oid)) return;
    this.cache.set(oid, content);
    this.cachedBytes += content.length;
    for (const [oldest, bytes] of this.cache) {
      if (this.cachedBytes <= CACHED_BYTES) break;
      this.cache.delete(oldest);
      this.cachedBytes -= bytes.length;
    }
  }

  async facts(version: FileVersion): Promise<BlobFacts | null> {
    const key = this.keyOf(version);
    if (!this.known.has(key)) await this.prefetch([version]);
    return this.known.get(key) ?? null;
  }

  /**
   * Derives many versions at a time and calls `each` for every one. Versions with the same blob follow each other. `each` is not called for
   * versions that are missing or `late`.
   */
  async prefetch(
    versions: Iterable<FileVersion>,
    progress: Progress = silentProgress,
    each: (version: FileVersion, facts: BlobFacts | null, bytes: Buffer | null) => void = () => {},
  ): Promise<void> {
    const { missing, count, parseMs = Number.POSITIVE_INFINITY } = this.options;
    const wanted = new Map<string, FileVersion[]>();
    for (const version of versions) {
      if (missing?.has(version.oid)) this.unreadable.add(version.oid);
      else addTo(wanted, this.keyOf(version), version);
    }
    if (wanted.size === 0) return;
    this.loaded ??= this.store.load(count);
    await this.loaded;
    this.deadline ??= performance.now() + parseMs;
    const groups = [...wanted];
    const eachOf = (same: readonly FileVersion[], blob: DerivedBlob) => {
      for (const version of same) each(version, blob.units[0]?.facts ?? null, bufferOf(blob));
    };
    try {
      const done = await this.derive(groups, this.deadline, (same, blob, at) => {
        eachOf(same, blob);
        progress.update(at, groups.length);
      });
      // After the deadline nothing is parsed, and reading a record takes little.
      await this.derive(this.withoutLate(groups.slice(done)), Number.POSITIVE_INFINITY, eachOf);
    } finally {
      progress.finish();
    }
  }

  /** Returns the blobs that have a record, and counts the others as late. */
  private withoutLate(groups: readonly SameBlob[]): SameBlob[] {
    const recorded = groups.filter(([, [{ oid }]]) => this.store.has(oid));
    for (const [, [{ oid }]] of groups) {
      if (this.store.has(oid)) continue;
      this.late.add(oid);
      this.unreadable.add(oid);
    }
    return recorded;
  }

  /** Derives blobs until the deadline, `AT_ONCE` between two looks at the time if there is one. Returns their number. */
  private async derive(
    groups: readonly SameBlob[],
    deadline: number,
    each: (same: readonly FileVersion[], blob: DerivedBlob, done: number) => void,
  ): Promise<number> {
    const most = deadline === Number.POSITIVE_INFINITY ? groups.length : AT_ONCE;
    let done = 0;
    while (done < groups.length && performance.now() <= deadline) {
      const from = done;
      const some = groups.slice(from, from + most);
      await this.deriveAll(some, (same, blob) => each(same, blob, ++done));
    }
    return done;
  }

  private async deriveAll(
    groups: readonly SameBlob[],
    each: (same: readonly FileVersion[], blob: DerivedBlob) => void,
  ): Promise<void> {
    const { signal, maxFileBytes, relations } = this.options;
    // The first blob without a record starts the parsers.
    const pool = { parse: (job: ParseJob) => parsersOf(this.session).get().parse(job) };
    const context = { objects: this.objects, store: this.store, pool, maxFileBytes, signal, relations };
    const planned = groups.map(([, [version]]) => this.plan(version));
    let at = 0;
    for await (const blob of deriveBlobs(planned, { ...context, onBadRecord: () => {} })) {
      const [key, same] = groups[at++];
      this.take(key, blob);
      each(same, blob);
      if (this.noteBytes > BATCH_BYTES) await this.writeNotes();
    }
  }

  private take(key: string, blob: DerivedBlob): void {
    const [unit] = blob.units;
    const bytes = bufferOf(blob);
    if (bytes !== null) this.keep(blob.oid, bytes);
    if (blob.source === 'none' && blob.units.length === 0) this.unreadable.add(blob.oid);
    if (blob.source === 'parse') this.parsed++;
    if (unit?.facts && unit.state !== undefined) this.degraded.add(blob.oid);
    const isKept = this.options.objects === undefined || this.options.kept?.has(blob.oid);
    if (blob.note !== null && isKept) {
      this.notes.push({ target: blob.oid, note: blob.note });
      this.noteBytes += blob.note.length;
    }
    this.known.set(key, unit?.facts ?? null);
    if (this.known.size > CACHED_FACTS) this.known.delete(this.known.keys().next().value as string);
  }

  /** Parses a version and returns the ranges of its comments; null if that fails. */
  async comments({ oid, path }: FileVersion): Promise<ByteRange[] | null> {
    const bytes = await this.bytes(oid);
    if (bytes === null) return null;
    const language = this.languageOf(path) ?? languageOfContent(bytes);
    const outcome = await parsersOf(this.session).get().parse({ oid, language, bytes, comments: true });
    return 'record' in outcome ? readRanges(outcome.record, bytes.length) : null;
  }

  private keyOf({ oid, path }: FileVersion): string {
    return `${oid} ${this.languageOf(path) ?? path}`;
  }

  private plan({ oid, path }: FileVersion): PlannedBlob {
    return { oid, path, languages: [this.languageOf(path)], sharded: false };
  }

  languageOf(path: string): string | null {
    return languageOfPath(path, this.options.languages);
  }

  async close(): Promise<void> {
    parsersOf(this.session).rest();
    await this.writeNotes();
  }

  private async writeNotes(): Promise<void> {
    const notes = this.notes;
    this.notes = [];
    this.noteBytes = 0;
    await writeRecords(this.session, this.store, notes);
  }
}

function bufferOf({ bytes }: DerivedBlob): Buffer | null {
  return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The caller closes the source. `count`: number of files that will be read. `relations`: reads imports and uses as well. */
export async function openFacts(
  session: Session,
  { origin, objects, overlay }: Pick<PreparedGraph, 'origin' | 'objects' | 'overlay'>,
  options: { count?: number; relations?: boolean; signal?: AbortSignal },
): Promise<BlobFactsSource> {
  const { languages, maxFileBytes } = (await session.configOfOrigin(origin)).config;
  // Records describe committed blobs only, so none are written while uncommitted files are read.
  return new BlobFactsSource(session, { languages, maxFileBytes, ...options, ...(overlay > 0 && { objects }) });
}

// Symbols around lines

/** Returns the qualified name of the innermost symbol around a line; null at top level, and for a file without facts. */
export type SymbolAt = (line: number) => string | null;

/** Looks up the symbols of each file that has hits to show. */
export async function symbolsOf(
  session: Session,
  { origin, matches }: GrepResult,
  signal?: AbortSignal,
): Promise<Map<GrepMatch, SymbolAt>> {
  const shown = matches.filter(({ hits }) => hits.length > 0);
  if (shown.length === 0) return new Map();
  const { languages, maxFileBytes } = (await session.configOfOrigin(origin)).config;
  const format = session.repository.objectFormat;
  const edited = new Map<string, Buffer>();
  const versions = shown.map(({ file, text }) => {
    if (file.oid !== null) return { oid: file.oid, path: file.path };
    const bytes = Buffer.from(text);
    const oid = blobOid(bytes, format);
    edited.set(oid, bytes);
    return { oid, path: file.path };
  });
  const objects = withBytes(session.objects, edited);
  const source = new BlobFactsSource(session, { languages, maxFileBytes, objects, count: versions.length, signal });
  try {
    const facts = new Map<string, BlobFacts | null>();
    await source.prefetch(versions, undefined, ({ oid, path }, found) => facts.set(`${oid} ${path}`, found));
    return new Map(
      shown.map((match, i) => [match, symbolAt(facts.get(`${versions[i].oid} ${versions[i].path}`) ?? null)]),
    );
  } finally {
    await source.close();
  }
}

export function symbolAt(facts: BlobFacts | null): SymbolAt {
  return (line) => {
    let inner = -1;
    // A container comes before its members.
    for (const [i, { startLine, endLine }] of (facts?.symbols ?? []).entries()) {
      if (startLine > line) break;
      if (endLine >= line) inner = i;
    }
    return facts === null || inner < 0 ? null : qualifiedName(facts.symbols, inner);
  };
}

/** Serves some blobs from memory. */
export function withBytes(objects: ObjectReader, known: ReadonlyMap<string, Buffer>): ObjectReader {
  return {
    async read(name) {
      const content = known.get(name);
      return content === undefined ? objects.read(name) : readable({ oid: name, type: 'blob', content });
    },
    async info(name) {
      const content = known.get(name);
      return content === undefined ? objects.info(name) : { oid: name, type: 'blob', size: content.length };
    },
    close() {},
  };
}
