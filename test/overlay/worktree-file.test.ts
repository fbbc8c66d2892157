/** Reading and writing files of a work tree: only regular ones, only inside, never half of one, and all of them or none. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { blobOid } from '../../src/git/objects.js';
import { isSameStamp, pathOf, readWorkFile, replaceFiles, stampOf } from '../../src/overlay/worktree-file.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';

const LIMIT = 1 << 20;
const read = (root: string, name: string) => readWorkFile(pathOf(Buffer.from(root), Buffer.from(name)), LIMIT);

test('a file is read unfiltered, and its blob id is the one git computes', () => {
  for (const objectFormat of ['sha1', 'sha256'] as const) {
    const repo = createRepo({ objectFormat });
    repo.write({ 'a/b.ts': 'let a = 1;\r\n' });
    const bytes = read(repo.dir, 'a/b.ts')?.bytes as Buffer;
    assert.equal(bytes.toString(), 'let a = 1;\r\n');
    assert.equal(blobOid(bytes, objectFormat), repo.git('hash-object', '--no-filters', 'a/b.ts'));
  }
});

test('symbolic links anywhere in the path, pipes, directories and too large files are not read', () => {
  const [root, outside] = [makeDirectory(), makeDirectory()];
  writeFileSync(join(outside, 'a.ts'), 'outside');
  mkdirSync(join(root, 'real'));
  writeFileSync(join(root, 'real/a.ts'), 'inside');
  symlinkSync(outside, join(root, 'away'));
  symlinkSync('real', join(root, 'near'));
  symlinkSync(join(outside, 'a.ts'), join(root, 'link.ts'));
  // Where case counts, a link may differ from its target in nothing else.
  if (process.platform === 'linux') symlinkSync('real', join(root, 'REAL'));
  spawnSync('mkfifo', [join(root, 'pipe.ts')]);
  assert.equal(read(root, 'real/a.ts')?.bytes.toString(), 'inside');
  for (const name of [
    'away/a.ts',
    'near/a.ts',
    'REAL/b.ts',
    'REAL/a.ts',
    'link.ts',
    'pipe.ts',
    'real',
    'none.ts',
    'real/a.ts/b.ts',
    '../x',
  ]) {
    assert.equal(read(root, name), null, name);
  }
  // A link above a file is seen when it is opened, not in its stamp.
  const stamped = (name: string) => stampOf(pathOf(Buffer.from(root), Buffer.from(name))) !== null;
  assert.deepEqual(['real/a.ts', 'link.ts', 'pipe.ts', 'real', 'none.ts', 'real/a.ts/b.ts'].map(stamped), [
    true,
    ...[false, false, false, false, false],
  ]);
  assert.equal(readWorkFile(pathOf(Buffer.from(root), Buffer.from('real/a.ts')), 3), null);
  renameSync(join(root, 'real'), join(outside, 'real'));
  symlinkSync(join(outside, 'real'), join(root, 'real'));
  assert.equal(read(root, 'real/a.ts'), null);
});

test('a file that holds more than its size says is not read', { skip: process.platform !== 'linux' }, () => {
  assert.ok(stampOf(Buffer.from('/proc/version')) !== null);
  assert.equal(read('/proc', 'version'), null);
});

/** Puts a link to a directory outside in place of one, takes it away, and so on until it is killed. */
const SWAPPER = `
const { renameSync, statSync, symlinkSync, unlinkSync } = require('node:fs');
const [inside, aside, outside] = process.argv.slice(1);
for (let round = 0; ; round++) {
  renameSync(inside, aside);
  symlinkSync(outside, inside);
  unlinkSync(inside);
  renameSync(aside, inside);
  // It stays for a while, now and then, so that some reads find it.
  if (round % 8 === 0) for (let i = 0; i < 100; i++) statSync(inside);
  if (round === 0) process.stdout.write('ready');
}`;

test('a link that another process puts in place of a directory is never followed, whenever it does so', async () => {
  const [root, outside] = [makeDirectory(), makeDirectory()];
  mkdirSync(join(root, 'real'));
  writeFileSync(join(root, 'real/a.ts'), 'inside');
  writeFileSync(join(outside, 'a.ts'), 'outside');
  const places = [join(root, 'real'), join(root, 'aside'), outside];
  const swapper = spawn(process.execPath, ['-e', SWAPPER, ...places], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((ready) => swapper.stdout.once('data', ready));
  const seen: Record<string, number> = {};
  try {
    for (let i = 0; i < 10_000; i++) {
      const text = read(root, 'real/a.ts')?.bytes.toString() ?? 'nothing';
      seen[text] = (seen[text] ?? 0) + 1;
    }
  } finally {
    swapper.kill('SIGKILL');
  }
  assert.equal(seen.outside, undefined, JSON.stringify(seen));
  assert.ok(seen.inside > 0, JSON.stringify(seen));
});

/** What is read of a file of five bytes into which somebody else writes after each of our reads, as long as there is something to write. */
function readWhile(t: TestContext, writes: readonly (() => void)[], path: string, limit = LIMIT) {
  let reads = 0;
  const pending = [...writes];
  const { readSync } = fs;
  const mock = t.mock.method(fs, 'readSync', (...args: Parameters<typeof readSync>) => {
    const count = readSync(...args);
    // The end of a file is read once an attempt.
    if (count === 0) {
      reads++;
      pending.shift()?.();
    }
    return count;
  });
  syncBuiltinESMExports();
  try {
    const file = readWorkFile(Buffer.from(path), limit);
    return { text: file?.bytes.toString() ?? null, stamp: file?.stamp ?? null, reads };
  } finally {
    mock.mock.restore();
    syncBuiltinESMExports();
  }
}

test('a stamp is another one whichever of its parts is: an edit can keep the size and set the time of change back', () => {
  const stamp = { size: 3, mtime: '1', ctime: '2', inode: '4' };
  assert.ok(isSameStamp(stamp, { ...stamp }));
  for (const other of [{ size: 4 }, { mtime: '5' }, { ctime: '5' }, { inode: '5' }])
    assert.ok(!isSameStamp(stamp, { ...stamp, ...other }), Object.keys(other)[0]);
});

test('a file that changes while it is read is read again, and left out if it changes each time', (t) => {
  const path = join(makeDirectory(), 'a.ts');
  const put = (text: string) => () => writeFileSync(path, text);
  const touch = (seconds: number) => () => utimesSync(path, seconds, seconds);
  put('first')();
  assert.deepEqual(readWhile(t, [], path), { text: 'first', stamp: stampOf(Buffer.from(path)), reads: 1 });
  for (const text of ['again', 'longer text', 'short', '']) {
    put('first')();
    touch(1)();
    const found = readWhile(t, [put(text)], path);
    assert.deepEqual(found, { text, stamp: stampOf(Buffer.from(path)), reads: 2 }, text);
  }
  put('first')();
  assert.deepEqual(readWhile(t, [1, 2].map(touch), path), {
    text: 'first',
    stamp: stampOf(Buffer.from(path)),
    reads: 3,
  });
  assert.deepEqual(readWhile(t, [1, 2, 3].map(touch), path), { text: null, stamp: null, reads: 3 });
});

test('a file is read up to the limit, also where it outgrows it while it is read', (t) => {
  const path = join(makeDirectory(), 'a.ts');
  writeFileSync(path, 'first');
  assert.deepEqual([readWhile(t, [], path, 5).text, readWhile(t, [], path, 4).text], ['first', null]);
  assert.equal(readWhile(t, [() => writeFileSync(path, 'second')], path, 5).text, null);
});

test('files with names that are not UTF-8 are read', () => {
  const path = Buffer.concat([Buffer.from(`${makeDirectory()}/`), Buffer.from([0x66, 0xff, 0x2e, 0x74, 0x73])]);
  writeFileSync(path, 'x');
  assert.equal(readWorkFile(path, LIMIT)?.bytes.toString(), 'x');
  assert.equal(stampOf(path)?.size, 1);
});

/** A work tree with `a.ts`, `b.ts` and a link to a folder outside of it. */
function workTree() {
  const { dir } = createRepo();
  const outside = makeDirectory();
  const text = (name: string) => readFileSync(join(dir, name), 'utf8');
  for (const name of ['a', 'b']) writeFileSync(join(dir, `${name}.ts`), `old ${name}\n`);
  symlinkSync(outside, join(dir, 'away'));
  return { dir, outside, text };
}

const change = (path: string, to = path) => ({ path, to, before: `old ${path[0]}\n`, after: `new ${path[0]}\n` });
const creation = (to: string) => ({ path: to, to, before: null, after: 'made\n' });

test('replaced files keep their modes and the ends of their lines, and can be put back with the folders made for them', () => {
  const { dir, text } = workTree();
  chmodSync(join(dir, 'a.ts'), 0o755);
  writeFileSync(join(dir, 'b.ts'), 'old b\r\n');
  const undo = replaceFiles(dir, [change('a.ts'), change('b.ts', 'x/y/b.ts'), creation('z/c.ts')]);
  assert.deepEqual([text('a.ts'), text('x/y/b.ts'), text('z/c.ts')], ['new a\n', 'new b\r\n', 'made\n']);
  assert.equal(existsSync(join(dir, 'b.ts')), false);
  if (process.platform !== 'win32') assert.equal(statSync(join(dir, 'a.ts')).mode & 0o777, 0o755);
  undo();
  assert.deepEqual([text('a.ts'), text('b.ts')], ['old a\n', 'old b\r\n']);
  assert.deepEqual([existsSync(join(dir, 'x')), existsSync(join(dir, 'z'))], [false, false]);
});

test('nothing is written where one file is not what git has, is a link, or would be put outside, into .git or over another', () => {
  const { dir, outside, text } = workTree();
  writeFileSync(join(outside, 'c.ts'), 'old c\n');
  symlinkSync(join(outside, 'c.ts'), join(dir, 'c.ts'));
  const bad = [
    { ...change('b.ts'), before: 'older\n' },
    ...[change('c.ts'), change('d.ts'), change('b.ts', 'a.ts'), creation('b.ts'), creation('c.ts')],
    ...['away/x.ts', '../x.ts', '.git/x.ts', '.GIT/new/x.ts', 'sub/../../x.ts', 'a.ts/x.ts'].map(creation),
  ];
  for (const file of bad) {
    assert.throws(() => replaceFiles(dir, [change('a.ts'), file]), { code: 'BAD_ARGUMENT' }, file.to);
    assert.deepEqual([text('a.ts'), text('b.ts')], ['old a\n', 'old b\n'], file.to);
  }
  assert.equal(readFileSync(join(outside, 'c.ts'), 'utf8'), 'old c\n');
  for (const path of ['.git/new', '../x.ts', 'away/x.ts']) assert.equal(existsSync(join(dir, path)), false);
});

test('files are as before if one of them cannot be written', () => {
  const { dir, text } = workTree();
  const impossible = [change('a.ts'), creation('x'), creation('x/y.ts')];
  assert.throws(() => replaceFiles(dir, impossible), /^SocraticodeError: the files are as before: /);
  assert.deepEqual([text('a.ts'), existsSync(join(dir, 'x'))], ['old a\n', false]);
});

test('what somebody else saves while other files are written stays, and so do all files, which is said', (t) => {
  const { dir, text } = workTree();
  /** Calls `act` when the first file has been written. */
  const replaceWhile = (act: () => void, ...files: Parameters<typeof replaceFiles>[1]) => {
    const { renameSync } = fs;
    const mock = t.mock.method(fs, 'renameSync', (from: string, to: string) => {
      renameSync(from, to);
      mock.mock.restore();
      syncBuiltinESMExports();
      act();
    });
    syncBuiltinESMExports();
    assert.throws(
      () => replaceFiles(dir, [change('a.ts'), ...files]),
      /as before: .*changed by somebody else meanwhile/,
    );
    assert.equal(text('a.ts'), 'old a\n');
  };
  replaceWhile(() => writeFileSync(join(dir, 'c.ts'), 'by hand\n'), change('b.ts', 'c.ts'));
  assert.deepEqual([text('b.ts'), text('c.ts')], ['old b\n', 'by hand\n']);
  replaceWhile(() => writeFileSync(join(dir, 'd.ts'), 'by hand\n'), creation('d.ts'));
  assert.equal(text('d.ts'), 'by hand\n');
  replaceWhile(() => writeFileSync(join(dir, 'b.ts'), 'by hand\n'), change('b.ts'));
  assert.equal(text('b.ts'), 'by hand\n');
});

test('what somebody else writes into a replaced file stays, the others are put back, and that is said', () => {
  const { dir, text } = workTree();
  const undo = replaceFiles(dir, [change('a.ts'), change('b.ts')]);
  writeFileSync(join(dir, 'b.ts'), 'by hand\n');
  assert.throws(undo, /not all files are as before: .*b\.ts was changed by somebody else/);
  assert.deepEqual([text('a.ts'), text('b.ts')], ['old a\n', 'by hand\n']);
});
