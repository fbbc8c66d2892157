/**
 * Hooks that git's configuration names, from git 2.54 on. Where git is older, a stand-in that reports 2.54 runs the commands
 * after a commit as that git does: through the shell, with the hook's arguments behind.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import type { HooksChange, HooksStatus } from '../../src/questions/hooks/question.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { capturedGit, cleanPath, installHooks, logged } from '../support/repositories/hooks.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';

const REAL = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();

/** PATH with the stand-in first. */
function standIn(): string {
  const directory = makeDirectory('git');
  const lines = [
    '#!/bin/sh',
    'for word do [ "$word" = version ] && echo "git version 2.54.0" && exit; done',
    `'${REAL}' "$@" || exit`,
    '[ "$1" = commit ] || exit 0',
    `for key in $('${REAL}' config --name-only --get-regexp '^hook\\..*\\.event$' '^post-commit$'); do`,
    `  command=$('${REAL}' config "\${key%.event}.command")`,
    '  sh -c "$command" || echo "hook failed" >&2',
    'done',
  ];
  writeFileSync(join(directory, 'git'), `${lines.join('\n')}\n`);
  chmodSync(join(directory, 'git'), 0o755);
  return `${directory}${delimiter}${cleanPath()}`;
}

const config = (repo: TestRepo) => readFileSync(join(repo.commonDir, 'config'), 'utf8');
const hookFiles = (repo: TestRepo) =>
  readdirSync(join(repo.commonDir, 'hooks')).filter((name) => !name.endsWith('.sample'));

test('they are entries of the configuration: no file is made or touched, and uninstalling leaves nothing', async () => {
  const repo = createRepo();
  const foreign = '#!/usr/bin/env python3\n';
  repo.write({ '.git/hooks/post-commit': foreign, 'a.ts': 'export const a = 1;\n' });
  const before = config(repo);
  const env = { PATH: standIn() };
  const change = (...args: string[]) => cliJson<HooksChange>(['hooks', ...args], { cwd: repo.dir, env });
  const first = await change('install', '--share');
  assert.deepEqual([first.manager, first.written, first.byHand], ['config', true, null]);
  assert.deepEqual(hookFiles(repo), ['post-commit']);
  const events = repo.git('config', '--get-all', 'hook.git-socraticode.event').split('\n');
  assert.deepEqual(events, ['post-commit', 'post-merge', 'post-checkout', 'post-rewrite', 'post-applypatch']);
  assert.equal(repo.git('config', 'hook.git-socraticode-share.event'), 'pre-push');
  const installed = config(repo);
  assert.deepEqual([(await change('install', '--share')).written, config(repo)], [false, installed]);
  const { hooks } = await cliJson<HooksStatus>(['hooks', 'status'], { cwd: repo.dir, env });
  assert.ok(hooks.every(({ state }) => state === 'installed'));
  await change('install');
  assert.doesNotMatch(config(repo), /share/);

  repo.git('-c', 'core.hooksPath=/dev/null', 'add', 'a.ts');
  const committed = capturedGit(repo.dir, ['commit', '-q', '-m', 'x'], env);
  assert.equal(committed.status, 0);
  assert.doesNotMatch(committed.stderr, /failed|socraticode/);
  await logged(repo, /indexed .*post-commit/);

  await change('uninstall');
  assert.deepEqual([config(repo), hookFiles(repo)], [before, ['post-commit']]);
});

test('the command tells its event from the arguments that git appends, and always succeeds', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  await cli(['hooks', 'install'], { cwd: repo.dir, env: { PATH: standIn() } });
  const command = repo.git('config', 'hook.git-socraticode.command');
  const run = (...args: string[]) =>
    spawnSync('sh', ['-c', `${command} "$@"`, command, ...args], { cwd: repo.dir, encoding: 'utf8' });
  const cases = [
    [['a', 'b', '1'], 'post-checkout'],
    [['rebase'], 'post-rewrite'],
    [['0'], 'post-merge'],
    [[], 'post-commit'],
  ] as const;
  let from = 0;
  for (const [args, event] of cases) {
    const { status, stdout, stderr } = run(...args);
    assert.deepEqual([status, stdout, stderr], [0, '', '']);
    await logged(repo, new RegExp(`indexed .*\\(${event}\\)`), from++);
  }
});

test('what an older git put into files is taken out when configuration takes over', async () => {
  const repo = createRepo();
  await installHooks(repo, '--share');
  assert.equal(hookFiles(repo).length, 6);
  await cliJson(['hooks', 'install'], { cwd: repo.dir, env: { PATH: standIn() } });
  assert.deepEqual(hookFiles(repo), []);
  repo.commit({ 'a.ts': 'x\n' });
  const env = { PATH: standIn() };
  const { hook } = await cliJson<{ hook: { installed: boolean } }>(['status'], { cwd: repo.dir, env });
  assert.equal(hook.installed, true);
});
