/** Checks of records and local files: several faults at once, each under its name, and their repair. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type FsckRequest, fsckText } from '../../../src/questions/fsck/answer.js';
import { encodeSyntaxRecord } from '../../../src/record/syntax-codec.js';
import { assertRepaired, check, copyOfStock, faultsOf, filesOf, folderOf, noteBytes, writeNote } from './stock.js';

const repo = await copyOfStock();
const blobAt = (path: string) => repo.git('rev-parse', `HEAD:${path}`);
const told = (report: Awaited<ReturnType<typeof check>>) =>
  `\n${fsckText(report)}`
    .replace(/\b[0-9a-f]{12,40}\b/g, '<id>')
    .replace(/\d[\d.]* (?:m?s|[KM]?B|local files)\b/g, 'SOME');

test('what was just indexed is as it should be', async () => {
  const report = await check(repo, { rederive: 2 });
  assert.equal(
    told(report),
    `
checked 14 records (SOME), 2 shards with 14 blobs, 2 complete snapshots, SOME (SOME) in SOME
derived 2 of 14 records again: all equal
nothing is wrong
`,
  );
  assert.deepEqual(
    [report.ok, { ...report.checked, noteBytes: 0, files: 0, fileBytes: 0 }, report.rederived?.equal],
    [
      true,
      {
        refs: 1,
        records: 14,
        vectors: 0,
        compiler: 0,
        knowledge: 0,
        noteBytes: 0,
        shards: 2,
        units: 14,
        snapshots: 2,
        files: 0,
        fileBytes: 0,
      },
      2,
    ],
  );
});

test('local files are checked with their own profile, and not with another one or with what people wrote', async () => {
  const own = repo.notesRef.split('/').at(-1) ?? '';
  const checked = async (request: FsckRequest) => {
    const { records, shards, units, snapshots, files } = (await check(repo, request)).checked;
    return { records, shards, units, snapshots, hasFiles: files > 0 };
  };
  const notes = { records: 14 };
  const local = { shards: 2, units: 14, snapshots: 2, hasFiles: true };
  const nothing = { records: 0, shards: 0, units: 0, snapshots: 0, hasFiles: false };
  assert.deepEqual(await checked({}), { ...notes, ...local });
  assert.deepEqual(await checked({ profile: own }), { ...notes, ...local });
  assert.deepEqual(await checked({ profile: '0123456789ab' }), nothing);
  assert.deepEqual(await checked({ knowledge: true }), nothing);
});

test('damaged and misplaced notes, of which a repair keeps a copy aside', async () => {
  const [a, b, c] = [0, 1, 2].map((i) => blobAt(`src/part${i}.ts`));
  const flipped = await noteBytes(repo, a);
  flipped[flipped.length - 5] ^= 1;
  const stray = 'ab'.repeat(20);
  await writeNote(repo, [
    { target: a, note: flipped },
    { target: b, note: await noteBytes(repo, c) },
    { target: c, note: Buffer.alloc((1 << 20) + 1) },
    {
      target: repo.git('rev-parse', 'HEAD'),
      note: encodeSyntaxRecord(repo.git('rev-parse', 'HEAD'), { skip: 'binary' }),
    },
    { target: stray, note: encodeSyntaxRecord(stray, { skip: 'binary' }) },
  ]);
  const report = await check(repo);
  assert.equal(
    told(report),
    `
error: note-wrong-blob: refs/notes/socraticode/syntax/<id>: the note of <id> is that of another blob: the record is about <id> (src/part1.ts)
  --repair keeps the note aside, takes it out of the notes and derives the record again
error: note-too-large: refs/notes/socraticode/syntax/<id>: the note of <id> is too large: 1048577 bytes (src/part2.ts)
  --repair takes it out of the notes and derives the record again
error: note-undecodable: refs/notes/socraticode/syntax/<id>: the note of <id> is damaged: the payload is damaged (src/part0.ts)
  --repair keeps the note aside, takes it out of the notes and derives the record again
error: note-not-about-a-blob: refs/notes/socraticode/syntax/<id>: <id> is a commit
  --repair keeps the note aside and takes it out of the notes
note: orphan-records: refs/notes/socraticode/syntax/<id>: 1 of 12 records are about blobs that are not here; \`git socraticode compact\` drops them if no commit reaches them
note: units-not-compared: lexical-<id>.bin: blobs that nothing here can be compared with: 3 without a record
checked 16 records (SOME), 2 shards with 11 blobs, 2 complete snapshots, SOME (SOME) in SOME
4 errors
`,
  );
  const { repaired } = await check(repo, { repair: true });
  assert.deepEqual(
    repaired?.commits.map(({ removed, replaced }) => [removed, replaced]),
    [[1, 3]],
  );
  assert.ok(
    readFileSync(join(repo.state, 'aside', `syntax-${repo.notesRef.split('/').at(-1)}`, `${a}.note`)).equals(flipped),
  );
  repo.git('notes', `--ref=${repo.notesRef}`, 'remove', stray);
});

test('local files that are cut, flipped, missing or left over, and locks that nobody holds', async () => {
  const [first, second] = filesOf(repo, /^lexical-.*\.bin$/);
  truncateSync(first, 1_000);
  for (const path of [
    ...filesOf(repo, /^view-/).slice(0, 1),
    ...filesOf(repo, /graphs\/graph-/),
    ...filesOf(repo, /state\.json$/),
  ]) {
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1] ^= 8;
    writeFileSync(path, bytes);
  }
  rmSync(filesOf(repo, new RegExp(`vectors-.*${second.slice(-20, -4)}.bin`))[0]);
  const left = join(folderOf(repo), '.tmp-1-0-view');
  const lock = join(repo.commonDir, 'refs/notes/socraticode/syntax/x.lock');
  for (const path of [left, lock]) {
    writeFileSync(path, '');
    utimesSync(path, 1_700_000_000, 1_700_000_000);
  }
  const report = await check(repo);
  assert.deepEqual(
    [faultsOf(report), report.counts['leftover-files']],
    [{ 'cache-damaged': 3, 'ref-lock-stale': 1, 'shard-damaged': 1, 'vector-file-missing': 1 }, 1],
  );
  const { repaired } = await assertRepaired(repo);
  assert.equal(repaired?.indexed, true);
});

test('a record that is whole and says something else is found by deriving it again', async () => {
  const blob = blobAt('lib/depot.py');
  await writeNote(repo, [{ target: blob, note: encodeSyntaxRecord(blob, { skip: 'secret' }) }]);
  assert.deepEqual(faultsOf(await check(repo)), { 'shard-differs': 1 });
  const report = await check(repo, { rederive: 'all' });
  assert.deepEqual(
    [faultsOf(report), report.rederived?.different, report.rederived?.equal],
    [{ 'note-differs': 1, 'shard-differs': 1 }, 1, 13],
  );
  const repaired = await check(repo, { rederive: 'all', repair: true });
  assert.deepEqual([repaired.ok, (await check(repo, { rederive: 'all' })).ok], [true, true]);
});
