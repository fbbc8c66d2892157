/** The tools about history, asked as an agent would. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTools } from '../support/in-process/tools.js';
import { createRepo } from '../support/repositories/repo.js';

const body = (name: string, value: string) =>
  `export function ${name}(times: number): number {\n  return times * ${value};\n}\n`;

const repo = createRepo();
const added = repo.commit({ 'src/net.ts': body('retryRequest', '2') }, 'add retryRequest');
const changed = repo.commit({ 'src/net.ts': body('retryRequest', '3') }, 'three times');
repo.commit({ 'src/net.ts': body('fetchOnce', '1'), 'src/other.ts': body('other', '5') }, 'no more retries');
repo.git('branch', 'feature', 'HEAD~1');

test('history: when code came, changed and went; deleted code is shown with how to read it', async (t) => {
  const { ask, fail } = await openTools(t, repo.dir);
  const { text, structured } = await ask('codebase_history', { query: 'retryRequest' });
  const [result] = structured.results;
  assert.deepEqual([result.present, result.firstAppeared.commit], [false, added]);
  assert.match(text, /^HEAD @ [0-9a-f]{9}\nsrc\/net\.ts {2}retryRequest {2}function {2}deleted\n {2}first appeared/);
  assert.match(text, /changed \(body\)/);
  assert.match(text, new RegExp(`git show ${changed.slice(0, 12)}:src/net\\.ts`));
  const words = await ask('codebase_history', {
    query: 'how often are requests retried',
    deleted: true,
    maxCommits: 10,
  });
  assert.match(words.text, /retryRequest {2}function {2}deleted/);
  assert.match(
    (await ask('codebase_history', { query: 'fetchOnc' })).text,
    /did you mean fetchOnce\?\ncodebase_search looks/,
  );
  assert.match(await fail('codebase_history', { query: 'x', since: 'no date' }), /not a date: no date\nWrite it as/);
  assert.match(await fail('codebase_history', { query: 'x', since: '2024\0' }), /BAD_ARGUMENT: not a date/);
  assert.match(await fail('codebase_history', { query: '  ' }), /EMPTY_QUERY/);
});

test('history: long texts are cut, and further results are on the next page', async (t) => {
  const many = createRepo();
  const lines = Array.from({ length: 40 }, (_, i) => `  const value${i} = ${i};`).join('\n');
  for (let i = 0; i < 8; i++)
    many.write({ [`src/a${i}.ts`]: `export function same() {\n${lines}\n  return ${i};\n}\n` });
  many.commit({}, 'eight of them');
  const { ask } = await openTools(t, many.dir);
  const first = await ask('codebase_history', { query: 'same' });
  assert.equal(first.structured.results.length, 5);
  assert.ok(first.structured.results[0].content.split('\n').length < 10);
  assert.match(first.text, /… 37 more lines/);
  const { cursor } = first.structured.more;
  const second = await ask('codebase_history', { query: 'same', cursor });
  const paths = [...first.structured.results, ...second.structured.results].map(({ path }) => path);
  assert.deepEqual([paths.length, new Set(paths).size, second.structured.more], [8, 8, undefined]);
});

test('diff: two refs, ranges, since they parted; every file is listed once over all pages', async (t) => {
  const { ask, fail } = await openTools(t, repo.dir);
  const { text } = await ask('codebase_diff', { from: 'feature' });
  assert.match(
    text,
    /- 1 retryRequest {2}function\n {2}\+ 1 fetchOnce|\+ 1 fetchOnce {2}function\n {2}- 1 retryRequest/,
  );
  assert.match((await ask('codebase_diff', { from: added, to: changed })).text, /~ 1 retryRequest {2}function {2}body/);
  for (const from of ['feature..HEAD', 'feature...HEAD'])
    assert.equal((await ask('codebase_diff', { from })).structured.files.length, 2);
  assert.equal((await ask('codebase_diff', { from: 'feature', path: '!src/other.ts' })).structured.files.length, 1);
  const none = (await ask('codebase_diff', { from: 'HEAD' })).text;
  assert.match(none, /no differences\ncommits were compared; codebase_impact without a target/);
  assert.match(await fail('codebase_diff', { from: 'nowhere' }), /UNKNOWN_REF.*nowhere/);
  assert.match(await fail('codebase_diff', { from: '-Sx' }), /UNKNOWN_REF/);

  const many = createRepo();
  many.commit({ 'a.txt': 'a' }, 'first');
  for (let i = 0; i < 30; i++) many.write({ [`src/f${i}.ts`]: body(`f${i}`, '1') + body(`g${i}`, '2') });
  many.commit({}, 'thirty files');
  const tools = await openTools(t, many.dir);
  const paths: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const { structured } = await tools.ask('codebase_diff', { from: 'HEAD~1', limit: 10, maxTokens: 1_000, cursor });
    assert.ok(structured.files.every(({ symbols }: { symbols: unknown[] }) => symbols.length === 2));
    paths.push(...structured.files.map(({ path }: { path: string }) => path));
    cursor = structured.more?.cursor;
    pages++;
  } while (cursor !== undefined && pages < 40);
  assert.deepEqual([paths.length, new Set(paths).size], [30, 30]);
});

test('diff: code before its tests before documents; what the path leaves out is not counted as not indexed', async (t) => {
  const mixed = createRepo();
  mixed.commit({ 'a.txt': 'a' }, 'first');
  const files = ['.github/ci.yml', 'README.md', 'src/a.test.ts', 'src/b.ts', 'package.json', 'node_modules/x/index.js'];
  mixed.commit(Object.fromEntries(files.map((path) => [path, 'let a = 1;\n'])), 'second');
  const { ask } = await openTools(t, mixed.dir);
  const all = (await ask('codebase_diff', { from: 'HEAD~1' })).structured;
  const paths = all.files.map(({ path }: { path: string }) => path);
  assert.deepEqual(paths.slice(0, 3), ['src/b.ts', 'src/a.test.ts', 'README.md']);
  const { leftOut } = (await ask('codebase_diff', { from: 'HEAD~1', path: 'src/**' })).structured;
  assert.deepEqual([all.leftOut.skipped, leftOut.skipped], [1, 0]);
});
