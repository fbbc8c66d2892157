/** What checks and repairs find out about refs whose files git cannot read any more. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { lastLogged, listRefs, presentObjects, quarantineRefFile, refLocks } from '../../src/git/crash-recovery.js';
import { openRepository, type Repository } from '../../src/git/repository.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';

const [ONE, TWO] = ['1'.repeat(40), '2'.repeat(40)];

/** A folder that stands for the common directory of a repository. */
function makeCommon() {
  const commonDir = makeDirectory('common');
  const write = (name: string, text = '') => {
    const path = join(commonDir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  return { repository: { commonDir } as Repository, commonDir, write };
}

test('refs are listed with what they hold or stand for, and those that hold nothing by their names', async () => {
  const repo = createRepo();
  const commit = repo.commit({ 'a.txt': 'a' });
  repo.git('update-ref', 'refs/x/one', commit);
  repo.git('symbolic-ref', 'refs/x/two', 'refs/heads/main');
  writeFileSync(join(repo.commonDir, 'refs', 'x', 'broken'), 'nonsense\n');
  const { refs, broken } = await listRefs((await openRepository(repo.dir)).git, 'refs/x');
  assert.deepEqual(refs, [
    { ref: 'refs/x/one', oid: commit, symbolic: null },
    { ref: 'refs/x/two', oid: commit, symbolic: 'refs/heads/main' },
  ]);
  assert.deepEqual(broken, ['refs/x/broken']);
});

test('locks of refs are found below a prefix and beside it, with their age on either side of now', () => {
  const { repository, commonDir, write } = makeCommon();
  const now = Date.now() / 1_000;
  for (const [name, at] of [
    ['refs/x.lock', now - 100],
    ['refs/x/a.lock', now + 100],
    ['refs/x/deep/er/b.lock', now - 50],
  ] as const)
    utimesSync(write(name), at, at);
  for (const name of ['refs/x/a', 'refs/x/lock', 'refs/x/a.lock.old', 'refs/xy/a.lock', 'refs/a.lock']) write(name);
  mkdirSync(join(commonDir, 'refs/x/folder.lock'));
  symlinkSync('a.lock', join(commonDir, 'refs/x/link.lock'));
  symlinkSync('deep', join(commonDir, 'refs/x/link'));
  const found = refLocks(repository, 'refs/x').map(({ path, ageMs }) => [
    path.slice(commonDir.length + 1),
    ageMs / 1_000,
  ]);
  const ages = Object.fromEntries(found.map(([path, age]) => [path, Math.round((age as number) / 10) * 10]));
  assert.deepEqual(ages, { 'refs/x/a.lock': 100, 'refs/x/deep/er/b.lock': 50, 'refs/x.lock': 100 });
  assert.equal(found.at(-1)?.[0], 'refs/x.lock');
});

test('locks are looked for sixteen folders deep', () => {
  const { repository, write } = makeCommon();
  const deep = (count: number) => `refs/x/${'d/'.repeat(count)}a.lock`;
  write(deep(16));
  assert.equal(refLocks(repository, 'refs/x').length, 1);
  write(deep(17));
  assert.equal(refLocks(repository, 'refs/x').length, 1);
});

test('the file of a ref is moved aside, where refs are files', () => {
  const { repository, commonDir, write } = makeCommon();
  const path = write('refs/x/a', 'nonsense');
  const aside = join(commonDir, 'aside');
  assert.throws(() => quarantineRefFile(repository, 'refs/x/a', join(commonDir, 'no', 'folder')), { code: 'DISK' });
  assert.equal(quarantineRefFile(repository, 'refs/x/gone', aside), false);
  assert.equal(quarantineRefFile(repository, 'refs/x', aside), false);
  write('reftable/tables.list');
  assert.equal(quarantineRefFile(repository, 'refs/x/a', aside), false);
  rmSync(join(commonDir, 'reftable'), { recursive: true });
  assert.equal(quarantineRefFile(repository, 'refs/x/a', aside), true);
  assert.deepEqual([existsSync(path), readFileSync(aside, 'utf8')], [false, 'nonsense']);
});

test('the last line of a reflog tells where the ref was', () => {
  const { repository, write } = makeCommon();
  const line = (from: string, to: string, message = 'message') => `${from} ${to} A <a> 1 +0000\t${message}\n`;
  const logged = (text: string) => {
    write('logs/refs/x', text);
    return lastLogged(repository, 'refs/x');
  };
  assert.equal(lastLogged(repository, 'refs/x'), null);
  assert.equal(logged(line(ONE, TWO)), TWO);
  assert.equal(logged(line(ONE, TWO) + line(TWO, ONE)), ONE);
  assert.equal(logged(line('0'.repeat(64), 'a'.repeat(64))), 'a'.repeat(64));
  assert.equal(logged(line(ONE, '0'.repeat(40))), null, 'deleted');
  for (const text of ['', '\n', `${ONE} ${TWO}`, `${ONE}\t${TWO} x`, `x${line(ONE, TWO)}`])
    assert.equal(logged(text), null);
  // Of a long one the end is read, also where that begins within a line.
  assert.equal(logged(line(ONE, ONE).repeat(200) + line(ONE, TWO)), TWO);
  assert.equal(logged(line(ONE, ONE, 'm'.repeat(5_000)) + line(ONE, TWO)), TWO);
  assert.equal(logged(line(ONE, TWO, 'm'.repeat(4_000))), TWO);
  assert.equal(logged(line(ONE, TWO, 'm'.repeat(4_100))), null);
});

test('of some objects those are told that are here', async () => {
  const repo = createRepo();
  const here = ['a', 'b', 'c'].map((text) => repo.blob(text));
  const repository = await openRepository(repo.dir);
  assert.deepEqual(await presentObjects(repository.git, new Set([...here.slice(1), ONE])), new Set(here.slice(1)));
  assert.deepEqual(await presentObjects(repository.git, new Set()), new Set());
  rmSync(join(repo.commonDir, 'HEAD'));
  await assert.rejects(presentObjects(repository.git, new Set(here)), { code: 'GIT_FAILED' });
});
