/** The server for agents of a fleet, over HTTP in this process: tools, answers over several repositories, failures, clients that go. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { clientOf, type Client as FleetClient } from '../../fleet/src/access/access.js';
import { asking } from '../../fleet/src/ask/asking.js';
import { fleetStore } from '../../fleet/src/ask/store.js';
import type { CandidateRequest, ViewRequest } from '../../fleet/src/contract.js';
import { FleetIntake } from '../../fleet/src/intake.js';
import { agentsOf } from '../../src/mcp/fleet-server.js';
import { NO_JSON } from '../../src/serve/loopback.js';
import { PROFILE, sourceFile, uploadOf, viewOf } from '../fleet/made.js';
import { until } from '../support/in-process/serve.js';
import { MemoryEngine } from '../support/servers/memory-engine.js';

/** Counts questions; the facts of one repository can be damaged. */
class Watched extends MemoryEngine {
  questions = 0;
  damaged = '';

  override candidates(request: CandidateRequest) {
    this.questions++;
    return super.candidates(request);
  }

  override async readViews(request: ViewRequest) {
    const read = await super.readViews(request);
    const damage = (row: { repo: string; facts: Uint8Array }) =>
      row.repo === this.damaged ? { facts: row.facts.slice(1) } : {};
    return read && { ...read, views: read.views.map((row) => ({ ...row, ...damage(row) })) };
  }
}

const REPOSITORIES = { shop: 'voucher', bank: 'ledger', till: 'receipt' };

/** A server over three repositories of `acme`, of which its clients may read those that `read` names. */
async function serve(t: TestContext, read: string[]) {
  const engine = new Watched(PROFILE);
  const intake = new FleetIntake(engine);
  for (const [name, word] of Object.entries(REPOSITORIES)) {
    const file = sourceFile(`src/${name}.ts`, name, [word, 'discount']);
    const view = viewOf([file], { repo: `acme/${name}` });
    await intake.units({ ...view, units: [uploadOf(file)] });
    await intake.view(view);
  }
  const store = fleetStore(engine);
  const answer = agentsOf<FleetClient>((client) => asking(store, client));
  const client = clientOf({ name: 'agent', read, publish: [] });
  const open = new Set<ServerResponse>();
  const server = createServer(async (request, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    // As the server of a fleet does it.
    await answer(request, response, { body: Buffer.concat(parts), client }).catch(({ code, message }) =>
      response.writeHead(400).end(`${code}: ${message}`),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  return { engine, store, open, url };
}

async function connect(t: TestContext, url: URL, mode: 'auto' | 'legacy' = 'auto') {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  t.after(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(url));
  const call = async (name: string, args: object, signal?: AbortSignal) => {
    const result = await client.callTool({ name, arguments: { ...args } }, { signal });
    const [first] = result.content as { text: string }[];
    return { isError: result.isError ?? false, text: first.text, hasDocument: 'structuredContent' in result };
  };
  return { client, call };
}

for (const mode of ['auto', 'legacy'] as const)
  test(`the tools of a fleet alone are listed, without schemas of documents (${mode})`, async (t) => {
    const { client } = await connect(t, (await serve(t, ['**'])).url, mode);
    assert.match(client.getInstructions() ?? '', /never instructions to follow/);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['codebase_fleet_search', 'codebase_fleet_repos', 'codebase_fleet_file'],
    );
    assert.ok(tools.every(({ annotations, outputSchema }) => annotations?.readOnlyHint && outputSchema === undefined));
  });

test('a question is answered from every repository that the client may read, and from no other', async (t) => {
  const { url } = await serve(t, ['acme/shop', 'acme/till']);
  const { call } = await connect(t, url);
  const { text, isError, hasDocument } = await call('codebase_fleet_search', { query: 'discount' });
  assert.deepEqual([isError, hasDocument], [false, false]);
  assert.deepEqual([...new Set(text.match(/acme\/\w+/g))].sort(), ['acme/shop', 'acme/till']);
  const repos = await call('codebase_fleet_repos', {});
  assert.deepEqual(repos.text.match(/acme\/\w+/g), ['acme/shop', 'acme/till']);
  const file = await call('codebase_fleet_file', { repo: 'acme/till', path: 'src/till.ts' });
  assert.match(file.text, /receipt/);
});

test('a failure is a reply with its code and the next step; an unknown tool is an error of the protocol', async (t) => {
  const { url } = await serve(t, ['acme/shop']);
  const { client, call } = await connect(t, url);
  const hidden = await call('codebase_fleet_search', { query: 'ledger', repo: 'acme/bank' });
  const absent = await call('codebase_fleet_search', { query: 'ledger', repo: 'acme/none' });
  assert.deepEqual(hidden, absent);
  assert.match(hidden.text, /^BAD_ARGUMENT: no repository .*\n.*codebase_fleet_repos/);
  const failed = await Promise.all([
    call('codebase_fleet_search', { query: ' ' }),
    call('codebase_fleet_search', { query: 'voucher', ref: 'nowhere' }),
    call('codebase_fleet_search', { query: 'voucher', colour: 'red' }),
    call('codebase_fleet_file', { repo: 'acme/shop', path: 'src/bank.ts' }),
  ]);
  assert.deepEqual(
    failed.map(({ text, isError, hasDocument }) => [text.split(':')[0], isError, hasDocument]),
    ['EMPTY_QUERY', 'UNKNOWN_REF', 'BAD_ARGUMENT', 'BAD_ARGUMENT'].map((code) => [code, true, false]),
  );
  // A tool of repositories is unknown to a server that has none.
  await assert.rejects(client.callTool({ name: 'codebase_search', arguments: { query: 'x' } }), /unknown tool/);
});

test('a repository that cannot be read is counted, and the others answer', async (t) => {
  const { url, engine } = await serve(t, ['**']);
  engine.damaged = 'acme/bank';
  const { call } = await connect(t, url);
  const { text } = await call('codebase_fleet_search', { query: 'discount' });
  assert.deepEqual([...new Set(text.match(/acme\/\w+/g))].sort(), ['acme/shop', 'acme/till']);
  assert.match(text, /\b1 .*damaged/);
  const { text: own } = await call('codebase_fleet_search', { query: 'discount', repo: 'acme/bank' });
  assert.match(own, /\b1 .*damaged/);
});

/** How a client gives a question up. One of 2025 can only go: its word of it reaches a server object that has no question. */
const LEAVES = {
  auto: ({ asking }: { asking: AbortController }) => asking.abort(),
  legacy: ({ client }: { client: Client }) => client.close(),
};

for (const mode of ['auto', 'legacy'] as const)
  test(`nobody works on a question that was given up while it waited in line (${mode})`, async (t) => {
    const { url, engine, store, open } = await serve(t, ['**']);
    let free = () => {};
    const others = new Promise<void>((resolve) => {
      free = resolve;
    });
    const turns = Array.from({ length: 4 }, () => store.turns.run(() => others));
    const [leaver, stayer] = await Promise.all([connect(t, url, mode), connect(t, url, mode)]);
    const asking = new AbortController();
    const left = assert.rejects(leaver.call('codebase_fleet_search', { query: 'voucher' }, asking.signal));
    const stayed = stayer.call('codebase_fleet_search', { query: 'ledger' });
    await until(() => [...open].filter(({ req }) => req.complete).length === 2);
    await LEAVES[mode]({ asking, client: leaver.client });
    await left;
    await until(() => open.size === 1);
    free();
    await Promise.all(turns);
    assert.match((await stayed).text, /acme\/bank/);
    assert.equal(engine.questions, 1);
  });

test('a body that is no JSON is refused, and the next one is answered', async (t) => {
  const { url } = await serve(t, ['**']);
  for (const body of ['{"jsonrpc":', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`]) {
    const refused = await fetch(url, { method: 'POST', body });
    assert.deepEqual([refused.status, await refused.text()], [400, `BAD_ARGUMENT: ${NO_JSON}`]);
  }
  const { client } = await connect(t, url);
  assert.equal((await client.listTools()).tools.length, 3);
});
