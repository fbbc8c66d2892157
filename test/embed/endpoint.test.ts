/** Where text is sent, and that nothing but the user's own settings can send it to another machine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveConfig } from '../../src/config/resolve.js';
import type { ConfigSources, GitConfigScope } from '../../src/config/types.js';
import { createProvider, type ProviderSettings } from '../../src/embed/choose.js';
import { endpointOf, isLoopback, namesHost, ollamaHost } from '../../src/embed/endpoint.js';
import { EmbeddingServer } from '../support/servers/embedding-server.js';
import { failsWith, KEY, settingsOf } from './setup.js';

test('OLLAMA_HOST is read as the ollama command reads it', () => {
  const CASES: Record<string, string> = {
    '127.0.0.1': 'http://127.0.0.1:11434',
    'gpu-box': 'http://gpu-box:11434',
    ':8080': 'http://127.0.0.1:8080',
    'localhost:1234': 'http://localhost:1234',
    '0.0.0.0': 'http://127.0.0.1:11434',
    '0.0.0.0:9': 'http://127.0.0.1:9',
    '[::]:9': 'http://[::1]:9',
    '[::1]': 'http://[::1]:11434',
    'https://example.com': 'https://example.com',
    'http://example.com/ollama/': 'http://example.com/ollama',
  };
  for (const [text, url] of Object.entries(CASES)) assert.equal(ollamaHost(text), url, text);
  for (const text of ['ftp://x', 'http://user:secret@x', 'a b', 'x:99999999', 'http://x?y', 'x:70000']) {
    assert.throws(
      () => ollamaHost(text),
      (error: Error) => /OLLAMA_HOST/.test(error.message) && !error.message.includes('secret'),
      text,
    );
  }
});

test('the setting comes before OLLAMA_HOST, which is for Ollama alone', () => {
  const env = { OLLAMA_HOST: 'localhost:1' };
  assert.equal(endpointOf(settingsOf('ollama', { endpoint: 'http://localhost:2/' }), env), 'http://localhost:2');
  assert.equal(endpointOf(settingsOf('ollama'), env), 'http://localhost:1');
  assert.equal(endpointOf(settingsOf('ollama'), {}), 'http://127.0.0.1:11434');
  assert.equal(endpointOf(settingsOf('openai'), env), 'https://api.openai.com/v1');
});

test('only addresses that cannot be another machine count as this machine', () => {
  const here = [
    'http://127.0.0.1:11434',
    'https://localhost/v1',
    'http://[::1]:1',
    'http://127.9.8.7',
    'http://0x7f000001',
  ];
  for (const url of here) assert.ok(isLoopback(url), url);
  const elsewhere = [
    ...[
      'https://api.openai.com/v1',
      'http://192.168.1.2',
      'http://127.0.0.1.evil.example',
      'http://localhost.evil.example',
    ],
    ...[
      'http://evil.example/127.0.0.1',
      'http://0.0.0.0',
      'http://[fe80::1]',
      'http://127.evil.example',
      'http://128.0.0.1',
    ],
  ];
  for (const url of elsewhere) assert.ok(!isLoopback(url), url);
  assert.ok(
    namesHost('hf.co/a/b') && namesHost('localhost:1/a') && !namesHost('user/model:tag') && !namesHost('a:b.c'),
  );
});

async function settingsFrom(sources: Partial<ConfigSources>): Promise<ProviderSettings> {
  const { config } = await resolveConfig({ env: {}, gitConfig: [], languageIds: [], ...sources });
  return config.embedder as ProviderSettings;
}

const file = (value: unknown) => ({ text: JSON.stringify(value), origin: '.socraticode.json' });
const git = (key: string, value: string, scope: GitConfigScope) => ({
  ...{ key: `socraticode.${key}`, value, scope, origin: 'x' },
});

test('a repository that names an embedder causes no text to be sent, even if keys and servers are there', async (t) => {
  const fetched: unknown[] = [];
  t.mock.method(globalThis, 'fetch', async (url: unknown) => {
    fetched.push(url);
    throw new Error('no network in this test');
  });
  const env = { OPENAI_API_KEY: KEY, SOCRATICODE_OPENAI_API_KEY: KEY };
  const CONSENT = /git config --global socraticode\.embedder\.remote true/;
  const openai = await settingsFrom({ file: file({ embedder: { name: 'openai' } }), env });
  await failsWith(
    createProvider(openai, env),
    'EMBEDDER_REFUSED',
    /leave this machine for https:\/\/api\.openai\.com/,
    CONSENT,
  );
  const ollama = await settingsFrom({ file: file({ embedder: { name: 'ollama' } }) });
  await failsWith(
    createProvider(ollama, { OLLAMA_HOST: 'gpu-box' }),
    'EMBEDDER_REFUSED',
    /http:\/\/gpu-box:11434/,
    CONSENT,
  );
  for (const model of ['some-model:cloud', 'gpt-oss:120b-cloud']) {
    const cloud = await settingsFrom({ file: file({ embedder: { name: 'ollama', model } }) });
    await failsWith(createProvider(cloud, {}), 'EMBEDDER_REFUSED', /ollama\.com/, CONSENT);
  }
  assert.deepEqual(fetched, []);
});

test('a repository can neither give consent nor name the endpoint, in its file or in its git config', async () => {
  for (const embedder of [{ remote: true }, { endpoint: 'http://evil.example' }, { batch: 1 }, { keepAlive: '-1' }]) {
    await failsWith(settingsFrom({ file: file({ embedder }) }), 'BAD_CONFIG', /cannot be set by a repository/);
  }
  for (const scope of ['local', 'worktree'] as const) {
    for (const [key, value] of Object.entries({ remote: 'true', endpoint: 'http://evil.example', concurrency: '16' })) {
      const gitConfig = [git(`embedder.${key}`, value, scope)];
      await failsWith(
        settingsFrom({ gitConfig }),
        'BAD_CONFIG',
        /cannot be set by a repository/,
        /git config --global/,
      );
    }
  }
});

test('with the consent of the user, text is sent to the endpoint of the user', async (t) => {
  const server = await new EmbeddingServer({ key: KEY }).listen();
  t.after(() => server.close());
  const env = { SOCRATICODE_EMBEDDER_ENDPOINT: `${server.url}/v1`, SOCRATICODE_OPENAI_API_KEY: KEY };
  const settings = await settingsFrom({
    file: file({ embedder: { name: 'openai' } }),
    gitConfig: [git('embedder.remote', 'true', 'global')],
    env,
  });
  assert.equal(settings.remote, true);
  await (await createProvider(settings, env)).prepare();
  assert.equal(server.requests[0].authorization, `Bearer ${KEY}`);
  await createProvider({ ...settings, endpoint: undefined }, env);
});
