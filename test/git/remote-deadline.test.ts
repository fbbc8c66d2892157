import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { AUTOMATIC, EXPLICIT, RemoteDeadline } from '../../src/git/remote-deadline.js';

test('output of a git that has ended is read, however long this process was busy meanwhile', async () => {
  const child = spawn('sh', ['-c', '(sleep 0.3; echo late) & exit 0']);
  const deadline = new RemoteDeadline(child, EXPLICIT);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.once('exit', () => {
    const until = performance.now() + 1_500;
    while (performance.now() < until);
  });
  await once(child, 'close');
  deadline.stop();
  assert.equal(output, 'late\n');
});

/** A process whose output the test makes, and the signals that its group gets. */
function silent(t: TestContext, signal?: AbortSignal) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] });
  const signals: unknown[] = [];
  t.mock.method(process, 'kill', (_: number, name: string) => signals.push(name));
  const child = Object.assign(new EventEmitter(), {
    pid: 12_345,
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  });
  const deadline = new RemoteDeadline(child as unknown as ChildProcessWithoutNullStreams, AUTOMATIC, signal);
  const says = async () => {
    const heard = once(child.stderr, 'data');
    child.stderr.write('x');
    await heard;
  };
  return { deadline, signals, says };
}

test('a git that says nothing is ended after ten seconds, one that spoke after a minute, and killed a second later', async (t) => {
  const { deadline, signals, says } = silent(t);
  t.mock.timers.tick(9_999);
  await says();
  t.mock.timers.tick(59_999);
  assert.deepEqual([deadline.reason, signals], [null, []]);
  t.mock.timers.tick(1);
  assert.deepEqual([deadline.reason, signals], ['silent', ['SIGTERM']]);
  t.mock.timers.tick(1_000);
  assert.deepEqual(signals, ['SIGTERM', 'SIGKILL']);
  // What it says while it ends starts no new wait.
  await says();
  t.mock.timers.tick(120_000);
  assert.deepEqual(signals, ['SIGTERM', 'SIGKILL']);
});

test('a caller that gives up ends it at once; after the end it has no say', (t) => {
  const given = new AbortController();
  const { deadline, signals } = silent(t, given.signal);
  given.abort();
  assert.deepEqual([deadline.reason, signals], ['cancelled', ['SIGTERM']]);
  t.mock.timers.reset();
  const late = new AbortController();
  const done = silent(t, late.signal);
  done.deadline.stop();
  late.abort();
  t.mock.timers.tick(120_000);
  assert.deepEqual([done.deadline.reason, done.signals], [null, []]);
});
