/** `tests --since-green`: a run that passed counts while everything that the test reaches is as it was, and for nothing else. */
import assert from 'node:assert/strict';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli } from '../../support/in-process/cli.js';
import { createRepo, makeDirectory, type TestRepo } from '../../support/repositories/repo.js';

const FILES = {
  'package.json': '{"name":"shop","devDependencies":{"mocha":"1"},"mocha":{"require":"./test/setup.js"}}\n',
  'package-lock.json': '{}\n',
  'README.md': 'A shop.\n',
  'src/cart.js': "const tax = require('./tax');\nexports.total = (n) => n + tax.of(n);\n",
  'src/tax.js': 'exports.of = (n) => n;\n',
  'src/bill.js': 'exports.bill = () => 1;\n',
  'src/rules/a.js': 'module.exports = 1;\n',
  'src/rules.js': "exports.rule = (name) => require('./rules/' + name);\n",
  'test/setup.js': "global.currency = 'EUR';\n",
  'test/data/prices.json': '[1]\n',
  'test/cart.test.js': "const { total } = require('../src/cart');\nit('adds', () => total(1));\n",
  'test/bill.test.js': "const { bill } = require('../src/bill');\nit('bills', () => bill());\n",
  'test/rules.test.js': "const { rule } = require('../src/rules');\nit('rules', () => rule('a'));\n",
  'test/gone.test.js': "const made = require('../dist/made');\nit('runs', () => made());\n",
};
const TESTS = ['bill', 'cart', 'gone', 'rules'];

function shop(): TestRepo {
  const repo = createRepo();
  repo.commit(FILES, 'a shop');
  return repo;
}

/** A report that was written after everything else. */
function report(failing: readonly string[] = []): string {
  const file = join(makeDirectory('results'), 'results.json');
  const testResults = TESTS.map((name) => ({
    name: `test/${name}.test.js`,
    status: failing.includes(name) ? 'failed' : 'passed',
    assertionResults: [{ status: failing.includes(name) ? 'failed' : 'passed' }],
  }));
  writeFileSync(file, JSON.stringify({ testResults }));
  const later = Date.now() / 1_000 + 10;
  utimesSync(file, later, later);
  return file;
}

async function run(repo: TestRepo, ...args: string[]) {
  const { code, stdout, stderr } = await cli([...args, '--json'], { cwd: repo.dir });
  assert.ok(code === 0 || code === 1, stderr);
  return JSON.parse(stdout);
}

const keep = (repo: TestRepo, failing: readonly string[] = []) => run(repo, 'import', '--results', report(failing));

/** Names of tests to run. The sample is left out: it changes with each commit. */
async function toRun(repo: TestRepo, ...args: string[]): Promise<string[]> {
  const { will } = await run(repo, 'tests', '--since-green', ...args);
  const listed = will.list.filter(({ run: why }: { run: string }) => why !== 'sample');
  return listed.map(({ path }: { path: string }) => path.slice('test/'.length, -'.test.js'.length));
}

test('tests that passed as they are need no run, in any commit and branch that has the same files', async () => {
  const repo = shop();
  assert.deepEqual(await toRun(repo), TESTS);
  const kept = await keep(repo);
  assert.deepEqual([kept.passed, kept.failed, kept.unsure, kept.added], [4, 0, 1, 4]);
  assert.deepEqual(await toRun(repo), []);
  repo.git('checkout', '-q', '-b', 'other');
  repo.commit({ 'README.md': 'A shop that sells.\n' }, 'for people');
  // Nobody can tell what `dist/made` reaches, so that its run counts for the very same files alone.
  assert.deepEqual(await toRun(repo), ['gone']);
  assert.deepEqual(await toRun(repo, '--ref', 'HEAD~1'), []);
  const again = await keep(repo);
  assert.deepEqual([again.added, again.known, again.again, again.missed], [1, 3, 3, 0]);
});

test('whatever a test reaches runs it again: imports, data, settings, setup, locks and computed names', async () => {
  const cases: [path: string, text: string, tests: string[]][] = [
    ['src/tax.js', 'exports.of = () => 0;\n', ['cart', 'gone']],
    ['src/rules/a.js', 'module.exports = 2;\n', ['gone', 'rules']],
    ['test/data/prices.json', '[2]\n', TESTS],
    ['test/setup.js', "global.currency = 'USD';\n", TESTS],
    ['package-lock.json', '{"a":1}\n', TESTS],
    ['.mocharc.json', '{}\n', TESTS],
  ];
  const repo = shop();
  await keep(repo);
  for (const [path, text, tests] of cases) {
    repo.commit({ [path]: text }, `change ${path}`);
    assert.deepEqual(await toRun(repo), tests, path);
    repo.git('reset', '-q', '--hard', 'HEAD~1');
  }
  repo.write({ 'src/bill.js': 'exports.bill = () => 2;\n' });
  assert.deepEqual(await toRun(repo), ['bill', 'gone'], 'an uncommitted change');
  assert.deepEqual(await toRun(repo, '--committed'), []);
});

test('a file that a coverage report says a test ran is reached, though nothing in its text leads there', async () => {
  const repo = shop();
  const file = join(makeDirectory('coverage'), 'lcov.info');
  writeFileSync(file, 'TN:test/bill.test.js\nSF:src/tax.js\nDA:1,1\nend_of_record\n');
  await run(repo, 'import', '--coverage', file);
  await keep(repo);
  repo.commit({ 'src/tax.js': 'exports.of = () => 0;\n' }, 'another tax');
  assert.deepEqual(await toRun(repo), ['bill', 'cart', 'gone']);
});

test('a test that drives a program, or of which nothing shows what it tests, reaches everything', async () => {
  const repo = createRepo();
  const driving =
    "import { test } from '@playwright/test';\nimport { total } from '../src/cart';\ntest('shows', total);\n";
  const files = { 'test/page.test.js': driving, 'test/alone.test.js': "it('runs', () => fetch(process.env.SHOP));\n" };
  repo.commit({ ...files, 'src/cart.js': 'export const total = () => 1;\n' }, 'a page');
  const { green } = await run(repo, 'tests', '--since-green');
  assert.deepEqual([green.files, green.unsure], [2, 2]);
});

test('a page among the tests is no test, and a test in a language that nobody can follow reaches everything', async () => {
  const repo = createRepo();
  repo.commit({ 'test/cart_test.rb': 'it { true }\n', 'test/page.test.html': '<p>\n', 'a.txt': '1\n' }, 'two');
  const { will } = await run(repo, 'tests', '--since-green');
  assert.deepEqual(
    will.list.map(({ path, run: why }: { path: string; run: string }) => `${path} ${why}`),
    ['test/cart_test.rb unsure'],
  );
});

test('a test that failed as it is runs, whatever else is known of it, and counts as missed if it had passed', async () => {
  const repo = shop();
  await keep(repo);
  const { missed } = await keep(repo, ['cart']);
  assert.equal(missed, 1);
  assert.deepEqual(await toRun(repo), ['cart']);
  const { green } = await run(repo, 'tests', '--since-green');
  assert.deepEqual([green.again, green.missed], [3, 1]);
});

test('only runs of the named label and author are believed, and only signed ones if asked for', async () => {
  const repo = shop();
  await keep(repo);
  assert.deepEqual(await toRun(repo, '--label', 'local', '--by', 'thor'), []);
  assert.deepEqual(await toRun(repo, '--label', 'ci'), TESTS);
  assert.deepEqual(await toRun(repo, '--by', 'nobody'), TESTS);
  assert.deepEqual(await toRun(repo, '--signed'), TESTS);
});

test('results that are older than a file, or of files that differ from HEAD, are not believed', async () => {
  const repo = shop();
  const old = report();
  utimesSync(old, 1, 1);
  const kept = await run(repo, 'import', '--results', old);
  assert.deepEqual([kept.passed, kept.different], [0, 4]);
  repo.write({ 'src/tax.js': 'exports.of = () => 9;\n' });
  const partly = await keep(repo);
  // Of `gone` nobody can tell what it reaches.
  assert.deepEqual([partly.passed, partly.different], [2, 2]);
});

test('a failure of no known file makes every pass of its report unknown', async () => {
  const repo = shop();
  const file = join(makeDirectory('results'), 'r.xml');
  const passed = TESTS.map((name) => `<testcase file="test/${name}.test.js" name="x"/>`).join('');
  writeFileSync(file, `<testsuite>${passed}<testcase classname="where" name="y"><failure/></testcase></testsuite>`);
  utimesSync(file, Date.now() / 1_000 + 10, Date.now() / 1_000 + 10);
  const kept = await run(repo, 'import', '--results', file);
  assert.deepEqual([kept.passed, kept.unnamed], [0, 1]);
});

test('paths are printed one a line, for a runner; nothing to run is a negative answer', async () => {
  const repo = shop();
  const all = await cli(['tests', '--since-green', '--paths'], { cwd: repo.dir });
  assert.equal(all.stdout, TESTS.map((name) => `test/${name}.test.js\n`).join(''));
  assert.equal(all.code, 0);
  const refused = await cli(['tests', 'HEAD~1..', '--since-green'], { cwd: repo.dir });
  assert.equal(refused.code, 2);
  repo.commit({ '--require=evil.test.js': "require('node:test')('x', () => {});\n" }, 'an option as a name');
  const named = await cli(['tests', '--since-green', '--paths'], { cwd: repo.dir });
  assert.match(named.stdout, /^\.\/--require=evil\.test\.js$/m);
});

test('sets of months that nobody believes any more are deleted by the next import', async () => {
  const repo = shop();
  const prefix = 'refs/notes/socraticode/evidence/outcomes-';
  for (const month of ['2020-01', '2999-01']) repo.git('update-ref', `${prefix}${month}`, 'HEAD');
  await keep(repo);
  const refs = repo.git('for-each-ref', '--format=%(refname)', `${prefix}*`).trim().split('\n');
  assert.equal(refs.length, 2);
  assert.ok(!refs.includes(`${prefix}2020-01`));
});
