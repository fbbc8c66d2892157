/** What is said of repositories of an unusual shape; that answers are right in all of them is campaign `states`. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { IndexReport } from '../../src/questions/index/question.js';
import type { SearchResponse } from '../../src/questions/search/question.js';
import { cli, cliJson } from '../support/in-process/cli.js';
import { cloneRepo, createRepo, makeDirectory, TestRepo as Repo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

const search = (repo: { dir: string }, query: string, ...args: string[]) =>
  cliJson<SearchResponse>(['search', query, ...args], { cwd: repo.dir });
const index = (repo: { dir: string }, ...args: string[]) => cliJson<IndexReport>(['index', ...args], { cwd: repo.dir });

async function assertFinds(repo: { dir: string }, query: string, path: string, ...args: string[]): Promise<void> {
  const response = await search(repo, query, ...args);
  assert.equal(response.results[0]?.path, path);
  assert.equal(response.coverage.covered, response.coverage.total);
}

test('linked work trees share records and shards', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  await index(repo);
  const linked = new Repo(join(makeDirectory(), 'linked'));
  repo.git('worktree', 'add', '-q', '-b', 'other', linked.dir);
  assert.deepEqual([(await index(linked)).new, (await index(linked)).bytesAdded], [0, 0]);
  linked.commit({ 'src/linked.ts': 'export function onlyInLinked(): void {}\n' });
  await assertFinds(linked, 'onlyInLinked', 'src/linked.ts');
  assert.equal(linked.state, repo.state);
  assert.equal((await index(repo, '--ref', 'other')).new, 0);
  await assertFinds({ dir: join(linked.dir, 'src') }, 'onlyInLinked', 'src/linked.ts');
});

test('submodules are counted, not entered unless asked for, and questions about their files say so', async () => {
  const inner = createRepo();
  inner.commit(PROJECT);
  const outer = createRepo();
  outer.commit({ 'main.ts': 'export const outerThing = 1;\n' });
  outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'deps/inner');
  outer.commit();
  const report = await index(outer);
  assert.equal(report.skipped.submodule, 1);
  assert.equal((await cli(['search', 'rememberToken'], { cwd: outer.dir })).code, 1);
  const linked = await cli(['search', 'rememberToken', '--linked'], { cwd: outer.dir });
  assert.match(linked.stdout, /^inner:src\/session\.ts:\d+ {2}/);
  for (const args of [
    ['why', 'deps/inner/src/session.ts:1'],
    ['show', 'deps/inner/src/session.ts'],
  ])
    assert.match((await cli(args, { cwd: outer.dir })).stderr, /exists but is not indexed: it belongs to another repo/);
});

test('unborn HEAD and a repository without files', async () => {
  const repo = createRepo();
  for (const command of [['index'], ['search', 'x']]) {
    const { code, stderr, stdout } = await cli(command, { cwd: repo.dir });
    assert.deepEqual([code, stdout], [2, ''], command[0]);
    assert.match(stderr, /^git-socraticode: HEAD has no commit yet\n {2}\S.*\n$/);
  }
  assert.equal((await cli(['config'], { cwd: repo.dir })).code, 0);
  const status = await cli(['status'], { cwd: repo.dir });
  assert.equal(status.code, 0, status.stderr);
  assert.match(status.stdout, /^ref +HEAD \(no commit\) .*\ncoverage +0 of 0 files[\s\S]*\nnext\n {2}git commit\n$/);
  repo.commit({}, 'empty');
  assert.deepEqual([(await index(repo)).files, (await cli(['search', 'x'], { cwd: repo.dir })).code], [0, 1]);
});

test('shallow clone', async () => {
  const origin = createRepo();
  origin.commit({ 'old.ts': 'export const oldThing = 1;\n' });
  origin.commit(PROJECT);
  const shallow = cloneRepo(origin, '--depth=1');
  const { code, stderr } = await cli(['search', 'oldThing', '--ref', 'HEAD~1'], { cwd: shallow.dir });
  assert.equal(code, 2);
  assert.match(stderr, /unknown ref: HEAD~1/);
});

test('LFS pointers, symlinks, CRLF, executables, empty and binary files', async () => {
  const repo = createRepo();
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;
  repo.git('config', 'core.autocrlf', 'false');
  repo.write({
    'video.ts': pointer,
    'crlf.ts': 'export function windowsLines() {\r\n  return 1;\r\n}\r\n',
    'empty.ts': '',
    'data.dat': Buffer.from([1, 0, 2, 0, 3]),
    tool: '#!/usr/bin/env python3\ndef shebang_tool():\n    pass\n',
  });
  symlinkSync('/etc/passwd', join(repo.dir, 'link.ts'));
  mkdirSync(join(repo.dir, 'real'));
  symlinkSync('real', join(repo.dir, 'linked-directory'));
  repo.commit();
  const report = await index(repo);
  assert.deepEqual(report.skipped, { symlink: 2, 'lfs-pointer': 1, binary: 1 });
  const found = await search(repo, 'windowsLines');
  assert.deepEqual([found.results[0].startLine, found.results[0].endLine], [1, 3]);
  assert.equal(found.results[0].content, 'export function windowsLines() {\r\n  return 1;\r\n}');
  assert.doesNotMatch((await cli(['search', 'windowsLines'], { cwd: repo.dir })).stdout, /\r|\\x0d/);
  assert.equal((await search(repo, 'shebang_tool')).results[0].language, 'python');
});
