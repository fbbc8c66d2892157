/** What a long run has done so far, published on the way for those who search meanwhile. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { log } from '../base/log.js';
import type { LexicalBuilder } from '../shard/builder.js';
import { encodeLexical } from '../shard/columns.js';
import type { ShardDirectory } from '../shard/directory.js';
import { LexicalShard } from '../shard/lexical.js';
import type { Manifest } from '../shard/manifest.js';

/** Each publication holds everything so far: with intervals that double, all of them together cost about what the last one does. */
const GROWTH = 2;

export interface EarlyOptions {
  /** When something is published first. */
  afterMs: number;
  /** Called with every shard before anybody else sees it. */
  prepare: (shard: LexicalShard) => void;
}

/**
 * Each shard takes the place of the one before, and the run's own takes that of the last: afterwards everything is as if
 * there had been none. A run that ends early leaves a whole shard, and says of the notes that nobody knows what they lack.
 */
export class EarlyShards {
  private readonly started = performance.now();
  private due: number;
  private readonly published: string[] = [];

  /** `manifest`: as it was before the run. */
  constructor(
    private readonly directory: ShardDirectory,
    private readonly manifest: Manifest,
    private readonly options: EarlyOptions,
  ) {
    this.due = options.afterMs;
  }

  /** Publishes what the builder holds, if it is time. A publication that fails costs those who search meanwhile something to find. */
  offer(builder: LexicalBuilder): void {
    if (performance.now() - this.started < this.due || builder.unitCount === 0) return;
    this.due *= GROWTH;
    try {
      this.publish(builder);
    } catch (error) {
      log.debug(`nothing is published on the way: ${(error as Error).message}`);
      this.due = Number.POSITIVE_INFINITY;
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
    // Nobody opens the one before the last any more; its vectors go ten minutes later.
    const old = this.published.at(-3);
    if (old !== undefined) rmSync(join(directory.directory, old), { force: true });
  }
}
