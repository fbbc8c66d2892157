/** The overlay of one work tree: what changes while it is read is left to the next question, never taken under another name. */
import assert from 'node:assert/strict';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { extract } from '../../src/extract/extract.js';
import type { WorkTreeChange } from '../../src/git/changes.js';
import { blobOid } from '../../src/git/objects.js';
import { openRepository } from '../../src/git/repository.js';
import type { ParserPool } from '../../src/indexer/parser-pool.js';
import { loadRules } from '../../src/languages/rules.js';
import { WorkTreeOverlay } from '../../src/overlay/overlay.js';
import { overlayDirectory } from '../../src/overlay/state-file.js';
import { OverlayStore } from '../../src/overlay/store.js';
import { stampOf } from '../../src/overlay/work-file.js';
import { encodeSyntaxRecord } from '../../src/record/codec.js';
import { LexicalBuilder } from '../../src/shard/builder.js';
import { encodeLexical } from '../../src/shard/columns.js';
import { createRepo } from '../support/repositories/repo.js';

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
