/** Publishes the finished part of a long index run, so that searches in the meantime find something. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { log } from '../base/log.js';
import type { LexicalBuilder } from '../shard/builder.js';
import { encodeLexical } from '../shard/columns.js';
import type { ShardDirectory } from '../shard/directory.js';
import { LexicalShard } from '../shard/lexical.js';
import type { Manifest } from '../shard/manifest.js';

/**
 * Factor between intervals. Each publication contains everything so far; with doubling intervals, all of them together
 * cost about as much as the last one.
 */
const GROWTH = 2;

export interface EarlyOptions {
  /** Milliseconds until the first publication. */
  afterMs: number;
  /** Called with every early shard before it is published. */
  prepare: (shard: LexicalShard) => void;
}

/**
 * Publishes early shards. Each one replaces the one before, and the run's own shard replaces the last, so a finished
 * run leaves no trace of them. A run that ends early leaves a valid shard, and a manifest whose `notes` are unknown.
 */
export class EarlyShards {
  private readonly started = performance.now();
  private due: number;
  private readonly published: string[] = [];

  /** `manifest` is the manifest from before the run. */
  constructor(
    private readonly directory: ShardDirectory,
    private readonly manifest: Manifest,
    private readonly options: EarlyOptions,
  ) {
    this.due = options.afterMs;
  }

  /**
   * Publishes the content of the builder if the interval is over. A publication that fails is tried again after the next
   * interval: the fault may pass (a full disk, too many open files), a run may last for hours, and since intervals
   * double, a lasting fault costs ten attempts in the first thousand intervals.
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

  private publish(builder: LexicalBuilder): void {
    const { directory, manifest } = this;
    const bytes = encodeLexical(builder.finish());
    const entry = directory.writeShard(bytes, { units: builder.unitCount, documents: builder.documentCount });
    this.options.prepare(new LexicalShard(bytes, entry.file));
    const { unrecorded: _, ...before } = manifest;
    directory.publish({ ...before, shards: [...manifest.shards, entry], notes: null });
    this.published.push(entry.file);
    // No reader opens the shard before the last one any more. Its vectors are removed ten minutes later.
    const old = this.published.at(-3);
    if (old !== undefined) rmSync(join(directory.directory, old), { force: true });
  }
}
