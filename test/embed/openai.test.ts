/** The provider of OpenAI's protocol: requests, order, keys. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createProvider } from '../../src/embed/choose.js';
import { findKey } from '../../src/embed/openai.js';
import { assertUnit, bench, dot, failsWith, KEY, settingsOf } from './setup.js';

const ENV = { SOCRATICODE_OPENAI_API_KEY: KEY };

test('vectors come back in the order of the texts, whatever the order of the answer', async (t) => {
  const { server, embedder } = await bench(t, 'openai', {}, { key: KEY }, ENV);
  const texts = ['alpha beta', 'gamma delta', 'epsilon zeta'];
  const vectors = await embedder.embedDocuments(texts);
  assertUnit(vectors, 1_536);
  for (const [i, text] of texts.entries()) {
    const query = await embedder.embedQuery(text);
    assert.ok(dot(query, vectors[i]) > 0.99, text);
  }
  const { body, authorization, path } = server.embeddings[0];
  assert.deepEqual(body, { model: 'text-embedding-3-small', input: texts, encoding_format: 'float' });
  assert.deepEqual([path, authorization], ['/v1/embeddings', `Bearer ${KEY}`]);
  assert.equal(embedder.id, 'openai/text-embedding-3-small@1');
});

test('`dimensions` is sent only where it is configured and the model takes it', async (t) => {
  const { server, embedder } = await bench(t, 'openai', { dimensions: 256 });
  assertUnit(await embedder.embedDocuments(['x']), 256);
  assert.equal(server.embeddings[0].body.dimensions, 256);
  // A server that ignores it answers in full.
  const deaf = await bench(t, 'openai', { dimensions: 256 }, { knowsDimensions: false });
  assertUnit(await deaf.embedder.embedDocuments(['x']), 256);
  const model = 'nomic-ai/nomic-embed-text-v1.5';
  const nomic = await bench(t, 'openai', { dimensions: 256, model }, { dimensions: 768 });
  assertUnit(await nomic.embedder.embedDocuments(['x']), 256);
  assert.deepEqual(
    [nomic.server.embeddings[0].body.dimensions, nomic.server.inputs[0]],
    [undefined, ['search_document: x']],
  );
});

test('prepare asks for one vector, which tells about address, key, model and size', async (t) => {
  const { server, embedder } = await bench(t, 'openai', { model: 'custom' }, { dimensions: 99 });
  await embedder.prepare();
  assert.deepEqual([embedder.dimensions, server.embeddings.length], [99, 1]);
  server.fail('/v1/embeddings', { kind: 'status', status: 404, error: 'no such model', code: 'model_not_found' });
  await failsWith(embedder.prepare(), 'EMBEDDER_MODEL_MISSING', /has no model custom/, /\/v1/);
});

test('positions that occur twice or not at all are a bad answer', async (t) => {
  const { server, embedder } = await bench(t, 'openai');
  const item = (index: unknown) => ({ index, embedding: new Array(1_536).fill(1) });
  for (const data of [[item(0), item(0)], [item(0), item(7)], [item('0'), item(1)], [null, item(1)], 'x', null]) {
    server.fail('/v1/embeddings', { kind: 'raw', text: JSON.stringify({ data }) });
    await failsWith(embedder.embedDocuments(['a', 'b']), 'EMBEDDER_BAD_ANSWER');
  }
  server.fail('/v1/embeddings', { kind: 'raw', text: JSON.stringify({ data: [item(undefined), item(undefined)] }) });
  assert.equal((await embedder.embedDocuments(['a', 'b'])).length, 2, 'no positions at all: as they come');
});

test('a batch that is too long for the server is sent in halves, and a single text is cut', async (t) => {
  const { server, embedder } = await bench(t, 'openai', {}, { maxCharacters: 1_000 });
  const texts = ['short', 'l'.repeat(3_000), 'other'];
  assertUnit(await embedder.embedDocuments(texts), 1_536);
  assert.ok(server.inputs.some((input) => input.length === 1 && input[0] === 'l'.repeat(750)));
  server.fail('/v1/embeddings', { kind: 'status', status: 400, error: 'too many tokens', code: 'x' }, 50);
  await failsWith(embedder.embedQuery('brief'), 'EMBEDDER_BAD_ANSWER', /answered 400: too many tokens/);
});

test('each key is sent only to endpoints that it is meant for', () => {
  const shared = { OPENAI_API_KEY: 'sk-shared' };
  const both = { ...shared, ...ENV };
  assert.equal(findKey('https://api.openai.com/v1', both)?.value, KEY);
  assert.equal(findKey('https://api.openai.com/v1', shared)?.variable, 'OPENAI_API_KEY');
  assert.equal(findKey('http://127.0.0.1:1234/v1', shared)?.value, 'sk-shared');
  // Readable on the way: only the key that is meant for us.
  assert.equal(findKey('http://gpu-box:8000/v1', shared), null);
  assert.equal(findKey('http://gpu-box:8000/v1', both)?.value, KEY);
  assert.equal(findKey('https://api.openai.com/v1', { OPENAI_API_KEY: ' ' }), null);
  assert.equal(findKey('https://api.openai.com/v1', { OPENAI_API_KEY: ' sk-x\n' })?.value, 'sk-x');
});

test('without a key no request is sent to OpenAI, and the hint names the variable', async () => {
  const embedder = await createProvider(settingsOf('openai', { remote: true }), {});
  await failsWith(embedder.prepare(), 'EMBEDDER_DENIED', /SOCRATICODE_OPENAI_API_KEY or OPENAI_API_KEY/);
});

/** Everything a log or a crash could show of a value. */
const everything = (value: unknown): string => inspect(value, { depth: 20, showHidden: true, getters: true });

test('the key never appears in errors, causes or inspection', async (t) => {
  const refused = await bench(t, 'openai', {}, { key: 'sk-another-key' }, ENV);
  const denied = await failsWith(
    refused.embedder.prepare(),
    'EMBEDDER_DENIED',
    /answered 401; the key was that of SOCRATICODE_OPENAI_API_KEY/,
  );
  const { server, embedder } = await bench(t, 'openai', {}, { key: KEY }, ENV);
  assert.ok(!everything(embedder).includes(KEY));
  const echo = { kind: 'status', status: 400, error: `bad header Bearer ${KEY}`, code: 'x' } as const;
  server.fail('/v1/embeddings', echo);
  const bad = await failsWith(embedder.prepare(), 'EMBEDDER_BAD_ANSWER', /bad header Bearer \*\*\*/);
  server.fail('/v1/embeddings', { kind: 'drop' }, 9);
  const dropped = await failsWith(embedder.prepare(), 'EMBEDDER_UNREACHABLE');
  for (const error of [denied, bad, dropped]) assert.ok(!everything(error).includes(KEY), error.code);
  for (const value of [`${KEY}\nx`, `${KEY} ü`]) {
    const env = { OPENAI_API_KEY: value };
    const made = createProvider(settingsOf('openai', { endpoint: server.url }), env);
    const error = await failsWith(made, 'EMBEDDER_DENIED', /OPENAI_API_KEY holds/);
    assert.ok(!everything(error).includes(KEY));
  }
});
