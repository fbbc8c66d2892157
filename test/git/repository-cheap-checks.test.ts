/** Files outside of the work tree that decide what is ignored: each of the four is looked at, and told once. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ConfigEntry } from '../../src/git/repository.js';
import { RuleFiles } from '../../src/git/repository.js';
import { makeDirectory } from '../support/repositories/repo.js';

const config = (entries: Record<string, string>) =>
  Object.entries(entries).map(([key, value]) => ({ key, value }) as ConfigEntry);

function places(t: TestContext) {
  const [commonDir, workTree, home] = [makeDirectory('git'), makeDirectory('tree'), makeDirectory('home')];
  for (const path of [join(commonDir, 'info'), join(home, '.config', 'git')]) mkdirSync(path, { recursive: true });
  const { HOME, XDG_CONFIG_HOME } = process.env;
  t.after(() => Object.assign(process.env, { HOME, ...(XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME }) }));
  process.env.HOME = home;
  delete process.env.XDG_CONFIG_HOME;
  return { repository: { commonDir, workTree }, commonDir, workTree, home };
}

test('each file is noticed when it is made, written and removed, and told once', (t) => {
  const { repository, commonDir, home } = places(t);
  const files = new RuleFiles(repository, []);
  assert.equal(files.haveChanged(), false);
  const user = join(home, '.config', 'git');
  for (const path of [
    join(commonDir, 'info', 'exclude'),
    join(commonDir, 'info', 'attributes'),
    join(user, 'ignore'),
    join(user, 'attributes'),
  ]) {
    for (const step of [() => writeFileSync(path, 'a'), () => writeFileSync(path, 'longer'), () => rmSync(path)]) {
      step();
      assert.deepEqual([files.haveChanged(), files.haveChanged()], [true, false], path);
    }
  }
});

test('a file that is configured stands in for the default one; of several values the last counts', (t) => {
  const { repository, workTree, home } = places(t);
  const entries = [
    ...config({ 'core.excludesfile': 'first' }),
    ...config({ 'core.excludesfile': 'mine', 'core.attributesfile': '~/attr' }),
  ];
  const files = new RuleFiles(repository, entries);
  for (const [path, counts] of [
    [join(workTree, 'mine'), true],
    [join(home, 'attr'), true],
    [join(workTree, 'first'), false],
    [join(home, '.config', 'git', 'ignore'), false],
  ] as const) {
    writeFileSync(path, 'x');
    assert.equal(files.haveChanged(), counts, path);
  }
});
