/** Whether the holder of a lock still lives: here, after a restart, on another machine, in another container. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Holder, isAlive, isStopped, lifeOf, ownHolder, parseHolder } from '../../src/base/processes.js';

const here = ownHolder();
const self: Holder = { ...here, id: '' };
const skip = here.boot === '' && 'there is no /proc';
/** A process that has ended. */
const ended = spawnSync(process.execPath, ['-e', '']).pid;
const OTHER_BOOT = '00000000-0000-4000-8000-000000000000';

test('a process of this machine is told from a dead one, and from a later one with its pid', { skip }, () => {
  assert.equal(lifeOf(self), 'alive');
  assert.equal(lifeOf({ ...self, pid: ended }), 'dead');
  assert.equal(lifeOf({ ...self, started: `${Number(self.started) + 1}` }), 'dead');
  // One kernel is one machine, even under another name.
  assert.equal(lifeOf({ ...self, host: 'elsewhere.example' }), 'alive');
  assert.equal(lifeOf({ ...self, host: 'elsewhere.example', pid: ended }), 'dead');
});

test('a process of another user is alive, though it cannot be signalled', (t) => {
  const kill = t.mock.method(process, 'kill');
  for (const [code, expected] of [
    ['EPERM', true],
    ['ESRCH', false],
  ] as const) {
    kill.mock.mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });
    assert.equal(isAlive(4_321), expected, code);
  }
});

/** Waits until a process is in a state of /proc, without a turn of the event loop: in one, this process would reap an ended child. */
function awaitState(pid: number, state: string): void {
  while (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] !== state);
}

test('a process that is stopped still holds its lock, and one that died and was not reaped does not', {
  skip,
}, async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
  const exited = once(child, 'exit');
  const pid = child.pid as number;
  const started = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[19];
  const holders = [started, ''].map((each) => ({ ...self, pid, started: each }));
  assert.deepEqual(
    [holders.map(lifeOf), holders.map(isStopped)],
    [
      ['alive', 'alive'],
      [false, false],
    ],
  );
  child.kill('SIGSTOP');
  awaitState(pid, 'T');
  assert.deepEqual(
    [holders.map(lifeOf), holders.map(isStopped)],
    [
      ['alive', 'alive'],
      [true, true],
    ],
  );
  child.kill('SIGKILL');
  awaitState(pid, 'Z');
  assert.deepEqual(
    [holders.map(lifeOf), holders.map(isStopped)],
    [
      ['dead', 'dead'],
      [false, false],
    ],
  );
  await exited;
  assert.deepEqual(holders.map(lifeOf), ['dead', 'dead'], 'reaped');
});

test('before a restart of this machine every holder is dead, whatever has its pid now', { skip }, () => {
  assert.equal(lifeOf({ ...self, boot: OTHER_BOOT }), 'dead');
  assert.equal(lifeOf({ ...self, boot: '' }), 'dead');
});

test('of another machine, or another container of it, nothing is known, though its pid be free here', { skip }, () => {
  const far = { ...self, host: 'elsewhere.example', pid: ended };
  assert.equal(lifeOf({ ...far, boot: OTHER_BOOT }), 'elsewhere');
  assert.equal(lifeOf({ ...far, boot: '' }), 'elsewhere');
  const inContainer = { ...self, space: 'pid:[1]', pid: ended, started: '' };
  assert.equal(lifeOf(inContainer), 'elsewhere');
});

test('a lock without a usable pid names nobody', () => {
  for (const pid of [0, -1, 1.5, '7', null, 2 ** 60]) assert.equal(parseHolder(JSON.stringify({ pid })), null);
  for (const text of ['', '{', 'null', '[]', '7']) assert.equal(parseHolder(text), null);
  assert.deepEqual(parseHolder(JSON.stringify({ ...self, started: [1], host: 7 })), { ...self, started: '', host: '' });
});
