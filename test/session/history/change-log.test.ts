/** The log of recent commits: kept in a file, brought up to date, with the names that files have now. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type ChangeLog, tellingCommits } from '../../../src/history/change-log.js';
import { readChangeLog } from '../../../src/session/history/change-log.js';
import { Session } from '../../../src/session/session.js';
import { createRepo, makeDirectory, runGit, TestRepo } from '../../support/repositories/repo.js';

/** Reads the log in a session of its own, and counts the git commands that it starts. */
async function read(t: TestContext, repo: TestRepo, ref = 'HEAD'): Promise<ChangeLog & { commands: string[] }> {
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  const commands: string[] = [];
  const { git } = session.repository;
  const spawn = git.spawn.bind(git);
  git.spawn = (args, options) => {
    commands.push(args[0]);
    return spawn(args, options);
  };
  const log = await readChangeLog(session, { tip: repo.git('rev-parse', ref) });
  return { ...log, commands };
}

const told = (log: ChangeLog) => tellingCommits(log).map(({ subject, paths }) => `${subject}: ${paths.join()}`);

test('the second question asks git nothing, and a new commit is read alone', async (t) => {
  const repo = createRepo();
  repo.commit({ a: '1', b: '1' }, 'first');
  repo.commit({ a: '2' }, 'second');
  const first = await read(t, repo);
  assert.deepEqual(told(first), ['second: a', 'first: a,b']);
  const second = await read(t, repo);
  assert.deepEqual(second.commands, []);
  assert.deepEqual(second.commits, first.commits);
  repo.commit({ c: '1' }, 'third');
  assert.deepEqual(told(await read(t, repo)), ['third: c', 'second: a', 'first: a,b']);
  assert.deepEqual(told(await read(t, repo, 'HEAD~2')), ['first: a,b'], 'another ref has a log of its own');
});

test('a commit after many is read again instead of writing all of them', async (t) => {
  const repo = createRepo();
  const commits = Array.from(
    { length: 120 },
    (_, i) =>
      `commit refs/heads/main\nmark :${i + 1}\ncommitter A <a@example.com> ${1_700_000_000 + i} +0000\ndata 4\nc${100 + i}\n` +
      `${i > 0 ? `from :${i}\n` : ''}M 100644 inline f${i}\ndata 2\n${i % 10}\n\n`,
  );
  runGit(['fast-import', '--quiet', '--force'], { cwd: repo.dir, input: commits.join('') });
  repo.git('reset', '-q', '--hard', 'main');
  await read(t, repo);
  const [folder] = readdirSync(repo.state);
  const written = () => readFileSync(join(repo.state, folder, 'commits.bin'));
  const before = written();
  repo.commit({ f: '1' }, 'one more');
  for (let time = 0; time < 2; time++) {
    const log = await read(t, repo);
    assert.deepEqual([log.commits.length, told(log).slice(0, 2)], [121, ['one more: f', 'c219: f119']]);
    assert.deepEqual(written(), before);
  }
  repo.commit({ g: '1' }, 'two more');
  await read(t, repo);
  assert.notDeepEqual(written(), before);
});

test('files go by the names that they have now, also through a move of many files', async (t) => {
  const repo = createRepo();
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`old/${i}.ts`, `export const n${i} = ${i};\n`]),
  );
  repo.commit({ ...many, 'lone.ts': 'export const lone = 1;\n' }, 'many');
  repo.commit({ 'old/7.ts': 'export const n7 = 8;\n', 'lone.ts': 'export const lone = 2;\n' }, 'both');
  repo.git('mv', 'old', 'new');
  repo.commit({}, 'move');
  repo.git('mv', 'lone.ts', 'alone.ts');
  repo.commit({}, 'rename');
  assert.deepEqual(told(await read(t, repo)), ['rename: alone.ts', 'both: alone.ts,new/7.ts']);
});

test('a damaged file of commits is read anew', async (t) => {
  const repo = createRepo();
  repo.commit({ a: '1' }, 'first');
  const { commits } = await read(t, repo);
  const [folder] = readdirSync(repo.state);
  const path = join(repo.state, folder, 'commits.bin');
  const bytes = readFileSync(path);
  bytes[10] ^= 1;
  writeFileSync(path, bytes);
  const again = await read(t, repo);
  assert.deepEqual(again.commits, commits);
  assert.ok(again.commands.includes('rev-list'));
});

test('a shallow clone says where its log ends, and knows more when it is deepened', async (t) => {
  const repo = createRepo();
  for (const subject of ['first', 'second', 'third']) repo.commit({ a: subject }, subject);
  const shallow = new TestRepo(join(makeDirectory(), 'shallow'));
  runGit(['clone', '-q', '--depth=2', `file://${repo.dir}`, shallow.dir], { cwd: repo.dir });
  const log = await read(t, shallow);
  assert.deepEqual([told(log), log.end, log.unknown], [['third: a'], 'shallow', 1]);
  const { commands, ...again } = await read(t, shallow);
  assert.deepEqual(again.commits, log.commits, 'what is unknown is not taken for known the next time');
  assert.deepEqual([again.end, again.unknown], [log.end, log.unknown]);
  shallow.git('fetch', '-q', '--unshallow');
  const deep = await read(t, shallow);
  assert.deepEqual([told(deep), deep.end, deep.unknown], [['third: a', 'second: a', 'first: a'], 'root', 0]);
});

test('a partial clone fetches nothing: commits whose trees it lacks are counted as unknown', async (t) => {
  const repo = createRepo();
  for (const text of ['1', '2']) repo.commit({ a: text, 'd/b': text }, text);
  repo.git('config', 'uploadpack.allowFilter', 'true');
  for (const [filter, unknown] of [
    ['blob:none', 0],
    ['tree:0', 2],
  ] as const) {
    const partial = new TestRepo(join(makeDirectory(), 'partial'));
    runGit(['clone', '-q', '--no-checkout', `--filter=${filter}`, `file://${repo.dir}`, partial.dir], {
      cwd: repo.dir,
    });
    const objects = () => partial.git('count-objects', '-v');
    const before = objects();
    const log = await read(t, partial);
    assert.equal(log.unknown, unknown, filter);
    assert.equal(told(log).length, 2 - unknown);
    assert.deepEqual((await read(t, partial)).commits, log.commits, filter);
    assert.equal(objects(), before);
  }
});
