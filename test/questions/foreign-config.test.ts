/** Configurations of other programs that several of our processes change at once. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { acquireLock } from '../../src/base/lock.js';
import { changeConfig, readConfig } from '../../src/questions/foreign-config.js';
import { makeDirectory } from '../support/repositories/repo.js';

const fileIn = (directory: string) => ({ path: join(directory, 'config.json'), root: directory });

test('two changes at once are made one after the other, and both stay', async () => {
  const file = fileIn(makeDirectory());
  await Promise.all(['a', 'b', 'c'].map((entry) => changeConfig(file, (text) => `${text ?? ''}${entry}`)));
  assert.equal([...(readConfig(file) ?? '')].sort().join(''), 'abc');
});

test('a change sees what another process wrote while it waited for the lock, also that the file is gone', async () => {
  const file = fileIn(makeDirectory());
  for (const [before, meanwhile] of [
    ['old', 'new'],
    [null, 'new'],
    ['old', null],
  ]) {
    const write = (text: string | null) => writeFileSync(file.path, text ?? '');
    if (before !== null) write(before);
    const release = await acquireLock(`${file.path}.socraticode.lock`);
    const seen: (string | null)[] = [];
    const changing = changeConfig(file, (text) => {
      seen.push(text);
      return meanwhile === null ? null : `${text}, ours`;
    });
    write(meanwhile);
    release();
    await changing;
    assert.deepEqual(seen, [meanwhile ?? '']);
    if (meanwhile === null) assert.ok(!existsSync(file.path));
    else assert.equal(readFileSync(file.path, 'utf8'), 'new, ours');
  }
});
