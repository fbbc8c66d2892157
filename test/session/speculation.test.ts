/** Work that starts before it is known to be needed: when its result is the answer, and how long parsers stay. */
import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { mock, type TestContext, test } from 'node:test';
import { ParserPool } from '../../src/indexer/parser-pool.js';
import { Session } from '../../src/session/session.js';
import type { WorkTreeStatus } from '../../src/session/snapshot/overlay.js';
import type { IndexedSnapshot, Snapshot } from '../../src/session/snapshot/snapshot.js';
import {
  expectsOverlay,
  IdleParsers,
  parsersOf,
  SpeculativeSearch,
  whilePending,
} from '../../src/session/speculation.js';
import { inProcess } from '../support/in-process/search.js';
import { createRepo } from '../support/repositories/repo.js';

const snapshot = (corpus: unknown, state: unknown = null) => ({ corpus, state }) as Snapshot;
const pending = { isPending: true } as WorkTreeStatus;
const [HEAD, EDITED] = [{ name: 'HEAD' }, { name: 'edited' }];

interface Outcome {
  opened: unknown[];
  searched: unknown[];
  find: (wanted: Snapshot) => Promise<string | null>;
}

function speculate(status: WorkTreeStatus, preparing: Promise<Snapshot>, expectsChanges = false): Outcome {
  const [opened, searched]: unknown[][] = [[], []];
  const search = new SpeculativeSearch<string>(status, preparing, {
    expectsChanges,
    warm: ({ corpus }: IndexedSnapshot) => opened.push(corpus),
    search: async ({ corpus }) => {
      searched.push(corpus);
      return 'found';
    },
  });
  return { opened, searched, find: (wanted) => search.resultFor(wanted) };
}

test('a search of HEAD is the answer for HEAD as committed alone, not with uncommitted files or for another corpus', async () => {
  const { find, searched } = speculate(pending, Promise.resolve(snapshot(HEAD)));
  assert.equal(await find(snapshot(HEAD)), 'found');
  assert.equal(await find(snapshot(HEAD, { changed: 1 })), null);
  assert.equal(await find(snapshot(EDITED)), null);
  assert.deepEqual(searched, [HEAD]);
});

test('where changes are expected HEAD is opened and not searched; once git has answered neither is done', async () => {
  const expecting = speculate(pending, Promise.resolve(snapshot(HEAD)), true);
  assert.equal(await expecting.find(snapshot(HEAD)), null);
  assert.deepEqual([expecting.opened, expecting.searched], [[HEAD], []]);
  const late = speculate({ isPending: false } as WorkTreeStatus, Promise.resolve(snapshot(HEAD)));
  assert.equal(await late.find(snapshot(HEAD)), null);
  assert.deepEqual([late.opened, late.searched], [[], []]);
});

test('a snapshot or a search that fails leaves the answer to the search that follows', async () => {
  assert.equal(await speculate(pending, Promise.reject(new Error('no HEAD'))).find(snapshot(HEAD)), null);
  const failing = new SpeculativeSearch<string>(pending, Promise.resolve(snapshot(HEAD)), {
    expectsChanges: false,
    warm: () => {},
    search: () => Promise.reject(new Error('damaged')),
  });
  assert.equal(await failing.resultFor(snapshot(HEAD)), null);
});

test('work is done ahead while git compares, and not after', () => {
  const done: string[] = [];
  whilePending(pending, () => done.push('pending'));
  whilePending({ isPending: false } as WorkTreeStatus, () => done.push('answered'));
  assert.deepEqual(done, ['pending']);
});

test('uncommitted files are expected if a process before left some, and a parser is started if one was edited since', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const warmed = async () => {
    const session = await Session.open({ directory: repo.dir });
    let count = 0;
    const expects = expectsOverlay(session, { warm: () => count++ } as unknown as IdleParsers);
    session.close();
    return [expects, count];
  };
  assert.deepEqual(await warmed(), [false, 0]);
  repo.write({ 'a.ts': 'export const edited = 1;\n' });
  await inProcess(repo, (process) => process.search('edited'));
  assert.deepEqual(await warmed(), [true, 0]);
  utimesSync(join(repo.dir, 'a.ts'), 1_700_000_000, 1_700_000_000);
  assert.deepEqual(await warmed(), [true, 1]);
});

/** Pools that start no process; `busy` is whether somebody waits for a file. */
function pools(t: TestContext): { started: number; stopped: number; busy: boolean } {
  const seen = { started: 0, stopped: 0, busy: false };
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(ParserPool.prototype, 'warm', () => {
    seen.started++;
  });
  mock.method(ParserPool.prototype, 'stop', () => {
    seen.stopped++;
  });
  mock.getter(ParserPool.prototype, 'isBusy', () => seen.busy);
  t.after(() => {
    mock.timers.reset();
    mock.restoreAll();
  });
  return seen;
}

test('parsers serve all questions of a minute, and stop a minute after the last', (t) => {
  const seen = pools(t);
  const parsers = new IdleParsers();
  parsers.rest();
  const pool = parsers.get();
  parsers.rest();
  mock.timers.tick(40_000);
  // A second rest, such as that of another question, does not put the end off.
  parsers.rest();
  assert.equal(parsers.get(), pool);
  mock.timers.tick(59_000);
  assert.deepEqual([seen.started, seen.stopped], [1, 0], 'in use again, so no minute runs');
  parsers.rest();
  mock.timers.tick(40_000);
  parsers.rest();
  mock.timers.tick(20_000);
  assert.equal(seen.stopped, 1);
  assert.notEqual(parsers.get(), pool);
  assert.equal(seen.started, 2);
  parsers.end();
});

test('parsers that somebody waits for get another minute', (t) => {
  const seen = pools(t);
  const parsers = new IdleParsers();
  parsers.warm();
  parsers.rest();
  seen.busy = true;
  mock.timers.tick(60_000);
  assert.equal(seen.stopped, 0);
  seen.busy = false;
  mock.timers.tick(60_000);
  assert.equal(seen.stopped, 1);
});

test('a session has one set of parsers, which ends with it for good', async (t) => {
  const seen = pools(t);
  const repo = createRepo();
  const [session, other] = await Promise.all([1, 2].map(() => Session.open({ directory: repo.dir })));
  assert.equal(parsersOf(session), parsersOf(session));
  assert.notEqual(parsersOf(session), parsersOf(other));
  parsersOf(session).warm();
  session.close();
  assert.equal(seen.stopped, 1);
  assert.throws(() => parsersOf(session).get(), { code: 'CANCELLED' });
  other.close();
});
