/** Files that `grep` reads: of a commit, of the work tree as it is, without secrets and links; and their contents in order. */

import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type FileOptions,
  type GrepFile,
  linesBefore,
  listGrepFiles,
  readFiles,
} from '../../../src/session/grep/files.js';
import type { Session } from '../../../src/session/session.js';
import { opened } from '../../support/in-process/asker.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';

/** A repository with a file of each kind, and its work tree after some edits. */
function edited(): TestRepo {
  const repo = createRepo();
  repo.write({ 'a.ts': 'a\n', 'b/kept.ts': 'kept\n', 'b/gone.ts': 'gone\n', '.env': 'KEY=1\n', 'z.ts': 'z\n' });
  symlinkSync('a.ts', join(repo.dir, 'link.ts'));
  repo.commit();
  repo.write({ 'a.ts': 'edited\n', 'm.ts': 'new\n', 'b/id_rsa': 'secret\n', 'b/.env.local': 'KEY=2\n' });
  rmSync(join(repo.dir, 'b/gone.ts'));
  return repo;
}

async function listed(session: Session, options: FileOptions = {}) {
  const { files, skipped, dirty, overlay } = await listGrepFiles(session, options);
  const shown = files.map(
    ({ path, oid, name }) => `${path}${oid === null ? ' now' : ''}${name === null ? '' : ` ${name}`}`,
  );
  return { files: shown, skipped, dirty, overlay };
}

test('without a ref the work tree counts: edited and new files are read where they are, deleted ones are gone', async (t) => {
  const session = await opened(t, edited());
  assert.deepEqual(await listed(session), {
    files: ['a.ts now a.ts', 'b/kept.ts', 'm.ts now m.ts', 'z.ts'],
    skipped: { secret: 3, symlink: 1 },
    dirty: 5,
    overlay: 2,
  });
});

test('with a ref, or for committed files alone, the commit counts, and what differs is told', async (t) => {
  const session = await opened(t, edited());
  const committed = { files: ['a.ts', 'b/gone.ts', 'b/kept.ts', 'z.ts'], skipped: { secret: 1, symlink: 1 } };
  assert.deepEqual(await listed(session, { ref: 'HEAD~0' }), { ...committed, dirty: 0, overlay: 0 });
  const { dirty, overlay, ...rest } = await listed(session, { committed: true });
  assert.deepEqual([rest, overlay], [committed, 0]);
  assert.ok(dirty === 5 || dirty === 0);
});

test('globs and conditions choose among all files, and a glob that means none is refused', async (t) => {
  const session = await opened(t, edited());
  const chosen = async (options: FileOptions) => (await listed(session, options)).files;
  assert.deepEqual(await chosen({ path: ['b/**'] }), ['b/kept.ts']);
  assert.deepEqual(await chosen({ path: ['*.ts', '!b/**'] }), ['a.ts now a.ts', 'm.ts now m.ts', 'z.ts']);
  assert.deepEqual(await chosen({ within: (path) => path > 'b' }), ['b/kept.ts', 'm.ts now m.ts', 'z.ts']);
  assert.deepEqual((await listed(session, { path: ['m.ts'] })).overlay, 1);
  assert.deepEqual((await listed(session, { path: ['b/**'] })).skipped, { secret: 2 });
  // The path of a file that is not read is no mistake.
  assert.deepEqual(await chosen({ path: ['.env'] }), []);
  await assert.rejects(listGrepFiles(session, { path: ['none/**'] }), { code: 'BAD_ARGUMENT' });
});

test('a tree is listed once for a process, and its contents are kept from the second question on', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'a\n', 'b.ts': 'b\n' });
  const session = await opened(t, repo);
  let lists = 0;
  const list = session.objects.list.bind(session.objects);
  session.objects.list = (tree) => {
    lists++;
    return list(tree);
  };
  const first = await listGrepFiles(session, { ref: 'HEAD' });
  const second = await listGrepFiles(session, { ref: 'HEAD' });
  assert.deepEqual([lists, first.contents, second.contents === null], [1, null, false]);
  let reads = 0;
  const read = session.objects.read.bind(session.objects);
  session.objects.read = (oid) => {
    reads++;
    return read(oid);
  };
  // Nothing in the work tree stands in for them.
  for (const name of ['a.ts', 'b.ts']) rmSync(join(repo.dir, name));
  const options = { contents: second.contents, sizeOf: () => 2 };
  for (let time = 0; time < 2; time++) {
    const texts: string[] = [];
    for await (const [{ path }, content] of readFiles(session, second.files, options))
      texts.push(`${path} ${'bytes' in content ? content.bytes : content.fault}`);
    assert.deepEqual(texts, ['a.ts a\n', 'b.ts b\n']);
  }
  assert.equal(reads, 2);
  repo.git('checkout', '-q', '.');
  repo.commit({ 'c.ts': 'c\n' });
  const next = await listGrepFiles(session, { ref: 'HEAD' });
  assert.deepEqual([lists, next.contents, next.files.length], [2, null, 3]);
});

test('a blob is read from the work tree only where exactly its bytes stand', async (t) => {
  const repo = createRepo();
  const paths = ['same.ts', 'edited.ts', 'gone.ts', 'link.ts', 'below/behind.ts', 'folder.ts', 'longer.ts'];
  repo.commit(Object.fromEntries(paths.map((path) => [path, `of ${path}\n`])));
  repo.write({ 'edited.ts': 'OF edited.ts\n', 'longer.ts': 'of longer.ts\nmore\n', 'else/behind.ts': 'else\n' });
  for (const path of ['gone.ts', 'link.ts', 'below', 'folder.ts']) rmSync(join(repo.dir, path), { recursive: true });
  symlinkSync('same.ts', join(repo.dir, 'link.ts'));
  symlinkSync('else', join(repo.dir, 'below'));
  mkdirSync(join(repo.dir, 'folder.ts'));
  const session = await opened(t, repo);
  const read = session.objects.read.bind(session.objects);
  const unpacked: string[] = [];
  session.objects.read = (oid) => {
    unpacked.push(oid);
    return read(oid);
  };
  const { files } = await listGrepFiles(session, { ref: 'HEAD' });
  for await (const [{ path }, content] of readFiles(session, files, { contents: null, sizeOf: () => undefined }))
    assert.equal('bytes' in content && `${content.bytes}`, `of ${path}\n`);
  const oidOf = (path: string) => repo.git('rev-parse', `HEAD:${path}`);
  assert.deepEqual(
    paths.filter((path) => unpacked.includes(oidOf(path))),
    paths.slice(1),
  );
});

test('contents come in the order of the files, also over many requests; what cannot be read says why', async (t) => {
  const repo = createRepo();
  repo.commit({
    'a.ts': 'a\n',
    'utf16.ts': Buffer.from('\ufeffconst a = 1;\n', 'utf16le'),
    '.gitattributes': '*.ts text\n',
  });
  repo.write({ 'now.ts': 'now\n', 'wide.ts': Buffer.from('\ufeffconst b = 2;\n', 'utf16le') });
  const session = await opened(t, repo);
  const oidOf = (path: string) => repo.git('rev-parse', `HEAD:${path}`);
  const blob = (path: string, oid: string): GrepFile => ({ path, oid, name: null });
  const here = (path: string): GrepFile => ({ path, oid: null, name: Buffer.from(path) });
  const files = [
    ...Array.from({ length: 300 }, (_, i) => blob(`${i}`, oidOf('a.ts'))),
    ...[blob('utf16.ts', oidOf('utf16.ts')), here('now.ts'), here('wide.ts'), here('gone.ts')],
    ...[blob('none', 'f'.repeat(40)), blob('tree', repo.git('rev-parse', 'HEAD^{tree}')), blob('large', oidOf('a.ts'))],
  ];
  const found: string[] = [];
  let at = 0;
  // Only the last one is said to be large; sizes of others are asked for. Three are files of the work tree, and so is one blob.
  const sizeOf = () => (++at === files.length - 4 ? (32 << 20) + 1 : undefined);
  for await (const [{ path }, content] of readFiles(session, files, { contents: null, sizeOf }))
    found.push(
      `${path} ${'fault' in content ? content.fault : `${content.bytes}`.trim()}${'isConverted' in content && content.isConverted ? ' converted' : ''}`,
    );
  assert.deepEqual(
    found.slice(0, 300),
    Array.from({ length: 300 }, (_, i) => `${i} a`),
  );
  assert.deepEqual(found.slice(300), [
    ...['utf16.ts const a = 1; converted', 'now.ts now', 'wide.ts const b = 2; converted', 'gone.ts unreadable'],
    ...['none unreadable', 'tree unreadable', 'large too-large'],
  ]);
});

test('a question that was cancelled reads no more', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'a\n' });
  const session = await opened(t, repo);
  const { files } = await listGrepFiles(session, { ref: 'HEAD' });
  const reading = readFiles(session, files, { contents: null, sizeOf: () => 2, signal: AbortSignal.abort() });
  await assert.rejects(reading.next(), { name: 'AbortError' });
});

test('a line is new if its text has it more often than before', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'one\ntwo\ntwo\n' });
  const session = await opened(t, repo);
  const before = await linesBefore(session, repo.git('rev-parse', 'HEAD:a.ts'));
  const isNew = before?.isNew('two\none\ntwo\ntwo\nthree\n') ?? assert.fail();
  assert.deepEqual(['one', 'two', 'three', ''].map(isNew), [false, true, true, false]);
  assert.equal(before?.isNew('two\none\n')('two'), false);
  assert.equal(await linesBefore(session, 'f'.repeat(40)), null);
  assert.equal(await linesBefore(session, repo.git('rev-parse', 'HEAD^{tree}')), null);
});
