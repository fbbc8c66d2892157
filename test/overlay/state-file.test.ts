/** The state file of an overlay: one from elsewhere, from a link, or with damaged shards is not believed. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  hasOverlay,
  isOutdated,
  type KnownFile,
  namedIn,
  overlayDirectory,
  overlayFault,
  readState,
  STATE,
} from '../../src/overlay/state-file.js';
import { OverlayStore } from '../../src/overlay/store.js';
import { stampOf } from '../../src/overlay/worktree-file.js';
import { LexicalBuilder } from '../../src/shard/builder.js';
import { encodeLexical } from '../../src/shard/lexical-format.js';
import { makeDirectory } from '../support/repositories/repo.js';

/** An overlay with one shard that knows the file `a.ts` of a work tree. */
function overlay(): { directory: string; workTree: string; shard: string } {
  const workTree = makeDirectory('work');
  writeFileSync(join(workTree, 'a.ts'), 'one\n');
  const stamp = stampOf(Buffer.from(join(workTree, 'a.ts')));
  assert.ok(stamp !== null);
  const known: KnownFile = { ...stamp, oid: 'a'.repeat(40), content: '', at: 0 };
  const directory = overlayDirectory(join(makeDirectory('state'), 'profile'), join(workTree, '.git'));
  const store = new OverlayStore(directory, join(workTree, '.git'));
  const builder = new LexicalBuilder(20);
  builder.addSkipped('a'.repeat(40), 'c', 'binary', 4);
  const shard = store.add(encodeLexical(builder.finish()));
  store.save({ files: new Map([['a.ts', known]]), shards: [shard] });
  return { directory, workTree, shard: join(directory, shard.name) };
}

test('what was saved is read, names its shards, and is without fault', () => {
  const { directory, workTree, shard } = overlay();
  assert.deepEqual([hasOverlay(directory), overlayFault(directory)], [true, null]);
  assert.deepEqual(
    readState(directory).files.map(([name]) => name),
    ['a.ts'],
  );
  assert.deepEqual(
    [...namedIn(directory)].map((name) => join(directory, name)),
    [shard],
  );
  assert.equal(isOutdated(directory, workTree), false);
});

test('each work tree has a folder of its own, whose name the next version still finds', () => {
  assert.match(overlayDirectory('/p', '/work/.git'), /[/\\]overlay-0d7af21e2edc1df7$/);
});

test('no overlay is no fault', () => {
  const directory = join(makeDirectory(), 'profile', 'overlay-0');
  assert.deepEqual([hasOverlay(directory), overlayFault(directory), namedIn(directory).size], [false, null, 0]);
});

test('an edited file makes it outdated; a deleted one, which leaves nothing to parse, does not', () => {
  const { directory, workTree } = overlay();
  writeFileSync(join(workTree, 'a.ts'), 'longer than before\n');
  assert.equal(isOutdated(directory, workTree), true);
  rmSync(join(workTree, 'a.ts'));
  assert.equal(isOutdated(directory, workTree), false);
});

test('a single changed byte of the state file breaks its seal', () => {
  const { directory } = overlay();
  const path = join(directory, STATE);
  const text = readFileSync(path, 'utf8');
  for (const at of [2, Math.floor(text.length / 2), text.length - 2]) {
    const other = text[at] === 'a' ? 'b' : 'a';
    writeFileSync(path, text.slice(0, at) + other + text.slice(at + 1));
    assert.match(overlayFault(directory) ?? '', /not sealed here/, `byte ${at}`);
    assert.equal(namedIn(directory).size, 0);
  }
});

test('a folder in place of the state file is no state that was sealed here', () => {
  const { directory } = overlay();
  rmSync(join(directory, STATE));
  mkdirSync(join(directory, STATE));
  assert.match(overlayFault(directory) ?? '', /not sealed here/);
});

test('the state of another work tree or another profile is refused, though it was sealed on this machine', () => {
  const { directory } = overlay();
  const profile = join(directory, '..');
  const otherTree = overlayDirectory(profile, '/another/work/tree/.git');
  cpSync(directory, otherTree, { recursive: true });
  assert.match(overlayFault(otherTree) ?? '', /not sealed here/);
  const otherProfile = join(profile, '..', 'other');
  cpSync(profile, otherProfile, { recursive: true });
  for (const name of readdirSync(otherProfile))
    assert.match(overlayFault(join(otherProfile, name)) ?? '', /not sealed here/);
});

test('a missing shard and a damaged one are named', () => {
  const { directory, shard } = overlay();
  const bytes = readFileSync(shard);
  bytes[bytes.length - 1] ^= 1;
  writeFileSync(shard, bytes);
  assert.match(overlayFault(directory) ?? '', /^lexical-\S+ fails its checksum$/);
  rmSync(shard);
  assert.match(overlayFault(directory) ?? '', /^lexical-\S+ is missing$/);
});

test('nothing is read through a symbolic link to the overlay, its profile or the state directory', () => {
  for (const level of ['..', '.', '../..']) {
    const { directory } = overlay();
    const linked = join(directory, level);
    const moved = join(makeDirectory('elsewhere'), 'moved');
    renameSync(linked, moved);
    mkdirSync(join(linked, '..'), { recursive: true });
    symlinkSync(moved, linked);
    assert.equal(hasOverlay(directory), false, level);
    assert.throws(() => readState(directory), /link/, level);
    assert.equal(namedIn(directory).size, 0, level);
  }
});
