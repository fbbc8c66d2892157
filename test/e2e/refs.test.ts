/** Asking about any ref without checking it out, about a change, and about every branch at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexReport } from '../../src/questions/index/question.js';
import { type SearchResponse, searchResponseSchema } from '../../src/questions/search/question.js';
import { check } from '../support/check.js';
import { cli, cliJson } from '../support/in-process/cli.js';
import { cloneRepo, createRepo, type TestRepo } from '../support/repositories/repo.js';

const ask = (repo: TestRepo, ...args: string[]) => cliJson<SearchResponse>(['search', ...args], { cwd: repo.dir });
const places = ({ results }: SearchResponse) => results.map(({ path, startLine }) => `${path}:${startLine}`);
const paths = ({ results }: SearchResponse) => results.map(({ path }) => path).sort();

/** main: old.ts, changed.ts; then a commit that changes one, renames, copies and adds; then one more. */
function history(): TestRepo {
  const repo = createRepo();
  repo.commit(
    {
      'src/old.ts': 'export function oldHarbour() {\n  return "harbour of old";\n}\n',
      'src/changed.ts': 'export function changedHarbour() {\n  return "harbour before";\n}\n',
      'src/moved.ts': 'export function movedHarbour() {\n  return "harbour that moves";\n}\n',
    },
    'start',
  );
  repo.git('tag', '-a', '-m', 'annotated', 'v1');
  repo.git('mv', 'src/moved.ts', 'src/elsewhere.ts');
  repo.commit(
    {
      'src/changed.ts': 'export function changedHarbour() {\n  return "harbour after";\n}\n',
      'src/copy.ts': 'export function oldHarbour() {\n  return "harbour of old";\n}\n',
      'src/new.ts': 'export function newHarbour() {\n  return "harbour that is new";\n}\n',
    },
    'the great harbour change',
  );
  repo.commit({ 'src/last.ts': 'export function lastHarbour() {\n  return "harbour, the last";\n}\n' }, 'last');
  return repo;
}

test('a ref is a branch, a tag, a commit, an ancestor, a tree', async () => {
  const repo = history();
  const first = repo.git('rev-parse', 'v1^{commit}');
  for (const ref of ['v1', 'tags/v1', first, first.slice(0, 9), 'HEAD~2', 'main~2', 'v1^{tree}']) {
    const answer = await ask(repo, 'harbour', '--ref', ref);
    assert.deepEqual(paths(answer), ['src/changed.ts', 'src/moved.ts', 'src/old.ts'], ref);
    assert.equal(answer.commit, ref === 'v1^{tree}' ? null : first);
    assert.equal(answer.ref, ref);
  }
  for (const ref of [
    'no-such',
    '--all',
    ':/start',
    'HEAD^{/great}',
    'main@{yesterday}',
    'HEAD~9',
    'v1:src/old.ts',
    '',
  ]) {
    const { code, stderr } = await cli(['search', 'harbour', `--ref=${ref}`], { cwd: repo.dir });
    assert.equal(code, 2, ref);
    assert.match(stderr, ref === '' ? /--ref takes text/ : /unknown ref/);
  }
});

test('--in A..B finds only what is new: neither renames nor copies are', async () => {
  const repo = history();
  const answer = await ask(repo, 'harbour', '--in', 'v1..HEAD');
  assert.deepEqual(paths(answer), ['src/changed.ts', 'src/last.ts', 'src/new.ts']);
  assert.deepEqual(answer.range, { from: repo.git('rev-parse', 'v1^{commit}'), files: 3 });
  assert.deepEqual(check(searchResponseSchema, answer), answer);
  assert.deepEqual(paths(await ask(repo, 'harbour', '--in', 'v1..HEAD~1')), ['src/changed.ts', 'src/new.ts']);
  assert.deepEqual(paths(await ask(repo, 'harbour', '--in', 'v1..', '--path', 'new.ts')), ['src/new.ts']);
  const nothing = await cli(['search', 'harbour', '--in', 'HEAD..HEAD'], { cwd: repo.dir });
  assert.equal(nothing.code, 1);
  assert.match(nothing.stdout, /no file changed since [0-9a-f]{12}, so there was nothing to search/);
});

test('--in A...B compares with where the branches parted', async () => {
  const repo = history();
  repo.git('checkout', '-q', '-b', 'side', 'HEAD~1');
  repo.commit({ 'src/side.ts': 'export function sideHarbour() {\n  return "harbour at the side";\n}\n' });
  assert.deepEqual(paths(await ask(repo, 'harbour', '--in', 'main...side')), ['src/side.ts']);
  assert.deepEqual(paths(await ask(repo, 'harbour', '--in', 'side...main')), ['src/last.ts']);
  repo.git('checkout', '-q', '--orphan', 'alone');
  repo.commit({}, 'alone');
  const apart = await cli(['search', 'harbour', '--in', 'main...alone'], { cwd: repo.dir });
  assert.equal(apart.code, 2);
  assert.match(apart.stderr, /no common ancestor[\s\S]*main\.\.alone/);
});

test('an invalid range, and options that exclude each other, are refused', async () => {
  const repo = history();
  for (const range of ['main', '..', '...', 'a....b', '']) {
    const { code, stderr } = await cli(['search', 'harbour', `--in=${range}`], { cwd: repo.dir });
    assert.equal(code, 2, range);
    assert.match(stderr, range === '' ? /--in takes text/ : /not a range of refs/);
    assert.equal(stderr.includes('main^..main is that commit alone'), range === 'main', stderr);
  }
  for (const pair of [
    ['--in', 'v1..HEAD', '--ref', 'v1'],
    ['--all-refs', '--ref', 'v1'],
    ['--all-refs', '--in', 'v1..'],
  ]) {
    assert.match((await cli(['search', 'harbour', ...pair], { cwd: repo.dir })).stderr, /exclude each other/);
  }
});

test('--all-refs finds code of every branch and says which', async () => {
  const repo = history();
  repo.git('checkout', '-q', '-b', 'feature/quay', 'v1');
  repo.commit({ 'src/quay.ts': 'export function quayHarbour() {\n  return "harbour with a quay";\n}\n' });
  repo.git('checkout', '-q', 'main');
  const clone = cloneRepo(repo);
  const answer = await ask(clone, 'quayHarbour', '--all-refs');
  assert.deepEqual(places(answer).slice(0, 1), ['src/quay.ts:1']);
  assert.deepEqual(answer.results[0].refs, ['origin/feature/quay']);
  assert.deepEqual([answer.commit, answer.branches], [null, { searched: 3, leftOut: 0 }]);
  assert.deepEqual(check(searchResponseSchema, answer), answer);
  // One text in two blobs: each place says where it stands.
  const old = (await ask(clone, 'oldHarbour', '--all-refs')).results[0];
  const held = Object.fromEntries([old, ...(old.places ?? [])].map(({ path, refs }) => [path, refs?.join()]));
  assert.equal(held['src/copy.ts'], 'main,origin/main');
  assert.equal(held['src/old.ts']?.split(',').sort().join(), 'main,origin/feature/quay,origin/main');
  // Both versions of a file are there, each on its own branches.
  const versions = (await ask(clone, 'changedHarbour', '--all-refs')).results.filter(
    ({ path }) => path === 'src/changed.ts',
  );
  assert.deepEqual(versions.map(({ refs }) => refs?.join()).sort(), ['main,origin/main', 'origin/feature/quay']);
  assert.match(
    (await cli(['search', 'quayHarbour', '--all-refs'], { cwd: clone.dir })).stdout,
    /on origin\/feature\/quay/,
  );
});

test('--all-refs works without a commit on HEAD, and where there is no branch at all', async () => {
  const repo = history();
  repo.git('checkout', '-q', '--orphan', 'unborn');
  assert.equal((await ask(repo, 'lastHarbour', '--all-refs')).results[0].path, 'src/last.ts');
  const empty = createRepo();
  const { code, stderr } = await cli(['search', 'x', '--all-refs'], { cwd: empty.dir });
  assert.equal(code, 2);
  assert.match(stderr, /HEAD has no commit yet/);
});

test('switching between indexed branches parses nothing', async () => {
  const repo = history();
  repo.git('branch', 'one', 'v1');
  for (const ref of ['one', 'main']) await cli(['index', '--ref', ref], { cwd: repo.dir });
  for (const branch of ['one', 'main', 'one']) {
    repo.git('checkout', '-q', branch);
    const report = await cliJson<IndexReport>(['index'], { cwd: repo.dir });
    assert.deepEqual([report.new, report.bytesAdded], [0, 0]);
  }
});
