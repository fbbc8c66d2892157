/** Indexes of compilers: believed about the bytes that they saw alone, and not about what the text denies. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { encodeDocument, encodeMetadata, type ScipDocument } from '../../../src/scip/index-file.js';
import { openTold } from '../../support/in-process/told.js';
import { createRepo, makeDirectory } from '../../support/repositories/repo.js';

const FILES = {
  'src/cart.js': 'export class Cart {\n  total() {\n    return 1;\n  }\n}\n',
  'src/bill.js': 'export class Bill {\n  total() {\n    return 2;\n  }\n}\n',
  'src/use.js': 'export function sum(all) {\n  return all.first.total() + all.last.total();\n}\n',
};
const repo = createRepo();
repo.commit(FILES, 'a shop');
const { text, refusal, document } = await openTold(repo);
const symbol = (of: string) => `scip-test npm shop 1 ${of}`;
const [CART, BILL] = [symbol('src/`cart.js`/Cart#total().'), symbol('src/`bill.js`/Bill#total().')];
type Occurrence = ScipDocument['occurrences'][number];
const at = (line: number, column: number, meant: string, roles = 0, length = 5): Occurrence => ({
  ...{ range: [line, column, line, column + length] as Occurrence['range'], symbol: meant, roles },
});
const of = (path: string, ...occurrences: Occurrence[]): ScipDocument => ({
  ...{ path, occurrences, language: 'JavaScript', columns: 2, symbols: [] },
});
const USE = of('src/use.js', at(1, 19, CART), at(1, 38, BILL));

function written(documents: readonly ScipDocument[], projectRoot = 'file:///ci/shop'): string {
  const file = join(makeDirectory('scip'), 'index.scip');
  const tool = { name: 'scip-test', version: '2', arguments: [] };
  writeFileSync(file, Buffer.concat([encodeMetadata({ tool, projectRoot }), ...documents.map(encodeDocument)]));
  return file;
}
const DEFINITIONS = [of('src/cart.js', at(1, 2, CART, 1)), of('src/bill.js', at(1, 2, BILL, 1))];

async function uses(name: string): Promise<string[]> {
  const found = await document<{ uses: { list: { path: string; line: number; tier: string }[] } }>('graph references', {
    name,
  });
  return found.uses.list.map(({ path, line, tier }) => `${path}:${line} ${tier}`);
}

test('uses that only a compiler can tell are told, once, and say so', async () => {
  assert.deepEqual(await uses('Cart.total'), []);
  assert.equal(
    await text('import', { scip: written([...DEFINITIONS, USE]) }),
    `
scip-test 2: 3 files
compiler: 3 records added
4 names whose meaning is told
`,
  );
  assert.deepEqual(
    [await uses('Cart.total'), await uses('Bill.total')],
    [['src/use.js:2 compiler'], ['src/use.js:2 compiler']],
  );
  assert.equal(
    await text('import', { scip: written([...DEFINITIONS, USE]) }),
    `
scip-test 2: 3 files
compiler: 0 records added, 3 known
4 names whose meaning is told
`,
  );
});

test('ranges without their name, files that differ and files from elsewhere are counted and not believed', async () => {
  const wrong = of('src/use.js', at(1, 2, CART), at(9, 0, CART), at(1, 19, CART));
  const outside = of('../other.js', at(0, 0, CART));
  assert.equal(
    await text('import', { scip: written([...DEFINITIONS, wrong, outside, of('src/none.js', at(0, 0, CART))]) }),
    `
scip-test 2: 5 files
compiler: 0 records added, 2 known, 2 of files that are not in the snapshot, 1 about another text
2 names whose meaning is told
`,
  );
  repo.commit({ 'src/use.js': `// first\n${FILES['src/use.js']}` }, 'edited');
  assert.deepEqual(await uses('Cart.total'), []);
  assert.equal(
    await text('import', { scip: written([...DEFINITIONS, USE]) }),
    `
scip-test 2: 3 files
compiler: 0 records added, 2 known, 1 about another text
2 names whose meaning is told
`,
  );
  assert.equal(
    await text('import', { scip: written([...DEFINITIONS, USE]), ref: 'HEAD~1' }),
    `
scip-test 2: 3 files
compiler: 0 records added, 3 known
4 names whose meaning is told
`,
  );
});

test('what is no index is refused, and several ways at once', async () => {
  const file = join(makeDirectory('none'), 'index.scip');
  writeFileSync(file, 'nothing of the kind');
  assert.equal(
    (await refusal('import', { scip: file })).replaceAll(file, 'FILE'),
    'BAD_ARGUMENT: not a SCIP index: a field that an index does not have, at byte 0 (Make it again with the indexer of the language, for example scip-typescript or scip-python.)',
  );
  assert.equal(
    (await refusal('import', { scip: `${file}.none` })).replaceAll(file, 'FILE'),
    'BAD_ARGUMENT: not a file: FILE.none (See `git socraticode --help`.)',
  );
  assert.equal(
    await refusal('import', { scip: file, coverage: file }),
    'BAD_ARGUMENT: a report of tests is imported alone, and is about HEAD (See `git socraticode --help`.)',
  );
});
