/** The push hook: it shares after the push has ended, and the push notices nothing. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli } from '../support/in-process/cli.js';
import { capturedGit, installHooks, logged } from '../support/repositories/hooks.js';
import { createRepo, makeDirectory, TestRepo } from '../support/repositories/repo.js';

const notes = (repo: TestRepo) => Object.keys(repo.notesRefs()).length;

test('after a push, the index of what was pushed is there too', async () => {
  const remote = createRepo({ bare: true });
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  repo.git('remote', 'add', 'origin', `file://${remote.dir}`);
  await installHooks(repo, '--share');
  repo.commit({ 'b.ts': 'export const b = 1;\n' });
  await logged(repo, /indexed/);
  const { status, stdout, stderr } = capturedGit(repo.dir, ['push', '-q', 'origin', 'main']);
  assert.deepEqual([status, stdout, stderr], [0, '', '']);
  await logged(repo, /shared .* with origin/);
  assert.equal(notes(remote), 1);
});

test('a push that fails, or a remote that is gone, is a line in the log and nothing else', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const remote = new TestRepo(createRepo({ bare: true, directory: makeDirectory('remote') }).dir);
  repo.git('remote', 'add', 'origin', `file://${remote.dir}`);
  await installHooks(repo, '--share');
  remote.git('config', 'receive.denyCurrentBranch', 'refuse');
  const { status } = capturedGit(repo.dir, ['push', '-q', 'origin', 'main:refs/heads/bad..name']);
  assert.notEqual(status, 0);
  assert.equal(capturedGit(repo.dir, ['push', '-q', 'origin', 'main']).status, 0);
  await logged(repo, /(shared|failed) .*with origin/);
});

test('a queue and a configuration that came with the repository cause no push', async () => {
  const remote = createRepo({ bare: true });
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  repo.git('remote', 'add', 'origin', `file://${remote.dir}`);
  repo.git('push', '-q', 'origin', 'main');
  // No process has this number: the push is over at once.
  const queue = () => repo.write({ '.git/socraticode/hook.queue': `pre-push 999999999 origin\n${repo.dir}\0` });
  const run = () => cli(['hooks', 'run'], { cwd: repo.dir });
  assert.equal((await cli(['index'], { cwd: repo.dir })).code, 0);
  queue();
  await run();
  await logged(repo, /did not share .*: the pre-push hook is not installed$/);
  await installHooks(repo, '--share');
  repo.git('config', 'remote.origin.receivepack', `touch '${repo.dir}/ran' && git-receive-pack`);
  queue();
  await run();
  await logged(repo, /did not share .*: remote\.origin\.receivepack in \.git\/config/);
  repo.git('config', '--unset', 'remote.origin.receivepack');
  repo.git('config', 'remote.origin.pushurl', './inside.git');
  queue();
  await run();
  await logged(repo, /did not share .*: \.\/inside\.git in/);
  assert.deepEqual([notes(remote), existsSync(join(repo.dir, 'ran'))], [0, false]);
  repo.git('config', '--unset', 'remote.origin.pushurl');
  queue();
  await run();
  await logged(repo, /shared .* with origin/);
  assert.equal(notes(remote), 1);
  // Of pushes that are over at once each is followed by its records.
  const backup = createRepo({ bare: true });
  repo.git('remote', 'add', 'backup', `file://${backup.dir}`);
  repo.git('push', '-q', 'backup', 'main');
  const push = (name: string) => `pre-push 999999999 ${name}\n${repo.dir}\0`;
  repo.write({ '.git/socraticode/hook.queue': push('backup') + push('origin') });
  await run();
  await logged(repo, /shared .* with backup/);
  assert.equal(notes(backup), 1);
});
