/** Uses across the repositories of a fleet: which are found, who sees them, and what hostile facts do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, OPEN_ACCESS } from '../../fleet/src/access/access.js';
import { asking } from '../../fleet/src/ask/asking.js';
import { fleetStore } from '../../fleet/src/ask/store.js';
import { fleetClient } from '../../fleet/src/http/client.js';
import { serveFleet } from '../../fleet/src/http/server.js';
import { FleetIntake } from '../../fleet/src/intake.js';
import { encodeLinks } from '../../fleet/src/links.js';
import type { LinkedFacts } from '../../src/graph/across/facts.js';
import type { FleetUsesQuery } from '../../src/questions/fleet/asking.js';
import { MemoryEngine } from '../support/servers/memory-engine.js';
import { commitId, LIBRARY, NOTHING, PROFILE, user, viewOf } from './made.js';

const TAX: FleetUsesQuery = {
  published: LIBRARY,
  reached: [{ path: 'src/cart.ts', symbol: 'tax', hop: 0, confidence: 1 }],
  own: 'acme/cart',
};

async function fleetOf(published: Readonly<Record<string, LinkedFacts | null>>): Promise<MemoryEngine> {
  const engine = new MemoryEngine(PROFILE);
  const intake = new FleetIntake(engine);
  for (const [repo, facts] of Object.entries(published)) {
    const links = facts === null ? new Uint8Array(0) : encodeLinks(facts);
    assert.deepEqual(await intake.view(viewOf([], { repo, links })), { outcome: 'published' });
  }
  return engine;
}

const reader = (...read: string[]) => clientOf({ name: 'test', read, publish: [] });

test('a changed export names the repositories and files that use it, at their commits, and not the repository itself', async () => {
  const engine = await fleetOf({
    'acme/cart': user('tax'),
    'acme/shop': user('tax'),
    'acme/other': user('Cart'),
    'acme/old': null,
  });
  const answer = await asking(fleetStore(engine), reader('**')).uses(TAX);
  assert.deepEqual(answer.fleet, { searched: 3, withoutRef: 0, damaged: 0, unknown: 1 });
  assert.deepEqual(
    answer.repositories.map(({ repo, commit, uses, files }) => [repo, commit, uses, files]),
    [['acme/shop', commitId('a'), 1, 1]],
  );
  const [use] = answer.uses.list;
  assert.deepEqual(
    [use.project, use.path, use.line, use.name, use.version, use.confidence],
    ['acme/shop', 'src/app.ts', 7, 'cart-kit.tax', '^2', 0.98],
  );
});

test('requests of clients lead to the function that serves their route', async () => {
  const call = { method: 'GET', route: '/users/*', path: 'web/api.ts', symbol: 'load', line: 4 };
  const engine = await fleetOf({ 'acme/web': { ...NOTHING, calls: [call] } });
  const handler = { path: 'api/users.ts', symbol: 'show' };
  const routes = [{ method: 'GET', route: '/users/:id', path: 'api/users.ts', line: 9, handler }];
  const published = { packages: [], exports: [], routes };
  const query = { published, reached: [{ ...handler, hop: 0, confidence: 1 }] };
  const { uses } = await asking(fleetStore(engine), reader('**')).uses(query);
  assert.deepEqual(
    uses.list.map(({ project, kind, name }) => [project, kind, name]),
    [['acme/web', 'route', 'GET /users/:id']],
  );
});

test('uses of a repository that the reader may not see are as if there were none', async () => {
  const secret = 'src/secret-plan.ts';
  const engine = await fleetOf({ 'acme/shop': user('tax'), 'bank/core': user('tax', secret) });
  const without = await fleetOf({ 'acme/shop': user('tax') });
  const answer = JSON.stringify(await asking(fleetStore(engine), reader('acme/*')).uses(TAX));
  assert.ok(!answer.includes('bank') && !answer.includes(secret));
  const dateless = (text: string) => text.replace(/"publishedAt":"[^"]*"/g, '');
  const expected = await asking(fleetStore(without), reader('acme/*')).uses(TAX);
  assert.equal(dateless(answer), dateless(JSON.stringify(expected)));
});

test('a view that moves on is asked as it is now', async () => {
  const engine = await fleetOf({ 'acme/shop': user('tax') });
  let time = 0;
  const store = fleetStore(engine);
  Object.assign(store.views, { now: () => time });
  const fleet = asking(store, reader('**'));
  assert.equal((await fleet.uses(TAX)).uses.list.length, 1);
  const next = { commit: commitId('b'), previous: commitId('a'), links: encodeLinks(user('Cart')) };
  await new FleetIntake(engine).view(viewOf([], { repo: 'acme/shop', ...next }));
  time += 2_000;
  assert.equal((await fleet.uses(TAX)).uses.list.length, 0);
});

test('over HTTP the answer is the same, and a body of another shape is refused', async () => {
  const engine = await fleetOf({ 'acme/shop': user('tax') });
  const access = { ...OPEN_ACCESS };
  const options = { engine, access, host: '127.0.0.1', port: 0, isOpen: true, write: () => {} };
  const serving = await serveFleet(options);
  try {
    const remote = await fleetClient({ url: serving.url, token: null }).uses(TAX);
    assert.deepEqual(remote, await asking(fleetStore(engine), reader('**')).uses(TAX));
    const bodies = [
      null,
      [],
      {},
      { ...TAX, reached: [{ path: 1 }] },
      { ...TAX, reached: undefined },
      { ...TAX, published: { ...LIBRARY, exports: [{ ...LIBRARY.exports[0], package: 7 }] } },
      { ...TAX, published: 'x', repo: 4 },
    ];
    for (const body of bodies) {
      const response = await fetch(`${serving.url}/fleet/uses`, { method: 'POST', body: JSON.stringify(body) });
      const { code } = (await response.json()) as { code: string };
      assert.deepEqual([response.status, code], [400, 'BAD_ARGUMENT'], JSON.stringify(body));
    }
  } finally {
    await serving.close();
  }
});
