/** Real places of a git directory: links that bring in refs or objects from elsewhere are told, others do not count. */
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { realParts } from '../../src/git/repository.js';
import { makeDirectory } from '../support/repositories/repo.js';

function gitDirectory() {
  const [gitDir, elsewhere] = [realpathSync(makeDirectory('git')), realpathSync(makeDirectory('elsewhere'))];
  for (const name of ['refs/heads/deep', 'objects/pack', 'logs', 'info'])
    mkdirSync(join(gitDir, name), { recursive: true });
  const link = (name: string) => symlinkSync(elsewhere, join(gitDir, name));
  const parts = (commonDir = gitDir) => realParts({ gitDir, commonDir })?.sort() ?? null;
  return { gitDir, elsewhere, link, parts };
}

test('without links it is the git directory alone, and the common one of a linked work tree', () => {
  const { gitDir, parts } = gitDirectory();
  const common = realpathSync(makeDirectory('common'));
  assert.deepEqual(parts(), [gitDir]);
  assert.deepEqual(parts(common), [gitDir, common].sort());
});

test('a link at the top counts, and one below refs at any depth; not one among objects, nor hooks', () => {
  for (const [name, counts] of [
    ['config', true],
    ['refs/heads/deep/one', true],
    ['logs/HEAD', true],
    ['objects/pack/x.pack', false],
    ['info/exclude', false],
    ['hooks', false],
    ['description', false],
  ] as const) {
    const { gitDir, elsewhere, link, parts } = gitDirectory();
    link(name);
    assert.deepEqual(parts(), counts ? [gitDir, elsewhere].sort() : [gitDir], name);
  }
});

test('with a link that leads nowhere, or more refs than a sound repository has, nothing is known', () => {
  const { gitDir, parts } = gitDirectory();
  symlinkSync('nowhere', join(gitDir, 'refs', 'heads', 'broken'));
  assert.equal(parts(), null);
  const many = gitDirectory();
  // Five entries are there already: refs, heads and deep, objects, logs, info.
  for (let i = 0; i < 20_000 - 6; i++) writeFileSync(join(many.gitDir, 'refs', `r${i}`), '');
  assert.notEqual(many.parts(), null);
  writeFileSync(join(many.gitDir, 'refs', 'one-more'), '');
  assert.equal(many.parts(), null);
});
