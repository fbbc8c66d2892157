/** Blobs beyond `maxFileBytes` are not read: neither parsed, nor kept in a record, nor found. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inProcess } from '../support/in-process/search.js';
import { committed, index } from '../support/repositories/vectors-repo.js';

test('a blob of as many bytes as the limit is indexed, one with a byte more is left out and counted', async () => {
  const text = (name: string, size: number) => `export function ${name}() {}\n`.padEnd(size, '/');
  const repo = committed({ 'fits.ts': text('fitting', 2_048), 'beyond.ts': text('beyondIt', 2_049) });
  const flags = { maxFileBytes: 2_048 };
  const { skipped } = await index(repo, flags);
  assert.equal(skipped['too-large'], 1);
  assert.equal(repo.notes().size, 1, 'no record is written of it');
  const { results } = await inProcess(repo, (process) => process.search('beyondIt'), flags);
  assert.ok(results.every(({ path }) => path === 'fits.ts'));
});
