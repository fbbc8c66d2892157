/** Attributes and filters: what is read from files and configuration. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createAttributes } from '../../src/git/attributes.js';
import { gitEnvironment } from '../../src/git/process.js';
import { openRepository } from '../../src/git/repository.js';
import { type ConfigEntry, isPartialClone, readGitConfig, withoutLocalFilters } from '../../src/git/worktree.js';
import { createRepo } from '../support/repositories/repo.js';

test('linguist attributes: later lines and deeper files win', () => {
  const attributes = createAttributes([
    {
      path: 'sub/.gitattributes',
      text: 'gen.ts -linguist-generated\r\n*.go linguist-vendored=true linguist-generated\n',
    },
    {
      path: '.gitattributes',
      text: '# comment\n*.ts linguist-generated\nkeep.ts !linguist-generated\nthird/** linguist-vendored\n*.md linguist-documentation=false\n',
    },
  ]);
  assert.equal(attributes('a.ts').generated, true);
  assert.equal(attributes('keep.ts').generated, false);
  assert.equal(attributes('sub/other.ts').generated, true);
  assert.equal(attributes('sub/gen.ts').generated, false);
  assert.deepEqual(attributes('sub/x.go'), { generated: true, vendored: true, documentation: false });
  assert.equal(attributes('x.go').vendored, false);
  assert.equal(attributes('third/party/x.c').vendored, true);
  assert.equal(attributes('substitute/gen.ts').generated, true);
});

test('malformed attribute files are ignored', () => {
  const text =
    '[attr]macro linguist-generated\n"quo ted" linguist-generated\n!x linguist-generated\n\0\n*\n[ linguist-generated\n';
  const attributes = createAttributes([{ path: '.gitattributes', text }]);
  for (const path of ['a', 'macro', 'quo', '-x', ' ', '..x/y', 'a\\b']) attributes(path);
  // As patterns, the definition of a macro would be a set of letters, and the first word of a quoted name a file.
  for (const path of ['amacro', '"quo']) assert.equal(attributes(path).generated, false, path);
  assert.equal(attributes('plain.ts').generated, false);
});

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
  assert.equal(isPartialClone([entry('remote.a.b.promisor', 'local', 'true')]), true);
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
