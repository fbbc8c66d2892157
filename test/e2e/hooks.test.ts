/** `hooks install`, `uninstall` and `status` beside what else looks after hooks: nothing foreign is touched. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type HooksChange,
  type HooksStatus,
  hooksChangeSchema,
  hooksStatusSchema,
} from '../../src/questions/hooks/question.js';
import { check } from '../support/check.js';
import { cli } from '../support/processes/cli.js';
import { logged } from '../support/repositories/hooks.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';

const INDEXING = ['post-commit', 'post-merge', 'post-checkout', 'post-rewrite', 'post-applypatch'];

interface Ran {
  code: number | null;
  report: HooksChange;
}

async function change(repo: TestRepo, action: 'install' | 'uninstall', ...flags: string[]): Promise<Ran> {
  const { code, stdout, stderr } = await cli(['hooks', action, ...flags, '--json'], { cwd: repo.dir });
  assert.notEqual(code, 2, stderr);
  return { code, report: check(hooksChangeSchema, JSON.parse(stdout)) };
}

async function statusOf(repo: TestRepo): Promise<HooksStatus> {
  const { stdout } = await cli(['hooks', 'status', '--json'], { cwd: repo.dir });
  return check(hooksStatusSchema, JSON.parse(stdout));
}

/** Every file below the git directory that could be a hook or name one, with mode and bytes. */
function snapshot(repo: TestRepo, ...folders: string[]): Record<string, string> {
  const files: Record<string, string> = { config: readFileSync(join(repo.commonDir, 'config'), 'latin1') };
  for (const folder of ['.git/hooks', ...folders]) {
    const directory = join(repo.dir, folder);
    if (!existsSync(directory)) continue;
    for (const name of readdirSync(directory)) {
      const path = join(directory, name);
      const stat = lstatSync(path);
      if (stat.isFile()) files[`${folder}/${name}`] = `${stat.mode.toString(8)} ${readFileSync(path, 'latin1')}`;
    }
  }
  return files;
}

const changes = ({ hooks }: HooksChange) => Object.fromEntries(hooks.map(({ event, change }) => [event, change]));

function writeHook(repo: TestRepo, path: string, text: string, mode = 0o755): void {
  repo.write({ [path]: Buffer.from(text, 'latin1') });
  chmodSync(join(repo.dir, path), mode);
}

test('installing, twice, with and without sharing; uninstalling leaves nothing', async () => {
  const repo = createRepo();
  const before = snapshot(repo);
  const first = await change(repo, 'install');
  assert.deepEqual([first.code, Object.keys(changes(first.report))], [0, INDEXING]);
  const installed = snapshot(repo);
  for (const event of INDEXING) assert.match(installed[`.git/hooks/${event}`], /^100755 #!\/bin\/sh\n/);
  const second = await change(repo, 'install');
  assert.deepEqual([second.report.written, snapshot(repo)], [false, installed]);
  await change(repo, 'install', '--share');
  assert.match(snapshot(repo)['.git/hooks/pre-push'], /socraticode_event=pre-push/);
  await change(repo, 'install');
  assert.deepEqual(snapshot(repo), installed);
  await change(repo, 'install', '--share');
  await change(repo, 'uninstall');
  assert.deepEqual(snapshot(repo), before);
  const { stdout } = await cli(['hooks', 'uninstall'], { cwd: repo.dir });
  assert.match(stdout, /no hooks of git-socraticode/);
});

test('hooks that are there: which of them take our lines, why the others do not, and what to do by hand', async () => {
  const repo = createRepo();
  writeHook(repo, '.git/hooks/post-commit', '#!/bin/sh\n# caf\xe9\necho theirs >ran\nexit 0\n', 0o775);
  writeHook(repo, '.git/hooks/post-merge', '#!/usr/bin/env bash\nset -euo pipefail\necho merged');
  writeHook(repo, '.git/hooks/post-checkout', '#!/usr/bin/env python3\nprint(1)\n');
  writeHook(repo, '.git/hooks/post-rewrite', '#!/bin/sh\necho off\n', 0o644);
  symlinkSync(join(makeDirectory('elsewhere'), 'hook'), join(repo.dir, '.git/hooks/post-applypatch'));
  const { code, report } = await change(repo, 'install');
  assert.equal(code, 1);
  assert.deepEqual(changes(report), {
    ...{ 'post-commit': 'add', 'post-merge': 'add', 'post-checkout': 'refuse', 'post-rewrite': 'refuse' },
    'post-applypatch': 'refuse',
  });
  const reasons = report.hooks.map(({ reason }) => reason ?? '').join('; ');
  assert.match(reasons, /not a shell script; it is not executable.*; it is a symbolic link/);
  assert.match(report.byHand ?? '', /^post-checkout:\n {2}\(git-socraticode hooks run --event post-checkout/);
  const states = (await statusOf(repo)).hooks.map(({ state }) => state);
  assert.deepEqual(states, ['installed', 'installed', 'foreign', 'foreign', 'foreign', 'absent']);
});

test('core.hooksPath: of the repository it is used, of everybody it is left alone', async () => {
  const repo = createRepo();
  repo.git('config', 'core.hooksPath', '.githooks');
  writeHook(repo, '.githooks/post-commit', '#!/bin/sh\necho x\n');
  const { report } = await change(repo, 'install');
  assert.deepEqual([report.committed, report.directory], [true, join(repo.dir, '.githooks')]);
  const after = snapshot(repo, '.githooks');
  // What gets committed names no path of this machine.
  assert.ok(!after['.githooks/post-commit'].includes(process.execPath));
  assert.equal((await statusOf(repo)).hooks[0].state, 'installed');

  const shared = makeDirectory('shared');
  repo.git('config', 'core.hooksPath', shared);
  const refused = await change(repo, 'install');
  assert.deepEqual([refused.code, readdirSync(shared)], [1, []]);
  assert.ok(refused.report.hooks.every((hook) => /outside this repository/.test(hook.reason ?? '')));
  assert.match((await statusOf(repo)).refusal ?? '', /outside/);
});

test('lefthook and pre-commit: their own way is printed, nothing is written', async () => {
  for (const [file, text] of [
    ['lefthook.yml', /post-commit:\n {2}commands:\n {4}socraticode:\n {6}run: \(git-socraticode hooks run/],
    ['.pre-commit-config.yaml', /stages: \[post-commit, .*\]\n {8}always_run: true\n {8}pass_filenames: false/],
  ] as const) {
    const repo = createRepo().write({ [file]: '# theirs\n' });
    const before = snapshot(repo);
    const { code, report } = await change(repo, 'install', '--share');
    assert.deepEqual([code, report.hooks, report.managerFile], [1, [], file]);
    assert.match(report.byHand ?? '', text);
    assert.match(report.byHand ?? '', /pre-push/);
    assert.deepEqual([snapshot(repo), readFileSync(join(repo.dir, file), 'utf8')], [before, '# theirs\n']);
    const { stdout } = await cli(['hooks', 'install'], { cwd: repo.dir });
    assert.match(stdout, new RegExp(`add this to ${file.replaceAll('.', '\\.')}`));
    repo.write({ [file]: report.byHand ?? '' });
    assert.equal((await statusOf(repo)).hooks[0].state, 'installed');
  }
});

test('what they are told to run queues the event, and the worker serves it', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const { code, stdout, stderr } = await cli(['hooks', 'run', '--event', 'post-merge'], { cwd: repo.dir });
  assert.deepEqual([code, stdout, stderr], [0, '', '']);
  await logged(repo, /indexed .*\(post-merge\)/);
  const bad = await cli(['hooks', 'run', '--event', 'pre-commit'], { cwd: repo.dir });
  assert.equal(bad.code, 2);
  // git names a repository that is not the one found here.
  const other = createRepo();
  const env = { GIT_DIR: join(repo.dir, '.git'), GIT_WORK_TREE: other.dir };
  await cli(['hooks', 'run', '--event', 'post-commit'], { cwd: other.dir, env });
  assert.equal(existsSync(join(other.state, 'log.jsonl')), false);
});

test('--print writes nothing and shows everything; a broken hooks directory is an error with a next step', async () => {
  const repo = createRepo();
  const before = snapshot(repo);
  const { stdout, code } = await cli(['hooks', 'install', '--print'], { cwd: repo.dir });
  assert.deepEqual([code, snapshot(repo)], [0, before]);
  assert.match(stdout, /--- .*post-rewrite\n#!\/bin\/sh\n# >>> git-socraticode >>>\n/);
  const print = await change(repo, 'install', '--print');
  assert.ok(!print.report.written && print.report.hooks.every(({ text }) => text?.includes('hook.queue')));
  const status = await cli(['hooks', 'status'], { cwd: repo.dir });
  assert.deepEqual([status.code, /post-commit +absent/.test(status.stdout)], [1, true]);
});

test('linked work trees share them, submodules and bare repositories have their own', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const linked = join(makeDirectory('linked'), 'tree');
  repo.git('worktree', 'add', '-q', linked);
  const { stdout } = await cli(['hooks', 'install', '--json'], { cwd: linked });
  assert.equal((JSON.parse(stdout) as HooksChange).directory, join(repo.dir, '.git/hooks'));
  const bare = createRepo({ bare: true });
  const report = (await change(bare, 'install')).report;
  assert.equal(report.directory, join(bare.dir, 'hooks'));
  mkdirSync(join(repo.dir, 'sub'));
  const outer = createRepo();
  outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', `file://${repo.dir}`, 'sub');
  const inner = await cli(['hooks', 'install', '--json'], { cwd: join(outer.dir, 'sub') });
  assert.equal((JSON.parse(inner.stdout) as HooksChange).directory, join(outer.dir, '.git/modules/sub/hooks'));
  assert.equal(statSync(join(outer.dir, '.git/modules/sub/hooks/post-commit')).mode & 0o111, 0o111);
});
