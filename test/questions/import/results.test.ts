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

test('each runner has its own words for a case that was left out, and any other word is a failure', () => {
  const outcomes = [
    'passed',
    'pass',
    'xfailed',
    'skipped',
    'skip',
    'pending',
    'todo',
    'disabled',
    'failed',
    'error',
    7,
  ];
  const cases = outcomes.map((status) => ({ status }));
  const jest = { testResults: [{ name: 'a', status: 'passed', assertionResults: cases }] };
  const verdicts = ['passed', 'passed', 'passed', ...Array(5).fill('skipped'), ...Array(3).fill('failed')];
  assert.deepEqual(
    read(JSON.stringify(jest)).slice(1),
    verdicts.map((verdict) => `a ${verdict}`),
  );
  const files = [null, 'x', { name: 'b', status: 'failed' }, { name: '', status: 'skipped', assertionResults: [null] }];
  assert.deepEqual(read(JSON.stringify({ testResults: files })).slice(1), ['b failed', ' skipped', ' failed']);
});

test('mocha: a case without a file, failures of hooks, and more failures than are listed', () => {
  const of = (rest: object) => read(JSON.stringify({ stats: { failures: 0 }, tests: [], ...rest })).slice(1);
  assert.deepEqual(of({ tests: [null, {}, { err: {} }, { file: 'a', err: null }] }), [
    ' failed',
    ' passed',
    'a failed',
  ]);
  assert.deepEqual(of({ stats: { failures: 2 }, failures: [{ file: 'a' }] }), ['a failed', ' failed']);
  assert.deepEqual(of({ stats: { failures: 1 }, failures: [null] }), [' failed']);
  const same = { file: 'a', fullTitle: 't', err: {} };
  assert.deepEqual(of({ tests: [same, { ...same, file: 'b' }], pending: ['x', { file: 'a', fullTitle: 't' }] }), [
    'a skipped',
    'b passed',
  ]);
});

test('pytest: files that were collected tell nothing, and only a failure counts outside of the call', () => {
  const collected = { nodeid: 'a.py', outcome: 'passed' };
  const tests = [null, { nodeid: 'b.py::x', outcome: 'skipped' }, { outcome: 'error' }];
  assert.deepEqual(read(JSON.stringify({ tests, collectors: [collected, 'x'] })).slice(1), [
    'b.py::x skipped',
    ' failed',
  ]);
  const report = (rest: object) => ({ $report_type: 'TestReport', nodeid: 'a.py::x', ...rest });
  const log = lines(
    { $report_type: 'CollectReport', nodeid: 'c.py', outcome: 'passed' },
    report({ when: 'setup', outcome: 'skipped' }),
    report({ when: 'teardown', outcome: 'passed' }),
    { $report_type: 'TestReport', when: 'call', outcome: 'failed' },
    { $report_type: 'SessionFinish' },
  );
  assert.deepEqual(read(log.replace('\n', '\nnull\nno JSON\n')), ['pytest', 'a.py::x skipped']);
});

test('go and node:test: what names no package or file, and what was skipped or is still to do', () => {
  const go = lines(
    { Action: 'pass' },
    { Action: 'skip', Package: 'm/a' },
    { Action: 'output', Package: 'm/a' },
    { Action: 'pass', Package: 7 },
    { Action: 'fail', Package: 'm/b' },
  );
  assert.deepEqual(read(`${go}\nnull`), ['go-test', 'm/a skipped', 'm/b failed']);
  const event = (type: string, data: object) => ({ type: `test:${type}`, data });
  const node = lines(
    event('pass', { file: 'a.js', skip: 'later' }),
    event('fail', { file: 'a.js', todo: true }),
    event('pass', { file: 'b.js', skip: false, todo: undefined }),
    event('fail', {}),
    { type: 'test:pass' },
    event('plan', { file: 'c.js' }),
  );
  const whole = ['a.js skipped', 'a.js skipped', 'b.js passed', ' failed'];
  for (const end of [event('summary', {}), event('diagnostic', { message: 'fail 0' })])
    assert.deepEqual(read(`${node}\nnull\n${JSON.stringify(end)}`).slice(1), whole);
  for (const end of [event('summary', { file: 'a.js' }), event('diagnostic', { message: 'fail none' })])
    assert.throws(() => read(`${node}\n${JSON.stringify(end)}`), /cut short/);
});

test('JUnit: a status that failed, a failure outside of a case, and an end that closes itself', () => {
  const suite = (inner: string, counts = '') => read(`<testsuite name="s" ${counts}>${inner}</testsuite>`).slice(1);
  assert.deepEqual(suite('<testcase file="a" status="failed"/>'), ['a|s failed']);
  assert.deepEqual(suite('<failure/><testcase file="a"/>'), ['a|s passed']);
  assert.deepEqual(suite('<testcase file="a"><failure/><skipped/></testcase>'), ['a|s failed']);
  assert.deepEqual(suite('<testcase file="a"><skipped/><error/></testcase>'), ['a|s failed']);
  assert.deepEqual(suite('<testcase file="a"><failure/></testcase>', 'failures="1" errors="1"'), [
    'a|s failed',
    ' failed',
  ]);
  assert.deepEqual(read('<testsuites/>'), ['junit']);
  assert.throws(() => read('<testsuites></testsuite>'), /cut short/);
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
