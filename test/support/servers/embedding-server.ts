/**
 * A stand-in for embedding servers, on a free port of 127.0.0.1. It reproduces what we use of two protocols: Ollama's
 * /api/version, /api/tags, /api/show, /api/embed, /api/chat and /api/pull (a stream of JSON lines), with its error documents; and
 * OpenAI's /v1/embeddings (with `dimensions`, `index` and Bearer keys), /v1/chat/completions and /v1/models. There is no model: a vector is the
 * bag of words of its text, hashed into dimensions, so that texts with common words are similar and everything is
 * repeatable. Faults are injected one by one, and every request is recorded.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  path: string;
  /** The parsed body; {} where there is none. */
  body: Record<string, unknown>;
  authorization: string | undefined;
}

/** What happens to a request instead of, or to, its answer. */
export type Fault =
  | { kind: 'status'; status: number; error?: string; code?: string; retryAfter?: string; page?: string }
  | { kind: 'hang' }
  | { kind: 'drop' }
  | { kind: 'truncated' }
  | { kind: 'huge' }
  | { kind: 'raw'; text: string }
  | { kind: 'redirect'; to: string }
  /** Changes the vectors of an answer. */
  | { kind: 'vectors'; change: (vectors: unknown[]) => unknown };

export interface ServerSettings {
  dimensions?: number;
  /** Models that are there; `remote_host` of /api/show for those that run elsewhere. */
  models?: Record<string, { remoteHost?: string }>;
  /** The key that OpenAI's protocol wants; none by default. */
  key?: string;
  /** Refuses requests with a text longer than this, as servers do that cut nothing. */
  maxCharacters?: number;
  /** Answer of a chat, by the text of the user's message. */
  reply?: (user: string) => string;
  /** Does it know OpenAI's `dimensions`? */
  knowsDimensions?: boolean;
}

const HUGE_CHUNK = Buffer.alloc(1 << 20, ' ');
const HUGE_CHUNKS = 70;

/** Words hashed into `dimensions`; never all zero. */
export function bagOfWords(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[a-z0-9_]+/g) ?? ['']) {
    const hash = createHash('sha256').update(word).digest();
    for (let i = 0; i < 4; i++) vector[hash.readUInt16LE(i * 2) % dimensions] += hash[8 + i] % 2 === 0 ? 1 : -1;
  }
  vector[0] += 0.25;
  return vector;
}

function isEmbedding(path: string): boolean {
  return path === '/api/embed' || path === '/v1/embeddings';
}

function isChat(path: string): boolean {
  return path === '/api/chat' || path === '/v1/chat/completions';
}

function userOf({ messages }: Record<string, unknown>): string {
  return (messages as { role: string; content: string }[]).find(({ role }) => role === 'user')?.content ?? '';
}

/** A sentence that differs for each text. */
export function sentenceOf(user: string): string {
  return `It is about ${createHash('sha256').update(user).digest('hex').slice(0, 8)}.`;
}

export class EmbeddingServer {
  readonly requests: RecordedRequest[] = [];
  /** The first fault that names the path (or none) applies to the next request, as often as it says. */
  readonly #faults: { path: string; times: number; fault: Fault }[] = [];
  readonly #server: Server;
  #gate: Promise<void> | null = null;
  #waiting = 0;
  #arrived = (): void => {};
  /** Most embedding requests that were open at a time. */
  mostAtOnce = 0;
  #open = 0;

  constructor(readonly settings: ServerSettings = {}) {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  fail(path: string, fault: Fault, times = 1): void {
    this.#faults.push({ path, times, fault });
  }

  /** Requests with texts, in the order in which they came. */
  get embeddings(): RecordedRequest[] {
    return this.requests.filter(({ path }) => isEmbedding(path));
  }

  /** Texts of the user's messages of all chats. */
  get chats(): string[] {
    return this.requests.filter(({ path }) => isChat(path)).map(({ body }) => userOf(body));
  }

  get inputs(): string[][] {
    return this.embeddings.map(({ body }) => body.input as string[]);
  }

  /** Holds embedding requests back until the returned function is called; `arrivals` resolves once so many wait. */
  hold(arrivals: number): { arrivals: Promise<void>; release: () => void } {
    let release = () => {};
    this.#gate = new Promise((resolve) => {
      release = () => {
        this.#gate = null;
        resolve();
      };
    });
    const arrived = new Promise<void>((resolve) => {
      this.#arrived = () => {
        if (this.#waiting >= arrivals) resolve();
      };
    });
    return { arrivals: arrived, release };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = (request.url ?? '').split('?')[0];
    const text = Buffer.concat(chunks).toString();
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    this.requests.push({ path, body, authorization: request.headers.authorization });
    if (!isEmbedding(path)) return this.#answer(path, body, request, response);
    this.#open++;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#open);
    this.#waiting++;
    this.#arrived();
    await this.#gate;
    this.#waiting--;
    // Before the answer, after which the client may send the next request at once.
    this.#open--;
    return this.#answer(path, body, request, response);
  }

  #takeFault(path: string): Fault | null {
    const at = this.#faults.findIndex((entry) => entry.path === path && entry.times > 0);
    if (at < 0) return null;
    this.#faults[at].times--;
    return this.#faults[at].fault;
  }

  #answer(path: string, body: Record<string, unknown>, request: IncomingMessage, response: ServerResponse): unknown {
    const fault = this.#takeFault(path);
    if (fault !== null && fault.kind !== 'vectors') return this.#misbehave(fault, response);
    if (path.startsWith('/v1/')) return this.#openai(path, body, request, response, fault);
    this.#ollama(path, body, response, fault);
  }

  #misbehave(fault: Exclude<Fault, { kind: 'vectors' }>, response: ServerResponse): unknown {
    if (fault.kind === 'hang') return;
    if (fault.kind === 'drop') return response.socket?.destroy();
    if (fault.kind === 'redirect') return response.writeHead(307, { location: fault.to }).end();
    if (fault.kind === 'raw') return response.writeHead(200).end(fault.text);
    if (fault.kind === 'truncated') return response.writeHead(200).end('{"embeddings": [[0.1, 0.2');
    if (fault.kind === 'huge') {
      response.writeHead(200);
      for (let i = 0; i < HUGE_CHUNKS; i++) response.write(HUGE_CHUNK);
      return response.end();
    }
    if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter);
    if (fault.page !== undefined) return response.writeHead(fault.status).end(fault.page);
    const error = { message: fault.error ?? 'injected', type: 'error', code: fault.code ?? null };
    json(response, fault.status, { error: fault.code === undefined ? (fault.error ?? 'injected') : error });
  }

  #vectors(input: unknown, fault: Fault | null, size = this.settings.dimensions ?? 768): unknown {
    const texts = Array.isArray(input) ? (input as string[]) : [input as string];
    const vectors: unknown[] = texts.map((text) => bagOfWords(text, size));
    return fault?.kind === 'vectors' ? fault.change(vectors) : vectors;
  }

  #isTooLong(input: unknown): boolean {
    return (input as string[]).some((text) => text.length > (this.settings.maxCharacters ?? Number.POSITIVE_INFINITY));
  }

  #ollama(path: string, body: Record<string, unknown>, response: ServerResponse, fault: Fault | null): unknown {
    const models = this.settings.models ?? { 'nomic-embed-text': {} };
    if (path === '/api/version') return json(response, 200, { version: '0.12.0' });
    if (path === '/api/tags') {
      return json(response, 200, { models: Object.keys(models).map((name) => ({ name: `${name}:latest` })) });
    }
    if (path === '/api/pull') return this.#pull(body, response);
    if (path !== '/api/show' && path !== '/api/embed' && path !== '/api/chat')
      return response.writeHead(404).end('404 page not found');
    const name = String(body.model);
    const model = models[name];
    if (model === undefined) return json(response, 404, { error: `model '${name}' not found` });
    if (path === '/api/show') {
      const remote = model.remoteHost === undefined ? {} : { remote_host: model.remoteHost, remote_model: name };
      return json(response, 200, { ...remote, details: { family: 'bert' }, capabilities: ['embedding'] });
    }
    if (path === '/api/chat') {
      const message = { role: 'assistant', content: (this.settings.reply ?? sentenceOf)(userOf(body)) };
      const counts = { prompt_eval_count: 100, eval_count: 10, total_duration: 1 };
      return json(response, 200, { model: name, message, done: true, done_reason: 'stop', ...counts });
    }
    const embeddings = this.#vectors(body.input, fault);
    json(response, 200, { model: name, embeddings, total_duration: 1, load_duration: 1, prompt_eval_count: 1 });
  }

  #pull(body: Record<string, unknown>, response: ServerResponse): unknown {
    const name = String(body.name ?? body.model);
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    const line = (value: unknown) => response.write(`${JSON.stringify(value)}\n`);
    line({ status: 'pulling manifest' });
    if (name.startsWith('no-such')) line({ error: 'pull model manifest: file does not exist' });
    else if (name.startsWith('endless')) return;
    else {
      line({ status: 'pulling 970aa74c0a90', digest: 'sha256:970a', total: 200, completed: 100 });
      line({ status: 'success' });
      this.settings.models = { ...this.settings.models, [name]: {} };
    }
    response.end();
  }

  #openai(
    path: string,
    body: Record<string, unknown>,
    request: IncomingMessage,
    response: ServerResponse,
    fault: Fault | null,
  ): unknown {
    const { key, knowsDimensions = true, dimensions: native = 1_536 } = this.settings;
    const sent = request.headers.authorization?.replace(/^Bearer /, '');
    if (key !== undefined && sent !== key) {
      const message = `Incorrect API key provided: ${sent}.`;
      return json(response, 401, { error: { message, type: 'invalid_request_error', code: 'invalid_api_key' } });
    }
    if (path === '/v1/models') return json(response, 200, { object: 'list', data: [{ id: 'text-embedding-3-small' }] });
    if (path === '/v1/chat/completions') {
      const message = { role: 'assistant', content: (this.settings.reply ?? sentenceOf)(userOf(body)) };
      const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      return json(response, 200, { id: 'chat-1', object: 'chat.completion', model: body.model, choices, usage });
    }
    if (path !== '/v1/embeddings') return json(response, 404, { error: { message: 'Not Found' } });
    if (this.#isTooLong(body.input)) {
      const message = "This model's maximum context length is 8192 tokens, however you requested more.";
      return json(response, 400, { error: { message, type: 'invalid_request_error', code: null } });
    }
    const size = knowsDimensions && typeof body.dimensions === 'number' ? body.dimensions : native;
    const vectors = this.#vectors(body.input, fault, size) as unknown[];
    const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
    // Nothing says that they come in order.
    json(response, 200, { object: 'list', data: data.reverse(), model: body.model, usage: { prompt_tokens: 1 } });
  }
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
