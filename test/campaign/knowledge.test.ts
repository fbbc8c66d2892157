/** R11: what people and agents write is lost by no exchange and no kill, and a push sends nothing of what a remote lacks. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { setLogLevel } from '../../src/base/log.js';
import { CatFileReader } from '../../src/git/objects.js';
import { openRepository } from '../../src/git/repository.js';
import { encodeEntry } from '../../src/knowledge/entry.js';
import { refOfSet } from '../../src/knowledge/kinds.js';
import { EntryStore } from '../../src/knowledge/store.js';
import { operationAfter, TASKS, type TaskOperation, taskOf } from '../../src/knowledge/task.js';
import { KNOWLEDGE } from '../../src/share/notes-refs.js';
import { pullNotes } from '../../src/share/pull.js';
import { pushNotes } from '../../src/share/push.js';
import type { SharedRepository } from '../../src/share/remotes.js';
import { campaign } from '../support/campaigns/campaign.js';
import type { Random } from '../support/generated/random.js';
import { cli } from '../support/processes/cli.js';
import { cloneRepo, createRepo, type TestRepo } from '../support/repositories/repo.js';
import { everything, remoteWith, sharedOf } from '../support/repositories/share.js';

setLogLevel('error');

const claimOf = (name: string) => ({ author: { name, email: '', by: 'agent' as const }, time: 1_700_000_000 });

interface Clone {
  repo: TestRepo;
  shared: SharedRepository;
  store: EntryStore<TaskOperation>;
  objects: CatFileReader;
}

async function openClone(repo: TestRepo, task: string): Promise<Clone> {
  const repository = await openRepository(repo.dir);
  const objects = new CatFileReader(repository.git);
  const store = new EntryStore({ repository, objects }, TASKS, task);
  return { repo, shared: await sharedOf(repo), store, objects };
}

/** Reads with a process of its own: refs move all the time. */
async function readTask({ repo }: Clone, id: string) {
  const repository = await openRepository(repo.dir);
  const objects = new CatFileReader(repository.git);
  try {
    const { entries } = await new EntryStore({ repository, objects }, TASKS, id).read();
    return taskOf(
      id,
      entries.map(({ entry }) => entry),
    );
  } finally {
    objects.close();
  }
}

/** Clones that change one task at once, and push and pull now and then: at the end all have all. */
async function concurrentEdits(clones: number, edits: number, random: Random): Promise<number> {
  const { remote, clone: first } = remoteWith({ 'a.ts': 'export {};\n' });
  const body = operationAfter(null, { title: 'one task' });
  const { id } = encodeEntry(TASKS, { ...claimOf('first'), body }, 'sha1');
  const origin = await openClone(first, id);
  await origin.store.add({ ...claimOf('first'), body }, true, 0);
  origin.objects.close();
  await pushNotes(await sharedOf(first), 'origin', KNOWLEDGE);
  const all = await Promise.all(Array.from({ length: clones }, () => openClone(cloneRepo(remote), id)));
  for (const { shared } of all) await pullNotes(shared, 'origin', KNOWLEDGE);
  const edit = async (clone: Clone, number: number) => {
    for (let i = 0; i < edits; i++) {
      const operation = operationAfter(await readTask(clone, id), {
        note: `${number}: ${i}`,
        title: `title ${number} ${i}`,
      });
      await clone.store.add({ ...claimOf(`clone ${number}`), body: operation }, true, 0);
      if (random(10) === 0) await pushNotes(clone.shared, 'origin', KNOWLEDGE);
    }
    await pushNotes(clone.shared, 'origin', KNOWLEDGE);
  };
  await Promise.all(all.map(edit));
  const trees = new Set<string>();
  const titles = new Set<string | undefined>();
  for (const clone of all) {
    await pullNotes(clone.shared, 'origin', KNOWLEDGE);
    const task = await readTask(clone, id);
    assert.equal(task?.events.length, 1 + clones * edits);
    const notes = task?.events.flatMap(({ change }) => change.note ?? []);
    assert.equal(new Set(notes).size, clones * edits);
    titles.add(task?.title);
    trees.add(clone.repo.git('rev-parse', `${refOfSet('tasks', id, true)}^{tree}`));
    assert.equal(clone.repo.fsck(), '');
  }
  assert.deepEqual([trees.size, titles.size], [1, 1]);
  for (const { objects } of all) objects.close();
  return clones * edits;
}

/** A note is added and killed at any time: it is there as a whole, or not at all, and the next one is added. */
async function kills(rounds: number, random: Random): Promise<number> {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const count = () =>
    repo
      .git('ls-tree', '-r', '--name-only', refOfSet('notes', 'v1', false))
      .split('\n')
      .filter(Boolean).length;
  assert.equal((await cli(['note', 'add', 'a.ts', 'the first'], { cwd: repo.dir })).code, 0);
  let killed = 0;
  for (let i = 0; i < rounds; i++) {
    const before = count();
    const { signal } = await cli(['note', 'add', 'a.ts', `note ${i}`], {
      cwd: repo.dir,
      detached: true,
      onStart: (child) =>
        void sleep(100 + random(500)).then(() => {
          try {
            process.kill(-(child.pid as number), 'SIGKILL');
          } catch {
            // It has ended.
          }
        }),
    });
    if (signal === 'SIGKILL') killed++;
    const now = count();
    assert.ok(now === before || now === before + 1, `${now} after ${before}`);
    assert.equal(repo.fsck(), '');
    assert.equal((await cli(['knowledge', 'fsck'], { cwd: repo.dir })).code, 0);
  }
  assert.equal((await cli(['note', 'add', 'a.ts', 'the last'], { cwd: repo.dir })).code, 0);
  return killed;
}

/** Tasks and notes about what only this clone has: nothing of it reaches the remote. */
async function secrets(): Promise<number> {
  const { remote, clone } = remoteWith({ 'a.ts': 'export const a = 1;\n' });
  clone.git('checkout', '-q', '-b', 'canary-branch');
  clone.commit({ 'canary-file.ts': 'export const canary = 1;\n' });
  const run = async (...args: string[]) => assert.equal((await cli(args, { cwd: clone.dir })).code, 0, args.join(' '));
  await run('note', 'add', 'canary-file.ts', '--share', 'canary-note');
  await run('note', 'add', 'a.ts', 'canary-private');
  await run('task', 'create', 'public', '--share');
  await run('task', 'link', 'last', '--branch', 'canary-branch', '--commit', 'HEAD');
  await run('task', 'create', 'canary-task');
  await run('push');
  assert.match(everything(remote), /public/);
  assert.doesNotMatch(everything(remote), /canary/);
  const refused = await cli(['note', 'add', 'a.ts', `the token is ghp_${'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zTbRdW'}`], {
    cwd: clone.dir,
  });
  assert.equal(refused.code, 2);
  assert.doesNotMatch(everything(clone), /ghp_aB3/);
  return 5;
}

campaign(
  'knowledge',
  {
    bar: 'R11',
    claim:
      'entries of many clones that write at once are all in every clone in one order, no kill leaves half an entry, and no push tells of what a remote lacks',
    short: { clones: 3, edits: 3, kills: 2 },
    long: { clones: 20, edits: 50, kills: 100 },
  },
  async ({ size, random }) => ({
    'concurrent edits': await concurrentEdits(size.clones, size.edits, random),
    killed: await kills(size.kills, random),
    canaries: await secrets(),
  }),
);
