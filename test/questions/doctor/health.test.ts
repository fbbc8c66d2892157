/** The health check: what it finds wrong, and that it says what to do. */
import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { test } from 'node:test';
import { readHealth } from '../../../src/questions/doctor/answer.js';
import type { HealthCheck } from '../../../src/questions/doctor/question.js';
import { inProcess } from '../../support/in-process/search.js';
import { createRepo, makeDirectory, type TestRepo } from '../../support/repositories/repo.js';
import { EmbeddingServer } from '../../support/servers/embedding-server.js';

async function check(repo: TestRepo, flags: Record<string, unknown> = {}): Promise<Record<string, HealthCheck>> {
  const { checks, ok } = await inProcess(repo, ({ session }) => readHealth(session), flags);
  assert.equal(
    ok,
    checks.every((each) => each.ok),
  );
  for (const each of checks) assert.equal(each.hint === null, each.ok, each.name);
  return Object.fromEntries(checks.map((each) => [each.name, each]));
}

test('a repository with everything is in order, indexed or not', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const before = await check(repo);
  assert.deepEqual(
    Object.values(before).filter(({ ok }) => !ok),
    [],
  );
  assert.match(before.index.detail, /0 of 1 files of HEAD; the next search/);
  await inProcess(repo, (process) => process.search('a'));
  assert.equal((await check(repo)).index.detail, '1 of 1 files of HEAD');
  assert.deepEqual(Object.keys(before).length, 11);
});

test('an embedder is asked whether it is there, not for longer than two seconds, and gets no text', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const server = await new EmbeddingServer({ models: { 'nomic-embed-text': {} } }).listen();
  const embedder = { name: 'ollama', endpoint: server.url };
  try {
    assert.ok((await check(repo, { embedder })).embedder.ok);
    assert.ok(server.requests.every(({ path }) => path !== '/api/embed'));
  } finally {
    await server.close();
  }
  const gone = (await check(repo, { embedder })).embedder;
  assert.deepEqual([gone.ok, gone.detail.includes(embedder.endpoint)], [false, true]);
  const refused = (await check(repo, { embedder: { name: 'ollama', endpoint: 'http://gpu.example' } })).embedder;
  assert.match(refused.hint ?? '', /embedder\.remote true/);
});

test('a state directory that leads elsewhere is said', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  rmSync(repo.state, { recursive: true, force: true });
  symlinkSync(makeDirectory('elsewhere'), repo.state);
  assert.match((await check(repo)).disk.detail, /symbolic link/);
});
