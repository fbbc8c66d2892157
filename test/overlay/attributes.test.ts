/** Attributes of files in a work tree: each folder's `.gitattributes` counts for the files below it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkTreeAttributes } from '../../src/overlay/attributes.js';
import { createRepo } from '../support/repositories/repo.js';

test('the file at the top and those of folders are read, the nearest one last', () => {
  const repo = createRepo();
  repo.write({
    '.gitattributes': '*.ts linguist-generated\n',
    'lib/deep/.gitattributes': '*.ts -linguist-generated\n*.js linguist-vendored\n',
  });
  const none = { generated: false, vendored: false, documentation: false };
  const attributes = new WorkTreeAttributes(Buffer.from(repo.dir));
  assert.deepEqual(attributes.of('a.ts'), { ...none, generated: true });
  assert.deepEqual(attributes.of('lib/a.ts'), { ...none, generated: true });
  assert.deepEqual(attributes.of('lib/deep/a.ts'), none);
  assert.deepEqual(attributes.of('lib/deep/a.js'), { ...none, vendored: true });
});
