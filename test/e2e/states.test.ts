/** Every state a repository can be in: the answer is right, or says what is missing. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { IndexReport, SearchResponse } from '../../src/engine/contract.js';
import { cli, cliJson } from '../support/cli.js';
import { cloneRepo, createRepo, makeDirectory, TestRepo as Repo, runGit, type TestRepo } from '../support/repo.js';
import { manyFiles, PROJECT } from '../support/samples.js';

const search = (repo: { dir: string }, query: string, ...args: string[]) =>
  cliJson<SearchResponse>(['search', query, ...args], { cwd: repo.dir });
const index = (repo: { dir: string }, ...args: string[]) => cliJson<IndexReport>(['index', ...args], { cwd: repo.dir });

async function assertFinds(repo: { dir: string }, query: string, path: string, ...args: string[]): Promise<void> {
  const response = await search(repo, query, ...args);
  assert.equal(response.results[0]?.path, path);
  assert.equal(response.coverage.covered, response.coverage.total);
}

test('bare repository', async () => {
  const origin = createRepo();
  origin.commit(PROJECT);
  const bare = cloneRepo(origin, '--bare');
  await assertFinds(bare, 'rememberToken', 'src/session.ts');
  assert.equal((await search(bare, 'rememberToken')).dirty, 0);
  assert.equal((await cli(['status'], { cwd: bare.dir })).code, 0);
});

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

test('submodules are counted, not entered; inside one, its own files are found', async () => {
  const inner = createRepo();
  inner.commit(PROJECT);
  const outer = createRepo();
  outer.commit({ 'main.ts': 'export const outerThing = 1;\n' });
  outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'deps/inner');
  outer.commit();
  const report = await index(outer);
  assert.equal(report.skipped.submodule, 1);
  assert.equal((await cli(['search', 'rememberToken'], { cwd: outer.dir })).code, 1);
  await assertFinds({ dir: join(outer.dir, 'deps/inner') }, 'rememberToken', 'src/session.ts');
  await assertFinds(outer, 'outerThing', 'main.ts');
});

test('SHA-256 repository', async () => {
  const repo = createRepo({ objectFormat: 'sha256' });
  repo.commit(PROJECT);
  const report = await index(repo);
  assert.match(report.commit ?? '', /^[0-9a-f]{64}$/);
  assert.equal(repo.notes().size, 4);
  assert.equal(repo.fsck(), '');
  await assertFinds(repo, 'rememberToken', 'src/session.ts');
  assert.equal((await index(repo)).bytesAdded, 0);
});

test('detached HEAD', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  repo.commit({ 'src/later.ts': 'export const laterThing = 2;\n' });
  repo.git('checkout', '-q', '--detach', 'HEAD~1');
  assert.equal((await cli(['search', 'laterThing'], { cwd: repo.dir })).code, 1);
  await assertFinds(repo, 'laterThing', 'src/later.ts', '--ref', 'main');
});

test('unborn HEAD and a repository without files', async () => {
  const repo = createRepo();
  for (const command of [['index'], ['search', 'x'], ['status']]) {
    const { code, stderr, stdout } = await cli(command, { cwd: repo.dir });
    assert.deepEqual([code, stdout], [2, ''], command[0]);
    assert.match(stderr, /^git-socraticode: HEAD has no commit yet\n {2}\S.*\n$/);
  }
  assert.equal((await cli(['config'], { cwd: repo.dir })).code, 0);
  repo.commit({}, 'empty');
  assert.deepEqual([(await index(repo)).files, (await cli(['search', 'x'], { cwd: repo.dir })).code], [0, 1]);
});

test('shallow clone', async () => {
  const origin = createRepo();
  origin.commit({ 'old.ts': 'export const oldThing = 1;\n' });
  origin.commit(PROJECT);
  const shallow = cloneRepo(origin, '--depth=1');
  await assertFinds(shallow, 'rememberToken', 'src/session.ts');
  const { code, stderr } = await cli(['search', 'oldThing', '--ref', 'HEAD~1'], { cwd: shallow.dir });
  assert.equal(code, 2);
  assert.match(stderr, /unknown ref: HEAD~1/);
});

function partialClone(origin: TestRepo): TestRepo {
  origin.git('config', 'uploadpack.allowFilter', 'true');
  return cloneRepo(origin, '--filter=blob:none', '--no-checkout');
}

const missingObjects = (repo: TestRepo) =>
  runGit(['rev-list', '--objects', '--all', '--missing=print'], { cwd: repo.dir })
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('?')).length;

test('partial clone without share.fetch: nothing is fetched behind the back, what cannot be read is said', async () => {
  const origin = createRepo();
  origin.commit({ ...PROJECT, ...manyFiles(150), '.gitattributes': '*.py linguist-generated\n' });
  const partial = partialClone(origin);
  partial.git('config', 'socraticode.share.fetch', 'never');
  const missing = missingObjects(partial);
  assert.equal(missing, 155);
  const started = performance.now();
  const report = await index(partial);
  assert.ok(performance.now() - started < 10_000);
  assert.deepEqual([report.files, report.skipped.unreadable], [0, 155]);
  assert.equal(missingObjects(partial), missing);
  partial.git('checkout', '-q', 'HEAD', '--', 'src/session.ts', 'lib/depot.py');
  // The other files count as deleted in the work tree by now.
  const args = ['search', 'rememberToken', '--committed'];
  const { code, stdout } = await cli([...args, '--json'], { cwd: partial.dir });
  assert.deepEqual([code, JSON.parse(stdout).coverage], [1, { covered: 0, total: 155 }]);
  await index(partial);
  const after = await search(partial, 'rememberToken', '--committed');
  assert.deepEqual([after.results[0]?.path, after.coverage], ['src/session.ts', { covered: 2, total: 155 }]);
  const text = await cli(args, { cwd: partial.dir });
  assert.match(text.stdout, /partial: 2 of 155 files/);
  const status = await cli(['status'], { cwd: partial.dir });
  assert.match(status.stdout, /153 unreadable/);
  assert.equal(missingObjects(partial), missing - 2);
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

test('a repository whose objects are gone says so and does not crash', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const oid = repo.git('rev-parse', 'HEAD:src/session.ts');
  rmSync(join(repo.commonDir, 'objects', oid.slice(0, 2), oid.slice(2)));
  const report = await index(repo);
  assert.deepEqual([report.files, report.skipped.unreadable], [3, 1]);
  const tree = repo.git('rev-parse', 'HEAD:src');
  rmSync(join(repo.commonDir, 'objects', tree.slice(0, 2), tree.slice(2)));
  // What is cached of the snapshot would answer.
  rmSync(repo.state, { recursive: true });
  const { code, stderr } = await cli(['search', 'x'], { cwd: repo.dir });
  assert.equal(code, 2);
  assert.match(stderr, /^git-socraticode: [^\n]+\n {2}[^\n]*git fsck[^\n]*\n$/);
});
