/** The hook that gets installed: it never delays or fails a commit, whatever becomes of the worker. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cliJson } from '../support/cli.js';
import { createRepo, makeDirectory, runGit, type TestRepo } from '../support/repo.js';
import { ROOT } from './root.js';

const HOOKS = fileURLToPath(new URL('hooks/', ROOT));
const HUSKY = fileURLToPath(new URL('node_modules/husky/bin.js', ROOT));
const SLOW_SECONDS = 20;
/** No machine is so slow that a commit takes this long, and the fake worker takes longer. */
const MAX_COMMIT_MS = 10_000;

const pids: string[] = [];
after(() => {
  for (const file of pids) {
    try {
      process.kill(Number(readFileSync(file, 'utf8')));
    } catch {
      // It never started, or has ended.
    }
  }
});

/** PATH without directories that have the real program. */
const cleanPath = () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((directory) => !existsSync(join(directory, 'git-socraticode')))
    .join(delimiter);

/** A program of the right name that says how it was called and then takes long. */
function slowFake(): { path: string; said: string } {
  const directory = makeDirectory('bin');
  const said = join(directory, 'said');
  const lines = [
    '#!/bin/sh',
    `echo $$ >'${directory}/pid'`,
    'echo "this goes to the log"',
    `{ echo "args: $*"; echo "cwd: $(pwd -P)"; env | grep '^GIT_\\(DIR\\|INDEX_FILE\\|PREFIX\\|WORK_TREE\\)='; } >'${said}.tmp'`,
    `mv '${said}.tmp' '${said}'`,
    `exec sleep ${SLOW_SECONDS}`,
  ];
  writeFileSync(join(directory, 'git-socraticode'), `${lines.join('\n')}\n`);
  chmodSync(join(directory, 'git-socraticode'), 0o755);
  pids.push(join(directory, 'pid'));
  return { path: `${directory}${delimiter}${cleanPath()}`, said };
}

/** A repository whose hooks are those of this one, run through `core.hooksPath`. */
function repoWithHook(): TestRepo {
  const repo = createRepo();
  const hooks = makeDirectory('hooks');
  cpSync(join(HOOKS, 'post-commit'), join(hooks, 'post-commit'));
  chmodSync(join(hooks, 'post-commit'), 0o755);
  repo.git('config', 'core.hooksPath', hooks);
  return repo;
}

function timedCommit(cwd: string, path: string, args: readonly string[] = []): { ms: number; output: string } {
  const started = performance.now();
  // Captured output: git would wait for a worker that kept a pipe open.
  const { status, stdout, stderr } = spawnSync('git', [...args, 'commit', '--allow-empty', '-m', 'x'], {
    cwd,
    env: { ...process.env, PATH: path },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return { ms: performance.now() - started, output: stdout + stderr };
}

async function eventually(path: string): Promise<string> {
  for (let i = 0; i < 200 && !existsSync(path); i++) await sleep(50);
  return readFileSync(path, 'utf8');
}

test('hooks are valid POSIX shell and executable', () => {
  const names = readdirSync(HOOKS, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  assert.deepEqual(names.sort(), ['post-commit', 'pre-commit']);
  for (const name of names) {
    const text = readFileSync(join(HOOKS, name), 'utf8');
    assert.match(text, /^#!\/bin\/sh\n/);
    for (const shell of ['sh', 'dash']) {
      const { status, stderr, error } = spawnSync(shell, ['-n', join(HOOKS, name)], { encoding: 'utf8' });
      if (error === undefined) assert.equal(status, 0, `${shell}: ${stderr}`);
    }
    // The mode that git records; a checkout without modes has nothing to check.
    const listed = spawnSync('git', ['ls-files', '--stage', `hooks/${name}`], { cwd: HOOKS.replace(/hooks.$/, '') });
    if (listed.status === 0 && listed.stdout.length > 0) assert.match(listed.stdout.toString(), /^100755 /, name);
  }
  assert.ok(readFileSync(join(HOOKS, 'post-commit'), 'utf8').includes('git-socraticode'));
});

test('without the program, a commit is just a commit', () => {
  const repo = repoWithHook();
  const { output } = timedCommit(repo.dir, cleanPath());
  assert.doesNotMatch(output, /socraticode|not found/);
  assert.equal(existsSync(repo.state), false);
});

test("another project's build beside its hooks is not taken for the program", () => {
  const project = makeDirectory('foreign');
  for (const name of ['hooks', 'dist/cli']) mkdirSync(join(project, name), { recursive: true });
  const hook = join(project, 'hooks', 'post-commit');
  cpSync(join(HOOKS, 'post-commit'), hook);
  writeFileSync(join(project, 'package.json'), '{\n  "name": "their-cli"\n}\n');
  writeFileSync(join(project, 'dist', 'cli', 'main.js'), '#!/bin/sh\n');
  chmodSync(join(project, 'dist', 'cli', 'main.js'), 0o755);
  const trace = () => spawnSync('sh', ['-x', hook], { env: { ...process.env, PATH: cleanPath() }, encoding: 'utf8' });
  assert.doesNotMatch(trace().stderr, /tool=.*main\.js/);
  // The same layout under our own name is what the repository of the program looks like.
  writeFileSync(join(project, 'package.json'), '{\n  "name": "git-socraticode"\n}\n');
  assert.match(trace().stderr, /tool=.*main\.js/);
});

test('the worker runs detached: nobody waits for it, and it hears nothing of the hook', async () => {
  const repo = repoWithHook();
  const fake = slowFake();
  const { ms, output } = timedCommit(repo.dir, fake.path);
  assert.ok(ms < MAX_COMMIT_MS, `${ms} ms`);
  assert.doesNotMatch(output, /log/);
  assert.deepEqual((await eventually(fake.said)).trim().split('\n'), ['args: index', `cwd: ${repo.dir}`]);
  assert.equal(readFileSync(join(repo.state, 'hook.log'), 'utf8'), 'this goes to the log\n');
});

test('in a linked work tree, where git names the repository by variables', async () => {
  const repo = repoWithHook();
  repo.commit({ 'a.txt': 'a' });
  const linked = join(makeDirectory('linked'), 'tree');
  repo.git('worktree', 'add', '-q', linked);
  const fake = slowFake();
  assert.ok(timedCommit(linked, fake.path).ms < MAX_COMMIT_MS);
  assert.deepEqual((await eventually(fake.said)).trim().split('\n'), ['args: index', `cwd: ${linked}`]);
  assert.ok(existsSync(join(repo.state, 'hook.log')), 'the log is in the common directory');
});

test('a repository that cannot be found without its variables is left alone', async () => {
  const repo = repoWithHook();
  const elsewhere = createRepo();
  const fake = slowFake();
  const place = [`--git-dir=${join(repo.dir, '.git')}`, `--work-tree=${elsewhere.dir}`];
  timedCommit(elsewhere.dir, fake.path, place);
  await sleep(300);
  assert.deepEqual([existsSync(fake.said), existsSync(elsewhere.state)], [false, false]);
});

test('run by husky from a folder of the repository, and recognised by status', async () => {
  const repo = createRepo();
  mkdirSync(join(repo.dir, 'hooks'));
  for (const name of ['post-commit', 'pre-commit']) cpSync(join(HOOKS, name), join(repo.dir, 'hooks', name));
  const husky = spawnSync(process.execPath, [HUSKY, 'hooks'], { cwd: repo.dir, encoding: 'utf8' });
  assert.deepEqual([husky.status, repo.git('config', 'core.hooksPath')], [0, 'hooks/_'], husky.stderr);
  const fake = slowFake();
  repo.write({ 'a.txt': 'a' });
  runGit(['add', 'a.txt'], { cwd: repo.dir });
  assert.ok(timedCommit(repo.dir, fake.path).ms < MAX_COMMIT_MS);
  assert.match(await eventually(fake.said), /^args: index$/m);
  const { hook } = await cliJson<{ hook: { installed: boolean } }>(['status'], { cwd: repo.dir });
  assert.equal(hook.installed, true);
});
