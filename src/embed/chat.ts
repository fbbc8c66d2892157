/**
 * Asks a chat model for a text: Ollama through its own client, or any server with OpenAI's `POST /chat/completions`. Addresses,
 * consent, retries and failures are those of embedders; the settings are `summarizer.*`.
 */
import type { Fetch, Ollama } from 'ollama';
import { SocraticodeError } from '../base/errors.js';
import type { Config } from '../config/settings.js';
import { checkConsent, endpointOf, refusal } from './endpoint.js';
import { findKey } from './provider.js';
import {
  type EmbedderServer,
  exchange,
  explain,
  HttpFailure,
  PATIENT,
  type PullProgress,
  pullModel,
  type RequestOptions,
  withRetries,
} from './requests.js';

export type ChatSettings = Config['summarizer'];

export interface ChatAnswer {
  text: string;
  /** Model that wrote it, if the client chose one. */
  model?: string;
  /** Tokens as the server counted them; null if it does not say. */
  inputTokens: number | null;
  outputTokens: number | null;
}

export interface Chat {
  /** Provider and model: `ollama:qwen3`. */
  readonly id: string;
  /** Null: no answer now. Throws EMBEDDER_* and CANCELLED. */
  ask(system: string, user: string, signal?: AbortSignal): Promise<ChatAnswer | null>;
  /** Downloads the model where it is missing; only with Ollama. Throws as `pullModel` does. */
  pull?(onProgress: (progress: PullProgress) => void, signal?: AbortSignal): Promise<void>;
}

/** For tests. */
export interface ChatTuning {
  firstDelayMs?: number;
}

const SET = 'git config --global socraticode.summarizer.';

/** Next steps, in the settings of summaries instead of those of embedders. */
const HINTS: Readonly<Record<string, string>> = {
  EMBEDDER_UNREACHABLE: `Start the server, or say where it is: ${SET}endpoint URL. Finished summaries are kept.`,
  EMBEDDER_MODEL_MISSING: `Pull the model (ollama pull MODEL), or name another: ${SET}model MODEL`,
  EMBEDDER_BAD_ANSWER: `Check that address and model belong together: ${SET}endpoint URL`,
  EMBEDDER_REFUSED: `If source text may leave this machine: ${SET}remote true`,
};

/**
 * Hints of embedders (`requests.ts`) name their own settings, by which they are known here; those of summaries have the same names in
 * another section.
 */
function hintOf({ code, hint = '' }: SocraticodeError): string {
  const isBusy = code === 'EMBEDDER_DENIED' || /embedder\.concurrency/.test(hint);
  if (isBusy) return hint.replaceAll('embedder.', 'summarizer.');
  const wait = /embedder\.timeout (\d+)/.exec(hint);
  if (wait !== null) return `Wait longer: ${SET}timeout ${wait[1]}. Finished summaries are kept.`;
  return HINTS[code] ?? hint;
}

/** Longest part of an answer that is read, in UTF-16 units. */
const MAX_ANSWER = 20_000;

/**
 * Makes a chat without sending anything; null if the user has configured none. Throws BAD_CONFIG without a model. A chat that
 * would send text to another machine throws EMBEDDER_REFUSED on its first use, unless the user has consented.
 */
export function createChat(settings: ChatSettings, env: NodeJS.ProcessEnv, tuning: ChatTuning = {}): Chat | null {
  const { name, model } = settings;
  if (name === 'none' || name === 'host') return null;
  if (model === undefined)
    throw new SocraticodeError('BAD_CONFIG', `summarizer.name is ${name}, and no model is named`, {
      hint: `Name a chat model that it has: ${SET}model MODEL`,
    });
  const endpoint = endpointOf({ name, endpoint: settings.endpoint }, env);
  const key = name === 'openai' ? findKey(endpoint, env) : null;
  const server: EmbedderServer = {
    ...{ provider: name, endpoint, model, timeout: settings.timeout },
    keyVariable: key?.variable ?? null,
  };
  const send = name === 'ollama' ? askOllama(server, settings) : askOpenAi(server, key?.value ?? null);
  const explained = (error: unknown): unknown => {
    const explanation = explain(error, server);
    if (!(explanation instanceof SocraticodeError)) return explanation;
    return new SocraticodeError(explanation.code, explanation.message, {
      hint: hintOf(explanation),
      cause: explanation.cause,
    });
  };
  return {
    id: `${name}:${model}`,
    ...(name === 'ollama' && {
      async pull(onProgress, signal) {
        try {
          checkConsent({ name, remote: settings.remote }, endpoint, model);
          if (!(await isInstalled(server, signal))) await pullModel(server, onProgress, signal);
        } catch (error) {
          throw explained(error);
        }
      },
    }),
    async ask(system, user, signal) {
      try {
        checkConsent({ name, remote: settings.remote }, endpoint, model);
        const call = { signal, timeoutMs: settings.timeout * 1_000 };
        const { firstDelayMs = PATIENT.firstDelayMs } = tuning;
        return await withRetries(() => send({ system, user }, call), { ...PATIENT, firstDelayMs }, signal);
      } catch (error) {
        throw explained(error);
      }
    },
  };
}

interface Prompt {
  system: string;
  user: string;
}

type Send = (prompt: Prompt, call: RequestOptions) => Promise<ChatAnswer>;

const messagesOf = ({ system, user }: Prompt) => [
  { role: 'system', content: system },
  { role: 'user', content: user },
];

const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

function answerOf(text: unknown, input: unknown, output: unknown): ChatAnswer {
  if (typeof text !== 'string') throw new SyntaxError('no text');
  return { text: text.slice(0, MAX_ANSWER), inputTokens: countOf(input), outputTokens: countOf(output) };
}

async function ollamaAt(host: string, call: RequestOptions): Promise<Ollama> {
  const { Ollama } = await import('ollama');
  const fetch: Fetch = async (url, init) => new Response(await exchange(String(url), init ?? {}, call));
  return new Ollama({ host, fetch });
}

function askOllama({ endpoint, model }: EmbedderServer, { remote }: ChatSettings): Send {
  let isChecked = false;
  return async (prompt, call) => {
    const client = await ollamaAt(endpoint, call);
    if (!isChecked && !remote) {
      // Ollama may run a model of any name on another host.
      const host = ((await client.show({ model })) as { remote_host?: unknown } | null)?.remote_host;
      if (host) throw refusal(`another host, where ${model} runs`);
    }
    isChecked = true;
    const answer = await client.chat({ model, messages: messagesOf(prompt), stream: false });
    return answerOf(answer?.message?.content, answer?.prompt_eval_count, answer?.eval_count);
  };
}

async function isInstalled({ endpoint, model, timeout }: EmbedderServer, signal?: AbortSignal): Promise<boolean> {
  try {
    const client = await ollamaAt(endpoint, { signal, timeoutMs: timeout * 1_000 });
    await client.show({ model });
    return true;
  } catch (error) {
    if (error instanceof HttpFailure && error.status === 404) return false;
    throw error;
  }
}

interface Completion {
  choices?: { message?: { content?: unknown } }[];
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown };
}

function askOpenAi({ endpoint, model }: EmbedderServer, key: string | null): Send {
  return async (prompt, call) => {
    const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
    if (key !== null) headers.authorization = `Bearer ${key}`;
    const body = JSON.stringify({ model, messages: messagesOf(prompt), stream: false });
    const url = `${endpoint}/chat/completions`;
    const text = await exchange(url, { method: 'POST', headers, body }, { ...call, secret: key ?? undefined });
    const answer = JSON.parse(text) as Completion | null;
    const { usage } = answer ?? {};
    return answerOf(answer?.choices?.[0]?.message?.content, usage?.prompt_tokens, usage?.completion_tokens);
  };
}
