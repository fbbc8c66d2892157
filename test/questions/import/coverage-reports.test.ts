/** Coverage reports: lines that ran, of each format, and files that are none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSocraticodeError } from '../../../src/base/errors.js';
import { joined } from '../../../src/knowledge/codecs.js';
import { linesAt, readReport } from '../../../src/questions/import/coverage.js';

function read(text: string): string[] {
  const { format, runs } = readReport(text);
  const shown = [...runs].map(({ path, test: by, lines }) => {
    const ranges = joined(lines).map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`));
    return `${path} ${by} ${ranges.join(',')}`;
  });
  return [format, ...shown];
}

test('lcov: lines with a count, of the test that its record names', () => {
  const report = [
    'TN:cart_test',
    'SF:src/cart.js',
    'FN:1,total',
    'DA:1,1',
    'DA:2,3,abc',
    'DA:4,0',
    'end_of_record',
    'TN:',
    'SF:src/bill.js',
    'DA:7,1',
    'end_of_record',
  ];
  for (const newline of ['\n', '\r\n'])
    assert.deepEqual(read(report.join(newline)), ['lcov', 'src/cart.js cart_test 1-2', 'src/bill.js null 7']);
});

test('coverage.py: lines of each context, none for those that ran outside of tests, and all lines without contexts', () => {
  const contexts = { 1: [''], 2: ['tests/test_a.py::test_a|run'], 3: ['tests/test_a.py::test_a|run', 't.test_b'] };
  assert.deepEqual(read(JSON.stringify({ meta: {}, files: { 'a.py': { executed_lines: [1, 2, 3], contexts } } })), [
    'coverage.py',
    'a.py tests/test_a.py::test_a|run 2-3',
    'a.py t.test_b 3',
  ]);
  assert.deepEqual(read(JSON.stringify({ files: { 'a.py': { executed_lines: [1, 3] } } })), [
    'coverage.py',
    'a.py null 1,3',
  ]);
});

test('Cobertura, JaCoCo and Go: lines with a count', () => {
  const cobertura = `<?xml version="1.0" ?><!DOCTYPE coverage SYSTEM "x.dtd"><coverage><sources><source>/ci/shop</source></sources>
<class name="a&amp;b" filename="a&amp;b.py"><lines><line number="1" hits="1"/><line number="2" hits="0"/></lines></class></coverage>`;
  assert.deepEqual(read(cobertura), ['cobertura', 'a&b.py null 1']);
  assert.deepEqual(readReport(cobertura).sources, ['/ci/shop']);
  const jacoco = `<report name="x"><package name="com/shop"><class name="com/shop/Cart" sourcefilename="Cart.java"/>
<sourcefile name="Cart.java"><line nr="3" mi="0" ci="2"/><line nr="4" mi="1" ci="0"/></sourcefile></package></report>`;
  assert.deepEqual(read(jacoco), ['jacoco', 'com/shop/Cart.java null 3']);
  assert.deepEqual(read('mode: set\nx.org/a/cart.go:3.2,5.3 2 1\nx.org/a/cart.go:7.2,9.3 1 0\n'), [
    'go-cover',
    'x.org/a/cart.go null 3-5',
  ]);
});

test('V8: the innermost range around the beginning of a line says whether it ran', () => {
  const text = 'function a() {\n  if (x)\n    b();\n  return 1;\n}\nc();\n';
  const at = (part: string) => text.indexOf(part);
  const ranges = [
    { start: 0, end: text.length, count: 1 },
    { start: 0, end: at('\nc'), count: 2 },
    { start: at('b();'), end: at('\n  return'), count: 0 },
  ];
  assert.deepEqual(joined(linesAt(text, ranges)), [
    { start: 1, end: 2 },
    { start: 4, end: 6 },
  ]);
  const report = {
    result: [
      { url: 'file:///r/a.js', functions: [{ ranges: [] }] },
      { url: 'node:fs', functions: [] },
    ],
  };
  assert.deepEqual(read(JSON.stringify(report)), ['v8', 'file:///r/a.js null ']);
});

test('V8: functions, ranges and offsets of another type count as nothing', () => {
  const range = { startOffset: 0, endOffset: 5, count: 1 };
  const wrong = [null, 7, { ...range, startOffset: '0' }, { ...range, endOffset: '5' }, { ...range, count: '1' }];
  const ranges = [...wrong, { ...range, endOffset: 0 }, { ...range, startOffset: 6 }, range];
  const result = [
    null,
    { url: 7 },
    { url: 'file:///a.js', functions: [null, { ranges: 7 }, { ranges }] },
    { url: 'file:///b.js' },
  ];
  const { format, runs } = readReport(JSON.stringify({ result }));
  assert.deepEqual(
    [format, ...[...runs].map(({ path, offsets }) => [path, offsets])],
    ['v8', ['file:///a.js', [{ start: 0, end: 5, count: 1 }]], ['file:///b.js', []]],
  );
});

test('V8: ranges that end where others begin, blank lines, and text behind all ranges', () => {
  const ran = (text: string, ...ranges: [start: number, end: number, count: number][]) =>
    joined(
      linesAt(
        text,
        ranges.map(([start, end, count]) => ({ start, end, count })),
      ),
    ).map(({ start, end }) => `${start}-${end}`);
  assert.deepEqual(ran('a\nb\nc\n', [0, 2, 1], [2, 4, 0], [4, 6, 1]), ['1-1', '3-3']);
  assert.deepEqual(ran('a\n\n  b\n', [0, 7, 1]), ['1-1', '3-3']);
  assert.deepEqual(ran('a\n  b\n', [0, 4, 1]), ['1-1']);
  assert.deepEqual(ran('a\n  b\n', [4, 5, 1], [0, 9, 0]), ['2-2']);
  assert.deepEqual(ran('a\nb\n', [0, 4, 0], [0, 4, 1]), ['1-2']);
});

test('text of no format, broken JSON and declared entities are refused', () => {
  for (const text of [
    '',
    'hello',
    '{',
    '{"files": 3}',
    '[]',
    '<html></html>',
    '<',
    '<!DOCTYPE a [<!ENTITY b "c">]><coverage>',
  ])
    assert.throws(
      () => read(text),
      (error) => isSocraticodeError(error, 'BAD_ARGUMENT'),
      text,
    );
});

test('lines that no file has, and fields of another type, count as nothing', () => {
  const bad = ['DA:0,1', 'DA:-1,1', 'DA:1e9,1', 'DA:1.5,1', 'DA:x,1', 'DA:3', 'DA:,,', 'DA:4,NaN'];
  assert.deepEqual(read(['SF:a.js', ...bad, 'end_of_record', 'DA:9,1', 'end_of_record'].join('\n')), [
    'lcov',
    'a.js null ',
  ]);
  const files = { a: null, b: { executed_lines: 'x' }, c: { contexts: { x: ['t'], 2: 3, 3: [4, null] } } };
  assert.deepEqual(read(JSON.stringify({ files })), ['coverage.py', 'b null ']);
  assert.deepEqual(read('mode: set\na.go:9.1,3.1 1 1\na.go:99999999.1,3.1 1 1\na.go\n:\n'), ['go-cover']);
  assert.deepEqual(read('<coverage><line number="1" hits="1"/><class filename="a"'), ['cobertura']);
});

test('reports of a million lines, tags and ranges are read in one pass', () => {
  const started = process.cpuUsage();
  const many = 200_000;
  assert.equal([...readReport(`<coverage>${'<class '.repeat(many)}`).runs].length, 0);
  assert.equal([...readReport(`<coverage>${'<class '.repeat(many)}>`).runs].length, 0);
  assert.equal([...readReport(`<coverage><source>${'<line number="1" hits="1"/>'.repeat(many)}`).runs].length, 0);
  assert.equal([...readReport(`SF:a\n${'DA:1,1\n'.repeat(many)}end_of_record\n`).runs].length, 1);
  assert.equal([...readReport(`mode: set\n${'a.go:1.1,1000000.1 1 1\n'.repeat(many)}`).runs].length, 1);
  // Each path is looked for in every folder that the report names.
  const sources = readReport(`<coverage>${'<source>/a</source>'.repeat(many)}<class filename="a"/>`).sources;
  assert.equal(sources.length, 100);
  const nested = Array.from({ length: many }, (_, i) => ({ start: i, end: 2 * many - i, count: 1 }));
  assert.equal(joined(linesAt('x\n'.repeat(many), nested)).length, 1);
  const { user } = process.cpuUsage(started);
  assert.ok(user < 5e6, `${user / 1e6} s`);
});

test('a report is of the format that it begins with, whatever stands in it', () => {
  const formatOf = (text: string) => readReport(text).format;
  for (const name of ['mode: x', '{"a": 1}', '<coverage>'])
    assert.equal(formatOf(`TN:${name}\nSF:a.js\nDA:1,1\nend_of_record\n`), 'lcov', name);
  assert.equal(formatOf(' \n mode: set\nshop/a.go:1.1,2.2 1 1\n'), 'go-cover');
});
