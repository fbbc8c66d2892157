/** The write path: plan -> derive -> notes in batches -> lexical shard -> manifest. */
import { groupDigits } from '../base/digits.js';
import { isSocraticodeError } from '../base/errors.js';
import type { Progress } from '../base/progress.js';
import { hasGrammar } from '../extract/grammar-files.js';
import type { NoteEntry } from '../git/notes.js';
import type { ObjectReader } from '../git/objects.js';
import { languageOf } from '../languages/registry.js';
import type { SyntaxStore } from '../record/store.js';
import { LexicalBuilder } from '../shard/builder.js';
import { encodeLexical } from '../shard/columns.js';
import type { ShardDirectory } from '../shard/directory.js';
import { LexicalShard } from '../shard/lexical.js';
import type { CatalogFile } from '../shard/live.js';
import { COMPLETE_KEPT, type CompleteSnapshot, type Manifest } from '../shard/manifest.js';
import { type DerivedBlob, deriveBlobs } from './derive.js';
import { type EarlyOptions, EarlyShards } from './early-shards.js';
import { mergeShards } from './merge.js';
import type { ParserPool } from './parser-pool.js';
import { type PlannedBlob, planIndex } from './plan.js';
import type { PhaseTimer } from './report.js';
import { type NotesKnown, notesKnown } from './unrecorded.js';

/** Blobs per batch of records. A killed run loses at most one batch. For TypeORM's 3,764 files, batches of 1,000 take as long. */
const BATCH_BLOBS = 250;
const BATCH_BYTES = 4 << 20;

interface RunContext {
  objects: ObjectReader;
  store: SyntaxStore;
  directory: ShardDirectory;
  pool: ParserPool;
  oidBytes: number;
  maxFileBytes: number;
  /** Returns the entry that the manifest should keep for the snapshot; null if the snapshot is not complete. */
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
 * Brings every file of a catalog into the shards, and its record into the notes. The caller holds the writer lock.
 * The pool rests afterwards.
 * Writes nothing if there is nothing to do and the snapshot is known to be complete.
 */
export async function runIndex(files: readonly CatalogFile[], context: RunContext): Promise<RunResult> {
  const { directory, store, timer } = context;
  const manifest = directory.readManifest();
  const shards = await timer.measure('load', () => directory.openShards(manifest));
  const isKnown = manifest.notes !== null && manifest.notes === (await store.readTip());
  const plan = await timer.measure('plan', () => makePlan(files, shards, manifest, context));
  const run = new IndexRun(context, plan.length);
  const early = context.early && new EarlyShards(directory, manifest, context.early);
  if (plan.length > 0) await run.derive(plan, early);
  // Ends the parsers: inverting the index needs their memory.
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
  const complete = manifest.notes !== null && manifest.notes === (await store.readTip());
  if (!complete) await store.load();
  const unrecorded = new Set(manifest.unrecorded);
  const isRecorded = unrecorded.size === 0 ? undefined : (oid: string) => !unrecorded.has(oid);
  const hasRecord = complete ? isRecorded : (oid: string) => store.has(oid);
  const hasGrammarOf = (language: string) => hasGrammar(languageOf(language)?.grammar?.name ?? '');
  const plan = planIndex(files, shards, { maxFileBytes, hasRecord, hasGrammar: hasGrammarOf });
  if (complete && plan.length > 0) await store.load(plan.length);
  return plan;
}

const MAX_UNREADABLE = 100_000;

class IndexRun {
  parsed = 0;
  bytesAdded = 0;
  private readonly builder: LexicalBuilder;
  private readonly unreadable: string[] = [];
  private tried = new Set<string>();
  private batch: NoteEntry[] = [];
  private batchBytes = 0;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: RunContext,
    private readonly total: number,
  ) {
    this.builder = new LexicalBuilder(context.oidBytes);
  }

  async derive(plan: readonly PlannedBlob[], early?: EarlyShards): Promise<void> {
    const { context } = this;
    this.tried = new Set(plan.map((blob) => blob.oid));
    const sharded = new Set(plan.filter((blob) => blob.sharded).map((blob) => blob.oid));
    const started = performance.now();
    let done = 0;
    // Files that are still with a parser are not waited for.
    const stop = () => context.pool.stop();
    context.signal?.addEventListener('abort', stop);
    try {
      for await (const blob of deriveBlobs(plan, context)) {
        if (!sharded.has(blob.oid)) this.addToShard(blob);
        await this.addNote(blob);
        early?.offer(this.builder);
        context.progress.update(++done, this.total, `${groupDigits(this.builder.documentCount)} chunks`);
      }
    } finally {
      context.signal?.removeEventListener('abort', stop);
      // Written also where the run ends early: Ctrl-C loses no parsed file.
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
    if (this.batch.length >= BATCH_BLOBS || this.batchBytes >= BATCH_BYTES) await this.flush();
  }

  /** Starts writing the batch; one write runs in parallel with the parsing of the next batch. */
  private async flush(): Promise<void> {
    const batch = this.batch;
    this.batch = [];
    this.bytesAdded += this.batchBytes;
    this.batchBytes = 0;
    await this.writing;
    this.writing = this.context.timer.measure('notes', () => this.write(batch));
    this.writing.catch(() => {}); // The next flush or `derive` awaits it; this avoids an "unhandled rejection" until then.
  }

  /** Writes a batch again if Ctrl-C, which git gets as well as this process, has ended the git that wrote it. */
  private write(batch: readonly NoteEntry[]): Promise<void> {
    const { store } = this.context;
    return store.write(batch).catch((error) => {
      if (!isSocraticodeError(error, 'CANCELLED')) throw error;
      return store.write(batch);
    });
  }

  /** Writes the new shard and publishes it, unless the manifest already says the same. */
  publish(manifest: Manifest, shards: readonly LexicalShard[], known: NotesKnown): PublishedIndex {
    const { directory } = this.context;
    const opened = new Map(shards.map((shard) => [shard.name, shard]));
    const entries = manifest.shards.filter((entry) => opened.has(entry.file));
    const counts = { units: this.builder.unitCount, documents: this.builder.documentCount };
    if (counts.units > 0) {
      const bytes = encodeLexical(this.builder.finish());
      this.bytesAdded += bytes.length;
      const entry = directory.writeShard(bytes, counts);
      entries.push(entry);
      opened.set(entry.file, new LexicalShard(bytes, entry.file));
    }
    const merged = mergeShards(directory, entries);
    const earlier = manifest.unreadable.filter((oid) => !this.tried.has(oid));
    const unreadable = [...new Set([...earlier, ...this.unreadable])].sort().slice(0, MAX_UNREADABLE);
    const next: Manifest = { ...manifest, shards: merged, ...known, unreadable };
    const live = next.shards.map((entry) => opened.get(entry.file));
    const usable = live.every((shard) => shard !== undefined) ? (live as LexicalShard[]) : directory.openShards(next);
    for (const shard of usable) if (!shards.includes(shard)) this.context.early?.prepare(shard);
    const snapshot = this.context.describe(usable, next);
    next.complete = [...known.complete.filter(({ key }) => key !== snapshot?.key), ...(snapshot ? [snapshot] : [])];
    next.complete = next.complete.slice(-COMPLETE_KEPT);
    if (JSON.stringify(next) !== JSON.stringify(manifest)) directory.publish(next);
    return { manifest: next, shards: usable };
  }
}

interface PublishedIndex {
  manifest: Manifest;
  shards: LexicalShard[];
}
