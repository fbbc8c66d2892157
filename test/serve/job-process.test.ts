/** The process that does jobs, with one that a test plays in its place: what it is sent, what is heard, and how it ends. */
import assert from 'node:assert/strict';
import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { type TestContext, test } from 'node:test';
import type { IndexReport } from '../../src/indexer/report.js';
import { type FromProcess, isLast, type JobMessage, JobProcess, type JobRequest } from '../../src/serve/job.js';

class Child extends EventEmitter {
  connected = true;
  pid = 4_711;
  readonly sent: unknown[] = [];
  readonly killed: string[] = [];
  send(message: unknown, done: () => void): void {
    this.sent.push(message);
    done();
  }
  kill(signal: string): void {
    this.killed.push(signal);
  }
  says(message: FromProcess): void {
    this.emit('message', message);
  }
}

/** A process of jobs, and the child in its place. */
function started(t: TestContext): { jobs: JobProcess; child: Child; forked: unknown[] } {
  const child = new Child();
  const fork = t.mock.method(childProcess, 'fork', () => child as unknown as childProcess.ChildProcess);
  syncBuiltinESMExports();
  t.after(() => syncBuiltinESMExports());
  const jobs = new JobProcess();
  const forked = fork.mock.calls[0].arguments as unknown[];
  fork.mock.restore();
  syncBuiltinESMExports();
  return { jobs, child, forked };
}

const REQUEST = { directory: '/a', kind: 'index' } as unknown as JobRequest;
const REPORT = { files: 3 } as unknown as IndexReport;
const isSettled = async (promise: Promise<unknown>) => {
  const open = {};
  return (await Promise.race([promise, new Promise((done) => setImmediate(() => done(open)))])) !== open;
};

test('the process may write to stderr only, and is asked by messages', (t) => {
  const { jobs, forked } = started(t);
  const [worker, args, options] = forked;
  assert.match(String(worker), /serve[\\/]background-worker\.js$/);
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'];
  assert.deepEqual([args, options], [[], { serialization: 'advanced', stdio, execArgv: [] }]);
  assert.deepEqual([jobs.pid, jobs.isAlive], [4_711, true]);
});

test('a job hears every message up to its last one, and ends when the process is free', async (t) => {
  const { jobs, child } = started(t);
  const heard: JobMessage[] = [];
  const done = jobs.run(REQUEST, (message) => heard.push(message));
  assert.deepEqual(child.sent, [REQUEST]);
  const messages: JobMessage[] = [
    { type: 'phase', phase: 'indexing' },
    { type: 'indexed', report: null },
    { type: 'done', report: REPORT },
  ];
  for (const message of messages) child.says(message);
  child.says({ type: 'phase', phase: 'linking' });
  assert.deepEqual(heard, messages);
  assert.equal(await isSettled(done), false);
  child.says({ type: 'free' });
  assert.equal(await isSettled(done), true);
  const next: JobMessage[] = [];
  const second = jobs.run(REQUEST, (message) => next.push(message));
  child.says({ type: 'part', files: 2 });
  child.says({ type: 'free' });
  await second;
  assert.deepEqual([next, heard.length, child.sent.length], [[{ type: 'part', files: 2 }], 3, 2]);
});

test('a process that ends early fails its job, once its last message cannot come any more', async (t) => {
  for (const [end, how] of [
    [[3, null], 'exit code 3'],
    [[null, 'SIGKILL'], 'SIGKILL'],
  ] as const) {
    const { jobs, child } = started(t);
    const heard: JobMessage[] = [];
    const done = jobs.run(REQUEST, (message) => heard.push(message));
    child.emit('exit', ...end);
    assert.deepEqual([heard, jobs.isAlive, await isSettled(done)], [[], true, false]);
    child.connected = false;
    child.emit('disconnect');
    assert.deepEqual(heard, [
      {
        type: 'failed',
        error: {
          ...{ code: 'INTERNAL', message: `the indexing process ended early (${how})` },
          hint: 'Ask again; if it happens again, `git socraticode index` shows more.',
        },
      },
    ]);
    assert.deepEqual([jobs.isAlive, await isSettled(done)], [false, true]);
  }
});

test('a process that cannot be started, or is gone already, fails what it is asked', async (t) => {
  const { jobs, child } = started(t);
  const heard: JobMessage[] = [];
  const done = jobs.run(REQUEST, (message) => heard.push(message));
  child.emit('error', new Error('no such file'));
  await done;
  assert.match(heard[0].type === 'failed' ? heard[0].error.message : '', /ended early \(no such file\)/);
  const other = started(t);
  other.child.connected = false;
  const told: JobMessage[] = [];
  const second = other.jobs.run(REQUEST, (message) => told.push(message));
  assert.deepEqual([other.child.sent, other.jobs.isAlive], [[], false]);
  other.child.emit('exit', 0, null);
  await second;
  assert.equal(told[0].type, 'failed');
});

test('a last message that came before the end is the only one', async (t) => {
  const { jobs, child } = started(t);
  const heard: JobMessage[] = [];
  const done = jobs.run(REQUEST, (message) => heard.push(message));
  child.says({ type: 'done', report: REPORT });
  child.connected = false;
  child.emit('exit', 0, null);
  await done;
  assert.deepEqual(heard, [{ type: 'done', report: REPORT }]);
});

test('a job that is given up is told to the process, which is killed after two seconds if it does not end it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { jobs, child } = started(t);
  const done = jobs.run(REQUEST, () => {});
  const cancelled = jobs.cancel();
  assert.deepEqual(child.sent, [REQUEST, { kind: 'cancel' }]);
  t.mock.timers.tick(1_999);
  assert.deepEqual(child.killed, []);
  child.says({ type: 'free' });
  await Promise.all([cancelled, done]);
  t.mock.timers.tick(10_000);
  assert.deepEqual(child.killed, []);
  void jobs.run(REQUEST, () => {});
  void jobs.cancel();
  t.mock.timers.tick(2_000);
  assert.deepEqual(child.killed, ['SIGKILL']);
});

test('a process is asked to stop, and killed after two seconds if it does not; one that writes whole files at once', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const slow = started(t);
  slow.jobs.stop();
  t.mock.timers.tick(1_999);
  assert.deepEqual(slow.child.killed, ['SIGTERM']);
  t.mock.timers.tick(1);
  assert.deepEqual(slow.child.killed, ['SIGTERM', 'SIGKILL']);
  const quick = started(t);
  quick.jobs.stop();
  quick.child.emit('exit', 0, null);
  t.mock.timers.tick(10_000);
  assert.deepEqual(quick.child.killed, ['SIGTERM']);
  const writer = started(t);
  writer.jobs.kill();
  assert.deepEqual(writer.child.killed, ['SIGKILL']);
});

test('three messages are last ones', () => {
  const types = ['phase', 'progress', 'indexed', 'done', 'part', 'failed'] as const;
  assert.deepEqual(
    types.filter((type) => isLast({ type } as JobMessage)),
    ['done', 'part', 'failed'],
  );
});
