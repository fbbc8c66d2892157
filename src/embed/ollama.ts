/**
 * Embedder that uses Ollama through its own client: `embed` for vectors, `show` to see whether the model is installed,
 * `pull` on the user's request.
 */
import type { Fetch, Ollama } from 'ollama';
import { visibleLine } from '../base/hygiene.js';
import { refusal } from './endpoint.js';
import { exchange, type RequestOptions } from './http.js';
import { ProviderEmbedder, type ProviderOptions } from './provider.js';
import { type PullProgress, pullModel } from './pull.js';

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
    // A model under any name may be one that Ollama runs on another host.
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
