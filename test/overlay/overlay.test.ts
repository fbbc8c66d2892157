/** The overlay of one work tree: what changes while it is read is left to the next question, never taken under another name. */
import assert from 'node:assert/strict';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { extract } from '../../src/extract/extract.js';
import { blobOid, type ObjectReader } from '../../src/git/objects.js';
import { openRepository } from '../../src/git/repository.js';
import type { WorkTreeChange } from '../../src/git/status.js';
import type { ParserPool } from '../../src/indexer/parser-pool.js';
import { loadRules } from '../../src/languages/registry.js';
import {
  isRacy,
  OverlayReader,
  readIn,
  Scanner,
  type Selection,
  stampIn,
  UnsavedTexts,
  WorkTreeAttributes,
  WorkTreeOverlay,
} from '../../src/overlay/overlay.js';
import { type KnownFile, overlayDirectory } from '../../src/overlay/state-file.js';
import { OverlayStore } from '../../src/overlay/store.js';
import { stampOf } from '../../src/overlay/worktree-file.js';
import { encodeSyntaxRecord } from '../../src/record/syntax-codec.js';
import { LexicalBuilder } from '../../src/shard/builder.js';
import { encodeLexical } from '../../src/shard/lexical-format.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';

const NAME = Buffer.from('a.ts');

/** An overlay that knows the blob of `a.ts` and has no shard of it, as after another process removed the shard. */
async function known(text: string) {
  const repo = createRepo();
  repo.write({ 'a.ts': text });
  const repository = await openRepository(repo.dir);
  const profile = join(repo.state, 'profile');
  const stamp = stampOf(Buffer.from(join(realpathSync(repo.dir), 'a.ts')));
  assert.ok(stamp !== null);
  const oid = blobOid(Buffer.from(text), 'sha1');
  const files = new Map([['a.ts', { ...stamp, oid, content: '', at: Date.now() + 60_000 }]]);
  new OverlayStore(overlayDirectory(profile, repository.gitDir), repository.gitDir).save({ files, shards: [] });
  const overlay = new WorkTreeOverlay({ ...repository, workTree: repo.dir }, profile);
  const change = { path: 'a.ts', name: NAME, isFile: true, headOid: null, headType: null } as WorkTreeChange;
  const changes = { commit: null, list: [change] };
  const selection = { languages: {}, maxFileBytes: 1 << 20, select: () => null };
  /** `meanwhile` runs between the look at the stamps and the reading. */
  const refresh = (parsers: () => ParserPool, meanwhile = () => {}, onFacts = () => {}) => {
    const options = {
      ...{ ...selection, onFacts },
      objects: {},
      parsers,
      get committed() {
        meanwhile();
        return [];
      },
    } as unknown as Parameters<WorkTreeOverlay['refresh']>[1];
    return overlay.refresh(changes, options);
  };
  return { repo, overlay, changes, selection, oid, refresh };
}

test('a file that changed between the look at its stamp and the reading is parsed with the next question', async () => {
  const { repo, overlay, changes, selection, oid, refresh } = await known('let a = 1;\n');
  const changed = 'let changed = 2;\n';
  const first = await refresh(
    () => assert.fail('nothing of the old text is left to parse'),
    () => writeFileSync(join(repo.dir, 'a.ts'), changed),
  );
  assert.deepEqual([first.files.map((file) => file.oid), first.shards.length], [[oid], 0]);
  const asked = new Error('the new text is parsed');
  const pool = (): ParserPool => {
    throw asked;
  };
  // The stamp was taken with the new text, so the scanner knows it already.
  assert.equal((await refresh(pool).catch((error) => error)) === asked, true);
  overlay.clear();
  assert.equal(overlay.hasNews(changes, selection as never), true);
});

test('a known blob without a shard is parsed again, and read for that', async () => {
  const { refresh } = await known('let a = 1;\n');
  const asked = new Error('parsed');
  const pool = (): ParserPool => {
    throw asked;
  };
  assert.equal((await refresh(pool).catch((error) => error)) === asked, true);
});

test('a file over which the parser fails is found, and nobody is told facts of it', async () => {
  await loadRules('typescript');
  const parse = async ({ oid, language, bytes }: { oid: string; language: string; bytes: Buffer }) => {
    const extraction = extract(bytes, language, { degrade: 'parse-timeout' });
    assert.ok('facts' in extraction);
    return { record: encodeSyntaxRecord(oid, { facts: { [language]: extraction.facts } }), degraded: null };
  };
  for (const [pool, told] of [
    [{ parse }, 1],
    [{ parse: async () => ({ failed: 'parse-timeout' }) }, 0],
  ] as const) {
    const { refresh } = await known('let a = 1;\n');
    let count = 0;
    const { shards } = await refresh(
      () => pool as unknown as ParserPool,
      () => {},
      () => count++,
    );
    assert.deepEqual([shards.length, count], [1, told]);
  }
});

test('shards are merged when there are more than eight of them, and then only what is used now is left', async () => {
  for (const [count, left] of [
    [8, 8],
    [9, 0],
  ]) {
    const repo = createRepo();
    const repository = await openRepository(repo.dir);
    const directory = join(repo.state, 'profile', 'overlay-0');
    const store = new OverlayStore(directory, repository.gitDir);
    const shards = Array.from({ length: count }, (_, i) => {
      const builder = new LexicalBuilder(20);
      builder.addSkipped(`${i}`.repeat(40), 'c', 'binary', 7);
      return store.add(encodeLexical(builder.finish()));
    });
    const file = { oid: 'a'.repeat(40), content: '', at: 1, size: 1, mtime: '1', ctime: '1', inode: '1' };
    store.save({ files: new Map([['a.ts', file]]), shards });
    new WorkTreeOverlay({ ...repository, workTree: repo.dir }, '', directory).save();
    assert.equal(new OverlayStore(directory, repository.gitDir).load().shards.length, left);
  }
});

test('attributes of edited files, a deleted one among them, are told by their path', async () => {
  const { repo, overlay } = await known('x');
  repo.write({ 'sub/.gitattributes': '*.ts linguist-generated\n', 'x.gitattributes': 'no\n' });
  const entry = (path: string, isFile = true) => ({ path, name: Buffer.from(path), isFile }) as WorkTreeChange;
  const list = [entry('sub/.gitattributes'), entry('.gitattributes', false), entry('x.gitattributes')];
  assert.deepEqual(overlay.changedAttributes({ commit: null, list }), [
    { path: 'sub/.gitattributes', text: '*.ts linguist-generated\n' },
    { path: '.gitattributes', text: null },
  ]);
});

const INDEXED = Buffer.from('let a = 1;\n');
const oid = blobOid(INDEXED, 'sha1');

function opened(committed: Record<string, Buffer> = {}) {
  const root = makeDirectory();
  writeFileSync(join(root, 'a.ts'), INDEXED);
  const objects: ObjectReader = {
    read: async (name) => (committed[name] ? { oid: name, type: 'blob', content: committed[name] } : null),
    info: async (name) => (committed[name] ? { oid: name, type: 'blob', size: committed[name].length } : null),
    close() {},
  };
  const files = [{ oid, name: Buffer.from('a.ts'), size: INDEXED.length }];
  const reader = new OverlayReader(objects, { root: Buffer.from(root), format: 'sha1' }, files);
  return { reader, write: (text: string) => writeFileSync(join(root, 'a.ts'), text) };
}

test('a file is read as long as it has the indexed bytes; then it counts as moved, and nothing else is given for it', async () => {
  const { reader, write } = opened();
  assert.equal((await reader.read(oid))?.content.toString(), INDEXED.toString());
  assert.equal(reader.moved.size, 0);
  write('let a = 2;\n');
  assert.equal(await reader.read(oid), null);
  assert.deepEqual([...reader.moved], [oid]);
});

test('where the file changed and the repository has the blob, the blob is read and nothing has moved', async () => {
  const { reader, write } = opened({ [oid]: INDEXED });
  write('let a = 2;\n');
  assert.equal((await reader.read(oid))?.content.toString(), INDEXED.toString());
  assert.equal(reader.moved.size, 0);
});

test('other names are asked of the repository', async () => {
  const other = 'b'.repeat(40);
  const { reader } = opened({ [other]: Buffer.from('committed') });
  assert.equal((await reader.read(other))?.content.toString(), 'committed');
  assert.deepEqual(await reader.info(oid), { oid, type: 'blob', size: INDEXED.length });
  assert.equal(await reader.read('c'.repeat(40)), null);
  assert.equal(reader.moved.size, 0);
});

test('the file at the top and those of folders are read, the nearest one last', () => {
  const repo = createRepo();
  repo.write({
    '.gitattributes': '*.ts linguist-generated\n',
    'lib/deep/.gitattributes': '*.ts -linguist-generated\n*.js linguist-vendored\n',
  });
  const none = { generated: false, vendored: false, documentation: false };
  const attributes = new WorkTreeAttributes(Buffer.from(repo.dir));
  assert.deepEqual(attributes.of('a.ts'), { ...none, generated: true });
  assert.deepEqual(attributes.of('lib/a.ts'), { ...none, generated: true });
  assert.deepEqual(attributes.of('lib/deep/a.ts'), none);
  assert.deepEqual(attributes.of('lib/deep/a.js'), { ...none, vendored: true });
});

describe('scan', () => {
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
    const list = listed.map(
      (path) => ({ path, name: Buffer.from(path), isFile: true, headOid: null }) as WorkTreeChange,
    );
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
});

const name = (path: string) => Buffer.from(path);

test('an unsaved text is read in place of the file, and the file again when the editor has closed it', () => {
  const repo = createRepo();
  repo.write({ 'a.txt': 'on disk', 'b.txt': 'other' });
  const unsaved = new UnsavedTexts();
  const tree = { root: Buffer.from(repo.dir), unsaved };
  const text = (path: string, limit = 100) => readIn(tree, name(path), limit)?.bytes.toString() ?? null;
  assert.equal(text('a.txt'), 'on disk');
  unsaved.set('a.txt', 'in the editor');
  assert.deepEqual([text('a.txt'), text('b.txt')], ['in the editor', 'other']);
  assert.deepEqual([text('a.txt', 13), text('a.txt', 12)], ['in the editor', null], 'as large as a file may be');
  unsaved.set('new.txt', 'not on disk');
  assert.deepEqual(
    [text('new.txt'), unsaved.paths.sort(), unsaved.has('b.txt')],
    ['not on disk', ['a.txt', 'new.txt'], false],
  );
  unsaved.delete('a.txt');
  assert.equal(text('a.txt'), 'on disk');
});

test('equal texts have equal stamps and are no new version; other texts have others', () => {
  const unsaved = new UnsavedTexts();
  const tree = { root: Buffer.from('/nowhere'), unsaved };
  unsaved.set('a.txt', 'one');
  const [stamp, version] = [stampIn(tree, name('a.txt')), unsaved.version];
  unsaved.set('a.txt', 'one');
  assert.deepEqual([stampIn(tree, name('a.txt')), unsaved.version], [stamp, version]);
  unsaved.set('a.txt', 'two');
  assert.notDeepEqual(stampIn(tree, name('a.txt')), stamp);
  assert.ok(unsaved.version > version);
  const before = unsaved.version;
  unsaved.delete('b.txt');
  assert.equal(unsaved.version, before, 'nothing was closed');
  unsaved.delete('a.txt');
  assert.ok(unsaved.version > before, 'the file itself counts again');
});
