/** Text that an editor has not saved stands in for the file, within the same limit, and equal texts are no change. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIn, stampIn, UnsavedTexts } from '../../src/overlay/unsaved.js';
import { createRepo } from '../support/repositories/repo.js';

const name = (path: string) => Buffer.from(path);

test('an unsaved text is read in place of the file, and the file again when the editor has closed it', () => {
  const repo = createRepo();
  repo.write({ 'a.txt': 'on disk', 'b.txt': 'other' });
  const unsaved = new UnsavedTexts();
  const tree = { root: Buffer.from(repo.dir), unsaved };
  const text = (path: string, limit = 100) => readIn(tree, name(path), limit)?.bytes.toString() ?? null;
  assert.equal(text('a.txt'), 'on disk');
  unsaved.set('a.txt', 'in the editor');
  assert.deepEqual([text('a.txt'), text('b.txt')], ['in the editor', 'other']);
  assert.deepEqual([text('a.txt', 13), text('a.txt', 12)], ['in the editor', null], 'as large as a file may be');
  unsaved.set('new.txt', 'not on disk');
  assert.deepEqual(
    [text('new.txt'), unsaved.paths.sort(), unsaved.has('b.txt')],
    ['not on disk', ['a.txt', 'new.txt'], false],
  );
  unsaved.delete('a.txt');
  assert.equal(text('a.txt'), 'on disk');
});

test('equal texts have equal stamps and are no new version; other texts have others', () => {
  const unsaved = new UnsavedTexts();
  const tree = { root: Buffer.from('/nowhere'), unsaved };
  unsaved.set('a.txt', 'one');
  const [stamp, version] = [stampIn(tree, name('a.txt')), unsaved.version];
  unsaved.set('a.txt', 'one');
  assert.deepEqual([stampIn(tree, name('a.txt')), unsaved.version], [stamp, version]);
  unsaved.set('a.txt', 'two');
  assert.notDeepEqual(stampIn(tree, name('a.txt')), stamp);
  assert.ok(unsaved.version > version);
  const before = unsaved.version;
  unsaved.delete('b.txt');
  assert.equal(unsaved.version, before, 'nothing was closed');
});
