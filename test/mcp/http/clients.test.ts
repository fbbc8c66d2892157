/** Clients of both protocols over HTTP: progress arrives before the answer, and a cancelled call is told so at once. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Server } from '@modelcontextprotocol/server';
import { listenOverHttp } from '../../../src/mcp/http.js';

interface Served {
  url: URL;
  /** How many times a server object was made. */
  created: () => number;
  /** Resolves when a call that waits has been cancelled. */
  cancelled: Promise<void>;
}

/** A server whose one tool tells of two steps, and then answers, or waits until nobody wants the answer any more. */
async function serve(t: TestContext): Promise<Served> {
  let created = 0;
  let end = () => {};
  const cancelled = new Promise<void>((resolve) => {
    end = resolve;
  });
  const create = () => {
    created++;
    const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'work', inputSchema: { type: 'object' } }] }));
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [1, 2])
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: progressToken ?? 0, progress },
        });
      if (params.arguments?.wait !== true) return { content: [{ type: 'text', text: 'done' }] };
      if (!mcpReq.signal.aborted)
        await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve, { once: true }));
      end();
      return { content: [] };
    });
    return server;
  };
  const { url, close } = await listenOverHttp(create, { port: 0, env: {} });
  t.after(close);
  return { url: new URL(url), created: () => created, cancelled };
}

interface Asking {
  name: string;
  work: (args: Record<string, unknown>, options: { onprogress?: () => void; signal?: AbortSignal }) => Promise<unknown>;
  version: string | undefined;
}

async function connectNew(t: TestContext, url: URL, mode: 'auto' | 'legacy'): Promise<Asking> {
  const client = new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode } });
  t.after(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(url));
  return {
    name: `new client, ${mode}`,
    work: (args, options) => client.callTool({ name: 'work', arguments: args }, options),
    version: client.getNegotiatedProtocolVersion(),
  };
}

async function connectOld(t: TestContext, url: URL): Promise<Asking> {
  const client = new OldClient({ name: 'old', version: '1' });
  const transport = new OldTransport(url);
  t.after(() => client.close());
  await client.connect(transport);
  return {
    name: 'old client',
    work: (args, options) => client.callTool({ name: 'work', arguments: args }, undefined, options),
    version: transport.protocolVersion,
  };
}

const CLIENTS = [
  (t: TestContext, url: URL) => connectNew(t, url, 'auto'),
  (t: TestContext, url: URL) => connectNew(t, url, 'legacy'),
  connectOld,
];

test('a client of 2026 speaks its own protocol, those of 2025 theirs', async (t) => {
  const { url } = await serve(t);
  const versions = await Promise.all(CLIENTS.map(async (connect) => (await connect(t, url)).version));
  assert.deepEqual(versions, ['2026-07-28', '2025-11-25', '2025-11-25']);
});

for (const [i, connect] of CLIENTS.entries()) {
  test(`progress and cancellation reach the call they belong to (${i})`, async (t) => {
    const { url, cancelled } = await serve(t);
    const { work } = await connect(t, url);
    let steps = 0;
    const answer = await work({}, { onprogress: () => steps++ });
    assert.deepEqual((answer as { content: unknown[] }).content, [{ type: 'text', text: 'done' }]);
    assert.equal(steps, 2);
    const controller = new AbortController();
    const waiting = work({ wait: true }, { onprogress: () => controller.abort(), signal: controller.signal });
    await assert.rejects(waiting);
    await cancelled;
    await work({}, {});
  });
}

test('a session keeps one server object; requests that stand for themselves have one each', async (t) => {
  const { url, created } = await serve(t);
  const old = await connectOld(t, url);
  for (let i = 0; i < 3; i++) await old.work({}, {});
  assert.equal(created(), 1);
  const { work } = await connectNew(t, url, 'auto');
  const before = created();
  for (let i = 0; i < 3; i++) await work({}, {});
  assert.equal(created() - before, 3);
});

test('clients ask at the same time, each for itself', async (t) => {
  const { url } = await serve(t);
  const all = await Promise.all([...CLIENTS, ...CLIENTS].map((connect) => connect(t, url)));
  const answers = await Promise.all(all.flatMap(({ work }) => Array.from({ length: 5 }, () => work({}, {}))));
  assert.equal(answers.length, 30);
});
