import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseLines, highlighterOf, withExcerpts } from '../../../src/questions/results/excerpt.js';
import type { SearchResponse } from '../../../src/questions/search/output.js';

const TEXT = [
  '/** Reads the token. */',
  'export function readToken(file) {',
  ...Array.from({ length: 20 }, (_, i) => `  step(${i});`),
  '  const session = openSession(file);',
  '  return session.token;',
  '}',
].join('\n');

function response(query: string, content: string | undefined): SearchResponse {
  const place = { path: 'a.js', startLine: 10, endLine: 34, language: 'javascript', kind: 'function' };
  const result = { ...place, symbol: 'readToken', score: 1, content };
  return { query, results: [result] } as unknown as SearchResponse;
}

test('an excerpt is the piece with most words of the query, and has the number of its first line', () => {
  const [result] = withExcerpts(response('session', TEXT), () => 4).results;
  assert.equal(result.content?.split('\n').length, 4);
  assert.match(result.content ?? '', /openSession/);
  assert.equal(result.content?.split('\n')[0], TEXT.split('\n')[(result.contentLine ?? 0) - 10]);
  // The place itself stays: what is cut is the text.
  assert.deepEqual([result.startLine, result.endLine], [10, 34]);
});

test('where no line has more of the query than others, it begins with the definition', () => {
  const [result] = withExcerpts(response('elsewhere', TEXT), () => 3).results;
  assert.equal(result.contentLine, 11);
  assert.match(result.content ?? '', /^export function readToken/);
});

test('short texts, results without text, and 0 for all lines are left as they are', () => {
  for (const [content, most] of [
    [TEXT, 100],
    [TEXT, 0],
    [undefined, 3],
    ['', 3],
  ] as const) {
    const given = response('session', content);
    assert.deepEqual(
      withExcerpts(given, () => most),
      given,
    );
  }
});

test('lines by rank', () => {
  const two = response('session', TEXT);
  two.results.push(two.results[0]);
  const sizes = withExcerpts(two, (rank) => [5, 2][rank]).results.map(({ content }) => content?.split('\n').length);
  assert.deepEqual(sizes, [5, 2]);
});

test('lines that are shown have the definition among them, wherever the matches are', () => {
  const lines = TEXT.split('\n');
  const shown = chooseLines(lines, 'readToken', highlighterOf(response('session', TEXT)), 4);
  assert.equal(shown.length, 4);
  assert.ok(shown.includes(1) && shown.includes(22));
});
