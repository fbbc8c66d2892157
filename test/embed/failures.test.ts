/** What servers do wrong, for both protocols: retries, answers that cannot be used, cancellation. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { createProvider } from '../../src/embed/endpoint.js';
import { assertUnit, bench, failsWith, settingsOf } from './setup.js';

const PROVIDERS = [
  ['ollama', '/api/embed'],
  ['openai', '/v1/embeddings'],
] as const;
/** The first request and three retries. */
const ATTEMPTS = 4;

/** An address of this machine at which nobody listens. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

for (const [name, path] of PROVIDERS) {
  test(`${name}: a transient failure is tried again, three times`, async (t) => {
    const { server, embedder } = await bench(t, name);
    server.fail(path, { kind: 'status', status: 500, error: 'llama runner crashed' }, 1);
    server.fail(path, { kind: 'drop' }, 1);
    server.fail(path, { kind: 'status', status: 503 }, 1);
    assert.equal((await embedder.embedDocuments(['x'])).length, 1);
    assert.equal(server.embeddings.length, ATTEMPTS);
    server.fail(path, { kind: 'status', status: 500, error: 'llama runner crashed' }, 9);
    await failsWith(
      embedder.embedDocuments(['x']),
      'EMBEDDER_UNREACHABLE',
      /answered 500: llama runner crashed/,
      /log/,
    );
    assert.equal(server.embeddings.length, 2 * ATTEMPTS);
  });

  test(`${name}: a query gives up after fewer attempts than documents`, async (t) => {
    const { server, embedder } = await bench(t, name);
    server.fail(path, { kind: 'status', status: 500 }, 9);
    await failsWith(embedder.embedQuery('x'), 'EMBEDDER_UNREACHABLE');
    assert.equal(server.embeddings.length, 2);
  });

  test(`${name}: after status 429 the pause that the server asks for is kept, unless it is too long`, async (t) => {
    const { server, embedder, pauses } = await bench(t, name);
    server.fail(path, { kind: 'status', status: 429, retryAfter: '7' });
    server.fail(path, { kind: 'status', status: 429, retryAfter: 'Wed, 21 Oct 2015 07:28:00 GMT' });
    server.fail(path, { kind: 'status', status: 429 });
    assertUnit(await embedder.embedDocuments(['x']), embedder.dimensions ?? 0);
    assert.deepEqual(pauses, [7_000, 0]);
    server.fail(path, { kind: 'status', status: 429, retryAfter: '31', error: 'slow down' });
    await failsWith(embedder.embedDocuments(['x']), 'EMBEDDER_UNREACHABLE', /429: slow down/, /concurrency 1/);
    server.fail(path, {
      kind: 'status',
      status: 429,
      error: `You exceeded your current quota${'.'.repeat(300)}`,
      code: 'insufficient_quota',
    });
    await failsWith(embedder.embedDocuments(['x']), 'EMBEDDER_UNREACHABLE', /quota/);
    assert.equal(server.embeddings.length, ATTEMPTS + 2, 'neither was tried again');
  });

  test(`${name}: other refusals are not tried again`, async (t) => {
    const { server, embedder } = await bench(t, name);
    server.fail(path, { kind: 'status', status: 400, error: 'bad \u001b[2Jrequest', code: 'x' });
    await failsWith(embedder.embedDocuments(['x']), 'EMBEDDER_BAD_ANSWER', /answered 400: bad \\x1b\[2Jrequest/);
    server.fail(path, { kind: 'status', status: 401, error: 'unauthorized' });
    await failsWith(embedder.embedDocuments(['x']), 'EMBEDDER_DENIED', /no key was sent/, /SOCRATICODE_OPENAI_API_KEY/);
    server.fail(path, { kind: 'status', status: 403 });
    await failsWith(embedder.embedDocuments(['x']), 'EMBEDDER_DENIED');
    server.fail(path, { kind: 'status', status: 404, error: 'model "x" not found' });
    await failsWith(embedder.embedDocuments(['x']), 'EMBEDDER_MODEL_MISSING');
    assert.equal(server.embeddings.length, 4);
  });

  test(`${name}: a malformed or impossible answer is refused`, async (t) => {
    const { server, embedder } = await bench(t, name);
    const changes: ((vectors: unknown[]) => unknown[])[] = [
      (vectors) => vectors.slice(1),
      (vectors) => [...vectors, vectors[0]],
      (vectors) => vectors.map((vector) => (vector as number[]).slice(1)),
      ([first, ...rest]) => [(first as number[]).slice(1), ...rest],
      (vectors) => vectors.map((vector) => (vector as number[]).map(() => 0)),
      (vectors) => vectors.map((vector) => (vector as number[]).map((x, i) => (i === 3 ? null : x))),
      (vectors) => vectors.map((vector) => (vector as number[]).map((x, i) => (i === 3 ? String(x) : x))),
      (vectors) => vectors.map((vector) => (vector as number[]).map(() => 1e300)),
      (vectors) => vectors.map(() => []),
      (vectors) => vectors.map(() => null),
      (vectors) => vectors.map(() => ({ length: 768 })),
    ];
    for (const change of changes) {
      server.fail(path, { kind: 'vectors', change });
      await failsWith(embedder.embedDocuments(['a', 'b']), 'EMBEDDER_BAD_ANSWER', /belong together/);
    }
    for (const text of ['', '{}', 'null', '7', '<html>', '{"embeddings": {}, "data": {}}', '[NaN]', '[1e999']) {
      server.fail(path, { kind: 'raw', text });
      await failsWith(embedder.embedDocuments(['a']), 'EMBEDDER_BAD_ANSWER');
    }
    server.fail(path, { kind: 'truncated' });
    await failsWith(embedder.embedDocuments(['a']), 'EMBEDDER_BAD_ANSWER', /not JSON/);
    server.fail(path, { kind: 'huge' });
    await failsWith(embedder.embedDocuments(['a']), 'EMBEDDER_BAD_ANSWER', /more than 67108864 bytes/);
    assert.equal(server.embeddings.length, changes.length + 10, 'none was tried again');
    assert.equal((await embedder.embedDocuments(['a'])).length, 1, 'and the next one is fine');
  });

  test(`${name}: a redirect is not followed, not even on the same machine`, async (t) => {
    const { server, embedder } = await bench(t, name);
    const other = await bench(t, name);
    server.fail(path, { kind: 'redirect', to: `${other.server.url}${path}` });
    await failsWith(embedder.embedDocuments(['secret']), 'EMBEDDER_BAD_ANSWER', /redirects elsewhere/);
    assert.equal(other.server.requests.length, 0);
  });

  test(`${name}: an absent server is reported as unreachable`, async () => {
    const endpoint = await deadAddress();
    const embedder = await createProvider(settingsOf(name, { endpoint }), {}, { firstDelayMs: 1 });
    const hint = name === 'ollama' ? /`ollama serve`/ : /embedder\.endpoint URL/;
    await failsWith(embedder.prepare(), 'EMBEDDER_UNREACHABLE', /cannot be reached \(ECONNREFUSED\)/, hint);
    await failsWith(embedder.embedQuery('x'), 'EMBEDDER_UNREACHABLE');
  });

  test(`${name}: a server that does not answer in time is reported as unreachable`, async (t) => {
    const { server, embedder } = await bench(t, name, { timeout: 0.05 });
    for (const silent of ['/api/show', path]) server.fail(silent, { kind: 'hang' }, 9);
    await failsWith(embedder.embedDocuments(['x']), 'EMBEDDER_UNREACHABLE', /within 0.05 s/, /embedder\.batch 8/);
  });

  // Without an answer to the signal these tests would never end.
  test(`${name}: cancelling ends a request under way`, { timeout: 30_000 }, async (t) => {
    const { server, embedder } = await bench(t, name);
    const { arrivals, release } = server.hold(1);
    t.after(release);
    const stop = new AbortController();
    const request = embedder.embedDocuments(['x'], stop.signal);
    await arrivals;
    stop.abort();
    await failsWith(request, 'CANCELLED');
    await failsWith(embedder.embedQuery('x', stop.signal), 'CANCELLED');
    await failsWith(embedder.prepare(stop.signal), 'CANCELLED');
    assert.equal(server.embeddings.length, 1);
  });

  test(`${name}: cancelling ends a pause between two attempts`, { timeout: 30_000 }, async (t) => {
    for (const retryAfter of [undefined, '29']) {
      const { server } = await bench(t, name);
      const endpoint = name === 'openai' ? `${server.url}/v1` : server.url;
      // A day, and the real pause of 29 s.
      const tuning = { firstDelayMs: retryAfter === undefined ? 86_400_000 : 1 };
      const embedder = await createProvider(settingsOf(name, { endpoint }), {}, tuning);
      server.fail(path, { kind: 'status', status: 503, retryAfter }, 9);
      const { arrivals, release } = server.hold(1);
      const stop = new AbortController();
      const request = embedder.embedDocuments(['x'], stop.signal);
      await arrivals;
      release();
      setTimeout(() => stop.abort(), 50);
      await failsWith(request, 'CANCELLED');
    }
  });
}

test('the client of Ollama does not write to stdout, which is for results', async (t) => {
  const written: unknown[] = [];
  t.mock.method(console, 'log', (...args: unknown[]) => void written.push(args));
  const { server, embedder } = await bench(t, 'ollama');
  server.fail('/api/embed', { kind: 'status', status: 400, page: '<html>' });
  server.fail('/api/embed', { kind: 'raw', text: 'x' });
  await embedder.embedQuery('x').catch(() => {});
  await embedder.embedQuery('x').catch(() => {});
  t.mock.restoreAll();
  assert.deepEqual(written, []);
});
