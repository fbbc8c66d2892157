/** Evidence: tests that a coverage report says ran code come first, while the bytes of both stay. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli } from '../../support/in-process/cli.js';
import { createRepo, makeDirectory, runGit, type TestRepo } from '../../support/repositories/repo.js';

const FILES = {
  'shop/cart.py': 'def total(items):\n    return sum(items)\n\n\ndef tax(items):\n    return 2\n',
  'tests/test_cart.py': 'from shop.cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n',
  // Nothing in its text leads to `total`.
  'tests/test_far.py': 'def test_far():\n    assert run("total")\n',
};

function shop(): TestRepo {
  const repo = createRepo();
  repo.commit(FILES, 'a shop');
  return repo;
}

const FAR = 'tests/test_far.py::test_far|run';

function contexts(path: string, lines: Record<number, string[]>): string {
  return written(JSON.stringify({ files: { [path]: { executed_lines: [], contexts: lines } } }));
}

function written(text: string): string {
  const file = join(makeDirectory('coverage'), 'report');
  writeFileSync(file, text);
  return file;
}

async function run(repo: TestRepo, ...args: string[]) {
  const { code, stdout, stderr } = await cli([...args, '--json'], { cwd: repo.dir });
  assert.ok(code === 0 || code === 1, stderr);
  return JSON.parse(stdout);
}

async function willRun(repo: TestRepo, ...args: string[]): Promise<string[]> {
  const { will } = await run(repo, 'tests', ...args);
  return will.list.map(({ path, why }: { path: string; why: string }) => `${path} ${why}`);
}

test('a test that ran the code comes first, with the run, in tests, impact and the commands; the rest stays', async () => {
  const repo = shop();
  const commit = repo.git('rev-parse', 'HEAD').slice(0, 7);
  assert.deepEqual(await willRun(repo, 'total'), ['tests/test_cart.py directly']);
  const file = contexts(join(repo.dir, 'shop/cart.py'), { 1: [''], 2: [FAR], 5: [FAR] });
  const report = await run(repo, 'import', '--coverage', file, '--label', 'ci');
  assert.deepEqual(
    [report.format, report.label, report.files, report.tests, report.added, report.known],
    ['coverage.py', 'ci', 1, 1, 1, 0],
  );
  const ran = `tests/test_far.py ran it, ci of ${commit}`;
  assert.deepEqual(await willRun(repo, 'total'), [ran, 'tests/test_cart.py directly']);
  // The first line of a function runs when its file is loaded.
  assert.deepEqual(await willRun(repo, 'tax'), []);
  const impact = await run(repo, 'graph', 'impact', 'total');
  assert.deepEqual(
    impact.tests.list.map(({ path, reason }: { path: string; reason: string }) => `${path} ${reason}`),
    ['tests/test_far.py ran', 'tests/test_cart.py calls'],
  );
  const { commands } = await run(repo, 'tests', 'total');
  assert.match(commands[0].command, /tests\/test_far\.py/);
  const again = await run(repo, 'import', '--coverage', file, '--label', 'ci');
  assert.deepEqual([again.added, again.known], [0, 1]);
});

test('of a change, tests that ran the former code; of other bytes of the code or of the test, nothing', async () => {
  const repo = shop();
  const commit = repo.git('rev-parse', 'HEAD').slice(0, 7);
  await run(repo, 'import', '--coverage', contexts('shop/cart.py', { 2: [FAR] }));
  repo.commit({ 'shop/cart.py': FILES['shop/cart.py'].replace('sum(items)', 'sum(items) + 0') }, 'another text');
  assert.deepEqual(await willRun(repo, 'total'), ['tests/test_cart.py directly']);
  assert.deepEqual(await willRun(repo, 'HEAD~1..HEAD'), [
    `tests/test_far.py ran it, local of ${commit}`,
    'tests/test_cart.py directly',
  ]);
  const review = await cli(['review', 'HEAD~1..HEAD'], { cwd: repo.dir });
  assert.match(review.stdout, /tests\/test_far\.py/);
  repo.commit({ 'shop/cart.py': FILES['shop/cart.py'] }, 'the former text');
  assert.equal((await willRun(repo, 'total')).length, 2);
  repo.commit({ 'tests/test_far.py': 'def test_far():\n    assert 1\n' }, 'another test');
  assert.deepEqual(await willRun(repo, 'total'), ['tests/test_cart.py directly']);
});

test('text that is not that of HEAD, lines behind its end and files outside are left out and counted', async () => {
  const repo = shop();
  const lines = (path: string, ...numbers: number[]) => [
    `SF:${path}`,
    ...numbers.map((line) => `DA:${line},1`),
    'end_of_record',
  ];
  const outside = ['/etc/passwd', '../shop/cart.py', 'shop/none.py'].flatMap((path) => lines(path, 1));
  const report = [
    'TN:test_cart',
    ...outside,
    ...lines('shop/cart.py', 2, 70),
    'TN:no_such',
    ...lines('tests/test_far.py', 2),
  ];
  const found = await run(repo, 'import', '--coverage', written(report.join('\n')));
  assert.deepEqual([found.missing, found.different, found.unnamed, found.added], [3, 1, 1, 1]);
  repo.write({ 'shop/cart.py': `# new\n${FILES['shop/cart.py']}` });
  const changed = await run(repo, 'import', '--coverage', contexts('shop/cart.py', { 2: [FAR] }));
  assert.deepEqual([changed.different, changed.added], [1, 0]);
});

test('a report without names says that some test ran it; --ran-by says which', async () => {
  const repo = shop();
  const commit = repo.git('rev-parse', 'HEAD').slice(0, 7);
  const file = written('SF:shop/cart.py\nDA:6,1\nend_of_record\n');
  await run(repo, 'import', '--coverage', file);
  const impact = await run(repo, 'graph', 'impact', 'tax');
  assert.equal(impact.risk.someTest, `local of ${commit}`);
  assert.ok(impact.risk.reasons.includes(`some test ran it, local of ${commit}`));
  await run(repo, 'import', '--coverage', file, '--ran-by', 'tests/test_far.py');
  assert.deepEqual(await willRun(repo, 'tax'), [`tests/test_far.py ran it, local of ${commit}`]);
  const bad = await cli(['import', '--coverage', file, '--ran-by', 'tests/none.py'], { cwd: repo.dir });
  assert.notEqual(bad.code, 0);
});

test('pushed and pulled, evidence counts in another clone', async () => {
  const repo = shop();
  const remote = makeDirectory('remote');
  runGit(['init', '--bare', '--quiet'], { cwd: remote });
  repo.git('remote', 'add', 'origin', remote);
  repo.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main');
  await run(repo, 'import', '--coverage', contexts('shop/cart.py', { 2: [FAR] }), '--label', 'ci');
  await cli(['knowledge', 'push'], { cwd: repo.dir });
  assert.match(String(runGit(['for-each-ref', '--format=%(refname)'], { cwd: remote })), /socraticode\/evidence\/v1/);
  const clone = makeDirectory('clone');
  runGit(['clone', '--quiet', '--branch', 'main', remote, '.'], { cwd: clone });
  await cli(['knowledge', 'pull'], { cwd: clone });
  const { stdout } = await cli(['tests', 'total'], { cwd: clone });
  assert.match(stdout, /test_far\.py:1.* {2}ran it, ci of/);
});

test('paths of Go modules and of packages of Java lead to the files that have them, and names of other modules to none', async () => {
  const repo = createRepo();
  const go = 'package cart\n\nfunc Total() int {\n\treturn 1\n}\n';
  const java = 'package com.shop;\n\nclass Cart {\n  int total() {\n    return 1;\n  }\n}\n';
  repo.commit(
    {
      ...{ 'srv/go.mod': 'module example.org/shop\n', 'srv/cart/cart.go': go, 'cart/cart.go': `\n${go}` },
      ...{ 'srv/cart/cart_test.go': 'package cart\n', 'app/src/main/java/com/shop/Cart.java': java },
    },
    'go and java',
  );
  const block = (path: string) => `${path}:3.20,5.2 1 1`;
  const profile = ['mode: set', ...['example.org/shop/cart/cart.go', 'example.org/other/cart/cart.go'].map(block)];
  const by = ['--ran-by', 'srv/cart/cart_test.go'];
  const found = await run(repo, 'import', '--coverage', written(`${profile.join('\n')}\n`), ...by);
  assert.deepEqual([found.format, found.added, found.missing], ['go-cover', 1, 1]);
  assert.match((await willRun(repo, 'srv/cart/cart.go')).join(), /^srv\/cart\/cart_test\.go ran it/);
  assert.doesNotMatch((await willRun(repo, 'cart/cart.go')).join(), /ran it/);
  const lines = '<line nr="5" mi="0" ci="1"/></sourcefile></package>';
  const jacoco = ['com/shop', 'net/shop'].map(
    (name) => `<package name="${name}"><sourcefile name="Cart.java">${lines}`,
  );
  const told = await run(repo, 'import', '--coverage', written(`<report name="x">${jacoco.join('')}</report>`));
  assert.deepEqual([told.format, told.added, told.missing], ['jacoco', 1, 1]);
});
