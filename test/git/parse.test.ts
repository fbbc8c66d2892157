/** Settings that git reads from its configuration: which are there, and which are switched off. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gitEnvironment } from '../../src/git/process.js';
import {
  type ConfigEntry,
  isPartialClone,
  openRepository,
  readGitConfig,
  withoutConfiguredHooks,
  withoutLocalFilters,
  withoutLocalMergeDrivers,
} from '../../src/git/repository.js';
import { createRepo } from '../support/repositories/repo.js';

const entry = (key: string, scope: ConfigEntry['scope'], value = 'x'): ConfigEntry => ({
  key,
  value,
  scope,
  origin: 'file:x',
});

test('content filters of the repository are switched off, those of the user stay', () => {
  const settings = withoutLocalFilters([
    ...[
      entry('filter.lfs.clean', 'global'),
      entry('filter.evil.clean', 'local'),
      entry('filter.a.b=c.d.process', 'worktree'),
    ],
    ...[
      entry('filter.new\nline.smudge', 'local'),
      entry('filter.evil.required', 'local'),
      entry('core.pager', 'local'),
    ],
  ]);
  assert.deepEqual(settings, [
    ...[
      ['filter.evil.clean', ''],
      ['filter.evil.required', 'false'],
    ],
    ...[
      ['filter.a.b=c.d.process', ''],
      ['filter.a.b=c.d.required', 'false'],
    ],
    ...[
      ['filter.new\nline.smudge', ''],
      ['filter.new\nline.required', 'false'],
    ],
  ]);
});

test('merge drivers of the repository become the merge of git itself, those of the user stay', () => {
  const merge = 'git merge-file -q %A %O %B';
  const config = [
    entry('merge.mine.driver', 'global'),
    entry('merge.a.driver', 'local'),
    entry('merge.two\nlines.b.driver', 'worktree'),
    entry('merge.a.name', 'local'),
  ];
  assert.deepEqual(withoutLocalMergeDrivers(config), [
    ['merge.renormalize', 'false'],
    ['merge.a.driver', merge],
    ['merge.two\nlines.b.driver', merge],
  ]);
});

test('hooks that any configuration names are switched off, each once', () => {
  const config = [
    entry('hook.a.command', 'global'),
    entry('hook.a.event', 'global'),
    entry('hook.b.c.event', 'local'),
    entry('hook.d.enabled', 'local'),
    entry('hook.command', 'local'),
  ];
  assert.deepEqual(withoutConfiguredHooks(config), [
    ['hook.a.enabled', 'false'],
    ['hook.b.c.enabled', 'false'],
  ]);
});

test('configuration keeps scopes, order, newlines and values that look like syntax', async () => {
  const repo = createRepo();
  const included = join(repo.commonDir, 'extra.config');
  writeFileSync(included, '[socraticode]\n\texclude = included\n');
  repo.git('config', 'socraticode.exclude', 'first');
  repo.git('config', '--add', 'socraticode.exclude', 'two\nlines = x');
  repo.git('config', 'include.path', included);
  repo.git('config', '--global', 'socraticode.exclude', 'from-global');
  writeFileSync(join(repo.commonDir, 'config'), '[flag]\n\tset\n', { flag: 'a' });
  const { git } = await openRepository(repo.dir);
  const entries = await readGitConfig(git);
  const mine = entries.filter(({ key }) => key === 'socraticode.exclude').map(({ value, scope }) => [scope, value]);
  repo.git('config', '--global', '--unset-all', 'socraticode.exclude');
  const expected = [
    ['global', 'from-global'],
    ['local', 'first'],
    ['local', 'two\nlines = x'],
    ['local', 'included'],
  ];
  assert.deepEqual(mine, expected);
  assert.equal(entries.find(({ key }) => key === 'flag.set')?.value, 'true');
  assert.equal(entries.find(({ value }) => value === 'included')?.origin, `file:${included}`);
  assert.ok(!entries.some(({ key, value }) => key === 'core.hookspath' && value === '/dev/null'));
});

test('partial clones are recognised', () => {
  assert.equal(isPartialClone([entry('remote.origin.url', 'local')]), false);
  assert.equal(isPartialClone([entry('user.name', 'local'), entry('remote.a.b.promisor', 'local', 'true')]), true);
  assert.equal(isPartialClone([entry('extensions.partialclone', 'local', 'origin')]), true);
});

test('the environment of git names no other repository', () => {
  const before = { ...process.env };
  const local = createRepo().git('rev-parse', '--local-env-vars').split('\n');
  try {
    for (const name of [...local, 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_VALUE_0']) process.env[name] = 'evil';
    const env = gitEnvironment([['a.b', 'c']]);
    for (const name of local) assert.notEqual(env[name], 'evil', name);
    assert.deepEqual([env.GIT_CONFIG_COUNT, env.GIT_CONFIG_KEY_0, env.GIT_CONFIG_VALUE_0], ['1', 'a.b', 'c']);
    assert.equal(env.GIT_NO_REPLACE_OBJECTS, '1');
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
});
