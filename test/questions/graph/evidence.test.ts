/** Which tests ran code, by coverage reports: the bytes of both have to be those of the report. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { createRepo, makeDirectory } from '../../support/repositories/repo.js';

const CART = 'def total(items):\n    return sum(items)\n\n\ndef tax(items): return 2\n\n\nRATE = 3\n';
const repo = createRepo();
repo.commit(
  {
    'shop/cart.py': CART,
    'tests/test_far.py': 'def test_far():\n    assert run("total")\n',
    'tests/test_old.py': 'def test_old():\n    assert run("total")\n',
  },
  'a shop',
);
const { text, document } = await openTold(repo);
const FAR = 'tests/test_far.py::test_far|run';
const OLD = 'tests/test_old.py::test_old|run';

async function bring(lines: Record<number, string[]>, label: string): Promise<void> {
  const file = join(makeDirectory('coverage'), 'report');
  writeFileSync(file, JSON.stringify({ files: { 'shop/cart.py': { executed_lines: [], contexts: lines } } }));
  await text('import', { coverage: file, label });
}

async function will(target: string): Promise<string[]> {
  const { will: found } = await document<{ will: { list: { path: string; why: string }[] } }>('tests', { target });
  return found.list.map(({ path, why }) => `${path} ${why}`.replace(/of \w+$/, 'of COMMIT'));
}

test('the first line of a function of several runs when its file is loaded, of one of one line it is the body', async () => {
  assert.deepEqual(await will('total'), []);
  await bring({ 1: [FAR], 2: [OLD], 5: [FAR], 8: [OLD] }, 'ci');
  assert.deepEqual(await will('total'), ['tests/test_old.py ran it, ci of COMMIT']);
  assert.deepEqual(await will('tax'), ['tests/test_far.py ran it, ci of COMMIT']);
  assert.deepEqual(await will('shop/cart.py'), [
    'tests/test_far.py ran it, ci of COMMIT',
    'tests/test_old.py ran it, ci of COMMIT',
  ]);
});

test('a run counts while both files are as they were, and again when they are so again', async () => {
  repo.write({ 'tests/test_old.py': 'def test_old():\n    assert run("other")\n' });
  assert.deepEqual(await will('total'), []);
  repo.git('checkout', '-q', '--', '.');
  repo.write({ 'shop/cart.py': CART.replace('sum(items)', 'sum(items) + 1') });
  assert.deepEqual(await will('total'), []);
  repo.git('checkout', '-q', '--', '.');
  assert.deepEqual(await will('total'), ['tests/test_old.py ran it, ci of COMMIT']);
});

test('outcomes are believed by label and author, and the newest of one content counts', async () => {
  const results = async (failed: boolean, label: string) => {
    const file = join(makeDirectory('results'), 'junit.xml');
    writeFileSync(
      file,
      `<testsuite><testcase classname="tests.test_far" name="test_far" file="tests/test_far.py">${failed ? '<failure/>' : ''}</testcase></testsuite>`,
    );
    return text('import', { results: file, label });
  };
  const green = (given = {}) => text('tests', { sinceGreen: true, ...given });
  assert.equal(
    await results(false, 'ci'),
    `
junit, ci of [a shop]: 1 test file passed, 0 failed
evidence: 1 outcome added, 0 known
`,
  );
  assert.equal(
    await green(),
    `
1 of 2 test files passed as they are; 1 to run
ci by A U Thor <author@example.com>: 1

to run
  tests/test_old.py:1  no run is known

run
  python -m pytest tests/test_old.py
`,
  );
  assert.equal(
    await green({ label: 'nightly' }),
    `
0 of 2 test files passed as they are; 2 to run

to run
  tests/test_far.py:1  no run is known
  tests/test_old.py:1  no run is known

run
  python -m pytest tests/test_far.py tests/test_old.py
`,
  );
  assert.equal(
    await green({ by: 'nobody' }),
    `
0 of 2 test files passed as they are; 2 to run

to run
  tests/test_far.py:1  no run is known
  tests/test_old.py:1  no run is known

run
  python -m pytest tests/test_far.py tests/test_old.py
`,
  );
  assert.equal(
    await green({ by: 'author@', label: 'ci' }),
    `
1 of 2 test files passed as they are; 1 to run
ci by A U Thor <author@example.com>: 1

to run
  tests/test_old.py:1  no run is known

run
  python -m pytest tests/test_old.py
`,
  );
  assert.equal(
    await green({ signed: true }),
    `
0 of 2 test files passed as they are; 2 to run

to run
  tests/test_far.py:1  no run is known
  tests/test_old.py:1  no run is known

run
  python -m pytest tests/test_far.py tests/test_old.py
`,
  );
  assert.equal(
    await results(true, 'ci'),
    `
junit, ci of [a shop]: 0 test files passed, 1 failed
evidence: 1 outcome added, 0 known
known to pass as they are: 0 passed again, 1 failed
`,
  );
  assert.equal(
    await green(),
    `
0 of 2 test files passed as they are; 2 to run
of 1 run of tests that were known to pass as they are, 1 failed

to run
  tests/test_far.py:1  failed as it is, in ci of [a shop]; it passed as well
  tests/test_old.py:1  no run is known

run
  python -m pytest tests/test_far.py tests/test_old.py
`,
  );
  assert.equal(
    await results(false, 'ci'),
    `
junit, ci of [a shop]: 1 test file passed, 0 failed
evidence: 0 outcomes added, 1 known
known to pass as they are: 1 passed again, 0 failed
`,
  );
});
