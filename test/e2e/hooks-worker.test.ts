/** The worker that hooks start: where it writes, which work tree it serves, and who takes over from a dead one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { capturedGit, installHooks, logged, logLines, pathWith } from '../support/hooks.js';
import { createRepo, makeDirectory, TestRepo } from '../support/repo.js';

const COMMIT = ['commit', '--allow-empty', '-m', 'x'];

async function repoWithHooks(): Promise<TestRepo> {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  await installHooks(repo);
  return repo;
}

test('links packed into the state directory lead nowhere', async () => {
  const victim = makeDirectory('victim');
  const file = join(victim, 'file');
  for (const name of ['socraticode', 'hook.queue', 'hook.lock', 'hook.log', 'hook.starting', 'hook.taken']) {
    const repo = await repoWithHooks();
    writeFileSync(file, 'theirs\n');
    if (name === 'socraticode') {
      rmSync(repo.state, { recursive: true, force: true });
      symlinkSync(victim, repo.state);
    } else {
      mkdirSync(repo.state, { recursive: true });
      symlinkSync(file, join(repo.state, name));
    }
    assert.equal(capturedGit(repo.dir, COMMIT).status, 0);
    await sleep(1_000);
    assert.deepEqual([readdirSync(victim), readFileSync(file, 'utf8')], [['file'], 'theirs\n'], name);
  }
});

test('work trees with any name, linked or not, are indexed where they are', async () => {
  const repo = await repoWithHooks();
  const place = makeDirectory('names');
  for (const [i, name] of [`with space, quo"te's`, 'new\nline', '-rf', '$(touch x) '].entries()) {
    const linked = join(place, name);
    const from = logLines(repo).length;
    repo.git('worktree', 'add', '-q', '-b', `b${i}`, '--', linked);
    writeFileSync(join(linked, 'own.ts'), `export const own${i} = 1;\n`);
    assert.equal(capturedGit(linked, ['add', '.']).status, 0);
    assert.equal(capturedGit(linked, ['commit', '-q', '-m', 'own']).status, 0);
    const line = await logged(repo, / indexed .*post-commit/, from);
    assert.match(line, new RegExp(`: ${new TestRepo(linked).git('rev-parse', '--short=9', 'HEAD')}, `), name);
  }
  assert.deepEqual(readdirSync(place).length, 4);
});

test("git's variables of one repository do not lead the worker into another", async () => {
  const repo = await repoWithHooks();
  const elsewhere = createRepo();
  const place = [`--git-dir=${join(repo.dir, '.git')}`, `--work-tree=${elsewhere.dir}`];
  assert.equal(capturedGit(elsewhere.dir, [...place, ...COMMIT]).status, 0);
  await sleep(300);
  assert.deepEqual([existsSync(elsewhere.state), existsSync(join(repo.state, 'hook.queue'))], [false, false]);
  // `commit -a` gives its hooks an index file of their own.
  const said = join(makeDirectory('said'), 'env');
  const path = pathWith(
    'git-socraticode',
    `#!/bin/sh\nenv | grep '^GIT_\\(DIR\\|INDEX_FILE\\|PREFIX\\)=' >'${said}'; :\n`,
  );
  repo.write({ 'a.ts': 'export const a = 2;\n' });
  assert.equal(capturedGit(repo.dir, ['commit', '-a', '-m', 'x'], { PATH: path }).status, 0);
  for (let i = 0; i < 200 && !existsSync(said); i++) await sleep(25);
  assert.equal(statSync(said).size, 0);
});

test('an event that comes while a worker runs is served by it, and a dead one is replaced', async () => {
  const repo = await repoWithHooks();
  for (let i = 0; i < 4; i++) {
    capturedGit(repo.dir, COMMIT);
    await sleep(250);
  }
  await logged(repo, new RegExp(`indexed .*${repo.git('rev-parse', '--short=9', 'HEAD')}`));
  // Killed: its lock names a process that is gone, and what it had taken is still there.
  const { pid } = spawnSync('true');
  writeFileSync(join(repo.state, 'hook.lock'), JSON.stringify({ pid, host: hostname(), started: '1' }));
  writeFileSync(join(repo.state, 'hook.taken'), `post-merge 0 \n${repo.dir}\0`);
  const from = logLines(repo).length;
  capturedGit(repo.dir, COMMIT);
  assert.match(await logged(repo, /indexed/, from), /post-merge, post-commit/);
});
