/** What `publish --prune` deletes. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { answerPublish, prune } from '../../../fleet/src/answers/publish.js';
import { keptName } from '../../../fleet/src/keys.js';
import { Session } from '../../../src/session/session.js';
import { createRepo, makeDirectory } from '../../support/repositories/repo.js';
import '../../support/in-process/kept-parsers.js';

test('refs that are gone are deleted with their kept commits, and kept commits of other refs stay', async () => {
  const commit = 'c'.repeat(40);
  const refs = ['main', 'gone'].flatMap((name) => [name, keptName(name, commit)]).map((ref) => ({ ref, commit }));
  const removed: string[] = [];
  const publisher = { remove: async (name: string) => removed.push(name) > 0 };
  const work = { target: { refs: async () => refs }, known: new Set(['main']), profile: { id: 'p' } };
  const pruned = async (dryRun: boolean) => {
    const args = [publisher, { ...work, repo: 'shop', family: 'shop', dryRun }] as unknown;
    return (await prune(...(args as Parameters<typeof prune>))).map(({ ref, outcome }) => `${outcome} ${ref}`);
  };
  const gone = ['gone', keptName('gone', commit)];
  assert.deepEqual([await pruned(true), removed], [gone.map((name) => `planned ${name}`), []]);
  assert.deepEqual([await pruned(false), removed], [gone.map((name) => `deleted ${name}`), gone]);
});

test('a dry run says what a pruning would delete, and deletes nothing', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const cart = 1;\n' });
  repo.git('branch', 'gone');
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  const at = { session, signal: new AbortController().signal } as Parameters<typeof answerPublish>[0];
  const to = pathToFileURL(makeDirectory('fleet')).href;
  const published = async (values: object) =>
    (await answerPublish(at, { to, repo: 'shop', ...values } as Parameters<typeof answerPublish>[1])).refs
      .map(({ ref, outcome }) => `${outcome} ${ref}`)
      .sort();
  assert.deepEqual(await published({ branches: ['*'] }), ['published gone', 'published main']);
  repo.git('branch', '-D', 'gone');
  for (let i = 0; i < 2; i++)
    assert.deepEqual(await published({ prune: true, dryRun: true }), ['planned gone', 'planned main']);
  assert.deepEqual(await published({ prune: true }), ['deleted gone', 'unchanged main']);
});

test('an address of HTTP is that of a server, which is asked whether it has TLS or not', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const cart = 1;\n' });
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  let asked = 0;
  const server = createServer((_, response) => {
    asked++;
    response.writeHead(401).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const at = { session, signal: new AbortController().signal } as Parameters<typeof answerPublish>[0];
  await assert.rejects(answerPublish(at, { to, repo: 'shop' } as Parameters<typeof answerPublish>[1]));
  assert.ok(asked > 0);
});
