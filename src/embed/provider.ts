/** Base class of the embedders behind an HTTP server: prefixes, batches, retries, and checks of every answer. */
import type { EmbedderSettings } from '../config/types.js';
import { readVectors } from './answer.js';
import { Dimensions } from './dimensions.js';
import type { Embedder } from './embedder.js';
import { type EmbedderServer, explain } from './explain.js';
import { cancelled, HttpFailure, type RequestOptions } from './http.js';
import { embedderId, type ModelFacts, maxCharacters, modelFacts } from './models.js';
import { BRISK, PATIENT, type RetryPolicy, withRetries } from './retry.js';
import { cutText, sliceBatches } from './slices.js';

/** Time limit of a query: a search is not worth waiting longer for. */
const MAX_QUERY_SECONDS = 10;
/** A text this short is not refused for its length, so it is not halved again. */
const MIN_CUT = 128;
const PROBE = 'function main() {}';

export interface ProviderOptions {
  model: string;
  /** Address without a slash at its end. The caller has checked that text may be sent there. */
  endpoint: string;
  settings: EmbedderSettings;
  /** Delay before the first retry, in milliseconds; tests make it short. */
  firstDelayMs?: number;
  /** Spends the pause that a server asks for; tests replace it. */
  pause?: (ms: number) => Promise<unknown>;
  /** Embeds documents with a query's patience, because a search is waiting for them. */
  brisk?: boolean;
}

interface RequestPatience {
  seconds: number;
  policy: RetryPolicy;
}

export abstract class ProviderEmbedder implements Embedder {
  readonly id: string;
  readonly maxCharacters: number;
  readonly costly = true;
  protected readonly server: EmbedderServer;
  protected readonly sizes: Dimensions;
  readonly #facts: ModelFacts | null;
  #isChecked = false;

  /** Throws BAD_CONFIG for dimensions that the model is known not to have. */
  constructor(
    provider: EmbedderServer['provider'],
    keyVariable: string | null,
    protected readonly options: ProviderOptions,
  ) {
    const { model, endpoint, settings } = options;
    this.server = { provider, endpoint, model, timeout: settings.timeout, keyVariable };
    this.#facts = modelFacts(model);
    this.sizes = new Dimensions(model, this.#facts, settings.dimensions);
    this.id = embedderId(provider, model);
    this.maxCharacters = maxCharacters(this.#facts);
  }

  get dimensions(): number | null {
    return this.sizes.value;
  }

  /** Sends one request and returns its list of vectors, unchecked and in the order of `inputs`. */
  protected abstract ask(inputs: readonly string[], call: RequestOptions): Promise<unknown>;

  /** Checks that the model can be used, before the first text is sent. Throws HttpFailure or SocraticodeError. */
  protected abstract check(call: RequestOptions): Promise<void>;

  async prepare(signal?: AbortSignal): Promise<void> {
    await this.ensureChecked(signal);
    // The first answer of a model may take as long as loading the model.
    const patience = { seconds: this.options.settings.timeout, policy: BRISK };
    if (this.needsProbe) await this.embed([PROBE], patience, signal);
  }

  /** True if only an answer tells what `prepare` has to know. */
  protected get needsProbe(): boolean {
    return this.dimensions === null;
  }

  async embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    await this.ensureChecked(signal);
    const patience = this.options.brisk
      ? this.briskPatience
      : { seconds: this.options.settings.timeout, policy: PATIENT };
    const vectors: Float32Array[] = [];
    for (const batch of sliceBatches(texts, this.options.settings.batch, this.maxCharacters)) {
      const inputs = batch.map((text) => this.input(this.#facts?.document ?? '', text));
      vectors.push(...(await this.embed(inputs, patience, signal)));
    }
    return vectors;
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    await this.ensureChecked(signal);
    const [vector] = await this.embed([this.input(this.#facts?.query ?? '', text)], this.briskPatience, signal);
    return vector;
  }

  private get briskPatience(): RequestPatience {
    return { seconds: Math.min(MAX_QUERY_SECONDS, this.options.settings.timeout), policy: BRISK };
  }

  /** Prepares a text for sending: servers refuse empty texts, and tokenizers fail at half of a surrogate pair. */
  private input(prefix: string, text: string): string {
    const cut = cutText(text, this.maxCharacters).replace(/[\ud800-\udfff]/gu, '\ufffd');
    return prefix + (cut.trim() === '' ? ' ' : cut);
  }

  private async ensureChecked(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw cancelled();
    if (this.#isChecked) return;
    await this.attempt((call) => this.check(call), this.briskPatience, signal).catch((error) => {
      throw explain(error, this.server);
    });
    this.#isChecked = true;
  }

  private attempt<T>(
    act: (call: RequestOptions) => Promise<T>,
    { seconds, policy }: RequestPatience,
    signal?: AbortSignal,
  ): Promise<T> {
    const { firstDelayMs = policy.firstDelayMs, pause } = this.options;
    const call = { signal, timeoutMs: seconds * 1_000 };
    return withRetries(() => act(call), { ...policy, firstDelayMs }, signal, pause);
  }

  /**
   * Returns one vector per input. A batch that the server finds too long is sent in two halves; a single text is cut to
   * its first half.
   */
  private async embed(
    inputs: readonly string[],
    patience: RequestPatience,
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    try {
      const raw = await this.attempt((call) => this.ask(inputs, call), patience, signal);
      return readVectors(raw, inputs.length, (length) => this.sizes.accept(length));
    } catch (error) {
      const [first] = inputs;
      const isTooLong = error instanceof HttpFailure && error.isTooLong;
      if (!isTooLong || (inputs.length === 1 && first.length < MIN_CUT)) throw explain(error, this.server);
      if (inputs.length === 1) return this.embed([cutText(first, first.length >> 1)], patience, signal);
    }
    const half = inputs.length >> 1;
    const front = await this.embed(inputs.slice(0, half), patience, signal);
    return [...front, ...(await this.embed(inputs.slice(half), patience, signal))];
  }
}
