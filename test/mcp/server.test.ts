/** The server's own answers, over a connection in this process: what it lists, refuses, reports and releases. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { SocraticodeError } from '../../src/base/errors.js';
import { createServer, type ServerOptions } from '../../src/mcp/server.js';
import { TOOLSETS } from '../../src/mcp/tool.js';
import { loadTools } from '../../src/mcp/toolsets.js';
import type { Projects } from '../../src/serve/projects.js';

/** Projects of which none can be opened, but whose leases are counted. */
function projectsOf(lease: () => object | never) {
  const leases = { taken: 0, open: 0 };
  const projects = {
    open: () => Promise.reject(new SocraticodeError('NOT_A_REPOSITORY', 'there is no repository')),
    lease: async () => {
      leases.taken++;
      const project = lease();
      leases.open++;
      return { project, release: () => leases.open-- };
    },
  };
  return { leases, projects: projects as unknown as Projects };
}

async function connected(t: TestContext, options: Partial<ServerOptions> = {}): Promise<Client> {
  const { projects } = projectsOf(() => assert.fail('not asked for'));
  const server = createServer({ projects, toolsets: ['core'], readOnly: false, structured: false, ...options });
  const client = new Client({ name: 'test', version: '1' }, { capabilities: {} });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  t.after(() => client.close());
  return client;
}

const failure = (client: Client, name: string) =>
  client.callTool({ name, arguments: {} }).then(
    () => 'answered',
    (error: Error) => error.message,
  );

test('tools say what they do to a repository, and their schemas only where documents are sent', async (t) => {
  const { tools } = await (await connected(t, { toolsets: TOOLSETS })).listTools();
  const hints = (name: string) => {
    const { readOnlyHint, destructiveHint } = tools.find((tool) => tool.name === name)?.annotations ?? {};
    return [readOnlyHint, destructiveHint];
  };
  assert.deepEqual(hints('codebase_search'), [true, false]);
  assert.deepEqual(hints('codebase_index'), [false, false]);
  assert.deepEqual(hints('codebase_remove'), [false, true]);
  assert.ok(tools.every(({ outputSchema }) => outputSchema === undefined));
  const structured = await (await connected(t, { structured: true })).listTools();
  assert.ok(structured.tools.every(({ outputSchema }) => outputSchema?.type === 'object'));
});

test('tools are made once, since a client of 2026 gets a server object with each request', async () => {
  assert.equal(await loadTools(['core', 'graph'], false), await loadTools(['core', 'graph'], false));
  const reading = await loadTools(TOOLSETS, true);
  assert.ok((await loadTools(TOOLSETS, false)).size > reading.size);
});

test('a server that only reads has no tool that writes, and says why', async (t) => {
  const client = await connected(t, { toolsets: TOOLSETS, readOnly: true });
  const { tools } = await client.listTools();
  assert.ok(tools.length > 0 && tools.every(({ annotations }) => annotations?.readOnlyHint));
  assert.match(
    await failure(client, 'codebase_remove'),
    /codebase_remove writes, and the server was started with --read-only/,
  );
});

test('a name that is no tool gets the nearest one, or the toolset that has it, and is quoted short', async (t) => {
  const client = await connected(t);
  assert.match(await failure(client, 'codebase_serch'), /unknown tool: codebase_serch; did you mean codebase_search\?/);
  assert.match(await failure(client, 'codebase_graph_circular'), /start the server with --toolsets core,graph/);
  const long = await failure(client, 'x'.repeat(100));
  assert.match(long, /unknown tool: x{64}; see tools\/list/);
  assert.match(await failure(client, 'a\nb'), /a\\nb|a␊b|a\\x0ab/);
});

test('what a call has opened is released when it ends, well or not', async (t) => {
  const broken = {
    background: { onChange: () => () => {} },
    get session() {
      throw new SocraticodeError('BAD_CONFIG', 'broken');
    },
  };
  const { leases, projects } = projectsOf(() => broken);
  const client = await connected(t, { projects });
  const { isError } = await client.callTool({ name: 'codebase_status', arguments: {} });
  assert.deepEqual([isError, leases], [true, { taken: 1, open: 0 }]);
  const missing = projectsOf(() => {
    throw new SocraticodeError('NOT_A_REPOSITORY', 'none');
  });
  const other = await connected(t, { projects: missing.projects });
  const { content } = await other.callTool({ name: 'codebase_status', arguments: {} });
  assert.match(JSON.stringify(content), /NOT_A_REPOSITORY|none/);
  assert.equal(missing.leases.open, 0);
});

test('resources list what is always there though no repository can be opened, and an unknown one is no crash', async (t) => {
  const client = await connected(t);
  const { resources } = await client.listResources();
  assert.deepEqual(
    resources.map(({ uri }) => uri),
    ['socraticode://status', 'socraticode://outline'],
  );
  for (const uri of ['socraticode://nothing', 'file:///etc/passwd', `socraticode://outline/${'x'.repeat(300)}`])
    await assert.rejects(client.readResource({ uri }), (error: Error) => {
      assert.ok(error.message.length < 600, 'the URI is quoted short');
      return true;
    });
});
