/** The write path: plan -> derive -> notes in batches -> lexical shard -> manifest. Shards are published early and merged. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isSocraticodeError } from '../base/errors.js';
import { log } from '../base/log.js';
import { groupDigits } from '../base/printable.js';
import type { Progress } from '../base/progress.js';
import { skipReason } from '../extract/content.js';
import { hasGrammar } from '../extract/version.js';
import type { NoteEntry } from '../git/notes.js';
import type { ObjectReader } from '../git/objects.js';
import { languageOfContent } from '../languages/detect.js';
import { languageOf } from '../languages/registry.js';
import { HASH_BYTES } from '../record/format.js';
import type { SyntaxStore } from '../record/store.js';
import { LexicalBuilder } from '../shard/builder.js';
import {
  type CompleteSnapshot,
  MAX_COMPLETE,
  type Manifest,
  type ShardDirectory,
  type ShardEntry,
} from '../shard/directory.js';
import { encodeLexical, isFailedParse, needsRecord, UNPARSED, vectorProfilesOf } from '../shard/lexical-format.js';
import { LexicalShard } from '../shard/lexical-shard.js';
import { type CatalogFile, findUnit, lookUpUnit } from '../shard/live-set.js';
import { mergeLexical } from '../shard/merge.js';
import { readVectorShard, type VectorShard, writeVectorShard } from '../shard/vector-shard.js';
import { type DerivedBlob, deriveBlobs } from './derive.js';
import { PARSED_BY, type ParserPool } from './parser-pool.js';
import type { PhaseTimer } from './report.js';

const FIRST_BATCH = 250;
const BATCH_BYTES = 32 << 20;
/** A killed run loses the work of this time at most. */
const MAX_BATCH_MS = 10_000;

/**
 * Returns whether records are written now. Each write leaves a pack, and git collects garbage during the user's next commit once there
 * are 50 of them. Batches double for that reason: 20,000 files take 7 writes and one for each ten seconds.
 */
export function isBatchFull(batch: { blobs: number; bytes: number; age: number }, written: number): boolean {
  const { blobs, bytes, age } = batch;
  return blobs >= Math.max(FIRST_BATCH, written) || bytes >= BATCH_BYTES || age >= MAX_BATCH_MS;
}

interface RunContext {
  objects: ObjectReader;
  store: SyntaxStore;
  directory: ShardDirectory;
  pool: ParserPool;
  oidBytes: number;
  maxFileBytes: number;
  /** Returns the entry for the snapshot in the manifest; null if the snapshot is not complete. */
  describe: (shards: readonly LexicalShard[], manifest: Manifest) => CompleteSnapshot | null;
  progress: Progress;
  timer: PhaseTimer;
  signal?: AbortSignal;
  /** Publishes finished work early, for searches during the run. */
  early?: EarlyOptions;
  /** Called once for each record that cannot be used. */
  onBadRecord: (oid: string, reason: string) => void;
}

interface RunResult {
  new: number;
  bytesAdded: number;
  manifest: Manifest;
  shards: LexicalShard[];
}

/**
 * Brings every file of a catalog into the shards, and its record into the notes. The caller holds the writer lock. The pool rests
 * afterwards. Writes nothing if there is nothing to do and the snapshot is known to be complete.
 */
export async function runIndex(files: readonly CatalogFile[], context: RunContext): Promise<RunResult> {
  const { directory, store, timer } = context;
  const manifest = directory.readManifest();
  const shards = await timer.measure('load', () => directory.openShards(manifest));
  const isKnown = manifest.notes !== null && (await store.holdsAllOf(manifest.notes));
  const plan = await timer.measure('plan', () => makePlan(files, shards, manifest, context));
  const run = new IndexRun(context, plan);
  const early = context.early && new EarlyShards(directory, manifest, context.early);
  if (plan.length > 0) await run.derive(early);
  // Inverting the index needs the parsers' memory.
  context.pool.rest();
  const hasRecord = isKnown ? null : (oid: string) => store.has(oid);
  const next = await timer.measure('publish', async () => {
    const tip = await store.readTip();
    const tried = new Set(plan.map(({ oid }) => oid));
    return run.publish(manifest, shards, notesKnown(manifest, shards, { tip, tried, hasRecord }));
  });
  return { new: run.parsed, bytesAdded: run.bytesAdded, ...next };
}

/** Plans the blobs to work on. Also lists the notes, unless the shards already hold everything in them. */
export async function makePlan(
  files: readonly CatalogFile[],
  shards: readonly LexicalShard[],
  manifest: Manifest,
  context: Pick<RunContext, 'store' | 'maxFileBytes'>,
): Promise<PlannedBlob[]> {
  const { store, maxFileBytes } = context;
  const complete = manifest.notes !== null && (await store.holdsAllOf(manifest.notes));
  if (!complete) await store.load();
  const unrecorded = new Set(manifest.unrecorded);
  const isRecorded = unrecorded.size === 0 ? undefined : (oid: string) => !unrecorded.has(oid);
  const hasRecord = complete ? isRecorded : (oid: string) => store.has(oid);
  const hasGrammarOf = (language: string) => hasGrammar(languageOf(language)?.grammar?.name ?? '');
  const isTriedAgain = failedOnce(manifest);
  const plan = planIndex(files, shards, { maxFileBytes, hasRecord, hasGrammar: hasGrammarOf, isTriedAgain });
  if (complete && plan.length > 0) await store.load(plan.length);
  return plan;
}

/** Returns a test for blobs whose parse has failed: is it tried once more? */
export function failedOnce({ failed }: Pick<Manifest, 'failed'>): (oid: string) => boolean {
  if (failed?.by !== PARSED_BY) return () => true;
  const once = new Set(failed.once);
  return (oid) => once.has(oid);
}

/** Limit on the blobs of each kind that a manifest lists for another try. */
const MAX_TRIED_AGAIN = 100_000;

class IndexRun {
  parsed = 0;
  bytesAdded = 0;
  private readonly builder: LexicalBuilder;
  private readonly unreadable: string[] = [];
  /** Blobs whose parse failed for the first time. */
  private readonly failed: string[] = [];
  private readonly tried: ReadonlySet<string>;
  private readonly failedBefore: ReadonlySet<string>;
  private batch: NoteEntry[] = [];
  private batchBytes = 0;
  private batchStart = performance.now();
  private written = 0;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: RunContext,
    private readonly plan: readonly PlannedBlob[],
  ) {
    this.builder = new LexicalBuilder(context.oidBytes);
    this.tried = new Set(plan.map(({ oid }) => oid));
    this.failedBefore = new Set(plan.flatMap(({ oid, isTriedAgain }) => (isTriedAgain ? [oid] : [])));
  }

  async derive(early?: EarlyShards): Promise<void> {
    const { context, plan } = this;
    const sharded = new Set(plan.filter((blob) => blob.sharded).map((blob) => blob.oid));
    const started = performance.now();
    let done = 0;
    // Does not wait for files that are still with a parser.
    const stop = () => context.pool.stop();
    context.signal?.addEventListener('abort', stop);
    try {
      const words = () => early?.offerWords(plan, context);
      for await (const blob of startedBefore(words, deriveBlobs(plan, context))) {
        if (!sharded.has(blob.oid)) this.addToShard(blob);
        await this.addNote(blob);
        early?.offer(this.builder);
        context.progress.update(++done, plan.length, `${groupDigits(this.builder.documentCount)} chunks`);
      }
    } finally {
      context.signal?.removeEventListener('abort', stop);
      // Written even if the run ends early: Ctrl-C loses no parsed file.
      await this.flush().catch(() => {});
      context.progress.finish();
      context.timer.add('extract', performance.now() - started);
      await this.writing.catch(() => {});
    }
    await this.writing;
  }

  private addToShard(blob: DerivedBlob): void {
    if (blob.source === 'none' && blob.units.length === 0) this.unreadable.push(blob.oid);
    if (blob.source === 'parse') this.parsed++;
    if (blob.units.some(({ state }) => isFailedParse(state))) {
      // A shard already has everything that is known of it.
      if (this.failedBefore.has(blob.oid)) return;
      this.failed.push(blob.oid);
    }
    for (const unit of blob.units) {
      if (unit.facts === null || blob.bytes === null) {
        this.builder.addSkipped(blob.oid, unit.language, unit.state as NonNullable<typeof unit.state>, blob.size);
      } else this.builder.add(blob.oid, unit.language, unit.facts, blob.bytes, unit.state);
    }
  }

  private async addNote(blob: DerivedBlob): Promise<void> {
    if (blob.note === null) return;
    this.batch.push({ target: blob.oid, note: blob.note });
    this.batchBytes += blob.note.length;
    const { batch, batchBytes: bytes, batchStart } = this;
    const age = performance.now() - batchStart;
    if (isBatchFull({ blobs: batch.length, bytes, age }, this.written)) await this.flush();
  }

  /** Starts writing the batch. One write runs in parallel with the parsing of the next batch. */
  private async flush(): Promise<void> {
    const batch = this.batch;
    this.batch = [];
    this.bytesAdded += this.batchBytes;
    this.batchBytes = 0;
    this.batchStart = performance.now();
    this.written += batch.length;
    await this.writing;
    this.writing = this.context.timer.measure('notes', () => this.write(batch));
    this.writing.catch(() => {}); // The next flush or `derive` awaits it; until then a rejection must not count as unhandled.
  }

  /** Writes a batch again if Ctrl-C, which reaches git as well as this process, ended the git that wrote it. */
  private write(batch: readonly NoteEntry[]): Promise<void> {
    const { store } = this.context;
    return store.write(batch).catch((error) => {
      if (!isSocraticodeError(error, 'CANCELLED')) throw error;
      return store.write(batch);
    });
  }

  /** Blobs that wait for their second try; after a change of the program or its limits, all blobs whose parse has failed. */
  private stillToTry({ failed }: Manifest, shards: readonly LexicalShard[]): readonly string[] {
    return failed?.by === PARSED_BY ? failed.once : shards.flatMap(failedOids);
  }

  /** Blobs of an earlier list that this run has not tried, and those that it adds. */
  private toTryAgain(earlier: readonly string[], added: readonly string[]): string[] {
    const untried = earlier.filter((oid) => !this.tried.has(oid));
    return [...new Set([...untried, ...added])].sort().slice(0, MAX_TRIED_AGAIN);
  }

  /** Writes the new shard and publishes it, unless the manifest already has it. */
  publish(manifest: Manifest, shards: readonly LexicalShard[], known: NotesKnown): PublishedIndex {
    const { directory } = this.context;
    const opened = new Map(shards.map((shard) => [shard.name, shard]));
    const entries = manifest.shards.filter(({ file }) => opened.has(file) && !isOfWords(opened.get(file)));
    const counts = { units: this.builder.unitCount, documents: this.builder.documentCount };
    if (counts.units > 0) {
      const bytes = encodeLexical(this.builder.finish());
      this.bytesAdded += bytes.length;
      const entry = directory.writeShard(bytes, counts);
      entries.push(entry);
      opened.set(entry.file, new LexicalShard(bytes, entry.file));
    }
    const merged = mergeShards(directory, entries);
    const unreadable = this.toTryAgain(manifest.unreadable, this.unreadable);
    const once = this.toTryAgain(this.stillToTry(manifest, shards), this.failed);
    const next: Manifest = { ...manifest, shards: merged, ...known, unreadable, failed: { by: PARSED_BY, once } };
    if (once.length === 0 && !hasFailed([...opened.values()])) delete next.failed;
    const live = next.shards.map((entry) => opened.get(entry.file));
    const usable = live.every((shard) => shard !== undefined) ? (live as LexicalShard[]) : directory.openShards(next);
    for (const shard of usable) if (!shards.includes(shard)) this.context.early?.prepare(shard);
    const snapshot = this.context.describe(usable, next);
    next.complete = [...known.complete.filter(({ key }) => key !== snapshot?.key), ...(snapshot ? [snapshot] : [])];
    next.complete = next.complete.slice(-MAX_COMPLETE);
    if (JSON.stringify(next) !== JSON.stringify(manifest)) directory.publish(next);
    return { manifest: next, shards: usable };
  }
}

/** Is it a shard of words that a run has left which ended before they were replaced? */
function isOfWords(shard: LexicalShard | undefined): boolean {
  return shard !== undefined && shard.meta.units > 0 && shard.unitState(0) === UNPARSED;
}

/** Begins with the items before `work`, and yields them after it. */
async function* startedBefore<T>(work: () => Promise<void> | undefined, items: AsyncGenerator<T>): AsyncGenerator<T> {
  const first = items.next();
  first.catch(() => {}); // Awaited below.
  try {
    await work();
    for (let step = await first; !step.done; step = await items.next()) yield step.value;
  } finally {
    await items.return(undefined);
  }
}

/** Is there a unit whose parse has failed? */
function hasFailed(shards: readonly LexicalShard[]): boolean {
  return shards.some((shard) => failedOids(shard).length > 0);
}

function failedOids(shard: LexicalShard): string[] {
  const found: string[] = [];
  for (let unit = 0; unit < shard.meta.units; unit++)
    if (isFailedParse(shard.unitState(unit))) found.push(shard.unitOid(unit));
  return found;
}

interface PublishedIndex {
  manifest: Manifest;
  shards: LexicalShard[];
}

/**
 * A blob to bring into a shard, in every language that its paths in the snapshot give it: one without a unit in the local shards, or
 * without a record.
 */
export interface PlannedBlob {
  oid: string;
  /** Language ids; null if the content decides. */
  languages: (string | null)[];
  /** One of the blob's paths, for shebang detection and messages. */
  path: string;
  /** True if all its documents are in a shard already, so that only the record is missing. */
  sharded: boolean;
  /** True if it is planned only because its parse has failed before. */
  isTriedAgain?: boolean;
}

export interface PlanOptions {
  maxFileBytes: number;
  /** Returns whether a blob has a note; undefined if all records are known to exist. */
  hasRecord?: (oid: string) => boolean;
  /** Returns whether the language's grammar is installed now. Blobs that were chunked by lines for lack of it are planned again. */
  hasGrammar: (language: string) => boolean;
  /** Returns whether a blob whose parse has failed is tried again. */
  isTriedAgain: (oid: string) => boolean;
}

export function planIndex(
  files: readonly CatalogFile[],
  shards: readonly LexicalShard[],
  options: PlanOptions,
): PlannedBlob[] {
  const planned = new Map<string, PlannedBlob>();
  for (const file of files) {
    const need = needOf(file, shards, options);
    if (need === null) continue;
    const known = planned.get(file.oid);
    if (known === undefined) {
      const { oid, path, language } = file;
      const again = need === 'again' && { isTriedAgain: true };
      planned.set(oid, { oid, languages: [language], path, sharded: need === 'record', ...again });
    } else {
      if (!known.languages.includes(file.language)) known.languages.push(file.language);
      known.sharded &&= need === 'record';
      known.isTriedAgain &&= need === 'again';
    }
  }
  return [...planned.values()];
}

function needOf(
  file: CatalogFile,
  shards: readonly LexicalShard[],
  options: PlanOptions,
): 'unit' | 'record' | 'again' | null {
  const unit = lookUpUnit(shards, file);
  if (unit === null || unit.state === UNPARSED) return 'unit';
  if (unit.state === 'too-large') return unit.size <= options.maxFileBytes ? 'unit' : null;
  if (unit.state === 'grammar-missing' && options.hasGrammar(shards[unit.shard].unitLanguageId(unit.unit)))
    return 'unit';
  if (isFailedParse(unit.state)) return options.isTriedAgain(file.oid) ? 'again' : null;
  if (!needsRecord(unit.state)) return null;
  return options.hasRecord !== undefined && !options.hasRecord(file.oid) ? 'record' : null;
}

// Tracks blobs that are in the shards but not in the notes, because `compact` dropped their records or a person deleted the notes. The
// manifest remembers them, so that their records are written again when a snapshot contains them again.

/** Number of such blobs that a manifest lists. With more, every run lists the notes instead. */
const MAX_UNRECORDED = 100_000;

/** The manifest's knowledge of the notes. */
type NotesKnown = Pick<Manifest, 'notes' | 'unrecorded' | 'complete'>;

/**
 * Updates that knowledge after a run. `hasRecord` is null if the notes still had everything that the manifest claims. `tried` are the
 * blobs of the run, whose records have now been written.
 */
export function notesKnown(
  manifest: Manifest,
  shards: readonly LexicalShard[],
  run: { tip: string | null; tried: ReadonlySet<string>; hasRecord: ((oid: string) => boolean) | null },
): NotesKnown {
  const { tip, tried, hasRecord } = run;
  const lacking = hasRecord === null ? (manifest.unrecorded ?? []) : findUnrecorded(shards, hasRecord);
  const unrecorded = lacking.filter((oid) => !tried.has(oid));
  const isMore = hasRecord !== null && unrecorded.length > 0;
  // Other snapshots may contain such blobs, and nothing has checked which: none counts as complete any more.
  const complete: CompleteSnapshot[] = isMore ? [] : manifest.complete;
  if (unrecorded.length > MAX_UNRECORDED) return { notes: null, unrecorded: [], complete };
  return { notes: tip, unrecorded, complete };
}

function findUnrecorded(shards: readonly LexicalShard[], hasRecord: (oid: string) => boolean): string[] {
  const found = new Set<string>();
  for (const shard of shards) {
    for (let unit = 0; unit < shard.meta.units; unit++) {
      if (!needsRecord(shard.unitState(unit))) continue;
      const oid = shard.unitOid(unit);
      if (!hasRecord(oid)) found.add(oid);
    }
  }
  return [...found].sort();
}

/**
 * Factor between intervals. Each publication contains everything so far; with doubling intervals, all of them together cost about as much
 * as the last one.
 */
const GROWTH = 2;

export interface EarlyOptions {
  /** Milliseconds until the first publication. */
  afterMs: number;
  /** Called with every early shard before it is published. */
  prepare: (shard: LexicalShard) => void;
}

/**
 * Publishes the finished part of a long run, so that searches in the meantime find something. Each early shard replaces the one before,
 * and the run's own shard replaces the last, so a finished run leaves no trace of them. A run that ends early leaves a valid shard, and a
 * manifest whose `notes` are unknown.
 */
export class EarlyShards {
  private started = performance.now();
  private due: number;
  private readonly published: string[] = [];
  /** The shard of words, before all others: what is parsed counts instead. */
  private words: ShardEntry[] = [];

  /** `manifest`: the manifest before the run. */
  constructor(
    private readonly directory: ShardDirectory,
    private readonly manifest: Manifest,
    private readonly options: EarlyOptions,
  ) {
    this.due = options.afterMs;
  }

  /**
   * Publishes the content of the builder if the interval is over. A publication that fails is tried again after the next interval: the
   * fault may pass (a full disk, too many open files), a run may last for hours, and since intervals double, a lasting fault costs ten
   * attempts in the first thousand intervals.
   */
  offer(builder: LexicalBuilder): void {
    if (performance.now() - this.started < this.due || builder.unitCount === 0) return;
    this.due *= GROWTH;
    try {
      this.publish(builder);
    } catch (error) {
      log.debug(`cannot publish finished work early: ${(error as Error).message}`);
    }
  }

  /** Publishes words of the first files before any is parsed, if nothing is indexed yet. A failure is no matter: parsed files follow. */
  async offerWords(plan: readonly PlannedBlob[], context: WordsContext): Promise<void> {
    if (this.manifest.shards.length > 0) return;
    try {
      const builder = await wordsOf(plan, context);
      if (builder.unitCount > 0) this.words = [this.write(builder, [])];
      this.started = performance.now();
    } catch (error) {
      log.debug(`cannot publish words before parsing: ${(error as Error).message}`);
    }
  }

  private write(builder: LexicalBuilder, before: readonly ShardEntry[]): ShardEntry {
    const { directory, manifest } = this;
    const bytes = encodeLexical(builder.finish());
    const entry = directory.writeShard(bytes, { units: builder.unitCount, documents: builder.documentCount });
    this.options.prepare(new LexicalShard(bytes, entry.file));
    const { unrecorded: _, ...known } = manifest;
    directory.publish({ ...known, shards: [...manifest.shards, ...before, entry], notes: null });
    return entry;
  }

  private publish(builder: LexicalBuilder): void {
    const { directory } = this;
    this.published.push(this.write(builder, this.words).file);
    // No reader opens the shard before the last one any more. Its vectors are removed ten minutes later.
    const old = this.published.at(-3);
    if (old !== undefined) rmSync(join(directory.directory, old), { force: true });
  }
}

type WordsContext = Pick<RunContext, 'objects' | 'maxFileBytes' | 'oidBytes' | 'signal'>;

/** Files and bytes whose words come before all parsing: their words are cut within the time in which a parser starts. */
const WORDS_FILES = 1_000;
const WORDS_BYTES = 8 << 20;

/** Words of the first files of a plan, in chunks of lines. */
async function wordsOf(plan: readonly PlannedBlob[], { objects, ...context }: WordsContext): Promise<LexicalBuilder> {
  const { lineFacts } = await import('../extract/chunk.js');
  const builder = new LexicalBuilder(context.oidBytes);
  const first = plan.slice(0, WORDS_FILES);
  const sizes = await Promise.all(first.map(({ oid }) => objects.info(oid)));
  let left = WORDS_BYTES;
  const read = first.map(({ oid }, i) => {
    const info = sizes[i];
    if (info?.type !== 'blob' || info.size > context.maxFileBytes || info.size > left) return null;
    left -= info.size;
    return objects.read(oid);
  });
  for (const [i, object] of (await Promise.all(read)).entries()) {
    context.signal?.throwIfAborted();
    if (object === null || skipReason(object.content) !== null) continue;
    for (const stated of first[i].languages) {
      const language = stated ?? languageOfContent(object.content);
      const facts = lineFacts(object.content, languageOf(language)?.plain ?? 'text');
      builder.add(first[i].oid, language, facts, object.content, UNPARSED);
    }
  }
  return builder;
}

// Decides which shards to merge. Each run adds a small shard, and every query pays for each shard it reads.

/** Shards whose sizes differ by less than this factor form one tier. */
const TIER_FACTOR = 8;
/** Number of shards of one tier that are merged into one of the next tier. */
const TIER_LIMIT = 8;

/** Merges full tiers, the smallest first, and returns the entries to publish. `entries` are oldest first, because newer units win. */
export function mergeShards(directory: ShardDirectory, entries: ShardEntry[]): ShardEntry[] {
  const run = trailingTier(entries);
  if (run.length < TIER_LIMIT) return entries;
  const shards = directory.openShards({ ...directory.readManifest(), shards: run });
  if (shards.length < run.length) return entries;
  const columns = mergeLexical(shards);
  const bytes = encodeLexical(columns);
  const merged = directory.writeShard(bytes, { units: columns.units.length, documents: columns.documents.length });
  // Vectors are carried over before the parts are replaced, so that no costly vector is lost if this process ends here.
  carryVectors(directory.directory, shards, new LexicalShard(bytes, merged.file));
  return mergeShards(directory, [...entries.slice(0, entries.length - run.length), merged]);
}

/** Returns the newest shards that are small compared with the one before them. */
function trailingTier(entries: readonly ShardEntry[]): ShardEntry[] {
  let largest = 0;
  let from = entries.length;
  while (from > 0) {
    const size = Math.max(largest, entries[from - 1].bytes);
    if (largest > 0 && entries[from - 1].bytes > largest * TIER_FACTOR) break;
    largest = size;
    from--;
  }
  return entries.slice(from);
}

/**
 * Writes the vector files of a merged shard, one for each profile under which its parts have vectors with hashes. Vectors of the built-in
 * model have no hashes: they are made from the merged shard itself. `from` is oldest first. Throws DISK.
 */
export function carryVectors(directory: string, from: readonly LexicalShard[], to: LexicalShard): void {
  const profiles = new Set(from.flatMap(({ name }) => vectorProfilesOf(directory, name)));
  for (const profile of profiles) {
    const parts = from.map(({ name, meta }) => readVectorShard(directory, profile, name, meta.documents));
    const dimensions = parts.find((part) => part?.hashes)?.dimensions;
    if (dimensions !== undefined) carryProfile({ directory, profile, dimensions }, { from, parts, to });
  }
}

interface MergedFile {
  directory: string;
  profile: string;
  dimensions: number;
}

interface ShardMerge {
  from: readonly LexicalShard[];
  parts: readonly (VectorShard | null)[];
  to: LexicalShard;
}

function carryProfile({ directory, profile, dimensions }: MergedFile, { from, parts, to }: ShardMerge): void {
  const { documents, units } = to.meta;
  const rows = new Int8Array(documents * dimensions);
  const hashes = new Uint8Array(documents * HASH_BYTES);
  const present = new Uint8Array(documents);
  for (let unit = 0; unit < units; unit++) {
    // The newest shard that has the unit counts, as in merging the lexical shards.
    const source = findUnit(from, to.unitOid(unit), to.unitLanguageId(unit));
    const part = source === null ? null : parts[source.shard];
    const count = to.unitDocuments[unit];
    if (source === null || part?.hashes == null || part.dimensions !== dimensions) continue;
    const shard = from[source.shard];
    const [first, at] = [shard.unitFirst[source.unit], to.unitFirst[unit]];
    if (shard.unitDocuments[source.unit] !== count) continue;
    rows.set(part.rows.subarray(first * dimensions, (first + count) * dimensions), at * dimensions);
    hashes.set(part.hashes.subarray(first * HASH_BYTES, (first + count) * HASH_BYTES), at * HASH_BYTES);
    for (let i = 0; i < count; i++) present[at + i] = part.has(first + i) ? 1 : 0;
  }
  const columns = { dimensions, rows, hashes, present: present.includes(0) ? present : null };
  writeVectorShard(directory, profile, to.name, columns);
  log.debug(`vectors of profile ${profile} were carried over into ${to.name}`);
}
