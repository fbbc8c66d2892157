import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { CatFileReader } from '../../src/git/objects.js';
import { openRepository, type Repository } from '../../src/git/repository.js';
import { encodeSyntaxRecord } from '../../src/record/codec.js';
import { syntaxStore, vectorStore } from '../../src/record/store.js';
import type { SyntaxRecord, VectorRecord } from '../../src/record/types.js';
import { encodeVectorRecord } from '../../src/record/vector-codec.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';
import { VECTOR_SAMPLE } from './vector-sample.js';

const SKIPPED: SyntaxRecord = { skip: 'binary' };

async function withReader(repo: TestRepo, work: (repository: Repository, objects: CatFileReader) => Promise<void>) {
  const repository = await openRepository(repo.dir);
  const objects = new CatFileReader(repository.git);
  try {
    await work(repository, objects);
  } finally {
    objects.close();
  }
}

function vectorNote(oid: string, record: VectorRecord): { target: string; note: Uint8Array } {
  const note = encodeVectorRecord(oid, record);
  assert.ok(note !== null);
  return { target: oid, note };
}

test('both kinds of records of one blob live side by side, each under its own ref', async () => {
  for (const objectFormat of ['sha1', 'sha256'] as const) {
    const repo = createRepo({ objectFormat });
    const oid = repo.blob('int x;\n');
    await withReader(repo, async (repository, objects) => {
      const syntax = syntaxStore(repository, objects, 'p1');
      const vectors = vectorStore(repository, objects, 'p2');
      await syntax.write([{ target: oid, note: encodeSyntaxRecord(oid, SKIPPED) }]);
      await vectors.load();
      assert.equal(vectors.has(oid), false);
      assert.equal(await vectors.read(oid), null);
      await vectors.write([vectorNote(oid, VECTOR_SAMPLE)]);
      assert.equal(vectors.has(oid), true);
    });
    assert.deepEqual(Object.keys(repo.notesRefs()), [
      'refs/notes/socraticode/syntax/p1',
      'refs/notes/socraticode/vectors/p2',
    ]);
    await withReader(repo, async (repository, objects) => {
      for (const count of [1, Number.POSITIVE_INFINITY]) {
        const [syntax, vectors] = [syntaxStore(repository, objects, 'p1'), vectorStore(repository, objects, 'p2')];
        await Promise.all([syntax.load(count), vectors.load(count)]);
        assert.deepEqual(await syntax.read(oid), { ok: true, record: SKIPPED });
        assert.deepEqual(await vectors.read(oid), { ok: true, record: VECTOR_SAMPLE });
      }
    });
  }
});

test('no records make no commit', async () => {
  const repo = createRepo();
  await withReader(repo, async (repository, objects) => {
    await syntaxStore(repository, objects, 'p1').write([]);
  });
  assert.deepEqual(repo.notesRefs(), {});
});

test('a record that is written again replaces one that git put at another depth, though nothing was listed', async () => {
  const repo = createRepo();
  const oid = repo.blob('int x;\n');
  const note = repo.blob('of git');
  const deeper = repo.rawTree([{ oid: note, name: oid.slice(2) }]);
  const trees = [
    repo.rawTree([{ oid: note, name: oid }]),
    repo.rawTree([{ oid: deeper, name: oid.slice(0, 2), mode: '40000' }]),
  ];
  await withReader(repo, async (repository, objects) => {
    for (const [i, tree] of trees.entries()) {
      const store = syntaxStore(repository, objects, `p${i}`);
      repo.commitTree(tree, store.ref);
      await store.load(1);
      assert.equal((await store.read(oid))?.ok, false);
      await store.write([{ target: oid, note: encodeSyntaxRecord(oid, SKIPPED) }]);
      assert.equal(repo.git('ls-tree', '-r', '--name-only', store.ref).split('\n').length, 1);
    }
  });
});

test('a note of one kind under the ref of the other is a result, not an error', async () => {
  const repo = createRepo();
  const oid = repo.blob('int x;\n');
  await withReader(repo, async (repository, objects) => {
    const syntax = syntaxStore(repository, objects, 'p');
    const vectors = vectorStore(repository, objects, 'p');
    await syntax.write([vectorNote(oid, VECTOR_SAMPLE)]);
    await vectors.write([{ target: oid, note: encodeSyntaxRecord(oid, SKIPPED) }]);
    for (const store of [syntax, vectors]) {
      await store.load(1);
      const result = await store.read(oid);
      assert.ok(result !== null && !result.ok && result.reason === 'not-a-record');
    }
  });
});

/** Directions as models give them: normally distributed, so that int8 takes all the bits it can. */
function randomVectors(chunks: number, dimensions: number, seed: number): VectorRecord {
  let state = createHash('sha256').update(`${seed}`).digest().readUInt32LE(0);
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 1) / 2 ** 32;
  };
  const rows = new Int8Array(chunks * dimensions);
  for (let chunk = 0; chunk < chunks; chunk++) {
    const values = Array.from({ length: dimensions }, () => {
      return Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
    });
    const scale = 127 / Math.max(...values.map(Math.abs));
    for (let i = 0; i < dimensions; i++) rows[chunk * dimensions + i] = Math.round(values[i] * scale);
  }
  const digests = Array.from({ length: chunks }, (_, i) =>
    createHash('sha256').update(`${seed} ${i}`).digest().subarray(0, 8),
  );
  return { dimensions, languages: { typescript: { hashes: Buffer.concat(digests), rows } } };
}

test('a chunk of 256 dimensions travels as at most 300 bytes, trees and commit included', async () => {
  const repo = createRepo();
  const [blobs, chunks] = [300, 6];
  await withReader(repo, async (repository, objects) => {
    const entries = Array.from({ length: blobs }, (_, i) => {
      const oid = createHash('sha1').update(`${i}`).digest('hex');
      return vectorNote(oid, randomVectors(chunks, 256, i));
    });
    await vectorStore(repository, objects, 'p').write(entries);
  });
  repo.git('repack', '-a', '-d', '-q');
  const sizes = repo.git('cat-file', '--batch-all-objects', '--batch-check=%(objectsize:disk)').split('\n');
  const each = sizes.reduce((sum, size) => sum + Number(size), 0) / (blobs * chunks);
  assert.ok(each > 200 && each <= 300, `${each} bytes a chunk`);
});
