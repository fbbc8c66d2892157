/** One contract for both ways of reading a repository: git's own, and isomorphic-git's where there is no git. */
import assert from 'node:assert/strict';
import { chmodSync, cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSocraticodeError } from '../../src/base/errors.js';
import { IsomorphicReader, openWithoutGit } from '../../src/git/isomorphic.js';
import { GitReader, type SnapshotReader } from '../../src/git/objects.js';
import { openRepository } from '../../src/git/repository.js';
import { cloneRepo, createRepo, makeDirectory, runGit, TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

const READERS: Record<string, (directory: string) => Promise<SnapshotReader>> = {
  git: async (directory) => new GitReader((await openRepository(directory)).git),
  isomorphic: async (directory) => new IsomorphicReader(await openWithoutGit(directory)),
};

const template = once(() => {
  const repo = createRepo();
  repo.commit(PROJECT, 'first');
  repo.commit({ 'README.md': '# second\n' }, 'second');
  repo.write({ 'run.sh': '#!/bin/sh\n', 'größe/名前.ts': 'x', '-rf': '1', 'quote".ts': '2', 'new\nline.ts': '3' });
  chmodSync(join(repo.dir, 'run.sh'), 0o755);
  symlinkSync('README.md', join(repo.dir, 'link'));
  repo.commit({}, 'third');
  repo.git('tag', '-a', 'v1', '-m', 'tag', 'HEAD~1');
  repo.git('tag', 'light', 'HEAD~2');
  repo.git('branch', 'feature/deep', 'HEAD~1');
  return repo;
});

/** A copy, which costs less than a dozen git commands. */
function standard(): TestRepo {
  const dir = makeDirectory('standard');
  cpSync(template().dir, dir, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  return new TestRepo(dir);
}

/** Every kind of repository with the same history; each gives a directory to open. */
const PLACES: Record<string, () => string> = {
  normal: () => standard().dir,
  'a subdirectory': () => join(standard().dir, 'src'),
  packed: () => {
    const repo = standard();
    repo.git('gc', '-q', '--aggressive');
    repo.git('pack-refs', '--all');
    return repo.dir;
  },
  bare: () => {
    const repo = standard();
    const bare = cloneRepo(repo, '--bare');
    bare.git('update-ref', 'refs/heads/feature/deep', repo.git('rev-parse', 'feature/deep'));
    return bare.dir;
  },
  'linked work tree': () => {
    const repo = standard();
    const linked = join(makeDirectory(), 'linked');
    repo.git('worktree', 'add', '-q', '-b', 'linked', linked, 'HEAD');
    return linked;
  },
  submodule: () => {
    const [inner, outer] = [standard(), createRepo()];
    outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'inner');
    const at = new TestRepo(join(outer.dir, 'inner'));
    at.git('branch', '-q', 'feature/deep', 'HEAD~1');
    return at.dir;
  },
  detached: () => {
    const repo = standard();
    repo.git('checkout', '-q', '--detach');
    return repo.dir;
  },
};

const NAMES = [
  'HEAD',
  '@',
  'HEAD~2',
  'HEAD^',
  'HEAD~1^1',
  'v1',
  'light',
  'feature/deep',
  'refs/tags/v1',
  'v1^{commit}',
];

for (const [place, make] of Object.entries(PLACES)) {
  // Both only read.
  const made = once(make);
  for (const [reader, open] of Object.entries(READERS)) {
    test(`${reader}: ${place}`, async () => {
      const repo = new TestRepo(made());
      const rev = (...names: string[]) => repo.git('rev-parse', ...names).split('\n');
      const read = await open(repo.dir);
      try {
        const [head, before, tree] = rev('HEAD', 'HEAD~1', 'HEAD^{tree}');
        const names = [...NAMES, head, before.slice(0, 9)];
        const oids = rev(...names.flatMap((name) => [`${name}^{commit}`, `${name}^{tree}`]));
        for (const [i, name] of names.entries()) {
          const expected = { ref: name, commit: oids[2 * i], tree: oids[2 * i + 1] };
          assert.deepEqual(await read.resolve(name), expected, name);
        }
        assert.deepEqual(await read.resolve('HEAD^{tree}'), { ref: 'HEAD^{tree}', commit: null, tree });
        await assertSameTree(repo, read, tree);
        for (const name of ['nowhere', '--help', 'HEAD\nmain', '', 'HEAD~99', 'HEAD^2', '0'.repeat(40), 'HEAD..main']) {
          await assert.rejects(read.resolve(name), (error) => isSocraticodeError(error, 'UNKNOWN_REF'), name);
        }
        assert.equal(await read.read('1'.repeat(40)), null);
        assert.equal(await read.info('nowhere'), null);
      } finally {
        read.close();
      }
    });
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Entries as `ls-tree` prints them, objects as `cat-file` does. */
async function assertSameTree(repo: TestRepo, read: SnapshotReader, tree: string): Promise<void> {
  const raw = runGit(['ls-tree', '-r', '-z', '--full-tree', tree], { cwd: repo.dir })
    .toString()
    .split('\0')
    .filter(Boolean);
  const types: Record<string, string> = { 100755: 'executable', 120000: 'symlink', 160000: 'submodule' };
  const expected = raw.map((line) => {
    const [, mode, oid, path] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
    return { path, oid, type: types[mode] ?? 'file' };
  });
  const entries = await read.list(tree);
  assert.deepEqual(entries, expected);
  for (const { oid } of entries.filter((entry) => entry.type !== 'submodule')) {
    const content = runGit(['cat-file', 'blob', oid], { cwd: repo.dir });
    assert.deepEqual(await read.info(oid), { oid, type: 'blob', size: content.length });
    assert.deepEqual((await read.read(oid))?.content, content);
  }
  assert.deepEqual(await read.read(tree), {
    ...{ oid: tree, type: 'tree', content: runGit(['cat-file', 'tree', tree], { cwd: repo.dir }) },
  });
}

for (const [reader, open] of Object.entries(READERS)) {
  test(`${reader}: gitlinks, odd bytes in names, the empty tree, large and empty blobs`, async () => {
    const repo = createRepo();
    const commit = repo.commit({ large: Buffer.alloc(3 << 20, 'large '), empty: '' });
    const oid = repo.blob('x');
    const tree = repo.rawTree([
      { oid, name: Buffer.from([0x61, 0xff, 0x62]) },
      { oid: commit, name: 'gitlink', mode: '160000' },
      { oid: repo.git('rev-parse', 'HEAD^{tree}'), name: 'dir', mode: '40000' },
    ]);
    const read = await open(repo.dir);
    try {
      assert.deepEqual(
        (await read.list(tree)).map(({ path, type }) => [path, type]),
        [
          ['a\\xffb', 'file'],
          ['dir/empty', 'file'],
          ['dir/large', 'file'],
          ['gitlink', 'submodule'],
        ],
      );
      assert.deepEqual(await read.list(repo.rawTree([])), []);
      assert.equal((await read.info(repo.git('rev-parse', 'HEAD:large')))?.size, 3 << 20);
      assert.equal((await read.read(repo.git('rev-parse', 'HEAD:empty')))?.content.length, 0);
      await assert.rejects(read.list(oid), (error) => isSocraticodeError(error));
    } finally {
      read.close();
    }
  });

  test(`${reader}: an unborn HEAD, and no repository at all`, async () => {
    const read = await open(createRepo().dir);
    await assert.rejects(read.resolve('HEAD'), (error) => isSocraticodeError(error, 'UNBORN_HEAD'));
    read.close();
    await assert.rejects(open(makeDirectory()), (error) => isSocraticodeError(error, 'NOT_A_REPOSITORY'));
  });
}

test('git reads SHA-256 repositories, isomorphic-git refuses them', async () => {
  const repo = createRepo({ objectFormat: 'sha256' });
  repo.commit(PROJECT);
  const read = await READERS.git(repo.dir);
  const { tree } = await read.resolve('HEAD');
  assert.equal((await read.list(tree)).length, 4);
  read.close();
  await assert.rejects(READERS.isomorphic(repo.dir), (error) => isSocraticodeError(error, 'GIT_MISSING'));
});

test('after close, pending requests are answered and later ones start no git', async () => {
  const reader = new GitReader((await openRepository(standard().dir)).git);
  const asked = reader.info('HEAD');
  reader.close();
  assert.equal((await asked)?.type, 'commit');
  await assert.rejects(reader.info('HEAD'), (error) => isSocraticodeError(error, 'CANCELLED'));
  await assert.rejects(reader.read('HEAD'), (error) => isSocraticodeError(error, 'CANCELLED'));
});
