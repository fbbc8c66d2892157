/** Downloads a model to Ollama through its own client. */
import type { Fetch } from 'ollama';
import { SocraticodeError } from '../base/errors.js';
import { visibleLine } from '../base/hygiene.js';
import { namesHost } from './endpoint.js';
import { type EmbedderServer, explain } from './explain.js';
import { cancelled, HttpFailure, openStream } from './http.js';

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

/**
 * Called only when the user asks for it. Throws EMBEDDER_REFUSED for a name that contains a host, which a repository may have
 * chosen, EMBEDDER_MODEL_MISSING if Ollama cannot pull the model, and CANCELLED.
 */
export async function pullModel(
  server: EmbedderServer,
  onProgress: (progress: PullProgress) => void,
  signal?: AbortSignal,
): Promise<void> {
  const { model, endpoint } = server;
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
    const client = new Ollama({ host: endpoint, fetch });
    for await (const part of await client.pull({ model, stream: true })) {
      onProgress({
        status: visibleLine(String(part.status)),
        completed: bytes(part.completed),
        total: bytes(part.total),
      });
    }
  } catch (error) {
    throw signal?.aborted ? cancelled() : pullFailure(error, server);
  }
}

/** Explains a failed pull. Ollama reports the failure inside the stream, and its client throws it as a plain error. */
function pullFailure(error: unknown, server: EmbedderServer): unknown {
  const { model, endpoint } = server;
  if (error instanceof HttpFailure && error.kind !== 'status') return explain(error, server);
  if (error instanceof SocraticodeError) return error;
  const said = visibleLine(error instanceof Error ? error.message : String(error)).slice(0, 200);
  const hint = `See which models there are on https://ollama.com/search, or try \`ollama pull ${model}\`.`;
  return new SocraticodeError('EMBEDDER_MODEL_MISSING', `${endpoint} could not pull ${model}: ${said}`, { hint });
}
