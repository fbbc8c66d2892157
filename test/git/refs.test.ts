/** What a ref may be, what a tree may hold, and how both are refused. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSocraticodeError } from '../../src/base/errors.js';
import { shellWord } from '../../src/base/printable.js';
import {
  CatFileReader,
  COMPUTING_MS,
  decodePath,
  findTopEntry,
  GitReader,
  isUnsafePath,
  listTree,
  resolveRef,
} from '../../src/git/objects.js';
import { openRepository } from '../../src/git/repository.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

async function withReader<T>(repo: TestRepo, use: (reader: CatFileReader) => Promise<T>): Promise<T> {
  const reader = new CatFileReader((await openRepository(repo.dir)).git);
  try {
    return await use(reader);
  } finally {
    reader.close();
  }
}

const BAD_REFS = [
  ...['nowhere', '--help', '-h', '--batch', 'HEAD\nmain', 'HEAD\0', '', ' ', 'HEAD~99', 'HEAD^9', 'main..main'],
  ...['HEAD:README.md', ':0:README.md', ':README.md', 'refs/heads/', 'HEAD^{blob}', '0'.repeat(40)],
  ...['@{upstream}', 'main@{u}', '@{push}', 'HEAD@{400}', 'nowhere@{1}'],
  ...['abc', 'HEAD^{/no such message}', ':/no such message', 'x'.repeat(5_000), '../main', '%00', '--all'],
];

test('refs that name no tree are UNKNOWN_REF, and the reader still works', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  await withReader(repo, async (reader) => {
    for (const ref of BAD_REFS) {
      await assert.rejects(resolveRef(reader, ref), (error) => isSocraticodeError(error, 'UNKNOWN_REF'), ref);
    }
    assert.equal((await resolveRef(reader, 'HEAD')).commit, repo.git('rev-parse', 'HEAD'));
  });
});

test('a name that kills git fails no other request', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const head = repo.git('rev-parse', 'HEAD');
  await withReader(repo, async (reader) => {
    const names = Array.from({ length: 40 }, (_, i) =>
      i % 4 === 0 ? ['@{upstream}', 'HEAD@{99}'][i % 8 && 1] : 'HEAD',
    );
    const answers = await Promise.all(names.map((name) => reader.info(name)));
    assert.deepEqual(
      answers.map((answer) => answer?.oid),
      names.map((name) => (name === 'HEAD' ? head : undefined)),
    );
  });
});

/** Text over which the matcher that git uses goes back and forth for longer than anybody lives. */
const ENDLESS = '((a*)*)*\\1b';

test('names that git would search for are refused with what to type instead, and no git is asked', async (t) => {
  const repo = createRepo();
  repo.commit(PROJECT);
  repo.commit({ 'README.md': '# 2\n' }, 'a'.repeat(3_000));
  const { git } = await openRepository(repo.dir);
  let started = 0;
  const spawn = git.spawn.bind(git);
  git.spawn = (...args) => {
    started++;
    return spawn(...args);
  };
  const reader = new GitReader(git);
  t.after(() => reader.close());
  const names = [`:/${ENDLESS}`, `HEAD^{/${ENDLESS}}`, `main~1^{/${ENDLESS}}~2:src`, `HEAD^{/a:b}`, `main^{/!-x}`];
  for (const name of [...names, 'main@{yesterday}', '@{1.week.ago}', 'HEAD@{2020-01-01}', 'main@{}']) {
    const unknown = { code: 'UNKNOWN_REF', hint: `Name the commit that git finds: git rev-parse ${shellWord(name)}` };
    await assert.rejects(reader.resolve(name), unknown, name);
    for (const asked of [name, `${name}^{commit}`]) {
      assert.equal(await reader.info(asked), null, asked);
      assert.equal(await reader.read(asked), null, asked);
    }
  }
  assert.equal(started, 0);
  // Of a range, git would look for both ends. Only branches and tags are listed, for a better spelling.
  git.run = (args, ...rest) => {
    assert.notEqual(args[0], 'rev-parse', args.join(' '));
    return Object.getPrototypeOf(git).run.call(git, args, ...rest);
  };
  for (const name of [`HEAD...:/${ENDLESS}`, `:/${ENDLESS}..HEAD`, `HEAD..:/${ENDLESS}`, `main~1...:/${ENDLESS}`])
    await assert.rejects(reader.resolve(name), { code: 'UNKNOWN_REF' }, name);
  // What a path is called is no search.
  const odd = repo.commit({ 'odd^{/a}': 'odd', ':/x@{now}': 'odd' });
  for (const path of ['odd^{/a}', ':/x@{now}']) {
    assert.equal((await reader.info(`${odd}:${path}`))?.size, 3, path);
    assert.equal((await reader.info(`HEAD:${path}`))?.size, 3, path);
  }
});

test('a name that git has to compute holds up nobody, and is given up after its time', async (t) => {
  const repo = createRepo();
  const head = repo.commit(PROJECT);
  const { git } = await openRepository(repo.dir);
  const spawn = git.spawn.bind(git);
  const deadlines: unknown[] = [];
  // A git that never answers, in place of one that walks.
  git.spawn = (args, options) => {
    deadlines.push(options?.deadline);
    return options?.deadline === undefined
      ? spawn(args, options)
      : spawn(['hash-object', '--stdin'], { deadline: 300 });
  };
  const reader = new GitReader(git);
  t.after(() => reader.close());
  const slow = reader.info('HEAD~1000000');
  const late = assert.rejects(slow, { code: 'RESOURCES', message: /was ended after 0.3 s/ });
  assert.equal((await reader.info('HEAD'))?.oid, head);
  await late;
  assert.deepEqual(deadlines, [COMPUTING_MS, undefined]);
});

test('HEAD without a commit is UNBORN_HEAD', async () => {
  await withReader(createRepo(), (reader) =>
    assert.rejects(resolveRef(reader, 'HEAD'), (error) => isSocraticodeError(error, 'UNBORN_HEAD')),
  );
});

test('resolves every way in which git can name a tree', async () => {
  const repo = createRepo();
  const first = repo.commit(PROJECT, 'the first one');
  const second = repo.commit({ 'README.md': '# 2\n' }, 'the second one');
  repo.git('tag', '-a', 'v1', '-m', 'tag', first);
  repo.git('tag', '-a', 'v1-again', '-m', 'tag of a tag', 'v1');
  repo.git('tag', '-a', 'v-tree', '-m', 'tag of a tree', 'HEAD^{tree}');
  const names: [string, string | null][] = [
    ...([
      ['main', second],
      ['HEAD~1', first],
      ['@', second],
      ['v1', first],
      ['v1-again', first],
    ] as [string, string][]),
    ...([
      ['refs/heads/main', second],
      [first, first],
      [second.slice(0, 7), second],
    ] as [string, string][]),
    ...([
      ['main@{0}', second],
      ['HEAD@{1}~0', first],
      ['v1^{}^{commit}', first],
    ] as [string, string][]),
    ...([
      ['HEAD^{tree}', null],
      ['HEAD:src', null],
      ['v-tree', null],
    ] as [string, null][]),
  ];
  await withReader(repo, async (reader) => {
    for (const [name, commit] of names) {
      const resolved = await resolveRef(reader, name);
      assert.equal(resolved.commit, commit, name);
      assert.equal(
        resolved.tree,
        repo.git('rev-parse', `${commit ?? name}${name.includes(':') && commit === null ? '' : '^{tree}'}`),
        name,
      );
    }
  });
});

test('the commit of a submodule is no tree of this repository, whatever its path looks like', async () => {
  const repo = createRepo();
  const inner = repo.rawTree([{ oid: repo.commit(PROJECT), name: 'sub', mode: '160000' }]);
  repo.commitTree(repo.rawTree([{ oid: inner, name: 'odd:', mode: '40000' }]), 'refs/heads/odd');
  await withReader(repo, async (reader) => {
    assert.equal((await resolveRef(reader, 'odd:odd:')).tree, inner);
    await assert.rejects(resolveRef(reader, 'odd:odd:/sub'), { code: 'UNKNOWN_REF' });
  });
});

test('listTree stops at its limit and refuses objects that are not trees', async () => {
  const repo = createRepo();
  repo.commit(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}.txt`, 'same'])));
  const { git } = await openRepository(repo.dir);
  assert.equal((await listTree(git, repo.git('rev-parse', 'HEAD^{tree}'), 50)).length, 50);
  await assert.rejects(listTree(git, 'HEAD', 49), (error) => isSocraticodeError(error, 'BAD_ARGUMENT'));
  await assert.rejects(listTree(git, '1'.repeat(40)), (error) => isSocraticodeError(error, 'GIT_FAILED'));
});

test('findTopEntry agrees with ls-tree, and finds nothing in hostile trees', async () => {
  const repo = createRepo();
  const oid = repo.blob('{}');
  const tree = repo.rawTree([
    { oid, name: '.socraticode.json' },
    { oid, name: 'with space.json', mode: '100755' },
    { oid, name: 'link', mode: '120000' },
    { oid: repo.rawTree([]), name: 'directory', mode: '40000' },
  ]);
  await withReader(repo, async (reader) => {
    assert.deepEqual(await findTopEntry(reader, tree, '.socraticode.json'), {
      path: '.socraticode.json',
      oid,
      type: 'file',
    });
    assert.equal((await findTopEntry(reader, tree, 'with space.json'))?.type, 'executable');
    assert.equal((await findTopEntry(reader, tree, 'link'))?.type, 'symlink');
    assert.equal(await findTopEntry(reader, tree, 'directory'), null);
    assert.equal(await findTopEntry(reader, tree, 'absent'), null);
    assert.equal(await findTopEntry(reader, oid, 'absent'), null);
  });
});

test('invalid UTF-8 in a path keeps its bytes visible; paths that git would not check out are unsafe', () => {
  assert.equal(decodePath(Buffer.from('größe/名前.ts')), 'größe/名前.ts');
  assert.equal(decodePath(Buffer.from([0x61, 0xff, 0x2f, 0x62])), 'a\\xff/b');
  for (const path of ['../x', 'a/../x', '.git/x', 'a/.GIT/x', '/x', 'a//b', '.', '..', './x', 'a\0b', '']) {
    assert.ok(isUnsafePath(path), path);
  }
  for (const path of ['a', '.github/x', 'a..b/c', '.gitignore', 'a/b.git', '-rf', '...'])
    assert.ok(!isUnsafePath(path), path);
});

test('a ref whose commit or tree is missing is told from one that is not there', async () => {
  const repo = createRepo();
  const commit = repo.commit({ 'a.txt': 'a' });
  const lose = (oid: string) => rmSync(join(repo.commonDir, 'objects', oid.slice(0, 2), oid.slice(2)));
  const rejects = async (ref: string, expected: object) => {
    const reader = new GitReader((await openRepository(repo.dir)).git);
    await assert.rejects(reader.resolve(ref), expected, ref).finally(() => reader.close());
  };
  await rejects('nowhere', { code: 'UNKNOWN_REF' });
  const branch = repo.git('symbolic-ref', '--short', 'HEAD');
  lose(repo.git('rev-parse', 'HEAD^{tree}'));
  await rejects(branch, {
    code: 'UNREADABLE_OBJECT',
    message: new RegExp(`what ${branch} names is missing: ${commit}`),
  });
  lose(commit);
  await rejects('HEAD', { code: 'UNREADABLE_OBJECT', message: new RegExp(commit) });
  await rejects('nowhere', { code: 'UNKNOWN_REF' });
});
