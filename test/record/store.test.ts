/** Records of what compilers told: one encoding each, and no bytes that are believed without a check. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { notePath } from '../../src/git/notes.js';
import { CatFileReader } from '../../src/git/objects.js';
import { openRepository, type Repository } from '../../src/git/repository.js';
import { type CborValue, decodeCanonical, encodeCanonical } from '../../src/record/cbor.js';
import {
  type CompilerOccurrence,
  type CompilerRecord,
  MAX_BLOB_BYTES,
  MAX_RECORD_BYTES,
  RECORD_LIMITS,
  type SyntaxRecord,
  type VectorRecord,
} from '../../src/record/format.js';
import {
  compilerStore,
  decodeCompilerRecord,
  decodeOccurrences,
  encodeCompilerRecord,
  encodeOccurrences,
  isRecord,
  moniker,
  syntaxStore,
  vectorStore,
} from '../../src/record/store.js';
import { decodeChunksAndSymbols, encodeSyntaxRecord } from '../../src/record/syntax-codec.js';
import { encodeVectorRecord } from '../../src/record/vector-codec.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';
import { anyOid, readersOf, SAMPLE_OID, SAMPLE as SYNTAX_SAMPLE } from './sample.js';
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

test("a compiler's record is kept under the ref of its kind", async () => {
  const repo = createRepo();
  const oid = repo.blob('int x;\n');
  await withReader(repo, async (repository, objects) => {
    const store = compilerStore(repository, objects, 'p3', '{"format":1}');
    await store.write([{ target: oid, note: encoded(SAMPLE, oid) }]);
    await store.load(1);
    assert.deepEqual(await store.read(oid), { ok: true, record: SAMPLE });
  });
  assert.deepEqual(Object.keys(repo.notesRefs()), ['refs/notes/socraticode/compiler/p3']);
});

test('no records make no commit', async () => {
  const repo = createRepo();
  await withReader(repo, async (repository, objects) => {
    await syntaxStore(repository, objects, 'p1').write([]);
  });
  assert.deepEqual(repo.notesRefs(), {});
});

test('a record that is written again replaces one that git put at another depth, whether notes were listed or not', async () => {
  const repo = createRepo();
  const oid = repo.blob('int x;\n');
  const note = repo.blob('of git');
  const deeper = repo.rawTree([{ oid: note, name: oid.slice(2) }]);
  const trees = [
    repo.rawTree([{ oid: note, name: oid }]),
    repo.rawTree([{ oid: deeper, name: oid.slice(0, 2), mode: '40000' }]),
  ];
  await withReader(repo, async (repository, objects) => {
    for (const [i, tree] of trees.entries())
      for (const count of [1, Number.POSITIVE_INFINITY]) {
        const store = syntaxStore(repository, objects, `p${i}${count}`);
        repo.commitTree(tree, store.ref);
        await store.load(count);
        assert.equal((await store.read(oid))?.ok, false);
        await store.write([{ target: oid, note: encodeSyntaxRecord(oid, SKIPPED) }]);
        assert.equal(repo.git('ls-tree', '-r', '--name-only', store.ref), notePath(oid));
      }
  });
});

test('a former tip is held as long as notes were only added or written again since', async () => {
  const repo = createRepo();
  const [first, second] = [repo.blob('int x;\n'), repo.blob('int y;\n')];
  await withReader(repo, async (repository, objects) => {
    const store = syntaxStore(repository, objects, 'p');
    assert.equal(await store.holdsAllOf(null), true, 'no records then, none now');
    await store.write([{ target: first, note: encodeSyntaxRecord(first, SKIPPED) }]);
    const tip = await store.readTip();
    assert.deepEqual([await store.holdsAllOf(tip), await store.holdsAllOf(null)], [true, false]);
    await store.write([{ target: second, note: encodeSyntaxRecord(second, SKIPPED) }]);
    await store.write([{ target: first, note: encodeSyntaxRecord(first, { skip: 'secret' }) }]);
    assert.equal(await store.holdsAllOf(tip), true, 'one added, one written again');
    assert.equal(await store.holdsAllOf('f'.repeat(40)), false, 'a commit that is gone');
    repo.git('notes', `--ref=${store.ref}`, 'remove', first);
    assert.equal(await store.holdsAllOf(tip), false, 'one removed');
    repo.git('update-ref', '-d', store.ref);
    assert.equal(await store.holdsAllOf(tip), false, 'all removed');
  });
});

test('of several notes of one blob, small and large questions read the same one: ours', async () => {
  const repo = createRepo();
  const oid = repo.blob('int x;\n');
  const folder = (name: string, entry: { oid: string; name: string; mode?: string }) => ({
    ...{ oid: repo.rawTree([entry]), name, mode: '40000' },
  });
  await withReader(repo, async (repository, objects) => {
    const store = syntaxStore(repository, objects, 'p');
    const ours = repo.blob(encodeSyntaxRecord(oid, SKIPPED));
    const [flat, shallow] = ['flat', 'shallow'].map((text) => repo.blob(text));
    const deep = folder(oid.slice(2, 4), { oid: ours, name: oid.slice(4) });
    const top = repo.rawTree([deep, { oid: shallow, name: oid.slice(2) }]);
    repo.commitTree(
      repo.rawTree([
        { oid: top, name: oid.slice(0, 2), mode: '40000' },
        { oid: flat, name: oid },
      ]),
      store.ref,
    );
    for (const count of [1, Number.POSITIVE_INFINITY]) {
      const asked = syntaxStore(repository, objects, 'p');
      await asked.load(count);
      assert.deepEqual(await asked.read(oid), { ok: true, record: SKIPPED });
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

test('a note that is missing, too large or vanishes is a result that says why, and gives no bytes', async () => {
  const oid = 'a'.repeat(40);
  const info = { oid: 'b'.repeat(40), type: 'blob' as const, size: MAX_RECORD_BYTES };
  const answers: Record<string, typeof info | null> = { [info.oid]: info };
  const objects = {
    info: async (name: string) => (name.includes(':') ? info : (answers[name] ?? null)),
    read: async () => null,
    close: () => {},
  };
  const store = syntaxStore({} as Repository, objects, 'p');
  const reason = async () => {
    const found = await store.read(oid);
    assert.equal(await store.readEncoded(oid), null);
    return found === null || found.ok ? 'ok' : `${found.reason}: ${found.detail}`;
  };
  assert.equal(await reason(), 'malformed: the note is not readable');
  answers[info.oid] = { ...info, size: MAX_RECORD_BYTES + 1 };
  assert.equal(await reason(), 'too-large: 1048577 bytes');
  answers[info.oid] = null;
  assert.equal(await reason(), 'malformed: the note is not in the object store');
});

test('bytes of a record are given as they are, those of a note that is no record are not', async () => {
  const repo = createRepo();
  const [oid, other] = [repo.blob('int x;\n'), repo.blob('int y;\n')];
  const note = encodeSyntaxRecord(oid, SKIPPED);
  await withReader(repo, async (repository, objects) => {
    const store = syntaxStore(repository, objects, 'p', '{"a":1}');
    assert.deepEqual([await store.readTip(), store.has(oid), store.noteId(oid)], [null, false, null]);
    await store.load();
    await store.write([
      { target: oid, note },
      { target: other, note },
    ]);
    assert.equal(await store.readTip(), repo.git('rev-parse', store.ref));
    assert.match(repo.git('log', '-1', '--format=%B', store.ref), /profile: \{"a":1\}/);
    await store.load();
    assert.deepEqual(Buffer.from((await store.readEncoded(oid)) ?? []), Buffer.from(note));
    const whole = encodeSyntaxRecord(oid, SYNTAX_SAMPLE);
    await store.write([{ target: oid, note: whole }]);
    await store.load();
    assert.deepEqual(await store.read(oid), { ok: true, record: SYNTAX_SAMPLE });
    assert.deepEqual(await store.read(oid, { whole: false }), decodeChunksAndSymbols(whole, oid));
    assert.notDeepEqual(await store.read(oid, { whole: false }), await store.read(oid));
    await store.write([{ target: oid, note }]);
    await store.load();
    assert.equal(await store.readEncoded(other), null);
    assert.equal(await store.readEncoded('c'.repeat(40)), null);
    assert.deepEqual([store.accepts(note, oid), store.accepts(note, other)], [true, false]);
    assert.deepEqual([store.has(oid), store.noteId(oid)], [true, repo.notes().get(oid)]);
    assert.deepEqual([store.has('c'.repeat(40)), store.noteId('c'.repeat(40))], [false, null]);
  });
});

test('few records are looked up by path, many are listed', async () => {
  const repo = createRepo();
  const oid = repo.blob('int x;\n');
  await withReader(repo, async (repository, objects) => {
    const store = syntaxStore(repository, objects, 'p');
    await store.write([{ target: oid, note: encodeSyntaxRecord(oid, SKIPPED) }]);
    await store.load(100);
    assert.equal(store.has(oid), false, 'not listed');
    assert.equal((await store.read(oid))?.ok, true);
    assert.equal(await store.read('c'.repeat(40)), null);
    await store.load(101);
    assert.equal(store.has(oid), true);
  });
});

test('notes of known kinds are records only if they can be read; those of other kinds always count', () => {
  const oid = 'a'.repeat(40);
  const syntax = encodeSyntaxRecord(oid, SKIPPED);
  const vectors = encodeVectorRecord(oid, VECTOR_SAMPLE) ?? assert.fail();
  const compiler = encodeCompilerRecord(oid, { occurrences: [] }) ?? assert.fail();
  for (const [kind, bytes] of [
    ['syntax', syntax],
    ['vectors', vectors],
    ['compiler', compiler],
  ] as const) {
    assert.equal(isRecord(kind, bytes, oid), true);
    assert.equal(isRecord(kind, bytes, 'b'.repeat(40)), false);
    assert.equal(isRecord(kind, bytes.subarray(1), oid), false);
  }
  for (const bytes of [syntax, new Uint8Array(MAX_RECORD_BYTES + 1)])
    assert.equal(isRecord('of-tomorrow', bytes, oid), true);
  assert.equal(isRecord('syntax', new Uint8Array(MAX_RECORD_BYTES + 1), oid), false);
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

const GOLDEN = new URL('../../../fixtures/records/compiler-v1.cbor', import.meta.url);
const { decoded, reasonOf } = readersOf(decodeCompilerRecord);

const occurrence: fc.Arbitrary<CompilerOccurrence> = fc.record(
  {
    line: fc.integer({ min: 1, max: 1_000_000 }),
    column: fc.nat(300),
    name: fc.constantFrom('total', 'Cart', 'é', 'x', '$y'),
    moniker: fc.constantFrom(...['a', 'b', 'c', 'd'].map(moniker), 0, 2 ** 48 - 1),
    isDefinition: fc.boolean(),
    isWrite: fc.boolean(),
    isLocal: fc.boolean(),
    isMember: fc.boolean(),
  },
  { noNullPrototype: true },
);

const anyRecord: fc.Arbitrary<CompilerRecord> = fc
  .uniqueArray(occurrence, { selector: ({ line, column }) => `${line}:${column}`, maxLength: 30 })
  .map((all) => ({ occurrences: all.sort((a, b) => a.line - b.line || a.column - b.column) }));

function encoded(record: CompilerRecord, oid = SAMPLE_OID): Uint8Array {
  return encodeCompilerRecord(oid, record) ?? assert.fail('more than 1 MiB');
}

const SAMPLE: CompilerRecord = {
  occurrences: [
    { ...at(1, 13), name: 'Cart', moniker: moniker('x Cart#'), isDefinition: true },
    { ...at(4, 16), name: 'total', moniker: moniker('x Cart#total().'), isMember: true },
    { ...at(4, 30), name: 'n', moniker: moniker('local 1'), isLocal: true, isWrite: true },
    { ...at(9, 2), name: 'Cart', moniker: moniker('x Cart#') },
  ],
};

function at(line: number, column: number) {
  return { line, column, isDefinition: false, isWrite: false, isLocal: false, isMember: false };
}

test('any record comes back equal and has one encoding, in notes and in caches', () => {
  fc.assert(
    fc.property(anyOid, anyRecord, (oid, record) => {
      const bytes = encoded(record, oid);
      assert.deepEqual(decoded(bytes, oid), record);
      assert.deepEqual(encoded(decoded(bytes, oid), oid), bytes);
      assert.deepEqual(decodeOccurrences(encodeOccurrences(record)), record);
    }),
    { numRuns: 200 },
  );
});

test('a name of 200 characters is the longest', () => {
  const named = (length: number): CompilerRecord => ({
    occurrences: [{ ...SAMPLE.occurrences[0], name: 'n'.repeat(length) }],
  });
  assert.deepEqual(decoded(encoded(named(200)), SAMPLE_OID), named(200));
  assert.throws(() => decodeOccurrences(encodeOccurrences(named(201))));
});

test('changed bytes are refused, or are the only encoding of what they decode to', () => {
  const change = fc.tuple(fc.nat(), fc.nat(255));
  fc.assert(
    fc.property(anyRecord, fc.array(change, { minLength: 1, maxLength: 3 }), (record, changes) => {
      const bytes = encodeOccurrences(record).slice();
      for (const [place, value] of changes) bytes[place % bytes.length] = value;
      try {
        assert.deepEqual(encodeOccurrences(decodeOccurrences(bytes)), bytes);
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'RECORD_CORRUPT', String(error));
      }
    }),
    { numRuns: 1_000 },
  );
});

test('an occurrence before the first line, or at a place that no blob is large enough for, is refused', () => {
  const placed = (line: number, column: number): CompilerRecord => ({
    occurrences: [{ ...SAMPLE.occurrences[0], ...at(line, column) }],
  });
  assert.deepEqual(decodeOccurrences(encodeOccurrences(placed(MAX_BLOB_BYTES, MAX_BLOB_BYTES))).occurrences.length, 1);
  for (const [line, column] of [
    [0, 0],
    [MAX_BLOB_BYTES + 1, 0],
    [1, MAX_BLOB_BYTES + 1],
  ])
    assert.throws(() => decodeOccurrences(encodeOccurrences(placed(line, column))), /outside of any blob/);
});

test('two occurrences at one place, or one before the other, are refused', () => {
  const placed = (...places: [number, number][]) => {
    const occurrences = places.map(([line, column]) => ({ ...SAMPLE.occurrences[0], ...at(line, column) }));
    return decodeOccurrences(encodeOccurrences({ occurrences })).occurrences.length;
  };
  assert.deepEqual([placed([1, 3], [1, 4]), placed([1, 3], [2, 3]), placed([1, 3], [2, 0])], [2, 2, 2]);
  for (const column of [3, 2]) assert.throws(() => placed([1, 3], [1, column]), /out of order/, `${column}`);
});

test('a payload with an item too many, or that is no list, is refused', () => {
  const payload = decodeCanonical(encodeOccurrences(SAMPLE), RECORD_LIMITS) as CborValue[];
  for (const other of [[...payload, 0], payload.slice(0, 3), 'four', 4])
    assert.throws(() => decodeOccurrences(encodeCanonical(other)), { code: 'RECORD_CORRUPT' }, JSON.stringify(other));
});

test('names, numbers of symbols and flags that no encoder writes are refused, each with its reason', () => {
  const payload = decodeCanonical(encodeOccurrences(SAMPLE), RECORD_LIMITS) as CborValue[];
  const [total, names, monikers, columns] = payload as [number, string, Uint8Array, Uint8Array];
  const reason = (...fields: CborValue[]) => {
    try {
      decodeOccurrences(encodeCanonical(fields));
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const twice = monikers.slice();
  twice.copyWithin(6, 0, 6);
  const flagged = columns.slice();
  flagged[flagged.length - 1] = 16;
  assert.equal(reason(...payload), null);
  assert.match(reason(total, 'Cart\nCart\nn', monikers, columns) ?? '', /a name twice$/);
  assert.match(reason(total, 'Cart\n\nn', monikers, columns) ?? '', /a name of a wrong length$/);
  assert.match(reason(total, `${names}\nmore`, monikers, columns) ?? '', /without an occurrence$/);
  assert.match(reason(total, names, monikers.subarray(1), columns) ?? '', /monikers end within one$/);
  assert.match(reason(total, names, twice, columns) ?? '', /a moniker twice$/);
  assert.match(reason(total, names, monikers, flagged) ?? '', /unknown flags$/);
});

test('the golden record of version 1 still decodes and is still what is written', () => {
  const golden = new Uint8Array(readFileSync(GOLDEN));
  assert.deepEqual(decoded(golden), SAMPLE);
  assert.deepEqual(encoded(SAMPLE), golden);
  assert.equal(reasonOf(golden.subarray(0, -1)), 'malformed');
});

test('a record of more than 1 MiB is not written', () => {
  const occurrences = Array.from({ length: 100_000 }, (_, i) => ({
    ...{ ...at(i + 1, 0), name: `name${i}`, moniker: i + 1 },
  }));
  assert.equal(encodeCompilerRecord(SAMPLE_OID, { occurrences }), null);
});
