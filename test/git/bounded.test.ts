/** Commands that compare trees end when a tree turns out to be larger than any real one, and only then is anything counted. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { SocraticodeError } from '../../src/base/errors.js';
import { withinBounds } from '../../src/git/bounded.js';
import type { Git } from '../../src/git/process.js';

const ENTRIES = 1_000_000;
const PATHS = 256 << 20;
/** Mode, type, oid and separators of an entry. */
const REST = 54;

/** A piece of output of any length with so many ends of entries at its end, which takes no memory. */
const piece = (length: number, ends = 0) => ({
  length,
  indexOf: (_: number, from = 0) => (Math.max(from, length - ends) < length ? Math.max(from, length - ends) : -1),
});

/** A git that lists trees: each by its name in pieces. */
function listing(trees: Readonly<Record<string, ReturnType<typeof piece>[]>>) {
  const seen = { listed: [] as string[], pieces: 0, kills: 0 };
  const spawn = (args: string[]) => {
    const tree = args.at(-1) as string;
    seen.listed.push(tree);
    const child = Object.assign(new EventEmitter(), {
      ...{ stdin: new PassThrough(), stderr: new PassThrough() },
      kill: () => seen.kills++,
      stdout: (async function* () {
        for (const each of trees[tree]) {
          seen.pieces++;
          yield each;
        }
      })(),
    });
    setImmediate(() => child.emit('close', 0, null));
    return child;
  };
  return { git: { spawn } as unknown as Git, seen };
}

const memory = new SocraticodeError('RESOURCES', 'git takes too much memory');
/** What comes of work that ran out of memory before anything was counted. */
const outcome = (git: Git, trees: string[], signal?: AbortSignal) =>
  withinBounds(git, trees, () => Promise.reject(memory), signal).catch((error: Error) => error.message);

test('a tree of more than a million entries is refused, one of a million is not', async () => {
  const { git, seen } = listing({
    fits: [piece(ENTRIES * REST - 5, ENTRIES - 5), piece(5, 5)],
    large: [piece(ENTRIES * REST, ENTRIES - 5), piece(6, 6), piece(1, 1)],
  });
  assert.equal(await outcome(git, ['fits']), memory.message);
  assert.deepEqual([seen.pieces, seen.kills], [2, 0]);
  assert.equal(await outcome(git, ['large']), 'the tree has more than 1,000,000 entries');
  assert.deepEqual([seen.pieces, seen.kills], [4, 1], 'the rest is not read');
});

test('paths of more than 256 MiB in all are refused, whatever the number of entries', async () => {
  for (const ends of [1, 1_000]) {
    const whole = PATHS + ends * REST;
    const { git, seen } = listing({
      fits: [piece(whole - 10, ends), piece(10)],
      long: [piece(whole + 1, ends)],
    });
    assert.equal(await outcome(git, ['fits']), memory.message);
    assert.equal(await outcome(git, ['long']), 'the paths of the tree are too long');
    assert.equal(seen.kills, 1);
  }
});

test('trees are counted one after another, up to the first that is too large', async () => {
  const { git, seen } = listing({ small: [piece(100, 1)], large: [piece(ENTRIES + 1, ENTRIES + 1)], last: [] });
  assert.match(await outcome(git, ['small', 'large', 'last']), /more than 1,000,000/);
  assert.deepEqual(seen.listed, ['small', 'large']);
});

test('nothing is counted for other failures, for a caller that gave up, or where git cannot be started', async () => {
  const { git, seen } = listing({ large: [piece(ENTRIES + 1, ENTRIES + 1)] });
  const other = new SocraticodeError('GIT_FAILED', 'another failure');
  await assert.rejects(
    withinBounds(git, ['large'], () => Promise.reject(other)),
    other,
  );
  assert.equal(await outcome(git, ['large'], AbortSignal.abort()), memory.message);
  assert.deepEqual(seen.listed, []);
  const spawn = () => {
    throw new Error('no git');
  };
  assert.equal(await outcome({ spawn } as unknown as Git, ['large']), memory.message);
});

test('work is told when its caller gives up, before it begins or later, and when it is done', async () => {
  const { git } = listing({});
  const stateOf = (signal?: AbortSignal) => withinBounds(git, [], async (stop) => stop.aborted, signal);
  assert.deepEqual([await stateOf(), await stateOf(AbortSignal.abort())], [false, true]);
  const controller = new AbortController();
  const seen: boolean[] = [];
  let last: AbortSignal | undefined;
  const work = async (stop: AbortSignal) => {
    last = stop;
    seen.push(stop.aborted);
    controller.abort();
    seen.push(stop.aborted);
    return 'result';
  };
  assert.equal(await withinBounds(git, [], work, controller.signal), 'result');
  assert.deepEqual(seen, [false, true]);
  await withinBounds(git, [], async (stop) => {
    last = stop;
  });
  assert.equal(last?.aborted, true);
});

test('work that takes a quarter of a second is counted beside it, once, and ended if its tree is too large', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { git, seen } = listing({ large: [piece(ENTRIES + 1, ENTRIES + 1)] });
  const slow = (stop: AbortSignal) =>
    new Promise<never>((_, reject) => stop.addEventListener('abort', () => reject(memory)));
  const refused = assert.rejects(withinBounds(git, ['large'], slow), { code: 'BAD_ARGUMENT' });
  t.mock.timers.tick(249);
  assert.deepEqual(seen.listed, []);
  t.mock.timers.tick(1);
  assert.deepEqual(seen.listed, ['large']);
  await refused;
  assert.deepEqual(seen.listed, ['large']);
  await withinBounds(git, ['large'], async () => {});
  t.mock.timers.tick(1_000);
  assert.deepEqual(seen.listed, ['large'], 'fast work is not counted');
});
