/** Results of test runners: how each file ended, of each format, and reports that are none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSocraticodeError } from '../../../src/base/errors.js';
import { readResults } from '../../../src/questions/import/results.js';

const read = (text: string): string[] => {
  const { format, cases } = readResults(text);
  return [format, ...[...cases].map(({ names, verdict }) => `${names.join('|')} ${verdict}`)];
};
const lines = (...all: object[]): string => all.map((each) => JSON.stringify(each)).join('\n');

test('JUnit XML: a case passed unless an element in it says otherwise, and its file has several names', () => {
  const report = `<?xml version="1.0"?><testsuites><testsuite name="pytest" errors="0" failures="1">
    <testcase classname="tests.test_cart.TestCart" name="test_total"/>
    <testcase classname="tests.test_cart" name="test_tax"><failure message="a &lt; b">1</failure></testcase>
    <testcase classname="" name="tests.test_bill"><error message="collection failure"/></testcase>
    <testcase file="a.test.js" classname="test" name="x"><skipped/></testcase></testsuite></testsuites>`;
  assert.deepEqual(read(report), [
    'junit',
    'tests.test_cart.TestCart|pytest passed',
    'tests.test_cart|pytest failed',
    'pytest|tests.test_bill failed',
    'a.test.js|test|pytest skipped',
  ]);
});

test('a suite that counts failures of no case fails in a file that nobody knows', () => {
  const report = '<testsuite name="s" errors="1"><testcase classname="a" name="x"/></testsuite>';
  assert.deepEqual(read(report), ['junit', 'a|s passed', ' failed']);
});

test('a failure that one suite counts and does not show is not excused by one that another shows', () => {
  const shown = '<testsuite name="s" failures="1"><testcase file="a"><failure/></testcase></testsuite>';
  const hidden = '<testsuite name="t" failures="1"><testcase file="b"/></testsuite>';
  for (const both of [shown + hidden, hidden + shown])
    assert.equal(read(`<testsuites>${both}</testsuites>`).at(-1), ' failed', both);
  const around = `<testsuites failures="1"><testsuite name="r" failures="1">${shown}</testsuite></testsuites>`;
  assert.deepEqual(read(around), ['junit', 'a|s failed'], 'suites around suites count the same failure');
});

test('what a test printed is no case', () => {
  const printed = '<![CDATA[<testcase file="b"/>]]>';
  const report = `<testsuite><testcase file="a"><system-out>${printed}</system-out></testcase><!-- <testcase file="c"/> --></testsuite>`;
  assert.deepEqual(read(report), ['junit', 'a passed']);
});

test('a report of a run that was killed is refused, since the failure may be in what is missing', () => {
  const call = { $report_type: 'TestReport', nodeid: 'a.py::x', when: 'call', outcome: 'passed' };
  for (const text of [
    '<testsuites><testsuite name="s"><testcase file="a"/><testcase file="b">',
    '<testsuites><testsuite name="s"><testcase file="a"/></testsuite>',
    lines({ $report_type: 'SessionStart' }, call),
    lines({ type: 'test:pass', data: { file: 'a.js' } }, { type: 'test:summary', data: { file: 'a.js' } }),
    JSON.stringify({ testResults: [] }).slice(0, -1),
  ])
    assert.throws(
      () => read(text),
      (error) => isSocraticodeError(error, 'BAD_ARGUMENT'),
      text,
    );
});

test('jest, vitest, mocha and pytest: JSON with a verdict for each case', () => {
  const passed = { status: 'passed' };
  const jest = {
    testResults: [{ name: '/r/a.test.ts', status: 'passed', assertionResults: [passed, { status: 'pending' }] }],
  };
  assert.deepEqual(read(JSON.stringify(jest)), ['jest', '/r/a.test.ts passed', '/r/a.test.ts skipped']);
  const mocha = {
    stats: { failures: 1 },
    tests: [
      { file: 'a.js', fullTitle: 'a', err: {} },
      { file: 'b.js', fullTitle: 'b', err: { message: 'no' } },
      { file: 'c.js', fullTitle: 'c', err: {} },
    ],
    pending: [{ file: 'c.js', fullTitle: 'c' }],
    failures: [{ file: 'b.js' }],
  };
  assert.deepEqual(read(JSON.stringify(mocha)), ['mocha', 'a.js passed', 'b.js failed', 'c.js skipped', 'b.js failed']);
  const pytest = {
    tests: [{ nodeid: 'tests/test_a.py::test_x', outcome: 'passed' }],
    collectors: [{ nodeid: 'tests/test_b.py', outcome: 'failed' }],
  };
  assert.deepEqual(read(JSON.stringify(pytest)), [
    'pytest',
    'tests/test_a.py::test_x passed',
    'tests/test_b.py failed',
  ]);
});

test('go test, pytest-reportlog and events of node:test: one JSON object a line', () => {
  const go = lines(
    { Action: 'start', Package: 'm/a' },
    { Action: 'pass', Package: 'm/a', Test: 'TestX' },
    { Action: 'pass', Package: 'm/a' },
    { Action: 'fail', Package: 'm/b' },
  );
  assert.deepEqual(read(go), ['go-test', 'm/a passed', 'm/b failed']);
  const log = lines(
    { $report_type: 'SessionStart' },
    { $report_type: 'TestReport', nodeid: 'a.py::x', when: 'setup', outcome: 'passed' },
    { $report_type: 'TestReport', nodeid: 'a.py::x', when: 'call', outcome: 'passed' },
    { $report_type: 'TestReport', nodeid: 'a.py::x', when: 'teardown', outcome: 'failed' },
    { $report_type: 'CollectReport', nodeid: 'b.py', outcome: 'failed' },
    { $report_type: 'SessionFinish', exitstatus: 1 },
  );
  assert.deepEqual(read(log), ['pytest', 'a.py::x passed', 'a.py::x failed', 'b.py failed']);
  const node = lines(
    { type: 'test:start', data: { file: 'a.js' } },
    { type: 'test:pass', data: { file: 'a.js' } },
    { type: 'test:fail', data: { file: 'b.js' } },
    { type: 'test:diagnostic', data: { nesting: 0, message: 'fail 1' } },
  );
  assert.deepEqual(read(node), ['node', 'a.js passed', 'b.js failed']);
});

test('a report of no known format, with entities, or of another shape is refused', () => {
  for (const text of ['', 'ok 1', '{', '{"a":1}', '<html/>', '<!DOCTYPE a [<!ENTITY b "c">]><testsuites/>'])
    assert.throws(
      () => readResults(text),
      (error) => isSocraticodeError(error, 'BAD_ARGUMENT'),
      text,
    );
});

test('reading is linear in reports that are made to be slow', { timeout: 20_000 }, () => {
  const deep = `<testsuite>${'<testcase classname="a"><failure>'.repeat(200_000)}</testsuite>`;
  assert.equal([...readResults(deep).cases].length, 200_000);
  const many = Array.from({ length: 200_000 }, (_, i) => ({ nodeid: `a.py::t${i}`, outcome: 'passed' }));
  assert.equal([...readResults(JSON.stringify({ tests: many, collectors: many })).cases].length, 200_000);
});
