/** Filters that all searches share: author, dates, class, uses, and those together. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../support/in-process/told.js';
import { makeMarket } from '../support/repositories/market.js';

const repo = makeMarket();
repo.write({ 'src/log.ts': 'export const log = (text: string) => console.log(text);\n' });
repo.git('add', '-A');
repo.gitAt('2024-03-01T00:00:00Z', 'commit', '-qm', 'later', '--date=2024-03-01T00:00:00Z');
repo.write({ 'src/shelf.ts': `${repo.git('show', 'HEAD:src/shelf.ts')}\n\n// more\n` });
const { document, refusal } = await openTold(repo);
const paths = async (filters: object) => {
  const { files } = await document<{ files: { path: string }[] }>('grep', { pattern: '\\w', files: true, ...filters });
  return files.map(({ path }) => path).sort();
};

test('author and dates are of the last change, uncommitted files of today', async () => {
  assert.deepEqual(await paths({ author: 'bob' }), ['src/main.ts', 'src/money.ts']);
  assert.deepEqual(await paths({ since: '2024-01-15' }), ['src/log.ts', 'src/shelf.ts']);
  assert.deepEqual(await paths({ until: '2024-01-15', path: ['src/**'] }), [
    'src/broken.ts',
    'src/cart.test.ts',
    'src/cart.ts',
    'src/main.ts',
    'src/money.ts',
    'src/routes.ts',
  ]);
  assert.deepEqual(await paths({ since: '2024-01-15', committed: true }), ['src/log.ts']);
  assert.deepEqual(await paths({ author: 'thor', since: '2024-01-01', path: ['src/m*'] }), [
    'src/main.ts',
    'src/money.ts',
  ]);
});

test('classes, uses of a symbol, and several filters at once', async () => {
  assert.deepEqual(await paths({ is: ['test'] }), ['src/cart.test.ts']);
  assert.deepEqual(await paths({ is: ['!source'] }), [
    'docs/guide.md',
    'notes.txt',
    'settings.json',
    'src/cart.test.ts',
  ]);
  assert.deepEqual(await paths({ uses: 'withTax' }), ['src/cart.ts']);
  assert.deepEqual(await paths({ uses: 'Cart', is: ['source'], author: 'bob' }), ['src/main.ts', 'src/money.ts']);
  assert.deepEqual(await paths({ tag: ['logging'] }), ['src/log.ts']);
});

test('filters of one snapshot are refused for all refs; names that are none or several, and dates that are none, too', async () => {
  assert.equal(
    await refusal('grep', { pattern: 'x', author: 'bob', allRefs: true }),
    'BAD_ARGUMENT: author, since, until, uses and tag are about one snapshot of one repository (Ask without all branches and linked repositories, or leave these filters out.)',
  );
  assert.equal(
    await refusal('grep', { pattern: 'x', uses: 'restock' }),
    'BAD_ARGUMENT: restock is ambiguous: 2 definitions (Name one by its place: src/cart.ts:Cart.restock, src/shelf.ts:Shelf.restock)',
  );
  assert.equal(
    await refusal('grep', { pattern: 'x', uses: 'nowhere' }),
    'BAD_ARGUMENT: no symbol nowhere is defined in this snapshot; parse errors may hide it in a file (Search for it: git socraticode search nowhere; names with a part of it: git socraticode graph symbols PART)',
  );
  assert.equal(
    await refusal('grep', { pattern: 'x', since: 'some day' }),
    'BAD_ARGUMENT: not a date: some day (Write it as 2024-05-31, "3 months ago" or yesterday.)',
  );
  assert.equal(
    await refusal('grep', { pattern: 'x', is: ['tset'] }),
    'BAD_ARGUMENT: is takes source, test, example, generated, vendored, legacy, declaration, document, data, or one of them after "!", not "tset"; did you mean test?',
  );
});
