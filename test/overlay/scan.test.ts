/** Which uncommitted files are read again: equal stamps are believed, unless the file had changed a moment before it was read. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { WorkTreeChange } from '../../src/git/changes.js';
import { blobOid } from '../../src/git/objects.js';
import { isRacy, Scanner, type Selection } from '../../src/overlay/scan.js';
import type { KnownFile } from '../../src/overlay/state-file.js';
import { UnsavedTexts } from '../../src/overlay/unsaved.js';
import { makeDirectory } from '../support/repositories/repo.js';

const select = (path: string) => (path.startsWith('out/') ? 'excluded' : null);
const SELECTION = { languages: {}, maxFileBytes: 1 << 20, select } as unknown as Selection;
const SECOND = 1_000_000_000n;

function opened() {
  const root = makeDirectory();
  const name = Buffer.from('a.ts');
  writeFileSync(join(root, 'a.ts'), 'let a = 1;\n');
  const known = new Map<string, KnownFile>();
  const scanner = new Scanner({ root: Buffer.from(root) }, 'sha1', known);
  const change = { path: 'a.ts', name, isFile: true, headOid: null } as WorkTreeChange;
  const changes = { commit: null, list: [change] };
  scanner.scan(changes, SELECTION);
  const entry = known.get('a.ts') as KnownFile;
  /** The scanner remembers the file so; true if it reads the file anew. */
  const readsAnew = (remembered: Partial<KnownFile>) => {
    known.set('a.ts', { ...entry, oid: 'as remembered', ...remembered });
    const hasNews = scanner.hasNews(changes, SELECTION);
    const [file] = scanner.scan(changes, SELECTION).files;
    assert.equal(file.oid === 'as remembered', !hasNews);
    assert.equal(file.bytes === null, !hasNews);
    if (hasNews) assert.equal(file.oid, blobOid(Buffer.from('let a = 1;\n'), 'sha1'));
    return hasNews;
  };
  const readAt = (nanoseconds: bigint, mtime = entry.mtime) => {
    const changed = BigInt(mtime) > BigInt(entry.ctime) ? BigInt(mtime) : BigInt(entry.ctime);
    return Number((changed + nanoseconds) / 1_000_000n);
  };
  return { entry, readsAnew, readAt };
}

/** A scan of texts that are in memory alone, in git's order. */
function scanOf(texts: Record<string, string>, maxFileBytes = 1 << 20, listed = Object.keys(texts)) {
  const unsaved = new UnsavedTexts();
  for (const [path, text] of Object.entries(texts)) unsaved.set(path, text);
  const scanner = new Scanner({ root: Buffer.from('/nowhere'), unsaved }, 'sha1', new Map());
  const list = listed.map((path) => ({ path, name: Buffer.from(path), isFile: true, headOid: null }) as WorkTreeChange);
  const selection = { ...SELECTION, maxFileBytes };
  const changes = { commit: null, list };
  const beyond = [...scanner.beyondLimits(changes, selection)];
  return { ...scanner.scan(changes, selection), beyond };
}

test('a file as large as allowed is searched; a larger one hides its old text; one that is gone is neither', () => {
  const { files, replaced, dirty, leftOut } = scanOf({ 'a.ts': '12345', 'b.ts': '123456' }, 5, [
    'a.ts',
    'b.ts',
    'gone.ts',
  ]);
  assert.deepEqual(
    [files.map(({ path }) => path), replaced.map(({ path }) => path), dirty, leftOut],
    [['a.ts'], ['a.ts', 'b.ts', 'gone.ts'], 3, 1],
  );
});

test('of more than 5,000 files, or 64 MiB, the first in the order of git are read, and the others keep their old text', () => {
  const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [`${String(i).padStart(4, '0')}.ts`, 'x']));
  const some = scanOf(many);
  assert.deepEqual(
    [some.files.length, some.replaced.length, some.leftOut, some.beyond],
    [5_000, 5_000, 1, ['5000.ts']],
  );
  // What is not selected takes no place.
  assert.deepEqual(scanOf({ '.a.ts': 'x', 'out/a.ts': 'x', ...many }).beyond, ['4999.ts', '5000.ts']);
  const half = 'x'.repeat(32 << 20);
  const large = scanOf({ 'a.ts': half, 'b.ts': half, 'c.ts': '' }, 64 << 20);
  assert.deepEqual([large.files.length, large.leftOut, large.beyond], [3, 0, []]);
  const over = scanOf({ 'a.ts': half, 'b.ts': `${half}x`, 'c.ts': 'x' }, 64 << 20);
  assert.deepEqual([over.files.map(({ path }) => path), over.leftOut, over.beyond], [['a.ts', 'c.ts'], 1, ['b.ts']]);
});

test('news are files to read anew, and none of them what is not searched, is gone or is too large', () => {
  const unsaved = new UnsavedTexts();
  for (const path of ['a.ts', 'out/a.ts']) unsaved.set(path, '12345');
  const scanner = new Scanner({ root: Buffer.from('/nowhere'), unsaved }, 'sha1', new Map());
  const change = (path: string, isFile = true) =>
    ({ path, name: Buffer.from(path), isFile, headOid: null }) as WorkTreeChange;
  const hasNews = (list: WorkTreeChange[], maxFileBytes = 5) =>
    scanner.hasNews({ commit: null, list }, { ...SELECTION, maxFileBytes });
  const others = [change('out/a.ts'), change('gone.ts'), change('a.ts', false)];
  assert.deepEqual(
    others.map((each) => hasNews([each])),
    [false, false, false],
  );
  assert.deepEqual([hasNews([...others, change('a.ts')]), hasNews([change('a.ts')], 4)], [true, false]);
});

test('a file that is not listed any more is forgotten', () => {
  const known = new Map<string, KnownFile>();
  const unsaved = new UnsavedTexts();
  unsaved.set('a.ts', 'one');
  const scanner = new Scanner({ root: Buffer.from('/nowhere'), unsaved }, 'sha1', known);
  const change = { path: 'a.ts', name: Buffer.from('a.ts'), isFile: true, headOid: null } as WorkTreeChange;
  scanner.scan({ commit: null, list: [change] }, SELECTION);
  assert.deepEqual([...known.keys()], ['a.ts']);
  scanner.scan({ commit: null, list: [] }, SELECTION);
  assert.equal(known.size, 0);
});

test('a file system that keeps whole seconds may hide a change for two of them', () => {
  const { entry, readsAnew } = opened();
  const whole = `${String(entry.mtime).slice(0, -9)}000000000`;
  const at = (ms: number) => Number(BigInt(whole) / 1_000_000n) + ms;
  const known = (ms: number) => ({ ...entry, mtime: whole, ctime: whole, at: at(ms) });
  assert.deepEqual([isRacy(known(2_000)), isRacy(known(2_001))], [true, false]);
  assert.deepEqual(
    [isRacy({ ...known(51), ctime: `${whole.slice(0, -1)}1`, mtime: `${whole.slice(0, -1)}1` })],
    [false],
  );
  assert.equal(readsAnew({ mtime: whole }), true);
});

test('a file whose size, times and inode are as remembered is not read', () => {
  const { readsAnew, readAt } = opened();
  assert.equal(readsAnew({ at: readAt(10n * SECOND) }), false);
});

test('a change of size, either time or the inode alone is enough to read it', () => {
  const { entry, readsAnew, readAt } = opened();
  const at = readAt(10n * SECOND);
  const earlier = (time: string) => String(BigInt(time) - 1n);
  assert.equal(readsAnew({ at, size: entry.size + 1 }), true);
  assert.equal(readsAnew({ at, mtime: earlier(entry.mtime) }), true);
  // Programs that keep the time of a file, such as a checkout of an archive, change one of these.
  assert.equal(readsAnew({ at, ctime: earlier(entry.ctime) }), true);
  assert.equal(readsAnew({ at, inode: `${entry.inode}0` }), true);
});

test('a file that had changed just before it was read may have changed again with the same stamp', () => {
  const { readsAnew, readAt } = opened();
  assert.equal(readsAnew({ at: readAt(0n) }), true);
  assert.equal(readsAnew({ at: readAt(SECOND / 100n) }), true);
  assert.equal(readsAnew({ at: readAt(SECOND / 2n) }), false);
});

test('a file that was renamed into place a moment ago counts as changed then, however old its content is', () => {
  const { entry } = opened();
  const day = 86_400n * SECOND;
  const old = String(BigInt(entry.mtime) - day);
  const at = Number(BigInt(entry.ctime) / 1_000_000n);
  assert.equal(isRacy({ ...entry, mtime: old, at }), true);
  assert.equal(isRacy({ ...entry, ctime: old, at }), true);
  assert.equal(isRacy({ ...entry, mtime: old, ctime: old, at }), false);
});
