/** Early publication: searches during a run find its finished part, and the run ends as it would without. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { EarlyShards } from '../../src/indexer/run.js';
import { indexRef } from '../../src/session/indexing/index-operation.js';
import { Session } from '../../src/session/session.js';
import { LexicalBuilder } from '../../src/shard/builder.js';
import { emptyManifest, ShardDirectory } from '../../src/shard/directory.js';
import { inProcess } from '../support/in-process/search.js';
import { cloneRepo, createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';

const FILES = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [
    `src/part${i}.ts`,
    `export function part${i}(): number {\n  return ${i};\n}\n`,
  ]),
);

async function index(repo: TestRepo, options: Parameters<typeof indexRef>[1]): Promise<void> {
  const session = await Session.open({ directory: repo.dir });
  try {
    await indexRef(session, options);
  } finally {
    session.close();
  }
}

async function manifestOf(repo: TestRepo) {
  const session = await Session.open({ directory: repo.dir });
  try {
    return session.shards.readManifest();
  } finally {
    session.close();
  }
}

test('a run that publishes on the way ends with the same notes, shards and manifest as one that does not', async () => {
  const repo = createRepo();
  repo.commit(FILES);
  const other = cloneRepo(repo);
  const published: number[] = [];
  await index(other, {});
  const watching = await Session.open({ directory: repo.dir });
  const documents = () => watching.shards.readManifest().shards.reduce((sum, shard) => sum + shard.documents, 0);
  await index(repo, { early: 0, progress: { update: () => published.push(documents()), finish: () => {} } });
  watching.close();
  assert.ok(new Set(published).size > 5, `${new Set(published).size} states were seen`);
  assert.equal(repo.notesTree(), other.notesTree());
  const [one, two] = [await manifestOf(repo), await manifestOf(other)];
  assert.deepEqual(one.shards, two.shards);
  assert.deepEqual(one.complete, two.complete);
  assert.equal(one.notes, repo.git('rev-parse', repo.notesRef));
});

test('a publication that fails is tried again after the next interval', () => {
  const builder = new LexicalBuilder(20);
  builder.addSkipped('a'.repeat(40), 'c', 'binary', 7);
  const directory = new ShardDirectory(join(makeDirectory('state'), 'profile'), 'profile');
  let isFull = true;
  const prepare = () => {
    if (isFull) throw new Error('ENOSPC');
  };
  const early = new EarlyShards(directory, emptyManifest('profile'), { afterMs: 0, prepare });
  early.offer(builder);
  assert.equal(directory.readManifest().shards.length, 0);
  isFull = false;
  early.offer(builder);
  assert.equal(directory.readManifest().shards.length, 1);
});

test('a run that is stopped leaves what it published, and the next one brings every record and file', async () => {
  const repo = createRepo();
  repo.commit(FILES);
  const cancel = new AbortController();
  let done = 0;
  const run = index(repo, {
    ...{ early: 0, signal: cancel.signal },
    progress: { update: () => ++done === 10 && cancel.abort(), finish: () => {} },
  });
  await assert.rejects(run);
  const left = await manifestOf(repo);
  assert.equal(left.notes, null, 'nobody knows which records are missing');
  const [words, parsed] = left.shards;
  assert.ok(words.units === 40 && parsed.units >= 5 && parsed.units < 40, `${words.units}, ${parsed.units}`);
  await inProcess(repo, async (process) => {
    const { coverage } = await process.search('part39');
    assert.deepEqual(coverage, { covered: 40, total: 40 });
  });
  assert.equal(repo.notes().size, 40);
  assert.equal(repo.fsck(), '');
});
