/** Accidents around a repository: its neighbours on the machine, odd histories, and objects that git would exchange. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLI, cli, cliJson } from '../support/processes/cli.js';
import { outputOf } from '../support/processes/output.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';
import { manyFiles, PROJECT } from '../support/repositories/samples.js';

interface Found {
  results: { path: string; content: string }[];
}
const found = async (dir: string, query: string, env: NodeJS.ProcessEnv = {}) =>
  (await cliJson<Found>(['search', query], { cwd: dir, env })).results.map(({ path }) => path);

test('a replaced object and a graft change nothing: records tell of the objects that clones have', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export function alphaThing() {}\n' }, 'one');
  repo.commit({ 'b.ts': 'export function betaThing() {}\n' }, 'two');
  const other = repo.blob('export function replacedThing() {}\n');
  repo.git('replace', repo.git('rev-parse', 'HEAD:a.ts'), other);
  repo.git('replace', '--graft', 'HEAD');
  assert.equal((await found(repo.dir, 'alphaThing'))[0], 'a.ts');
  const { stdout } = await cli(['search', 'replacedThing'], { cwd: repo.dir });
  assert.doesNotMatch(stdout, /function replacedThing/);
  const { commits } = await cliJson<{ commits: { list: { subject: string }[] } }>(['why', 'a.ts:1'], { cwd: repo.dir });
  assert.deepEqual(
    commits.list.map(({ subject }) => subject),
    ['one'],
    'the graft would hide its commit',
  );
  assert.deepEqual([...repo.notes().keys()].includes(other), false);
});

test('a merge of 200 branches is a commit like any other', async () => {
  const repo = createRepo();
  const base = repo.commit({ 'a.ts': 'export function base() {}\n' }, 'base');
  const tree = repo.git('rev-parse', 'HEAD^{tree}');
  const parents = Array.from({ length: 200 }, (_, i) => repo.git('commit-tree', '-p', base, '-m', `part ${i}`, tree));
  repo.git(
    'reset',
    '-q',
    '--hard',
    repo.git('commit-tree', ...parents.flatMap((p) => ['-p', p]), '-m', 'octopus', tree),
  );
  for (const line of ['search base', 'why a.ts:1', 'history base', 'owners a.ts', 'search --commits octopus']) {
    const { code, stderr } = await cli(line.split(' '), { cwd: repo.dir });
    assert.deepEqual([code, stderr], [0, ''], line);
  }
});

test('no place for temporary files, a home that cannot be written and 64 open files are enough', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, 'odd\nname.ts': 'export function oddName() {}\n' });
  const home = makeDirectory('home');
  chmodSync(home, 0o500);
  const file = join(makeDirectory(), 'file');
  writeFileSync(file, '');
  // A home that is a file cannot be written by root either.
  for (const env of [
    { TMPDIR: '/nonexistent' },
    { TMPDIR: file },
    { HOME: home },
    { HOME: file, XDG_STATE_HOME: file },
  ]) {
    assert.deepEqual(await found(repo.dir, 'SessionStore', env), ['src/session.ts'], JSON.stringify(env));
  }
  const few = spawn('sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, CLI, 'search', 'oddName'], {
    cwd: repo.dir,
  });
  const { code, stdout } = await outputOf(few);
  assert.equal(code, 0);
  assert.match(stdout, /^odd\\nname\.ts:1 {2}oddName {2}function\n/);
});

test('an error event that nobody listens to is told like any failure, without a trace', async () => {
  const repo = createRepo();
  // As of a library's git, where no file can be opened for its output.
  const script = `const timer = setInterval(() => {
    if (process.listenerCount('uncaughtException') === 0) return;
    clearInterval(timer);
    throw Object.assign(new Error('spawn git EMFILE'), { code: 'EMFILE' });
  }).unref()`;
  const preload = `data:text/javascript,${encodeURIComponent(script)}`;
  const { code, stdout, stderr } = await outputOf(
    spawn(process.execPath, ['--import', preload, CLI, 'status'], { cwd: repo.dir }),
  );
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /^git-socraticode: spawn git EMFILE\n {2}Too many files or processes are open: .*\n$/);
});

test('a stopped process that holds the lock is named with what lets it go on, and is waited for 5 s', {
  skip: process.platform !== 'linux',
}, async () => {
  const repo = createRepo();
  repo.commit(manyFiles(300));
  let child: ChildProcess | undefined;
  const indexing = cli(['index'], {
    cwd: repo.dir,
    onStart: (started) => {
      child = started;
    },
  });
  for (let i = 0; i < 3_000 && !existsSync(join(repo.state, 'writer.lock')); i++) await sleep(5);
  child?.kill('SIGSTOP');
  try {
    const { code, stderr } = await cli(['index'], { cwd: repo.dir });
    assert.equal(code, 2);
    assert.match(stderr, new RegExp(`process ${child?.pid} .*, which is stopped\\n {2}.kill -CONT ${child?.pid}.`));
  } finally {
    child?.kill('SIGCONT');
  }
  assert.equal((await indexing).code, 0);
  assert.deepEqual((await found(repo.dir, 'Part17')).slice(0, 1), ['src/part17.ts']);
});
