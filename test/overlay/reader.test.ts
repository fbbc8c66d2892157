/** Bytes of uncommitted files are given only while they are the bytes that were indexed. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ObjectReader } from '../../src/git/objects.js';
import { blobOid } from '../../src/git/objects.js';
import { OverlayReader } from '../../src/overlay/reader.js';
import { makeDirectory } from '../support/repositories/repo.js';

const INDEXED = Buffer.from('let a = 1;\n');
const oid = blobOid(INDEXED, 'sha1');

function opened(committed: Record<string, Buffer> = {}) {
  const root = makeDirectory();
  writeFileSync(join(root, 'a.ts'), INDEXED);
  const objects: ObjectReader = {
    read: async (name) => (committed[name] ? { oid: name, type: 'blob', content: committed[name] } : null),
    info: async (name) => (committed[name] ? { oid: name, type: 'blob', size: committed[name].length } : null),
    close() {},
  };
  const files = [{ oid, name: Buffer.from('a.ts'), size: INDEXED.length }];
  const reader = new OverlayReader(objects, { root: Buffer.from(root), format: 'sha1' }, files);
  return { reader, write: (text: string) => writeFileSync(join(root, 'a.ts'), text) };
}

test('a file is read as long as it has the indexed bytes; then it counts as moved, and nothing else is given for it', async () => {
  const { reader, write } = opened();
  assert.equal((await reader.read(oid))?.content.toString(), INDEXED.toString());
  assert.equal(reader.moved.size, 0);
  write('let a = 2;\n');
  assert.equal(await reader.read(oid), null);
  assert.deepEqual([...reader.moved], [oid]);
});

test('where the file changed and the repository has the blob, the blob is read and nothing has moved', async () => {
  const { reader, write } = opened({ [oid]: INDEXED });
  write('let a = 2;\n');
  assert.equal((await reader.read(oid))?.content.toString(), INDEXED.toString());
  assert.equal(reader.moved.size, 0);
});

test('other names are asked of the repository', async () => {
  const other = 'b'.repeat(40);
  const { reader } = opened({ [other]: Buffer.from('committed') });
  assert.equal((await reader.read(other))?.content.toString(), 'committed');
  assert.deepEqual(await reader.info(oid), { oid, type: 'blob', size: INDEXED.length });
  assert.equal(await reader.read('c'.repeat(40)), null);
  assert.equal(reader.moved.size, 0);
});
