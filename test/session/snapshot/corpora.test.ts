/** Where the corpus of a snapshot comes from: memory, a file, the next step from an index, another writer, or shards as they are. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { SocraticodeError } from '../../../src/base/errors.js';
import { silentProgress } from '../../../src/base/progress.js';
import { indexSnapshot } from '../../../src/session/indexing/index-operation.js';
import type { BackgroundIndexer, Session } from '../../../src/session/session.js';
import { Corpora, corporaOf } from '../../../src/session/snapshot/corpora.js';
import type { SnapshotOrigin } from '../../../src/session/snapshot/snapshot.js';
import { opened } from '../../support/in-process/asker.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';

const FILES = { 'a.ts': 'export const a = 1;\n', 'b.ts': 'export const b = 2;\n', 'c.ts': 'export const c = 3;\n' };

function shop(): TestRepo {
  const repo = createRepo();
  repo.commit(FILES);
  return repo;
}

/** A session and the trees that it lists. */
async function counted(t: TestContext, repo: TestRepo): Promise<{ session: Session; listed: () => number }> {
  const session = await opened(t, repo);
  const list = session.objects.list.bind(session.objects);
  let count = 0;
  session.objects.list = (tree) => {
    count++;
    return list(tree);
  };
  return { session, listed: () => count };
}

const paths = async (corpora: Corpora, origin: SnapshotOrigin) => {
  const { corpus, coverage } = await corpora.of(origin);
  const { files } = corpus.live;
  return [
    Array.from({ length: files.length }, (_, file) => files.paths(file)[0]).sort(),
    coverage.covered,
    coverage.total,
  ];
};
const ALL = [['a.ts', 'b.ts', 'c.ts'], 3, 3];

test('a snapshot is prepared once, for all who ask at once or later, and by another process from its file', async (t) => {
  const repo = shop();
  const { session } = await counted(t, repo);
  const corpora = corporaOf(session);
  assert.equal(corporaOf(session), corpora);
  const origin = await session.origin('HEAD');
  const [one, two] = await Promise.all([corpora.of(origin), corpora.of(await session.origin('HEAD'))]);
  assert.equal(one, two);
  const again = await corpora.of(origin);
  assert.equal(await corpora.of(await session.origin('HEAD')), again);
  assert.deepEqual([one.coverage.covered, one.coverage.total, one.overlayShards], [3, 3, undefined]);
  const other = await counted(t, repo);
  assert.deepEqual(await paths(corporaOf(other.session), await other.session.origin('HEAD')), ALL);
  assert.equal(other.listed(), 0, 'no tree is listed');
  const { defaults, settings } = await corporaOf(other.session).of(await other.session.origin('HEAD'));
  assert.deepEqual([defaults, settings], [one.defaults, one.settings]);
});

test('what was prepared is not used any more when its shards are gone', async (t) => {
  const repo = shop();
  const { session } = await counted(t, repo);
  const corpora = corporaOf(session);
  const before = await corpora.of(await session.origin('HEAD'));
  rmSync(session.shards.directory, { recursive: true });
  const after = await corpora.of(await session.origin('HEAD'));
  assert.notEqual(after, before);
  assert.deepEqual(await paths(corpora, await session.origin('HEAD')), ALL);
});

test('a file of exactly the largest size is found, one of a byte more is not', async (t) => {
  const repo = createRepo();
  const ofSize = (bytes: number) => `// ${'word '.repeat(bytes)}`.slice(0, bytes - 1).concat('\n');
  repo.commit({
    ...{ 'a.ts': ofSize(1_023), 'b.ts': ofSize(1_024), 'c.ts': ofSize(1_025) },
    '.socraticode.json': JSON.stringify({ maxFileBytes: 1_024 }),
  });
  const { session } = await counted(t, repo);
  const { live } = (await corporaOf(session).of(await session.origin('HEAD'))).corpus;
  const found = [...new Set(live.fileOf)].filter((file) => file >= 0).flatMap((file) => live.files.paths(file));
  assert.deepEqual(found.filter((path) => path.endsWith('.ts')).sort(), ['a.ts', 'b.ts']);
});

test('the next commit is reached from the index in one step, other refs by their files, and a past commit in memory', async (t) => {
  const repo = shop();
  const { session, listed } = await counted(t, repo);
  const corpora = corporaOf(session);
  await corpora.of(await session.origin('HEAD'));
  repo.commit({ 'd.ts': 'export const d = 4;\n' });
  const before = listed();
  assert.deepEqual(await paths(corpora, await session.origin('HEAD')), [['a.ts', 'b.ts', 'c.ts', 'd.ts'], 4, 4]);
  assert.equal(listed(), before, 'no tree is listed for a step');
  repo.commit({ 'a.ts': 'export const a = 5;\n' });
  repo.commit({ 'a.ts': 'export const a = 6;\n' });
  await corpora.of(await session.origin('HEAD'));
  const version = session.shards.version();
  const past = await corpora.of(await session.origin('HEAD~1'));
  assert.deepEqual([past.coverage.covered, past.overlayShards?.size, session.shards.version()], [4, 1, version]);
  assert.equal(await corpora.of(await session.origin('HEAD~1')), past);
});

/** A server's indexer that does this, with what it was asked. */
function indexerOf(session: Session, work: (origin: SnapshotOrigin) => Promise<SocraticodeError | null>) {
  const asked: string[] = [];
  const indexer: BackgroundIndexer = {
    start: () => void asked.push('start'),
    async index(origin, { isLarge, hasFiles } = {}) {
      asked.push(`index ${isLarge} ${hasFiles?.()}`);
      const failure = await work(origin);
      asked.push(`then ${hasFiles?.()}`);
      return failure;
    },
    link: async () => 'whole',
  };
  session.backgroundIndexer = indexer;
  return asked;
}

test('a server has missing files indexed by another process, and answers from what is there when that fails', async (t) => {
  const repo = shop();
  const { session } = await counted(t, repo);
  const corpora = new Corpora(session);
  const index = async (origin: SnapshotOrigin) => {
    await indexSnapshot(session, origin, { progress: silentProgress });
    return null;
  };
  const failure = new SocraticodeError('DISK', 'full');
  const first = indexerOf(session, async () => failure);
  await assert.rejects(corpora.of(await session.origin('HEAD')), failure, 'there is nothing to answer from');
  assert.deepEqual(first, ['index false false', 'then false']);
  const second = indexerOf(session, index);
  assert.deepEqual(await paths(corpora, await session.origin('HEAD')), ALL);
  assert.deepEqual(second, ['index false false', 'then true']);
  repo.git('checkout', '-q', '-b', 'other');
  repo.commit({ 'd.ts': 'export const d = 4;\n' });
  const third = indexerOf(session, async () => failure);
  const { coverage } = await corpora.of(await session.origin('other'));
  assert.deepEqual([coverage.covered, coverage.total, third], [3, 4, ['index false true', 'then true']]);
  // What was not complete is looked for again.
  indexerOf(session, index);
  assert.deepEqual(await paths(corpora, await session.origin('other')), [['a.ts', 'b.ts', 'c.ts', 'd.ts'], 4, 4]);
});

test('a step is asked of the indexer of a server, without a count of files, and is answered from its index', async (t) => {
  const repo = shop();
  const { session } = await counted(t, repo);
  const corpora = new Corpora(session);
  await corpora.of(await session.origin('HEAD'));
  repo.commit({ 'd.ts': 'export const d = 4;\n' });
  const asked = indexerOf(session, async (origin) => {
    await indexSnapshot(session, origin, { progress: silentProgress });
    return null;
  });
  assert.deepEqual((await paths(corpora, await session.origin('HEAD')))[1], 4);
  assert.deepEqual(asked, ['index undefined undefined', 'then undefined'], 'a step has no files to count');
});
