/** The HTTP server in this process, asked by raw requests: what is refused, and what is bounded. */
import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, type TestContext, test } from 'node:test';
import { Server } from '@modelcontextprotocol/server';
import { isSocraticodeError } from '../../src/base/errors.js';
import { type HttpOptions, type HttpServing, listenOverHttp, Sessions } from '../../src/mcp/http.js';
import { Waits } from '../../src/serve/project.js';

async function serve(t: TestContext, options: HttpOptions = {}): Promise<HttpServing & { port: number }> {
  const create = () => new Server({ name: 'test', version: '1' }, { capabilities: {} });
  const serving = await listenOverHttp(create, { port: 0, env: {}, ...options });
  t.after(serving.close);
  return { ...serving, port: Number(new URL(serving.url).port) };
}

interface Asked {
  method?: string;
  path?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

function ask(port: number, { method = 'POST', path = '/mcp', headers = {}, body }: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers: { ...JSON_HEADERS, ...headers }, agent: false };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const initialize = JSON.stringify(INITIALIZE);
const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
const inSession = (id: string) => ({ 'Mcp-Session-Id': id, 'Mcp-Protocol-Version': '2025-06-18' });

async function begin(port: number): Promise<string> {
  const { status, headers } = await ask(port, { body: initialize });
  assert.equal(status, 200);
  return String(headers['mcp-session-id']);
}

test('only requests to this server by its own names are answered, and none of web pages', async (t) => {
  const { port } = await serve(t);
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`])
    assert.equal((await ask(port, { headers: { Host: host }, body: initialize })).status, 200, host);
  const forged = [
    ...['evil.example', `evil.example:${port}`, '127.0.0.1', 'localhost', `localhost:${port + 1}`, `127.0.0.2:${port}`],
    ...[`localhost.evil.example:${port}`, `127.0.0.1:${port}@evil.example`, `evil.example#localhost:${port}`],
  ];
  for (const host of forged) {
    const { status } = await ask(port, { headers: { Host: host }, body: initialize });
    assert.equal(status, 403, `Host: ${host}`);
  }
  const origins = [
    ...['http://evil.example', 'null', 'https://localhost', `https://localhost:${port}`, 'http://localhost:3000'],
    ...[`http://evil.example:${port}`, 'file://', `http://localhost:${port}.evil.example`, 'chrome-extension://abc'],
  ];
  for (const origin of origins) {
    const { status, headers } = await ask(port, { headers: { Origin: origin }, body: initialize });
    assert.equal(status, 403, `Origin: ${origin}`);
    assert.equal(headers['access-control-allow-origin'], undefined);
  }
  assert.equal((await ask(port, { headers: { Origin: `http://localhost:${port}` }, body: initialize })).status, 200);
  const image = { method: 'GET', headers: { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' } };
  assert.equal((await ask(port, image)).status, 403);
});

test('two Host headers are not one', async (t) => {
  const { port } = await serve(t);
  const answer = await raw(port, `GET /mcp HTTP/1.1\r\nHost: localhost:${port}\r\nHost: evil.example\r\n\r\n`);
  assert.match(answer, /^HTTP\/1\.1 40[03] /);
  assert.match(await raw(port, 'GET /mcp HTTP/1.1\r\nHost: \r\n\r\n'), /^HTTP\/1\.1 403 /);
  assert.match(await raw(port, 'GET /mcp HTTP/1.1\r\n\r\n'), /^HTTP\/1\.1 400 /);
  assert.match(await raw(port, `GET http://evil.example/mcp HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`), / 404 /);
});

function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      answer += part;
      socket.end();
    });
    socket.on('close', () => resolve(answer)).on('error', reject);
  });
}

test('it listens on 127.0.0.1 alone', async (t) => {
  const { port } = await serve(t);
  const others = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const reached = await Promise.all(
    ['127.0.0.2', ...others.map(({ address }) => address)]
      .filter((address) => address !== '127.0.0.1' && !address.startsWith('fe80'))
      .map((host) => canConnect(host, port)),
  );
  assert.ok(reached.length > 0 && reached.every((each) => !each));
});

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 }, () => resolve(true));
    socket.on('error', () => resolve(false)).on('timeout', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

test('other paths and methods are not served', async (t) => {
  const { port } = await serve(t);
  for (const path of ['/', '/mcp/', '/mcp?x=1', '/sse', '/mcp/../mcp', '/.well-known/oauth-protected-resource'])
    assert.equal((await ask(port, { method: 'GET', path })).status, 404, path);
  for (const method of ['PUT', 'OPTIONS', 'PATCH', 'HEAD', 'TRACE']) {
    const { status, headers } = await ask(port, { method });
    assert.equal(status, 405, method);
    assert.equal(headers.allow, 'POST, GET, DELETE');
    assert.equal(headers['access-control-allow-origin'], undefined);
  }
});

test('a body is JSON, said to be so, and no longer than a mebibyte', async (t) => {
  const { port } = await serve(t);
  assert.equal((await ask(port, { headers: { 'Content-Type': 'text/plain' }, body: initialize })).status, 415);
  assert.equal((await ask(port, { body: '{"jsonrpc":' })).status, 400);
  assert.equal((await ask(port, { body: '' })).status, 400);
  for (const [open, close] of ['[]', ['{"a":', '}']])
    for (const depth of [65, 10_000, 100_000]) {
      const deep = initialize.replace(
        /\}$/,
        `,"x":${open.repeat(depth)}${open === '[' ? '' : '1'}${close.repeat(depth)}}`,
      );
      assert.equal((await ask(port, { body: deep })).status, 400, `${depth} ${open}`);
    }
  // Brackets in a text are no levels.
  const name = `${'['.repeat(100)}"\\${'{'.repeat(100)}`;
  const text = JSON.stringify({ ...INITIALIZE, params: { ...INITIALIZE.params, clientInfo: { name, version: '1' } } });
  assert.equal((await ask(port, { body: text })).status, 200);
  const padded = JSON.stringify({ ...INITIALIZE, pad: 'x'.repeat(1 << 20) });
  assert.equal((await ask(port, { headers: { 'Content-Length': String(padded.length) }, body: padded })).status, 413);
  const chunked = await ask(port, { headers: { 'Transfer-Encoding': 'chunked' }, body: padded });
  assert.equal(chunked.status, 413);
  assert.equal((await ask(port, { body: initialize })).status, 200, 'the server still answers');
});

test('what is nested without end, or no message at all, ends nothing', async (t) => {
  const { port } = await serve(t);
  const id = await begin(port);
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const call = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"x","arguments":{"a":${deep}}}}`;
  const many = JSON.stringify(Array.from({ length: 5_000 }, (_, i) => ({ jsonrpc: '2.0', id: i, method: 'ping' })));
  for (const body of [
    deep,
    call,
    many,
    'null',
    '1',
    '[]',
    '{}',
    '"x"',
    '{"jsonrpc":"2.0"}',
    '{"__proto__":{"id":1}}',
  ]) {
    const all: Record<string, string>[] = [{}, inSession(id), { 'Mcp-Protocol-Version': '2026-07-28' }];
    for (const headers of all) {
      const { status } = await ask(port, { headers, body });
      assert.ok(status >= 200 && status <= 500, `${body.slice(0, 20)}: ${status}`);
    }
  }
  assert.equal((await ask(port, { headers: inSession(id), body: ping })).status, 200);
});

test('with a token, requests without it are refused', async (t) => {
  const { port } = await serve(t, { env: { SOCRATICODE_MCP_TOKEN: 'se-cret' } });
  for (const given of [undefined, 'Bearer', 'Bearer wrong', 'Bearer se-cre', 'Basic se-cret', 'se-cret']) {
    const headers: Record<string, string> = given === undefined ? {} : { Authorization: given };
    const { status, headers: answered } = await ask(port, { headers, body: initialize });
    assert.equal(status, 401, String(given));
    assert.equal(answered['www-authenticate'], 'Bearer');
  }
  assert.equal((await ask(port, { method: 'GET' })).status, 401);
  assert.equal((await ask(port, { headers: { Authorization: 'bearer se-cret' }, body: initialize })).status, 200);
});

test('two Authorization headers are none, whichever of them is right', async (t) => {
  const { port } = await serve(t, { env: { SOCRATICODE_MCP_TOKEN: 'se-cret' } });
  const head = (...tokens: string[]) =>
    `GET /mcp HTTP/1.1\r\nHost: localhost:${port}\r\n${tokens.map((token) => `Authorization: Bearer ${token}\r\n`).join('')}\r\n`;
  for (const tokens of [
    ['se-cret', 'wrong'],
    ['wrong', 'se-cret'],
    ['se-cret', 'se-cret'],
  ])
    assert.match(await raw(port, head(...tokens)), /^HTTP\/1\.1 401 /, tokens.join(', '));
  assert.doesNotMatch(await raw(port, head('se-cret')), /^HTTP\/1\.1 401 /);
});

test('an empty token is a mistake, not an open door', async (t) => {
  for (const token of ['', 'two words']) {
    await assert.rejects(serve(t, { env: { SOCRATICODE_MCP_TOKEN: token } }), (error) =>
      isSocraticodeError(error, 'BAD_ARGUMENT'),
    );
  }
});

test('a port in use, or none, is told as such', async (t) => {
  const { port } = await serve(t);
  await assert.rejects(serve(t, { port }), /port \d+ of 127\.0\.0\.1 is in use/);
  for (const none of [-1, 65_536, 1.5, Number.NaN])
    await assert.rejects(serve(t, { port: none }), (error) => isSocraticodeError(error, 'BAD_ARGUMENT'), String(none));
});

test('a session is known by its own id only, and gone when it is deleted', async (t) => {
  const { port } = await serve(t);
  const [one, other] = [await begin(port), await begin(port)];
  assert.notEqual(one, other);
  assert.equal((await ask(port, { headers: inSession(one), body: ping })).status, 200);
  for (const id of ['', 'x', one.slice(1), '00000000-0000-4000-8000-000000000000', '__proto__'])
    assert.equal((await ask(port, { headers: inSession(id), body: ping })).status, 404, id);
  assert.equal((await ask(port, { body: ping })).status, 400, 'no session');
  assert.equal((await ask(port, { method: 'GET' })).status, 400);
  assert.equal((await ask(port, { headers: inSession(one), body: initialize })).status, 400, 'a second beginning');
  assert.equal((await ask(port, { method: 'DELETE', headers: inSession(one) })).status, 200);
  const gone = await ask(port, { headers: inSession(one), body: ping });
  assert.equal(gone.status, 404);
  assert.equal(JSON.parse(gone.body).error.code, -32_001);
  assert.equal((await ask(port, { headers: inSession(other), body: ping })).status, 200);
});

/** Long enough to begin two sessions and open a stream on a machine under load. */
const IDLE_MS = 1_500;

test('unused sessions end by themselves; one with an open stream is in use', async (t) => {
  const { port } = await serve(t, { limits: { idle: IDLE_MS } });
  const [left, used] = [await begin(port), await begin(port)];
  const stream = openStream(port, used);
  t.after(stream.close);
  assert.equal(await stream.status, 200);
  // Each question uses the session anew: a machine under load is given longer the next time.
  let status = 0;
  for (let factor = 2; status !== 404 && factor <= 8; factor *= 2) {
    await new Promise((resolve) => setTimeout(resolve, factor * IDLE_MS));
    status = (await ask(port, { headers: inSession(left), body: ping })).status;
  }
  assert.equal(status, 404);
  assert.equal((await ask(port, { headers: inSession(used), body: ping })).status, 200);
});

test('the number of sessions is limited: the one idle for longest makes room, one in use never', async (t) => {
  const { port } = await serve(t, { limits: { sessions: 2 } });
  const [first, second] = [await begin(port), await begin(port)];
  const stream = openStream(port, first);
  t.after(stream.close);
  assert.equal(await stream.status, 200);
  const third = await begin(port);
  const states = await Promise.all(
    [first, second, third].map((id) => ask(port, { headers: inSession(id), body: ping })),
  );
  assert.deepEqual(
    states.map(({ status }) => status),
    [200, 404, 200],
  );
  const other = openStream(port, third);
  t.after(other.close);
  assert.equal(await other.status, 200);
  const full = await ask(port, { body: initialize });
  assert.equal(full.status, 503);
  assert.ok(full.headers['retry-after']);
});

/** A session's stream for what the server has to say unasked. */
function openStream(port: number, id: string): { status: Promise<number>; close: () => void } {
  const headers = { Accept: 'text/event-stream', ...inSession(id) };
  const sent = request({ host: '127.0.0.1', port, path: '/mcp', headers, agent: false });
  sent.on('error', () => {});
  const status = new Promise<number>((resolve) => {
    sent.on('response', (response) => {
      response.resume().on('error', () => {});
      resolve(response.statusCode ?? 0);
    });
  });
  sent.end();
  return { status, close: () => sent.destroy() };
}

test("requests that begin no session end nobody else's, however many come", async (t) => {
  const { port } = await serve(t, { limits: { sessions: 2 } });
  const id = await begin(port);
  for (let i = 0; i < 3; i++) {
    assert.equal((await ask(port, { headers: { Accept: 'text/plain' }, body: initialize })).status, 406);
  }
  assert.equal((await ask(port, { headers: inSession(id), body: ping })).status, 200);
});

test('the number of requests at once is limited', async (t) => {
  const { port } = await serve(t, { limits: { requests: 1 } });
  const held = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers: JSON_HEADERS, agent: false });
  held.on('error', () => {});
  held.write('{');
  await waitFor(async () => (await ask(port, { body: initialize })).status === 503);
  held.destroy();
  await waitFor(async () => (await ask(port, { body: initialize })).status === 200);
});

/** A server of two places whose answers wait until they are released, and what asks it; `during` is what its questions do meanwhile. */
async function slowServer(t: TestContext, options: HttpOptions, during = (wait: Promise<void>) => wait) {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const create = () => {
    const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/call', async () => {
      await during(held);
      return { content: [] };
    });
    return server;
  };
  const serving = await listenOverHttp(create, { port: 0, env: {}, limits: { alwaysIn: 2, wait: 0 }, ...options });
  t.after(serving.close);
  const port = Number(new URL(serving.url).port);
  const headers = inSession(await begin(port));
  const question = (id: number) =>
    ask(port, {
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'any', arguments: {} } }),
    });
  return { release, question, ping: () => ask(port, { headers, body: ping }) };
}

test('questions that would wait too long are told when to come again; what costs nothing is answered', async (t) => {
  const server = await slowServer(t, {});
  const asked = [10, 11, 12].map(server.question);
  // Without a refusal the first reply is an answer.
  setTimeout(server.release, 5_000).unref();
  const refused = await Promise.race(asked);
  assert.equal(refused.status, 503);
  assert.match(refused.headers['retry-after'] ?? '', /^[1-9]\d*$/);
  assert.match(refused.body, /too many requests at once; come again in \d+ s/);
  assert.equal((await server.ping()).status, 200);
  server.release();
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [200, 200, 503]);
  assert.equal((await server.question(13)).status, 200, 'who comes again is answered');
});

test('questions that wait for a first index keep nobody out', async (t) => {
  const waits = new Waits();
  let waiting = 0;
  waits.addListener({ pause: () => waiting++, resume: () => waiting-- });
  const server = await slowServer(t, { waits }, (wait) => waits.during(wait));
  const asked = [];
  for (const id of [10, 11, 12, 13, 14]) {
    asked.push(server.question(id));
    await waitFor(async () => waiting === asked.length);
  }
  server.release();
  assert.deepEqual(
    (await Promise.all(asked)).map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  assert.equal(waiting, 0);
});

async function waitFor(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 100; i++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail('never came true');
}

test('a request that does not come to its end is dropped', async (t) => {
  const { port } = await serve(t, { limits: { headers: 200, body: 400 } });
  const slow = [
    `POST /mcp HTTP/1.1\r\nHost: localhost:${port}\r\nX-`,
    `POST /mcp HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  ];
  for (const text of slow) assert.match(await raw(port, text), /^HTTP\/1\.1 408 /);
});

test('closing ends what is open', async (t) => {
  const { port, close } = await serve(t);
  const stream = openStream(port, await begin(port));
  assert.equal(await stream.status, 200);
  await close();
  await assert.rejects(ask(port, { body: initialize }), /ECONNREFUSED/);
});

describe('sessions', () => {
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
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...type, ...headers },
        body: JSON.stringify(json),
      });
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
});
