/** Values that people, programs and models give for declared parameters. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSocraticodeError } from '../../src/base/errors.js';
import { choice, flag, integer, list, number, type Params, text } from '../../src/params/param.js';
import { expectation, nearestName, readValues } from '../../src/params/read.js';

const PARAMS = {
  query: text({ summary: 'words', required: true, minLength: 1, maxLength: 20 }),
  depth: integer({ summary: 'hops', min: 1, max: 10, default: 3 }),
  share: number({ summary: 'share', min: 0, max: 1 }),
  mode: choice(['hybrid', 'lexical'], { summary: 'mode' }),
  docs: flag({ summary: 'docs' }),
  path: list({ summary: 'globs', maxEntries: 2, maxLength: 8 }),
} satisfies Params;

const FIELDS = Object.entries(PARAMS).map(([key, param]) => ({ key, name: key, label: `--${key}`, param }));
const read = (given: unknown) => readValues(given, { fields: FIELDS, hint: 'See the help.' });

function refusal(given: unknown): string {
  try {
    read(given);
  } catch (error) {
    assert.ok(isSocraticodeError(error, 'BAD_ARGUMENT'), String(error));
    assert.equal(error.hint, 'See the help.');
    return error.message;
  }
  return assert.fail(`accepted: ${JSON.stringify(given)}`);
}

test('defaults are filled in, and values left out stay out', () => {
  assert.deepEqual(read({ query: 'x' }), { query: 'x', depth: 3 });
  assert.deepEqual(read({ query: 'x', mode: null, share: undefined }), { query: 'x', depth: 3 });
});

test('numbers and flags may come as text, and one text is a list of one', () => {
  const given = { query: 'x', depth: '7', share: '.5', docs: 'true', path: 'src' };
  assert.deepEqual(read(given), { query: 'x', depth: 7, share: 0.5, docs: true, path: ['src'] });
});

test('a text may come as a list of one, and a list as JSON in a text', () => {
  assert.deepEqual(read({ query: ['x'], path: '["src", "lib"]' }), { query: 'x', depth: 3, path: ['src', 'lib'] });
  // Neither is JSON of texts: both are globs.
  assert.deepEqual(read({ query: 'x', path: '[ab]"*' }).path, ['[ab]"*']);
  assert.deepEqual(read({ query: 'x', path: '["a",]' }).path, ['["a",]']);
  assert.match(refusal({ query: ['x', 'y'] }), /^--query takes text of 1 to 20 characters, not a list of 2$/);
  assert.match(refusal({ query: 'x', path: '["a","b","c"]' }), /at most 2/);
});

test('a refusal names the parameter as the surface does, its bounds, and the value', () => {
  assert.equal(refusal({}), '--query is required: text of 1 to 20 characters');
  assert.equal(refusal({ query: 'x', depth: 11 }), '--depth takes a whole number from 1 to 10, not 11');
  assert.equal(refusal({ query: 'x', depth: '2.5' }), '--depth takes a whole number from 1 to 10, not 2.5');
  assert.equal(refusal({ query: 'x', share: Number.NaN }), '--share takes a number from 0 to 1, not NaN');
  assert.equal(refusal({ query: 'x', mode: 'magic' }), '--mode takes one of hybrid, lexical, not "magic"');
  assert.equal(refusal({ query: 'x', docs: 'yes' }), '--docs takes true or false, not "yes"');
  assert.match(
    refusal({ query: 'x', path: ['a', 'b', 'c'] }),
    /^--path takes .* a list of at most 2, not a list of 3$/,
  );
  assert.match(refusal({ query: 'x', path: ['much too long'] }), /^--path takes text of at most 8 characters/);
});

test('an entry that is none of the choices is told the choices alone, and a long list its bound', () => {
  const param = list({ summary: 'kinds', choices: ['class', 'function'], maxEntries: 2 });
  const fields = [{ key: 'kind', name: 'kind', label: '--kind', param }];
  const refused = (kind: string[]) => readValues({ kind }, { fields, hint: '' });
  assert.throws(() => refused(['klass']), {
    message: '--kind takes one of class, function, not "klass"; did you mean class?',
  });
  assert.throws(() => refused(['class', 'class', 'class']), { message: /a list of at most 2, not a list of 3$/ });
});

test('the name of the command line is taken beside the one that is told', () => {
  const [query] = FIELDS;
  const fields = [query, { key: 'path', name: 'fileFilter', alias: 'path', label: 'fileFilter', param: PARAMS.path }];
  const told = (given: object) => readValues({ query: 'x', ...given }, { fields, hint: '' });
  assert.deepEqual(told({ path: 'src' }), { query: 'x', path: ['src'] });
  assert.deepEqual(told({ fileFilter: 'src', path: 'test' }), { query: 'x', path: ['src'] });
});

test('names that nothing declares are refused with the nearest one', () => {
  assert.equal(refusal({ querry: 'x', query: 'x' }), 'unknown parameter "querry"; did you mean query?');
  assert.equal(refusal({ query: 'x', zzzzz: 1 }), 'unknown parameter "zzzzz"');
  assert.match(refusal(JSON.parse('{"query":"x","__proto__":{"depth":3}}')), /unknown parameter "__proto__"/);
});

test('many mistakes are counted, four are spelled out, and none is quoted at length', () => {
  const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`k${i}`, i]));
  assert.match(refusal({ query: 'x', ...many }), /^unknown parameter "k0".*; and 199996 more$/);
  assert.ok(refusal({ query: 'y'.repeat(1_000_000) }).length < 300);
  const quoted = refusal({ query: 'x', mode: 'a\u001b[2J\nb' });
  assert.ok(!quoted.includes('\u001b') && !quoted.includes('\n'), quoted);
});

test('whatever is given, values are within the declaration or the call is refused', () => {
  const value = fc.oneof(fc.anything(), fc.integer(), fc.double(), fc.string(), fc.boolean(), fc.array(fc.string()));
  const record = fc.record(Object.fromEntries(Object.keys(PARAMS).map((key) => [key, value])), { requiredKeys: [] });
  fc.assert(
    fc.property(record, (given) => {
      let values: Record<string, unknown>;
      try {
        values = read(given);
      } catch (error) {
        return isSocraticodeError(error, 'BAD_ARGUMENT');
      }
      const { query, depth, share, mode, docs, path } = values;
      const isWhole = Number.isInteger(depth) && (depth as number) >= 1 && (depth as number) <= 10;
      const isShare = share === undefined || ((share as number) >= 0 && (share as number) <= 1);
      const isList = path === undefined || (Array.isArray(path) && path.length <= 2);
      const isKnown = mode === undefined || mode === 'hybrid' || mode === 'lexical';
      return (
        typeof query === 'string' &&
        isWhole &&
        isShare &&
        isList &&
        isKnown &&
        (docs === undefined || typeof docs === 'boolean')
      );
    }),
  );
});

test('expectations read as noun phrases', () => {
  assert.equal(
    expectation(integer({ summary: '', min: 1, max: Number.MAX_SAFE_INTEGER })),
    'a whole number of at least 1',
  );
  assert.equal(expectation(PARAMS.path, true), 'text of at most 8 characters');
  assert.equal(nearestName('max_tokens', ['maxTokens', 'minScore']), 'maxTokens');
  assert.equal(nearestName('x', ['maxTokens']), null);
});
