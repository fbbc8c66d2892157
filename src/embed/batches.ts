/** Many texts through an embedder: cut into batches, a few of them at a time. */
import pLimit from 'p-limit';
import { SocraticodeError } from '../base/errors.js';
import type { Embedder } from './embedder.js';
import { BatchMaker } from './slices.js';

export interface EmbeddedBatch {
  /** Position of the first text among all texts; the others follow it. */
  first: number;
  texts: readonly string[];
  /** One per text. */
  vectors: Float32Array[];
}

export interface BatchOptions {
  /** Texts per batch. */
  batchSize: number;
  /** Batches at a time. */
  concurrency: number;
  signal?: AbortSignal;
  /** Called once per batch as it is done, in any order, never twice at a time; an error of it ends everything. */
  onBatch(batch: EmbeddedBatch): void | Promise<void>;
}

/** Batches under way, and the first error, which stops the others. */
class Flight {
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
    // One batch waits ready, so that no request slot is idle while texts are made.
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

  /** Waits until nothing runs any more. Throws the first error. */
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

/** `texts` until they or `stop` end, even if the source never gives the next one. */
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
    // Not waited for: a source that hangs would not end either. One that has ended does not mind.
    Promise.resolve(source.return?.()).catch(() => {});
  }
}

async function launchAll(flight: Flight, texts: AsyncGenerator<string>, maker: BatchMaker): Promise<number> {
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
 * Embeds `texts` as documents and returns how many there were. Reads no further ahead than the batches under way and one.
 * The first error stops the others and is thrown when none runs any more; CANCELLED if `signal` fires.
 */
export async function embedInBatches(
  embedder: Embedder,
  texts: Iterable<string> | AsyncIterable<string>,
  options: BatchOptions,
): Promise<number> {
  const { signal, batchSize } = options;
  const flight = new Flight(embedder, options);
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
    // The last batches may take minutes: the signal counts until they are done.
    await flight.land();
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
  return count;
}
