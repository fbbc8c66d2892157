/** Walking history: order, merges, windows, pickaxe, commits that no tool would write. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { parseCommit, readCommit } from '../../src/git/commits.js';
import {
  ChangeTable,
  type CommitChanges,
  countInBlobs,
  listMissingObjects,
  readShallow,
  type WalkOptions,
  walkHistory,
} from '../../src/git/log.js';
import { openScratch } from '../../src/git/merge.js';
import { GitReader } from '../../src/git/objects.js';
import { openRepository } from '../../src/git/repository.js';
import { cloneRepo, createRepo, type TestRepo } from '../support/repositories/repo.js';

async function walk(repo: TestRepo, options: Partial<WalkOptions> = {}) {
  const repository = await openRepository(repo.dir);
  const commits: CommitChanges[] = [];
  const shallow = readShallow(repository);
  const window = await walkHistory(repository.git, { tip: 'HEAD', shallow, ...options }, (commit) =>
    commits.push(commit),
  );
  return { window, commits, repository };
}

const brief = (commits: readonly CommitChanges[]) =>
  commits.map(({ changes }) =>
    changes.map(
      ({ path, oldOids, newOid }) => `${oldOids.map((o) => (o ? 'x' : '-')).join('')}>${newOid ? 'x' : '-'} ${path}`,
    ),
  );

test('a change has the type of what is there now, or of what was there before it was deleted', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': '1\n', link: 'a.ts' });
  repo.git('update-index', '--cacheinfo', `120000,${repo.git('rev-parse', 'HEAD:link')},link`);
  repo.git('commit', '-qm', 'a link now');
  repo.git('rm', '-q', '--cached', 'link', 'a.ts');
  repo.git('commit', '-qm', 'gone');
  const { commits } = await walk(repo);
  const types = commits.map(({ changes }) => changes.map(({ path, type }) => `${path} ${type}`));
  assert.deepEqual(types, [['a.ts file', 'link symlink'], ['link symlink'], ['a.ts file', 'link file']]);
});

test('walks newest first; the root commit adds all its files; commits without changes are only counted', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': '1\n', 'b.ts': '1\n' });
  repo.commit({}, 'empty');
  repo.commit({ 'a.ts': '2\n' });
  repo.git('rm', '-q', 'b.ts');
  repo.commit();
  const { window, commits } = await walk(repo);
  assert.deepEqual(brief(commits), [['x>- b.ts'], ['x>x a.ts'], ['->x a.ts', '->x b.ts']]);
  assert.deepEqual([window.commits, window.end], [4, 'root']);
  const limited = await walk(repo, { maxCommits: 2 });
  assert.deepEqual([limited.window.commits, limited.window.end, limited.commits.length], [2, 'max-commits', 2]);
  assert.equal((await walk(repo, { maxCommits: 4 })).window.end, 'root');
  assert.deepEqual(brief((await walk(repo, { paths: ['b.ts'] })).commits), [['x>- b.ts'], ['->x b.ts']]);
  assert.equal((await walk(repo, { since: '2030-01-01' })).window.commits, 0);
});

test('the pickaxe finds commits that add or remove a text, whatever characters it has', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'let --all = "x"\n' });
  repo.commit({ 'a.ts': 'let --all = "x"; more\n' });
  repo.commit({ 'a.ts': 'nothing\n' });
  const { commits } = await walk(repo, { contains: { text: '--all' } });
  assert.equal(commits.length, 2);
  assert.equal((await walk(repo, { contains: { text: '--ALL' } })).commits.length, 0);
  assert.equal((await walk(repo, { contains: { text: '--ALL', ignoreCase: true } })).commits.length, 2);
});

test('a merge lists changes against all parents, and against each parent on request', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'base\n', 'b.ts': 'base\n' });
  repo.git('checkout', '-q', '-b', 'side');
  repo.commit({ 'a.ts': 'side\n' });
  repo.git('checkout', '-q', 'main');
  repo.commit({ 'a.ts': 'main\n', 'b.ts': 'main\n' });
  repo.git('merge', '-q', '-s', 'ours', '--no-commit', 'side');
  const merge = repo.commit({ 'a.ts': 'evil\n' }, 'merge');
  const { commits } = await walk(repo);
  const own = commits.find(({ commit }) => commit === merge);
  assert.deepEqual(
    own?.changes.map(({ path, oldOids }) => [path, oldOids.length]),
    [['a.ts', 2]],
  );
  const each = await walk(repo, { merges: 'each' });
  assert.deepEqual(
    each.commits.map(({ commit }) => commit),
    [merge],
  );
  assert.deepEqual(each.commits[0].changes.map(({ path }) => path).sort(), ['a.ts', 'a.ts', 'b.ts']);
});

test('the pickaxe keeps the order of commits, and of merges lists what differs from every parent', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'one\n', 'b.ts': 'other\n' });
  repo.git('checkout', '-q', '-b', 'side');
  repo.commit({ 'a.ts': 'two\n', 'c.ts': 'found\n' });
  repo.git('checkout', '-q', 'main');
  repo.commit({ 'a.ts': 'three\n' });
  repo.git('merge', '-q', '--no-commit', '-s', 'ours', 'side');
  // Neither holds the text: of a merge all that differs from every parent is listed, since git would read whole trees to tell.
  repo.write({ 'a.ts': 'resolved\n', 'c.ts': 'found\n', 'd.ts': 'new\n' });
  repo.commit();
  repo.commit({ 'b.ts': 'found, too\n' });
  repo.git('merge', '-q', '--no-ff', '-s', 'ours', '-m', 'clean', 'side~1');
  repo.commit({ 'b.ts': 'other\n' });
  assert.deepEqual(brief((await walk(repo, { contains: { text: 'found' } })).commits), [
    ['x>x b.ts'],
    ['x>x b.ts'],
    ['xx>x a.ts', '-->x d.ts'],
    ['->x c.ts'],
  ]);
});

test('a merge of more than 100 parents is compared with the first 14', async () => {
  const repo = createRepo();
  const tree = (text: string) => repo.rawTree([{ oid: repo.blob(text), name: 'a.ts' }]);
  const old = tree('old\n');
  const parents = Array.from({ length: 130 }, (_, i) => repo.git('commit-tree', '-m', `parent ${i}`, old));
  const compared = async (count: number) => {
    const named = parents.slice(0, count).flatMap((oid) => ['-p', oid]);
    const tip = repo.git('commit-tree', '-m', 'merge', ...named, tree('new\n'));
    const { window, commits } = await walk(repo, { tip });
    const [{ commit, changes }] = commits;
    assert.deepEqual([commit, changes.length, changes[0].path], [tip, 1, 'a.ts']);
    assert.deepEqual([window.commits, commits.length], [count + 1, count + 1]);
    return changes[0].oldOids.length;
  };
  assert.deepEqual([await compared(100), await compared(101), await compared(130)], [100, 14, 14]);
});

test('git is asked for no more commits than are wanted, and merges are compared apart for the pickaxe alone', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': '1' });
  const { git } = await openRepository(repo.dir);
  const asked = t.mock.method(git, 'spawn');
  const commands = async (options: Partial<WalkOptions>) => {
    asked.mock.resetCalls();
    await walkHistory(git, { tip: 'HEAD', ...options }, () => {});
    return asked.mock.calls.map(({ arguments: [args] }) => args);
  };
  const limited = await commands({ maxCommits: 2 });
  assert.equal(limited.length, 2);
  assert.ok(limited[0].includes('--max-count=3'));
  assert.equal((await commands({ contains: { text: 'x' } })).length, 3);
});

test('a history of many thousand lines is walked whole, with the pickaxe as well', async () => {
  const repo = createRepo();
  const count = 2_000;
  const texts = Array.from({ length: count }, (_, i) => (i === 1 || i === count - 1 ? 'needle' : `${i}`));
  const commits = texts.map((text) => [
    'commit refs/heads/main',
    'committer A <a> 1700000000 +0000',
    'data 1',
    'x',
    'M 644 inline a.ts',
    `data ${text.length}`,
    text,
  ]);
  repo.gitInput(`${commits.flat().join('\n')}\n`, 'fast-import', '--quiet');
  const all = await walk(repo);
  assert.deepEqual([all.window.commits, all.commits.length, all.window.end], [count, count, 'root']);
  assert.equal(all.window.oldest, all.commits.at(-1)?.commit);
  const found = await walk(repo, { contains: { text: 'needle' }, since: '2001-01-01' });
  const places = found.commits.map(({ commit }) => all.commits.findIndex((each) => each.commit === commit));
  // Where it came and where it went, newest first.
  assert.deepEqual([places, found.window.commits, found.window.end], [[0, count - 3, count - 2], count, 'since']);
});

test('a walk that fails says why, and one that is given up was cancelled whatever came of it', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': '1' });
  const { git } = await openRepository(repo.dir);
  const tip = 'a'.repeat(40);
  const mine = new Error('of the caller');
  const failing = () => {
    throw mine;
  };
  for (const contains of [undefined, { text: '1' }]) {
    await assert.rejects(
      walkHistory(git, { tip, contains }, () => {}),
      { code: 'GIT_FAILED', message: new RegExp(tip) },
    );
    await assert.rejects(walkHistory(git, { tip: 'HEAD', contains }, failing), mine);
  }
  const controller = new AbortController();
  const { signal } = controller;
  const giveUp = () => {
    controller.abort();
    throw mine;
  };
  await assert.rejects(walkHistory(git, { tip: 'HEAD', signal }, giveUp), { code: 'CANCELLED' });
  await assert.rejects(
    walkHistory(git, { tip: 'HEAD', signal }, () => {}),
    { code: 'CANCELLED' },
  );
});

test('a shallow clone ends at its boundary and attributes no origin to it', async () => {
  const origin = createRepo();
  for (const text of ['1', '2', '3']) origin.commit({ 'a.ts': `${text}\n` });
  const clone = cloneRepo(origin, '--depth=2');
  const { window, commits } = await walk(clone);
  assert.deepEqual([window.commits, window.end], [2, 'shallow']);
  assert.deepEqual(brief(commits), [['x>x a.ts']]);
  // Commits since then are missing, too, and nobody may take the answer for all of them.
  assert.equal((await walk(clone, { since: '1990-01-01' })).window.end, 'shallow');
  assert.equal((await walk(clone, { maxCommits: 1 })).window.end, 'max-commits');
});

test('a date bounds a walk, with a number of commits as well as without', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': '1\n' });
  for (const maxCommits of [undefined, 1, 10]) {
    const [all, none] = [
      await walk(repo, { maxCommits, since: '1990-01-01' }),
      await walk(repo, { maxCommits, since: '2090-01-01' }),
    ];
    assert.deepEqual(
      [all.window.commits, none.window.commits, all.window.end, none.window.end],
      [1, 0, 'since', 'since'],
    );
  }
});

test('a blob that stood at several paths is shown where it stood last', () => {
  const table = new ChangeTable();
  const change = (
    path: string,
    newOid: string | null,
    ...oldOids: (string | null)[]
  ): CommitChanges['changes'][number] => {
    return { path, oldOids, newOid, type: 'file' };
  };
  // Newest first, as a walk goes.
  table.add({ commit: 'c2', changes: [change('new.ts', 'one', null), change('old.ts', null, 'one')] }, () => true);
  table.add(
    { commit: 'c1', changes: [change('old.ts', 'one', null), change('none.png', 'two', null)] },
    (path) => path !== 'none.png',
  );
  assert.deepEqual(
    table.byPath().map((oid) => table.version(oid)),
    [{ oid: 'one', path: 'new.ts' }],
  );
  assert.equal(table.broughtBy(0), 'c1');
});

test('missing blobs of a partial clone are listed, not fetched', async () => {
  const origin = createRepo();
  origin.git('config', 'uploadpack.allowFilter', 'true');
  origin.commit({ 'a.ts': '1\n' });
  const clone = cloneRepo(origin, '--filter=blob:none', '--no-checkout');
  const { repository, commits } = await walk(clone);
  const missing = await listMissingObjects(repository.git, 'HEAD');
  assert.deepEqual([...missing], [commits[0].changes[0].newOid]);
  const whole = await openRepository(origin.dir);
  assert.deepEqual([...(await listMissingObjects(whole.git, 'HEAD'))], []);
});

test('a tip that is not there is a failure, not an empty history', async () => {
  const { git } = await openRepository(createRepo().dir);
  await assert.rejects(listMissingObjects(git, 'a'.repeat(40)));
  await assert.rejects(walk(createRepo(), { tip: 'a'.repeat(40) }));
});

test('a tip that is not there is a failure even where git counts it as one more missing object', async (t) => {
  const { git } = await openRepository(createRepo().dir);
  const [there, absent] = ['a', 'b'].map((digit) => digit.repeat(40));
  // Stands for git 2.51, and lists every tip that begins with b as missing.
  t.mock.method(git, 'spawn', () => spawn('sed', ['-n', 's/^b/?b/p']));
  assert.deepEqual([...(await listMissingObjects(git, there))], []);
  for (const tips of [absent, [there, absent]])
    await assert.rejects(listMissingObjects(git, tips), new RegExp(`bad object ${absent}`));
});

test('reads commits with other encodings, invalid dates and empty messages', async () => {
  const repo = createRepo();
  const tree = repo.rawTree([]);
  const make = (header: string, message: Buffer | string) =>
    repo.gitInput(
      Buffer.concat([Buffer.from(`tree ${tree}\n${header}\n`), Buffer.from('\n'), Buffer.from(message as string)]),
      ...['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'],
    );
  const person = 'A <a@b> 1700000000 -0330';
  const reader = new GitReader((await openRepository(repo.dir)).git);
  const read = async (oid: string) => {
    const { date, author, subject } = (await readCommit(reader, oid)) ?? assert.fail('not read');
    return [date, author, subject];
  };
  try {
    const plain = `author ${person}\ncommitter ${person}`;
    assert.deepEqual(await read(make(plain, 'Subject\n\nbody\n')), ['2023-11-14T18:43:20-03:30', 'A', 'Subject']);
    const latin = Buffer.from('Gr\xf6\xdfe\n', 'latin1');
    assert.deepEqual((await read(make(`${plain}\nencoding ISO-8859-1`, latin)))[2], 'Größe');
    assert.deepEqual((await read(make(`${plain}\nencoding no-such`, 'text\n')))[2], 'text');
    const broken = 'author X <x> 99999999999999999999 +9999\ncommitter X <x> z';
    assert.deepEqual(await read(make(broken, '')), [null, 'X', '']);
    assert.deepEqual(await read(make('author nobody', 'x')), [null, '', 'x']);
  } finally {
    reader.close();
  }
  const authored = (header: string) => parseCommit('0'.repeat(40), Buffer.from(`${header}\n\nx\n`)).authored;
  assert.deepEqual([authored(`author ${person}`), authored('author nobody')], [1_700_000_000, null]);
  const long = parseCommit(
    '0'.repeat(40),
    Buffer.from(`author ${'n'.repeat(9_000)} <x> 1 +0000\n\n${'s'.repeat(9_000)}\n`),
  );
  assert.ok(long.author.length < 600 && long.subject.length < 600);
});

test('a line of an author that is long takes linear time', () => {
  // Quadratic time would be minutes.
  for (const unit of [' ', '<', '\t', '> ', '< >'])
    parseCommit('0'.repeat(40), Buffer.from(`author a${unit.repeat(1_000_000 / unit.length)}\n\nx`));
});

test('each blob is searched once for a text: lines are counted, in any case if wanted, and a missing blob counts as unknown', async () => {
  const repo = createRepo();
  const texts = ['one needle\nno\nneedle, needle\n', 'nothing\n', 'a Needle\n', '\0needle\n', 'needle'];
  const oids = [...texts.map((text) => repo.blob(text)), 'f'.repeat(40)];
  const scratch = openScratch(await openRepository(repo.dir));
  const count = async (ignoreCase: boolean, list = oids, occurrences = false) => {
    const counts: (number | null)[] = [];
    // Pieces come in the order in which their gits end.
    const counted = (lines: readonly (number | null)[], from: number) => {
      for (const [i, line] of lines.entries()) counts[from + i] = line;
    };
    await countInBlobs(scratch.git, list, { text: 'needle', ignoreCase }, { occurrences, counted });
    return counts;
  };
  try {
    assert.deepEqual(await count(false), [2, 0, 0, 1, 1, null]);
    assert.deepEqual(await count(true), [2, 0, 1, 1, 1, null]);
    assert.deepEqual(await count(false, oids, true), [3, 0, 0, 1, 1, null]);
    // Several pieces, each of which has its place.
    const many = Array.from({ length: 2_500 }, (_, i) => oids[i % 5]);
    assert.deepEqual(
      await count(false, many),
      Array.from({ length: 2_500 }, (_, i) => [2, 0, 0, 1, 1][i % 5]),
    );
    // Git complains about more blobs than its messages are kept of: one without a hit is unknown then, named or not.
    const gone = Array.from({ length: 1_000 }, (_, i) => i.toString(16).padStart(40, 'f'));
    assert.deepEqual(await count(false, [oids[0], ...gone]), [2, ...gone.map(() => null)]);
  } finally {
    scratch.close();
  }
  assert.equal(repo.git('count-objects').split(' ')[0], String(texts.length), 'nothing was written to the repository');
});

test('objects that are missing are listed behind more tips than a command line may have', async () => {
  const repo = createRepo();
  const tip = repo.commit({ 'a.txt': 'a\n' });
  const { git } = await openRepository(repo.dir);
  const tips = Array<string>(60_000).fill(tip);
  assert.ok(tips.join(' ').length > 2 ** 21, 'more than Linux takes');
  assert.deepEqual([...(await listMissingObjects(git, tips))], []);
});
