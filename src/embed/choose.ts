/**
 * The embedder that the settings name, of those behind a server. The built-in one needs no settings: the caller
 * loads it. Providers are imported on demand: most searches use neither.
 */
import type { Embedder } from './embedder.js';
import { checkConsent, endpointOf, type ProviderName, type ProviderSettings } from './endpoint.js';
import { embedderId, maxCharacters, modelFacts } from './models.js';
import type { PullProgress } from './ollama.js';
import type { ProviderOptions } from './provider.js';

export type { ProviderName, ProviderSettings, PullProgress };

/** What a repository's embedder.name alone gives. */
export const DEFAULT_MODELS: Record<ProviderName, string> = {
  ollama: 'nomic-embed-text',
  openai: 'text-embedding-3-small',
};

export interface Provider extends Embedder {
  /** Only where the server can download models. */
  pullModel?(onProgress: (progress: PullProgress) => void, signal?: AbortSignal): Promise<void>;
}

/** What callers may change: see ProviderOptions. */
export type ProviderTuning = Pick<ProviderOptions, 'firstDelayMs' | 'pause' | 'brisk'>;

/** What can be said of a provider's vectors without asking it anything. */
export interface ProviderIdentity {
  id: string;
  model: string;
  /** Numbers per vector; null where only an answer of the model tells. */
  dimensions: number | null;
  /** UTF-16 code units of one text that the model sees. */
  maxCharacters: number;
}

/** Never throws and loads no provider: also for settings that `createProvider` refuses. */
export function providerIdentity(settings: ProviderSettings): ProviderIdentity {
  const model = settings.model ?? DEFAULT_MODELS[settings.name];
  const facts = modelFacts(model);
  const dimensions = settings.dimensions ?? facts?.native ?? null;
  return { id: embedderId(settings.name, model), model, dimensions, maxCharacters: maxCharacters(facts) };
}

/**
 * Makes an embedder without sending anything. `env` holds OLLAMA_HOST and the keys. Throws EMBEDDER_REFUSED without the
 * user's consent to a server on another machine, BAD_CONFIG for dimensions the model cannot have or a strange OLLAMA_HOST,
 * EMBEDDER_DENIED for a key that cannot be sent.
 */
export async function createProvider(
  settings: ProviderSettings,
  env: NodeJS.ProcessEnv,
  tuning: ProviderTuning = {},
): Promise<Provider> {
  const { name } = settings;
  const model = settings.model ?? DEFAULT_MODELS[name];
  const endpoint = endpointOf(settings, env);
  checkConsent(settings, endpoint, model);
  const options: ProviderOptions = { ...tuning, model, endpoint, settings };
  if (name === 'ollama') {
    const { OllamaEmbedder } = await import('./ollama.js');
    return new OllamaEmbedder(options);
  }
  const { findKey, OpenAiEmbedder } = await import('./openai.js');
  return new OpenAiEmbedder(options, findKey(endpoint, env));
}
