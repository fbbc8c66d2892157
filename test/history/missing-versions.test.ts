/** History over file versions that a clone lacks: nothing is claimed of them, and git's failure is no bug of ours. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { HistoryResponse } from '../../src/questions/history/question.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { createRepo, makeDirectory, runGit, TestRepo } from '../support/repositories/repo.js';

const body = (version: number) => `export function total() {\n  return ${version};\n}\n`;

function withVersions(count: number): TestRepo {
  const repo = createRepo();
  for (let version = 1; version <= count; version++) repo.commit({ 'a.ts': body(version) }, `v${version}`);
  return repo;
}

test('where a blob of an old version is missing, other versions still tell when code changed', async () => {
  const repo = withVersions(4);
  const oid = repo.git('rev-parse', 'HEAD~2:a.ts');
  rmSync(join(repo.commonDir, 'objects', oid.slice(0, 2), oid.slice(2)));
  const { results, versions } = await cliJson<HistoryResponse>(['history', 'total'], { cwd: repo.dir });
  assert.equal(versions.unreadable, 1);
  assert.deepEqual(
    results[0].events.map(({ type, subject }) => [type, subject]),
    [
      ['changed', 'v4'],
      ['appeared', 'v1'],
    ],
  );
});

test('a partial clone does not take the oldest version that it has for the first one', async () => {
  const repo = withVersions(3);
  repo.git('config', 'uploadpack.allowFilter', 'true');
  const partial = new TestRepo(join(makeDirectory(), 'partial'));
  runGit(['clone', '-q', '--filter=blob:none', `file://${repo.dir}`, partial.dir], { cwd: repo.dir });
  const { stdout } = await cli(['history', 'total'], { cwd: partial.dir });
  assert.match(stdout, /first appeared not known: this clone lacks 2 versions of files/);
  assert.doesNotMatch(stdout, /v3/);
});

test('git dying early in a long history is not taken for a fault of this program', async () => {
  const repo = createRepo();
  const [first, last] = [repo.blob(body(1)), repo.blob(body(2))];
  const lost = repo.blob(body(3));
  const commits = Array.from({ length: 5_000 }, (_, i) => {
    const blob = i === 4_990 ? lost : i % 2 === 0 ? first : last;
    return `commit refs/heads/long\ncommitter A <a@b.c> ${1_600_000_000 + i} +0000\ndata 1\nx\nM 100644 ${blob} a.ts\n`;
  });
  repo.gitInput(commits.join(''), 'fast-import', '--quiet');
  rmSync(join(repo.commonDir, 'objects', lost.slice(0, 2), lost.slice(2)));
  const { code, stdout, stderr } = await cli(['history', 'total', '--ref', 'long', '--no-content'], { cwd: repo.dir });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /1 file version could not be read/);
});
