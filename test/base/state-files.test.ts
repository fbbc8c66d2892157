/** Local state: what was written comes back whole or not at all, and the files used last stay. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SingleFlight } from '../../src/base/async.js';
import { cacheKey, Memory, StateFiles, type StateKind } from '../../src/base/cache.js';

const GRAPHS: StateKind = { name: 'graph', version: 1, folder: 'graphs', files: 6, bytes: 1_000, isClaimed: true };
const MEMORIES: StateKind = { name: 'memory', version: 1, folder: 'graphs', files: 3 };
const WORK: StateKind = { name: 'work', version: 1, folder: 'graphs', files: 3 };
const TAGS: StateKind = { name: 'tags', version: 1 };

/** Content of a file as text; null without a usable file. */
const textOf = (cache: StateFiles, kind: StateKind, key = ''): string | null =>
  cache.read(kind, key, ({ content }) => content.toString());

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
    const cache = new StateFiles(profile);
    assert.equal(textOf(cache, GRAPHS, KEYS[0]), null);
    cache.write(GRAPHS, KEYS[0], Buffer.from('tables'), { state: null });
    const file = new StateFiles(profile).read(GRAPHS, KEYS[0], (found) => found);
    assert.equal(file?.content.toString(), 'tables');
    assert.deepEqual(file?.note, { state: null });
    assert.equal(textOf(cache, MEMORIES, KEYS[0]), null);
    assert.equal(textOf(cache, GRAPHS, KEYS[1]), null);
  });
});

test('values come back by key, and beyond the limit those that were used longest ago go; damaged ones are none', () => {
  withDirectory((profile) => {
    const cache = new StateFiles(profile);
    const keys = () => [...new StateFiles(profile).readMap<number>(TAGS).keys()];
    assert.deepEqual(keys(), []);
    cache.writeMap(TAGS, new Map([...'abc'].map((key, i) => [key, i])), { used: 'a', most: 3 });
    assert.deepEqual(keys(), ['b', 'c', 'a']);
    cache.writeMap(TAGS, cache.readMap<number>(TAGS).set('d', 3), { used: ['b', 'gone'], most: 2 });
    assert.deepEqual(keys(), ['d', 'b']);
    assert.equal(cache.readMap<number>(TAGS).get('d'), 3);
    cache.write(TAGS, '', Buffer.from('{"d": 3'));
    assert.deepEqual(keys(), []);
  });
});

test('a lock that a dead process left beside the graph that it wrote is removed by who reads it, a living one stays', async () => {
  const top = mkdtempSync(join(tmpdir(), 'graph-lock-'));
  try {
    const cache = new StateFiles(top);
    const [dead, living] = KEYS;
    for (const key of [dead, living]) cache.write(GRAPHS, key, Buffer.from('tables'), null);
    const lock = (key: string) => join(top, 'graphs', `${key}.lock`);
    const { stdout } = spawnSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' });
    const release = await cache.claim(GRAPHS, living);
    const held = JSON.parse(readFileSync(lock(living), 'utf8'));
    writeFileSync(lock(dead), JSON.stringify({ ...held, pid: Number(stdout), start: null }));
    for (const key of [dead, living]) assert.ok(textOf(cache, GRAPHS, key));
    for (let tries = 0; existsSync(lock(dead)) && tries < 200; tries++) await sleep(10);
    assert.deepEqual([existsSync(lock(dead)), existsSync(lock(living))], [false, true]);
    release();
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
});

test('a damaged file is as good as none, wherever it is damaged', () => {
  withDirectory((profile) => {
    const cache = new StateFiles(profile);
    cache.write(GRAPHS, KEYS[0], Buffer.from('tables of a graph'), { n: 1 });
    const path = join(profile, 'graphs', `graph-${KEYS[0]}.bin`);
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] ^= 0x10;
      writeFileSync(path, damaged);
      assert.equal(textOf(cache, GRAPHS, KEYS[0]), null, `byte ${at}`);
      writeFileSync(path, whole.subarray(0, at));
      assert.equal(textOf(cache, GRAPHS, KEYS[0]), null, `cut at ${at}`);
    }
    writeFileSync(path, whole);
    assert.notEqual(textOf(cache, GRAPHS, KEYS[0]), null);
  });
});

test('a whole file under the name of another is not taken for it', () => {
  withDirectory((profile) => {
    const cache = new StateFiles(profile);
    cache.write(GRAPHS, KEYS[0], Buffer.from('of another snapshot'), null);
    const bytes = readFileSync(join(profile, 'graphs', `graph-${KEYS[0]}.bin`));
    writeFileSync(join(profile, 'graphs', `graph-${KEYS[1]}.bin`), bytes);
    writeFileSync(join(profile, 'graphs', `work-${KEYS[0]}.bin`), bytes);
    assert.equal(textOf(cache, GRAPHS, KEYS[1]), null);
    assert.equal(textOf(cache, WORK, KEYS[0]), null);
  });
});

test('the graphs used last are kept, a few of each kind', () => {
  withDirectory((profile) => {
    const cache = new StateFiles(profile);
    KEYS.forEach((key, i) => {
      cache.write(GRAPHS, key, Buffer.from(`${i}`), null);
      cache.write(WORK, key, Buffer.from(`${i}`), null);
      // Written in the same millisecond, used at different times.
      for (const kind of ['graph', 'work'])
        utimesSync(join(profile, 'graphs', `${kind}-${key}.bin`), 1000 + i, 1000 + i);
      if (i > 0) textOf(cache, GRAPHS, KEYS[0]);
    });
    assert.equal(cache.keys(GRAPHS)[0], KEYS[0], 'the one that was read all the time');
    assert.deepEqual(cache.keys(GRAPHS).slice(1), KEYS.slice(-5).reverse());
    assert.deepEqual(cache.keys(WORK), KEYS.slice(-3).reverse());
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
      const cache = new StateFiles(join(state, 'profile'));
      cache.write(GRAPHS, KEYS[0], Buffer.from('x'), null);
      assert.deepEqual(readdirSync(join(elsewhere, 'profile', 'graphs')), [], level);
      new StateFiles(join(elsewhere, 'profile')).write(GRAPHS, KEYS[0], Buffer.from('x'), null);
      assert.equal(textOf(cache, GRAPHS, KEYS[0]), null, level);
      assert.deepEqual(cache.keys(GRAPHS), [], level);
    } finally {
      rmSync(top, { recursive: true, force: true });
    }
  }
});

test('a link in place of a file is neither read nor written through', () => {
  withDirectory((profile) => {
    const cache = new StateFiles(profile);
    cache.write(GRAPHS, KEYS[0], Buffer.from('mine'), null);
    const secret = join(profile, 'secret');
    writeFileSync(secret, readFileSync(join(profile, 'graphs', `graph-${KEYS[0]}.bin`)));
    const before = readFileSync(secret);
    symlinkSync(secret, join(profile, 'graphs', `graph-${KEYS[1]}.bin`));
    assert.equal(textOf(cache, GRAPHS, KEYS[1]), null);
    cache.write(GRAPHS, KEYS[1], Buffer.from('other'), null);
    assert.deepEqual(readFileSync(secret), before);
    assert.equal(textOf(cache, GRAPHS, KEYS[1]), 'other');
  });
});

test('what is no file is neither waited for nor in the way', () => {
  withDirectory((profile) => {
    const cache = new StateFiles(profile);
    cache.write(GRAPHS, KEYS[0], Buffer.from('x'), null);
    execFileSync('mkfifo', [join(profile, 'graphs', `graph-${KEYS[1]}.bin`)]);
    mkdirSync(join(profile, 'graphs', `memory-${KEYS[1]}.bin`));
    for (const kind of [GRAPHS, MEMORIES]) assert.equal(textOf(cache, kind, KEYS[1]), null);
    assert.deepEqual([cache.keys(GRAPHS), cache.keys(MEMORIES)], [[KEYS[0]], []]);
    KEYS.slice(2).forEach((key) => {
      cache.write(GRAPHS, key, Buffer.from('x'), null);
    });
    assert.equal(cache.keys(GRAPHS).length, 6);
    cache.write(GRAPHS, KEYS[1], Buffer.from('instead of the pipe'), null);
    assert.equal(textOf(cache, GRAPHS, KEYS[1]), 'instead of the pipe');
  });
});

test('a cache that must not write leaves no trace', () => {
  withDirectory((profile) => {
    new StateFiles(profile, true).write(GRAPHS, KEYS[0], Buffer.from('x'), null);
    assert.deepEqual(readdirSync(profile), []);
  });
});

test('a kind without keys has one file, which the next one replaces', () => {
  withDirectory((profile) => {
    const cache = new StateFiles(profile);
    assert.equal(cache.has(TAGS), false);
    cache.write(TAGS, '', Buffer.from('first'));
    cache.write(TAGS, '', Buffer.from('second'), { key: 1 });
    assert.deepEqual([cache.has(TAGS), textOf(cache, TAGS)], [true, 'second']);
    assert.deepEqual(readdirSync(profile), ['tags.bin']);
  });
});

test('a file of another version counts as absent, and is whole all the same', () => {
  withDirectory((profile) => {
    const cache = new StateFiles(profile);
    cache.write(TAGS, '', Buffer.from('of today'));
    const path = join(profile, 'tags.bin');
    assert.equal(textOf(cache, { ...TAGS, version: 2 }), null);
    assert.equal(cache.isWhole(path), true);
    writeFileSync(path, 'of nobody');
    assert.equal(cache.isWhole(path), false);
    assert.equal(cache.isWhole(join(profile, 'lexical-0123456789abcdef.bin')), null, 'a shard is no such file');
  });
});

test('what cannot be decoded is absent, and not marked as used', () => {
  withDirectory((profile) => {
    const cache = new StateFiles(profile);
    cache.write(GRAPHS, KEYS[0], Buffer.from('x'));
    const path = join(profile, 'graphs', `graph-${KEYS[0]}.bin`);
    utimesSync(path, 1000, 1000);
    const fails = () => {
      throw new Error('another layout');
    };
    assert.equal(cache.read(GRAPHS, KEYS[0], fails), null);
    assert.equal(
      cache.read(GRAPHS, KEYS[0], () => null),
      null,
    );
    cache.read(GRAPHS, KEYS[0], () => true, { marks: false });
    assert.equal(statSync(path).mtimeMs, 1_000_000);
    cache.read(GRAPHS, KEYS[0], () => true);
    assert.ok(statSync(path).mtimeMs > 1_000_000);
  });
});

test('the files of a kind have a limit on their bytes, but the newest stays whatever its size', () => {
  withDirectory((profile) => {
    const cache = new StateFiles(profile);
    cache.write(GRAPHS, KEYS[0], Buffer.alloc(700));
    cache.write(WORK, KEYS[0], Buffer.alloc(700));
    utimesSync(join(profile, 'graphs', `graph-${KEYS[0]}.bin`), 1000, 1000);
    cache.write(GRAPHS, KEYS[1], Buffer.alloc(2_000));
    assert.deepEqual([cache.keys(GRAPHS), cache.keys(WORK)], [[KEYS[1]], [KEYS[0]]]);
    const { files, bytes } = cache.size([GRAPHS, WORK]);
    assert.ok(files === 2 && bytes > 2_700);
    assert.deepEqual(cache.clear([GRAPHS]).files, 1);
    assert.deepEqual([cache.keys(GRAPHS), cache.keys(WORK)], [[], [KEYS[0]]]);
  });
});

test('a process remembers the values of each owner that were used last, and reads others again', () => {
  const memory = new Memory<string>(2);
  const [one, other] = [{}, {}];
  let reads = 0;
  const find = (owner: object, key: string) => memory.find(owner, key, () => `${key}${++reads}`);
  assert.deepEqual([find(one, 'a'), find(one, 'b'), find(one, 'a')], ['a1', 'b2', 'a1']);
  assert.equal(find(one, 'c'), 'c3');
  assert.deepEqual([find(one, 'a'), find(one, 'b')], ['a1', 'b4'], 'b was used longest ago');
  assert.equal(find(other, 'a'), 'a5');
  assert.equal(memory.find(one, 'd'), null);
});

test('callers share work under way, and one that did not cancel it starts it again', async () => {
  const flights = new SingleFlight<number>();
  let starts = 0;
  const start = async (): Promise<number> => {
    starts++;
    await sleep(5);
    return starts;
  };
  assert.deepEqual(await Promise.all([flights.run('a', start), flights.run('a', start)]), [1, 1]);
  assert.equal(await flights.run('a', start), 2);
  const cancelled = flights.run('a', async () => {
    await sleep(5);
    throw new Error('cancelled by its caller');
  });
  const joined = flights.run('a', start);
  await assert.rejects(cancelled, /cancelled/);
  assert.equal(await joined, 3);
});
