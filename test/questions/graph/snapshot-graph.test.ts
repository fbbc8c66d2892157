/** Whose answer it is: of the work tree, of a ref, with what is missing and what may hide something; and doubts of a low risk. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { makeMarket } from '../../support/repositories/market.js';

const repo = makeMarket();
repo.write({
  'src/log.ts':
    'export function log(text: string): void {\n  console.info(text);\n}\n\nexport function logAll(): void {}\n',
  'src/names.ts': "export const names = ['ping', 'halve'];\n",
  'image.png': Buffer.from([0, 1]),
});
const { text, document, refusal } = await openTold(repo);

test('uncommitted files belong to an answer, those that are not indexed are counted, and a ref knows nothing of them', async () => {
  const references = (given: object) => text('graph references', { name: 'log', ...given });
  assert.equal(
    await references({}),
    `
src/log.ts:1  log  function

2 uses in 1 file: 1 call, 1 import
  src/money.ts
    2 top level  import ./log
    6 withTax  log

3 uncommitted files included
`,
  );
  assert.equal(
    await references({ committed: true }),
    `
src/log.ts:1  log  function

2 uses in 1 file: 1 call, 1 import
  src/money.ts
    2 top level  import ./log
    6 withTax  log

3 uncommitted files not looked at: this is HEAD as committed
`,
  );
  assert.equal(
    await references({ ref: 'HEAD' }),
    `
src/log.ts:1  log  function

2 uses in 1 file: 1 call, 1 import
  src/money.ts
    2 top level  import ./log
    6 withTax  log

3 uncommitted files not looked at: this is HEAD as committed
`,
  );
  assert.equal(
    await references({ ref: 'HEAD~1' }),
    `
src/log.ts:1  log  function

no uses are known
its name stands in src/money.ts:2: git socraticode grep -w log
exit 1
`,
  );
  assert.equal(
    await refusal('graph references', { name: 'logAll', committed: true }),
    'BAD_ARGUMENT: no symbol logAll is defined in this snapshot; parse errors may hide it in a file (Search for it: git socraticode search logAll; names with a part of it: git socraticode graph symbols PART)',
  );
  const { schemaVersion, ref, coverage, dirty, overlay } = await document<Record<string, unknown>>('graph references', {
    name: 'logAll',
  });
  assert.deepEqual([schemaVersion, ref, coverage, dirty, overlay], [1, 'HEAD', { covered: 15, total: 15 }, 3, 3]);
});

test('files with parse errors are named by answers about them', async () => {
  assert.deepEqual((await document<{ parseErrors?: string[] }>('graph deps', { file: 'src/broken.ts' })).parseErrors, [
    'src/broken.ts',
  ]);
  assert.equal(
    (await document<{ parseErrors?: string[] }>('graph deps', { file: 'src/log.ts' })).parseErrors,
    undefined,
  );
});

test('a low risk is doubted where lines elsewhere have the name', async () => {
  const risk = async (target: string) => {
    const { risk: found } = await document<{ risk: { level: string; reasons: string[]; named?: string[] } }>(
      'graph impact',
      { target },
    );
    return [found.level, found.reasons, found.named ?? null];
  };
  assert.deepEqual(await risk('ping'), [
    'unknown',
    [
      '1 line elsewhere has its name',
      '1 direct user',
      'exported',
      'no test is known to reach it by calls, but 1 test file imports its file, directly or through others',
    ],
    ['src/names.ts:1'],
  ]);
  // No other file can name what its module keeps to itself.
  assert.deepEqual(await risk('halve'), [
    'low',
    ['no test is known to reach it by calls, but 1 test file imports its file, directly or through others'],
    null,
  ]);
  assert.deepEqual(await risk('pong'), [
    'low',
    [
      '1 direct user',
      'exported',
      'no test is known to reach it by calls, but 1 test file imports its file, directly or through others',
    ],
    null,
  ]);
  assert.deepEqual(await risk('Shelf.restock'), [
    'unknown',
    [
      '1 use of its name could not be resolved',
      'exported',
      'no test is known to reach it by calls, but 1 test file imports its file, directly or through others',
    ],
    ['src/main.ts:9'],
  ]);
});
