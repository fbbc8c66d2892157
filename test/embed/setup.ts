/** What the tests of providers share: a server for one test, settings, and what an error must say. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type ErrorCode, isSocraticodeError, type SocraticodeError } from '../../src/base/errors.js';
import { defaultConfig, SETTINGS } from '../../src/config/settings.js';
import type { ProviderSettings } from '../../src/embed/endpoint.js';
import { createProvider, type Provider } from '../../src/embed/endpoint.js';
import { EmbeddingServer, type ServerSettings } from '../support/servers/embedding-server.js';

const DEFAULTS = defaultConfig(SETTINGS);

export const KEY = 'sk-test-0123456789abcdef';

export function settingsOf(name: 'ollama' | 'openai', more: Partial<ProviderSettings> = {}): ProviderSettings {
  return { ...DEFAULTS.embedder, ...more, name };
}

export interface Bench {
  server: EmbeddingServer;
  embedder: Provider;
  /** The pauses that servers asked for, which tests do not wait for. */
  pauses: number[];
}

/** A server and an embedder that talks to it; both end with the test. */
export async function bench(
  t: TestContext,
  name: 'ollama' | 'openai',
  more: Partial<ProviderSettings> = {},
  serverSettings: ServerSettings = {},
  env: NodeJS.ProcessEnv = {},
): Promise<Bench> {
  const server = await new EmbeddingServer(serverSettings).listen();
  t.after(() => server.close());
  const endpoint = name === 'openai' ? `${server.url}/v1/` : server.url;
  const pauses: number[] = [];
  const tuning = { firstDelayMs: 1, pause: async (ms: number) => pauses.push(ms) };
  const embedder = await createProvider(settingsOf(name, { endpoint, ...more }), env, tuning);
  return { server, embedder, pauses };
}

/** Asserts that `promise` fails with `code`, and that message and hint together fit every pattern. */
export async function failsWith(
  promise: Promise<unknown>,
  code: ErrorCode,
  ...patterns: RegExp[]
): Promise<SocraticodeError> {
  const error = await promise.then(
    () => assert.fail(`no error; expected ${code}`),
    (cause: unknown) => cause,
  );
  assert.ok(isSocraticodeError(error), String((error as Error)?.stack ?? error));
  assert.equal(error.code, code, error.message);
  for (const pattern of patterns) assert.match(`${error.message}\n${error.hint}`, pattern);
  return error;
}

/** Vectors of a length of 1, up to rounding. */
export function assertUnit(vectors: readonly Float32Array[], dimensions: number): void {
  for (const vector of vectors) {
    assert.equal(vector.length, dimensions);
    assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5);
  }
}

export const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i], 0);
