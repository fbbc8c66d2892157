/** R11: what people and agents write is lost by no exchange and no kill, and a push sends nothing of what a remote lacks. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setLogLevel } from '../../src/base/log.js';
import { CatFileReader } from '../../src/git/objects.js';
import { openRepository } from '../../src/git/repository.js';
import { operationAfter, TASKS, type TaskOperation, taskOf } from '../../src/knowledge/codecs.js';
import { EntryStore, encodeEntry } from '../../src/knowledge/entry.js';
import { refOfSet } from '../../src/knowledge/kinds.js';
import { KNOWLEDGE } from '../../src/share/notes-refs.js';
import { pullNotes, type SharedRepository } from '../../src/share/pull.js';
import { pushNotes } from '../../src/share/push.js';
import { campaign } from '../support/campaigns/campaign.js';
import type { Random } from '../support/generated/random.js';
import { FORGED_LINES, shareLies } from '../support/hostile/knowledge.js';
import { answer } from '../support/in-process/answer.js';
import { openTools } from '../support/in-process/tools.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { cloneRepo, type TestRepo } from '../support/repositories/repo.js';
import { everything, remoteWith, sharedOf } from '../support/repositories/share.js';
import { EmbeddingServer, sentenceOf } from '../support/servers/embedding-server.js';

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

/** Answers a command in this process: those that are killed have one of their own. */
async function succeeds(repo: TestRepo, ...args: string[]): Promise<void> {
  const { code, stderr } = await answer(['-C', repo.dir, ...args]);
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
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

/** A note is added, or entries are pushed, and killed at any time: an entry is there as a whole, or not at all. */
async function kills(rounds: number, random: Random): Promise<number> {
  const { remote, clone } = remoteWith({ 'a.ts': 'export const a = 1;\n' });
  const count = (repo: TestRepo) =>
    repo
      .git('ls-tree', '-r', '--name-only', refOfSet('notes', 'v1', true))
      .split('\n')
      .filter(Boolean).length;
  const run = (...args: string[]) => succeeds(clone, ...args);
  await run('note', 'add', 'a.ts', '--share', 'the first');
  await run('knowledge', 'push');
  let killed = 0;
  for (let i = 0; i < rounds; i++) {
    const before = count(clone);
    const args = i % 2 === 0 ? ['note', 'add', 'a.ts', '--share', `note ${i}`] : ['knowledge', 'push'];
    const { signal } = await cli(args, {
      cwd: clone.dir,
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
    const [now, there] = [count(clone), count(remote)];
    assert.ok(now === before || now === before + 1, `${now} after ${before}`);
    assert.ok(there <= now, `${there} of ${now} entries are on the remote`);
    for (const repo of [clone, remote]) assert.equal(repo.fsck(), '');
    await run('knowledge', 'fsck');
  }
  await run('note', 'add', 'a.ts', '--share', 'the last');
  await run('knowledge', 'push');
  assert.equal(count(remote), count(clone));
  return killed;
}

/** Summaries are asked for by processes that are killed at any time, then by two at once: what was written is never asked for again. */
async function summaries(rounds: number, random: Random): Promise<string> {
  const files = Object.fromEntries(
    Array.from({ length: 36 }, (_, i) => [`src/d${i % 6}/f${i}.ts`, `export const value${i} = ${i};\n`]),
  );
  const { remote, clone } = remoteWith(files);
  const reply = (user: string) => sentenceOf(user);
  const server = await new EmbeddingServer({ models: { tiny: {} }, reply }).listen();
  const env = Object.fromEntries(
    Object.entries({ NAME: 'ollama', MODEL: 'tiny', ENDPOINT: server.url }).map(([key, value]) => [
      `SOCRATICODE_SUMMARIZER_${key}`,
      value,
    ]),
  );
  const run = (cwd: string) =>
    cliJson<{ made: number; kept: number; left: number }>(['summarize', '--all'], { cwd, env });
  const held = (repo: TestRepo) =>
    repo
      .git('for-each-ref', '--format=%(refname)', 'refs/notes/socraticode/summaries')
      .split('\n')
      .filter(Boolean)
      .flatMap((ref) => repo.git('ls-tree', '-r', '--name-only', ref).split('\n').filter(Boolean)).length;
  let killed = 0;
  for (let i = 0; i < rounds; i++) {
    const before = held(clone);
    const { signal } = await cli(['summarize', '--all'], {
      ...{ cwd: clone.dir, env, detached: true },
      onStart: (child) =>
        void sleep(300 + random(1_200)).then(() => {
          try {
            process.kill(-(child.pid as number), 'SIGKILL');
          } catch {
            // It has ended.
          }
        }),
    });
    if (signal === 'SIGKILL') killed++;
    assert.ok(held(clone) >= before, `${held(clone)} summaries after ${before}`);
    assert.equal(clone.fsck(), '');
    await succeeds(clone, 'knowledge', 'fsck');
  }
  const asked = server.chats.length;
  // A killed run loses at most the batch that it had not written, and what was on its way.
  assert.ok(asked <= held(clone) + killed * 20, `${asked} questions for ${held(clone)} summaries`);
  const other = cloneRepo(remote);
  const [first, second] = await Promise.all([run(clone.dir), run(clone.dir)]);
  assert.deepEqual([first.left, second.left], [0, 0]);
  await run(other.dir);
  for (const repo of [clone, other, clone])
    for (const action of ['push', 'pull']) await succeeds(repo, 'knowledge', action);
  assert.equal(held(clone), held(other));
  const questions = server.chats.length;
  const [a, b] = [await run(clone.dir), await run(other.dir)];
  assert.deepEqual([a.made, b.made, server.chats.length], [0, 0, questions]);
  assert.equal(a.kept, b.kept);
  await server.close();
  return `${a.kept} kept, ${killed} killed`;
}

/** Tasks and notes about what only this clone has: nothing of it reaches the remote. */
async function secrets(): Promise<number> {
  const { remote, clone } = remoteWith({ 'a.ts': 'export const a = 1;\n' });
  // An entry tells of the commit that was checked out: made on the private branch, this one would be withheld, too.
  await succeeds(clone, 'tag', 'add', 'a.ts', 'public-tag', '--share');
  clone.git('checkout', '-q', '-b', 'canary-branch');
  clone.commit({ 'canary-file.ts': 'export const canary = 1;\n' });
  const run = (...args: string[]) => succeeds(clone, ...args);
  await run('note', 'add', 'canary-file.ts', '--share', 'canary-note');
  await run('note', 'add', 'a.ts', 'canary-private');
  await run('tag', 'add', 'canary-file.ts', 'canary-tag', '--share');
  await run('tag', 'add', 'a.ts', 'canary-own');
  await run('task', 'create', 'public', '--share');
  await run('task', 'link', 'last', '--branch', 'canary-branch', '--commit', 'HEAD');
  await run('task', 'create', 'canary-task');
  await run('push');
  assert.match(everything(remote), /public/);
  assert.match(everything(remote), /public-tag/);
  assert.doesNotMatch(everything(remote), /canary/);
  const token = `ghp_${'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zTbRdW'}`;
  assert.equal((await answer(['-C', clone.dir, 'note', 'add', 'a.ts', `the token is ${token}`])).code, 2);
  assert.doesNotMatch(everything(clone), /ghp_aB3/);
  return 7;
}

/** Lines that only ours may begin with, and characters that no terminal may get. */
function assertHarmless(text: string, label: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what no answer may hold
  assert.doesNotMatch(text, /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/, label);
  for (const line of text.split('\n')) assert.ok(!FORGED_LINES.includes(line), `${label}: ${line}`);
  assert.doesNotMatch(text, /root:|ghp_aB3/, label);
}

const ASKED = [
  ...[
    'knowledge status',
    'note list',
    'note list a.ts --all --limit 100',
    'note list --status current',
    'note show last',
  ],
  ...['task list', 'task get last', 'show a.ts:1-3', 'search value3', 'pack value3', 'status', 'doctor'],
];
const TOOLS: readonly [tool: string, args?: Record<string, unknown>][] = [
  ['note_list'],
  ['note_show', { id: 'last' }],
  ['task_list'],
  ['task_get', { id: 'last' }],
  ['search', { query: 'value3' }],
];

/** Somebody shares entries that validate and lie: answers stay possible and harmless, and code is shown from its blobs alone. */
async function lies(count: number, t: TestContext): Promise<string> {
  const code = Array.from({ length: 300 }, (_, i) => `export const value${i} = compute(${i});`).join('\n');
  const { remote, clone } = remoteWith({ 'a.ts': code, '.env': 'TOKEN=ghp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zTbRdW\n' });
  symlinkSync('/etc/passwd', join(clone.dir, 'link'));
  clone.git('add', 'link');
  clone.git('commit', '-qm', 'a link');
  for (let i = 0; i < 20; i++) clone.commit({ [`f${i % 5}.ts`]: `export const f${i} = 1;\n` });
  clone.git('push', '-q', 'origin', 'main');
  const { notes, current } = shareLies(clone, 'a.ts', count);
  clone.git('push', '-q', 'origin', 'refs/notes/socraticode/*:refs/notes/socraticode/*');
  const victim = cloneRepo(remote);
  const ask = async (question: string) => {
    const { code, stdout, stderr } = await answer(['-C', victim.dir, ...question.split(' ')]);
    assert.ok([0, 1].includes(code), `${question}: ${code} ${stderr}`);
    assertHarmless(stdout + stderr, question);
    return stdout;
  };
  await ask('knowledge pull');
  const answers = new Map<string, string>();
  for (const question of ASKED) answers.set(question, await ask(question));
  // Of all that name lines of a.ts, one has the hash of those lines.
  assert.equal((answers.get('note list --status current')?.match(/ {2}current$/gm) ?? []).length, current);
  assert.match(await ask('knowledge fsck'), /entry-damaged/);
  const tools = await openTools(t, victim.dir);
  for (const [name, args] of TOOLS) assertHarmless((await tools.ask(`codebase_${name}`, args)).text, name);
  await ask('knowledge fsck --repair');
  assert.doesNotMatch(await ask('knowledge fsck'), /entry-damaged/);
  await ask('knowledge compact');
  await ask('note add a.ts still works');
  return `${notes} notes, ${ASKED.length + TOOLS.length} questions`;
}

campaign(
  'knowledge',
  {
    bar: 'R11',
    claim:
      'entries of many clones that write at once are all in every clone in one order, no kill leaves half an entry, no push tells of what a remote lacks, and lies do no harm',
    short: { clones: 3, edits: 3, kills: 2, lies: 50 },
    long: { clones: 20, edits: 50, kills: 100, lies: 20_000 },
  },
  async ({ size, random, t }) => ({
    'concurrent edits': await concurrentEdits(size.clones, size.edits, random),
    killed: await kills(size.kills, random),
    summaries: await summaries(size.kills, random),
    canaries: await secrets(),
    lies: await lies(size.lies, t),
  }),
);
