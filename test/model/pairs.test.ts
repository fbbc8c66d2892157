import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { choosePairs } from '../../model/train/pairs/choose.js';
import { cleanDoc } from '../../model/train/pairs/clean.js';
import { makePairs } from '../../model/train/pairs/make.js';
import { maskName, nameWords } from '../../model/train/pairs/names.js';
import { pathWords } from '../../model/train/pairs/paths.js';
import { testedPairs } from '../../model/train/pairs/tests.js';
import type { PairKind } from '../../model/train/pairs/types.js';
import { loadAllRules } from '../../src/languages/registry.js';

before(loadAllRules);

const make = (path: string, source: string, language: string) => makePairs(path, Buffer.from(source), language);
const queries = (path: string, source: string, language: string, kind: PairKind) =>
  make(path, source, language)
    .pairs.filter((pair) => pair.kind === kind)
    .map(({ query }) => query);

const JS = `/**
 * Reads the {@link Header} of a \`request\`. Keeps <b>only</b> known fields.
 *
 * @param {string} line as sent
 */
export function parseHeader(line) {
  const result = {};
  // Split at the first colon only
  const at = line.indexOf(':');
  const name = line.slice(0, at);
  // const old = parse(line);
  result[name] = line.slice(at + 1);

  if (name === '') throw new Error('header \${line} has no name at all');
  return parseHeader.known(result);
}
`;

test('documentation is cleaned of markers, markup and tags, and taken out of the code', () => {
  const [doc] = make('src/http/parse.js', JS, 'javascript').pairs.filter(({ kind }) => kind === 'doc');
  assert.equal(doc.query, 'Reads the Header of a request. Keeps only known fields.');
  assert.match(doc.code, /^(?:export )?function parseHeader/);
  assert.doesNotMatch(doc.code, /known fields/);
});

test('what is no description gives no query', () => {
  const none = [
    '/* Copyright 2020 The Authors. All rights reserved. */',
    '// TODO: write this some day when there is time',
    '/** @inheritDoc */',
    '# pylint: disable=too-many-arguments, invalid-name',
    '/** Gibt die Anzahl der Zeichen zurück, die nicht von der Funktion gelesen wurden */',
    '// return foo(bar) ? baz : null;',
    '/** Ok. */',
  ];
  for (const comment of none) assert.equal(cleanDoc(comment), null, comment);
});

test('documentation in many styles', () => {
  const cases: [raw: string, query: string, name?: string][] = [
    [
      `"""Return the *sum* of all :class:\`~a.Item\` objects.\n\n    :param x: a\n    """`,
      'Return the sum of all a.Item objects.',
    ],
    [
      '/// Opens the [`File`] for reading.\n///\n/// # Examples\n///\n/// ```\n/// open();\n/// ```',
      'Opens the File for reading.',
    ],
    [
      '/**\n * gtk_show:\n * @widget: a widget\n *\n * Flags a widget to be displayed.\n */',
      'Flags a widget to be displayed.',
      'gtk_show',
    ],
    ['/** @return the number of open connections */', 'Returns the number of open connections'],
    [';; Find the window that shows BUFFER.', 'Find the window that shows BUFFER.'],
    ['(** Folds the list from the left. *)', 'Folds the list from the left.'],
    [
      '// Regression test for the crash below.\n// NewFoo would have returned an error.',
      'Regression test for the crash below. NewFoo would have returned an error.',
    ],
  ];
  for (const [raw, query, name] of cases) assert.equal(cleanDoc(raw, name), query);
});

test('names are spoken and masked', () => {
  assert.equal(nameWords('parseHTTPRequest'), 'parse http request');
  assert.equal(nameWords('get_user_2'), 'get user 2');
  assert.equal(
    maskName('int foo_bar(int a) { return foo_bar(a) + foo_bar2; }', 'foo_bar'),
    'int _(int a) { return _(a) + foo_bar2; }',
  );
  assert.equal(maskName('this.$run(); run();', '$run'), 'this._(); run();');
  assert.deepEqual(queries('src/http/parse.js', JS, 'javascript', 'name'), ['parse header']);
});

test('comments inside bodies go with the lines they introduce; commented-out code does not', () => {
  const [inline, ...more] = make('src/parse.js', JS, 'javascript').pairs.filter(({ kind }) => kind === 'inline');
  assert.equal(inline.query, 'Split at the first colon only');
  assert.equal(inline.code, "  const at = line.indexOf(':');\n  const name = line.slice(0, at);");
  assert.deepEqual(more, []);
});

test('messages go with the code around them', () => {
  assert.deepEqual(queries('src/parse.js', JS, 'javascript', 'message'), ['header has no name at all']);
});

test('tests go with their bodies, and with what they test', () => {
  const spec = `describe('parseHeader', () => {
  it('keeps everything after the first colon', () => {
    const header = parseHeader('a: b:c');
    assert.deepEqual(header, { a: ' b:c' });
  });
});
`;
  const tests = make('test/parse.test.js', spec, 'javascript');
  const own = tests.pairs.filter(({ query }) => query.endsWith('keeps everything after the first colon'));
  assert.match(own[0].code, /^ {4}const header/);
  const [about] = testedPairs([make('src/parse.js', JS, 'javascript'), tests]);
  assert.match(about.code, /function parseHeader/);
  const python =
    'def test_rejects_empty_input():\n    value = parse("")\n    assert value.error == "empty"\n    assert not value.ok\n';
  assert.deepEqual(queries('tests/test_parse.py', python, 'python', 'test'), ['rejects empty input']);
});

test('sections go with their last two headings', () => {
  const text =
    '# Tool\n\n## Running it\n\n### From a `container`\n\nStart the container and mount the folder that holds the data which should be read.\n\n```sh\n# not a heading\nrun\n```\n';
  const [heading] = make(
    'docs/run.md',
    `${text}\n## License\n\nMIT, see the file that comes with it.\n`,
    'markdown',
  ).pairs;
  assert.equal(heading.query, 'Running it From a container');
  assert.match(heading.code, /# not a heading/);
});

test('words of a path leave out folders that most projects have', () => {
  assert.equal(pathWords('usr/lib/python3/dist-packages/http_tools/cookieJar.py'), 'http tools cookie jar');
  assert.equal(pathWords('src/index.js'), null);
});

test('languages without a grammar: comment above, body by indentation', () => {
  const perl =
    '# Sends the message to every client that is connected.\nsub broadcast_message {\n  my ($self, $text) = @_;\n  $_->send($text) for $self->clients;\n}\n\nsub other { 1 }\n';
  const [doc] = make('lib/Chat.pm', perl, 'perl').pairs.filter(({ kind }) => kind === 'doc');
  assert.equal(doc.query, 'Sends the message to every client that is connected.');
  assert.match(doc.code, /^sub broadcast_message \{[\s\S]*\n\}$/);
  const clojure =
    '(defn total-price\n  "Adds up the prices of all items in the cart."\n  [cart]\n  (reduce + (map :price (:items cart))))\n';
  const [docstring] = make('src/cart.clj', clojure, 'clojure').pairs;
  assert.equal(docstring.query, 'Adds up the prices of all items in the cart.');
  assert.doesNotMatch(docstring.code, /Adds up/);
});

test('no package, file or phrase has more than its share; copies count once', () => {
  const pairs = Array.from({ length: 6_000 }, (_, i) => ({
    kind: 'name' as const,
    language: 'c',
    file: `f${i % 100}.c`,
    query: `query ${i}`,
    code: `code ${i}`,
  }));
  const seen = new Set<string>();
  assert.equal(choosePairs(pairs, seen).length, 4_000);
  assert.equal(choosePairs(pairs, seen).length, 0);
  const one = pairs.map((pair) => ({ ...pair, file: 'one.c' }));
  assert.equal(choosePairs(one, new Set()).length, 200);
  const same = pairs.map((pair) => ({ ...pair, query: 'the same' }));
  assert.equal(choosePairs(same, new Set()).length, 3);
});
