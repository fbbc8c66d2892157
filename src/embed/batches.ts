/** Sends many texts through an embedder: cuts them into batches and keeps a few batches under way at a time. */
import pLimit from 'p-limit';
import { SocraticodeError } from '../base/errors.js';
import { BatchMaker } from './models.js';
import type { Embedder } from './provider.js';

export interface EmbeddedBatch {
  /** Position of the first text among all texts; the others follow it. */
  first: number;
  texts: readonly string[];
  /** One vector per text, in the order of `texts`. */
  vectors: Float32Array[];
}

export interface BatchOptions {
  /** Texts per batch. */
  batchSize: number;
  /** Batches at a time. */
  concurrency: number;
  signal?: AbortSignal;
  /**
   * Called once per finished batch, in any order, but never for two batches at a time. An error that it throws ends the
   * whole run.
   */
  onBatch(batch: EmbeddedBatch): void | Promise<void>;
}

/** Batches under way, and the first error, which stops all the others. */
class BatchesInFlight {
  readonly stop = new AbortController();
  readonly #limit;
  readonly #running = new Set<Promise<void>>();
  #delivery: Promise<void> = Promise.resolve();
  #failure: { error: unknown } | null = null;

  constructor(
    private readonly embedder: Embedder,
    private readonly options: BatchOptions,
  ) {
    this.#limit = pLimit({ concurrency: options.concurrency, rejectOnClear: true });
  }

  /** Starts or queues a batch; resolves when there is room for the next one. */
  async launch(first: number, texts: readonly string[]): Promise<void> {
    const running: Promise<void> = this.#limit(() => this.embed(first, texts))
      .catch((error: unknown) => this.fail(error))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
    // Keep one batch waiting, so that no request slot is idle while the next texts are made.
    while (this.#limit.pendingCount > 0) await Promise.race(this.#running);
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.stop.abort(error);
    this.#limit.clearQueue();
  }

  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  /** Waits until no batch is running. Throws the first error. */
  async land(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failure !== null) throw this.#failure.error;
  }

  private async embed(first: number, texts: readonly string[]): Promise<void> {
    const vectors = await this.embedder.embedDocuments(texts, this.stop.signal);
    const delivered = this.#delivery.then(() => {
      if (!this.hasFailed) return this.options.onBatch({ first, texts, vectors });
    });
    this.#delivery = delivered.catch(() => {});
    await delivered;
  }
}

/** Yields `texts` until they end or `stop` fires, even if the source never delivers its next text. */
async function* untilStopped(
  texts: Iterable<string> | AsyncIterable<string>,
  stop: AbortSignal,
): AsyncGenerator<string> {
  if (!(Symbol.asyncIterator in texts)) return yield* texts;
  const source = texts[Symbol.asyncIterator]();
  let wake = (): void => {};
  stop.addEventListener('abort', () => wake(), { once: true });
  const next = () =>
    new Promise<IteratorResult<string>>((resolve, reject) => {
      wake = () => resolve({ done: true, value: undefined });
      source.next().then(resolve, reject);
    });
  try {
    while (!stop.aborted) {
      const step = await next();
      if (step.done) break;
      yield step.value;
    }
  } finally {
    // Do not wait for `return()`: a source that hangs would never finish it. A source that has already ended ignores
    // it.
    Promise.resolve(source.return?.()).catch(() => {});
  }
}

async function launchAll(flight: BatchesInFlight, texts: AsyncGenerator<string>, maker: BatchMaker): Promise<number> {
  let count = 0;
  let first = 0;
  const launch = async (batch: string[] | null) => {
    if (batch === null || flight.hasFailed) return;
    const at = first;
    first += batch.length;
    await flight.launch(at, batch);
  };
  for await (const text of texts) {
    if (flight.hasFailed) break;
    count++;
    await launch(maker.add(text));
  }
  await launch(maker.take());
  return count;
}

/**
 * Embeds `texts` as documents and returns how many there were. Reads at most one batch further than the batches under
 * way.
 * The first error stops all other batches and is thrown once none is running. Throws CANCELLED if `signal` fires.
 */
export async function embedInBatches(
  embedder: Embedder,
  texts: Iterable<string> | AsyncIterable<string>,
  options: BatchOptions,
): Promise<number> {
  const { signal, batchSize } = options;
  const flight = new BatchesInFlight(embedder, options);
  const onAbort = () => flight.fail(new SocraticodeError('CANCELLED', 'cancelled'));
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  let count = 0;
  try {
    const source = untilStopped(texts, flight.stop.signal);
    count = await launchAll(flight, source, new BatchMaker(batchSize, embedder.maxCharacters));
  } catch (error) {
    flight.fail(error);
  }
  try {
    // The last batches may take minutes, so keep listening to the signal until they are done.
    await flight.land();
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
  return count;
}
