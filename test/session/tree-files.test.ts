/** Files of a snapshot by their path, blob or commit, with uncommitted changes or without. */
import assert from 'node:assert/strict';
import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BlobFactsSource } from '../../src/session/blob-facts.js';
import { Session } from '../../src/session/session.js';
import { parseRange, readBaseline } from '../../src/session/snapshot/target.js';
import { AnchoredFiles } from '../../src/session/tree-files.js';
import { createRepo } from '../support/repositories/repo.js';
import { blobOf } from '../support/repositories/share.js';

async function opened(t: { after: (work: () => unknown) => void }, repo: { dir: string }): Promise<Session> {
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  return session;
}

test('a blob is at the paths that have it now: not where a file was changed or deleted, and where one has come to be', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'one\n', 'b.ts': 'one\n', 'c.ts': 'one\n', 'd.ts': 'two\n' });
  const blob = blobOf(repo, 'a.ts');
  repo.write({ 'b.ts': 'changed\n', 'new.ts': 'one\n' });
  repo.git('rm', '-q', '--cached', 'c.ts');
  repo.git('clean', '-qf', 'c.ts');
  const session = await opened(t, repo);
  const origin = await session.origin(undefined);
  const paths = async (worktree: boolean) =>
    [...(await new AnchoredFiles(session, origin, worktree).pathsOf(blob))].sort();
  assert.deepEqual(await paths(true), ['a.ts', 'new.ts']);
  assert.deepEqual(await paths(false), ['a.ts', 'b.ts', 'c.ts']);
});

test('a blob is at the path of a program as well, and at no link', async (t) => {
  const repo = createRepo();
  repo.write({ 'a.sh': 'run.sh', 'run.sh': 'run.sh' });
  chmodSync(join(repo.dir, 'run.sh'), 0o755);
  symlinkSync('run.sh', join(repo.dir, 'link'));
  repo.commit();
  const session = await opened(t, repo);
  const files = new AnchoredFiles(session, await session.origin('HEAD'), false);
  assert.deepEqual(await files.pathsOf(blobOf(repo, 'a.sh')), ['a.sh', 'run.sh']);
});

test('A...B is compared with where these two part, whatever is checked out', async (t) => {
  const repo = createRepo();
  const first = repo.commit({ 'a.ts': '1\n' });
  repo.git('branch', 'other');
  const fork = repo.commit({ 'a.ts': '2\n' });
  repo.git('branch', 'side');
  repo.commit({ 'a.ts': '3\n' });
  repo.git('checkout', '-q', 'side');
  repo.commit({ 'b.ts': '1\n' });
  repo.git('checkout', '-q', 'other');
  const session = await opened(t, repo);
  const base = async (range: string) => (await readBaseline(session, parseRange(range))).commit;
  assert.deepEqual([await base('main...side'), await base('side...main')], [fork, fork]);
  assert.deepEqual([await base('main...'), await base('side...other')], [first, first]);
});

test('the same bytes say other things in another language', async (t) => {
  const text = 'def total(a):\n    return a\n';
  const repo = createRepo();
  repo.commit({ 'a.py': text, 'a.ts': text, 'b.py': text });
  const session = await opened(t, repo);
  const source = new BlobFactsSource(session, { languages: {}, maxFileBytes: 1_000 });
  t.after(() => source.close());
  const oid = blobOf(repo, 'a.py');
  const names = async (path: string) => (await source.facts({ oid, path }))?.symbols.map(({ name }) => name);
  assert.deepEqual(await names('a.ts'), []);
  assert.deepEqual(await names('a.py'), ['total']);
  assert.deepEqual(await names('b.py'), ['total']);
});
