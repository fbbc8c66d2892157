/** Embedder for every server that offers OpenAI's `POST /embeddings`: OpenAI, vLLM, LM Studio, LiteLLM, llama.cpp. */
import { SocraticodeError } from '../base/errors.js';
import { DEFAULT_ENDPOINTS, isLoopback } from './endpoint.js';
import { exchange, type RequestOptions } from './http.js';
import { ProviderEmbedder, type ProviderOptions } from './provider.js';

const OWN_VARIABLE = 'SOCRATICODE_OPENAI_API_KEY';
const SHARED_VARIABLE = 'OPENAI_API_KEY';

interface ApiKey {
  variable: string;
  value: string;
}

/**
 * Finds the key for `endpoint`, in the environment alone. Our own variable is sent to whatever endpoint the user has
 * set. The variable that other programs share is sent only over https or to this machine, where it cannot be read on
 * the way.
 * Throws EMBEDDER_DENIED, without showing the key, for a key that no HTTP header can hold.
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
