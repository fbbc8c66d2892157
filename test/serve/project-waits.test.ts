/** How long a question waits for a job, who hears of it, and by what a repository is known again; with a clock that the test moves. */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { TIMED_OUT } from '../../src/base/async.js';
import {
  INDEX_GRACE,
  LINK_GRACE,
  Lifeline,
  NEXT_PART_GRACE,
  NOTHING_GRACE,
  OLDER_PART_END,
  PART_END,
  PART_GRACE,
  Project,
  Waits,
  WORDS_GRACE,
  waitForFiles,
  waitForJob,
} from '../../src/serve/project.js';
import { Session } from '../../src/session/session.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';

/** Lets everything happen that is due. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

/** A promise as it stands after so many milliseconds each. */
async function seen<T>(t: TestContext, promise: Promise<T>, ...steps: number[]): Promise<(T | 'open')[]> {
  let value: T | 'open' = 'open';
  void promise.then((result) => {
    value = result;
  });
  const found: (T | 'open')[] = [];
  for (const ms of steps) {
    t.mock.timers.tick(ms);
    await settle();
    found.push(value);
  }
  return found;
}

const never = new Promise<string>(() => {});
const GRACE = { blocked: 1_000, working: 5_000 };

test('a job is waited for by its grace, less what is spent, and shorter while another process writes', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const wait = (spent: number, isBlocked: boolean) => waitForJob(never, GRACE, { spent, isBlocked: () => isBlocked });
  assert.deepEqual(await seen(t, wait(0, false), 4_999, 1), ['open', 'open']);
  assert.deepEqual(await seen(t, wait(0, true), 999, 1), ['open', TIMED_OUT]);
  assert.deepEqual(await seen(t, wait(0, false), 1_000, 3_999, 1), ['open', 'open', TIMED_OUT]);
  assert.deepEqual(await seen(t, wait(800, true), 199, 1), ['open', TIMED_OUT]);
  assert.deepEqual(await seen(t, wait(3_000, false), 0, 1_999, 1), ['open', 'open', TIMED_OUT]);
  assert.equal((await seen(t, wait(9_000, false), 1, 1)).at(-1), TIMED_OUT);
  const done = (spent: number) => waitForJob(Promise.resolve('x'), GRACE, { spent, isBlocked: () => false });
  assert.deepEqual([await done(0), await done(9_000)], ['x', 'x']);
  await assert.rejects(
    waitForJob(Promise.reject(new Error('full')), GRACE, { spent: 0, isBlocked: () => true }),
    /full/,
  );
  const stop = AbortSignal.abort();
  await assert.rejects(waitForJob(never, GRACE, { spent: 0, isBlocked: () => false, signal: stop }), {
    code: 'CANCELLED',
  });
});

test('the times for which questions wait are those that clients bear', () => {
  const all = {
    INDEX_GRACE,
    WORDS_GRACE,
    NOTHING_GRACE,
    LINK_GRACE,
    PART_GRACE,
    PART_END,
    NEXT_PART_GRACE,
    OLDER_PART_END,
  };
  assert.deepEqual(
    Object.entries(all).map(([name, { blocked, working }]) => `${name} ${blocked} ${working}`),
    [
      ...['INDEX_GRACE 2000 10000', 'WORDS_GRACE 1500 1500', 'NOTHING_GRACE 5000 13000', 'LINK_GRACE 5000 40000'],
      ...['PART_GRACE 5000 10000', 'PART_END 30000 40000', 'NEXT_PART_GRACE 2000 5000', 'OLDER_PART_END 15000 20000'],
    ],
  );
});

test('with files to answer from a question ends with its grace, and without any it goes on while none stands', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const run = async (isLarge: boolean, isBlocked: boolean, standsAt: number) => {
    now = 0;
    let isOver = false;
    const how = { spent: 0, isBlocked: () => isBlocked };
    void waitForFiles(new Promise(() => {}), { isLarge, hasFiles: () => now >= standsAt }, how).then(() => {
      isOver = true;
    });
    for (let i = 0; i < 400 && !isOver; i++) {
      await settle();
      now += 50;
      t.mock.timers.tick(50);
      await settle();
    }
    return now;
  };
  // A tick more, in which nothing is left to wait for.
  assert.deepEqual([await run(true, false, 0), await run(false, false, 0)], [1_550, 10_000]);
  assert.deepEqual([await run(true, false, 4_000), await run(false, false, 11_000)], [4_000, 11_000]);
  assert.deepEqual([await run(true, false, 99_000), await run(false, true, 99_000)], [13_000, 5_000]);
});

test('listeners hear of each question that waits, and that it goes on, whatever became of it', async () => {
  const [waits, heard] = [new Waits(), [] as string[]];
  for (const name of ['a', 'b'])
    waits.addListener({ pause: () => heard.push(`${name} pause`), resume: () => heard.push(`${name} resume`) });
  let end = (_: string) => {};
  const waiting = waits.during(
    new Promise<string>((resolve) => {
      end = resolve;
    }),
  );
  assert.deepEqual(heard, ['a pause', 'b pause']);
  end('x');
  assert.equal(await waiting, 'x');
  assert.deepEqual(heard.slice(2), ['a resume', 'b resume']);
  await assert.rejects(waits.during(Promise.reject(new Error('full'))), /full/);
  assert.equal(heard.length, 8);
});

async function lifelineOf(t: TestContext) {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  return { repo, session, lifeline: new Lifeline(session) };
}

test('a repository that was removed is gone, and one in its place is another', async (t) => {
  const { repo, lifeline } = await lifelineOf(t);
  const away = join(makeDirectory('away'), 'repo');
  renameSync(repo.dir, away);
  assert.equal(await lifeline.check(), 'gone');
  mkdirSync(join(repo.dir, '.git'), { recursive: true });
  assert.equal(await lifeline.check(), 'changed');
});

test("settings of the user count like the repository's own, and files that say the same change nothing", async (t) => {
  const { repo, lifeline } = await lifelineOf(t);
  repo.git('config', 'branch.x.merge', 'refs/heads/x');
  assert.equal(await lifeline.check(), 'alive');
  writeFileSync(join(repo.commonDir, 'config.worktree'), '[core]\n\tabbrev = 9\n');
  assert.equal(await lifeline.check(), 'alive', 'git does not read that file here');
  repo.git('config', 'extensions.worktreeConfig', 'true');
  assert.equal(await lifeline.check(), 'changed');
});

test('a project is named by its settings or its folder, and says how far its index is', async () => {
  const repo = createRepo();
  const project = await Project.open(repo.dir);
  try {
    assert.deepEqual([project.root, await project.name(), project.indexing], [repo.dir, basename(repo.dir), null]);
    repo.write({ '.socraticode.json': '{"projectId": "shop"}' });
    assert.equal(await project.name(), 'shop');
    assert.equal(await project.check(), 'alive');
    assert.equal(project.session.backgroundIndexer, project.background);
    const running = (phase: string, total: number) => {
      project.background.state = () => ({ running: { phase, done: 3, total } }) as never;
      return project.indexing;
    };
    assert.deepEqual(
      [running('indexing', 9), running('indexing', 0), running('linking', 9)],
      [{ done: 3, total: 9 }, { done: 3, total: null }, null],
    );
  } finally {
    project.close();
  }
});
