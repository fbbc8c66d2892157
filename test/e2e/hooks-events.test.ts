/** What hooks do while git works: every event is indexed, storms once, and no git command notices. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { capturedGit, idle, installHooks, logged, logLines, pathWith } from '../support/hooks.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repo.js';

const COMMIT = ['commit', '--allow-empty', '-m', 'x'];
/** No machine is so slow that a commit takes this long, and the fake worker takes longer. */
const MAX_COMMIT_MS = 10_000;

async function repoWithHooks(...flags: string[]): Promise<TestRepo> {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  await installHooks(repo, ...flags);
  return repo;
}

const indexed = (repo: TestRepo, from = 0) =>
  logLines(repo)
    .slice(from)
    .filter((line) => line.includes(' indexed '));

test('every event indexes what is new', async () => {
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
  repo.git('checkout', '-q', '--detach', 'main~1');
  await logged(repo, /post-checkout/);
  writeFileSync(join(repo.dir, 'patch'), `${patch}\n`);
  await run('post-applypatch', ['am', '-q', 'patch']);
  // Single files checked out are no news.
  const from = logLines(repo).length;
  capturedGit(repo.dir, ['checkout', '--', 'b.ts']);
  await sleep(300);
  assert.deepEqual([logLines(repo).length, existsSync(join(repo.state, 'hook.queue'))], [from, false]);
});

test('a rebase of 50 commits runs the indexer at most twice', async () => {
  const repo = await repoWithHooks();
  repo.git('-c', 'core.hooksPath=/dev/null', 'checkout', '-q', '-b', 'side');
  const stream = ['commit refs/heads/side', 'committer A <a@example.com> 1700000000 +0000', 'data 1', 'c', 'from main'];
  const commits = Array.from({ length: 50 }, (_, i) => {
    const head = i === 0 ? stream : stream.slice(0, -1);
    return [...head, `M 100644 inline f${i}.ts`, 'data <<E', `export const f${i} = ${i};`, 'E', ''].join('\n');
  });
  repo.gitInput(commits.join('\n'), 'fast-import', '--quiet', '--force');
  repo.git('-c', 'core.hooksPath=/dev/null', 'reset', '-q', '--hard');
  repo.git('-c', 'core.hooksPath=/dev/null', 'checkout', '-q', 'main');
  repo.write({ 'z.ts': 'export const z = 1;\n' });
  repo.git('-c', 'core.hooksPath=/dev/null', 'add', '.');
  repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'z');
  repo.git('-c', 'core.hooksPath=/dev/null', 'checkout', '-q', 'side');
  assert.equal(capturedGit(repo.dir, ['rebase', '-q', 'main']).status, 0);
  const last = await logged(repo, /post-rewrite/);
  assert.match(last, /post-commit ×\d\d/);
  assert.match(last, new RegExp(repo.git('rev-parse', '--short=9', 'HEAD')));
  assert.ok(indexed(repo).length <= 2, logLines(repo).join('\n'));
});

test('a rebase that stopped is not waited for for ever', async () => {
  const repo = await repoWithHooks();
  repo.git('checkout', '-q', '-b', 'side');
  repo.commit({ 'a.ts': 'export const a = 2;\n' });
  repo.git('checkout', '-q', 'main');
  repo.commit({ 'a.ts': 'export const a = 3;\n' });
  await logged(repo, /indexed/);
  await idle(repo);
  const from = logLines(repo).length;
  assert.equal(capturedGit(repo.dir, ['rebase', 'side']).status, 1);
  await logged(repo, / indexed .*post-checkout/, from);
  assert.ok(existsSync(join(repo.dir, '.git/rebase-merge')));
});

test('the commit ends as it would without hooks, whatever becomes of the worker', async () => {
  const bare = createRepo();
  bare.commit({ 'a.ts': 'export const a = 1;\n' });
  const plain = capturedGit(bare.dir, COMMIT);
  const said = ({ status, stdout, stderr }: { status: number | null; stdout: string; stderr: string }) => {
    return [status, stdout.replace(/[0-9a-f]{7}\]/, ']'), stderr];
  };
  const slow = join(makeDirectory('slow'), 'pid');
  const cases: Record<string, string> = {
    'it fails': pathWith('git-socraticode', '#!/bin/sh\necho out; echo err >&2; exit 3\n'),
    'it is killed': pathWith('git-socraticode', '#!/bin/sh\nkill -9 $$\n'),
    'it takes long': pathWith('git-socraticode', `#!/bin/sh\necho $$ >'${slow}'\nexec sleep 60\n`),
    'it is no program': pathWith('git-socraticode', '\x7fELF nonsense'),
  };
  for (const [name, path] of Object.entries(cases)) {
    const repo = await repoWithHooks();
    const result = capturedGit(repo.dir, COMMIT, { PATH: path });
    assert.deepEqual(said(result), said(plain), name);
    assert.ok(result.ms < MAX_COMMIT_MS, name);
  }
  for (let i = 0; i < 200 && !existsSync(slow); i++) await sleep(25);
  process.kill(Number(readFileSync(slow, 'utf8')));
});

test('without the program nothing happens; with a state directory that cannot be used neither', async () => {
  const repo = await repoWithHooks();
  const hook = join(repo.dir, '.git/hooks/post-commit');
  const installed = readFileSync(hook, 'utf8');
  writeFileSync(hook, installed.replace(/socraticode_program='.*'/, "socraticode_program='/nonexistent/main.js'"));
  const gone = capturedGit(repo.dir, COMMIT);
  assert.deepEqual([gone.status, gone.stderr], [0, '']);
  await sleep(200);
  assert.equal(existsSync(repo.state), false);

  writeFileSync(hook, installed);
  writeFileSync(repo.state, 'a file where the directory should be\n');
  const blocked = capturedGit(repo.dir, COMMIT);
  assert.deepEqual([blocked.status, blocked.stderr], [0, '']);
  await sleep(200);
  assert.equal(readFileSync(repo.state, 'utf8'), 'a file where the directory should be\n');
});
