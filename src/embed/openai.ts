/** Every server with OpenAI's `POST /embeddings`: OpenAI, vLLM, LM Studio, LiteLLM, llama.cpp. */
import { SocraticodeError } from '../base/errors.js';
import { DEFAULT_ENDPOINTS, isLoopback } from './endpoint.js';
import { type Call, exchange } from './http.js';
import { ProviderEmbedder, type ProviderOptions } from './provider.js';

const OWN_VARIABLE = 'SOCRATICODE_OPENAI_API_KEY';
const SHARED_VARIABLE = 'OPENAI_API_KEY';

export interface ApiKey {
  variable: string;
  value: string;
}

/**
 * The key for `endpoint`, from the environment alone. The one for us goes wherever the user has put the endpoint; the one
 * that other programs share only where nobody can read it on the way. Throws EMBEDDER_DENIED, without showing it, for
 * a key that no header can hold.
 */
export function findKey(endpoint: string, env: NodeJS.ProcessEnv): ApiKey | null {
  const isPrivate = endpoint.startsWith('https:') || isLoopback(endpoint);
  const variable = [OWN_VARIABLE, ...(isPrivate ? [SHARED_VARIABLE] : [])].find((name) => env[name]?.trim());
  if (variable === undefined) return null;
  const value = (env[variable] ?? '').trim();
  if (/^[\x21-\x7e]+$/.test(value)) return { variable, value };
  throw new SocraticodeError('EMBEDDER_DENIED', `${variable} holds spaces or characters that no key has`);
}

interface Item {
  index?: unknown;
  embedding?: unknown;
}

/** The vectors in the order of the texts; `index` says where each belongs. Anything strange is left for the checks. */
function inOrder(data: unknown): unknown {
  if (!Array.isArray(data)) return undefined;
  const items = data.map((item: Item | null) => item ?? {});
  if (items.every(({ index }) => index === undefined)) return items.map(({ embedding }) => embedding);
  const vectors = new Array<unknown>(items.length).fill(undefined);
  for (const { index, embedding } of items)
    if (typeof index === 'number' && index in vectors) vectors[index] = embedding;
  return vectors;
}

export class OpenAiEmbedder extends ProviderEmbedder {
  /** Private to the language, so that no inspection or log shows it. */
  readonly #key: ApiKey | null;

  constructor(options: ProviderOptions, key: ApiKey | null) {
    super('openai', key?.variable ?? null, options);
    this.#key = key;
  }

  protected async ask(inputs: readonly string[], call: Call): Promise<unknown> {
    const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
    if (this.#key !== null) headers.authorization = `Bearer ${this.#key.value}`;
    const dimensions = this.sizes.parameter;
    const body = JSON.stringify({
      ...{ model: this.subject.model, input: inputs, encoding_format: 'float' },
      ...(dimensions === undefined ? {} : { dimensions }),
    });
    const url = `${this.subject.endpoint}/embeddings`;
    const answer = await exchange(url, { method: 'POST', headers, body }, { ...call, secret: this.#key?.value });
    return inOrder((JSON.parse(answer) as { data?: unknown } | null)?.data);
  }

  /** Not every server lists its models, and keys may be for embeddings only: the first answer tells. */
  protected async check(): Promise<void> {
    const { endpoint } = this.subject;
    if (this.#key !== null || endpoint !== DEFAULT_ENDPOINTS.openai) return;
    throw new SocraticodeError('EMBEDDER_DENIED', `${endpoint} needs a key, and the environment has none`);
  }

  protected override get needsProbe(): boolean {
    return true;
  }
}
