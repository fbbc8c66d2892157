/** The write path: plan -> derive -> notes in batches -> lexical shard -> manifest. */
import type { Progress } from '../base/progress.js';
import { grammarStatus } from '../extract/index.js';
import type { NoteEntry } from '../git/notes.js';
import type { ObjectReader } from '../git/objects.js';
import type { SyntaxStore } from '../record/store.js';
import { LexicalBuilder } from '../shard/builder.js';
import { encodeLexical } from '../shard/columns.js';
import type { LexicalShard } from '../shard/lexical.js';
import type { CatalogFile } from '../shard/live.js';
import type { Manifest, ShardDirectory } from '../shard/manifest.js';
import { type DerivedBlob, deriveBlobs } from './derive.js';
import { mergeShards } from './merge.js';
import { ParserPool } from './parser-pool.js';
import { type PlannedBlob, planIndex } from './plan.js';
import type { PhaseTimer } from './report.js';

/** A killed run loses at most one batch of records. */
export const BATCH_BLOBS = 1_000;
const BATCH_BYTES = 4 << 20;

export interface RunContext {
  objects: ObjectReader;
  store: SyntaxStore;
  directory: ShardDirectory;
  oidBytes: number;
  maxFileBytes: number;
  progress: Progress;
  timer: PhaseTimer;
  signal?: AbortSignal;
  /** Called for records that cannot be used, once each. */
  onBadRecord: (oid: string, reason: string) => void;
}

export interface RunResult {
  new: number;
  bytesAdded: number;
  manifest: Manifest;
  shards: LexicalShard[];
}

/**
 * Brings every file of a catalog into the shards and its record into the notes. The caller holds the writer lock.
 * With nothing to do, nothing is written.
 */
export async function runIndex(files: readonly CatalogFile[], context: RunContext): Promise<RunResult> {
  const { directory, store } = context;
  const manifest = directory.readManifest();
  const shards = await context.timer.measure('load', () => directory.openShards(manifest));
  const pool = new ParserPool();
  // Without any record everything has to be parsed: the children start while the plan is made.
  if (shards.length === 0 && (await store.readTip()) === null) pool.warm();
  try {
    return await runPlanned(files, { manifest, shards, pool }, context);
  } finally {
    pool.stop();
  }
}

interface Opened {
  manifest: Manifest;
  shards: LexicalShard[];
  pool: ParserPool;
}

async function runPlanned(files: readonly CatalogFile[], opened: Opened, context: RunContext): Promise<RunResult> {
  const { manifest, shards, pool } = opened;
  const { directory, store, timer } = context;
  const plan = await timer.measure('plan', () => makePlan(files, shards, manifest, context));
  if (plan.length === 0 && shards.length === manifest.shards.length && manifest.notes === (await store.readTip())) {
    return { new: 0, bytesAdded: 0, manifest, shards };
  }
  const run = new Run(context, plan.length);
  await run.derive(plan, pool);
  const next = await run.publish(manifest, shards);
  return { new: run.parsed, bytesAdded: run.bytesAdded, manifest: next, shards: directory.openShards(next) };
}

/** Blobs to work on; also lists the notes, unless the shards already hold everything that is in them. */
export async function makePlan(
  files: readonly CatalogFile[],
  shards: readonly LexicalShard[],
  manifest: Manifest,
  context: Pick<RunContext, 'store' | 'maxFileBytes'>,
): Promise<PlannedBlob[]> {
  const { available } = await grammarStatus();
  const options = {
    maxFileBytes: context.maxFileBytes,
    unreadable: new Set<string>(),
    hasGrammar: (id: string) => available.includes(id),
  };
  const complete = manifest.notes !== null && manifest.notes === (await context.store.readTip());
  if (complete) {
    const plan = planIndex(files, shards, options);
    if (plan.length > 0) await context.store.load();
    return plan;
  }
  await context.store.load();
  return planIndex(files, shards, { ...options, hasRecord: (oid) => context.store.has(oid) });
}

class Run {
  parsed = 0;
  bytesAdded = 0;
  private readonly builder: LexicalBuilder;
  private readonly unreadable: string[] = [];
  private batch: NoteEntry[] = [];
  private batchBytes = 0;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: RunContext,
    private readonly total: number,
  ) {
    this.builder = new LexicalBuilder(context.oidBytes);
  }

  async derive(plan: readonly PlannedBlob[], pool: ParserPool): Promise<void> {
    const { context } = this;
    const sharded = new Set(plan.filter((blob) => blob.sharded).map((blob) => blob.oid));
    const started = performance.now();
    let done = 0;
    try {
      for await (const blob of deriveBlobs(plan, { ...context, pool })) {
        if (!sharded.has(blob.oid)) this.addToShard(blob);
        await this.addNote(blob);
        context.progress.update(++done, this.total, `${this.builder.documentCount.toLocaleString('en')} chunks`);
      }
      await this.flush();
      await this.writing;
    } finally {
      context.progress.finish();
      context.timer.add('extract', performance.now() - started);
      await this.writing.catch(() => {});
    }
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

  /** Starts writing the batch; one write runs beside the parsing of the next batch. */
  private async flush(): Promise<void> {
    const batch = this.batch;
    this.batch = [];
    this.bytesAdded += this.batchBytes;
    this.batchBytes = 0;
    await this.writing;
    this.writing = this.context.timer.measure('notes', () => this.context.store.write(batch));
    this.writing.catch(() => {}); // Observed by the next flush or at the end.
  }

  async publish(manifest: Manifest, shards: readonly LexicalShard[]): Promise<Manifest> {
    const { directory, store, timer } = this.context;
    return timer.measure('publish', async () => {
      const opened = new Set(shards.map((shard) => shard.name));
      const entries = manifest.shards.filter((entry) => opened.has(entry.file));
      const counts = { units: this.builder.unitCount, documents: this.builder.documentCount };
      if (counts.units > 0) {
        const bytes = encodeLexical(this.builder.finish());
        this.bytesAdded += bytes.length;
        entries.push(directory.writeShard(bytes, counts));
      }
      const unreadable = this.unreadable.slice(0, 10_000);
      const next: Manifest = {
        ...manifest,
        shards: mergeShards(directory, entries),
        notes: await store.readTip(),
        unreadable,
      };
      directory.publish(next);
      return next;
    });
  }
}
