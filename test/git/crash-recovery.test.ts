/** Recovery from killed git processes, and waiting for a gc. The campaign `locks` tests recovery under load. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock } from '../../src/base/lock.js';
import { GcWatch, RefLocks, removeStaleImportDebris } from '../../src/git/crash-recovery.js';
import { openRepository } from '../../src/git/repository.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';
import { NOTES_REF } from '../support/repositories/share.js';

const skip = existsSync('/proc/1/comm') ? false : 'only /proc tells which program a process runs';

test('a gc that was killed is not waited for, even if another program has its pid now', { skip }, async () => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'text\n' });
  writeFileSync(join(repo.commonDir, 'gc.pid'), `${process.pid} ${hostname()}`);
  const start = performance.now();
  const gc = await GcWatch.start(await openRepository(repo.dir));
  assert.ok(performance.now() - start < 10_000);
  assert.equal(gc.isDisturbed(), false);
});

test('a commit, a tree or a file that a gc took is noticed, unless the parent has it too', async () => {
  const repo = createRepo();
  const parent = repo.commit({ 'a.txt': 'old\n' });
  const gc = await GcWatch.start(await openRepository(repo.dir));
  const tip = repo.commit({ 'b/c.txt': 'new\n' });
  repo.git('pack-refs', '--all');
  assert.equal(gc.isDisturbed(), true);
  const retained = async (lost: string) => {
    const path = join(repo.commonDir, 'objects', lost.slice(0, 2), lost.slice(2));
    renameSync(path, `${path}.lost`);
    const is = await gc.hasRetained(tip, parent);
    renameSync(`${path}.lost`, path);
    return is;
  };
  const names = [`${tip}:b/c.txt`, `${tip}:b`, `${tip}^{tree}`, tip, `${parent}:a.txt`];
  const found: boolean[] = [];
  for (const name of names) found.push(await retained(repo.git('rev-parse', name)));
  assert.deepEqual(found, [false, false, false, false, true]);
  assert.equal(await gc.hasRetained(tip, parent), true);
});

test('while another process removes locks of refs, a writer goes on waiting instead of failing', { skip }, async () => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'text\n' });
  const lock = join(repo.commonDir, `${NOTES_REF}.lock`);
  mkdirSync(dirname(lock), { recursive: true });
  writeFileSync(lock, '');
  mkdirSync(repo.state, { recursive: true });
  const release = await acquireLock(join(repo.state, 'ref-locks.lock'));
  const locks = new RefLocks(await openRepository(repo.dir), NOTES_REF);
  assert.equal(await locks.clear(), false);
  await sleep(600);
  assert.equal(await locks.clear(), false);
  release();
  assert.equal(await locks.clear(), true);
  assert.equal(existsSync(lock), false);
});

test('a lock that is taken anew while another process removes locks stays', { skip }, async () => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'text\n' });
  const lock = join(repo.commonDir, `${NOTES_REF}.lock`);
  mkdirSync(dirname(lock), { recursive: true });
  writeFileSync(lock, '');
  mkdirSync(repo.state, { recursive: true });
  const locks = new RefLocks(await openRepository(repo.dir), NOTES_REF);
  assert.equal(await locks.clear(), false);
  await sleep(600);
  const release = await acquireLock(join(repo.state, 'ref-locks.lock'));
  const cleared = locks.clear();
  rmSync(lock);
  writeFileSync(lock, 'of the next writer');
  release();
  assert.equal(await cleared, false);
  assert.equal(readFileSync(lock, 'utf8'), 'of the next writer');
});

test('an old unfinished pack stays while a git writes to the repository, however old it looks', { skip }, async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'text\n' });
  const repository = await openRepository(repo.dir);
  const pack = join(repo.commonDir, 'objects', 'pack', 'tmp_pack_abc123');
  const yesterday = new Date(Date.now() - 24 * 3_600_000);
  writeFileSync(pack, 'PACK');
  utimesSync(pack, yesterday, yesterday);
  const writer = spawn('git', ['fast-import'], { cwd: repo.dir, stdio: ['pipe', 'pipe', 'ignore'] });
  t.after(() => writer.kill('SIGKILL'));
  writer.stdin.write('progress started\n');
  await once(writer.stdout, 'data');
  removeStaleImportDebris(repository);
  assert.equal(existsSync(pack), true);
  writer.kill('SIGKILL');
  await once(writer, 'close');
  removeStaleImportDebris(repository);
  assert.equal(existsSync(pack), false);
});

test('a lock that is gone by the next look was not removed by us', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'text\n' });
  const locks = new RefLocks(await openRepository(repo.dir), NOTES_REF);
  let now = 1_000;
  t.mock.method(performance, 'now', () => now);
  assert.equal(await locks.clear(), false);
  now += 60_000;
  assert.equal(await locks.clear(), false);
});

test('a lost race is tried again until it is won, and ten times at most', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'text\n' });
  // No pause: chance decides how long each is.
  t.mock.method(Math, 'random', () => 0);
  const locks = new RefLocks(await openRepository(repo.dir), NOTES_REF);
  const calls = async (won: number) => {
    let count = 0;
    const result = await locks.retry(async () => (++count === won ? 'won' : undefined));
    return [count, result];
  };
  assert.deepEqual(await calls(1), [1, 'won']);
  assert.deepEqual(await calls(3), [3, 'won']);
  assert.deepEqual(await calls(10), [10, 'won']);
  assert.deepEqual(await calls(11), [10, undefined]);
});

test('another failure ends the attempts, and so does the signal', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'text\n' });
  const locks = new RefLocks(await openRepository(repo.dir), NOTES_REF);
  let count = 0;
  const fails = async () => {
    count++;
    throw new Error('no race');
  };
  await assert.rejects(locks.retry(fails), /no race/);
  assert.equal(count, 1);
  t.mock.method(Math, 'random', () => 1_000);
  const stopped = locks.retry(async () => undefined, AbortSignal.timeout(20));
  await assert.rejects(stopped, { name: 'AbortError' });
});

test('what a killed fast-import left goes once it is an hour old; what is young, whole or of the user stays', {
  skip,
}, async () => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'text\n' });
  const [objects, pack] = [join(repo.commonDir, 'objects'), join(repo.commonDir, 'objects', 'pack')];
  mkdirSync(join(objects, 'ab'), { recursive: true });
  const make = (path: string, minutes: number, text = 'x') => {
    writeFileSync(path, text);
    const time = new Date(Date.now() - minutes * 60_000);
    utimesSync(path, time, time);
    return path;
  };
  const crash = join(repo.commonDir, 'fast_import_crash_');
  const stem = (digit: string) => join(pack, `pack-${digit.repeat(40)}`);
  const gone = [
    make(`${crash}123`, 61),
    make(join(pack, 'tmp_pack_old'), 61),
    make(join(objects, 'ab', 'tmp_obj_old'), 61),
    // A pack that has no index is useless; one that has stays, and is no longer kept.
    ...[make(`${stem('a')}.pack`, 61), make(`${stem('a')}.keep`, 61, 'fast-import')],
    make(`${stem('b')}.keep`, 61, 'fast-import'),
    // Killed before it wrote its text.
    make(`${stem('c')}.keep`, 61, ''),
  ];
  const kept = [
    ...[make(`${crash}124`, 59), make(join(pack, 'tmp_pack_new'), 59), make(join(objects, 'ab', 'tmp_obj_new'), 59)],
    ...[make(`${crash}1x`, 61), make(join(pack, 'other'), 61), make(join(objects, 'ab', 'f'.repeat(38)), 61)],
    ...[make(`${stem('b')}.pack`, 61), make(`${stem('b')}.idx`, 61)],
    ...[make(`${stem('d')}.keep`, 61, ''), make(`${stem('d')}.pack`, 61)],
    ...[make(`${stem('e')}.keep`, 61, 'of the user'), make(`${stem('f')}.keep`, 59, 'fast-import')],
  ];
  removeStaleImportDebris(await openRepository(repo.dir));
  assert.deepEqual(
    gone.filter((path) => existsSync(path)),
    [],
  );
  assert.deepEqual(
    kept.filter((path) => !existsSync(path)),
    [],
  );
});

test('nothing is removed through a link, which can lead outside of the repository', { skip }, async () => {
  const repo = createRepo();
  const outside = makeDirectory();
  const yesterday = new Date(Date.now() - 24 * 3_600_000);
  const names = ['tmp_pack_a', 'tmp_obj_a'];
  for (const name of names) {
    writeFileSync(join(outside, name), 'x');
    utimesSync(join(outside, name), yesterday, yesterday);
  }
  const objects = join(repo.commonDir, 'objects');
  rmSync(join(objects, 'pack'), { recursive: true, force: true });
  for (const name of ['pack', 'ab']) symlinkSync(outside, join(objects, name));
  removeStaleImportDebris(await openRepository(repo.dir));
  assert.deepEqual(readdirSync(outside).sort(), names.sort());
});
