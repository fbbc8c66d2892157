/** Every fault that fsck knows, made for real: it is found under its name, and gone after a repair. */
import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Sections } from '../../../src/base/binary.js';
import { sampleOf } from '../../../src/questions/fsck/check-notes.js';
import { decodeSyntaxRecord, encodeSyntaxRecord } from '../../../src/record/syntax-codec.js';
import type { Manifest } from '../../../src/shard/directory.js';
import { LEXICAL_MAGIC } from '../../../src/shard/lexical-format.js';
import { LexicalShard } from '../../../src/shard/lexical-shard.js';
import { inProcess } from '../../support/in-process/search.js';
import type { TestRepo } from '../../support/repositories/repo.js';
import {
  assertRepaired,
  check,
  copyOfStock,
  faultsOf,
  filesOf,
  folderOf,
  indexOf,
  noteBytes,
  stock,
  writeNote,
} from './stock.js';

const blobAt = (repo: TestRepo, path: string) => repo.git('rev-parse', `HEAD:${path}`);

/** Every file of the git directory, and when it was written. */
const everything = (repo: TestRepo) =>
  (readdirSync(repo.commonDir, { recursive: true }) as string[]).sort().map((name) => {
    const { size, mtimeMs } = lstatSync(join(repo.commonDir, name));
    return `${name} ${size} ${mtimeMs}`;
  });

/** Publishes a changed manifest, sealed as only this user can. */
function publish(repo: TestRepo, change: (manifest: Manifest) => Manifest): Promise<void> {
  return inProcess(repo, async ({ session: { shards } }) => shards.publish(change(shards.readManifest())));
}

test('what was just indexed is as it should be, and a check writes nothing', async () => {
  const repo = await stock();
  const before = everything(repo);
  const report = await check(repo, { rederive: 'all' });
  assert.deepEqual([report.ok, report.indexed, faultsOf(report), report.repaired], [true, true, {}, null]);
  const { records, shards, units, snapshots, refs } = report.checked;
  assert.deepEqual([records, shards, units, snapshots, refs], [14, 2, 14, 2, 1]);
  assert.deepEqual(
    [report.rederived?.equal, report.rederived?.different, report.rederived?.notComparable],
    [14, 0, {}],
  );
  assert.deepEqual(everything(repo), before);
  const clean = await check(await copyOfStock(), { repair: true });
  assert.deepEqual([clean.ok, clean.repaired?.commits, clean.repaired?.indexed], [true, [], false]);
});

test('notes: damaged, of other blobs, misplaced, and entries that are no notes', async () => {
  const repo = await copyOfStock();
  const [a, b, c, d, e, f, g] = [0, 1, 2, 3, 4, 5, 6].map((i) => blobAt(repo, `src/part${i}.ts`));
  const flipped = await noteBytes(repo, a);
  flipped[flipped.length - 5] ^= 1;
  await writeNote(repo, [
    { target: a, note: flipped },
    { target: b, note: await noteBytes(repo, c) },
    { target: d, note: Buffer.alloc((1 << 20) + 1) },
    { target: e, note: Buffer.from('hello') },
    {
      target: repo.git('rev-parse', 'HEAD'),
      note: encodeSyntaxRecord(repo.git('rev-parse', 'HEAD'), { skip: 'binary' }),
    },
    { target: 'ab'.repeat(20), note: encodeSyntaxRecord('ab'.repeat(20), { skip: 'binary' }) },
  ]);
  const ref = repo.notesRef;
  const good = (blob: string) => repo.notes().get(blob);
  const fanned = (blob: string) => `${blob.slice(0, 2)}/${blob.slice(2, 4)}/${blob.slice(4)}`;
  const stream = [
    ...[`commit ${ref}`, 'committer x <x@x> now', 'data 0', `from ${repo.git('rev-parse', ref)}`],
    `M 100644 ${good(c)} ${c}`,
    ...[`D ${fanned(f)}`, `M 100644 ${good(f)} ${f.slice(0, 2)}/${f.slice(2)}`],
    `M 100755 ${good(g)} ${fanned(g)}`,
    `M 100644 ${good(c)} "no note/\\033[31m"`,
    ...[`M 160000 ${repo.git('rev-parse', 'HEAD')} 00/11/${'2'.repeat(36)}`, 'done', ''],
  ];
  repo.gitInput(stream.join('\n'), 'fast-import', '--quiet', '--done', '--date-format=now');
  const report = await check(repo);
  assert.deepEqual(
    [report.ok, faultsOf(report)],
    [
      false,
      {
        ...{ 'note-mode': 1, 'note-not-about-a-blob': 1, 'note-stranger': 2, 'note-too-large': 1 },
        ...{ 'note-twice': 1, 'note-undecodable': 2, 'note-wrong-blob': 1 },
      },
    ],
  );
  assert.deepEqual([report.counts['orphan-records'], report.counts['note-depth']], [1, 1]);
  const undecodable = report.findings.find(({ blob }) => blob === a);
  assert.deepEqual([undecodable?.path, undecodable?.about], ['src/part0.ts', ref]);
  assert.match(undecodable?.message ?? '', /damaged/);
  const before = repo.git('rev-list', '--count', ref);
  const { repaired } = await check(repo, { repair: true });
  assert.equal(
    repo.git('rev-list', '--count', ref),
    String(Number(before) + 1),
    'one commit, and no history rewritten',
  );
  assert.deepEqual(
    repaired?.commits.map(({ removed, replaced }) => ({ removed, replaced })),
    [{ removed: 4, replaced: 4 }],
  );
  assert.ok(readFileSync(join(repo.state, 'aside', `syntax-${ref.split('/').at(-1)}`, `${a}.note`)).equals(flipped));
  // The orphan is somebody's record: it stays, and nothing else differs from a clean build.
  repo.git('notes', `--ref=${ref}`, 'remove', 'ab'.repeat(20));
  assert.deepEqual([...repo.notes()].sort(), [...(await stock()).notes()].sort());
});

test('a record that is whole and says something else: only deriving it again tells', async () => {
  const repo = await copyOfStock();
  const [blob, skipped] = [blobAt(repo, 'src/part3.ts'), blobAt(repo, 'lib/depot.py')];
  const decoded = decodeSyntaxRecord(await noteBytes(repo, blob), blob);
  assert.ok(decoded.ok && 'facts' in decoded.record);
  const { typescript } = decoded.record.facts;
  const [first, ...rest] = typescript.symbols;
  // A name that the text lacks would be noticed when the record is read.
  const forged = { typescript: { ...typescript, symbols: [{ ...first, name: 'export' }, ...rest] } };
  const notes = [
    { target: blob, note: encodeSyntaxRecord(blob, { facts: forged }) },
    { target: skipped, note: encodeSyntaxRecord(skipped, { skip: 'secret' }) },
  ];
  await writeNote(repo, notes);
  // Indexed here before they were forged: the shard knows better.
  assert.deepEqual(faultsOf(await check(repo)), { 'shard-differs': 2 });
  rmSync(folderOf(repo), { recursive: true });
  await inProcess(repo, (process) => process.search('export'));
  const report = await check(repo, { rederive: 'all' });
  // That a file is left out was not believed: its record was derived again on the way.
  assert.deepEqual([report.rederived?.different, report.rederived?.equal], [1, 13]);
  assert.equal(faultsOf(report)['note-differs'], 1);
  await check(repo, { rederive: 'all', repair: true });
  const after = await check(repo, { rederive: 'all' });
  assert.deepEqual([after.ok, repo.notesTree()], [true, (await stock()).notesTree()]);
});

test('a sample is spread over all records, and the same each time', () => {
  const oids = Array.from({ length: 10 }, (_, i) => `${9 - i}`);
  assert.deepEqual(sampleOf(oids, 4), ['0', '2', '5', '7']);
  assert.deepEqual([sampleOf(oids, 99).length, sampleOf(oids, 'all').length, sampleOf([], 3)], [10, 10, []]);
});

test('local files: cut, flipped, swapped, missing', async () => {
  const repo = await copyOfStock();
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
  const vectorsOf = (path: string) => filesOf(repo, new RegExp(`vectors-.*${path.slice(-20, -4)}.bin`))[0];
  writeFileSync(vectorsOf(second), readFileSync(vectorsOf(first)));
  rmSync(vectorsOf(first));
  const report = await check(repo);
  assert.deepEqual(faultsOf(report), {
    ...{ 'cache-damaged': 3, 'shard-damaged': 1, 'vector-file-damaged': 1 },
  });
  const { repaired } = await assertRepaired(repo);
  assert.equal(repaired?.indexed, true);
  assert.ok(repaired?.aside.every((path) => existsSync(join(repo.state, path))));
  rmSync(first);
  rmSync(vectorsOf(second));
  assert.deepEqual(faultsOf(await check(repo)), { 'shard-missing': 1, 'vector-file-missing': 1 });
  await assertRepaired(repo);
});

test('a state that is sealed and wrong', async () => {
  const repo = await copyOfStock();
  const [path] = filesOf(repo, /^lexical-.*\.bin$/).filter(
    (each) => new LexicalShard(readFileSync(each), each).meta.units > 5,
  );
  const bytes = readFileSync(path);
  const { byteOffset } = new Sections(bytes, LEXICAL_MAGIC, path).u8('postings');
  bytes[byteOffset + 7] ^= 1;
  await inProcess(repo, async ({ session: { shards } }) => {
    const manifest = shards.readManifest();
    const at = manifest.shards.findIndex(({ file }) => path.endsWith(file));
    const { units, documents } = manifest.shards[at];
    manifest.shards[at] = shards.writeShard(bytes, { units, documents });
    shards.publish(manifest);
  });
  assert.deepEqual(faultsOf(await check(repo)), { 'shard-differs': 1 });
  await assertRepaired(repo);
  await publish(repo, (manifest) => ({ ...manifest, shards: manifest.shards.slice(0, 1) }));
  assert.deepEqual(faultsOf(await check(repo)), { 'snapshot-incomplete': 1 });
  await assertRepaired(repo);
  await publish(repo, (manifest) => ({
    ...manifest,
    complete: manifest.complete.map((each) => ({ ...each, chunks: 7 })),
  }));
  assert.equal(faultsOf(await check(repo))['snapshot-incomplete'], 1);
});

test('records that were deleted, while the manifest says that they are there', async () => {
  const repo = await copyOfStock();
  repo.git('notes', `--ref=${repo.notesRef}`, 'remove', blobAt(repo, 'src/part1.ts'), blobAt(repo, 'README.md'));
  await publish(repo, (manifest) => ({ ...manifest, notes: repo.git('rev-parse', repo.notesRef) }));
  const report = await check(repo);
  assert.equal(faultsOf(report)['unit-unrecorded'], 2);
  await assertRepaired(repo);
});

test('a manifest that was not sealed here, leftovers, and links', async () => {
  const repo = await copyOfStock();
  const manifest = join(folderOf(repo), 'manifest.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"unreadable": []', '"unreadable":[ ]'));
  const old = new Date(Date.now() - 3_600_000);
  for (const name of ['.tmp-1-0-view', 'view-0.bin.bad', `lexical-${'0'.repeat(16)}.bin`]) {
    writeFileSync(join(folderOf(repo), name), 'x');
    utimesSync(join(folderOf(repo), name), old, old);
  }
  const report = await check(repo);
  assert.deepEqual([faultsOf(report), report.counts['leftover-files']], [{ 'manifest-damaged': 1 }, 1]);
  const repaired = await check(repo, { repair: true });
  assert.deepEqual([repaired.ok, repaired.counts['leftover-files']], [true, undefined]);
  assert.equal((indexOf(repo) as { tree: string }).tree, (await stock()).notesTree());
  const folder = folderOf(repo);
  renameSync(folder, `${repo.dir}/elsewhere`);
  symlinkSync(`${repo.dir}/elsewhere`, folder);
  const linked = await check(repo);
  assert.deepEqual(
    [faultsOf(linked), linked.findings.find(({ isFault }) => isFault)?.repair],
    [{ 'state-link': 1 }, null],
  );
});

test('refs: emptied by a power cut, locked for ever, in the way, without their objects', async () => {
  const repo = await copyOfStock();
  const file = join(repo.commonDir, repo.notesRef);
  const ref = repo.notesRef;
  writeFileSync(file, '');
  const lock = join(repo.commonDir, 'refs/notes/socraticode/syntax/x.lock');
  writeFileSync(lock, '');
  utimesSync(lock, 1_700_000_000, 1_700_000_000);
  assert.deepEqual(faultsOf(await check(repo)), { 'ref-broken': 1, 'ref-lock-stale': 1 });
  await assertRepaired(repo);
  assert.equal(existsSync(lock), false);
  repo.git('update-ref', 'refs/notes/socraticode/vectors', 'HEAD');
  repo.git('symbolic-ref', `${ref}-other`, 'refs/heads/main');
  const named = await check(repo, { repair: true });
  assert.deepEqual([named.ok, faultsOf(named)], [false, { 'ref-in-the-way': 1, 'ref-symbolic': 1 }]);
  assert.ok(named.findings.every(({ isFault, repair, hint }) => !isFault || (repair === null && hint !== null)));
  repo.git('update-ref', '-d', 'refs/notes/socraticode/vectors');
  repo.git('symbolic-ref', '-d', `${ref}-other`);
  const tree = repo.notesTree();
  rmSync(join(repo.commonDir, 'objects', tree.slice(0, 2), tree.slice(2)), { force: true });
  mkdirSync(join(repo.dir, 'packs'));
  for (const name of readdirSync(join(repo.commonDir, 'objects/pack')))
    renameSync(join(repo.commonDir, 'objects/pack', name), join(repo.dir, 'packs', name));
  const lost = await check(repo);
  assert.equal(faultsOf(lost)['ref-unreadable'], 1);
  assert.match(lost.findings.find(({ kind }) => kind === 'ref-unreadable')?.hint ?? '', /^git fsck/);
});
