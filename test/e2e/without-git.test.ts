/** A machine without a git binary: an indexed repository can be searched, everything else says what is missing. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SearchResponse } from '../../src/questions/search/question.js';
import type { StatusReport } from '../../src/questions/status/question.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { cloneRepo, createRepo, makeDirectory } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

const env = { PATH: makeDirectory('no-git') };

test('search answers as with git; uncommitted files are counted only', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, '.socraticode.json': '{"exclude":["cmd/**"]}' });
  repo.git('config', 'socraticode.search.limit', '2');
  const args = ['search', 'parcel depot session'];
  await cliJson<SearchResponse>(args, { cwd: repo.dir });
  repo.git('gc', '-q');
  repo.write({ 'README.md': '# changed\n', 'untracked.ts': '' });
  for (const query of [args, [...args, '--ref', 'main']]) {
    const withGit = await cliJson([...query, '--committed'], { cwd: repo.dir });
    const without = await cliJson(query, { cwd: repo.dir, env });
    assert.deepEqual(without, withGit);
  }
  const bare = cloneRepo(repo, '--bare');
  const expected = await cliJson(args, { cwd: bare.dir });
  assert.deepEqual(await cliJson(args, { cwd: bare.dir, env }), expected);
  const verbose = await cli(['-v', ...args], { cwd: join(repo.dir, 'src'), env });
  assert.match(verbose.stderr, /isomorphic-git/);
});

test('a clone whose objects are in another repository is refused with the reason', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const dir = join(makeDirectory('shared'), 'clone');
  repo.git('clone', '-q', '--shared', repo.dir, dir);
  await cli(['index'], { cwd: dir });
  const { code, stdout, stderr } = await cli(['search', 'session'], { cwd: dir, env });
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /objects of this clone are in another repository, which only git reads\n {2}Install git/);
});

test('show, grep, status and config answer about what is committed and indexed', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, '.socraticode.json': '{"exclude":["cmd/**"]}' });
  repo.git('remote', 'add', 'origin', '/nowhere');
  await cli(['index'], { cwd: repo.dir });
  for (const command of [
    ['show', 'src/session.ts:1-3', 'nearest_depot'],
    ['show', '--ref', 'main', 'lib/depot.py'],
    ['grep', 'parcel'],
    ['grep', '--ast', 'min($$$)'],
    ['config', '--ref', 'main'],
  ]) {
    const expected = await cliJson<Record<string, unknown>>(command, { cwd: repo.dir });
    const answered = await cliJson<Record<string, unknown>>(command, { cwd: repo.dir, env });
    assert.deepEqual({ ...answered, ms: 0 }, { ...expected, ms: 0 }, command.join(' '));
  }
  const [withGit, without] = await Promise.all([
    cliJson<StatusReport>(['status'], { cwd: repo.dir }),
    cliJson<StatusReport>(['status'], { cwd: repo.dir, env }),
  ]);
  const same = ({ coverage, records, chunks, branch, remotes, languages, shards, dirty }: StatusReport) => {
    return { coverage, records, chunks, branch, remotes, languages, shards, dirty };
  };
  assert.deepEqual(same(without), same(withGit));
  assert.match(without.notice ?? '', /^no git program here: .* are not counted$/);
  // A detached HEAD has no branch.
  repo.git('checkout', '-q', '--detach');
  assert.equal((await cliJson<StatusReport>(['status'], { cwd: repo.dir, env })).branch, null);
});

test('what needs git says so, with a next step', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  for (const command of [
    ...[['index'], ['search', 'not indexed yet'], ['review'], ['history', 'x'], ['diff', 'main'], ['symbol', 'x']],
    ...[['push'], ['owners'], ['why', 'README.md:1']],
  ]) {
    const { code, stdout, stderr } = await cli(command, { cwd: repo.dir, env });
    assert.deepEqual([code, stdout], [2, ''], command[0]);
    assert.match(stderr, /^git-socraticode: [^\n]*git[^\n]*\n {2}Install git 2\.31 or newer[^\n]*\n$/);
  }
});
