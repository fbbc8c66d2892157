/**
 * Makes the vectors of a provider for one snapshot (`runVectors`): takes them from files and notes as far as possible, and has the provider
 * embed the rest, in batches of which a few are under way at a time (`embedInBatches`). Finished work is saved whatever happens later:
 * records as soon as a blob is complete, the files of the shards at the end. Afterwards `buildGraphs` makes the graphs of large shards, and
 * `writeStaticRecords` the records of the built-in model's vectors.
 */
import pLimit from 'p-limit';
import { toInt8 } from '../base/binary.js';
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { addTo } from '../base/lists.js';
import { log } from '../base/log.js';
import { groupDigits } from '../base/printable.js';
import type { Progress } from '../base/progress.js';
import { BatchMaker } from '../embed/models.js';
import type { Embedder } from '../embed/provider.js';
import { usearch } from '../shard/hnsw.js';
import { buildHnswInBackground } from '../shard/hnsw-worker.js';
import { type IndexChoice, wantsHnsw } from '../shard/nearest.js';
import type { VectorShard } from '../shard/vector-shard.js';
import type { VectorDirectory } from './static-vectors.js';
import {
  countMissing,
  type HashKey,
  hashKey,
  type MissingChunk,
  planVectors,
  RecordQueue,
  readTexts,
  type VectorContext,
  VectorDrafts,
  type VectorPlan,
  type VectorUnit,
} from './vector-plan.js';

interface VectorRunContext extends VectorContext {
  place: VectorDirectory;
  /** Numbers per vector; null if only the model's answer shows it. */
  dimensions: number | null;
  /** True if records are written to notes. */
  shares: boolean;
  /** Makes the embedder; called only if a text has to be embedded. */
  createEmbedder: () => Promise<Embedder>;
  batchSize: number;
  concurrency: number;
  /** Largest number of texts to embed. With more missing, all are left for another run; null for no limit. */
  limit: number | null;
  progress: Progress;
  /** Milliseconds on the caller's clock; default: that of this process. */
  now?: () => number;
}

/** `embedded` counts texts; `covered`, `total`, `reused`, `loaded` and `unreadable` count chunks. */
export interface VectorRunResult {
  dimensions: number | null;
  covered: number;
  total: number;
  embedded: number;
  reused: number;
  loaded: number;
  bytesAdded: number;
  /** Error that stopped the embedder; null if there was none. */
  fault: unknown;
  unreadable: number;
}

/** Longest time between writes of the shards' files: a run that writes no records leaves nothing else behind. */
const SAVE_MS = 30_000;

/** Makes the vectors. Throws DISK and the errors of writing notes; a provider's errors and CANCELLED are part of the result. */
export async function runVectors(units: readonly VectorUnit[], context: VectorRunContext): Promise<VectorRunResult> {
  const run = new VectorRun(units, context);
  let fault: unknown = null;
  try {
    await run.work();
  } catch (error) {
    if (!isEmbedderFault(error)) throw error;
    fault = error;
  } finally {
    await run.finish();
  }
  return { ...run.result(), fault };
}

function isEmbedderFault(error: unknown): boolean {
  return (
    isSocraticodeError(error) && (/^EMBEDDER_/.test(error.code) || ['CANCELLED', 'BAD_CONFIG'].includes(error.code))
  );
}

class VectorRun {
  private drafts: VectorDrafts;
  private plan: VectorPlan | null = null;
  private readonly queue: RecordQueue;
  /** Units of each blob that can have a record. */
  private readonly blobs = new Map<string, VectorUnit[]>();
  /** Number of chunks of the snapshot. */
  private readonly total: number;
  /** Number of chunks that had a vector in the files of the shards. */
  private coveredBefore: number;
  /** Number of texts that the provider embedded. */
  private embedded = 0;
  /** Number of further chunks with one of these texts. */
  private shared = 0;
  private bytesAdded = 0;
  /** Milliseconds on the clock of the context. */
  private readonly now: () => number;
  /** Time of the last `save`. */
  private savedAt: number;

  constructor(
    private readonly units: readonly VectorUnit[],
    private readonly context: VectorRunContext,
  ) {
    this.drafts = this.newDrafts(context.dimensions);
    this.now = context.now ?? (() => performance.now());
    this.savedAt = this.now();
    this.queue = new RecordQueue(context.store, this.now);
    this.total = units.reduce((sum, unit) => sum + unit.count, 0);
    this.coveredBefore = this.covered();
    for (const unit of units) {
      if (unit.isLocal) continue;
      addTo(this.blobs, unit.oid, unit);
    }
  }

  private newDrafts(dimensions: number | null): VectorDrafts {
    return new VectorDrafts(this.context.place, this.context.shards, dimensions);
  }

  private covered(): number {
    return this.units.reduce((sum, unit) => sum + unit.count - countMissing(unit, this.drafts), 0);
  }

  async work(): Promise<void> {
    const { context } = this;
    let plan = await this.makePlan();
    if (plan.missing.size > 0 && (context.limit === null || plan.missing.size <= context.limit)) {
      const embedder = await context.createEmbedder();
      // Without configured dimensions, only an answer shows whether the vectors found so far have the right size.
      if (context.dimensions === null) {
        await embedder.prepare(context.signal);
        if (this.drafts.dimensions !== embedder.dimensions) {
          this.drafts = this.newDrafts(embedder.dimensions);
          this.coveredBefore = this.covered();
          plan = await this.makePlan();
        }
      }
      await this.embed(plan.missing, embedder);
    }
  }

  /** Fills everything that needs no embedder, and queues the records of blobs that are then complete. */
  private async makePlan(): Promise<VectorPlan> {
    const plan = await planVectors(this.units, this.drafts, this.context);
    this.plan = plan;
    if (this.context.shares) for (const oid of this.blobs.keys()) await this.addRecord(oid);
    return plan;
  }

  /** Queues the record of a blob if all its chunks have a vector and no good record exists. */
  private async addRecord(oid: string): Promise<void> {
    const units = this.blobs.get(oid);
    if (units === undefined || units.some((unit) => countMissing(unit, this.drafts) > 0)) return;
    const known = this.plan?.records.get(oid);
    const isComplete = known === undefined || units.every(({ language }) => known.languages[language] !== undefined);
    if (this.context.store.has(oid) && !this.plan?.bad.has(oid) && isComplete) return;
    const dimensions = this.drafts.dimensions as number;
    // Vectors for languages that this snapshot does not use stay in the record.
    const languages = known?.dimensions === dimensions ? { ...known.languages } : {};
    for (const { language, shard, first, count } of units) languages[language] = this.drafts.copy(shard, first, count);
    await this.queue.add(oid, { dimensions, languages });
  }

  private async embed(missing: VectorPlan['missing'], embedder: Embedder): Promise<void> {
    const { batchSize, concurrency, signal, progress } = this.context;
    let done = 0;
    const onBatch = async ({ texts, vectors }: EmbeddedBatch) => {
      for (const [i, vector] of vectors.entries()) {
        const key = hashKey(texts[i]);
        await this.give(key, missing.get(key) as MissingChunk[], vector);
      }
      done += vectors.length;
      progress.update(done, missing.size);
      await this.queue.tick();
      if (this.now() - this.savedAt > SAVE_MS) this.save();
    };
    try {
      await embedInBatches(embedder, this.texts(missing), { batchSize, concurrency, signal, onBatch });
    } finally {
      progress.finish();
    }
  }

  /** Yields the missing texts, each once, in the order of the units. */
  private async *texts(missing: VectorPlan['missing']): AsyncGenerator<string> {
    const { shards, objects, maxCharacters } = this.context;
    const given = new Set<HashKey>();
    for (const unit of new Set([...missing.values()].map(([chunk]) => chunk.unit))) {
      const texts = await readTexts(unit, shards[unit.shard], objects, maxCharacters);
      for (const text of texts ?? []) {
        const key = hashKey(text);
        if (!missing.has(key) || given.has(key)) continue;
        given.add(key);
        yield text;
      }
    }
  }

  /** Gives a vector to every chunk with its text, and queues the records of blobs that this completes. */
  private async give(key: HashKey, chunks: readonly MissingChunk[], vector: Float32Array): Promise<void> {
    this.drafts.fix(vector.length);
    const row = new Int8Array(vector.length);
    toInt8(vector, row);
    for (const chunk of chunks) this.drafts.set(chunk.unit.shard, chunk.row, key, row);
    this.embedded++;
    this.shared += chunks.length - 1;
    if (!this.context.shares) return;
    for (const oid of new Set(chunks.map(({ unit }) => unit.oid))) await this.addRecord(oid);
  }

  private save(): void {
    this.bytesAdded += this.drafts.save();
    this.savedAt = this.now();
  }

  async finish(): Promise<void> {
    // The files come first: they are all that remains if the notes cannot be written.
    this.save();
    await this.queue.finish();
  }

  result(): Omit<VectorRunResult, 'fault'> {
    const { loaded = 0, reused = 0, unreadable = 0 } = this.plan ?? {};
    return {
      ...{ dimensions: this.drafts.dimensions, covered: this.covered(), total: this.total, embedded: this.embedded },
      ...{ reused: this.coveredBefore + reused + this.shared, loaded, unreadable },
      bytesAdded: this.bytesAdded + this.queue.bytesAdded,
    };
  }
}

// Graphs of the vectors of large shards.

interface EmbeddedShard {
  lexical: string;
  documents: number;
}

/** Returns the shards that should have a graph; none if usearch cannot be loaded. */
export function wantedGraphs<S extends EmbeddedShard>(
  shards: readonly S[],
  dimensions: number,
  choice: IndexChoice,
): S[] {
  const components = shards.reduce((sum, { documents }) => sum + documents * dimensions, 0);
  const wanted = shards.filter(({ documents }) => wantsHnsw(choice, components, documents));
  // usearch is loaded only if a graph is wanted.
  return wanted.length === 0 || usearch() === null ? [] : wanted;
}

/** Builds the missing graphs, during `index` and never during a search. A failure only costs speed, so it is logged. Throws CANCELLED. */
export async function buildGraphs(
  place: VectorDirectory,
  shards: readonly EmbeddedShard[],
  progress: Progress,
  signal?: AbortSignal,
): Promise<void> {
  for (const [i, { lexical, documents }] of shards.entries()) {
    progress.update(i, shards.length, `${groupDigits(documents)} vectors`);
    try {
      await buildHnswInBackground({ ...place, lexical, documents }, signal);
    } catch (error) {
      log.warn(`cannot build the graph of the vectors: ${(error as Error).message}`);
    }
    if (signal?.aborted) throw new SocraticodeError('CANCELLED', 'the graph of the vectors was not finished');
  }
  progress.finish();
}

// Records of the built-in model's vectors.

/**
 * Writes records of the built-in model's vectors, for users who set `vectors.share` to `always`: one for each blob that has none and
 * whose chunks all have a vector. Returns the bytes written. Throws the errors of writing notes.
 */
export async function writeStaticRecords(
  units: readonly VectorUnit[],
  vectors: readonly VectorShard[],
  context: Pick<VectorContext, 'shards' | 'objects' | 'store' | 'signal'>,
): Promise<number> {
  const queue = new RecordQueue(context.store);
  const blobs = new Map<string, VectorUnit[]>();
  for (const unit of units) if (!unit.isLocal) addTo(blobs, unit.oid, unit);
  for (const [oid, parts] of blobs) {
    if (context.signal?.aborted) break;
    const isWhole = parts.every(({ shard, first, count }) => hasRows(vectors[shard], first, count));
    if (context.store.has(oid) || !isWhole) continue;
    const languages: Parameters<RecordQueue['add']>[1]['languages'] = {};
    for (const unit of parts) {
      const texts = await readTexts(unit, context.shards[unit.shard], context.objects, Number.POSITIVE_INFINITY);
      if (texts === null) continue;
      const hashes = Buffer.from(texts.map(hashKey).join(''), 'latin1');
      const { rows, dimensions } = vectors[unit.shard];
      const own = rows.slice(unit.first * dimensions, (unit.first + unit.count) * dimensions);
      languages[unit.language] = { hashes: new Uint8Array(hashes), rows: own };
    }
    if (Object.keys(languages).length > 0)
      await queue.add(oid, { dimensions: vectors[parts[0].shard].dimensions, languages });
  }
  await queue.finish();
  return queue.bytesAdded;
}

function hasRows(vectors: VectorShard, first: number, count: number): boolean {
  for (let row = first; row < first + count; row++) if (!vectors.has(row)) return false;
  return true;
}

// Embedding in batches.

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
    // Do not wait for `return()`: a source that hangs would never finish it. A source that has already ended ignores it.
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
 * Embeds `texts` as documents and returns how many there were. Reads at most one batch further than the batches under way. The first error
 * stops all other batches and is thrown once none is running. Throws CANCELLED if `signal` fires.
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
