/** Steps from commit to commit: in all that an answer shows, the index is the one that is made at once; and no tree is listed. */
import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readStatus } from '../../../src/questions/status/answer.js';
import { indexRef, warmSearch } from '../../../src/session/indexing/index-operation.js';
import { inProcess } from '../../support/in-process/search.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';
import { PROJECT } from '../../support/repositories/samples.js';

/** Indexes HEAD as `index` does, and returns how many trees were listed for it. */
const index = (repo: TestRepo): Promise<number> =>
  inProcess(repo, async (process) => {
    await indexRef(process.session);
    await warmSearch(process.session);
    return process.listed;
  });

const QUERIES = ['parcel depot', 'nearest_depot', 'token of a user', 'route', 'zebra stripes'];

/** What the index says of HEAD, without what depends on how it came about. `isCounted`: `status` looks at each file. */
const told = (repo: TestRepo, isCounted = false): Promise<unknown> =>
  inProcess(repo, async (process) => {
    if (isCounted) process.session.shards.areRight = () => false;
    const {
      ms: _,
      new: _new,
      reused: _reused,
      bytesAdded: _bytes,
      vectors,
      ...report
    } = await indexRef(process.session);
    const {
      coverage,
      records,
      chunks,
      skipped,
      languages,
      parseErrors,
      notes,
      vectors: found,
    } = await readStatus(process.session);
    const numbers = [notes.records, found.covered, found.total];
    const answers = [];
    for (const query of QUERIES) answers.push(await process.search(query, { explain: true }));
    const { covered, total } = vectors;
    return {
      report,
      covered,
      total,
      status: { coverage, records, chunks, skipped, languages, parseErrors, numbers },
      answers,
    };
  });

/** Compares what a step left with an index made at once. */
async function assertAsAnew(repo: TestRepo, name: string): Promise<void> {
  const stepped = await told(repo);
  rmSync(repo.state, { recursive: true });
  await index(repo);
  assert.deepEqual(stepped, await told(repo, true), name);
}

type Change = (repo: TestRepo) => void;
const write = (files: Record<string, string | Buffer>) => (repo: TestRepo) => void repo.commit(files);
const git =
  (...args: string[]): Change =>
  (repo) => {
    repo.git(...args);
    repo.commit({});
  };

/** Changes one after another, each with whether a step leads over it. */
const CHANGES: Record<string, [change: Change, isStep: boolean]> = {
  'an edited file': [write({ 'lib/depot.py': 'def nearest_depot(parcel):\n    return parcel.depot_token\n' }), true],
  'a new file that uses names of another': [
    write({ 'a/zebra.ts': 'export const zebraStripes = loadSessions("x");\n' }),
    true,
  ],
  'the same content at another path': [
    write({ 'z/zebra.ts': 'export const zebraStripes = loadSessions("x");\n' }),
    true,
  ],
  'that path edited, so that its content is new': [write({ 'a/zebra.ts': 'export const zebraStripes = 2;\n' }), true],
  'a renamed file': [git('mv', 'z/zebra.ts', 'src/moved.ts'), true],
  'a deleted file': [git('rm', '-q', 'cmd/main.go'), true],
  'the file that is there again': [write({ 'cmd/main.go': PROJECT['cmd/main.go'] as string }), true],
  'a file with a language of its own': [write({ 'x.h': 'class Depot { int route(); };\n' }), true],
  'a secret, a binary file, and one that does not parse': [
    write({ '.env': 'KEY=1\n', 'logo.png': Buffer.from([0, 1]), 'broken.ts': 'class { { (\n' }),
    true,
  ],
  'an empty file': [write({ 'empty.ts': '' }), true],
  'another one': [write({ 'more.ts': '' }), false],
  'a link in place of a file': [
    (repo) => {
      rmSync(join(repo.dir, 'x.h'));
      symlinkSync('README.md', join(repo.dir, 'x.h'));
      repo.commit({});
    },
    true,
  ],
  attributes: [write({ '.gitattributes': 'src/** linguist-generated\n' }), false],
  'a file under these attributes': [write({ 'src/made.ts': 'export const routeOfParcel = 1;\n' }), true],
  'other settings': [write({ '.socraticode.json': '{ "exclude": ["lib/**"] }\n' }), false],
};

test('every kind of change leads to the index that is made at once', async () => {
  const [repo, other] = [createRepo(), createRepo()];
  for (const each of [repo, other]) each.commit(PROJECT);
  for (const each of [repo, other]) await index(each);
  for (const [name, [change, isStep]] of Object.entries(CHANGES)) {
    change(repo);
    change(other);
    assert.equal((await index(repo)) === 0, isStep, name);
    rmSync(other.state, { recursive: true, force: true });
    await index(other);
    assert.deepEqual(await told(repo), await told(other, true), name);
  }
});

test('a walk over many small commits merges shards, and still leads there', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  await index(repo);
  for (let i = 0; i < 18; i++) {
    repo.commit({
      'lib/depot.py': `def nearest_depot(parcel):\n    return parcel.token${i}\n`,
      [`n${i % 3}.ts`]: `export const route${i} = 1;\n`,
    });
    assert.equal(await index(repo), 0);
  }
  await assertAsAnew(repo, 'after the walk');
});

test('a branch is switched to and fro, and HEAD goes back, without a listing', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  await index(repo);
  repo.git('checkout', '-q', '-b', 'other');
  repo.commit({ 'src/parcel.ts': 'export const parcelDepotLabel = "parcel depot";\n' });
  assert.equal(await index(repo), 0);
  repo.git('checkout', '-q', 'main');
  repo.commit({ 'src/zebra.ts': 'export const zebraStripes = 1;\n' });
  assert.equal(await index(repo), 0);
  repo.git('merge', '-q', 'other');
  assert.equal(await index(repo), 0);
  await assertAsAnew(repo, 'after the merge');
  repo.git('reset', '-q', '--hard', 'HEAD~1');
  repo.commit({ 'README.md': '# Depots\n' });
  assert.equal(await index(repo), 0);
  await assertAsAnew(repo, 'after the reset');
});
