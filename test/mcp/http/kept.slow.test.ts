/** A connection that a client keeps between two requests. */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRepo } from '../../support/repositories/repo.js';
import { startHttp } from '../../support/servers/mcp-http.js';

/** Node's servers end kept connections after 5 seconds, unless told. */
const BUSY_MS = 6_500;
const INITIALIZE = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
});

test('a request that came in time is answered, however long the server was busy before it read it', {
  skip: process.platform === 'win32' && 'there is no SIGSTOP',
}, async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const { url, child } = await startHttp(t, repo.dir);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const ask = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      sent.on('error', reject).end(INITIALIZE);
    });
  assert.equal(await ask(), 200);
  child.kill('SIGSTOP');
  const answer = ask();
  await sleep(BUSY_MS);
  child.kill('SIGCONT');
  assert.equal(await answer, 200);
});
