/** A fleet's server as `serve` starts it: what it needs, who may ask it, and whether it answers. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { LanceEngine } from '../../fleet/src/engines/lance/engine.js';
import { Maintenance } from '../../fleet/src/http/maintenance.js';
import { startFleet } from '../../fleet/src/start.js';
import { agentsOf } from '../../src/mcp/fleet-server.js';
import type { FleetStart } from '../../src/questions/fleet/package.js';
import { makeDirectory } from '../support/repositories/repo.js';

function serve(more: Partial<FleetStart>) {
  const directory = makeDirectory('fleet');
  return startFleet({
    ...{ fleet: pathToFileURL(join(directory, 'store')).href, maintain: 'off', keepsText: true },
    ...{ address: { host: '127.0.0.1', port: 0 }, env: {}, directory, agents: agentsOf, write: () => {} },
    ...more,
  });
}

async function start(t: TestContext, more: Partial<FleetStart> = {}) {
  const serving = await serve(more);
  t.after(serving.close);
  const post = (path: string, headers = {}) =>
    fetch(new URL(path, serving.url), { method: 'POST', body: '{}', headers });
  const status = async (path: string, headers?: object) => (await post(path, headers)).status;
  return { get: async (path: string) => (await fetch(new URL(path, serving.url))).status, post, status };
}

test('a server answers questions unless it only maintains its store', async (t) => {
  const both = await start(t, { maintain: 'auto' });
  const only = await start(t, { maintain: 'only' });
  assert.deepEqual([await both.get('/healthz'), await only.get('/healthz')], [200, 200]);
  assert.notEqual(await both.status('/mcp'), 404);
  assert.equal(await only.status('/mcp'), 404);
  assert.match(await (await only.post('/mcp')).text(), /only maintains/);
});

test('with a file of tokens nobody else is answered', async (t) => {
  const tokens = join(makeDirectory('tokens'), 'tokens.json');
  writeFileSync(tokens, '{"tokens": []}');
  assert.notEqual(await (await start(t)).status('/mcp'), 401);
  assert.equal(await (await start(t, { tokens })).status('/mcp', { Authorization: 'Bearer x' }), 401);
});

test('a server needs the place of a store, which is no other server', async (t) => {
  for (const fleet of [undefined, 'http://fleet.example', 'https://fleet.example'])
    await assert.rejects(start(t, { fleet }), { code: 'BAD_ARGUMENT', hint: /serve --fleet file:/ });
});

test('an open server listens on this machine alone', async (t) => {
  await assert.rejects(start(t, { address: { host: '0.0.0.0', port: 0 } }), { code: 'BAD_ARGUMENT' });
});

test('a server closes its store after the maintenance of it has ended', async (t) => {
  const ended: string[] = [];
  const { stop } = Maintenance.prototype;
  const { close } = LanceEngine.prototype;
  t.mock.method(Maintenance.prototype, 'stop', async function (this: Maintenance) {
    await stop.call(this);
    ended.push('maintenance');
  });
  t.mock.method(LanceEngine.prototype, 'close', async function (this: LanceEngine) {
    ended.push('store');
    await close.call(this);
  });
  await (await serve({ maintain: 'auto' })).close();
  assert.deepEqual(ended, ['maintenance', 'store']);
});
