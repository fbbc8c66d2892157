/** Files that are written whole or not at all, and read without a link or a pipe being followed. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  clearDirectory,
  isLink,
  isOpenToGroup,
  linkAt,
  makeDirectory,
  namesIn,
  plainFileAt,
  readPlainFile,
  refuseLinks,
  standingAt,
  textAt,
  writeFileAtomic,
  writeOutput,
  writeStateFile,
} from '../../src/base/atomic.js';
import { makeDirectory as temporary } from '../support/repositories/repo.js';

test('a file is replaced with text or bytes, keeps the mode that is given, and leaves nothing beside it', () => {
  const folder = temporary('atomic');
  const path = join(folder, 'a.txt');
  writeFileAtomic(path, 'größe');
  assert.deepEqual([readFileSync(path, 'utf8'), statSync(path).mode & 0o777 & ~0o022], ['größe', 0o644]);
  writeFileAtomic(path, Buffer.from('#!'), 0o777);
  assert.deepEqual([readFileSync(path, 'utf8'), statSync(path).mode & 0o777], ['#!', 0o777]);
  // A link is replaced, not followed.
  const link = join(folder, 'link');
  symlinkSync(path, link);
  writeFileAtomic(link, 'own');
  assert.deepEqual([lstatSync(link).isFile(), readFileSync(path, 'utf8')], [true, '#!']);
  mkdirSync(join(folder, 'taken'));
  assert.throws(() => writeFileAtomic(join(folder, 'taken'), 'x'), {
    code: 'DISK',
    message: /^cannot write .*taken: /,
  });
  assert.deepEqual(readdirSync(folder).sort(), ['a.txt', 'link', 'taken']);
});

test('a directory where a file of the state belongs is replaced, and a file is no directory', () => {
  const folder = temporary('atomic');
  const path = join(folder, 'state');
  mkdirSync(join(path, 'deep'), { recursive: true });
  writeStateFile(path, 'x');
  assert.equal(readFileSync(path, 'utf8'), 'x');
  assert.deepEqual([clearDirectory(path), clearDirectory(join(folder, 'gone'))], [false, false]);
  mkdirSync(join(folder, 'full', 'deep'), { recursive: true });
  assert.equal(clearDirectory(join(folder, 'full')), true);
  assert.deepEqual(readdirSync(folder), ['state']);
});

test('a plain file is read up to its bound; links, pipes, directories and what is not there give nothing', () => {
  const folder = temporary('atomic');
  const path = join(folder, 'a.txt');
  writeFileSync(path, 'four');
  assert.equal(readPlainFile(path, 4)?.toString(), 'four');
  assert.equal(readPlainFile(path, 3), null);
  symlinkSync(path, join(folder, 'link'));
  spawnSync('mkfifo', [join(folder, 'pipe')]);
  for (const name of ['link', 'pipe', '.', 'gone', 'a.txt/below'])
    assert.deepEqual([readPlainFile(join(folder, name), 9), plainFileAt(join(folder, name))], [null, null], name);
});

test('what stands at a path is looked up without following links, also below a file', () => {
  const folder = temporary('atomic');
  writeFileSync(join(folder, 'a'), ' x \n');
  symlinkSync('a', join(folder, 'link'));
  assert.deepEqual([standingAt(join(folder, 'a', 'b')), standingAt(join(folder, 'c'))], [undefined, undefined]);
  assert.deepEqual(
    [isLink(join(folder, 'link')), isLink(join(folder, 'a')), isLink(join(folder, 'c'))],
    [true, false, false],
  );
  assert.deepEqual([linkAt(join(folder, 'link')), linkAt(join(folder, 'a'))], ['a', '']);
  assert.deepEqual([textAt(join(folder, 'a')), textAt(join(folder, 'c'))], ['x', '']);
  assert.deepEqual([namesIn(folder).sort(), namesIn(join(folder, 'a'))], [['a', 'link'], []]);
  refuseLinks([join(folder, 'a'), join(folder, 'c')]);
  assert.throws(() => refuseLinks([join(folder, 'a'), join(folder, 'link')]), {
    code: 'DISK',
    message: /link is a symbolic link, which is not followed$/,
  });
});

test('directories are made with their parents; a link or a file in the way is told', () => {
  const folder = temporary('atomic');
  makeDirectory(join(folder, 'a', 'b'));
  makeDirectory(join(folder, 'a', 'b'));
  assert.equal(statSync(join(folder, 'a', 'b')).isDirectory(), true);
  symlinkSync('a', join(folder, 'link'));
  writeFileSync(join(folder, 'file'), '');
  assert.throws(() => makeDirectory(join(folder, 'link')), { code: 'DISK', message: /symbolic link/ });
  for (const path of [join(folder, 'file'), join(folder, 'file', 'b')])
    assert.throws(() => makeDirectory(path), { code: 'DISK', message: /^cannot create / });
});

test('a folder is open to a group only if the group may write and keeps what is made in it', () => {
  const folder = temporary('atomic');
  for (const [mode, isOpen] of [
    [0o2770, true],
    [0o2750, false],
    [0o770, false],
  ] as const) {
    chmodSync(folder, mode);
    assert.equal(isOpenToGroup(folder), isOpen, mode.toString(8));
  }
});

test('an output that is a pipe is written to and stays a pipe, a file is replaced, a folder is refused', async () => {
  const folder = temporary('output');
  const pipe = join(folder, 'pipe');
  spawnSync('mkfifo', [pipe]);
  const reader = spawn('cat', [pipe]);
  let read = '';
  reader.stdout.on('data', (part: Buffer) => {
    read += part.toString();
  });
  writeOutput(pipe, 'graph\n');
  await once(reader, 'close');
  assert.deepEqual([read, statSync(pipe).isFIFO(), readdirSync(folder)], ['graph\n', true, ['pipe']]);
  const path = join(folder, 'a.txt');
  writeOutput(path, 'one');
  writeOutput(path, 'two');
  assert.equal(readFileSync(path, 'utf8'), 'two');
  assert.throws(() => writeOutput(folder, 'x'), { code: 'DISK' });
});
