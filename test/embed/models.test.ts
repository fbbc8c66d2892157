/** The table of models: names as every server spells them, and what follows for vectors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveConfig } from '../../src/config/resolve.js';
import type { ConfigSources, GitConfigScope } from '../../src/config/settings.js';
import {
  createProvider,
  endpointOf,
  isLoopback,
  namesHost,
  ollamaHost,
  type ProviderSettings,
} from '../../src/embed/endpoint.js';
import { maxCharacters, modelFacts } from '../../src/embed/models.js';
import { EmbeddingServer } from '../support/servers/embedding-server.js';
import { failsWith, KEY, settingsOf } from './setup.js';

test('models are found in the table by the names that servers give them', () => {
  const SIZES: Record<string, number | null | undefined> = {
    'nomic-embed-text': 768,
    'nomic-embed-text:latest': 768,
    'nomic-embed-text:v1.5': 768,
    'nomic-ai/nomic-embed-text-v1.5': 768,
    'text-embedding-nomic-embed-text-v1.5': 768,
    'mxbai-embed-large:335m': 1_024,
    'mixedbread-ai/mxbai-embed-large-v1': 1_024,
    'intfloat/multilingual-e5-large-instruct': 1_024,
    'intfloat/e5-base-v2': 768,
    'zylonai/multilingual-e5-large': 1_024,
    'jeffh/intfloat-multilingual-e5-small:f16': 384,
    'bge-m3': 1_024,
    'BAAI/bge-small-en-v1.5': 384,
    'bge-large': 1_024,
    'qwen3-embedding': null,
    'qwen3-embedding:0.6b': 1_024,
    'Qwen/Qwen3-Embedding-4B': 2_560,
    'text-embedding-qwen3-embedding-8b': 4_096,
    'snowflake-arctic-embed': null,
    'snowflake-arctic-embed:33m': 384,
    'snowflake-arctic-embed:110m': 768,
    'Snowflake/snowflake-arctic-embed-m-long': 768,
    'snowflake-arctic-embed:335m': 1_024,
    'snowflake-arctic-embed2:568m': 1_024,
    'Snowflake/snowflake-arctic-embed-l-v2.0': 1_024,
    'Snowflake/snowflake-arctic-embed-m-v1.5': 768,
    'embeddinggemma:300m': 768,
    'all-minilm:33m': 384,
    'sentence-transformers/all-MiniLM-L6-v2': 384,
    'text-embedding-3-small': 1_536,
    'openai/text-embedding-3-large': 3_072,
    'text-embedding-ada-002': 1_536,
    'unclemusclez/jina-embeddings-v2-base-code': 768,
    'my-own-model': undefined,
  };
  for (const [name, size] of Object.entries(SIZES)) assert.equal(modelFacts(name)?.native, size, name);
});

test('the model decides prefixes and whether vectors can be shortened', () => {
  const prefixes = (name: string) => [modelFacts(name)?.document, modelFacts(name)?.query];
  assert.deepEqual(prefixes('nomic-embed-text'), ['search_document: ', 'search_query: ']);
  assert.deepEqual(prefixes('intfloat/e5-large-v2'), ['passage: ', 'query: ']);
  assert.deepEqual(prefixes('snowflake-arctic-embed2'), ['', 'query: ']);
  assert.deepEqual(prefixes('embeddinggemma'), ['title: none | text: ', 'task: code retrieval | query: ']);
  assert.deepEqual(prefixes('text-embedding-3-small'), ['', '']);
  for (const name of ['mxbai-embed-large', 'bge-base-en-v1.5', 'snowflake-arctic-embed']) {
    assert.deepEqual(prefixes(name), ['', 'Represent this sentence for searching relevant passages: ']);
  }
  assert.match(modelFacts('qwen3-embedding:4b')?.query ?? '', /^Instruct: .*\nQuery:$/);
  const CUT: Record<string, boolean> = {
    ...{ 'nomic-embed-text': true, 'nomic-embed-text:v1.5': true, 'nomic-embed-text-v1': false },
    ...{ 'bge-m3': false, 'snowflake-arctic-embed-m-v1.5': true, 'text-embedding-ada-002': false },
  };
  for (const [name, may] of Object.entries(CUT)) assert.equal(modelFacts(name)?.isMatryoshka, may, name);
  assert.deepEqual([maxCharacters(modelFacts('all-minilm')), maxCharacters(null)], [768, 6_144]);
});

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
