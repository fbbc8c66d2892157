/** Base class of the embedders behind an HTTP server: prefixes, batches, retries, and checks of every answer. */
import type { EmbedderSettings } from '../config/types.js';
import { readVectors } from './answer.js';
import { Dimensions } from './dimensions.js';
import type { Embedder } from './embedder.js';
import { explain, type Subject } from './explain.js';
import { type Call, cancelled, HttpFailure } from './http.js';
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

interface Manner {
  seconds: number;
  policy: RetryPolicy;
}

export abstract class ProviderEmbedder implements Embedder {
  readonly id: string;
  readonly maxCharacters: number;
  readonly costly = true;
  protected readonly subject: Subject;
  protected readonly sizes: Dimensions;
  readonly #facts: ModelFacts | null;
  #isChecked = false;

  /** Throws BAD_CONFIG for dimensions that the model is known not to have. */
  constructor(
    provider: Subject['provider'],
    keyVariable: string | null,
    protected readonly options: ProviderOptions,
  ) {
    const { model, endpoint, settings } = options;
    this.subject = { provider, endpoint, model, timeout: settings.timeout, keyVariable };
    this.#facts = modelFacts(model);
    this.sizes = new Dimensions(model, this.#facts, settings.dimensions);
    this.id = embedderId(provider, model);
    this.maxCharacters = maxCharacters(this.#facts);
  }

  get dimensions(): number | null {
    return this.sizes.value;
  }

  /** Sends one request and returns its list of vectors, unchecked and in the order of `inputs`. */
  protected abstract ask(inputs: readonly string[], call: Call): Promise<unknown>;

  /** Checks that the model can be used, before the first text is sent. Throws HttpFailure or SocraticodeError. */
  protected abstract check(call: Call): Promise<void>;

  async prepare(signal?: AbortSignal): Promise<void> {
    await this.ensureChecked(signal);
    // The first answer of a model may take as long as loading the model.
    const manner = { seconds: this.options.settings.timeout, policy: BRISK };
    if (this.needsProbe) await this.embed([PROBE], manner, signal);
  }

  /** True if only an answer tells what `prepare` has to know. */
  protected get needsProbe(): boolean {
    return this.dimensions === null;
  }

  async embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    await this.ensureChecked(signal);
    const manner = this.options.brisk ? this.briskManner : { seconds: this.options.settings.timeout, policy: PATIENT };
    const vectors: Float32Array[] = [];
    for (const batch of sliceBatches(texts, this.options.settings.batch, this.maxCharacters)) {
      const inputs = batch.map((text) => this.input(this.#facts?.document ?? '', text));
      vectors.push(...(await this.embed(inputs, manner, signal)));
    }
    return vectors;
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    await this.ensureChecked(signal);
    const [vector] = await this.embed([this.input(this.#facts?.query ?? '', text)], this.briskManner, signal);
    return vector;
  }

  private get briskManner(): Manner {
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
    await this.attempt((call) => this.check(call), this.briskManner, signal).catch((error) => {
      throw explain(error, this.subject);
    });
    this.#isChecked = true;
  }

  private attempt<T>(act: (call: Call) => Promise<T>, { seconds, policy }: Manner, signal?: AbortSignal): Promise<T> {
    const { firstDelayMs = policy.firstDelayMs, pause } = this.options;
    const call = { signal, timeoutMs: seconds * 1_000 };
    return withRetries(() => act(call), { ...policy, firstDelayMs }, signal, pause);
  }

  /**
   * Returns one vector per input. A batch that the server finds too long is sent in two halves; a single text is cut to
   * its first half.
   */
  private async embed(inputs: readonly string[], manner: Manner, signal?: AbortSignal): Promise<Float32Array[]> {
    try {
      const raw = await this.attempt((call) => this.ask(inputs, call), manner, signal);
      return readVectors(raw, inputs.length, (length) => this.sizes.accept(length));
    } catch (error) {
      const [first] = inputs;
      const isTooLong = error instanceof HttpFailure && error.isTooLong;
      if (!isTooLong || (inputs.length === 1 && first.length < MIN_CUT)) throw explain(error, this.subject);
      if (inputs.length === 1) return this.embed([cutText(first, first.length >> 1)], manner, signal);
    }
    const half = inputs.length >> 1;
    const front = await this.embed(inputs.slice(0, half), manner, signal);
    return [...front, ...(await this.embed(inputs.slice(half), manner, signal))];
  }
}
