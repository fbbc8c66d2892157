/** The provider of OpenAI's protocol: requests, order, keys. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createProvider } from '../../src/embed/endpoint.js';
import { findKey } from '../../src/embed/provider.js';
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

test('documents and queries get the prefixes of the model, and vectors of length 1', async (t) => {
  const { server, embedder } = await bench(t, 'ollama', { keepAlive: '10m' });
  await embedder.prepare();
  assert.deepEqual([embedder.dimensions, embedder.id, embedder.costly], [768, 'ollama/nomic-embed-text@1', true]);
  assert.equal(server.embeddings.length, 0, 'nothing is embedded to learn what the table says');
  const [store, parse] = await embedder.embedDocuments(['open the session store', 'parse a date']);
  const query = await embedder.embedQuery('session store');
  assertUnit([store, parse, query], 768);
  assert.ok(dot(query, store) > dot(query, parse));
  assert.deepEqual(server.inputs, [
    ['search_document: open the session store', 'search_document: parse a date'],
    ['search_query: session store'],
  ]);
  const { model, truncate, keep_alive } = server.embeddings[0].body;
  assert.deepEqual([model, truncate, keep_alive], ['nomic-embed-text', true, '10m']);
  assert.equal(server.requests.filter(({ path }) => path === '/api/show').length, 1, 'asked once');
});

test('keep_alive without a unit is sent as the number that Ollama wants', async (t) => {
  const { server, embedder } = await bench(t, 'ollama', { keepAlive: '-1' });
  await embedder.embedQuery('x');
  assert.equal(server.embeddings[0].body.keep_alive, -1);
});

test('texts are cut to what the model sees, without halving a character; empty ones and half characters are sent whole', async (t) => {
  const { server, embedder } = await bench(t, 'ollama');
  assert.equal(embedder.maxCharacters, 6_144);
  await embedder.embedDocuments([`${'x'.repeat(6_143)}\u{1f600}`, '', 'a\ud83db']);
  const [[long, empty, half]] = server.inputs;
  assert.equal(long, `search_document: ${'x'.repeat(6_143)}`);
  assert.equal(empty, 'search_document:  ');
  assert.equal(half, 'search_document: a\ufffdb');
});

test('many texts go in batches, bounded by number and by characters', async (t) => {
  const { server, embedder } = await bench(t, 'ollama', { batch: 3 });
  const texts = Array.from({ length: 7 }, (_, i) => `text ${i}`);
  assert.equal((await embedder.embedDocuments(texts)).length, 7);
  assert.deepEqual(
    server.inputs.map(({ length }) => length),
    [3, 3, 1],
  );
  const wide = await bench(t, 'ollama', { batch: 2_048 });
  await wide.embedder.embedDocuments(Array.from({ length: 25 }, () => 'y'.repeat(6_000)));
  assert.deepEqual(
    wide.server.inputs.map(({ length }) => length),
    [10, 10, 5],
  );
});

test('Matryoshka vectors are cut to the configured dimensions and brought to length 1 again', async (t) => {
  const { server, embedder } = await bench(t, 'ollama', { dimensions: 64 });
  const whole = await bench(t, 'ollama');
  assert.equal(embedder.dimensions, 64);
  const [short] = await embedder.embedDocuments(['open the session store']);
  const [long] = await whole.embedder.embedDocuments(['open the session store']);
  assertUnit([short], 64);
  const ratio = short[0] / long[0];
  for (let i = 0; i < 64; i++) assert.ok(Math.abs(short[i] - long[i] * ratio) < 1e-5);
  assert.equal(server.embeddings[0].body.dimensions, undefined, 'older servers do not know it');
});

test('a model that is not in the table teaches its size with the first answer', async (t) => {
  const { server, embedder } = await bench(t, 'ollama', { model: 'mine' }, { dimensions: 100, models: { mine: {} } });
  assert.equal(embedder.dimensions, null);
  await embedder.prepare();
  assert.equal(embedder.dimensions, 100);
  const [vector] = await embedder.embedDocuments(['no prefix']);
  assertUnit([vector], 100);
  assert.deepEqual(server.inputs.at(-1), ['no prefix']);
  server.fail('/api/embed', { kind: 'vectors', change: (vectors) => vectors.map(() => [1, 2, 3]) });
  await failsWith(embedder.embedQuery('x'), 'EMBEDDER_BAD_ANSWER', /3 numbers instead of 100/);
});

test('dimensions that a model cannot have are refused: known ones at once, others with the first answer', async (t) => {
  const make = (model: string, dimensions: number) => createProvider(settingsOf('ollama', { model, dimensions }), {});
  await failsWith(make('all-minilm', 128), 'BAD_CONFIG', /all-minilm makes vectors of 384 .* is not .*Matryoshka/);
  await failsWith(make('nomic-embed-text:latest', 1_024), 'BAD_CONFIG', /1024, but .* 768 numbers/);
  assert.equal((await make('all-minilm', 384)).dimensions, 384);
  const server = { dimensions: 100, models: { mine: {} } };
  const shorter = await bench(t, 'ollama', { model: 'mine', dimensions: 50 }, server);
  await failsWith(shorter.embedder.prepare(), 'BAD_CONFIG', /not known to be/);
  const longer = await bench(t, 'ollama', { model: 'mine', dimensions: 200 }, server);
  await failsWith(longer.embedder.embedDocuments(['x']), 'BAD_CONFIG', /200, but mine makes vectors of 100/);
});

test('a missing model gives a hint with the command to type, and pulling on request installs it', async (t) => {
  const { server, embedder } = await bench(t, 'ollama', { model: 'all-minilm' }, { dimensions: 384 });
  await failsWith(embedder.prepare(), 'EMBEDDER_MODEL_MISSING', /has no model all-minilm\nollama pull all-minilm$/);
  await failsWith(embedder.embedQuery('x'), 'EMBEDDER_MODEL_MISSING');
  assert.equal(server.embeddings.length, 0);
  const seen: unknown[] = [];
  await embedder.pullModel?.((progress) => seen.push(progress));
  assert.deepEqual(seen, [
    { status: 'pulling manifest', completed: 0, total: 0 },
    { status: 'pulling 970aa74c0a90', completed: 100, total: 200 },
    { status: 'success', completed: 0, total: 0 },
  ]);
  await embedder.prepare();
  assertUnit([await embedder.embedQuery('x')], 384);
});

test('pulling fails with the reason, stops when cancelled, and refuses a name that contains a host', async (t) => {
  const missing = await bench(t, 'ollama', { model: 'no-such-model' });
  await failsWith(
    missing.embedder.pullModel?.(() => {}) as Promise<void>,
    'EMBEDDER_MODEL_MISSING',
    /could not pull no-such-model: .*file does not exist/,
  );
  for (const model of ['evil.example/x/y', 'hf.co/a/b:Q8', 'localhost:5000/x']) {
    const { embedder, server } = await bench(t, 'ollama', { model });
    await failsWith(
      embedder.pullModel?.(() => {}) as Promise<void>,
      'EMBEDDER_REFUSED',
      /contains a host/,
      /ollama pull/,
    );
    assert.equal(server.requests.length, 0);
  }
  const endless = await bench(t, 'ollama', { model: 'endless' });
  const stop = new AbortController();
  const pull = endless.embedder.pullModel?.(() => stop.abort(), stop.signal) as Promise<void>;
  await failsWith(pull, 'CANCELLED');
  const dead = await bench(t, 'ollama', { model: 'x' });
  dead.server.fail('/api/pull', { kind: 'drop' });
  await failsWith(dead.embedder.pullModel?.(() => {}) as Promise<void>, 'EMBEDDER_UNREACHABLE');
  const noisy = await bench(t, 'ollama', { model: 'x' });
  noisy.server.fail('/api/pull', { kind: 'huge' });
  await failsWith(noisy.embedder.pullModel?.(() => {}) as Promise<void>, 'EMBEDDER_BAD_ANSWER', /endless line/);
});

test('a model that Ollama runs on another host needs consent under any name', async (t) => {
  const models = { mine: { remoteHost: 'https://ollama.com:443' } };
  const { server, embedder } = await bench(t, 'ollama', { model: 'mine' }, { models, dimensions: 64 });
  await failsWith(embedder.embedDocuments(['secret']), 'EMBEDDER_REFUSED', /ollama\.com.* where mine runs/);
  assert.equal(server.embeddings.length, 0);
  const agreed = await bench(t, 'ollama', { model: 'mine', remote: true }, { models, dimensions: 64 });
  assertUnit([await agreed.embedder.embedQuery('x')], 64);
});

test('another server at the address is not reported as a missing model', async (t) => {
  const { server, embedder } = await bench(t, 'ollama');
  server.fail('/api/show', { kind: 'status', status: 404, page: '404 page not found' });
  await failsWith(embedder.prepare(), 'EMBEDDER_BAD_ANSWER', /answered 404/);
});

test('a real Ollama embeds texts, if one is reachable', async (t) => {
  const settings = settingsOf('ollama', { batch: 2 });
  const embedder = await createProvider(settings, { OLLAMA_HOST: process.env.OLLAMA_HOST }).catch(() => null);
  const reason = await embedder?.prepare().then(
    () => null,
    (error: Error) => error.message,
  );
  if (!embedder || reason !== null) return t.skip(reason ?? 'OLLAMA_HOST is on another machine');
  const documents = await embedder.embedDocuments([
    'function openSession(id) { return store.get(id); }',
    'def parse_date(text): return datetime.strptime(text, FORMAT)',
    'x'.repeat(50_000),
  ]);
  const query = await embedder.embedQuery('where is a date parsed');
  assertUnit([...documents, query], 768);
  assert.ok(dot(query, documents[1]) > dot(query, documents[0]));
});
