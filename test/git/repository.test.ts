/** Which directory a repository's commands are about, whatever its configuration says. */
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { log } from '../../src/base/log.js';
import { readBranchAndRemotes } from '../../src/git/branches.js';
import { headBranch, openRepository, type Repository } from '../../src/git/repository.js';
import { createRepo, makeDirectory, runGit, TestRepo } from '../support/repositories/repo.js';

const topOf = ({ git }: Repository) => git.text(['rev-parse', '--absolute-git-dir']);

test('core.worktree of a nested repository does not redirect commands to the outer one', async () => {
  const outer = createRepo();
  outer.commit({ 'diary.ts': 'export function privateDiary() {}\n' });
  const evil = createRepo({ directory: join(outer.dir, 'downloads', 'evil') });
  evil.commit({ 'a.ts': 'export const a = 1;\n' });
  evil.git('branch', '-m', 'bad');
  evil.git('config', 'core.worktree', outer.dir);
  const repository = await openRepository(evil.dir);
  assert.equal(repository.workTree, null);
  assert.equal(repository.gitDir, join(evil.dir, '.git'));
  assert.equal(await topOf(repository), join(evil.dir, '.git'));
  assert.equal(await repository.git.text(['ls-tree', '-r', '--name-only', 'HEAD']), 'a.ts');
  assert.equal((await readBranchAndRemotes(repository)).branch, 'bad');
});

test('the branch of HEAD is read without git; git is asked where its file names none, or one that cannot be', async () => {
  const gitDir = makeDirectory();
  let asked = 0;
  const run = async () => {
    asked++;
    return { stdout: Buffer.from('of-git\n') };
  };
  const branch = (text: string) => {
    writeFileSync(join(gitDir, 'HEAD'), text);
    return headBranch({ gitDir, git: { run } } as unknown as Repository);
  };
  assert.deepEqual(
    [await branch('ref: refs/heads/a/b\n'), await branch('ref: refs/heads/main'), asked],
    ['a/b', 'main', 0],
  );
  // As a repository with reftables has it.
  assert.equal(await branch('ref: refs/heads/.invalid\n'), 'of-git');
  assert.equal(await branch(`${'a'.repeat(40)}\n`), 'of-git');
  assert.equal(asked, 2);
});

test('remotes are told of a bare repository as well, and no branch of a detached HEAD', async () => {
  const bare = createRepo({ bare: true });
  bare.git('remote', 'add', 'origin', '/nowhere');
  assert.deepEqual(await readBranchAndRemotes(await openRepository(bare.dir)), { branch: 'main', remotes: ['origin'] });
  const repo = createRepo();
  repo.commit({ 'a.txt': 'a' });
  repo.git('checkout', '-q', '--detach');
  assert.deepEqual(await readBranchAndRemotes(await openRepository(repo.dir)), { branch: null, remotes: [] });
});

test('only a work tree that is not ours to read is warned of', async (t) => {
  const tell = t.mock.method(log, 'printOnce', () => {});
  const said = () => tell.mock.calls.map(({ arguments: [, text] }) => text);
  const outer = makeDirectory('outer');
  await openRepository(createRepo({ bare: true }).dir);
  await openRepository(createRepo().dir);
  assert.deepEqual(said(), []);
  const evil = createRepo({ directory: join(outer, 'evil') });
  evil.git('config', 'core.worktree', outer);
  await openRepository(evil.dir);
  assert.equal(said().length, 1);
  assert.match(said()[0] ?? '', /core\.worktree is not followed/);
});

test('a work tree named by the user is accepted wherever it is', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const elsewhere = makeDirectory('elsewhere');
  try {
    Object.assign(process.env, { GIT_DIR: join(repo.dir, '.git'), GIT_WORK_TREE: elsewhere });
    const repository = await openRepository();
    assert.equal(repository.workTree, elsewhere);
    assert.match(await repository.git.text(['status', '--porcelain']), /^D a\.ts$/);
  } finally {
    delete process.env.GIT_DIR;
    delete process.env.GIT_WORK_TREE;
  }
});

test('finds the parts of normal and bare repositories, linked work trees, separate git directories and submodules', async () => {
  const repo = createRepo();
  repo.commit({ 'lib/a.ts': 'export const a = 1;\n' });
  const linked = join(makeDirectory('linked'), 'tree');
  repo.git('worktree', 'add', '-q', linked);
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', createAnother().dir, 'deps/inner');
  const separate = makeDirectory('separate');
  runGit(['clone', '-q', `--separate-git-dir=${join(makeDirectory('git'), 'g')}`, repo.dir, separate], {
    cwd: repo.dir,
  });
  for (const top of [repo.dir, linked, join(repo.dir, 'deps/inner'), separate]) {
    new TestRepo(top).write({ 'new/n.ts': '' });
    const repository = await openRepository(join(top, 'new'));
    assert.equal(repository.workTree, realpathSync(top));
    assert.equal(await topOf(repository), repository.gitDir);
    assert.match(await repository.git.text(['status', '--porcelain', '-uall']), /^\?\? new\/n\.ts$/m);
    assert.match(await repository.git.text(['ls-files']), /^(?:lib\/a|inner)\.ts$/m);
  }
  assert.equal((await openRepository(join(repo.dir, '.git'))).workTree, null);
  const bare = createRepo({ bare: true });
  mkdirSync(join(bare.dir, 'hooks'), { recursive: true });
  const opened = await openRepository(join(bare.dir, 'hooks'));
  assert.deepEqual([opened.workTree, opened.bare, await topOf(opened)], [null, true, bare.dir]);
});

function createAnother(): TestRepo {
  const repo = createRepo();
  repo.commit({ 'inner.ts': 'export const inner = 1;\n' });
  return repo;
}

test('a directory that is named wins over GIT_DIR and GIT_WORK_TREE, which count where none is', async (t) => {
  const [named, other] = [createRepo(), createRepo()];
  const [namedDir, otherDir] = [named, other].map(({ dir }) => join(dir, '.git'));
  const before = process.cwd();
  t.after(() => {
    process.chdir(before);
    delete process.env.GIT_DIR;
    delete process.env.GIT_WORK_TREE;
  });
  const elsewhere = makeDirectory();
  process.chdir(elsewhere);
  process.env.GIT_DIR = otherDir;
  process.env.GIT_WORK_TREE = elsewhere;
  const [byName, byVariable] = [await openRepository(named.dir), await openRepository()];
  assert.deepEqual([byName.gitDir, byName.workTree], [namedDir, named.dir]);
  assert.deepEqual([byVariable.gitDir, byVariable.workTree], [otherDir, elsewhere]);
  // The variables are handed on as arguments, so that no later git reads them anew.
  process.env.GIT_DIR = namedDir;
  assert.equal((await byVariable.git.text(['rev-parse', '--absolute-git-dir'])).trim(), otherDir);
  process.chdir(named.dir);
  assert.equal((await openRepository('.')).gitDir, namedDir);
});

test('with GIT_DIR alone the current directory is the work tree, as git has it', async (t) => {
  const repo = createRepo();
  const before = process.cwd();
  t.after(() => {
    process.chdir(before);
    delete process.env.GIT_DIR;
  });
  const elsewhere = makeDirectory('elsewhere');
  process.chdir(elsewhere);
  process.env.GIT_DIR = join(repo.dir, '.git');
  assert.equal((await openRepository()).workTree, elsewhere);
});
