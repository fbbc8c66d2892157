/**
 * Vectors of the built-in model made in a thread of their own, shard by shard, while the next shard is still being filled.
 * Only speed depends on it: a vector file that is missing afterwards is made by whoever needs it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { LexicalShard } from '../shard/lexical.js';
import { makeStaticVectors, type VectorPlace } from './static-run.js';

/** What the thread sends after each shard. */
const DONE = 'done';

export class StaticVectorsAhead {
  private worker: Worker | null = null;
  private readonly added = new Set<string>();
  private waiting = 0;
  private settle: () => void = () => {};

  constructor(private readonly place: VectorPlace) {}

  /** `lexical` is the name of a shard file that was just written. */
  add(lexical: string): void {
    this.added.add(lexical);
    this.waiting++;
    this.worker ??= this.start();
    this.worker.postMessage(lexical);
  }

  has(lexical: string): boolean {
    return this.added.has(lexical);
  }

  /** Waits until everything that was added is done, or cannot be. */
  async finish(): Promise<void> {
    if (this.waiting > 0) {
      await new Promise<void>((resolve) => {
        this.settle = resolve;
      });
    }
    await this.stop();
  }

  async stop(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(new URL(import.meta.url), { workerData: { staticVectors: this.place } });
    worker.on('message', () => this.ended(1));
    for (const event of ['error', 'exit']) worker.on(event, () => this.ended(this.waiting));
    return worker;
  }

  private ended(count: number): void {
    this.waiting -= count;
    if (this.waiting <= 0) this.settle();
  }
}

function serve(place: VectorPlace): void {
  parentPort?.on('message', (lexical: string) => {
    try {
      // Written by this very program a moment ago, and kept as an index only by a manifest that has its checksum.
      makeStaticVectors(place, new LexicalShard(readFileSync(join(place.directory, lexical)), lexical));
    } catch {
      // The thread that waits finds no file and makes it itself, or says why it cannot.
    }
    parentPort?.postMessage(DONE);
  });
}

if (!isMainThread && workerData?.staticVectors !== undefined) serve(workerData.staticVectors as VectorPlace);
