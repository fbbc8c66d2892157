/**
 * Embedder that uses Ollama through its own client: `embed` for vectors, `show` to see whether the model is installed,
 * `pull` on the user's request.
 */
import type { Fetch, Ollama } from 'ollama';
import { SocraticodeError } from '../base/errors.js';
import { visibleLine } from '../base/hygiene.js';
import { namesHost, refusal } from './endpoint.js';
import { explain } from './explain.js';
import { cancelled, exchange, HttpFailure, openStream, type RequestOptions } from './http.js';
import { ProviderEmbedder, type ProviderOptions } from './provider.js';

/** Bound of one line of pull progress, which has about 200 bytes. */
const MAX_LINE_BYTES = 1 << 20;

export interface PullProgress {
  /** Ollama's own words, such as `pulling manifest`. */
  status: string;
  /** Bytes of the part in transfer; 0 if no part is. */
  completed: number;
  total: number;
}

/** Ends a stream whose line never ends: the client would collect all of it in memory. */
function boundedLines(): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const newline = chunk.lastIndexOf(0x0a);
      size = newline < 0 ? size + chunk.length : chunk.length - newline - 1;
      if (size > MAX_LINE_BYTES) controller.error(new HttpFailure('too-large', 'answered with an endless line'));
      else controller.enqueue(chunk);
    },
  });
}

const bytes = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

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

  /**
   * Downloads the model to the server; called only when the user asks for it.
   * Throws EMBEDDER_REFUSED for a name that contains a host, which a repository may have chosen, EMBEDDER_MODEL_MISSING
   * if Ollama cannot pull the model, and CANCELLED.
   */
  async pullModel(onProgress: (progress: PullProgress) => void, signal?: AbortSignal): Promise<void> {
    const { model } = this.server;
    if (namesHost(model)) {
      const hint = `If you trust that host: ollama pull ${model}`;
      throw new SocraticodeError('EMBEDDER_REFUSED', `the model name ${model} contains a host`, { hint });
    }
    try {
      const { Ollama } = await import('ollama');
      const fetch: Fetch = async (url, init) => {
        const { body } = await openStream(String(url), init ?? {}, signal);
        return new Response(body?.pipeThrough(boundedLines()));
      };
      const client = new Ollama({ host: this.server.endpoint, fetch });
      for await (const part of await client.pull({ model, stream: true })) {
        onProgress({
          status: visibleLine(String(part.status)),
          completed: bytes(part.completed),
          total: bytes(part.total),
        });
      }
    } catch (error) {
      throw signal?.aborted ? cancelled() : this.pullFailure(error);
    }
  }

  /**
   * Explains a failed pull. Ollama reports the failure inside the stream, and its client throws it as a plain error.
   */
  private pullFailure(error: unknown): unknown {
    const { model, endpoint } = this.server;
    if (error instanceof HttpFailure && error.kind !== 'status') return explain(error, this.server);
    if (error instanceof SocraticodeError) return error;
    const said = visibleLine(error instanceof Error ? error.message : String(error)).slice(0, 200);
    const hint = `See which models there are on https://ollama.com/search, or try \`ollama pull ${model}\`.`;
    return new SocraticodeError('EMBEDDER_MODEL_MISSING', `${endpoint} could not pull ${model}: ${said}`, { hint });
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
