/** A fleet's server over real HTTP: publishing, asking, permissions, limits, hostile bodies. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { tokenHash } from '../../../fleet/src/access/access.js';
import { TokensFile } from '../../../fleet/src/access/tokens-file.js';
import { fleetClient } from '../../../fleet/src/http/client.js';
import { type FleetServing, serveFleet } from '../../../fleet/src/http/server.js';
import { decodeViewAnswer, encodePlan, encodeUnits, encodeView } from '../../../fleet/src/protocol.js';
import { agentsOf } from '../../../src/mcp/fleet-server.js';
import { MemoryEngine } from '../../support/servers/memory-engine.js';
import { commitId, keyIn, PROFILE, sourceFile, uploadOf, viewOf } from '../made.js';

const SHOP = sourceFile('src/shop.ts', 'Shop', ['voucher', 'discount']);
const BANK = sourceFile('src/bank.ts', 'Bank', ['ledger', 'discount']);
const TOKENS = { shop: 'token-of-shop', bank: 'token-of-bank', reader: 'token-of-reader' };

let folder: string;
let serving: FleetServing;
const lines: string[] = [];

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fleet-http-'));
  const file = join(folder, 'tokens.json');
  const grant = (token: string, read: string[], publish: string[]) => ({ sha256: tokenHash(token), read, publish });
  const tokens = [
    { ...grant(TOKENS.shop, ['acme/shop'], ['acme/shop']), name: 'ci of shop' },
    grant(TOKENS.bank, ['acme/bank'], ['acme/bank', 'acme/fork']),
    grant(TOKENS.reader, ['acme/*'], []),
  ];
  writeFileSync(file, JSON.stringify({ tokens }));
  const engine = new MemoryEngine(PROFILE);
  serving = await serveFleet({
    ...{ engine, access: new TokensFile(file), host: '127.0.0.1', port: 0, isOpen: false, agents: agentsOf },
    write: (line) => void lines.push(line),
    limits: { question: 20_000 },
  });
  await publish(TOKENS.shop, SHOP, 'acme/shop');
  await publish(TOKENS.bank, BANK, 'acme/bank');
});

after(async () => {
  await serving.close();
  rmSync(folder, { recursive: true });
});

async function send(name: string, body: Uint8Array | string, token?: string, type = 'application/cbor') {
  const response = await fetch(`${serving.url}/${name}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : Uint8Array.from(body),
    headers: { 'Content-Type': type, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
  });
  return { status: response.status, body: new Uint8Array(await response.arrayBuffer()), headers: response.headers };
}

const ask = (name: string, body: object, token?: string) =>
  send(`fleet/${name}`, JSON.stringify(body), token, 'application/json').then(({ status, body: bytes }) => ({
    status,
    text: Buffer.from(bytes).toString(),
  }));

async function publish(token: string, file: typeof SHOP, repo: string): Promise<void> {
  const view = viewOf([file], { repo });
  const units = await send('fleet/units', encodeUnits({ ...view, units: [uploadOf(file)] }), token);
  assert.equal(units.status, 200);
  const answer = await send('fleet/view', encodeView(view), token);
  assert.deepEqual(decodeViewAnswer(answer.body), { outcome: 'published' });
}

test('a client over HTTP gets the answers of its grants, and errors with their codes and hints', async () => {
  const fleet = fleetClient({ url: serving.url, token: TOKENS.reader });
  const { results } = await fleet.search({ query: 'discount' });
  assert.deepEqual(results.map(({ repo }) => repo).sort(), [...results.map(({ repo }) => repo)].sort());
  assert.deepEqual(new Set(results.map(({ repo }) => repo)), new Set(['acme/shop', 'acme/bank']));
  const own = fleetClient({ url: serving.url, token: TOKENS.shop });
  assert.deepEqual(
    new Set((await own.search({ query: 'discount' })).results.map(({ repo }) => repo)),
    new Set(['acme/shop']),
  );
  assert.deepEqual(
    (await own.repos({})).results.map(({ repo }) => repo),
    ['acme/shop'],
  );
  assert.match((await own.file({ repo: 'acme/shop', path: 'src/shop.ts' })).content ?? '', /voucher/);
  await assert.rejects(own.search({ query: ' ' }), { code: 'EMPTY_QUERY' });
  await assert.rejects(fleetClient({ url: serving.url, token: 'no' }).search({ query: 'x' }), { code: 'FLEET_DENIED' });
});

test('a forbidden repository and an absent one answer with the same bytes, for readers and publishers', async () => {
  for (const name of ['search', 'repos', 'file']) {
    const asked = (repo: string) => ask(name, { query: 'ledger', repo, path: 'src/bank.ts' }, TOKENS.shop);
    const fields = (repo: string) =>
      name === 'file'
        ? ask(name, { repo, path: 'src/bank.ts' }, TOKENS.shop)
        : name === 'repos'
          ? ask(name, { repo: [repo] }, TOKENS.shop)
          : ask(name, { query: 'ledger', repo: [repo] }, TOKENS.shop);
    assert.deepEqual(await fields('acme/bank'), await fields('acme/none'));
    assert.equal((await asked('acme/bank')).status, 400);
  }
  const plan = (repo: string) =>
    send('fleet/plan', encodePlan({ ...viewOf([], { repo }), keys: [keyIn(repo, BANK)] }), TOKENS.shop);
  const [forbidden, absent] = [await plan('acme/bank'), await plan('acme/none')];
  assert.deepEqual([forbidden.status, forbidden.body], [absent.status, absent.body]);
  assert.equal(forbidden.status, 403);
});

test('a publisher may not write into a family that it may not read', async () => {
  // By naming units of the bank in a view of its own, the shop could read them.
  const view = { ...viewOf([BANK], { repo: 'acme/shop', family: 'acme/bank' }), previous: commitId('a') };
  assert.equal((await send('fleet/view', encodeView(view), TOKENS.shop)).status, 403);
  const plan = encodePlan({ ...view, keys: [keyIn('acme/bank', BANK)] });
  assert.equal((await send('fleet/plan', plan, TOKENS.shop)).status, 403);
  const fork = viewOf([BANK], { repo: 'acme/fork', family: 'acme/bank' });
  assert.equal((await send('fleet/view', encodeView(fork), TOKENS.bank)).status, 200);
});

test('without a known token nothing answers but health and metrics, and a web page gets nothing', async () => {
  for (const token of [undefined, '', 'wrong', `${TOKENS.shop} ${TOKENS.bank}`])
    for (const name of ['fleet/plan', 'fleet/search', 'mcp']) assert.equal((await send(name, '{}', token)).status, 401);
  const page = await fetch(`${serving.url}/fleet/search`, {
    ...{ method: 'POST', body: '{"query":"x"}' },
    headers: { Origin: 'https://evil.example', Authorization: `Bearer ${TOKENS.reader}` },
  });
  assert.equal(page.status, 403);
  for (const path of ['healthz', 'readyz']) assert.equal((await fetch(`${serving.url}/${path}`)).status, 200);
  const metrics = await (await fetch(`${serving.url}/metrics`)).text();
  assert.match(metrics, /socraticode_fleet_requests_total\{route="view",status="200"\} \d+/);
  assert.doesNotMatch(metrics, /acme|shop|bank/);
  assert.equal((await fetch(`${serving.url}/fleet/search`)).status, 405);
  assert.equal((await fetch(`${serving.url}/etc/passwd`)).status, 404);
});

test('the log has a JSON line a request, without tokens, words of queries, code, or names that were refused', async () => {
  await ask('search', { query: 'secretWord', repo: ['acme/forbiddenName'] }, TOKENS.shop);
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.ok(
    entries.some((entry) => entry.route === 'view' && entry.repo === 'acme/shop' && entry.client === 'ci of shop'),
  );
  assert.ok(
    entries.every(({ event, status, ms }) => event === 'request' && typeof status === 'number' && Number(ms) >= 0),
  );
  for (const word of ['secretWord', 'forbiddenName', 'ledger', 'voucher', ...Object.values(TOKENS)])
    assert.equal(lines.join('').includes(word), false, word);
});

test('hostile bodies are refused with 4xx, and the server goes on', async () => {
  const name = fc.constantFrom(
    'fleet/plan',
    'fleet/units',
    'fleet/view',
    'fleet/refs',
    'fleet/search',
    'fleet/file',
    'mcp',
  );
  const whole = [
    encodePlan({ ...viewOf([SHOP], { repo: 'acme/shop' }), keys: [] }),
    encodeUnits({ ...viewOf([SHOP], { repo: 'acme/shop' }), units: [uploadOf(SHOP)] }),
    encodeView(viewOf([SHOP], { repo: 'acme/shop' })),
    Buffer.from(JSON.stringify({ query: 'x', repo: ['*'] })),
  ];
  const damaged = fc
    .tuple(fc.constantFrom(...whole), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }))
    .map(([bytes, flips]) => {
      const copy = Uint8Array.from(bytes);
      for (const [at, value] of flips) copy[at % copy.length] = value;
      return copy;
    });
  const json = fc.json().map((text) => Buffer.from(text));
  await fc.assert(
    fc.asyncProperty(name, fc.oneof(damaged, json, fc.uint8Array({ maxLength: 200 })), async (path, body) => {
      const { status } = await send(path, body, TOKENS.shop);
      assert.ok(status < 500 || status === 503, `${path} ${status}`);
    }),
    { numRuns: 120 },
  );
  assert.equal((await ask('search', { query: 'x'.repeat(30_000) }, TOKENS.shop)).status, 413);
  assert.equal((await fetch(`${serving.url}/healthz`)).status, 200);
  assert.equal((await ask('search', { query: 'voucher' }, TOKENS.shop)).status, 200);
});

test('agents use the toolset of the fleet, each with its own grants', async () => {
  const call = async (token: string, method: string, params: object) => {
    const response = await fetch(`${serving.url}/mcp`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return response.text();
  };
  const tools = await call(TOKENS.shop, 'tools/list', {});
  for (const tool of ['codebase_fleet_search', 'codebase_fleet_repos', 'codebase_fleet_file'])
    assert.ok(tools.includes(tool));
  const search = { name: 'codebase_fleet_search', arguments: { query: 'discount' } };
  const [shop, reader] = [
    await call(TOKENS.shop, 'tools/call', search),
    await call(TOKENS.reader, 'tools/call', search),
  ];
  assert.deepEqual([shop.includes('acme/shop'), shop.includes('acme/bank')], [true, false]);
  assert.ok(reader.includes('acme/bank'));
  const forbidden = { name: 'codebase_fleet_file', arguments: { repo: 'acme/bank', path: 'src/bank.ts' } };
  assert.ok(!(await call(TOKENS.shop, 'tools/call', forbidden)).includes('ledger'));
});

test('a slow client is cut off, and a server without tokens is for this machine alone', async () => {
  const open = (host: string) =>
    serveFleet({
      ...{ engine: new MemoryEngine(PROFILE), host, port: 0, isOpen: true, write: () => {} },
      access: { clientOf: async () => null },
      limits: { headers: 100, body: 200 },
    });
  await assert.rejects(open('0.0.0.0'), { code: 'BAD_ARGUMENT' });
  const own = await open('127.0.0.1');
  const socket = connect(Number(new URL(own.url).port), '127.0.0.1');
  socket.write('POST /fleet/plan HTTP/1.1\r\nHost: x\r\n');
  await new Promise<void>((resolve) =>
    socket
      .on('close', () => resolve())
      .on('error', () => {})
      .resume(),
  );
  const rebound = await fetch(`${own.url}/healthz`, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
  assert.equal(rebound.status, 403);
  await own.close();
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

test('a server on an address of IPv6 tells a URL that can be opened', { skip: !hasIpv6 }, async (t) => {
  const own = await serveFleet({
    ...{ engine: new MemoryEngine(PROFILE), host: '::1', port: 0, isOpen: true, write: () => {} },
    access: { clientOf: async () => null },
  });
  t.after(own.close);
  assert.match(own.url, /^http:\/\/\[::1\]:\d+$/);
  assert.equal((await fetch(`${own.url}/healthz`)).status, 200);
});

test('a reader asks a busy server again', async () => {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume();
    const isBusy = ++asked < 3;
    response.writeHead(isBusy ? 503 : 200, { 'Content-Type': 'application/json', 'Retry-After': '0.01' });
    response.end(isBusy ? JSON.stringify({ code: 'FLEET_BUSY', message: 'busy', hint: 'again' }) : '{"results":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { results } = await fleetClient({ url: `http://127.0.0.1:${port}`, token: null }).search({ query: 'cart' });
  assert.deepEqual([results, asked], [[], 3]);
  server.close();
});

test('a server that only maintains answers health and metrics, and one with too many requests tells them to come again', async () => {
  const engine = new MemoryEngine(PROFILE);
  const base = {
    engine,
    access: new TokensFile(join(folder, 'tokens.json')),
    host: '127.0.0.1',
    port: 0,
    isOpen: false,
  };
  const write = () => {};
  const status = async (url: string, path: string, init: RequestInit = {}) => {
    const response = await fetch(`${url}/${path}`, init);
    return [response.status, (await response.text()).split('\n')[0]];
  };
  const post = { method: 'POST', body: '{}', headers: { Authorization: `Bearer ${TOKENS.reader}` } };
  const maintaining = await serveFleet({ ...base, write, answers: false });
  assert.deepEqual(await status(maintaining.url, 'healthz'), [200, 'ok']);
  assert.deepEqual(await status(maintaining.url, 'readyz'), [200, 'ready']);
  assert.equal((await status(maintaining.url, 'fleet/repos', post))[0], 404);
  const gauges = await (await fetch(`${maintaining.url}/metrics`)).text();
  assert.match(gauges, /fleet_up 1\n[\s\S]*fleet_repositories 0\n[\s\S]*fleet_views 0\n[\s\S]*fleet_damaged 0\n/);
  await maintaining.close();

  const busy = await serveFleet({ ...base, write, limits: { requests: 0 } });
  const refused = await fetch(`${busy.url}/fleet/repos`, post);
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '2']);
  assert.equal(((await refused.json()) as { code: string }).code, 'FLEET_BUSY');
  assert.equal((await status(busy.url, 'healthz'))[0], 200, 'health is not refused');
  await busy.close();

  const lost = { ...base.engine, profile: PROFILE, readViews: () => Promise.reject(new Error('gone')) };
  const blind = await serveFleet({ ...base, engine: lost as unknown as MemoryEngine, write, answers: false });
  assert.match(await (await fetch(`${blind.url}/metrics`)).text(), /fleet_up 0\n[\s\S]*fleet_repositories 0\n/);
  assert.equal((await status(blind.url, 'readyz'))[0], 500);
  await blind.close();
});

test('an agent has no answer from a server without agents, and no other method than its own', async () => {
  const engine = new MemoryEngine(PROFILE);
  const plain = await serveFleet({
    ...{ engine, access: new TokensFile(join(folder, 'tokens.json')), host: '127.0.0.1', port: 0, isOpen: false },
    write: () => {},
  });
  const headers = { Authorization: `Bearer ${TOKENS.reader}` };
  const asked = await fetch(`${plain.url}/mcp`, { method: 'POST', body: '{}', headers });
  assert.equal(asked.status, 404);
  const wrong = await fetch(`${plain.url}/fleet/search`, { headers });
  assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'POST']);
  const unknown = await fetch(`${plain.url}/fleet/repos`, {
    method: 'POST',
    body: '{}',
    headers: { Authorization: 'Bearer x' },
  });
  assert.deepEqual([unknown.status, unknown.headers.get('www-authenticate')], [401, 'Bearer']);
  await plain.close();
});
