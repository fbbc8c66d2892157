/** Opening a repository: what is wrong with a directory, odd names, and what the environment names. */
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Git } from '../../src/git/process.js';
import { openRepository } from '../../src/git/repository.js';
import { createRepo, makeDirectory, runGit } from '../support/repositories/repo.js';

/** Sets variables until the end of a test. */
function setEnvironment(t: TestContext, variables: Readonly<Record<string, string>>): void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  t.after(() => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  });
}

test('a directory that is none, or in no repository, is told apart', async () => {
  const repo = createRepo();
  repo.write({ file: '' });
  const hint = /^Name a directory of the repository/;
  const [nowhere, file, outside] = ['/nowhere/at/all', join(repo.dir, 'file'), makeDirectory()];
  await assert.rejects(openRepository(nowhere), {
    code: 'BAD_ARGUMENT',
    message: `no such directory: ${nowhere}`,
    hint,
  });
  await assert.rejects(openRepository(file), { code: 'BAD_ARGUMENT', message: `not a directory: ${file}`, hint });
  const message = `${outside} is not in a git repository`;
  await assert.rejects(openRepository(outside), { code: 'NOT_A_REPOSITORY', message });
});

test('a damaged repository is told with what to do', async () => {
  const damaged = makeDirectory();
  mkdirSync(join(damaged, '.git'));
  const hint = /git socraticode doctor/;
  const message = `git takes ${join(damaged, '.git')} for no repository`;
  await assert.rejects(openRepository(damaged), { code: 'NOT_A_REPOSITORY', message, hint });
  const broken = createRepo();
  writeFileSync(join(broken.dir, '.git', 'config'), '[core\n');
  const editor = { code: 'NOT_A_REPOSITORY', message: /bad config/, hint: 'Correct that file in an editor.' };
  await assert.rejects(openRepository(broken.dir), editor);
  const future = createRepo();
  future.git('config', 'core.repositoryformatversion', '99');
  await assert.rejects(openRepository(future.dir), ({ code, message: text, hint: next }) => {
    assert.deepEqual([code, next.includes('editor')], ['NOT_A_REPOSITORY', false]);
    assert.match(text, new RegExp(`^cannot open a repository at ${future.dir}: fatal: .*99`));
    return true;
  });
});

test('a repository of another user is not trusted', async (t) => {
  const repo = createRepo();
  setEnvironment(t, { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' });
  await assert.rejects(openRepository(repo.dir), {
    code: 'UNSAFE_REPOSITORY',
    message: `git does not trust ${repo.dir}: it belongs to another user`,
    hint: `If you trust it: git config --global --add safe.directory ${repo.dir}`,
  });
});

test('a missing git program is GIT_MISSING', async (t) => {
  const repo = createRepo();
  setEnvironment(t, { PATH: makeDirectory() });
  await assert.rejects(openRepository(repo.dir), { code: 'GIT_MISSING' });
});

test('git is asked once, and where a path has a newline, for each answer', async (t) => {
  const asked = t.mock.method(Git.prototype, 'run');
  const countOf = async (directory: string) => {
    const before = asked.mock.callCount();
    const repository = await openRepository(directory);
    return { repository, count: asked.mock.callCount() - before };
  };
  const plain = createRepo();
  assert.equal((await countOf(plain.dir)).count, 1);
  const bare = createRepo({ bare: true });
  assert.equal((await countOf(bare.dir)).count, 1);
  const odd = createRepo({ directory: join(makeDirectory(), 'two\nlines') });
  odd.commit({ 'a.txt': 'a' });
  const { repository, count } = await countOf(odd.dir);
  assert.deepEqual([repository.workTree, repository.gitDir, count], [odd.dir, join(odd.dir, '.git'), 6]);
  assert.equal(await repository.git.text(['ls-files']), 'a.txt');
  const linked = join(makeDirectory(), 'two\nlines');
  odd.git('worktree', 'add', '-q', '--detach', linked);
  plain.commit({ 'a.txt': 'a' });
  const oddTree = join(makeDirectory(), 'two\nlines');
  plain.git('worktree', 'add', '-q', '--detach', oddTree);
  for (const tree of [linked, oddTree]) assert.equal((await countOf(tree)).repository.workTree, tree);
  const oddBare = createRepo({ bare: true, directory: join(makeDirectory(), 'two\nlines') });
  const opened = (await countOf(oddBare.dir)).repository;
  assert.deepEqual(
    [opened.workTree, opened.gitDir, opened.commonDir, opened.bare],
    [null, oddBare.dir, oddBare.dir, true],
  );
});

test('the format of objects is told, and later commands are about the repository alone', async () => {
  for (const objectFormat of ['sha1', 'sha256'] as const)
    assert.equal((await openRepository(createRepo({ objectFormat }).dir)).objectFormat, objectFormat);
  const repo = createRepo();
  const normal = await openRepository(repo.dir);
  const gitDir = join(repo.dir, '.git');
  assert.deepEqual(
    [normal.git.directory, normal.git.prefix],
    [repo.dir, [`--git-dir=${gitDir}`, `--work-tree=${repo.dir}`]],
  );
  const bare = createRepo({ bare: true });
  const { git } = await openRepository(bare.dir);
  assert.deepEqual([git.directory, git.prefix], [bare.dir, [`--git-dir=${bare.dir}`]]);
  // The git directory of a work tree has none of its own: without an argument git would take the current directory.
  const within = await openRepository(gitDir);
  assert.deepEqual([within.workTree, within.bare], [null, false]);
  assert.deepEqual(
    [within.git.directory, within.git.prefix],
    [gitDir, [`--git-dir=${gitDir}`, `--work-tree=${gitDir}`]],
  );
});

test('a work tree whose .git is gone, or leads nowhere, is not ours', async () => {
  const repo = createRepo();
  const tree = makeDirectory('tree');
  repo.git('config', 'core.worktree', tree);
  const open = async () => (await openRepository(join(repo.dir, '.git'))).workTree;
  assert.equal(await open(), null);
  writeFileSync(join(tree, '.git'), 'gitdir: /nowhere\n');
  assert.equal(await open(), null);
  writeFileSync(join(tree, '.git'), 'nothing\n');
  assert.equal(await open(), null);
  writeFileSync(join(tree, '.git'), `gitdir: ${join(repo.dir, '.git')}\n`);
  assert.equal(await open(), tree);
  rmSync(join(tree, '.git'));
  mkdirSync(join(tree, '.git'));
  assert.equal(await open(), null);
});

test('a git directory that the environment names is looked through before git reads it, and only where it counts', async (t) => {
  const evil = createRepo({ bare: true });
  const good = createRepo();
  // Git reads such a file whole.
  writeFileSync(join(evil.dir, 'HEAD'), 'x'.repeat(70_000));
  setEnvironment(t, { GIT_DIR: evil.dir });
  await assert.rejects(openRepository(), { code: 'UNSAFE_REPOSITORY' });
  assert.equal((await openRepository(good.dir)).workTree, good.dir);
});

test('of the environment either place counts by itself', async (t) => {
  const bare = createRepo({ bare: true });
  setEnvironment(t, { GIT_DIR: bare.dir });
  const opened = await openRepository();
  assert.deepEqual([opened.gitDir, opened.workTree, opened.bare], [bare.dir, null, true]);
  delete process.env.GIT_DIR;
  const here = process.cwd();
  const tree = makeDirectory('tree');
  setEnvironment(t, { GIT_WORK_TREE: tree });
  const around = await openRepository().catch(({ code }) => code);
  const top = runGit(['rev-parse', '--show-toplevel'], { cwd: here, allowFailure: true }).toString().trim();
  if (top === '') assert.equal(around, 'NOT_A_REPOSITORY');
  else assert.equal(around.workTree, realpathSync(tree));
});
