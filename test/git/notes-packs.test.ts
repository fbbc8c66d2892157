/** Packs of several imports become one, and nothing else is touched. */
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type NoteEntry, WrittenPacks, writeNotes } from '../../src/git/notes.js';
import { localStateDirectory, openRepository } from '../../src/git/repository.js';
import { createRepo } from '../support/repositories/repo.js';

const REF = 'refs/notes/socraticode/syntax/0123456789ab';
/** More objects than git unpacks of an import. */
const OBJECTS = 150;

const entries = (batch: number): NoteEntry[] =>
  Array.from({ length: OBJECTS }, (_, i) => ({
    target: `${batch}${i}`.padStart(40, '0'),
    note: Buffer.from(`note ${i} of ${batch}`),
  }));

async function written(batches: number) {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'a\n' });
  repo.git('repack', '-adq');
  const repository = await openRepository(repo.dir);
  const packs = new WrittenPacks(repository);
  const folder = join(repo.dir, '.git/objects/pack');
  const names = () => readdirSync(folder).filter((name) => name.endsWith('.pack'));
  const [own] = names();
  for (let batch = 1; batch <= batches; batch++) await writeNotes(repository, REF, entries(batch), { packs });
  return { repo, repository, packs, folder, names, own };
}

test('the packs of several imports are joined to one, with every note, and those of the user stay', async () => {
  const { repo, repository, packs, names, own } = await written(4);
  assert.equal(names().length, 5);
  await packs.join();
  assert.ok(names().length === 2 && names().includes(own), names().join(' '));
  repo.git('fsck', '--strict');
  assert.equal(repo.git('ls-tree', '-r', '--name-only', REF).trim().split('\n').length, 4 * OBJECTS);
  assert.deepEqual(readdirSync(localStateDirectory(repository)), []);
  await writeNotes(repository, REF, entries(5), { packs });
  await packs.join();
  assert.equal(names().length, 3);
});

test('packs that git keeps, or has an index of several for, are left as they are', async () => {
  const { repo, packs, folder, names, own } = await written(3);
  const [kept] = names().filter((name) => name !== own);
  writeFileSync(join(folder, kept.replace('.pack', '.keep')), '');
  await packs.join();
  assert.ok(names().length === 3 && names().includes(kept) && names().includes(own));
  const indexed = await written(2);
  indexed.repo.git('multi-pack-index', 'write');
  await indexed.packs.join();
  assert.equal(indexed.names().length, 3);
  repo.git('fsck');
  indexed.repo.git('fsck');
});

test('a run of very many imports never leaves as many packs as make git collect garbage', async () => {
  const { packs, names } = await written(31);
  await packs.joinIfMany();
  assert.equal(names().length, 2);
});
