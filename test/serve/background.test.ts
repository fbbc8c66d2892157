/** Which job a background process does next, and who hears of its end; with processes that the test plays. */
import assert from 'node:assert/strict';
import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { type TestContext, test } from 'node:test';
import type { IndexReport } from '../../src/indexer/report.js';
import { Background } from '../../src/serve/background.js';
import type { FromProcess } from '../../src/serve/job.js';
import type { Session } from '../../src/session/session.js';
import type { SnapshotOrigin } from '../../src/session/snapshot/snapshot.js';
import { makeDirectory } from '../support/repositories/repo.js';

class Child extends EventEmitter {
  connected = true;
  readonly sent: string[] = [];
  readonly killed: string[] = [];
  send(message: { kind: string; origin?: SnapshotOrigin }, done: () => void): void {
    this.sent.push([message.kind, message.origin?.key].filter(Boolean).join(' '));
    done();
  }
  kill(signal: string): void {
    this.killed.push(signal);
  }
  says(...messages: FromProcess[]): void {
    for (const message of messages) this.emit('message', message);
  }
}

const REPORT = { files: 3 } as unknown as IndexReport;
const FREE: FromProcess = { type: 'free' };
const DONE: FromProcess = { type: 'done', report: REPORT };
const INDEXED: FromProcess = { type: 'indexed', report: null };
const failed = (code: 'DISK' | 'CANCELLED', message: string): FromProcess => ({
  ...{ type: 'failed', error: { code, message, hint: '' } },
});
const origin = (key: string, ref = key): SnapshotOrigin =>
  ({ key, resolved: { ref, commit: null } }) as unknown as SnapshotOrigin;
const HEAD = origin('now', 'HEAD');

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}

/** A background whose processes are these children, and a clock. `shards`: how many its index has. */
function started(t: TestContext, shards = 1) {
  const children: Child[] = [];
  const fork = t.mock.method(childProcess, 'fork', () => {
    children.push(new Child());
    return children[children.length - 1] as unknown as childProcess.ChildProcess;
  });
  syncBuiltinESMExports();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 1_000;
  t.mock.method(performance, 'now', () => now);
  const directory = makeDirectory('background');
  const session = {
    repository: { workTree: '/work', gitDir: directory, commonDir: directory },
    shards: { readManifest: () => ({ shards: Array(shards).fill({}) }) },
    origin: async (ref?: string) => (ref === undefined ? HEAD : origin(ref)),
  } as unknown as Session;
  const background = new Background(session);
  t.after(() => {
    background.close();
    fork.mock.restore();
    syncBuiltinESMExports();
  });
  return {
    ...{ background, children },
    after: (ms: number) => {
      now += ms;
      t.mock.timers.tick(ms);
    },
  };
}

const stateOf = (background: Background) => {
  const { running, queued } = background.state();
  return [running && `${running.kind} ${running.ref}`, queued.map(({ kind, ref }) => `${kind} ${ref}`)];
};

test('jobs are done one at a time in one process, what was asked last first, and questions about one snapshot share one', async (t) => {
  const { background, children } = started(t);
  const asked = ['a', 'b', 'a', 'c', 'b'].map((key) => background.index(origin(key)));
  assert.deepEqual(stateOf(background), ['index a', ['index b', 'index c']]);
  const order: string[] = [];
  for (let i = 0; i < 3; i++) {
    await settle();
    order.push(children[0].sent[children[0].sent.length - 1]);
    children[0].says({ type: 'indexed', report: REPORT }, DONE, FREE);
  }
  await settle();
  assert.deepEqual(order, ['index a', 'index b', 'index c']);
  assert.deepEqual([await Promise.all(asked), children.length], [[null, null, null, null, null], 1]);
  assert.deepEqual([stateOf(background), background.isBusy, background.state().last?.ok], [[null, []], false, true]);
});

test('what is checked out is indexed and linked by one job; with nothing indexed yet, by two', async (t) => {
  const later = started(t);
  void later.background.index(HEAD);
  assert.deepEqual([stateOf(later.background), later.children[0].sent], [['link HEAD', []], ['link now']]);
  t.mock.restoreAll();
  t.mock.timers.reset();
  const first = started(t, 0);
  void first.background.index(HEAD);
  assert.deepEqual(stateOf(first.background), ['index HEAD', ['link HEAD']]);
  // Another commit takes the place of what would be linked ahead.
  void first.background.index(origin('next', 'HEAD'));
  assert.deepEqual(first.background.state().queued.length, 2);
});

test('a question goes on when the index is there, with the error where that failed, which is not tried again for twenty seconds', async (t) => {
  const { background, children, after } = started(t);
  const waiting = background.index(origin('a'));
  children[0].says({ type: 'phase', phase: 'indexing' }, INDEXED);
  assert.equal(await waiting, null);
  children[0].says(DONE, FREE);
  await settle();
  const second = background.index(origin('b'));
  await settle();
  children[0].says(failed('DISK', 'full'), FREE);
  assert.equal((await second)?.message, 'full');
  const { last } = background.state();
  assert.deepEqual([last?.ok, last?.error?.message, last?.kind], [false, 'full', 'index']);
  assert.equal((await background.index(origin('b')))?.message, 'full');
  background.start(origin('b'));
  assert.deepEqual([background.isBusy, children[0].sent], [false, ['index a', 'index b']]);
  after(19_999);
  background.start(origin('b'));
  assert.equal(background.isBusy, false);
  after(1);
  background.start(origin('b'));
  await settle();
  assert.deepEqual([background.isBusy, children[0].sent.at(-1)], [true, 'index b']);
  // A job that was given up is no failure.
  children[0].says(failed('CANCELLED', 'stopped'), FREE);
  await settle();
  background.start(origin('b'));
  assert.equal(background.isBusy, true);
});

test('a demanded run is done even after a failure, and tells how it ended, or how far it is when the wait is over', async (t) => {
  const { background, children, after } = started(t);
  const changes: unknown[] = [];
  background.onChange(() => changes.push(1));
  const first = background.update({ ref: 'a' });
  await settle();
  children[0].says(failed('DISK', 'full'), FREE);
  const outcome = await first;
  assert.deepEqual([outcome.status, outcome.status === 'failed' && outcome.error.code], ['failed', 'DISK']);
  await settle();
  const seen: string[] = [];
  const again = background.update({ ref: 'a' }, { onProgress: ({ running }) => seen.push(`${running?.done}`) });
  await settle();
  children[0].says({ type: 'progress', done: 2, total: 3, note: null });
  children[0].says(DONE, FREE);
  assert.deepEqual(await again, { status: 'done', report: REPORT });
  assert.ok(seen.includes('2') && changes.length > 2);
  await settle();
  const slow = background.relink({ ref: 'b' }, { waitMs: 50 });
  await settle();
  after(50);
  const running = await slow;
  assert.deepEqual([running.status, running.status === 'running' && running.state.running?.kind], ['running', 'link']);
});

test('stopping ends what runs and drops what waits; a closed project takes no more', async (t) => {
  const { background, children } = started(t);
  assert.equal(await background.stop(), false);
  const [first, second] = [background.index(origin('a')), background.index(origin('b'))];
  await settle();
  const stopping = background.stop();
  assert.equal((await second)?.message, 'indexing was stopped; what was finished is kept');
  assert.deepEqual(children[0].sent, ['index a', 'cancel']);
  children[0].says(failed('DISK', 'killed'), FREE);
  assert.equal(await stopping, true);
  assert.deepEqual([(await first)?.code, background.isBusy], ['CANCELLED', false]);
  assert.equal(background.state().last?.error?.code, 'CANCELLED');
  await settle();
  background.close();
  assert.deepEqual(children[0].killed, ['SIGTERM'], 'the process that rested');
  assert.throws(() => background.start(origin('c')), { code: 'CANCELLED', message: 'the repository was closed' });
});

test('a run that only embeds makes way for a question, and goes on after it', async (t) => {
  const { background, children } = started(t);
  void background.update({ ref: 'a' });
  await settle();
  void background.index(origin('b'));
  assert.deepEqual(children[0].sent, ['full a'], 'it has not indexed yet');
  assert.deepEqual(stateOf(background), ['full a', ['index b']]);
  children[0].says(INDEXED);
  void background.index(origin('c'));
  assert.deepEqual(children[0].sent, ['full a', 'cancel']);
  children[0].says(failed('CANCELLED', 'paused'), FREE);
  await settle();
  assert.deepEqual([children[0].sent.at(-1), stateOf(background)], ['index c', ['index c', ['index b', 'full a']]]);
});

test('what is linked ahead goes on beside what a question waits for', async (t) => {
  const { background, children } = started(t);
  await background.warm();
  await settle();
  assert.deepEqual(children[0].sent, ['link now']);
  children[0].says(INDEXED, { type: 'phase', phase: 'linking' });
  void background.index(origin('b'));
  await settle();
  assert.deepEqual([children.length, children[0].sent, children[1].sent], [2, ['link now'], ['index b']]);
  assert.equal(stateOf(background)[0], 'index b');
  children[1].says(DONE, FREE);
  await settle();
  assert.deepEqual([stateOf(background)[0], background.isBusy], ['link HEAD', true]);
  children[0].says(DONE, FREE);
  await settle();
  assert.equal(background.isBusy, false);
});

test('a process rests for a minute after its job; one that died meanwhile is replaced, and the job begins anew', async (t) => {
  const { background, children, after } = started(t);
  void background.index(origin('a'));
  children[0].says(DONE, FREE);
  await settle();
  after(59_999);
  assert.deepEqual(children[0].killed, []);
  const second = background.index(origin('b'));
  await settle();
  assert.deepEqual([children.length, children[0].sent], [1, ['index a', 'index b']]);
  children[0].connected = false;
  children[0].emit('exit', 0, null);
  await settle();
  assert.deepEqual([children.length, children[1].sent], [2, ['index b']]);
  children[1].says(DONE, FREE);
  assert.equal(await second, null);
  await settle();
  after(60_000);
  assert.deepEqual(children[1].killed, ['SIGTERM']);
});

test('a graph is waited for as a whole, and a failure to link is told to each who asks soon after', async (t) => {
  const { background, children, after } = started(t);
  const whole = background.link(HEAD);
  children[0].says(INDEXED, DONE, FREE);
  assert.equal(await whole, 'whole');
  await settle();
  const failing = background.link(origin('b'));
  await settle();
  children[0].says(INDEXED, failed('DISK', 'full'), FREE);
  await assert.rejects(failing, { code: 'DISK' });
  await assert.rejects(background.link(origin('b')), { code: 'DISK', message: 'full' });
  assert.equal(background.state().last?.kind, 'link');
  await settle();
  const late = background.link(origin('c'));
  late.catch(() => {});
  await settle();
  children[0].says({ type: 'phase', phase: 'indexing' }, { type: 'progress', done: 1, total: 4, note: null });
  after(5_000);
  await settle();
  after(35_000);
  await settle();
  await assert.rejects(late, { code: 'NOT_READY', message: 'the graph is not linked yet: indexing c: 25% (1/4)' });
});

test('a question that accepts a part gets one after ten seconds, linked beside the run', async (t) => {
  const { background, children, after } = started(t);
  const asked = background.link(HEAD, { partly: true });
  await settle();
  after(5_000);
  await settle();
  after(5_000);
  await settle();
  assert.deepEqual([children.length, children[1].sent], [2, ['part now']]);
  children[1].says({ type: 'phase', phase: 'linking' }, { type: 'part', files: 2 }, FREE);
  assert.equal(await asked, 'part');
  // For half a minute it is used as it is.
  const soon = background.link(HEAD, { partly: true });
  await settle();
  after(2_000);
  await settle();
  after(3_000);
  await settle();
  assert.deepEqual([await soon, children.length], ['part', 2]);
});

test('what was linked ahead for an earlier commit is dropped, and what a question waits for is kept', async (t) => {
  const { background, children } = started(t);
  void background.index(origin('a'));
  await background.warm();
  const asked = background.link(origin('b'));
  asked.catch(() => {});
  void background.index(origin('next', 'HEAD'));
  assert.deepEqual(stateOf(background), ['index a', ['link HEAD', 'link b']]);
  const order: unknown[] = [];
  for (let i = 0; i < 3; i++) {
    children[0].says(DONE);
    assert.equal(background.state().running, null, 'it has reported its end');
    children[0].says(FREE);
    await settle();
    order.push(children[0].sent.at(-1));
  }
  assert.deepEqual(order, ['link next', 'link b', 'link b']);
});

test('stopping tells whether there was a job, running or waiting, and a question that is cancelled says so', async (t) => {
  const { background, children } = started(t);
  const first = background.index(origin('a'));
  await settle();
  const stopping = background.stop();
  children[0].says(failed('DISK', 'killed'));
  assert.equal(background.state().running, null);
  children[0].says(FREE);
  assert.deepEqual([await stopping, (await first)?.code], [true, 'CANCELLED']);
  const asking = new AbortController();
  const asked = background.index(origin('b'), { signal: asking.signal });
  asking.abort();
  await assert.rejects(asked, { code: 'CANCELLED' });
  const updated = background.update({ ref: 'b' }, { signal: asking.signal });
  await assert.rejects(updated, { code: 'CANCELLED' });
});

test('a link that fails before the index is there is a failure of the index, too; one that fails later is none', async (t) => {
  const { background, children } = started(t);
  const early = background.link(origin('a'));
  await settle();
  children[0].says(failed('DISK', 'full'), FREE);
  await assert.rejects(early, { message: 'full' });
  assert.equal((await background.index(origin('a')))?.message, 'full');
  await settle();
  const late = background.link(origin('b'));
  await settle();
  children[0].says(INDEXED, failed('DISK', 'full'), FREE);
  await assert.rejects(late, { message: 'full' });
  await settle();
  background.start(origin('b'));
  assert.equal(background.isBusy, true);
});

test('a part without a file is none: the question goes on to wait for the whole, and in the end for nothing', async (t) => {
  const { background, children, after } = started(t);
  const wait = async (...steps: number[]) => {
    for (const ms of steps) {
      after(ms);
      await settle();
    }
  };
  const asked = background.link(HEAD, { partly: true });
  await settle();
  await wait(5_000, 5_000);
  children[1].says({ type: 'part', files: 0 }, FREE);
  await settle();
  children[0].says(INDEXED, DONE, FREE);
  assert.equal(await asked, 'whole');
  await settle();
  const second = background.link(origin('b'), { partly: true });
  second.catch(() => {});
  await settle();
  await wait(5_000, 5_000);
  const parts = children.at(-1) as Child;
  parts.says({ type: 'part', files: 0 }, FREE);
  await wait(20_000, 10_000);
  await assert.rejects(second, { code: 'NOT_READY' });
});

test('an older part is used when a newer one takes too long, and the process of a part ends with the project', async (t) => {
  const { background, children, after } = started(t);
  const wait = async (...steps: number[]) => {
    for (const ms of steps) {
      after(ms);
      await settle();
    }
  };
  const first = background.link(HEAD, { partly: true });
  await settle();
  await wait(5_000, 5_000);
  children[1].says({ type: 'part', files: 2 }, FREE);
  assert.equal(await first, 'part');
  await wait(30_000);
  const second = background.link(HEAD, { partly: true });
  await settle();
  await wait(2_000, 3_000);
  assert.deepEqual([children.length, children[2].sent], [3, ['part now']]);
  // Another question for it shares the work.
  const third = background.link(HEAD, { partly: true });
  await settle();
  await wait(2_000, 3_000);
  assert.equal(children.length, 3);
  await wait(10_000, 5_000);
  assert.equal(await second, 'part');
  await wait(10_000);
  assert.equal(await third, 'part');
  background.close();
  assert.deepEqual(children[2].killed, ['SIGTERM']);
});
