/** Publishing over HTTP: requests are tried again where that helps, and errors keep their code and next step. */
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { encodeFailure, encodePlanAnswer, encodeViewAnswer } from '../../fleet/src/protocol.js';
import { HttpTarget } from '../../fleet/src/publish/http.js';
import { commitId, PROFILE, viewOf } from './made.js';

const ABOUT = { profile: PROFILE.id, repo: 'shop', family: 'shop', ref: 'main' };
const PLAN = { ...ABOUT, keys: [] };

type Reply = (response: ServerResponse) => void;

/** Answers one request after the other with `replies`, and every further one with the last. Returns the tokens that were sent. */
async function answered(replies: Reply[], work: (target: HttpTarget) => Promise<void>, signal?: AbortSignal) {
  const tokens: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      tokens.push(request.headers.authorization);
      replies[Math.min(tokens.length, replies.length) - 1](response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    await work(new HttpTarget(`http://127.0.0.1:${port}/`, { token: 'secret', signal }));
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return tokens;
}

const reply =
  (status: number, body: Uint8Array | string = ''): Reply =>
  (response) =>
    void response.writeHead(status).end(body);
const cut: Reply = (response) => void response.destroy();
const planned = reply(200, encodePlanAnswer({ previous: commitId('a'), missing: [] }));

test('a server that is busy, or whose answer is lost, is asked again', async () => {
  const tokens = await answered([reply(503), cut, planned], async (target) => {
    assert.deepEqual(await target.plan(PLAN), { previous: commitId('a'), missing: [] });
  });
  assert.deepEqual(tokens, Array(3).fill('Bearer secret'));
});

test('a page of a proxy, or an answer of another kind, is told as a fleet that cannot be reached', async () => {
  for (const body of ['<html>Sign in</html>', '', encodeViewAnswer({ outcome: 'published' })])
    await answered([reply(200, body)], async (target) => {
      await assert.rejects(target.plan(PLAN), { code: 'FLEET_UNREACHABLE', message: /no fleet/ });
    });
});

test('a refusal is final, and keeps its code and next step; characters that move a cursor are not shown', async () => {
  const said = { code: 'FLEET_DENIED', message: 'not \u001b[2Jthis one', hint: 'Ask for a token.' };
  const asked = await answered([reply(403, encodeFailure(said))], async (target) => {
    await assert.rejects(target.plan(PLAN), ({ code, message, hint }: typeof said) => {
      assert.deepEqual([code, hint, message.includes('\u001b')], ['FLEET_DENIED', 'Ask for a token.', false]);
      return true;
    });
  });
  assert.equal(asked.length, 1);
  await answered([reply(404, 'a page')], (target) => assert.rejects(target.plan(PLAN), { code: 'FLEET_UNREACHABLE' }));
  await answered([reply(401)], (target) => assert.rejects(target.plan(PLAN), { code: 'FLEET_DENIED' }));
});

test('a lost race is an answer, and no error', async () => {
  const moved = { outcome: 'moved', commit: commitId('b') } as const;
  await answered([reply(409, encodeViewAnswer(moved))], async (target) => {
    assert.deepEqual(await target.view(viewOf([])), moved);
  });
});

test('a cancelled publication ends while it waits, and asks no more', async () => {
  const cancel = new AbortController();
  const busy: Reply = (response) => {
    reply(503)(response);
    setTimeout(() => cancel.abort(), 20);
  };
  const work = (target: HttpTarget) => assert.rejects(target.plan(PLAN), { code: 'CANCELLED' });
  assert.equal((await answered([busy], work, cancel.signal)).length, 1);
});

test('a token is sent over HTTPS, or within one machine', () => {
  const target = (address: string, token?: string) => new HttpTarget(address, { token });
  assert.throws(() => target('http://fleet.example.com', 'secret'), { code: 'BAD_ARGUMENT', message: /readable/ });
  for (const address of ['https://fleet.example.com', 'http://127.0.0.1:7435', 'http://localhost/fleets/a'])
    target(address, 'secret');
  target('http://fleet.example.com');
});
