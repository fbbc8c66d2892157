/** Cached views: a new process answers without listing the tree, and never from a view that does not fit. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { indexRef } from '../../../src/session/indexing/index-operation.js';
import { inProcess } from '../../support/in-process/search.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';
import { PROJECT } from '../../support/repositories/samples.js';

interface Answer {
  listed: number;
  paths: string[];
  json: string;
}

/** What a new process answers, and how many trees it listed for that. */
const ask = (repo: TestRepo, query = 'parcel depot', ref?: string, flags?: Record<string, unknown>): Promise<Answer> =>
  inProcess(
    repo,
    async (process) => {
      const response = await process.search(query, { ref, explain: true, committed: true });
      const paths = response.results.map(({ path }) => path);
      return { listed: process.listed, paths, json: JSON.stringify(response) };
    },
    flags,
  );

function project(): TestRepo {
  const repo = createRepo();
  repo.commit(PROJECT);
  return repo;
}

/** Paths of all views of a repository. */
function views(repo: TestRepo): string[] {
  const names = readdirSync(repo.state, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /view-[0-9a-f]+\.bin$/.test(name)).map((name) => join(repo.state, name));
}

test('the second process answers the same without listing the tree', async () => {
  const repo = project();
  for (const query of ['parcel depot', 'SessionStore', 'parcl', 'no such thing anywhere']) {
    await ask(repo, query);
    const cached = await ask(repo, query);
    assert.equal(cached.listed, 0);
    for (const path of views(repo)) writeFileSync(path, '');
    const fresh = await ask(repo, query);
    assert.equal(fresh.listed, 1);
    assert.equal(cached.json, fresh.json);
  }
});

test('filters and copies work on a view as on a listed tree', async () => {
  const repo = project();
  repo.commit({ 'copy/depot.py': PROJECT['lib/depot.py'] });
  const answers: unknown[] = [];
  for (let i = 0; i < 2; i++) {
    await inProcess(repo, async (process) => {
      const options = { path: ['lib'], lang: ['python'], kind: ['function'] };
      answers.push(await process.search('depot', options));
      assert.equal(process.listed, i === 0 ? 1 : 0);
    });
  }
  assert.deepEqual(answers[0], answers[1]);
});

test('a new commit, another ignore file or other settings get no old view', async () => {
  const repo = project();
  await ask(repo);
  repo.commit({ 'src/parcel.ts': 'export const parcelDepotLabel = "parcel depot";\n' });
  const committed = await ask(repo);
  // A commit that differs by a file is reached from the one before: no tree is listed.
  assert.ok(committed.listed === 0 && committed.paths.includes('src/parcel.ts'));

  repo.write({ '.socraticodeignore': 'lib/\n' });
  const ignoring = await ask(repo);
  assert.ok(ignoring.listed > 0 && !ignoring.paths.includes('lib/depot.py'));
  // The file is not committed: it says nothing about refs.
  assert.ok((await ask(repo, 'parcel depot', 'main')).paths.includes('lib/depot.py'));

  repo.write({ '.socraticodeignore': '', '.socraticode.json': '{ "exclude": ["src/parcel.ts"] }\n' });
  const excluding = await ask(repo);
  assert.ok(!excluding.paths.includes('src/parcel.ts') && excluding.paths.includes('lib/depot.py'));

  const flagged = await ask(repo, 'parcel depot', undefined, { exclude: ['lib/**', 'src/**', '*.md'] });
  assert.deepEqual(flagged.paths, ['cmd/main.go']);

  repo.git('config', 'socraticode.exclude', 'README.md');
  assert.ok(!(await ask(repo)).paths.includes('README.md'));

  process.env.SOCRATICODE_EXCLUDE = 'src/**,cmd/**,README.md';
  try {
    assert.deepEqual((await ask(repo)).paths, ['lib/depot.py']);
  } finally {
    delete process.env.SOCRATICODE_EXCLUDE;
  }
});

test('a lowered size limit takes effect although a view is cached', async () => {
  const repo = project();
  repo.commit({ 'src/long.ts': `export const longThing = 1;\n${'// filler\n'.repeat(200)}` });
  assert.equal((await ask(repo, 'longThing')).paths[0], 'src/long.ts');
  assert.deepEqual((await ask(repo, 'longThing', undefined, { maxFileBytes: 1024 })).paths, []);
  assert.equal((await ask(repo, 'longThing')).paths[0], 'src/long.ts');
});

test('a view is good as long as the shards it refers to are there, whatever other branches add', async () => {
  const repo = project();
  const before = await ask(repo);
  repo.git('checkout', '-q', '-b', 'other');
  repo.commit({ 'src/parcel.ts': 'export const parcelDepotLabel = "parcel depot";\n' });
  await inProcess(repo, ({ session }) => indexRef(session));
  repo.git('checkout', '-q', 'main');
  const after = await ask(repo);
  assert.deepEqual([after.listed, after.json], [0, before.json]);
});

test('going back and forth between branches lists no tree the second time', async () => {
  const repo = project();
  repo.git('branch', 'one');
  repo.git('checkout', '-q', '-b', 'two');
  repo.commit({ 'src/parcel.ts': 'export const parcelDepotLabel = "parcel depot";\n' });
  const visit = async (branch: string) => {
    repo.git('checkout', '-q', branch);
    return ask(repo);
  };
  for (const branch of ['one', 'two']) await visit(branch);
  const [one, two] = [await visit('one'), await visit('two')];
  assert.deepEqual([one.listed, two.listed], [0, 0]);
  assert.ok(!one.paths.includes('src/parcel.ts') && two.paths.includes('src/parcel.ts'));
});

test('one process remembers as well: no tree is listed twice, a commit is noticed', async () => {
  const repo = project();
  await inProcess(repo, async (process) => {
    await process.search('parcel');
    await process.search('depot');
    assert.equal(process.listed, 1);
    repo.commit({ 'src/zebra.ts': 'export const zebraStripes = 1;\n' });
    assert.equal((await process.search('zebraStripes')).results[0].path, 'src/zebra.ts');
    assert.equal(process.listed, 1);
  });
});

test('the twelve views used last are kept', async () => {
  const repo = project();
  for (let i = 0; i < 15; i++) {
    await ask(repo, 'parcel', undefined, { exclude: [`nothing-${i}`] });
    assert.equal((await ask(repo, 'parcel', undefined, { exclude: ['nothing-0'] })).listed, 0);
  }
  assert.equal(views(repo).length, 12);
});

test('a directory in place of a view gives way', async () => {
  const repo = project();
  const before = await ask(repo);
  const [path] = views(repo);
  rmSync(path);
  mkdirSync(join(path, 'in the way'), { recursive: true });
  for (const listed of [1, 0]) {
    const after = await ask(repo);
    assert.deepEqual([after.listed, after.json], [listed, before.json]);
  }
});

test('a view is not read over fewer shards than it was made from', async () => {
  const repo = createRepo();
  // Equal layouts, so that a unit of one shard exists in every other one too.
  const main = repo.git('symbolic-ref', '--short', 'HEAD').trim();
  for (const name of ['anchor', 'beacon', 'cutter']) {
    // The last shard is another branch's: no file of the view points beyond the shards that are left.
    if (name === 'cutter') repo.git('checkout', '-q', '-b', 'side');
    repo.commit({ [`src/${name}.ts`]: `export function ${name}Harbour() {\n  return 'harbour ${name}';\n}\n` });
    await inProcess(repo, ({ session }) => indexRef(session));
  }
  repo.git('checkout', '-q', main);
  await ask(repo, 'harbour');
  const manifest = JSON.parse(readFileSync(join(repo.state, manifestOf(repo)), 'utf8'));
  assert.equal(manifest.shards.length, 3);
  const first = join(repo.state, dirname(manifestOf(repo)), manifest.shards[0].file);
  const bytes = readFileSync(first);
  bytes[bytes.length - 9] ^= 0xff;
  writeFileSync(first, bytes);
  const { results } = await inProcess(repo, (process) => process.search('harbour'));
  assert.deepEqual(results.map(({ path }) => path).sort(), ['src/anchor.ts', 'src/beacon.ts']);
  for (const { path, content } of results) {
    assert.equal(content, readFileSync(join(repo.dir, path), 'utf8').trimEnd());
  }
});

function manifestOf(repo: TestRepo): string {
  const names = readdirSync(repo.state, { recursive: true, encoding: 'utf8' });
  return names.find((name) => name.endsWith('manifest.json')) as string;
}
