/** The embedder that the settings name: the address of its server, whether source text may be sent there, and its provider. */
import { SocraticodeError } from '../base/errors.js';
import type { EmbedderSettings } from '../config/settings.js';
import { embedderId, maxCharacters, modelFacts } from './models.js';
import type { Embedder, ProviderOptions } from './provider.js';
import type { PullProgress } from './requests.js';

export type ProviderName = 'ollama' | 'openai';
export type ProviderSettings = EmbedderSettings & { name: ProviderName };

export const DEFAULT_ENDPOINTS: Record<ProviderName, string> = {
  ollama: 'http://127.0.0.1:11434',
  openai: 'https://api.openai.com/v1',
};
const OLLAMA_PORT = '11434';
/**
 * Listen addresses that people put into OLLAMA_HOST although no client can connect to them, with the address to use
 * instead.
 */
const ANY_ADDRESS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };

/**
 * Reads OLLAMA_HOST as the ollama command does: scheme, host, port and path, each of them optional. Throws BAD_CONFIG.
 */
export function ollamaHost(text: string): string {
  const match = /^(?:(https?):\/\/)?(\[[\da-f:.]+\]|[^/:@?#[\]]*)(?::(\d{1,5}))?(\/[^?#@]*)?$/i.exec(text.trim());
  const [, scheme = 'http', host = '', port, path = ''] = match ?? [];
  const defaultPort = match?.[1] === undefined ? `:${OLLAMA_PORT}` : '';
  const name = host === '' ? '127.0.0.1' : (ANY_ADDRESS[host] ?? host);
  const url = `${scheme.toLowerCase()}://${name}${port === undefined ? defaultPort : `:${port}`}${path}`;
  if (match === null || !URL.canParse(url)) {
    // Do not show the value: it may contain a password.
    throw new SocraticodeError('BAD_CONFIG', 'environment OLLAMA_HOST: allowed: a host such as 127.0.0.1:11434', {
      hint: 'Correct OLLAMA_HOST, or set SOCRATICODE_EMBEDDER_ENDPOINT, which comes first.',
    });
  }
  return withoutSlash(url);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

/** Address of the server, without a slash at its end. Throws BAD_CONFIG for a malformed OLLAMA_HOST. */
export function endpointOf(settings: Pick<ProviderSettings, 'name' | 'endpoint'>, env: NodeJS.ProcessEnv): string {
  if (settings.endpoint !== undefined) return withoutSlash(settings.endpoint);
  if (settings.name === 'ollama' && env.OLLAMA_HOST) return ollamaHost(env.OLLAMA_HOST);
  return DEFAULT_ENDPOINTS[settings.name];
}

/** True only for names and addresses that cannot be another machine: 127.0.0.0/8, ::1 and localhost. */
export function isLoopback(endpoint: string): boolean {
  // The URL parser writes every spelling of an IPv4 address (0x7f000001, 127.1) as four decimal numbers.
  const { hostname } = new URL(endpoint);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** True for models that Ollama runs on ollama.com, although the request goes to the local address. */
function isCloudName(model: string): boolean {
  return /[-:]cloud$/i.test(model);
}

/** True if the model's name contains a registry host, which makes it as powerful as a URL. */
export function namesHost(model: string): boolean {
  const [first, ...rest] = model.split('/');
  return rest.length > 0 && /[.:]/.test(first);
}

/** Error for missing consent, the same wherever it is found. `where` names the place that the text would be sent to. */
export function refusal(where: string): SocraticodeError {
  return new SocraticodeError('EMBEDDER_REFUSED', `source text would leave this machine for ${where}`);
}

/**
 * Throws EMBEDDER_REFUSED if text would leave this machine without the user's consent. A repository can name an
 * embedder and a model, so neither a known provider nor a default address counts as consent.
 */
export function checkConsent(
  settings: Pick<ProviderSettings, 'name' | 'remote'>,
  endpoint: string,
  model: string,
): void {
  if (settings.remote) return;
  if (!isLoopback(endpoint)) throw refusal(new URL(endpoint).origin);
  if (settings.name === 'ollama' && isCloudName(model)) throw refusal(`ollama.com, where ${model} runs`);
}

// Embedder that the settings name. Its code, which sends requests, is loaded when it is needed.

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
