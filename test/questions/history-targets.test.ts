/** Files, symbols and lines that questions about the past name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../support/in-process/told.js';
import { makeMarket } from '../support/repositories/market.js';

const repo = makeMarket();
repo.commit({ 'src/empty.ts': '' }, 'an empty file');
repo.git('rm', '-q', 'src/log.ts');
repo.commit({}, 'no log');
const { text, document, refusal } = await openTold(repo);
const firstLine = async (name: string, given: Record<string, unknown>) => (await text(name, given)).split('\n')[1];

test('a file, a folder with all that was ever in it, the whole repository, and a file that is gone', async () => {
  const owners = async (...paths: string[]) => {
    const { files, changes } = await document<{ files: number; changes: number }>('owners', { paths });
    return [files, changes];
  };
  assert.deepEqual(await owners('src/money.ts'), [1, 2]);
  assert.deepEqual(await owners('src/'), [9, 4]);
  assert.deepEqual(await owners('.'), [15, 4]);
  assert.deepEqual(await owners('lib', 'src/log.ts'), [4, 2]);
  assert.equal(await firstLine('coupling', { target: 'src/log.ts' }), 'src/log.ts changed in 2 commits');
});

test('names that are none, several, lines or paths are refused with what to ask instead', async () => {
  assert.equal(
    await refusal('owners', { paths: ['src/mony.ts'] }),
    'BAD_ARGUMENT: no file or directory src/mony.ts is known at HEAD (Did you mean src/money.ts?)',
  );
  assert.equal(
    await refusal('owners', { paths: ['restock'] }),
    'BAD_ARGUMENT: restock means 2 things (Name one of them: src/cart.ts:Cart.restock, src/shelf.ts:Shelf.restock)',
  );
  assert.equal(
    await refusal('coupling', { target: 'src/money.ts:1-2' }),
    'BAD_ARGUMENT: src/money.ts:1-2 names lines, and this question is about files and symbols (Who wrote them, and why: git socraticode why src/money.ts:1-2)',
  );
  assert.equal(
    await refusal('owners', { paths: ['../outside'] }),
    'BAD_ARGUMENT: ../outside is outside of this repository (Name a file of the repository, from the current directory or from its top.)',
  );
  assert.equal(
    await refusal('history', { query: 'src/money.ts' }),
    'BAD_ARGUMENT: src/money.ts is a path, and history is about symbols or words (Its commits: git log --follow -- src/money.ts; those of its lines: git socraticode why src/money.ts; its symbols: git socraticode graph outline src/money.ts.)',
  );
  assert.equal(
    await refusal('history', { query: 'money.ts' }),
    'BAD_ARGUMENT: money.ts is a path, and history is about symbols or words (Its commits: git log --follow -- src/money.ts; those of its lines: git socraticode why src/money.ts; its symbols: git socraticode graph outline src/money.ts.)',
  );
  assert.equal(
    await refusal('owners', { paths: ['src/money.ts'], ref: 'HEAD^{tree}' }),
    'BAD_ARGUMENT: HEAD^{tree} is a tree, which has no history (Name a branch, a tag or a commit.)',
  );
});

test('lines are those of the work tree, unless a ref is named; both ends count, in either order', async () => {
  const why = async (place: string, ref?: string) => (await text('why', { place, ref })).split('\n').slice(1, 3);
  assert.deepEqual(await why('src/money.ts:5-6'), [
    'src/money.ts:5-6',
    '[taxes rise] 2024-02-01 taxes rise (Bob Old) wrote 2 of 2 lines',
  ]);
  assert.deepEqual(await why('src/money.ts:6-5'), [
    'src/money.ts:5-6',
    '[taxes rise] 2024-02-01 taxes rise (Bob Old) wrote 2 of 2 lines',
  ]);
  assert.deepEqual(await why('src/money.ts:28-99'), [
    'src/money.ts:28',
    '[a market] 2024-01-02 a market (A U Thor) wrote 1 of 1 line',
  ]);
  repo.write({ 'src/money.ts': `// one more\n${repo.git('show', 'HEAD:src/money.ts')}\n` });
  assert.deepEqual(await why('src/money.ts:7'), [
    'src/money.ts:7',
    '[taxes rise] 2024-02-01 taxes rise (Bob Old) wrote 1 of 1 line',
  ]);
  assert.deepEqual(await why('src/money.ts:7', 'HEAD'), [
    'src/money.ts:7',
    '[a market] 2024-01-02 a market (A U Thor) wrote 1 of 1 line',
  ]);
  assert.equal(
    await refusal('why', { place: 'src/money.ts:29', ref: 'HEAD' }),
    'BAD_ARGUMENT: src/money.ts has no line 29 (It has 28 lines.)',
  );
  assert.equal(
    await refusal('why', { place: 'src/empty.ts:1' }),
    'BAD_ARGUMENT: src/empty.ts has no line 1 (It is empty.)',
  );
  assert.equal(
    await refusal('why', { place: 'src/nowhere.ts:1' }),
    'BAD_ARGUMENT: src/nowhere.ts is no file of this commit (Name it from the current directory or from the top of the repository; only committed files have a past.)',
  );
  repo.git('checkout', '-q', '--', '.');
});
