/** When sessions end, on a clock of the test: those that nobody has used for a time; the one idle for longest makes room. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Server } from '@modelcontextprotocol/server';
import { Sessions } from '../../../src/mcp/http/sessions.js';

const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const IDLE = 100;

/** Sessions behind a plain server. `begin` gives an id; `use` the status of a question in that session. */
async function sessions(t: TestContext, most: number) {
  const clock = { now: 1_000 };
  const create = () => new Server({ name: 'test', version: '1' }, { capabilities: {} });
  const all = new Sessions(create, { sessions: most, idle: IDLE }, () => clock.now);
  let open = 0;
  const server = createServer(async (request, response) => {
    open++;
    response.once('close', () => open--);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString();
    const refused = await all.handle(request, response, text === '' ? undefined : JSON.parse(text));
    if (refused !== null) response.writeHead(refused.status).end(refused.message);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    await all.close();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const ask = async (json: object, headers: Record<string, string> = {}) => {
    const accept = 'application/json, text/event-stream';
    const type = { 'Content-Type': 'application/json', Accept: accept, 'Mcp-Protocol-Version': '2025-06-18' };
    const response = await fetch(url, { method: 'POST', headers: { ...type, ...headers }, body: JSON.stringify(json) });
    await response.text();
    // The server notes that a request has ended a moment after the client does.
    while (open > 0) await new Promise((resolve) => setImmediate(resolve));
    return response;
  };
  const begin = async () => (await ask(INITIALIZE)).headers.get('mcp-session-id') ?? '';
  const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
  const use = async (id: string) => (await ask(ping, { 'Mcp-Session-Id': id })).status;
  return { all, clock, ask, begin, use };
}

test('a session ends when it was not used for the time, however long ago it began', async (t) => {
  const { all, clock, begin, use } = await sessions(t, 9);
  const [left, used] = [await begin(), await begin()];
  clock.now += IDLE - 1;
  all.sweep();
  assert.equal(await use(used), 200);
  clock.now += 1;
  all.sweep();
  assert.deepEqual([await use(left), await use(used)], [404, 200]);
  clock.now += IDLE;
  all.sweep();
  assert.equal(await use(used), 404);
});

test('all that have been idle for too long end at once, and those of later stay', async (t) => {
  const { all, clock, begin, use } = await sessions(t, 9);
  const old = [await begin(), await begin()];
  clock.now += 50;
  const young = await begin();
  clock.now += IDLE - 49;
  all.sweep();
  assert.deepEqual([await use(old[0]), await use(old[1]), await use(young)], [404, 404, 200]);
});

test('the one that was used longest ago makes room, whichever began first', async (t) => {
  const { clock, begin, use } = await sessions(t, 2);
  const [first, second] = [await begin(), await begin()];
  clock.now += 1;
  assert.equal(await use(first), 200);
  const third = await begin();
  assert.deepEqual([await use(first), await use(second), await use(third)], [200, 404, 200]);
});

test('a first request that is refused leaves no session, and a question needs one', async (t) => {
  const { ask, begin, use } = await sessions(t, 1);
  const first = await begin();
  assert.equal((await ask({ jsonrpc: '2.0', id: 2, method: 'ping' })).status, 400);
  assert.equal(await use(first), 200);
});

test('closing ends every session', async (t) => {
  const { all, begin, use } = await sessions(t, 9);
  const ids = [await begin(), await begin()];
  await all.close();
  assert.deepEqual([await use(ids[0]), await use(ids[1])], [404, 404]);
});
