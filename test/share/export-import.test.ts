/** Writing and reading `.socraticode/`: nothing is written or read through a link, nothing foreign is touched. */
import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { seal } from '../../src/record/cbor.js';
import { encodePortable, type PortableRecord } from '../../src/record/portable.js';
import { encodeSyntaxRecord } from '../../src/record/syntax-codec.js';
import {
  directorySource,
  type ExportSource,
  exportRecordSet,
  type Imported,
  importRecordSet,
} from '../../src/share/exported-records.js';
import { makeDirectory } from '../support/repositories/repo.js';

const RECORD_SET = { kind: 'syntax', profile: '0123456789ab' };
const records: PortableRecord[] = Array.from({ length: 20 }, (_, i) => {
  const oid = (i * 13).toString(16).padStart(2, '0').padEnd(40, '0');
  return { oid, bytes: encodeSyntaxRecord(oid, { skip: 'binary' }) };
});
const folderOf = (directory: string) => join(directory, RECORD_SET.kind, RECORD_SET.profile);

test('an export keeps correct files, deletes its own obsolete ones, and leaves other files alone', () => {
  const directory = makeDirectory('export');
  const first = exportRecordSet(directory, RECORD_SET, records);
  assert.deepEqual([first.written, first.files, first.removed], [first.files, first.files, 0]);
  const names = readdirSync(folderOf(directory));
  assert.equal(first.files, names.length);
  assert.equal(
    first.bytes,
    names.reduce((sum, name) => sum + statSync(join(folderOf(directory), name)).size, 0),
  );
  assert.match(
    readFileSync(join(directory, '.gitattributes'), 'utf8'),
    /^\*\.cbor binary/m,
    'git may not change line ends',
  );
  writeFileSync(join(folderOf(directory), 'NOTES.txt'), 'mine');
  writeFileSync(join(directory, '.gitattributes'), 'mine');
  const stateOf = () =>
    readdirSync(folderOf(directory)).map((name) => [name, statSync(join(folderOf(directory), name)).ino]);
  const before = stateOf();
  assert.deepEqual(exportRecordSet(directory, RECORD_SET, [...records].reverse()), { ...first, written: 0 });
  assert.deepEqual(stateOf(), before);
  const fewer = exportRecordSet(directory, RECORD_SET, records.slice(0, 1));
  assert.deepEqual([fewer.files, fewer.removed], [1, first.files - 1]);
  assert.deepEqual(readdirSync(folderOf(directory)).sort(), ['0.cbor', 'NOTES.txt']);
  assert.equal(readFileSync(join(directory, '.gitattributes'), 'utf8'), 'mine');
});

test('an export writes nothing through a symbolic link in the repository', () => {
  const outside = makeDirectory('outside');
  writeFileSync(join(outside, 'f'), 'precious');
  for (const link of [RECORD_SET.kind, join(RECORD_SET.kind, RECORD_SET.profile)]) {
    const directory = makeDirectory('export');
    mkdirSync(join(directory, link, '..'), { recursive: true });
    symlinkSync(outside, join(directory, link));
    assert.throws(() => exportRecordSet(directory, RECORD_SET, records), { code: 'BAD_ARGUMENT' });
  }
  const directory = makeDirectory('export');
  mkdirSync(folderOf(directory), { recursive: true });
  symlinkSync(join(outside, 'f'), join(folderOf(directory), '0.cbor'));
  exportRecordSet(directory, RECORD_SET, records);
  assert.equal(readFileSync(join(outside, 'f'), 'utf8'), 'precious');
  assert.deepEqual(readdirSync(outside), ['f']);
});

test('a link to the bytes of a record file becomes that file', () => {
  const directory = makeDirectory('export');
  exportRecordSet(directory, RECORD_SET, records);
  const [name] = readdirSync(folderOf(directory));
  const path = join(folderOf(directory), name);
  const elsewhere = join(makeDirectory('elsewhere'), name);
  renameSync(path, elsewhere);
  symlinkSync(elsewhere, path);
  assert.equal(exportRecordSet(directory, RECORD_SET, records).written, 1);
  assert.ok(lstatSync(path).isFile());
  assert.deepEqual(readFileSync(path), readFileSync(elsewhere));
});

/** Imports into a set that stands for the notes. */
async function imported(place: ExportSource, known: string[] = [], missing: string[] = []) {
  const notes = new Set(known);
  const store = {
    load: async () => {},
    has: (oid: string) => notes.has(oid),
    accepts: (bytes: Uint8Array) => bytes.length > 0 && bytes[bytes.length - 1] !== 0xff,
    write: async (entries: readonly { target: string }[]) => {
      for (const { target } of entries) notes.add(target);
    },
  };
  const info = async (oid: string) => (missing.includes(oid) ? null : { oid, type: 'blob' as const, size: 1 });
  const objects = { info, read: async () => null, close: () => {} };
  const counts: Imported = await importRecordSet(place, RECORD_SET, { store, objects });
  return { counts, notes };
}

test('records of small files are written together, a thousand or four MiB at a time', async () => {
  const written = async (sizes: readonly number[], bytes: number) => {
    const batches: number[] = [];
    const file = (name: string, size: number) => {
      const oids = Array.from({ length: size }, (_, i) => `${name}${i.toString(16).padStart(39, '0')}`);
      const content = encodePortable(
        'syntax',
        oids.map((oid) => ({ oid, bytes: seal('syntax', 1, oid, new Uint8Array(bytes)) as Uint8Array })),
      );
      return { name, size: 1, read: async () => content };
    };
    const files = sizes.map((size, i) => file(i.toString(16), size));
    const place = { files: async () => ({ files, refused: 0 }) } as unknown as ExportSource;
    const store = {
      ...{ load: async () => {}, has: () => false, accepts: () => true },
      write: async (entries: readonly object[]) => void batches.push(entries.length),
    };
    const objects = { info: async (oid: string) => ({ oid, type: 'blob' as const, size: 1 }) };
    await importRecordSet(place, RECORD_SET, { store, objects } as unknown as Parameters<typeof importRecordSet>[2]);
    return batches;
  };
  assert.deepEqual(await written([400, 400, 400, 10], 10), [1_200, 10]);
  assert.deepEqual(await written([3, 3, 3], 1_048_000), [6, 3]);
});

test('an import is over when its last records are written, and fails where their writing does', async () => {
  const directory = makeDirectory('import');
  exportRecordSet(directory, RECORD_SET, records);
  const importing = (write: () => Promise<void>) => {
    const store = { load: async () => {}, has: () => false, accepts: () => true, write };
    const objects = { info: async (oid: string) => ({ oid, type: 'blob' as const, size: 1 }) };
    const tools = { store, objects } as unknown as Parameters<typeof importRecordSet>[2];
    return importRecordSet(directorySource(directory), RECORD_SET, tools);
  };
  let isWritten = false;
  const { added } = await importing(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    isWritten = true;
  });
  assert.deepEqual([added, isWritten], [records.length, true]);
  await assert.rejects(
    importing(async () => {
      throw new Error('the disk is full');
    }),
    /the disk is full/,
  );
});

test('where everything is known, or nothing is there, nothing is written; a cancelled import ends as that', async () => {
  const calls: string[] = [];
  const store = {
    ...{ load: async () => void calls.push('load'), has: () => true, accepts: () => true },
    write: async () => void calls.push('write'),
  };
  const objects = { info: async () => null };
  const directory = makeDirectory('import');
  const use = (signal?: AbortSignal) =>
    importRecordSet(directorySource(directory), RECORD_SET, { store, objects, signal } as unknown as Parameters<
      typeof importRecordSet
    >[2]);
  assert.deepEqual([(await use()).files, calls], [0, []]);
  exportRecordSet(directory, RECORD_SET, records);
  assert.deepEqual([(await use()).known, calls], [20, ['load']]);
  await assert.rejects(use(AbortSignal.abort()), { code: 'CANCELLED' });
  assert.ok(!calls.includes('write'));
});

test('a record that stands in two files is written once', async () => {
  const directory = makeDirectory('import');
  mkdirSync(folderOf(directory), { recursive: true });
  for (const name of ['0.cbor', '1.cbor'])
    writeFileSync(join(folderOf(directory), name), encodePortable('syntax', records.slice(0, 3)));
  const { counts, notes } = await imported(directorySource(directory), [], []);
  assert.deepEqual(counts, { files: 2, added: 3, known: 3, foreign: 0, bad: 0 });
  assert.equal(notes.size, 3);
});

test('an import takes only new, valid records of blobs that the repository has', async () => {
  const directory = makeDirectory('import');
  exportRecordSet(directory, RECORD_SET, records);
  const { counts, notes } = await imported(directorySource(directory), [records[0].oid], [records[1].oid]);
  assert.deepEqual(counts, { files: 16, added: 18, known: 1, foreign: 1, bad: 0 });
  assert.equal(notes.size, 19);
});

test('an import reads no symbolic links and no files with other names', async () => {
  const directory = makeDirectory('import');
  const outside = makeDirectory('outside');
  writeFileSync(join(outside, 'a.cbor'), encodePortable('syntax', records));
  mkdirSync(folderOf(directory), { recursive: true });
  symlinkSync(join(outside, 'a.cbor'), join(folderOf(directory), 'a.cbor'));
  writeFileSync(join(folderOf(directory), 'records.cbor'), encodePortable('syntax', records));
  assert.equal((await imported(directorySource(directory))).counts.files, 0);
  for (const link of [RECORD_SET.kind, join(RECORD_SET.kind, RECORD_SET.profile)]) {
    const linked = makeDirectory('import');
    const from = makeDirectory('outside');
    exportRecordSet(from, RECORD_SET, records);
    mkdirSync(join(linked, link, '..'), { recursive: true });
    symlinkSync(join(from, link), join(linked, link));
    assert.equal((await imported(directorySource(linked))).counts.files, 0);
  }
});

test('an import counts an invalid file as bad and reads the others', async () => {
  const directory = makeDirectory('import');
  exportRecordSet(directory, RECORD_SET, records);
  writeFileSync(join(folderOf(directory), 'fff.cbor'), 'something else');
  const huge = join(folderOf(directory), 'ffe.cbor');
  writeFileSync(huge, Buffer.alloc((32 << 20) + 1));
  const { counts } = await imported(directorySource(directory));
  assert.deepEqual([counts.added, counts.bad], [20, 2]);
  assert.ok(existsSync(huge));
});

test('records that the notes would not take are counted as bad, and not written', async () => {
  const directory = makeDirectory('import');
  exportRecordSet(directory, RECORD_SET, records);
  const written: string[] = [];
  const store = {
    ...{ load: async () => {}, has: () => false, accepts: (_: Uint8Array, oid: string) => oid !== records[3].oid },
    write: async (entries: readonly { target: string }[]) => void written.push(...entries.map(({ target }) => target)),
  };
  const objects = { info: async (oid: string) => ({ oid, type: 'blob' as const, size: 1 }) };
  const counts = await importRecordSet(directorySource(directory), RECORD_SET, {
    store,
    objects,
  } as unknown as Parameters<typeof importRecordSet>[2]);
  assert.deepEqual(counts, { files: 16, added: 19, known: 0, foreign: 0, bad: 1 });
  assert.deepEqual(written.includes(records[3].oid), false);
});

test('an import counts a file that went away after it was listed, and takes the others', async () => {
  const file = (name: string, read: () => Promise<Uint8Array | null>) => ({ name, size: 1, read });
  const place: ExportSource = {
    name: 'made up',
    recordSets: async () => [RECORD_SET],
    files: async () => ({
      files: [
        file('0.cbor', async () => null),
        file('1.cbor', async () =>
          encodePortable(
            'syntax',
            [...records].sort((a, b) => (a.oid < b.oid ? -1 : 1)),
          ),
        ),
      ],
      refused: 3,
    }),
  };
  const { counts } = await imported(place);
  assert.deepEqual(counts, { files: 2, added: 20, known: 0, foreign: 0, bad: 4 });
});

test('a directory lists real folders of records alone, and a place that is not there lists none', async () => {
  const directory = makeDirectory('import');
  exportRecordSet(directory, RECORD_SET, records);
  exportRecordSet(directory, { kind: 'vectors', profile: 'feedfacecafe' }, []);
  for (const name of ['syntax/NOT-HEX', 'other/0123456789ab', 'syntax/abc'])
    mkdirSync(join(directory, name), { recursive: true });
  writeFileSync(join(directory, 'syntax', 'ffff'), 'a file');
  const sets = await directorySource(directory).recordSets();
  assert.deepEqual(
    sets.filter(({ kind }) => kind === 'syntax'),
    [RECORD_SET],
  );
  assert.ok(sets.every(({ kind }) => kind === 'syntax' || kind === 'vectors'));
  const absent = directorySource(join(directory, 'nowhere'));
  assert.deepEqual([await absent.recordSets(), await absent.files(RECORD_SET)], [[], { files: [], refused: 0 }]);
});

test('a file of 32 MiB is read, and one of a byte more is refused before it is read', async () => {
  const directory = makeDirectory('import');
  mkdirSync(folderOf(directory), { recursive: true });
  const path = join(folderOf(directory), '0.cbor');
  writeFileSync(path, '');
  const listed = async (size: number) => {
    truncateSync(path, size);
    const { files, refused } = await directorySource(directory).files(RECORD_SET);
    return [files.map((file) => file.size), refused];
  };
  assert.deepEqual(await listed(32 << 20), [[32 << 20], 0]);
  const [file] = (await directorySource(directory).files(RECORD_SET)).files;
  assert.equal((await file.read())?.length, 32 << 20);
  truncateSync(path, (32 << 20) + 1);
  assert.equal(await file.read(), null, 'it has grown since it was listed');
  assert.deepEqual(await listed((32 << 20) + 1), [[], 1]);
});
