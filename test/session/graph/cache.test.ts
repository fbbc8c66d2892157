import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheKey, GraphCache } from '../../../src/session/graph/cache.js';

function withDirectory(use: (profile: string) => void): void {
  const top = mkdtempSync(join(tmpdir(), 'graph-cache-'));
  try {
    const profile = join(top, 'socraticode', 'profile');
    mkdirSync(profile, { recursive: true });
    use(profile);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

const KEYS = Array.from({ length: 10 }, (_, i) => cacheKey('graph', i));

test('what was written comes back, its note with it, and nothing else does', () => {
  withDirectory((profile) => {
    const cache = new GraphCache(profile);
    assert.equal(cache.read('graph', KEYS[0]), null);
    cache.write('graph', KEYS[0], Buffer.from('tables'), { state: null });
    const file = new GraphCache(profile).read('graph', KEYS[0]);
    assert.equal(file?.content.toString(), 'tables');
    assert.deepEqual(file?.note, { state: null });
    assert.equal(cache.read('memory', KEYS[0]), null);
    assert.equal(cache.read('graph', KEYS[1]), null);
  });
});

test('a lock that a dead process left beside the graph that it wrote is removed by who reads it, a living one stays', async () => {
  const top = mkdtempSync(join(tmpdir(), 'graph-lock-'));
  try {
    const cache = new GraphCache(top);
    const [dead, living] = KEYS;
    for (const key of [dead, living]) cache.write('graph', key, Buffer.from('tables'), null);
    const lock = (key: string) => join(top, 'graphs', `${key}.lock`);
    const { stdout } = spawnSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' });
    const release = await cache.claim(living);
    const held = JSON.parse(readFileSync(lock(living), 'utf8'));
    writeFileSync(lock(dead), JSON.stringify({ ...held, pid: Number(stdout), start: null }));
    for (const key of [dead, living]) assert.ok(cache.read('graph', key));
    for (let tries = 0; existsSync(lock(dead)) && tries < 200; tries++) await sleep(10);
    assert.deepEqual([existsSync(lock(dead)), existsSync(lock(living))], [false, true]);
    release();
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
});

test('a damaged file is as good as none, wherever it is damaged', () => {
  withDirectory((profile) => {
    const cache = new GraphCache(profile);
    cache.write('graph', KEYS[0], Buffer.from('tables of a graph'), { n: 1 });
    const path = join(profile, 'graphs', `graph-${KEYS[0]}.bin`);
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] ^= 0x10;
      writeFileSync(path, damaged);
      assert.equal(cache.read('graph', KEYS[0]), null, `byte ${at}`);
      writeFileSync(path, whole.subarray(0, at));
      assert.equal(cache.read('graph', KEYS[0]), null, `cut at ${at}`);
    }
    writeFileSync(path, whole);
    assert.notEqual(cache.read('graph', KEYS[0]), null);
  });
});

test('a whole file under the name of another is not taken for it', () => {
  withDirectory((profile) => {
    const cache = new GraphCache(profile);
    cache.write('graph', KEYS[0], Buffer.from('of another snapshot'), null);
    const bytes = readFileSync(join(profile, 'graphs', `graph-${KEYS[0]}.bin`));
    writeFileSync(join(profile, 'graphs', `graph-${KEYS[1]}.bin`), bytes);
    writeFileSync(join(profile, 'graphs', `work-${KEYS[0]}.bin`), bytes);
    assert.equal(cache.read('graph', KEYS[1]), null);
    assert.equal(cache.read('work', KEYS[0]), null);
  });
});

test('the graphs used last are kept, a few of each kind', () => {
  withDirectory((profile) => {
    const cache = new GraphCache(profile);
    KEYS.forEach((key, i) => {
      cache.write('graph', key, Buffer.from(`${i}`), null);
      cache.write('work', key, Buffer.from(`${i}`), null);
      // Written in the same millisecond, used at different times.
      for (const kind of ['graph', 'work'])
        utimesSync(join(profile, 'graphs', `${kind}-${key}.bin`), 1000 + i, 1000 + i);
      if (i > 0) cache.read('graph', KEYS[0]);
    });
    assert.equal(cache.keys('graph')[0], KEYS[0], 'the one that was read all the time');
    assert.deepEqual(cache.keys('graph').slice(1), KEYS.slice(-5).reverse());
    assert.deepEqual(cache.keys('work'), KEYS.slice(-3).reverse());
  });
});

test('nothing is read or written through a symbolic link that came with the repository', () => {
  for (const level of ['', 'profile', 'profile/graphs']) {
    const top = mkdtempSync(join(tmpdir(), 'graph-cache-'));
    try {
      const elsewhere = join(top, 'elsewhere');
      mkdirSync(join(elsewhere, 'profile', 'graphs'), { recursive: true });
      const state = join(top, 'socraticode');
      const parent = join(state, level, '..');
      mkdirSync(parent, { recursive: true });
      symlinkSync(join(elsewhere, level), join(state, level));
      const cache = new GraphCache(join(state, 'profile'));
      cache.write('graph', KEYS[0], Buffer.from('x'), null);
      assert.deepEqual(readdirSync(join(elsewhere, 'profile', 'graphs')), [], level);
      new GraphCache(join(elsewhere, 'profile')).write('graph', KEYS[0], Buffer.from('x'), null);
      assert.equal(cache.read('graph', KEYS[0]), null, level);
      assert.deepEqual(cache.keys('graph'), [], level);
    } finally {
      rmSync(top, { recursive: true, force: true });
    }
  }
});

test('a link in place of a file is neither read nor written through', () => {
  withDirectory((profile) => {
    const cache = new GraphCache(profile);
    cache.write('graph', KEYS[0], Buffer.from('mine'), null);
    const secret = join(profile, 'secret');
    writeFileSync(secret, readFileSync(join(profile, 'graphs', `graph-${KEYS[0]}.bin`)));
    const before = readFileSync(secret);
    symlinkSync(secret, join(profile, 'graphs', `graph-${KEYS[1]}.bin`));
    assert.equal(cache.read('graph', KEYS[1]), null);
    cache.write('graph', KEYS[1], Buffer.from('other'), null);
    assert.deepEqual(readFileSync(secret), before);
    assert.equal(cache.read('graph', KEYS[1])?.content.toString(), 'other');
  });
});

test('what is no file is neither waited for nor in the way', () => {
  withDirectory((profile) => {
    const cache = new GraphCache(profile);
    cache.write('graph', KEYS[0], Buffer.from('x'), null);
    execFileSync('mkfifo', [join(profile, 'graphs', `graph-${KEYS[1]}.bin`)]);
    mkdirSync(join(profile, 'graphs', `memory-${KEYS[1]}.bin`));
    for (const kind of ['graph', 'memory'] as const) assert.equal(cache.read(kind, KEYS[1]), null);
    assert.deepEqual([cache.keys('graph'), cache.keys('memory')], [[KEYS[0]], []]);
    KEYS.slice(2).forEach((key) => {
      cache.write('graph', key, Buffer.from('x'), null);
    });
    assert.equal(cache.keys('graph').length, 6);
    cache.write('graph', KEYS[1], Buffer.from('instead of the pipe'), null);
    assert.equal(cache.read('graph', KEYS[1])?.content.toString(), 'instead of the pipe');
  });
});

test('a cache that must not write leaves no trace', () => {
  withDirectory((profile) => {
    new GraphCache(profile, true).write('graph', KEYS[0], Buffer.from('x'), null);
    assert.deepEqual(readdirSync(profile), []);
  });
});
