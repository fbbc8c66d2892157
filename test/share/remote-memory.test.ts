/** What is remembered of remotes: it spares requests, and never more of them than it should. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Repository } from '../../src/git/repository.js';
import { addressKey, RemoteMemory } from '../../src/share/remote-memory.js';
import { makeDirectory } from '../support/repositories/repo.js';

function memory(): { memory: RemoteMemory; path: string } {
  const commonDir = makeDirectory('git');
  mkdirSync(join(commonDir, 'socraticode'));
  return {
    memory: new RemoteMemory({ commonDir } as Repository),
    path: join(commonDir, 'socraticode', 'remotes.json'),
  };
}

const URL = 'https://user:secret@example.com/x.git';
const HOUR_MS = 3_600_000;

test('a request is not repeated until its time is over, wherever the clock is set to', (t) => {
  const key = addressKey(URL);
  const { memory: kept, path } = memory();
  t.mock.timers.enable({ apis: ['Date'], now: 1_000 * HOUR_MS });
  assert.equal(kept.wasAsked(key), false);
  kept.setAsked(key, HOUR_MS);
  for (const [now, isAsked] of [
    [1_000, true],
    [1_000.9, true],
    [1_001, false],
    [2_000, false],
    [999.5, true],
    [10, false],
  ] as const) {
    t.mock.timers.setTime(now * HOUR_MS);
    assert.equal(kept.wasAsked(key), isAsked, `${now} h`);
  }
  assert.doesNotMatch(readFileSync(path, 'utf8'), /secret/);
});

test('a union is remembered for one commit of a ref; a refusal until it is taken back', () => {
  const { memory: kept } = memory();
  kept.setUnited('refs/notes/a', 'one');
  assert.deepEqual([kept.isUnited('refs/notes/a', 'one'), kept.isUnited('refs/notes/a', 'two')], [true, false]);
  kept.setUnited('refs/notes/a', 'two');
  assert.equal(kept.isUnited('refs/notes/a', 'one'), false);
  kept.setDenied('x', true);
  kept.setDenied('y', true);
  kept.setDenied('x', false);
  assert.deepEqual([kept.isDenied('x'), kept.isDenied('y')], [false, true]);
});

test('the unions of removed refs are forgotten, and only theirs', () => {
  const { memory: kept } = memory();
  for (const ref of ['a', 'b', 'c']) kept.setUnited(`refs/notes/${ref}`, 'one');
  kept.forgetUnited(new Set(['refs/notes/a', 'refs/notes/c', 'refs/notes/d']));
  assert.deepEqual(
    ['a', 'b', 'c'].map((ref) => kept.isUnited(`refs/notes/${ref}`, 'one')),
    [false, true, false],
  );
});

test('the newest 200 of each kind are kept', () => {
  const { memory: kept } = memory();
  for (let i = 0; i < 205; i++) kept.setUnited(`refs/notes/${i}`, 'one');
  kept.setUnited('refs/notes/5', 'two');
  kept.setUnited('refs/notes/new', 'one');
  assert.deepEqual(
    [4, 5, 6, 204].map((i) => kept.isUnited(`refs/notes/${i}`, i === 5 ? 'two' : 'one')),
    [false, true, false, true],
  );
});

test('a file that was damaged or forged counts as empty where it makes no sense', () => {
  const { memory: kept, path } = memory();
  const forged = [
    '',
    '{',
    'null',
    '[]',
    '7',
    '{"united":7,"asked":"x","denied":{}}',
    '{"asked":{"k":null},"united":{"refs/notes/a":7},"denied":[1]}',
    '{"asked":{"k":{"at":"now","forMs":1e999}}}',
    `{"asked":{"k":{"at":${Date.now()},"forMs":1e999}}}`,
    '{"asked":{"k":{"at":"now","forMs":99999999999999}}}',
    '{"asked":null,"united":null,"denied":null}',
  ];
  for (const text of forged) {
    writeFileSync(path, text);
    assert.deepEqual(
      [kept.wasAsked('k'), kept.isUnited('refs/notes/a', 'one'), kept.isDenied('k')],
      [false, false, false],
      text,
    );
  }
  writeFileSync(path, '{"united":{"refs/notes/a":"one","refs/notes/b":7}}');
  assert.equal(kept.isUnited('refs/notes/a', 'one'), true);
});
