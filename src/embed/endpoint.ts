/** Address of an embedder's server, and whether source text may be sent there. */
import { SocraticodeError } from '../base/errors.js';
import type { EmbedderSettings } from '../config/settings.js';

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
