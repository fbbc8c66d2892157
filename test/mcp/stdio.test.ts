/** Requests over standard input and output that a client sends faster than it reads the answers. */
import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioGate } from '../../src/mcp/stdio.js';

const OPEN = 64;

/** A connection whose client takes an answer only when it is told to. */
async function connect(t: TestContext) {
  const taken: (() => void)[] = [];
  const output = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void taken.push(done) });
  const input = new PassThrough();
  const gate = new StdioGate(input, output);
  t.after(() => gate.close());
  const delivered: (string | number)[] = [];
  gate.onmessage = (message) =>
    delivered.push(
      'id' in message && message.id !== undefined ? message.id : 'method' in message ? message.method : '',
    );
  await gate.start();
  const settled = () => new Promise(setImmediate);
  const write = async (...messages: object[]) => {
    input.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
    await settled();
  };
  const send = async (message: object) => {
    void gate.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
    await settled();
  };
  return {
    ...{ delivered, input, settled, write },
    ask: (from: number, to: number, params: object = {}) =>
      write(...Array.from({ length: to - from + 1 }, (_, i) => ({ id: from + i, method: 'tools/list', params }))),
    ...{ send, answer: (id: number) => send({ id, result: {} }) },
    /** The client reads an answer. */
    take: async () => {
      taken.shift()?.();
      await settled();
    },
  };
}

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

test('the 65th request waits until the client has taken an answer', async (t) => {
  const { ask, answer, take, delivered } = await connect(t);
  await ask(1, OPEN + 2);
  assert.deepEqual(delivered, upTo(OPEN));
  await answer(7);
  assert.equal(delivered.length, OPEN);
  await take();
  assert.deepEqual(delivered, upTo(OPEN + 1));
  await ask(OPEN + 3, OPEN + 3);
  assert.deepEqual(delivered, upTo(OPEN + 1));
});

test('requests of one id do not count as one', async (t) => {
  const { write, answer, take, delivered } = await connect(t);
  await write(...Array.from({ length: 100 }, () => ({ id: 7, method: 'tools/list' })));
  assert.deepEqual(delivered, [7]);
  await answer(7);
  await take();
  assert.deepEqual(delivered, [7, 7]);
});

test('cancelling a request whose answer is on its way makes no room', async (t) => {
  const { ask, write, answer, take, delivered } = await connect(t);
  await ask(1, OPEN + 3);
  for (const id of [1, 2]) {
    await answer(id);
    await write({ method: 'notifications/cancelled', params: { requestId: id } });
  }
  const passed = () => delivered.filter((each) => typeof each === 'number').length;
  assert.equal(passed(), OPEN);
  await take();
  await take();
  assert.equal(passed(), OPEN + 2);
});

test('answers and notifications of the client overtake requests that wait', async (t) => {
  const { ask, write, delivered } = await connect(t);
  await ask(1, OPEN + 1);
  await write({ id: 's', result: {} }, { method: 'notifications/roots/list_changed' });
  assert.deepEqual(delivered.slice(OPEN), ['s', 'notifications/roots/list_changed']);
});

test('what the server asks the client ends no request, and neither does an answer that is late', async (t) => {
  const { ask, delivered, send, take } = await connect(t);
  await ask(1, OPEN + 1);
  await send({ id: 1, method: 'roots/list' });
  await take();
  await send({ id: OPEN + 1, result: {} });
  await take();
  assert.equal(delivered.length, OPEN);
});

test('a cancelled request gives its place up, and one that waits is never begun', async (t) => {
  const { ask, write, delivered } = await connect(t);
  const cancel = (requestId: number) => write({ method: 'notifications/cancelled', params: { requestId } });
  await ask(1, OPEN + 3);
  await cancel(OPEN + 2);
  await cancel(OPEN + 9);
  await cancel(5);
  await cancel(6);
  const cancelled = 'notifications/cancelled';
  assert.deepEqual(delivered.slice(OPEN), [cancelled, cancelled, OPEN + 1, cancelled, OPEN + 3, cancelled]);
});

test('subscriptions, which are answered at their end, leave the places to others', async (t) => {
  const { ask, write, delivered } = await connect(t);
  await write(...upTo(OPEN).map((id) => ({ id: `s${id}`, method: 'subscriptions/listen', params: {} })));
  await ask(1, 1);
  assert.equal(delivered.at(-1), 1);
});

test('where too many requests wait, no more are read until some have been begun', async (t) => {
  const { ask, input, answer, take, delivered } = await connect(t);
  await ask(1, OPEN + 1_024);
  assert.equal(input.isPaused(), false);
  // What is read at once is taken at once.
  await ask(OPEN + 1_025, OPEN + 1_027);
  for (const id of [1, 2, 3]) {
    assert.equal(input.isPaused(), true);
    await answer(id);
    await take();
  }
  assert.equal(input.isPaused(), false);
  assert.deepEqual(delivered, upTo(OPEN + 3));
});

test('where long requests wait, no more are read after four megabytes', async (t) => {
  const { ask, input, answer, take } = await connect(t);
  const long = { text: 'x'.repeat(1 << 20) };
  await ask(1, OPEN);
  await ask(OPEN + 1, OPEN + 3, long);
  assert.equal(input.isPaused(), false);
  await ask(OPEN + 4, OPEN + 4, long);
  assert.equal(input.isPaused(), true);
  await answer(1);
  await take();
  assert.equal(input.isPaused(), false);
});

test('a batch is taken apart, each of its requests once, wherever the chunks end', async (t) => {
  for (const size of [1, 7, 1_000]) {
    const { input, delivered, settled, ask } = await connect(t);
    const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
    const bytes = Buffer.from(`${JSON.stringify([...batch, { jsonrpc: '2.0', method: 'notifications/ü' }])}\n[3, {]\n`);
    for (let at = 0; at < bytes.length; at += size) input.write(bytes.subarray(at, at + size));
    await settled();
    await ask(4, 4);
    assert.deepEqual(delivered, [1, 2, 'notifications/ü', 4]);
  }
});
