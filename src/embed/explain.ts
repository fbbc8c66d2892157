/** Turns the failures of a request into our errors, which say what happened and what to do next. */
import { SocraticodeError } from '../base/errors.js';
import { HttpFailure } from './http.js';

/** Facts about the request that error messages mention. */
export interface EmbedderServer {
  provider: 'ollama' | 'openai';
  endpoint: string;
  model: string;
  /** Value of embedder.timeout, in seconds. */
  timeout: number;
  /** Name of the environment variable whose key was sent; null if no key was sent. */
  keyVariable: string | null;
}

const SET = 'git config --global socraticode.';

const START = {
  ollama: `Start it with \`ollama serve\`, or say where it runs: ${SET}embedder.endpoint URL`,
  openai: `Check that the server runs and its address is right: ${SET}embedder.endpoint URL`,
};

function modelMissing(server: EmbedderServer, failure?: HttpFailure): SocraticodeError {
  const { provider, endpoint, model } = server;
  const hint =
    provider === 'ollama'
      ? `ollama pull ${model}`
      : `Name a model it has in embedder.model, or correct the path of the address, often /v1: ${SET}embedder.endpoint URL`;
  return new SocraticodeError('EMBEDDER_MODEL_MISSING', `${endpoint} has no model ${model}`, { hint, cause: failure });
}

/** Leaves out the server's own words, because some servers repeat parts of the key. */
function denied({ endpoint, keyVariable, provider }: EmbedderServer, { status }: HttpFailure): SocraticodeError {
  const sent = keyVariable === null ? 'no key was sent' : `the key was that of ${keyVariable}`;
  let hint = `Check the key in the environment variable ${keyVariable}.`;
  if (keyVariable === null) hint = 'Set the key in the environment variable SOCRATICODE_OPENAI_API_KEY.';
  // Ollama's own protocol has no keys, but a proxy in front of it may want one. Ollama also speaks OpenAI's protocol.
  if (provider === 'ollama') {
    hint = `Set embedder.name to openai, embedder.endpoint to ${endpoint}/v1, and SOCRATICODE_OPENAI_API_KEY to the key.`;
  }
  return new SocraticodeError('EMBEDDER_DENIED', `${endpoint} answered ${status}; ${sent}`, { hint });
}

function unreachableHint(server: EmbedderServer, failure: HttpFailure): string {
  if (failure.kind === 'connection') return START[server.provider];
  if (failure.kind === 'timeout') {
    const longer = Math.min(300, server.timeout * 2);
    return `Send less at a time, ${SET}embedder.batch 8, or wait longer, ${SET}embedder.timeout ${longer}`;
  }
  if (failure.status !== 429) return 'The server failed: look at its log, then run again; finished work is kept.';
  return `Ask less at a time, ${SET}embedder.concurrency 1, or run again later; finished work is kept.`;
}

/** Turns any error of a request into a SocraticodeError; a SocraticodeError is returned unchanged. */
export function explain(error: unknown, server: EmbedderServer): unknown {
  const { endpoint } = server;
  if (error instanceof SyntaxError) {
    // Give no cause: it would quote the answer.
    return new SocraticodeError('EMBEDDER_BAD_ANSWER', `${endpoint} answered with text that is not JSON`);
  }
  if (!(error instanceof HttpFailure)) return error;
  const { kind, status } = error;
  if (status === 401 || status === 403) return denied(server, error);
  if (status === 404 && (error.said !== '' || server.provider === 'openai')) return modelMissing(server, error);
  const message = `${endpoint} ${error.message}`;
  const isBadAnswer =
    kind === 'too-large' || kind === 'redirect' || (kind === 'status' && status < 500 && status !== 429);
  const hint = kind === 'too-large' ? `Ask for less at a time: ${SET}embedder.batch 8` : undefined;
  if (isBadAnswer) return new SocraticodeError('EMBEDDER_BAD_ANSWER', message, { hint, cause: error });
  return new SocraticodeError('EMBEDDER_UNREACHABLE', message, { hint: unreachableHint(server, error), cause: error });
}
