/** Embedder that the settings name. Its code, which sends requests, is loaded when it is needed. */
import { checkConsent, endpointOf, type ProviderName, type ProviderSettings } from './endpoint.js';
import { embedderId, maxCharacters, modelFacts } from './models.js';
import type { Embedder, ProviderOptions } from './provider.js';
import type { PullProgress } from './requests.js';

export type { PullProgress } from './requests.js';

/** Model of each provider for settings that name only the provider. */
const DEFAULT_MODELS: Record<ProviderName, string> = {
  ollama: 'nomic-embed-text',
  openai: 'text-embedding-3-small',
};

export interface Provider extends Embedder {
  /** Present only if the server can download models. */
  pullModel?(onProgress: (progress: PullProgress) => void, signal?: AbortSignal): Promise<void>;
}

/** Options that callers may override; see `ProviderOptions`. */
export type ProviderTuning = Pick<ProviderOptions, 'firstDelayMs' | 'pause' | 'brisk'>;

/** Properties of a provider's vectors that are known without asking the server. */
interface ProviderIdentity {
  id: string;
  model: string;
  /** Numbers per vector; null if only an answer of the model tells. */
  dimensions: number | null;
  /** UTF-16 code units that the model sees of one text. */
  maxCharacters: number;
}

/** Change it when a chunk gives a provider another text (`indexer/static-vectors`); part of the vectors profile. */
export const EMBEDDED_TEXT_VERSION = 1;

/**
 * Describes the provider of `settings` without loading it. Never throws, not even for settings that `createProvider`
 * refuses.
 */
export function providerIdentity(settings: ProviderSettings): ProviderIdentity {
  const model = settings.model ?? DEFAULT_MODELS[settings.name];
  const facts = modelFacts(model);
  const dimensions = settings.dimensions ?? facts?.native ?? null;
  return { id: embedderId(settings.name, model), model, dimensions, maxCharacters: maxCharacters(facts) };
}

/**
 * Makes an embedder without sending anything. `env` holds OLLAMA_HOST and the API keys.
 * Throws EMBEDDER_REFUSED if the server is on another machine and the user has not consented, BAD_CONFIG for dimensions
 * that the model cannot have or for a malformed OLLAMA_HOST, and EMBEDDER_DENIED for a key that no HTTP header can
 * hold.
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
    const { OllamaEmbedder } = await import('./provider.js');
    return new OllamaEmbedder(options);
  }
  const { findKey, OpenAiEmbedder } = await import('./provider.js');
  return new OpenAiEmbedder(options, findKey(endpoint, env));
}
