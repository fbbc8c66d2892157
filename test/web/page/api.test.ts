/** Answers that the page waits for: of one place in it, such as the list of results, only the newest counts. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { answer, onAnswer } from '../../../src/web/page/api.js';

/** Requests of the page, each answered when the test says so. */
function served(t: TestContext) {
  const requests: { query: string; signal: AbortSignal; reply: (document: object) => void }[] = [];
  const fetched = (_: string, { body, signal }: { body: string; signal: AbortSignal }) =>
    new Promise<Response>((resolve) => {
      const reply = (document: object) => resolve(new Response(JSON.stringify(document)));
      requests.push({ query: JSON.parse(body).query, signal, reply });
    });
  const globals = globalThis as Record<string, unknown>;
  const before = { fetch: globals.fetch, localStorage: globals.localStorage };
  Object.assign(globals, { fetch: fetched, localStorage: { getItem: () => 'key' } });
  t.after(() => Object.assign(globals, before));
  return requests;
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

test('a newer question of the same place ends the older one, whose answer is drawn nowhere', async (t) => {
  const requests = served(t);
  let draws = 0;
  onAnswer(() => draws++);
  answer('search', { query: 'car' }, 'results');
  answer('search', { query: 'cart' }, 'results');
  answer('search', { query: 'elsewhere' }, 'another place');
  assert.deepEqual(
    requests.map(({ query, signal }) => [query, signal.aborted]),
    [
      ['car', true],
      ['cart', false],
      ['elsewhere', false],
    ],
  );
  requests[0].reply({ of: 'car' });
  await settled();
  assert.equal(draws, 0, 'nobody waits for it any more');
  requests[1].reply({ of: 'cart' });
  await settled();
  assert.equal(draws, 1);
  assert.deepEqual(answer('search', { query: 'cart' }, 'results').document, { of: 'cart' });
  // The last document stays until the next one arrives.
  const next = answer('search', { query: 'carts' }, 'results');
  assert.deepEqual([next.document, next.isLoading], [{ of: 'cart' }, true]);
  assert.equal(answer('search', { query: 'car' }).isLoading, true, 'what was ended is asked again');
  assert.equal(requests.length, 5);
});
