/** Queries in the notation of `tags.scm`: what they find in trees of the grammar of JSON, and that none takes long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWithGrammar } from '../../src/extract/syntax-tree.js';
import { findTags, readTagQuery, type Tag } from '../../src/extract/tags.js';

function found(query: string, text: string) {
  const tree = parseWithGrammar('json', text);
  assert.ok(tree !== null);
  const { definitions, references } = findTags(tree, readTagQuery(query));
  const shown = ({ kind, node, start, end, scope }: Tag) =>
    `${kind} ${scope}${text.slice(start, end)} in ${text.slice(tree.start[node], tree.end[node])}`;
  return [...definitions.map(shown), ...references.map((tag) => `use: ${shown(tag)}`)];
}

const names = (query: string, text: string): string[] => found(query, text).map((line) => line.split(' ')[1]);

test('each node that `@name` can be is a match, and its quotes are no part of the name', () => {
  assert.deepEqual(found('(pair key: (string) @name) @definition.key', '{"a": 1, "b": {"c": 2}}'), [
    'key a in "a": 1',
    'key b in "b": {"c": 2}',
    'key c in "c": 2',
  ]);
  assert.deepEqual(names('(array (number) @name @definition.constant)', '[1, "x", 2, [3]]'), ['1', '2', '3']);
});

test('children are told by fields, kinds, tokens, wildcards and alternatives', () => {
  const text = '{"a": 1, "b": "x", "c": [2], "d": null}';
  assert.deepEqual(names('(pair key: (string) @name value: (number)) @definition.key', text), ['a']);
  assert.deepEqual(names('(pair key: (_) @name value: [(array) (null)]) @definition.key', text), ['c', 'd']);
  assert.deepEqual(
    names('[(pair key: (_) @name value: (array)) (pair key: (_) @name value: (null))] @definition.key', text),
    ['c', 'd'],
  );
  assert.deepEqual(names('(pair (string) @name (_ "[" (number))) @definition.key', text), ['c']);
  assert.deepEqual(names('(pair (string (string_content) @name) ":" (_)) @definition.key', text), ['a', 'b', 'c', 'd']);
});

test('anchors tie a child to the one before it, or to an end, whatever tokens stand between', () => {
  const text = '[1, "a", 2, "b", 3]';
  assert.deepEqual(names('(array . (number) @name @definition.key)', text), ['1']);
  assert.deepEqual(names('(array (number) @name @definition.key .)', text), ['3']);
  assert.deepEqual(names('(array (string) . (number) @name @definition.key)', text), ['2', '3']);
  assert.deepEqual(names('(array (string) @name @definition.key . (number) .)', text), ['b']);
  assert.deepEqual(names('((number) . (string) @name @definition.key)', text), ['a', 'b']);
});

test('children can be optional or repeated', () => {
  const query = (quantifier: string) => `(array . (number)${quantifier} . (string) @name @definition.key)`;
  for (const [quantifier, expected] of [
    ['', ['b']],
    ['?', ['a', 'b']],
    ['*', ['a', 'b', 'c']],
    ['+', ['b', 'c']],
  ] as const)
    assert.deepEqual(names(query(quantifier), '[["a"], [1, "b"], [1, 2, "c"]]'), expected, quantifier);
});

test('a field can be asked to be absent', () => {
  assert.deepEqual(names('(array !key (number) @name @definition.key)', '[1]'), ['1']);
  assert.deepEqual(names('(pair !key (string) @name @definition.key)', '{"a": "b"}'), []);
});

test('predicates compare texts with words, with expressions and with each other', () => {
  const text = '{"a": "a", "b": "x", "ab": "y", "B": "z"}';
  const key = (predicate: string) =>
    names(
      `(pair key: (string (string_content) @name) value: (string (string_content) @v) ${predicate}) @definition.key`,
      text,
    );
  assert.deepEqual(key('(#eq? @name "b")'), ['b']);
  assert.deepEqual(key('(#not-eq? @name "b")'), ['a', 'ab', 'B']);
  assert.deepEqual(key('(#any-of? @name "b" "ab")'), ['b', 'ab']);
  assert.deepEqual(key('(#not-any-of? @name "b" "ab")'), ['a', 'B']);
  assert.deepEqual(key('(#match? @name "^a")'), ['a', 'ab']);
  assert.deepEqual(key('(#match? @name "(?i)^b$")'), ['b', 'B']);
  assert.deepEqual(key('(#not-match? @v "^[x-z]")'), ['a']);
  assert.deepEqual(key('(#eq? @name @v)'), ['a']);
  assert.deepEqual(key('(#not-eq? @name @v)'), ['b', 'ab', 'B']);
});

test('a predicate is about its own pattern, and not about those behind it, whose captures have the same names', () => {
  const pair = (predicate: string, kind: string) =>
    `(pair key: (string (string_content) @name) value: (string (string_content) @v) ${predicate}) @definition.${kind}\n`;
  for (const predicate of ['(#eq? @name "b")', '(#eq? @name @v)', '(#set! scope "s.")', '(#strip! @name "^b")'])
    assert.deepEqual(names(pair(predicate, 'one') + pair('', 'two'), '{"a": "1", "bc": "2"}').slice(-1), [
      predicate.startsWith('(#s') ? names(pair(predicate, 'one'), '{"bc": "2"}')[0] : 'bc',
    ]);
  assert.deepEqual(found(pair('(#eq? @name "b")', 'one') + pair('', 'two'), '{"a": "1", "b": "2"}'), [
    'two a in "a": "1"',
    'one b in "b": "2"',
  ]);
});

test('a predicate chooses among children: the first that it refuses is not the end of the search', () => {
  const query = '(array (string) @_mark . (number) @name @definition.key (#eq? @_mark "\\"b\\""))';
  assert.deepEqual(names(query, '["a", 1, "b", 2]'), ['2']);
});

test('of two patterns for one name the first counts, and a definition is no reference', () => {
  const query = `
    (pair key: (string) @name value: (number)) @definition.constant ; numbers
    (pair key: (string) @name) @definition.key
    (string) @name @reference.read`;
  assert.deepEqual(found(query, '{"a": 1, "b": "c"}'), [
    'constant a in "a": 1',
    'key b in "b": "c"',
    'use: read c in "c"',
  ]);
});

test('a name can stand behind a scope, and without its beginning', () => {
  const scoped =
    '(pair key: (string (string_content) @scope) value: (array (number) @name @definition.key) (#set! scope "x"))';
  assert.deepEqual(names(scoped, '{"a": [1, 2]}'), ['x.a.1', 'x.a.2']);
  assert.deepEqual(names('((string) @name @definition.key (#strip! @name "^[$]"))', '["$a", "b$"]'), ['a', 'b$']);
});

test('a query that can find nothing is refused', () => {
  for (const [query, message] of [
    ['(pair key: (string)) @definition.key', /no @name/],
    ['(nothing) @name @definition.key', /no kind nothing/],
    ['(pair kee: (string) @name) @definition.key', /no field kee/],
    ['((string) @name @definition.key (#is? @name "a"))', /no predicate/],
    ['(pair (string) @name', /middle of a pattern/],
    ['(pair ) )', /no @name|where a pattern begins/],
  ] as const)
    assert.throws(() => found(query, '{}'), message, query);
});

test('a search takes time in proportion to the tree', () => {
  const wide = `[${'1, "a", '.repeat(10_000)}1]`;
  const deep = `${'['.repeat(2_000)}1${']'.repeat(2_000)}`;
  const queries = [
    '(array (string)* (number)* (string) @name @definition.key (number) (string) (number) .)',
    '(array (number) @a (string) @name @definition.key (number) @b (#eq? @a @b))',
    '((number)* . (string)? . (number) @name @definition.key)',
    '(_ (_ (_ (_) @name @definition.key)))',
  ];
  const start = process.cpuUsage();
  for (const query of queries) for (const text of [wide, deep]) found(query, text);
  assert.ok(process.cpuUsage(start).user < 8_000_000, 'seconds of processor time');
});
