/** `index` on a snapshot known to be complete: next to nothing is done, unless something is not as it was. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { IndexReport } from '../../../src/questions/index/question.js';
import { syntaxStore } from '../../../src/record/store.js';
import { encodeSyntaxRecord } from '../../../src/record/syntax-codec.js';
import { indexRef } from '../../../src/session/indexing/index-operation.js';
import { intactSnapshot } from '../../../src/session/indexing/known-snapshot.js';
import type { Session } from '../../../src/session/session.js';
import { vectorSource } from '../../../src/session/vectors/vector-source.js';
import { inProcess } from '../../support/in-process/search.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';
import { PROJECT } from '../../support/repositories/samples.js';

interface Run {
  report: IndexReport;
  /** Trees listed: none on the fast path. */
  listed: number;
}

const index = (repo: TestRepo, ref?: string, flags?: Record<string, unknown>): Promise<Run> =>
  inProcess(
    repo,
    async (process) => ({ report: await indexRef(process.session, { ref }), listed: process.listed }),
    flags,
  );

async function indexed(): Promise<{ repo: TestRepo; first: IndexReport }> {
  const repo = createRepo();
  repo.commit({ ...PROJECT, 'logo.png': Buffer.from([0]), 'empty.dat': Buffer.from([1, 0, 2]) });
  return { repo, first: (await index(repo)).report };
}

/** What a report says of the snapshot rather than of the run. */
function content({ ms: _, new: _new, reused: _reused, bytesAdded: _bytes, vectors, ...rest }: IndexReport) {
  const { embedded: _embedded, reused: _old, loaded: _loaded, ...kept } = vectors;
  return { ...rest, vectors: kept };
}

const shardFiles = (repo: TestRepo) =>
  readdirSync(repo.state, { recursive: true, encoding: 'utf8' })
    .filter((name) => /lexical-\w+\.bin$/.test(name))
    .map((name) => join(repo.state, name));

async function assertFast(repo: TestRepo, expected: IndexReport, ref?: string): Promise<void> {
  const { report, listed } = await index(repo, ref);
  assert.equal(listed, 0);
  assert.deepEqual([report.new, report.reused, report.bytesAdded], [0, expected.blobs, 0]);
  assert.deepEqual(content(report), { ...content(expected), ref: ref ?? 'HEAD' });
}

test('a complete snapshot is reported from memory, as it was reported at first', async () => {
  const { repo, first } = await indexed();
  assert.deepEqual([first.new, first.files, first.skipped], [4, 4, { binary: 2 }]);
  await assertFast(repo, first);
  await assertFast(repo, first, 'main');
});

test('another branch is remembered beside it', async () => {
  const { repo, first } = await indexed();
  repo.git('checkout', '-q', '-b', 'other');
  repo.commit({ 'src/more.ts': 'export const more = 1;\n' });
  const other = await index(repo);
  assert.deepEqual([other.report.new, other.listed], [1, 1]);
  await assertFast(repo, other.report);
  await assertFast(repo, first, 'main');
});

const SHARD_DAMAGE: Record<string, (path: string) => void> = {
  gone: (path) => rmSync(path),
  'cut short': (path) => truncateSync(path, 100),
};

for (const [name, damage] of Object.entries(SHARD_DAMAGE)) {
  test(`a shard that is ${name} is made again from its records`, async () => {
    const { repo, first } = await indexed();
    for (const path of shardFiles(repo)) damage(path);
    const { report, listed } = await index(repo);
    assert.deepEqual([listed, report.new, content(report)], [1, 0, content(first)]);
    assert.ok(report.bytesAdded > 0);
    await assertFast(repo, first);
  });
}

test('a notes ref that lost its records gets them again', async () => {
  const { repo, first } = await indexed();
  const records = repo.notesTree();
  repo.git('update-ref', '-d', repo.notesRef);
  const { report, listed } = await index(repo);
  assert.deepEqual([listed, content(report)], [1, content(first)]);
  assert.equal(repo.notesTree(), records);
  await assertFast(repo, first);
});

test('records of other contents, as pulls and questions about old commits write them, leave a snapshot known', async () => {
  const { repo, first } = await indexed();
  const other = repo.blob('int x;\n');
  const known = (change = async (_: Session) => {}) =>
    inProcess(repo, async ({ session }) => {
      await change(session);
      const origin = await session.origin('HEAD');
      const { config } = await session.configOfOrigin(origin);
      return (await intactSnapshot(session, origin, vectorSource(session, config)))?.known.files;
    });
  const tip = repo.git('rev-parse', repo.notesRef);
  const found = await known(async ({ repository, objects, profile }) => {
    const store = syntaxStore(repository, objects, profile);
    await store.load();
    await store.write([{ target: other, note: encodeSyntaxRecord(other, { skip: 'secret' }) }]);
  });
  assert.deepEqual([found, repo.git('rev-parse', repo.notesRef) === tip], [4, false]);
  // A run brings the manifest to the new tip.
  assert.deepEqual((await index(repo)).listed, 1);
  await assertFast(repo, first);
  repo.git('notes', `--ref=${repo.notesRef}`, 'remove', repo.git('rev-parse', 'HEAD:src/session.ts'));
  assert.equal(await known(), undefined, 'one of ours is gone');
});

test('other settings are another snapshot', async () => {
  const { repo, first } = await indexed();
  const flagged = await index(repo, undefined, { exclude: ['lib/**'] });
  assert.deepEqual([flagged.listed, flagged.report.files, flagged.report.skipped.excluded], [1, 3, 1]);
  repo.write({ '.socraticodeignore': 'cmd/\n' });
  const ignoring = await index(repo);
  assert.deepEqual([ignoring.listed, ignoring.report.skipped.ignored], [1, 1]);
  await assertFast(repo, first, 'main');
});

test('while some blob cannot be read, every run tries again', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const oid = repo.git('rev-parse', 'HEAD:src/session.ts');
  rmSync(join(repo.commonDir, 'objects', oid.slice(0, 2), oid.slice(2)));
  for (let i = 0; i < 2; i++) {
    const { report, listed } = await index(repo);
    assert.deepEqual([listed, report.files, report.skipped.unreadable], [1, 3, 1]);
  }
  repo.blob(PROJECT['src/session.ts']);
  const { report } = await index(repo);
  assert.deepEqual([report.files, report.new, report.skipped], [4, 1, {}]);
  await assertFast(repo, report);
});
