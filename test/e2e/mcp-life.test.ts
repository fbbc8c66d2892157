/** A server's life as a process: what it writes where, when it ends, and what it leaves behind. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock } from '../../src/base/lock.js';
import { CLI, cli } from '../support/processes/cli.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';
import { startRaw } from '../support/servers/mcp.js';

/** Ends soon: generous, for machines that are busy with other tests. */
const PROMPT_MS = 15_000;

function repoWith(files: number): TestRepo {
  const repo = createRepo();
  const text = (i: number) => `export function handler${i}(request: string): string {\n  return request + ${i};\n}\n`;
  repo.commit(Object.fromEntries(Array.from({ length: files }, (_, i) => [`src/file${i}.ts`, text(i)])));
  return repo;
}

/** What is asked is answered in full, however busy the machine is. */
async function indexedRepo(files: number): Promise<TestRepo> {
  const repo = repoWith(files);
  await cli(['index'], { cwd: repo.dir });
  return repo;
}

/** Processes of this machine that were started by `pid`, those that they started included. */
function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It has ended since.
    }
  }
  const isOurs = (each: number): boolean =>
    parents.get(each) === pid || (parents.has(each) && isOurs(parents.get(each) ?? 0));
  return [...parents.keys()].filter(isOurs);
}

const isAlive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

async function allGone(pids: readonly number[]): Promise<boolean> {
  const until = performance.now() + PROMPT_MS;
  while (pids.some(isAlive) && performance.now() < until) await sleep(20);
  return !pids.some(isAlive);
}

/** Waits until the server has started processes to index with, and returns them. */
async function whileIndexing(pid: number): Promise<number[]> {
  const until = performance.now() + PROMPT_MS;
  while (descendants(pid).length === 0 && performance.now() < until) await sleep(20);
  return descendants(pid);
}

/** Raced, so that a server that does not end fails the test instead of keeping it. */
const within = <T>(promise: Promise<T>): Promise<T | 'too late'> =>
  Promise.race([promise, sleep(PROMPT_MS, 'too late' as const, { ref: false })]);

test('stdout carries the protocol only, whatever is asked and logged', async (t) => {
  const repo = await indexedRepo(5);
  const server = startRaw(t, repo.dir, { env: { SOCRATICODE_LOG_LEVEL: 'debug' } });
  await server.initialize();
  const calls = [
    { name: 'codebase_search', arguments: { query: 'handler3' } },
    { name: 'codebase_search', arguments: { limit: -1 } },
    { name: 'codebase_search', arguments: { query: 'x', ref: 'no-such-branch' } },
    { name: 'codebase_status', arguments: {} },
    { name: 'codebase_no_such_tool', arguments: {} },
  ];
  const answers = calls.map((params, i) => {
    const answer = server.answer(i + 1);
    server.request(i + 1, 'tools/call', params);
    return answer;
  });
  server.child.stdin.write('this is no JSON\n');
  const [found, wrong, unknownRef, status, unknownTool] = await Promise.all(answers);
  assert.match(found.result.content[0].text, /src\/file3\.ts:1-3/);
  assert.equal(wrong.result.isError, true);
  assert.equal(unknownRef.result.structuredContent.error.code, 'UNKNOWN_REF');
  assert.equal(status.result.isError, undefined);
  assert.equal(unknownTool.error.code, -32602);
  for (const line of server.lines) assert.equal(JSON.parse(line).jsonrpc, '2.0');
  assert.match(server.stderr(), /git-socraticode: codebase_search: UNKNOWN_REF/);
});

test('ends with code 0 when its client closes stdin, and so does what it has started', async (t) => {
  const repo = repoWith(400);
  const server = startRaw(t, repo.dir);
  await server.initialize();
  const started = await whileIndexing(server.child.pid ?? 0);
  server.child.stdin.end();
  assert.deepEqual(await within(server.exited), { code: 0, signal: null });
  assert.equal(server.stderr(), '');
  assert.ok(await allGone(started));
  assert.equal(repo.fsck(), '');
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`ends on ${signal}, quietly`, async (t) => {
    const server = startRaw(t, repoWith(50).dir);
    await server.initialize();
    const started = descendants(server.child.pid ?? 0);
    server.child.kill(signal);
    assert.deepEqual(await within(server.exited), { code: 0, signal: null });
    assert.equal(server.stderr(), '');
    assert.ok(await allGone(started));
  });
}

test('ends when its parent is killed', async (t) => {
  const repo = repoWith(400);
  const script = `
    const child = require('node:child_process').spawn(process.execPath, ${JSON.stringify([CLI, '-C', repo.dir, 'mcp'])}, { stdio: ['pipe', 'pipe', 'ignore'] });
    const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
    send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } } });
    child.stdout.once('data', () => { send({ method: 'notifications/initialized' }); console.log(child.pid); });
  `;
  const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => parent.kill('SIGKILL'));
  const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
  const left = [pid, ...(await whileIndexing(pid))];
  parent.kill('SIGKILL');
  assert.ok(await allGone(left));
});

test('ends quietly when its client stops reading answers', async (t) => {
  const server = startRaw(t, repoWith(3).dir);
  await server.initialize();
  server.child.stdout.destroy();
  for (let id = 1; id < 20; id++) server.request(id, 'tools/list');
  // Its streams are closed already: what is waited for is the process.
  const exited = new Promise((resolve) => server.child.on('exit', resolve));
  assert.equal(await within(exited), 0);
  assert.equal(server.stderr(), '');
});

test('nonsense of any size is answered, and what comes after it as well', async (t) => {
  const server = startRaw(t, (await indexedRepo(2)).dir);
  await server.initialize();
  const nested = `${'['.repeat(3_000)}${']'.repeat(3_000)}`;
  const sent = [
    JSON.stringify({ query: 'x'.repeat(1_000_000) }),
    JSON.stringify({ query: 'x', files: Array.from({ length: 10_000 }, () => ({})) }),
    `{"query":${nested}}`,
    '{"query":"x","__proto__":{"limit":1},"constructor":{"prototype":{}}}',
    '{"query":"x","cursor":"../../etc/passwd"}',
    '{"query":"\\u0000\\ud800","ref":"--upload-pack=x"}',
    '{"query":"handler0","projectPath":"/etc"}',
  ];
  for (const [i, args] of sent.entries()) {
    const answer = server.answer(i + 1);
    const params = `{"name":"codebase_search","arguments":${args}}`;
    server.child.stdin.write(`{"jsonrpc":"2.0","id":${i + 1},"method":"tools/call","params":${params}}\n`);
    const { result, error } = await answer;
    assert.ok(result?.isError ?? error, args.slice(0, 80));
    assert.ok(JSON.stringify(result ?? error).length < 3_000, 'a short reply');
    assert.doesNotMatch(JSON.stringify(result ?? error), /INTERNAL|\bat .*\.js/, args.slice(0, 80));
  }
  const found = server.answer(99);
  server.request(99, 'tools/call', { name: 'codebase_search', arguments: { query: 'handler0' } });
  assert.match((await found).result.content[0].text, /src\/file0\.ts/);
});

test('answers several requests at once, in whatever order they are ready', async (t) => {
  const server = startRaw(t, (await indexedRepo(30)).dir);
  await server.initialize();
  const ids = Array.from({ length: 30 }, (_, i) => i + 1);
  const answers = ids.map(server.answer);
  for (const id of ids)
    server.request(id, 'tools/call', { name: 'codebase_search', arguments: { query: `handler${id - 1}`, limit: 1 } });
  for (const [i, { result }] of (await Promise.all(answers)).entries())
    assert.match(result.content[0].text, new RegExp(`src/file${i}\\.ts`));
  // Node warns of many listeners, which hosts show as a fault.
  assert.equal(server.stderr(), '');
});

test('what is cancelled is not answered, and others that wait for the same are', async (t) => {
  const server = startRaw(t, repoWith(300).dir);
  await server.initialize();
  const ids = Array.from({ length: 12 }, (_, i) => i + 1);
  const answers = ids.filter((id) => id % 2 === 0).map(server.answer);
  for (const id of ids)
    server.request(id, 'tools/call', { name: 'codebase_search', arguments: { query: 'handler2', limit: 1 } });
  for (const id of ids.filter((each) => each % 2 === 1))
    server.send({ method: 'notifications/cancelled', params: { requestId: id, reason: 'changed my mind' } });
  for (const { result } of await Promise.all(answers)) assert.equal(result.isError, undefined, result.content[0].text);
  const answered = server.lines.map((line) => JSON.parse(line).id).filter((id) => id > 0);
  assert.deepEqual(
    answered.sort((a, b) => a - b),
    ids.filter((id) => id % 2 === 0),
  );
});

test('a repository that is removed while it runs is an answer, not an end', async (t) => {
  const repo = await indexedRepo(3);
  const server = startRaw(t, repo.dir);
  await server.initialize();
  const ask = (id: number) => {
    const answer = server.answer(id);
    server.request(id, 'tools/call', { name: 'codebase_search', arguments: { query: 'handler1' } });
    return answer;
  };
  assert.equal((await ask(1)).result.isError, undefined);
  rmSync(repo.dir, { recursive: true, force: true, maxRetries: 5 });
  const { result } = await ask(2);
  assert.equal(result.isError, true);
  assert.notEqual(result.structuredContent.error.code, 'INTERNAL');
  const status = server.answer(3);
  server.request(3, 'tools/list');
  assert.ok((await status).result.tools.length > 0);
});

test('while another process writes the index, what there is is searched, and the reply says so', async (t) => {
  const repo = repoWith(3);
  mkdirSync(repo.state, { recursive: true });
  const release = await acquireLock(join(repo.state, 'writer.lock'), { waitMs: 0 });
  t.after(release);
  const server = startRaw(t, repo.dir);
  await server.initialize();
  const answer = server.answer(1);
  server.request(1, 'tools/call', { name: 'codebase_search', arguments: { query: 'handler1' } });
  const { result } = await answer;
  assert.equal(result.isError, undefined);
  assert.match(result.content[0].text, /partial: 0\/3 files · indexing HEAD: waiting for process \d+/);
  assert.deepEqual(result.structuredContent.coverage, { covered: 0, total: 3 });
});

test('starts outside of a repository, and says what to do', async (t) => {
  const server = startRaw(t, makeDirectory());
  await server.initialize();
  const answer = server.answer(1);
  server.request(1, 'tools/call', { name: 'codebase_search', arguments: { query: 'x' } });
  const { result } = await answer;
  assert.equal(result.structuredContent.error.code, 'NOT_A_REPOSITORY');
  assert.match(result.content[0].text, /projectPath/);
});

test('a toolset that does not exist is refused with those that do', async () => {
  const { code, stdout, stderr } = await cli(['mcp', '--toolsets', 'core,grahp']);
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(
    stderr,
    /no toolset "grahp"\n {2}Toolsets: core, graph, history, context, docs, knowledge, tasks, admin, fleet, or all/,
  );
});

test('a client that asks and does not read holds its own requests up, loses none, and can end the server', async (t) => {
  const repo = repoWith(3);
  const server = startRaw(t, repo.dir, { args: [], structured: false });
  await server.initialize();
  // Its tools are loaded.
  const listed = server.answer(1);
  server.request(1, 'tools/list');
  await listed;
  server.child.stdout.pause();
  // Far more than what waits in the server and in the pipe, so that it cannot read all.
  const last = 500;
  const params = { padding: 'x'.repeat(20_000) };
  for (let id = 2; id <= last; id++) server.request(id, 'tools/list', params);
  const until = performance.now() + PROMPT_MS;
  for (let before = -1; before !== server.child.stdin.writableLength && performance.now() < until; await sleep(500))
    before = server.child.stdin.writableLength;
  assert.ok(server.child.stdin.writableLength > 0);
  const answered = server.answer(last);
  server.child.stdout.resume();
  await answered;
  assert.equal(server.lines.length, last + 1);
  server.child.stdout.pause();
  for (let id = 2; id <= last; id++) server.request(id, 'tools/list', params);
  server.child.kill('SIGTERM');
  const exited = new Promise((resolve) => server.child.on('exit', resolve));
  assert.equal(await within(exited), 0);
});
