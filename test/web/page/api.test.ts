/** Answers that the page waits for, of which only the newest of a place counts; and addresses of its views. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  addressOf,
  answer,
  changedAddress,
  followLinks,
  onAnswer,
  readAddress,
  takeKey,
} from '../../../src/web/page/api.js';

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

test('a ref and a range go from view to view until a link says otherwise', (t) => {
  const globals = globalThis as Record<string, unknown>;
  const before = globals.location;
  const at = (pathname: string, search: string) => {
    globals.location = { href: `http://localhost${pathname}${search}`, pathname, search };
  };
  t.after(() => {
    globals.location = before;
  });
  at('/', '?q=total&ref=v1&in=main..v1');
  assert.equal(addressOf('/map', {}), '/map?ref=v1&in=main..v1');
  assert.equal(addressOf('/map', { ref: 'v2', depth: 3 }), '/map?in=main..v1&ref=v2&depth=3');
  assert.equal(addressOf('/map', { ref: null, in: '' }), '/map');
  assert.equal(changedAddress({ q: 'cart' }), '/?q=cart&ref=v1&in=main..v1');
  assert.equal(changedAddress({ ref: null }), '/?q=total&in=main..v1');
  assert.equal(readAddress('src/a.ts', { start: 3, end: 5 }), '/read?ref=v1&in=main..v1&path=src%2Fa.ts&lines=3-5');
  assert.equal(readAddress('a.ts', { start: 3 }, null), '/read?in=main..v1&path=a.ts&lines=3');
  assert.equal(readAddress('a.ts', undefined, 'v3'), '/read?in=main..v1&path=a.ts&ref=v3');
});

test('a key or a ticket leaves the address before the key is stored, wherever it came from', async (t) => {
  const globals = globalThis as Record<string, unknown>;
  const before = { ...globals };
  const steps: string[] = [];
  Object.assign(globals, {
    history: { replaceState: (_: null, __: string, address: string) => steps.push(`address ${address}`) },
    localStorage: { getItem: () => null, setItem: (_: string, key: string) => steps.push(`stored ${key}`) },
    fetch: async (_: string, { body }: { body: string }) => {
      steps.push(`asked with ${JSON.parse(body).ticket}`);
      return Response.json({ token: 'exchanged' });
    },
  });
  t.after(() => {
    for (const name of ['history', 'localStorage', 'fetch', 'location']) globals[name] = before[name];
  });
  const taken = async (hash: string) => {
    steps.length = 0;
    globals.location = { hash, pathname: '/map', search: '?ref=v1' };
    await takeKey();
    return [...steps];
  };
  assert.deepEqual(await taken('#key=secret'), ['address /map?ref=v1', 'stored secret']);
  assert.deepEqual(await taken('#ticket=once'), ['address /map?ref=v1', 'asked with once', 'stored exchanged']);
  assert.deepEqual(await taken('#L3'), []);
});

test('a plain click on a link of the page changes the view; keys, other buttons, places and targets are for the browser', (t) => {
  const globals = globalThis as Record<string, unknown>;
  const before = { location: globals.location, history: globals.history, document: globals.document };
  const origin = 'http://localhost';
  Object.assign(globals, {
    location: { href: `${origin}/`, origin, pathname: '/', search: '', hash: '' },
    history: { pushState: () => {}, replaceState: () => {} },
    document: { querySelector: () => null },
  });
  t.after(() => Object.assign(globals, before));
  const isFollowed = (event: object, link: object | null = {}) => {
    let isPrevented = false;
    const anchor = link && { target: '', origin, pathname: '/', search: '?q=a', getAttribute: () => '/?q=a', ...link };
    const preventDefault = () => {
      isPrevented = true;
    };
    const target = { closest: () => anchor };
    followLinks({ target, button: 0, defaultPrevented: false, preventDefault, ...event } as unknown as MouseEvent);
    return isPrevented;
  };
  assert.equal(isFollowed({}), true);
  for (const key of ['metaKey', 'ctrlKey', 'shiftKey', 'altKey', 'defaultPrevented'])
    assert.equal(isFollowed({ [key]: true }), false, key);
  assert.equal(isFollowed({ button: 1 }), false);
  assert.equal(isFollowed({}, { origin: 'http://elsewhere' }), false);
  assert.equal(isFollowed({}, { target: '_blank' }), false);
  assert.equal(isFollowed({}, null), false);
});
