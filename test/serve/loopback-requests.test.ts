/** Servers of this machine: ports, requests of web pages, tokens and bodies. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import {
  cutOff,
  foreignHost,
  foreignPage,
  isSameSecret,
  jsonIn,
  listen,
  MAX_BODY_BYTES,
  readBody,
  readBytes,
  withoutToken,
} from '../../src/serve/loopback.js';

const requestOf = (headersDistinct: Record<string, string[]>) => ({ headersDistinct }) as unknown as IncomingMessage;

test('slow clients are looked for four times within the time for headers', () => {
  assert.deepEqual(cutOff({ headers: 2_000, body: 9_000 }), {
    ...{ headersTimeout: 2_000, requestTimeout: 9_000, connectionsCheckingInterval: 500 },
  });
});

test('a server listens on this machine alone, at a port that is free, and goes on after later errors', async (t) => {
  const [server, other] = [createServer(), createServer()];
  t.after(() => {
    for (const each of [server, other]) each.close();
  });
  const port = await listen(server, 0, 'Choose another.');
  assert.deepEqual([(server.address() as AddressInfo).address, port > 0], ['127.0.0.1', true]);
  await assert.rejects(listen(other, port, 'Choose another.'), {
    ...{ code: 'BAD_ARGUMENT', message: `port ${port} of 127.0.0.1 is in use`, hint: 'Choose another.' },
  });
  server.emit('error', new Error('too many open files'));
  for (const wrong of [-1, 65_536, 1.5, Number.NaN])
    assert.throws(() => listen(createServer(), wrong, ''), {
      ...{ code: 'BAD_ARGUMENT', message: `${wrong} is no port; it takes a number from 0 to 65535` },
    });
});

test('a request for another host is refused: the name, the port and a second header count', () => {
  const refused = (hosts: string[], port = 8_080) => foreignHost(requestOf({ host: hosts }), port);
  for (const host of ['localhost:8080', 'LOCALHOST:8080', '127.0.0.1:8080', '[::1]:8080'])
    assert.equal(refused([host]), null, host);
  const refusal = { status: 403, message: 'the Host header is not of this server' };
  for (const hosts of [
    ...[[], ['localhost'], ['localhost:80'], ['evil.example:8080'], ['localhost:8080.evil.example'], ['']],
    ['localhost:8080', 'localhost:8080'],
  ])
    assert.deepEqual(refused(hosts), refusal, hosts.join());
  assert.deepEqual(foreignHost(requestOf({}), 8_080), refusal);
  for (const host of ['localhost', '127.0.0.1', '[::1]', 'localhost:80', '127.0.0.1:80', '[::1]:80'])
    assert.equal(refused([host], 80), null, host);
});

test('a request that a page of another origin caused is refused, by either header', () => {
  const refused = (headers: object) => foreignPage(requestOf(headers as Record<string, string[]>), 8_080);
  for (const headers of [
    {},
    { origin: ['http://localhost:8080'] },
    { origin: ['HTTP://127.0.0.1:8080'] },
    { 'sec-fetch-site': ['same-origin'] },
    { 'sec-fetch-site': ['none'], origin: ['http://[::1]:8080'] },
  ])
    assert.equal(refused(headers), null, JSON.stringify(headers));
  for (const headers of [
    { origin: ['https://localhost:8080'] },
    { origin: ['null'] },
    { origin: ['http://localhost:8081'] },
    { origin: ['http://evil.example'] },
    { origin: ['http://localhost:8080', 'http://evil.example'] },
    { 'sec-fetch-site': ['cross-site'] },
    { 'sec-fetch-site': ['same-site'] },
    { 'sec-fetch-site': ['none', 'cross-site'] },
    { 'sec-fetch-site': ['cross-site'], origin: ['http://localhost:8080'] },
  ])
    assert.deepEqual(refused(headers), { status: 403, message: 'web pages are not answered' }, JSON.stringify(headers));
});

test('a request has the one token, as a bearer', () => {
  const refused = (...authorization: string[]) => withoutToken(requestOf({ authorization }), 'secret');
  for (const header of ['Bearer secret', 'bearer secret', 'Bearer   secret  '])
    assert.equal(refused(header), null, header);
  const refusal = {
    ...{ status: 401, message: 'a bearer token is required', headers: { 'WWW-Authenticate': 'Bearer' } },
  };
  for (const headers of [
    [],
    ['Bearer secrets'],
    ['Bearer'],
    ['secret'],
    ['Basic secret'],
    ['Bearer secret', 'Bearer secret'],
  ])
    assert.deepEqual(refused(...headers), refusal, headers.join());
  assert.deepEqual(withoutToken(requestOf({}), 'secret'), refusal);
  assert.deepEqual([isSameSecret('a', 'a'), isSameSecret('a', 'b'), isSameSecret('', 'a')], [true, false, false]);
});

test('a body is JSON of at most 64 levels; brackets in texts are none', () => {
  const value = (text: string) => jsonIn(Buffer.from(text));
  const nested = (levels: number, [open, close] = '[]') =>
    (open === '{' ? '{"a":' : '[').repeat(levels) + (open === '{' ? '1' : '') + (close ?? '').repeat(levels);
  assert.doesNotThrow(() => value(nested(64)));
  assert.doesNotThrow(() => value(nested(64, '{}')));
  const deep = { name: 'RangeError', message: 'the body is no JSON, or is nested too deeply' };
  assert.throws(() => value(nested(65)), deep);
  assert.throws(() => value(nested(65, '{}')), deep);
  for (const open of ['[', '{']) {
    assert.equal(value(JSON.stringify(open.repeat(70))), open.repeat(70));
    const quoted = `"\\${open}`.repeat(40);
    assert.deepEqual(value(JSON.stringify([quoted, '\\', open.repeat(70)])), [quoted, '\\', open.repeat(70)]);
  }
  // What is closed does not count any more.
  const siblings = JSON.stringify(Array.from({ length: 100 }, () => ({ a: [] })));
  assert.deepEqual(value(siblings), JSON.parse(siblings));
  assert.throws(() => value('{'), SyntaxError);
  const inside = Buffer.from('x{"a": "é"}x');
  assert.deepEqual(jsonIn(inside.subarray(1, -1)), { a: 'é' }, 'a part of a buffer');
});

const bodyOf = (chunks: string[], length?: number) => {
  const headers = length === undefined ? {} : { 'content-length': `${length}` };
  return Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), {
    headers,
  }) as unknown as IncomingMessage;
};

test('a body is read up to its limit, whatever length it states, and one that is no JSON is refused', async () => {
  const tooLarge = (most: number) => ({
    ...{ status: 413, message: `the body is longer than ${most} bytes`, headers: { Connection: 'close' } },
  });
  assert.deepEqual(await readBytes(bodyOf(['ab', 'c']), 3), { bytes: Buffer.from('abc') });
  assert.deepEqual(await readBytes(bodyOf(['ab', 'c'], 3), 3), { bytes: Buffer.from('abc') });
  assert.deepEqual(await readBytes(bodyOf([]), 3), { bytes: Buffer.alloc(0) });
  assert.deepEqual(await readBytes(bodyOf(['ab', 'cd']), 3), tooLarge(3));
  assert.deepEqual(await readBytes(bodyOf(['a'], 4), 3), tooLarge(3));
  assert.deepEqual(await readBody(bodyOf(['{"a"', ':1}'])), { json: { a: 1 } });
  assert.deepEqual(await readBody(bodyOf(['null'])), { json: null });
  assert.deepEqual(await readBody(bodyOf(['{'])), {
    ...{ status: 400, message: 'the body is no JSON, or is nested too deeply' },
  });
  assert.equal(MAX_BODY_BYTES, 1_048_576);
  assert.deepEqual(await readBody(bodyOf([], MAX_BODY_BYTES + 1)), tooLarge(MAX_BODY_BYTES));
  const broken = Object.assign(new Readable({ read() {} }), { headers: {} });
  const reading = readBytes(broken as unknown as IncomingMessage, 3);
  broken.destroy(new Error('gone'));
  await assert.rejects(reading, /gone/);
});
