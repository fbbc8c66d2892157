/** Vectors from the command line: what is printed, and what the exit code is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DryRun, dryRunSchema, type IndexReport, indexReportSchema } from '../../src/questions/index/question.js';
import { type StatusReport, statusSchema } from '../../src/questions/status/question.js';
import { check } from '../support/check.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { PROJECT } from '../support/repositories/samples.js';
import { committed, deadAddress, startServer, vectorRefs } from '../support/repositories/vectors-repo.js';

const envOf = (url: string): NodeJS.ProcessEnv => ({
  SOCRATICODE_EMBEDDER_NAME: 'ollama',
  SOCRATICODE_EMBEDDER_ENDPOINT: url,
});

test('index, status and --dry-run with a provider', async (t) => {
  const server = await startServer(t);
  const repo = committed(PROJECT);
  const options = { cwd: repo.dir, env: envOf(server.url) };
  const plan: DryRun = check(dryRunSchema, await cliJson(['index', '--dry-run'], options));
  assert.deepEqual([plan.vectors.embedder, plan.vectors.isEstimate, server.requests.length], ['ollama', true, 0]);
  assert.ok(plan.vectors.wouldEmbed > 0);
  const report: IndexReport = check(indexReportSchema, await cliJson(['index'], options));
  assert.equal(report.vectors.covered, report.chunks);
  const requests = server.requests.length;
  const status: StatusReport = check(statusSchema, await cliJson(['status'], options));
  const { covered, total, bytes, notes, endpoint, fault } = status.vectors;
  assert.deepEqual([covered, total, endpoint, fault], [report.chunks, report.chunks, server.url, null]);
  assert.ok(bytes > covered * 768 && notes !== null);
  assert.deepEqual([notes.ref, notes.records], [vectorRefs(repo)[0], 4]);
  repo.commit({ 'src/more.ts': 'export function more(): void {}\n' });
  const after: DryRun = check(dryRunSchema, await cliJson(['index', '--dry-run'], options));
  assert.equal(after.vectors.wouldEmbed, 1);
  const text = await cli(['index', '--dry-run'], options);
  assert.match(text.stdout, /would embed about 1 chunk with ollama nomic-embed-text at http:/);
  assert.equal(server.requests.length, requests);
  const line = await cli(['index'], options);
  assert.match(line.stdout, /; \d+ vectors of nomic-embed-text \(1 made\)\n$/);
});

test('a provider that is down: the report, the error with its hint, exit 2, and words can be searched', async () => {
  const repo = committed(PROJECT);
  const options = { cwd: repo.dir, env: envOf(await deadAddress()) };
  const { code, stdout, stderr } = await cli(['index'], options);
  assert.equal(code, 2);
  assert.match(stdout, /4 files, \d+ chunks .*; 0 of \d+ vectors of nomic-embed-text\n$/);
  assert.match(
    stderr,
    /^git-socraticode: http:\/\/127\.0\.0\.1:\d+ [^\n]+; words are indexed, 0 of \d+ chunks have vectors\n {2}[^\n]*ollama serve[^\n]*\n$/,
  );
  const json = await cli(['index', '--json'], options);
  assert.equal(json.code, 2);
  assert.equal(check(indexReportSchema, JSON.parse(json.stdout)).vectors.fault?.code, 'EMBEDDER_UNREACHABLE');
  const status: StatusReport = await cliJson(['status'], options);
  assert.equal(status.vectors.fault?.code, 'EMBEDDER_UNREACHABLE');
  assert.ok(status.next.includes('git socraticode index'));
  const found = await cli(['search', 'rememberToken', '--mode', 'lexical'], options);
  assert.deepEqual([found.code, found.stdout.includes('src/session.ts')], [0, true]);
});

test('a missing model: status says how to get it, --pull gets it', async (t) => {
  const server = await startServer(t, { models: {} });
  const repo = committed(PROJECT);
  const options = { cwd: repo.dir, env: envOf(server.url) };
  const failed = await cli(['index'], options);
  assert.deepEqual([failed.code, /\n {2}ollama pull nomic-embed-text\n$/.test(failed.stderr)], [2, true]);
  const status: StatusReport = await cliJson(['status'], options);
  assert.deepEqual(status.next.slice(0, 2), ['ollama pull nomic-embed-text', 'git socraticode index']);
  const report: IndexReport = await cliJson(['index', '--pull'], options);
  assert.deepEqual([report.vectors.covered, report.vectors.fault], [report.chunks, null]);
  assert.equal(server.requests.filter(({ path }) => path === '/api/pull').length, 1);
  await cliJson(['index', '--pull'], options);
  assert.equal(server.requests.filter(({ path }) => path === '/api/pull').length, 1);
});

test('--pull is for Ollama', async () => {
  const { code, stderr } = await cli(['index', '--pull'], { cwd: committed(PROJECT).dir });
  assert.equal(code, 2);
  assert.match(stderr, /embedder\.name is builtin\n {2}\S/);
});

test('interrupted while a provider embeds: exit 130, words are indexed', async (t) => {
  const server = await startServer(t);
  const repo = committed(PROJECT);
  const { arrivals, release } = server.hold(1);
  const running = cli(['index'], {
    cwd: repo.dir,
    env: envOf(server.url),
    onStart: (child) => void arrivals.then(() => child.kill('SIGINT')),
  });
  const { code, stdout, stderr } = await running;
  release();
  assert.deepEqual([code, /4 files/.test(stdout)], [130, true]);
  assert.match(stderr, /cancelled; words are indexed/);
});
