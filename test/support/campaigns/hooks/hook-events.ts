/** What hooks do while git works: every event is indexed, storms once, and work trees are indexed where they are. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { capturedGit, installHooks, logged, logLines, pathWith, until } from '../../repositories/hooks.js';
import { createRepo, makeDirectory, TestRepo } from '../../repositories/repo.js';

export const COMMIT = ['commit', '--allow-empty', '-m', 'x'];
const OFF = ['-c', 'core.hooksPath=/dev/null'];

export async function repoWithHooks(...flags: string[]): Promise<TestRepo> {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  await installHooks(repo, ...flags);
  return repo;
}

export const indexed = (repo: TestRepo, from = 0) =>
  logLines(repo)
    .slice(from)
    .filter((line) => line.includes(' indexed '));

export async function everyEvent(): Promise<void> {
  const repo = await repoWithHooks();
  const run = async (event: string, ...commands: string[][]) => {
    const from = logLines(repo).length;
    for (const command of commands) assert.equal(capturedGit(repo.dir, command).status, 0, command.join(' '));
    const line = await logged(repo, new RegExp(` indexed .*${event}`), from);
    assert.match(line, new RegExp(`: ${repo.git('rev-parse', 'HEAD').slice(0, 9)}, `));
    return line;
  };
  repo.write({ 'b.ts': 'export const b = 1;\n' });
  assert.match(await run('post-commit', ['add', '.'], ['commit', '-m', 'b']), / 2 new of 2 blobs/);
  await run('post-checkout', ['checkout', '-q', '-b', 'side', 'HEAD~1']);
  repo.write({ 'c.ts': 'export const c = 1;\n' });
  await run('post-commit', ['add', '.'], ['commit', '-m', 'c']);
  await run('post-merge', ['merge', '-q', '--no-edit', 'main']);
  await run('post-rewrite', ['commit', '--amend', '-m', 'merged']);
  const patch = repo.git('format-patch', '-1', 'main', '--stdout');
  repo.git(...OFF, 'checkout', '-q', '--detach', 'main~1');
  writeFileSync(join(repo.dir, 'patch'), `${patch}\n`);
  await run('post-applypatch', ['am', '-q', 'patch']);
  // Single files checked out are no news.
  const from = logLines(repo).length;
  capturedGit(repo.dir, ['checkout', '--', 'b.ts']);
  await sleep(300);
  assert.deepEqual([logLines(repo).length, existsSync(join(repo.state, 'hook.queue'))], [from, false]);
}

/** Returns how often the indexer ran. */
export async function longRebase(commits: number): Promise<number> {
  const repo = await repoWithHooks();
  repo.git(...OFF, 'checkout', '-q', '-b', 'side');
  const head = ['commit refs/heads/side', 'committer A <a@example.com> 1700000000 +0000', 'data 1', 'c'];
  const stream = Array.from({ length: commits }, (_, i) => {
    const change = [`M 100644 inline f${i}.ts`, 'data <<E', `export const f${i} = ${i};`, 'E', ''];
    return [...head, ...(i === 0 ? ['from main'] : []), ...change].join('\n');
  });
  repo.gitInput(stream.join('\n'), 'fast-import', '--quiet', '--force');
  repo.git(...OFF, 'reset', '-q', '--hard');
  repo.git(...OFF, 'checkout', '-q', 'main');
  repo.write({ 'z.ts': 'export const z = 1;\n' });
  repo.git(...OFF, 'add', '.');
  repo.git(...OFF, 'commit', '-q', '-m', 'z');
  repo.git(...OFF, 'checkout', '-q', 'side');
  assert.equal(capturedGit(repo.dir, ['rebase', '-q', 'main']).status, 0);
  const last = await logged(repo, /post-rewrite/);
  assert.match(last, /post-commit x\d\d/);
  assert.match(last, new RegExp(repo.git('rev-parse', '--short=9', 'HEAD')));
  const runs = indexed(repo).length;
  assert.ok(runs <= 2, logLines(repo).join('\n'));
  return runs;
}

/** A rebase that stopped is not waited for for ever. */
export async function stoppedRebase(): Promise<void> {
  const repo = await repoWithHooks();
  repo.git(...OFF, 'checkout', '-q', '-b', 'side');
  repo.write({ 'a.ts': 'export const a = 2;\n' });
  repo.git(...OFF, 'commit', '-qam', '2');
  repo.git(...OFF, 'checkout', '-q', 'main');
  repo.write({ 'a.ts': 'export const a = 3;\n' });
  repo.git(...OFF, 'commit', '-qam', '3');
  assert.equal(capturedGit(repo.dir, ['rebase', 'side']).status, 1);
  await logged(repo, / indexed .*post-checkout/);
  assert.ok(existsSync(join(repo.dir, '.git/rebase-merge')));
}

/** Work trees with any name, linked or not. */
export async function oddNames(every: number): Promise<void> {
  const repo = await repoWithHooks();
  const place = makeDirectory('names');
  const names = [`with space, quo"te's ünï`, '-rf', 'new\nline$(touch x) ', 'CON'].filter((_, i) => i % every === 0);
  for (const [i, name] of names.entries()) {
    const linked = join(place, name);
    const from = logLines(repo).length;
    repo.git(...OFF, 'worktree', 'add', '-q', '-b', `b${i}`, '--', linked);
    writeFileSync(join(linked, 'own.ts'), `export const own${i} = 1;\n`);
    assert.equal(capturedGit(linked, ['add', '.']).status, 0);
    assert.equal(capturedGit(linked, ['commit', '-q', '-m', 'own']).status, 0);
    const line = await logged(repo, / indexed .*post-commit/, from);
    assert.match(line, new RegExp(`: ${new TestRepo(linked).git('rev-parse', '--short=9', 'HEAD')}, `), name);
  }
  assert.deepEqual(readdirSync(place).length, names.length);
}

/** git's variables of one repository do not lead the worker into another. */
export async function otherVariables(): Promise<void> {
  const repo = await repoWithHooks();
  const elsewhere = createRepo();
  const place = [`--git-dir=${join(repo.dir, '.git')}`, `--work-tree=${elsewhere.dir}`];
  assert.equal(capturedGit(elsewhere.dir, [...place, ...COMMIT]).status, 0);
  await sleep(300);
  assert.deepEqual([existsSync(elsewhere.state), existsSync(join(repo.state, 'hook.queue'))], [false, false]);
  // `commit -a` gives its hooks an index file of their own.
  const said = join(makeDirectory('said'), 'env');
  const list = `env | grep '^GIT_\\(DIR\\|INDEX_FILE\\|PREFIX\\|QUARANTINE_PATH\\)=' >'${said}'; :\n`;
  const path = pathWith('git-socraticode', `#!/bin/sh\n${list}`);
  repo.write({ 'a.ts': 'export const a = 2;\n' });
  const env = { PATH: path, GIT_PREFIX: 'x/' };
  assert.equal(capturedGit(repo.dir, ['commit', '-a', '-m', 'x'], env).status, 0);
  await until(
    () => existsSync(said),
    () => 'the worker was not started',
  );
  assert.equal(statSync(said).size, 0);
  rmSync(join(repo.state, 'hook.starting'), { recursive: true, force: true });
  // What a receiving git would let nobody write a ref in.
  const hook = join(repo.dir, '.git/hooks/post-commit');
  const quarantined = { ...process.env, GIT_DIR: join(repo.dir, '.git'), GIT_QUARANTINE_PATH: '/nonexistent' };
  const from = logLines(repo).length;
  assert.equal(spawnSync(hook, { cwd: repo.dir, env: quarantined }).status, 0);
  await logged(repo, / indexed .*post-commit/, from);
}

/** An event that comes while a worker runs is served by it, and a dead one is replaced. */
export async function deadWorker(): Promise<void> {
  const repo = await repoWithHooks();
  for (let i = 0; i < 4; i++) {
    capturedGit(repo.dir, COMMIT);
    await sleep(250);
  }
  await logged(repo, new RegExp(`indexed .*${repo.git('rev-parse', '--short=9', 'HEAD')}`));
  // Killed: its lock names a process that is gone, and what it had taken is still there.
  const { pid } = spawnSync('true');
  writeFileSync(join(repo.state, 'hook.lock'), JSON.stringify({ pid, host: hostname(), started: '1' }));
  writeFileSync(join(repo.state, 'hook.taken'), `post-merge 0 \n${repo.dir}\0`);
  const from = logLines(repo).length;
  capturedGit(repo.dir, COMMIT);
  // What the dead one had taken comes first and alone, so that no file with events is ever replaced.
  await logged(repo, /indexed .*\(post-merge\)/, from);
  await logged(repo, /indexed .*\(post-commit\)/, from);
}

/** Links packed into the state directory lead nowhere. */
export async function linksInState(every: number): Promise<void> {
  const names = ['socraticode', 'hook.queue', 'hook.lock', 'log.jsonl', 'hook.stderr', 'hook.starting', 'hook.taken'];
  const one = async (name: string) => {
    const victim = makeDirectory('victim');
    const file = join(victim, 'file');
    const repo = await repoWithHooks();
    writeFileSync(file, 'theirs\n');
    if (name === 'socraticode') {
      rmSync(repo.state, { recursive: true, force: true });
      symlinkSync(victim, repo.state);
    } else {
      mkdirSync(repo.state, { recursive: true });
      symlinkSync(file, join(repo.state, name));
    }
    assert.equal(capturedGit(repo.dir, COMMIT).status, 0);
    await sleep(1_500);
    assert.deepEqual([readdirSync(victim), readFileSync(file, 'utf8')], [['file'], 'theirs\n'], name);
  };
  await Promise.all(names.filter((_, i) => i % every === 0).map(one));
}

/** Killed while it works; what it was about is indexed by the next event, or found by the next query. */
export async function killedWorker(round: number): Promise<TestRepo> {
  const repo = await repoWithHooks();
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `src/f${i}.ts`,
      `export function killed${round}x${i}() {\n  return ${i};\n}\n`,
    ]),
  );
  repo.write(files);
  capturedGit(repo.dir, ['add', '.']);
  capturedGit(repo.dir, ['commit', '-q', '-m', 'many']);
  const lock = join(repo.state, 'hook.lock');
  const holder = () => Number(/"pid":(\d+)/.exec(existsSync(lock) ? readFileSync(lock, 'utf8') : '')?.[1] ?? 0);
  let pid = 0;
  await until(
    () => {
      pid = holder();
      return pid > 0;
    },
    () => 'no worker came',
  );
  await sleep(200 + round * 90);
  const isGone = (signal: 'SIGKILL' | 0) => {
    try {
      return !process.kill(pid, signal);
    } catch {
      return true;
    }
  };
  isGone('SIGKILL');
  await until(
    () => isGone(0),
    () => 'it cannot be killed',
  );
  // Killed between its lock and this, it is taken for one that is being started, for a minute: that is over.
  const starting = join(repo.state, 'hook.starting');
  if (existsSync(starting)) utimesSync(starting, 0, 0);
  return repo;
}
