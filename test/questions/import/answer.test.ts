/** Evidence of test runs: coverage by lines and results of files, and what tests and impact make of it. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { makeMarket } from '../../support/repositories/market.js';
import { makeDirectory } from '../../support/repositories/repo.js';

const repo = makeMarket();
repo.commit(
  {
    'lib/test_far.py': 'def test_far():\n    assert run("pad")\n',
    'lib/test_near.py': 'from lib.fmt import pad\n\n\ndef test_near():\n    pad("a")\n',
  },
  'tests',
);
const { text, refusal } = await openTold(repo);
function written(value: unknown, name = 'report'): string {
  const file = join(makeDirectory('report'), name);
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
}
const FAR = 'lib/test_far.py::test_far|run';

test('a test that a coverage report says ran the code comes first, of lines that it ran alone', async () => {
  assert.equal(
    await text('tests', { target: 'pad' }),
    `
1 test file will run it, 0 others may

will run it
  lib/test_near.py:5  test_near  directly

run
  python -m pytest lib/test_near.py
`,
  );
  const files = {
    'lib/fmt.py': { executed_lines: [], contexts: { 1: [''], 2: [FAR] } },
    'lib/nowhere.py': { executed_lines: [], contexts: { 1: [FAR] } },
  };
  assert.equal(
    await text('import', { coverage: written({ files }), label: 'ci' }),
    `
coverage.py, ci of [tests]: 2 files, 1 not in the repository
evidence: 1 test file, 1 run of a file added, 0 known
`,
  );
  assert.equal(
    await text('import', { coverage: written({ files }), label: 'ci' }),
    `
coverage.py, ci of [tests]: 2 files, 1 not in the repository
evidence: 1 test file, 0 runs of a file added, 1 known
`,
  );
  assert.equal(
    await text('tests', { target: 'pad' }),
    `
2 test files will run it, 0 others may

will run it
  lib/test_far.py:1  ran it, ci of [tests]
  lib/test_near.py:5  test_near  directly

run
  python -m pytest lib/test_far.py lib/test_near.py
`,
  );
  assert.equal(
    await text('graph impact', { target: 'pad' }),
    `
lib/fmt.py:1  pad  function
risk: low  (1 direct user; 1 other file in 1 folder; exported; 2 test files reach it)
affects 1 symbol in 1 file within 3 hops

hop 1: 1
  lib/report.py:6  render

tests to run: 2 files
  lib/test_far.py:1  ran it, ci of [tests]
  lib/test_near.py:5  test_near  directly
`,
  );
  assert.equal(
    await text('tests', { target: 'walk' }),
    `
no test file is known to run it
exit 1
`,
  );
});

test('a report without names of tests is of the file that is named', async () => {
  const lcov = `TN:\nSF:${join(repo.dir, 'src/money.ts')}\nDA:15,1\nDA:19,0\nend_of_record\n`;
  assert.equal(
    await text('import', { coverage: written(lcov, 'lcov.info'), ranBy: 'src/cart.test.ts' }),
    `
lcov, local of [tests]: 1 file
evidence: 1 test file, 1 run of a file added, 0 known
`,
  );
  assert.equal(
    await text('tests', { target: 'halve' }),
    `
1 test file will run it, 0 others may

will run it
  src/cart.test.ts:1  ran it, local of [tests]

run
  node --test src/cart.test.ts
`,
  );
  assert.equal(
    await text('tests', { target: 'quarter' }),
    `
0 test files will run it, 1 other may

may run it
  src/cart.test.ts:1  imports its file
`,
  );
  assert.equal(
    await text('import', { coverage: written(lcov, 'lcov.info') }),
    `
lcov, local of [tests]: 1 file
evidence: 0 test files, 1 run of a file added, 0 known
the report names no test, so some test ran these lines; name the test file if one ran alone
`,
  );
  assert.equal(
    await refusal('import', { coverage: written('nothing') }),
    'BAD_ARGUMENT: the coverage report cannot be read: it is none of lcov, coverage.py JSON, Cobertura, JaCoCo, a Go profile or V8 coverage (See `git socraticode --help`.)',
  );
});

test('files that passed need not run again until something that they reach changes', async () => {
  const junit =
    '<testsuites><testsuite><testcase classname="lib.test_near" name="test_near" file="lib/test_near.py"/><testcase classname="lib.test_far" name="test_far" file="lib/test_far.py"><failure/></testcase></testsuite></testsuites>';
  assert.equal(
    await text('import', { results: written(junit, 'junit.xml') }),
    `
junit, local of [tests]: 1 test file passed, 1 failed
evidence: 2 outcomes added, 0 known
`,
  );
  assert.equal(
    await text('tests', { sinceGreen: true }),
    `
1 of 3 test files passed as they are; 2 to run
local by A U Thor <author@example.com>: 1

to run
  lib/test_far.py:1  failed as it is, in local of [tests]
  src/cart.test.ts:1  src/cart.ts imports ./missing, which is no file of the snapshot

run
  python -m pytest lib/test_far.py
  node --test src/cart.test.ts
`,
  );
  repo.commit({ 'lib/fmt.py': 'def pad(text):\n    return text.ljust(9)\n' }, 'other side');
  assert.equal(
    await text('tests', { sinceGreen: true }),
    `
0 of 3 test files passed as they are; 3 to run

to run
  lib/test_far.py:1  something that it reaches has changed
  lib/test_near.py:1  something that it reaches has changed
  src/cart.test.ts:1  src/cart.ts imports ./missing, which is no file of the snapshot

run
  python -m pytest lib/test_far.py lib/test_near.py
  node --test src/cart.test.ts
`,
  );
});
