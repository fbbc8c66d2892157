/** `index` end to end: what it writes, and when it writes nothing. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dryRunSchema, type IndexReport, indexReportSchema } from '../../src/questions/index/question.js';
import type { SearchResponse } from '../../src/questions/search/question.js';
import { check } from '../support/check.js';
import { cli, cliJson } from '../support/in-process/cli.js';
import { cloneRepo, createRepo, type TestRepo } from '../support/repositories/repo.js';
import { manyFiles, PROJECT } from '../support/repositories/samples.js';

/** Everything that an index run may write, by name, size and time. */
function stateOf(repo: TestRepo): string {
  const files = existsSync(repo.state) ? (readdirSync(repo.state, { recursive: true }) as string[]) : [];
  const listed = files.sort().map((name) => {
    const { mtimeMs, size, ino } = statSync(join(repo.state, name));
    return `${name} ${size} ${ino} ${mtimeMs}`;
  });
  return JSON.stringify([repo.notesRefs(), listed, repo.git('count-objects', '-v')]);
}

const index = (repo: TestRepo, ...args: string[]) =>
  cliJson<IndexReport>(['index', ...args], { cwd: repo.dir }).then((report) => check(indexReportSchema, report));

test('the first run indexes everything, the second writes nothing', async () => {
  const repo = createRepo();
  const commit = repo.commit(PROJECT);
  const first = await index(repo);
  assert.equal(first.commit, commit);
  assert.deepEqual([first.files, first.blobs, first.new, first.reused], [4, 4, 4, 0]);
  assert.ok(first.chunks >= 4 && first.bytesAdded > 0);
  assert.equal(repo.notes().size, 4);
  assert.equal(repo.fsck(), '');
  const before = stateOf(repo);
  const second = await index(repo);
  assert.deepEqual([second.new, second.reused, second.bytesAdded, second.chunks], [0, 4, 0, first.chunks]);
  assert.equal(stateOf(repo), before);
  const text = await cli(['index'], { cwd: repo.dir });
  assert.deepEqual([text.code, text.stderr], [0, '']);
  assert.match(text.stdout, /^HEAD [0-9a-f]{9}: 4 files, \d+ chunks \(nothing to do\) in [^\n]+\n$/);
});

test('moved files make no records; one blob at two paths is one record', async () => {
  const repo = createRepo();
  repo.commit({ ...manyFiles(200, 'src'), 'copy/part0.ts': manyFiles(1)['src/part0.ts'] });
  const first = await index(repo);
  assert.deepEqual([first.files, first.blobs, first.new], [201, 200, 200]);
  assert.equal(repo.notes().size, 200);
  repo.git('mv', 'src', 'moved');
  repo.commit();
  const shards = () => stateOf(repo).match(/lexical-[^"]+/g);
  const before = [repo.notesRefs(), repo.git('count-objects', '-v'), shards()];
  const second = await index(repo);
  assert.deepEqual([second.new, second.bytesAdded, second.files], [0, 0, 201]);
  // Only the manifest may remember that the new tree is complete.
  assert.deepEqual([repo.notesRefs(), repo.git('count-objects', '-v'), shards()], before);
});

test('--force makes the local index anew from records; --dry-run of it writes nothing', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const first = await index(repo);
  const [refs, before] = [repo.notesRefs(), stateOf(repo)];
  await cliJson(['index', '--force', '--dry-run'], { cwd: repo.dir });
  assert.equal(stateOf(repo), before);
  const again = await index(repo, '--force');
  assert.deepEqual([again.files, again.chunks, again.new], [first.files, first.chunks, 0]);
  assert.ok(again.bytesAdded > 0, 'shards are written once more');
  assert.deepEqual(repo.notesRefs(), refs);
  const found = await cli(['search', 'remember a token'], { cwd: repo.dir });
  assert.match(found.stdout, /src\/session\.ts/);
});

test('--dry-run counts and writes nothing', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const before = stateOf(repo);
  const plan = check(dryRunSchema, await cliJson(['index', '--dry-run'], { cwd: repo.dir }));
  assert.deepEqual([plan.files, plan.wouldParse, plan.wouldLoad], [4, 4, 0]);
  assert.ok(plan.sourceBytes > 0 && plan.estimatedBytes > 0);
  assert.equal(stateOf(repo), before);
  const text = await cli(['index', '--dry-run'], { cwd: repo.dir });
  assert.match(text.stdout, /would parse 4 blobs/);
  assert.equal(stateOf(repo), before);
});

test('another branch is indexed without a checkout, and only its new blobs are parsed', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  repo.git('switch', '-q', '-c', 'feature');
  const commit = repo.commit({ 'src/feature.ts': 'export const featureFlag = true;\n' });
  repo.git('switch', '-q', 'main');
  await index(repo);
  const report = await index(repo, '--ref', 'feature');
  assert.deepEqual([report.ref, report.commit, report.new, report.reused], ['feature', commit, 1, 4]);
  assert.equal(repo.git('rev-parse', '--abbrev-ref', 'HEAD'), 'main');
  assert.equal(existsSync(join(repo.dir, 'src/feature.ts')), false);
});

test('a tag, a short oid and HEAD~1 name snapshots too', async () => {
  const repo = createRepo();
  const first = repo.commit(PROJECT);
  repo.git('tag', '-a', 'v1', '-m', 'one');
  repo.commit({ 'README.md': '# Other\n' });
  for (const ref of ['v1', first.slice(0, 8), 'HEAD~1', 'main~']) {
    assert.equal((await index(repo, '--ref', ref)).commit, first, ref);
  }
});

test('two repositories with the same files write byte-identical notes', async () => {
  const [one, two] = [createRepo(), createRepo()];
  one.commit({ ...PROJECT, ...manyFiles(30) });
  for (const [path, content] of Object.entries({ ...manyFiles(30), ...PROJECT }).reverse()) {
    two.commit({ [path]: content });
  }
  await index(one);
  await index(two, '--ref', 'HEAD~10');
  await index(two);
  assert.equal(one.notesTree(), two.notesTree());
});

test('shards are the same bytes for the same snapshot', async () => {
  const [one, two] = [createRepo(), createRepo()];
  for (const repo of [one, two]) {
    repo.commit({ ...PROJECT, ...manyFiles(60) });
    await index(repo);
  }
  const shards = (repo: TestRepo) =>
    (readdirSync(repo.state, { recursive: true }) as string[])
      .filter((name) => name.endsWith('.bin') && name.includes('lexical'))
      .map((name) => readFileSync(join(repo.state, name)).toString('base64'));
  assert.deepEqual(shards(one), shards(two));
});

test('notes fetched from elsewhere are loaded instead of parsed', async () => {
  const [one, two] = [createRepo(), createRepo()];
  one.commit(PROJECT);
  two.commit(PROJECT);
  await index(one);
  two.git('fetch', '-q', one.dir, '+refs/notes/socraticode/*:refs/notes/socraticode/*');
  const report = await index(two);
  assert.deepEqual([report.new, report.files], [0, 4]);
  assert.equal(two.notesTree(), one.notesTree());
});

test('lost notes are written again from the blobs', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  await index(repo);
  const tree = repo.notesTree();
  repo.git('update-ref', '-d', repo.notesRef);
  await index(repo);
  assert.equal(repo.notesTree(), tree);
});

test('a file whose name tells no language is read by its content, whatever other paths had the same bytes', async () => {
  const repo = createRepo();
  repo.commit({ 'tool.js': 'export function parcelTool() {\n  return 1;\n}\n' });
  await cliJson(['index'], { cwd: repo.dir });
  repo.git('mv', 'tool.js', 'tool');
  repo.commit();
  const ask = async (dir: string) => {
    const { results } = await cliJson<SearchResponse>(['search', 'parcelTool'], { cwd: dir });
    return results.map(({ path, language, score }) => ({ path, language, score }));
  };
  const fresh = cloneRepo(repo);
  fresh.git('remote', 'remove', 'origin');
  const seen = await ask(repo.dir);
  assert.deepEqual(
    seen.map(({ path, language }) => [path, language]),
    [['tool', 'text']],
  );
  assert.deepEqual(seen, await ask(fresh.dir));
});
