/** Which uncommitted files are read again: equal stamps are believed, unless the file had changed a moment before it was read. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { WorkTreeChange } from '../../src/git/changes.js';
import { blobOid } from '../../src/git/objects.js';
import { Scanner, type Selection } from '../../src/overlay/scan.js';
import type { KnownFile } from '../../src/overlay/state-file.js';
import { makeDirectory } from '../support/repositories/repo.js';

const SELECTION = { languages: {}, maxFileBytes: 1 << 20, select: () => null } as unknown as Selection;
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
