/** The `Embedder` role, and the embedders behind an HTTP server: Ollama, and every server with OpenAI's `POST /embeddings`. */
import type { Fetch, Ollama } from 'ollama';
import { SocraticodeError } from '../base/errors.js';
import { visibleLine } from '../base/printable.js';
import type { EmbedderSettings } from '../config/settings.js';
import { DEFAULT_ENDPOINTS, isLoopback, refusal } from './endpoint.js';
import { cutText, embedderId, type ModelFacts, maxCharacters, modelFacts, sliceBatches } from './models.js';
import {
  BRISK,
  cancelled,
  type EmbedderServer,
  exchange,
  explain,
  HttpFailure,
  PATIENT,
  type PullProgress,
  pullModel,
  type RequestOptions,
  type RetryPolicy,
  withRetries,
} from './requests.js';

export interface Embedder {
  /**
   * Identifies everything that decides the vectors apart from our settings: provider, model, and version of the
   * embedded text. It is part of the vectors profile, so it never contains a server's address: two machines share one
   * index.
   */
  readonly id: string;
  /** Numbers per vector; null until the first answer of a model whose size is not known in advance. */
  readonly dimensions: number | null;
  /** UTF-16 code units that the model sees of one text; longer texts are cut. */
  readonly maxCharacters: number;
  /** True if vectors cost time or money, so that they are worth a place in notes. */
  readonly costly: boolean;
  /** Checks that the model can be used and learns its dimensions. Throws EMBEDDER_* errors with the next step. */
  prepare(signal?: AbortSignal): Promise<void>;
  /** One vector per text, in order, each of `dimensions` numbers and of length 1. */
  embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /** The vector of a query, of length 1. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
}

/** Time limit of a query: a search is not worth waiting longer for. */
const MAX_QUERY_SECONDS = 10;
/** A text this short is never refused for its length, so it is not halved again. */
const MIN_CUT = 128;
const PROBE = 'function main() {}';

export interface ProviderOptions {
  model: string;
  /** Address without a slash at its end. The caller has checked that text may be sent there. */
  endpoint: string;
  settings: EmbedderSettings;
  /** Delay before the first retry, in milliseconds; tests make it short. */
  firstDelayMs?: number;
  /** Waits out the pause that a server asks for; tests replace it. */
  pause?: (ms: number) => Promise<unknown>;
  /** Embeds documents with a query's patience, because a search is waiting for them. */
  brisk?: boolean;
}

interface RequestPatience {
  seconds: number;
  policy: RetryPolicy;
}

/** Base class of the embedders behind an HTTP server: prefixes, batches, retries, and checks of every answer. */
abstract class ProviderEmbedder implements Embedder {
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

  /** True if only an answer of the model tells its dimensions. */
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

const HINT = 'Remove embedder.dimensions, or name another model in embedder.model.';

/**
 * Decides how many numbers a vector has: the model makes some length, the settings may ask for another, and only some models
 * can be shortened to it.
 */
class Dimensions {
  /** Length of the model's own vectors; null until it is known. */
  #native: number | null;

  /**
   * `wanted` is the setting embedder.dimensions. Throws BAD_CONFIG if the model is known neither to make nor to be
   * shortenable to that length.
   */
  constructor(
    private readonly model: string,
    private readonly facts: ModelFacts | null,
    private readonly wanted?: number,
  ) {
    this.#native = facts?.native ?? null;
    if (this.#native !== null) this.check(this.#native);
  }

  /** Numbers per vector that callers receive; null until known. */
  get value(): number | null {
    return this.#native === null ? null : (this.wanted ?? this.#native);
  }

  /** Value of the request's `dimensions` parameter; undefined unless the server should shorten the vectors itself. */
  get parameter(): number | undefined {
    return this.facts?.takesDimensions ? this.wanted : undefined;
  }

  /**
   * Takes the length of one answer's vectors and returns the length to cut them to. The first answer of an unknown
   * model fixes that model's length.
   * Throws BAD_CONFIG as the constructor does, and EMBEDDER_BAD_ANSWER if the length differs from earlier answers.
   */
  accept(length: number): number {
    if (this.#native === null) {
      this.check(length);
      this.#native = length;
    }
    // A server that ignores the `dimensions` parameter answers with full-length vectors.
    if (length === this.#native || length === this.parameter) return this.wanted ?? length;
    const expected = this.parameter ?? this.#native;
    const message = `${this.model} gave vectors of ${length} numbers instead of ${expected}`;
    throw new SocraticodeError('EMBEDDER_BAD_ANSWER', message);
  }

  private check(native: number): void {
    const { wanted, model } = this;
    if (wanted === undefined || wanted === native) return;
    const makes = `embedder.dimensions is ${wanted}, but ${model} makes vectors of ${native} numbers`;
    if (wanted > native) throw new SocraticodeError('BAD_CONFIG', makes, { hint: HINT });
    if (this.facts?.isMatryoshka) return;
    const why = this.facts === null ? 'is not known to be' : 'is not';
    const message = `${makes}, and it ${why} a model whose vectors can be shortened (Matryoshka)`;
    throw new SocraticodeError('BAD_CONFIG', message, { hint: HINT });
  }
}

function bad(message: string): never {
  throw new SocraticodeError('EMBEDDER_BAD_ANSWER', message);
}

/** The first `size` numbers of `numbers`, scaled to length 1. */
function unitVector(numbers: readonly unknown[], size: number, at: number): Float32Array {
  let squares = 0;
  for (let i = 0; i < numbers.length; i++) {
    const value = numbers[i];
    if (typeof value !== 'number' || !Number.isFinite(value)) bad(`vector ${at} holds a value that is not a number`);
    if (i < size) squares += (value as number) ** 2;
  }
  const norm = Math.sqrt(squares);
  if (!(norm > 0 && Number.isFinite(norm))) bad(`vector ${at} has no direction: its length is ${norm}`);
  const vector = new Float32Array(size);
  for (let i = 0; i < size; i++) vector[i] = (numbers[i] as number) / norm;
  return vector;
}

/**
 * Returns `raw` as `count` unit vectors. `accept` takes the length that all vectors have in common and returns the
 * length to cut them to.
 * Throws EMBEDDER_BAD_ANSWER unless `raw` holds exactly `count` lists of equally many finite numbers, none of them all
 * zero.
 */
function readVectors(raw: unknown, count: number, accept: (length: number) => number): Float32Array[] {
  if (!Array.isArray(raw)) return bad('the answer does not hold a list of vectors');
  if (raw.length !== count) return bad(`the answer holds ${raw.length} vectors for ${count} texts`);
  const lengths = new Set(raw.map((vector) => (Array.isArray(vector) ? vector.length : 0)));
  const [length = 0] = lengths;
  if (lengths.size > 1 || length === 0) return bad('the answer holds vectors of different or no length');
  const size = accept(length);
  return raw.map((vector: readonly unknown[], at) => unitVector(vector, size, at));
}

const OWN_VARIABLE = 'SOCRATICODE_OPENAI_API_KEY';
const SHARED_VARIABLE = 'OPENAI_API_KEY';

interface ApiKey {
  variable: string;
  value: string;
}

/**
 * Finds the key for `endpoint`, in the environment alone. Our own variable is sent to any endpoint that the user has set. The
 * variable that other programs share is sent only over https or to this machine, where nobody can read it on the way. Throws
 * EMBEDDER_DENIED, without showing the key, for a key that no HTTP header can hold.
 */
export function findKey(endpoint: string, env: NodeJS.ProcessEnv): ApiKey | null {
  const isPrivate = endpoint.startsWith('https:') || isLoopback(endpoint);
  const variable = [OWN_VARIABLE, ...(isPrivate ? [SHARED_VARIABLE] : [])].find((name) => env[name]?.trim());
  if (variable === undefined) return null;
  const value = (env[variable] ?? '').trim();
  if (/^[\x21-\x7e]+$/.test(value)) return { variable, value };
  throw new SocraticodeError('EMBEDDER_DENIED', `${variable} holds spaces or characters that cannot occur in a key`);
}

interface EmbeddingItem {
  index?: unknown;
  embedding?: unknown;
}

/**
 * Puts the vectors into the order of the texts, by the `index` of each. Malformed items are left for `readVectors` to
 * refuse.
 */
function inOrder(data: unknown): unknown {
  if (!Array.isArray(data)) return undefined;
  const items = data.map((item: EmbeddingItem | null) => item ?? {});
  if (items.every(({ index }) => index === undefined)) return items.map(({ embedding }) => embedding);
  const vectors = new Array<unknown>(items.length).fill(undefined);
  for (const { index, embedding } of items)
    if (typeof index === 'number' && index in vectors) vectors[index] = embedding;
  return vectors;
}

/** For every server with OpenAI's `POST /embeddings`: OpenAI, vLLM, LM Studio, LiteLLM, llama.cpp. */
export class OpenAiEmbedder extends ProviderEmbedder {
  /** A private field of the language, so that no inspection or log shows the key. */
  readonly #key: ApiKey | null;

  constructor(options: ProviderOptions, key: ApiKey | null) {
    super('openai', key?.variable ?? null, options);
    this.#key = key;
  }

  protected async ask(inputs: readonly string[], call: RequestOptions): Promise<unknown> {
    const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
    if (this.#key !== null) headers.authorization = `Bearer ${this.#key.value}`;
    const dimensions = this.sizes.parameter;
    const body = JSON.stringify({
      ...{ model: this.server.model, input: inputs, encoding_format: 'float' },
      ...(dimensions === undefined ? {} : { dimensions }),
    });
    const url = `${this.server.endpoint}/embeddings`;
    const answer = await exchange(url, { method: 'POST', headers, body }, { ...call, secret: this.#key?.value });
    return inOrder((JSON.parse(answer) as { data?: unknown } | null)?.data);
  }

  /**
   * Sends nothing: not every server lists its models, and a key may be valid for embeddings only, so the first answer
   * tells.
   */
  protected async check(): Promise<void> {
    const { endpoint } = this.server;
    if (this.#key !== null || endpoint !== DEFAULT_ENDPOINTS.openai) return;
    throw new SocraticodeError('EMBEDDER_DENIED', `${endpoint} needs a key, but the environment does not have one`);
  }

  protected override get needsProbe(): boolean {
    return true;
  }
}

export class OllamaEmbedder extends ProviderEmbedder {
  constructor(options: ProviderOptions) {
    super('ollama', null, options);
  }

  protected async ask(inputs: readonly string[], call: RequestOptions): Promise<unknown> {
    const { keepAlive } = this.options.settings;
    const client = await this.client(call);
    const answer = await client.embed({
      model: this.server.model,
      input: [...inputs],
      truncate: true,
      // Ollama takes a keep-alive text only with its unit; a plain number must be sent as a number.
      keep_alive: /\d$/.test(keepAlive) ? Number(keepAlive) : keepAlive,
    });
    return answer?.embeddings;
  }

  protected async check(call: RequestOptions): Promise<void> {
    const client = await this.client(call);
    const shown: unknown = await client.show({ model: this.server.model });
    // Ollama may run a model of any name on another host.
    const host = (shown as { remote_host?: unknown } | null)?.remote_host;
    if (!host || this.options.settings.remote) return;
    throw refusal(`${visibleLine(String(host)).slice(0, 100)}, where ${this.server.model} runs`);
  }

  /** Downloads the model to the server; called only when the user asks for it. Throws as `pullModel` does. */
  async pullModel(onProgress: (progress: PullProgress) => void, signal?: AbortSignal): Promise<void> {
    await pullModel(this.server, onProgress, signal);
  }

  /**
   * Makes a client whose requests keep to `call`. With its default `fetch`, the client writes to stdout on an error
   * status.
   */
  private async client(call: RequestOptions): Promise<Ollama> {
    const { Ollama } = await import('ollama');
    const fetch: Fetch = async (url, init) => new Response(await exchange(String(url), init ?? {}, call));
    return new Ollama({ host: this.server.endpoint, fetch });
  }
}
