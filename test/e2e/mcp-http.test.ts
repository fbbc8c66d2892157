/** `git socraticode mcp --http` as people run it: its clients, its token, and when it ends. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { before, test } from 'node:test';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { cli } from '../support/processes/cli.js';
import { createRepo } from '../support/repositories/repo.js';
import { connectHttp, startHttp } from '../support/servers/mcp-http.js';

const repo = createRepo();
repo.commit({ 'src/cart.ts': 'export function totalOfCart(): number {\n  return 1;\n}\n' });

// What is asked of an index that is being made is another matter.
before(() => cli(['-C', repo.dir, 'index']));

const question = { name: 'codebase_search', arguments: { query: 'total of cart' } };

test('clients of both protocols are answered alike', async (t) => {
  const { url, stderr } = await startHttp(t, repo.dir, { args: [] });
  assert.match(stderr(), /^git-socraticode: listening on http:\/\/127\.0\.0\.1:\d+\/mcp\n$/);
  const client = await connectHttp(t, url);
  const old = new OldClient({ name: 'old', version: '1' });
  t.after(() => old.close());
  await old.connect(new OldTransport(url));
  const tools = (await client.listTools()).tools.map(({ name }) => name);
  assert.ok(tools.includes('codebase_search'));
  assert.deepEqual(
    (await old.listTools()).tools.map(({ name }) => name),
    tools,
  );
  const [ours, theirs] = [await client.callTool(question), await old.callTool(question)];
  assert.match(JSON.stringify(ours.content), /src\/cart\.ts/);
  assert.deepEqual(theirs.content, ours.content);
  const uri = 'socraticode://symbol/totalOfCrat';
  for (const each of [client, old])
    await assert.rejects(each.readResource({ uri }), { code: -32_602, message: /Did you mean totalOfCart/ });
});

test('indexing tells how far it is, and goes on where a client no longer waits for it', async (t) => {
  const large = createRepo();
  large.commit(
    Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`src/f${i}.ts`, `export const value${i} = ${i};\n`])),
  );
  const { url } = await startHttp(t, large.dir);
  const client = await connectHttp(t, url);
  const update = { name: 'codebase_update', arguments: {} };
  const controller = new AbortController();
  const given = client.callTool(update, { signal: controller.signal, onprogress: () => controller.abort() });
  await assert.rejects(given);
  const old = new OldClient({ name: 'old', version: '1' });
  t.after(() => old.close());
  await old.connect(new OldTransport(url));
  const steps: number[] = [];
  const done = await old.callTool(update, undefined, { onprogress: ({ progress }) => steps.push(progress) });
  assert.match(JSON.stringify(done.content), /600/);
  assert.deepEqual(
    steps,
    [...steps].sort((a, b) => a - b),
  );
  const found = await client.callTool({ name: 'codebase_search', arguments: { query: 'value599' } });
  assert.match(JSON.stringify(found.content), /src\/f599\.ts/);
});

test('with SOCRATICODE_MCP_TOKEN only who knows it is answered', async (t) => {
  const { url } = await startHttp(t, repo.dir, { args: [], env: { SOCRATICODE_MCP_TOKEN: 'abc123' } });
  await assert.rejects(connectHttp(t, url));
  await assert.rejects(connectHttp(t, url, { token: 'abc124' }));
  const client = await connectHttp(t, url, { token: 'abc123' });
  assert.match(JSON.stringify((await client.callTool(question)).content), /src\/cart\.ts/);
});

test('a port that is taken is told with the way out', async (t) => {
  const { url } = await startHttp(t, repo.dir);
  const { code, stderr } = await cli(['-C', repo.dir, 'mcp', '--http', url.port]);
  assert.equal(code, 2);
  assert.match(stderr, /port \d+ of 127\.0\.0\.1 is in use/);
  assert.match(stderr, /--http 0/);
});

test('it ends by a signal, with streams open', async (t) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const { url, child, ended } = await startHttp(t, repo.dir);
    const old = new OldClient({ name: 'old', version: '1' });
    old.onerror = () => {};
    t.after(() => old.close());
    await old.connect(new OldTransport(url));
    await old.callTool(question);
    child.kill(signal);
    assert.deepEqual(await ended, [0, null], signal);
  }
});

test('it ends with the program that holds its input, and not without one', async (t) => {
  const held = await startHttp(t, repo.dir);
  await (await connectHttp(t, held.url)).listTools();
  await new Promise((resolve) => setTimeout(resolve, 600));
  held.child.stdin?.end();
  assert.deepEqual(await held.ended, [0, null]);
  // /dev/null, as service managers give; and a pipe that nobody ever held open.
  const alone = await startHttp(t, repo.dir, { stdin: 'none' });
  const piped = await startHttp(t, repo.dir, { stdin: 'ended' });
  await new Promise((resolve) => setTimeout(resolve, 700));
  for (const { url } of [alone, piped]) assert.ok((await (await connectHttp(t, url)).listTools()).tools.length > 0);
});

test('the Inspector lists, calls and reads over HTTP', async (t) => {
  const { url } = await startHttp(t, repo.dir, { args: [] });
  const inspect = (...args: string[]) => runInspector([url.href, '--transport', 'http', ...args]);
  const { tools } = await inspect('--method', 'tools/list');
  assert.ok(tools.some(({ name }: { name: string }) => name === 'codebase_search'));
  const called = await inspect('--method', 'tools/call', '--tool-name', 'codebase_search', '--tool-arg', 'query=cart');
  assert.match(JSON.stringify(called.content), /src\/cart\.ts/);
  const { resources } = await inspect('--method', 'resources/list');
  assert.equal(resources[0].uri, 'socraticode://status');
});

/** Its program finds its own files from the directory that it runs in. */
const INSPECTOR = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector-cli/build/index.js');

// biome-ignore lint/suspicious/noExplicitAny: replies of many shapes
function runInspector(args: readonly string[]): Promise<any> {
  const child = spawn(process.execPath, [INSPECTOR, ...args], {
    cwd: dirname(INSPECTOR),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(out));
      else reject(new Error(`the Inspector ended with ${code}: ${err}${out}`));
    });
  });
}
