/** Records that a commit carries in `.socraticode/` are read from its tree, without a checkout; the tree is untrusted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { log } from '../../src/base/log.js';
import { CatFileReader } from '../../src/git/objects.js';
import { openRepository } from '../../src/git/repository.js';
import { type ExportSource, treeSource } from '../../src/share/exported-records.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';

const PROFILE = '0123456789ab';
type Entry = { mode?: string; oid: string; name: string };

/** A tree with this folder of syntax records as `.socraticode/syntax/<profile>`. */
function treeOf(repo: TestRepo, records: Entry[], more: Entry[] = []): string {
  const folder = (name: string, entries: Entry[]) => ({ mode: '40000', name, oid: repo.rawTree(entries) });
  const syntax = folder('syntax', [folder(PROFILE, records), ...more]);
  return repo.rawTree([folder('.socraticode', [syntax])]);
}

async function reading<T>(repo: TestRepo, tree: string, use: (source: ExportSource | null) => Promise<T>): Promise<T> {
  const repository = await openRepository(repo.dir);
  const objects = new CatFileReader(repository.git);
  try {
    return await use(await treeSource(repository, objects, tree));
  } finally {
    objects.close();
  }
}

test('files of records are listed in order and read; folders, links and other names are not', async () => {
  const repo = createRepo();
  const [one, two] = [repo.blob('one'), repo.blob('two!')];
  const files = ['a.cbor', '0.cbor'].map((name, i) => ({ name, oid: [one, two][i] }));
  const others = [
    { name: 'NOTES.txt', oid: one },
    { name: '1.cbor', oid: one, mode: '120000' },
    { name: '2.cbor', oid: 'a'.repeat(40) },
  ];
  const deeper = { name: 'deeper', mode: '40000', oid: repo.rawTree([{ name: '0.cbor', oid: one }]) };
  const tree = treeOf(repo, [...files, ...others, deeper], [{ name: 'ffff', oid: one }]);
  await reading(repo, tree, async (source) => {
    assert.deepEqual(await source?.recordSets(), [{ kind: 'syntax', profile: PROFILE }]);
    const found = await source?.files({ kind: 'syntax', profile: PROFILE });
    assert.deepEqual(
      [found?.files.map(({ name, size }) => [name, size]), found?.refused],
      [
        [
          ['0.cbor', 4],
          ['a.cbor', 3],
        ],
        0,
      ],
    );
    assert.equal(Buffer.from((await found?.files[1].read()) ?? '').toString(), 'one');
    assert.deepEqual(await source?.files({ kind: 'vectors', profile: PROFILE }), { files: [], refused: 0 });
  });
});

test('a tree without `.socraticode`, or with a file of that name, is no source', async () => {
  const repo = createRepo();
  const oid = repo.blob('one');
  for (const name of ['src', '.socraticode'])
    await reading(repo, repo.rawTree([{ name, oid }]), async (source) => assert.equal(source, null));
});

test('a tree that git cannot read is no tree without records', async () => {
  const repo = createRepo();
  const broken = { mode: '40000', name: 'syntax', oid: 'b'.repeat(40) };
  const tree = repo.rawTree([{ mode: '40000', name: '.socraticode', oid: repo.rawTree([broken]) }]);
  await reading(repo, tree, async (source) => assert.rejects(async () => source?.recordSets(), { code: 'GIT_FAILED' }));
});

test('a folder with more files than an export can have counts as empty, which is said once', async (t) => {
  const said: string[] = [];
  t.mock.method(log, 'warn', (text: string) => said.push(text));
  const repo = createRepo();
  const oid = repo.blob('one');
  const many = Array.from({ length: 8_737 }, (_, i) => ({ name: `x${i}`, oid }));
  const kept = treeOf(repo, many.slice(1));
  const files = async (source: ExportSource | null) => source?.files({ kind: 'syntax', profile: PROFILE });
  await reading(repo, kept, files);
  assert.deepEqual(said, []);
  await reading(repo, treeOf(repo, many), async (source) => {
    assert.deepEqual([await files(source), await files(source)], Array(2).fill({ files: [], refused: 0 }));
    assert.deepEqual(said, ['.socraticode/ has too many files, so its records are not used']);
  });
});

test('of a tree with more than 100 profiles the first hundred are listed', async () => {
  const repo = createRepo();
  const oid = repo.rawTree([{ name: '0.cbor', oid: repo.blob('one') }]);
  const profiles = Array.from({ length: 100 }, (_, i) => ({ mode: '40000', name: (0xa000 + i).toString(16), oid }));
  await reading(repo, treeOf(repo, [{ name: '0.cbor', oid: repo.blob('one') }], profiles), async (source) => {
    const sets = await source?.recordSets();
    const names = [PROFILE, ...profiles.slice(0, 99).map(({ name }) => name)];
    assert.deepEqual(
      sets,
      names.map((profile) => ({ kind: 'syntax', profile })),
    );
  });
});
