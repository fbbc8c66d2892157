/** How many parsers there are: by cores and memory, and never with another result. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { childrenFor, type ParseJob, Parser, ParserPool } from '../../src/indexer/parser-pool.js';
import { indexRef } from '../../src/session/indexing/index-operation.js';
import { Session } from '../../src/session/session.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

const GIB = 2 ** 30;

test('one core is left to the main process, and memory bounds the rest', () => {
  const cases: [cores: number, memory: number, children: number][] = [
    [1, 16 * GIB, 1],
    [2, 16 * GIB, 2],
    [4, 16 * GIB, 3],
    [8, 64 * GIB, 7],
    [64, 16 * GIB, 16],
    [8, 2 * GIB, 2],
    [8, GIB / 4, 1],
  ];
  for (const [cores, memory, children] of cases) assert.equal(childrenFor(cores, memory), children, `${cores} cores`);
});

/** Records and shard of a repository that was indexed with so many parsers. */
async function indexed(jobs: number): Promise<{ records: string; shard: string; documents: number }> {
  const repo: TestRepo = createRepo();
  const copies = Array.from({ length: 60 }, (_, i) => [
    `src/module${i}.py`,
    `def entry_${i}(a):\n    return a + ${i}\n`,
  ]);
  repo.commit({ ...PROJECT, ...Object.fromEntries(copies) });
  const session = await Session.open({ directory: repo.dir });
  try {
    await indexRef(session, { jobs });
    const [entry] = session.shards.readManifest().shards;
    const shard = readFileSync(join(session.shards.directory, entry.file));
    const records = repo.git('rev-parse', `refs/notes/socraticode/syntax/${session.profile}^{tree}`);
    return { records, shard: createHash('sha256').update(shard).digest('hex'), documents: entry.documents };
  } finally {
    session.close();
  }
}

test('one, two and eight parsers give the same records and the same shard', async () => {
  const one = await indexed(1);
  assert.ok(one.documents > 60);
  assert.deepEqual(await indexed(2), one);
  assert.deepEqual(await indexed(8), one);
});

test('little text starts one child however many files it is, and much text one for each 128 KiB, but no more than files', async (t) => {
  const pumped = t.mock.method(Parser.prototype, 'pump', async () => {});
  const started = async (files: number, bytes: number) => {
    pumped.mock.resetCalls();
    const pool = new ParserPool(undefined, 4);
    const job = { oid: '', bytes: Buffer.alloc(bytes), language: 'c' } as ParseJob;
    const parsed = Array.from({ length: files }, () => pool.parse(job));
    await new Promise(setImmediate);
    pool.stop();
    await Promise.allSettled(parsed);
    return pumped.mock.callCount();
  };
  const KIB = 1_024;
  assert.deepEqual(
    [
      await started(4, 1),
      await started(4, 32 * KIB),
      await started(4, 33 * KIB),
      await started(2, 512 * KIB),
      await started(9, 128 * KIB),
    ],
    [1, 1, 2, 2, 4],
  );
});
