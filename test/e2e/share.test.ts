/** From one developer to the next: index, push, clone, search; the clone parses nothing and asks no provider. */
import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { IndexReport } from '../../src/questions/index/question.js';
import type { SearchResponse } from '../../src/questions/search/question.js';
import { pushIndex } from '../../src/questions/share/answer.js';
import type { PullReport, PushReport, ShareReport } from '../../src/questions/share/question.js';
import { fetchFirst } from '../../src/session/records/bring-records.js';
import { Session } from '../../src/session/session.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { cloneRepo, runGit, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';
import { countRequests, remoteWith, SELECTOR, sharedOf } from '../support/repositories/share.js';
import { startServer, vectorRefs } from '../support/repositories/vectors-repo.js';

const find = (repo: TestRepo, env: NodeJS.ProcessEnv = {}) =>
  cliJson<SearchResponse>(['search', 'rememberToken'], { cwd: repo.dir, env });

/** A remote with the project and its index. */
async function published() {
  const { remote, clone } = remoteWith(PROJECT);
  const report = await cliJson<IndexReport>(['index'], { cwd: clone.dir });
  const pushed = await cliJson<PushReport>(['push'], { cwd: clone.dir });
  return { remote, clone, report, pushed };
}

test('the first search in a fresh clone fetches the index and derives nothing', async (t) => {
  const { remote, clone, report, pushed } = await published();
  assert.deepEqual([pushed.status, pushed.sent, pushed.withheld], ['sent', report.blobs, 0]);
  const requests = countRequests(t);
  const fresh = cloneRepo(remote);
  const before = requests();
  const response = await find(fresh);
  assert.deepEqual([response.results[0].path, response.coverage.covered], ['src/session.ts', 4]);
  assert.equal(requests() - before, 1);
  // A record derived here would have been a commit of its own.
  assert.equal(fresh.git('rev-parse', fresh.notesRef), remote.git('rev-parse', clone.notesRef));
  await find(fresh);
  fresh.commit({ 'more.ts': 'export const more = 1;\n' });
  await find(fresh);
  assert.equal(requests() - before, 1);
  const other = cloneRepo(remote);
  const index = await cliJson<IndexReport>(['index'], { cwd: other.dir });
  assert.deepEqual([index.new, index.reused, index.chunks], [0, report.blobs, report.chunks]);
});

test("a provider's vectors come along: the clone embeds nothing", async (t) => {
  const server = await startServer(t);
  const env = { SOCRATICODE_EMBEDDER_NAME: 'ollama', SOCRATICODE_EMBEDDER_ENDPOINT: server.url };
  const { remote, clone } = remoteWith(PROJECT);
  await cliJson(['index'], { cwd: clone.dir, env });
  const pushed = await cliJson<PushReport>(['push'], { cwd: clone.dir, env });
  assert.equal(pushed.refs.length, 2);
  const [made] = [server.embeddings.length];
  const fresh = cloneRepo(remote);
  const { vectors, ...report } = await cliJson<IndexReport>(['index'], { cwd: fresh.dir, env });
  assert.deepEqual([report.new, vectors.covered, vectors.loaded], [0, vectors.total, vectors.total]);
  assert.equal(server.embeddings.length, made);
  // Without the provider in the settings its vectors are not even fetched.
  const plain = cloneRepo(remote);
  await find(plain);
  assert.deepEqual(vectorRefs(plain), []);
  const all = await cliJson<PullReport>(['pull', '--all'], { cwd: plain.dir });
  assert.equal(all.refs.length, 2);
  assert.equal(vectorRefs(plain).length, 1);
});

test('shared updates: enabled, git fetch brings what the next index needs', async () => {
  const { remote, clone } = await published();
  const other = cloneRepo(remote);
  await find(other);
  const enabled = await cliJson<ShareReport>(['share', 'enable'], { cwd: other.dir });
  assert.deepEqual([enabled.changed, enabled.enabled], [true, true]);
  clone.commit({ 'src/late.ts': 'export function lateArrival(): void {}\n' });
  clone.git('push', '-q', 'origin', 'main');
  await cliJson(['index'], { cwd: clone.dir });
  await cliJson(['push'], { cwd: clone.dir });
  other.git('pull', '-q');
  const status = await cliJson<ShareReport>(['share', 'status'], { cwd: other.dir });
  assert.deepEqual(
    status.refs.map(({ ahead, behind }) => [ahead, behind]),
    [[0, 1]],
  );
  const report = await cliJson<IndexReport>(['index'], { cwd: other.dir });
  assert.deepEqual([report.new, report.files], [0, 5]);
  assert.match((await cli(['share', 'disable'], { cwd: other.dir })).stdout, /now leaves the index alone/);
});

test('no index on the remote, no remote within reach, or none wanted: the clone does its own work', async (t) => {
  const { remote } = remoteWith(PROJECT);
  const without = cloneRepo(remote);
  assert.equal((await find(without)).results.length > 0, true);
  const indexed = await published();
  const [never, offline] = [cloneRepo(indexed.remote), cloneRepo(indexed.remote)];
  const requests = countRequests(t);
  // The user's own "never" stands above what a repository's configuration says.
  never.git('config', '--global', 'socraticode.share.fetch', 'never');
  t.after(() =>
    runGit(['config', '--global', '--unset-all', 'socraticode.share.fetch'], { cwd: '/', allowFailure: true }),
  );
  never.git('config', 'socraticode.share.fetch', 'auto');
  await find(never);
  assert.equal(requests(), 0);
  never.git('config', '--global', '--unset-all', 'socraticode.share.fetch');
  renameSync(indexed.remote.dir, `${indexed.remote.dir}-gone`);
  const first = await cli(['search', 'rememberToken'], { cwd: offline.dir });
  assert.deepEqual([first.code, first.stderr.split('\n').length], [0, 2]);
  assert.match(first.stderr, /nothing was fetched from origin; continuing without it: cannot reach origin/);
  assert.equal((await cli(['search', 'rememberToken'], { cwd: offline.dir })).stderr, '');
  const pull = await cli(['pull'], { cwd: offline.dir });
  assert.deepEqual([pull.code, pull.stdout], [2, '']);
});

test('a remote without an index is not asked again and again', async (t) => {
  const { remote } = remoteWith(PROJECT);
  const shared = await sharedOf(cloneRepo(remote));
  const requests = countRequests(t);
  assert.deepEqual([await fetchFirst(shared, [SELECTOR]), await fetchFirst(shared, [SELECTOR])], [0, 0]);
  assert.equal(requests(), 1);
});

test('no write access: reported for a push that was typed, silent for an automatic one', async (t) => {
  const { remote, clone } = remoteWith(PROJECT);
  await cliJson(['index'], { cwd: clone.dir });
  const hook = join(remote.dir, 'hooks', 'pre-receive');
  writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const typed = await cli(['push'], { cwd: clone.dir });
  assert.equal(typed.code, 2);
  assert.match(typed.stderr, /origin refused the push.*\n.*write access/);
  const requests = countRequests(t);
  const session = await Session.open({ directory: clone.dir });
  t.after(() => session.close());
  assert.equal((await pushIndex(session, { quiet: true })).status, 'denied');
  assert.equal(requests(), 0);
  writeFileSync(hook, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  assert.equal((await cli(['push'], { cwd: clone.dir })).code, 0);
  assert.equal((await pushIndex(session, { quiet: true })).status, 'up-to-date');
});

test("which remote: named, the branch's, origin, the only one; otherwise the names are listed", async () => {
  const { remote, clone } = await published();
  clone.git('remote', 'rename', 'origin', 'one');
  assert.match((await cli(['pull'], { cwd: clone.dir })).stdout, /^one: /);
  clone.git('remote', 'add', 'two', `file://${remote.dir}`);
  const unclear = await cli(['pull'], { cwd: clone.dir });
  assert.deepEqual([unclear.code, /there are one, two/.test(unclear.stderr)], [2, true]);
  clone.git('config', 'branch.main.remote', 'two');
  assert.match((await cli(['push'], { cwd: clone.dir })).stdout, /^two: up to date/);
  assert.match((await cli(['push', 'three'], { cwd: clone.dir })).stderr, /no remote is called three/);
});
