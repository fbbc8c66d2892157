/** Lines of `search --stdin`: which parameters they may set, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSocraticodeError } from '../../../src/base/errors.js';
import { parseLine as parse } from '../../../src/questions/asker.js';
import { fused, LINES } from '../../../src/questions/search/answer.js';
import type { SearchResponse } from '../../../src/questions/search/question.js';

const parseLine = <V extends object>(line: string, values: V) => parse(line, values, LINES);

const refused = (line: string, message: RegExp) =>
  assert.throws(
    () => parseLine(line, {}),
    (error) => isSocraticodeError(error, 'BAD_ARGUMENT') && message.test(error.message),
    line,
  );

test('a line that is no object is a query, spaces included', () => {
  assert.deepEqual(parseLine(' where is it? ', { limit: 3 }), { limit: 3, query: ' where is it? ' });
});

test('an object sets parameters of its line alone; options of the command line are the defaults', () => {
  const defaults = { limit: 3, lang: ['rust'], stdin: true } as const;
  const values = parseLine('{"query":"x","lang":"go","path":["a","b"],"lines":2,"minScore":0.5}', {
    ...defaults,
    lang: [...defaults.lang],
  });
  assert.deepEqual(values, {
    ...{ query: 'x', limit: 3, lang: ['go'], path: ['a', 'b'], lines: 2, minScore: 0.5, stdin: true },
  });
  assert.deepEqual(parseLine('{"limit":null}', { limit: 3 }), { limit: 3 });
});

test('unknown keys, values of another type and values out of bounds are refused by the name of the key', () => {
  refused('{broken', /not valid JSON/);
  refused('{"query":"x","colour":"red"}', /unknown parameter "colour"/);
  refused('{"query":"x","languages":"go"}', /unknown parameter "languages"/);
  refused('{"stdin":true}', /unknown parameter "stdin"/);
  refused('{"query":1}', /^query takes text/);
  refused('{"limit":1000}', /^limit takes a whole number from 1 to 100, not 1000$/);
  refused('{"minScore":2}', /^minScore takes a number from 0 to 1, not 2$/);
  refused('{"mode":"magic"}', /^mode takes one of hybrid, lexical, semantic/);
  refused('{"path":[1]}', /^path takes text/);
  refused('{"__proto__":{"query":"x"}}', /unknown parameter "__proto__"/);
});

test('results of several wordings are ranked together: what all have comes before what one has first', () => {
  const answer = (query: string, paths: string[], told?: string[]) =>
    ({
      ...{ query, results: paths.map((path) => ({ path, startLine: 1, endLine: 2, score: 9 })) },
      ...(told && { told }),
    }) as SearchResponse;
  const { query, results, told } = fused([
    answer('limit', ['a', 'both', 'c'], ['no file has "x"']),
    answer('throttle', ['d', 'both', 'e'], ['no file has "x"', 'no file has "y"']),
  ]);
  assert.equal(query, 'limit\nthrottle');
  assert.deepEqual(
    results.map(({ path }) => path),
    ['both', 'a', 'd'],
  );
  assert.deepEqual(told, ['no file has "x"', 'no file has "y"']);
});
