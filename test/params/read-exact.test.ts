/** Which values a parameter takes, as it takes them, and what a refusal points at. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choice, flag, integer, list, number, type Param, pairs, records, text } from '../../src/params/param.js';
import { accepted, accepts, expectation, nearestName, readValues, refusedPart } from '../../src/params/read.js';

const ENTRY = {
  path: text({ summary: 'path', required: true, minLength: 1, maxLength: 10 }),
  from: integer({ summary: 'first line', min: 1, max: 99, default: 1 }),
  tags: list({ summary: 'tags', maxEntries: 2, maxLength: 4 }),
  open: flag({ summary: 'open' }),
};
const EDITS = records({ summary: 'edits', fields: ENTRY, maxEntries: 2 });
const NAMES = pairs({ summary: 'names', keyPattern: /^[a-z]+$/, maxLength: 4 } as Parameters<typeof pairs>[0]);

/** One value through one parameter; the message where it is refused. */
function read(param: Param, given: unknown, more: { one?: boolean; label?: string } = {}): unknown {
  try {
    const field = { key: 'key', name: 'name', label: 'name', param, ...more };
    return readValues({ name: given }, { fields: [field], hint: 'hint' }).key;
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

test('objects of a list have the declared fields alone, defaults filled in, and one entry for a list of one', () => {
  assert.deepEqual(read(EDITS, [{ path: 'a' }, { path: 'b', from: 3, tags: 'x', open: false }]), [
    { path: 'a', from: 1 },
    { path: 'b', from: 3, tags: ['x'], open: false },
  ]);
  assert.deepEqual(read(EDITS, []), []);
  const refused = [
    [{}],
    [{ path: '' }],
    [{ path: 'a', other: 1 }],
    [{ path: 'a', from: '3' }],
    [{ path: 'a', from: 0 }],
    [null],
    ['a'],
    [[]],
  ];
  for (const given of [...refused, {}, 'x', [{ path: 'a' }, { path: 'b' }, { path: 'c' }]])
    assert.match(
      String(read(EDITS, given)),
      /^refused: name takes a list of objects with path, from, tags, open, not /,
      JSON.stringify(given),
    );
});

test('of a refused list of objects the part is told that is wrong, with what is allowed there', () => {
  const part = (given: unknown, param: Param = EDITS) => {
    const found = refusedPart(param, given);
    return found === null ? null : `${found.at} ${JSON.stringify(found.value)} ${found.allowed}`;
  };
  assert.equal(part([{ path: 'a' }, { path: 'b', from: 100 }]), '[1].from 100 a whole number from 1 to 99');
  assert.equal(part([{ path: 'a', form: 1 }]), '[0].form 1 no such field; did you mean from?');
  assert.equal(part([{ path: 'a', zzzz: 1 }]), '[0].zzzz 1 no such field; known: path, from, tags, open');
  assert.equal(part([{ path: 'a', toString: 1 }]), '[0].toString 1 no such field; known: path, from, tags, open');
  assert.equal(part([{ path: 'a' }, 'b']), '[1] "b" an object');
  assert.equal(part([null]), '[0] null an object');
  assert.equal(part([[]]), '[0] [] an object');
  for (const given of [[{ path: 'a' }], [{}], 'x', [1, 2, 3]]) assert.equal(part(given), null, JSON.stringify(given));
  assert.equal(part([1], list({ summary: 'x' })), null);
});

test('names with texts are taken where names and texts fit their rules', () => {
  assert.deepEqual(read(NAMES, { a: 'x', bc: '' }), { a: 'x', bc: '' });
  for (const given of [{ A: 'x' }, { a: 1 }, { a: 'x', b: 'long one' }, [], ['x'], 'a'])
    assert.match(
      String(read(NAMES, given)),
      /^refused: name takes names, each with a text, not /,
      JSON.stringify(given),
    );
});

test('a number is taken at its bounds, as a numeral, and whole where it must be', () => {
  const whole = integer({ summary: 'x', min: -2, max: 5 });
  const share = number({ summary: 'x', min: 0, max: 1 });
  for (const [given, value] of [
    [-2, -2],
    [5, 5],
    ['-2', -2],
    ['5', 5],
    ['5.0', 5],
    ['5.', 5],
  ])
    assert.equal(read(whole, given), value, String(given));
  for (const given of [-3, 6, 1.5, '1e0', ' 1', '+1', '', 'x', '0x1', '--1', '.', true, [1]])
    assert.match(String(read(whole, given)), /^refused: /, String(given));
  for (const [given, value] of [
    [0, 0],
    [1, 1],
    ['.5', 0.5],
    ['0.5', 0.5],
    [0.25, 0.25],
  ])
    assert.equal(read(share, given), value);
  assert.match(String(read(share, `0.${'1'.repeat(80)}`)), /^refused: .* of 82 characters$/);
  assert.match(String(read(whole, 1234567)), /not 1234567$/);
});

test('flags are true, false and their names; a choice is one of its words', () => {
  assert.deepEqual(
    [true, false, 'true', 'false'].map((given) => read(flag({ summary: 'x' }), given)),
    [true, false, true, false],
  );
  assert.equal(read(flag({ summary: 'x' }), 1), 'refused: name takes true or false, not 1');
  const mode = choice(['hybrid', 'lexical'], { summary: 'x' });
  assert.equal(read(mode, 'lexical'), 'lexical');
  assert.equal(read(mode, 'lexcal'), 'refused: name takes one of hybrid, lexical, not "lexcal"; did you mean lexical?');
});

test('where a surface takes one text for a list, one is taken, and a refusal speaks of one', () => {
  const kinds = list({ summary: 'x', choices: ['class', 'function'] });
  assert.deepEqual(
    [read(kinds, 'class', { one: true }), read(kinds, ['class'], { one: true })],
    [['class'], ['class']],
  );
  assert.equal(
    read(kinds, ['class', 'function'], { one: true }),
    'refused: name takes one of class, function, not a list of 2',
  );
  assert.equal(
    read(kinds, 'klass', { one: true }),
    'refused: name takes one of class, function, not "klass"; did you mean class?',
  );
  assert.deepEqual(read(kinds, ['class', 'function']), ['class', 'function']);
  assert.equal(read(kinds, ['class', 3]), 'refused: name takes one of class, function, not 3');
});

test('a list in one text is read as JSON if it is short and of texts alone', () => {
  const any = list({ summary: 'x', maxLength: 100_000 });
  assert.deepEqual(read(any, '["a","b"]'), ['a', 'b']);
  assert.deepEqual(read(any, ' ["a" , "b"] '), ['a', 'b']);
  for (const given of ['["a",1,"b"]', '["a"', '"a"', '[1]', '[]', '["a" "b"]'])
    assert.deepEqual(read(any, given), [given], given);
  const long = (length: number) => `["${'a'.repeat(length - 4)}"]`;
  assert.deepEqual(read(any, long(4_096)), ['a'.repeat(4_092)]);
  assert.deepEqual(read(any, long(4_097)), [long(4_097)]);
});

test('a text follows its lengths, its pattern and its rule; a negated word finds its neighbour too', () => {
  const word = text({
    summary: 'x',
    minLength: 2,
    maxLength: 5,
    pattern: /^!?[a-z]+$/,
    fits: (each) => each !== 'never',
    words: ['alpha', 'beta'],
  });
  assert.deepEqual(
    ['ab', 'abcde', '!a'].map((given) => read(word, given)),
    ['ab', 'abcde', '!a'],
  );
  assert.equal(read(word, 'a'), 'refused: name takes text of 2 to 5 characters, not "a"');
  for (const given of ['abcdef', 'a1', 'never'])
    assert.match(String(read(word, given)), /^refused: name takes text of 2 to 5/, given);
  assert.match(String(read(word, 'alphaa')), /; did you mean alpha\?$/);
  assert.match(String(read(word, '!betaa')), /; did you mean !beta\?$/);
  assert.equal(
    read(text({ summary: 'x', maxLength: 3 }), 'four'),
    'refused: name takes text of at most 3 characters, not "four"',
  );
});

test('a declared value is of its own type: a number in a text is none', () => {
  const whole = integer({ summary: 'x', min: 0, max: 5 });
  const rows: [Param, unknown, boolean][] = [
    [whole, 3, true],
    [whole, '3', false],
    [whole, 6, false],
    [flag({ summary: 'x' }), true, true],
    [flag({ summary: 'x' }), 'true', false],
    [list({ summary: 'x' }), ['a'], true],
    [list({ summary: 'x' }), 'a', false],
    [NAMES, { a: 'x' }, true],
    [NAMES, 'a', false],
    [EDITS, [{ path: 'a' }], true],
    [EDITS, { path: 'a' }, false],
    [text({ summary: 'x' }), 'a', true],
    [text({ summary: 'x' }), ['a'], false],
    [choice(['a'], { summary: 'x' }), 'a', true],
    [choice(['a'], { summary: 'x' }), 'b', false],
  ];
  for (const [param, value, is] of rows)
    assert.equal(accepts(param, value), is, `${param.type} ${JSON.stringify(value)}`);
  assert.deepEqual(accepted(EDITS, [{ path: 'a' }]), [{ path: 'a', from: 1 }]);
});

test('several mistakes stand in one refusal, four of them spelled out, and a mistake in a required one counts', () => {
  const fields = ['a', 'b', 'c'].map((name) => ({
    key: name,
    name,
    label: name,
    param: flag({ summary: 'x', required: true }),
  }));
  const refused = (given: object) => {
    try {
      readValues(given, { fields, hint: 'hint' });
    } catch (error) {
      return (error as Error).message;
    }
  };
  const required = (name: string) => `${name} is required: true or false`;
  assert.equal(refused({}), ['a', 'b', 'c'].map(required).join('; '));
  assert.equal(
    refused({ a: true, b: true, d1: 1 }),
    `unknown parameter "d1"; did you mean a?; ${required('c')}`.replace('; did you mean a?', ''),
  );
  const many = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`unknown${i}`, i]));
  assert.match(
    refused({ a: true, b: true, c: true, ...many }) ?? '',
    /^unknown parameter "unknown0"; .*"unknown3"; and 2 more$/,
  );
  assert.match(refused({ a: true, b: true, ...many }) ?? '', /"unknown3"; and 3 more$/);
  assert.equal(refused(null as unknown as object), ['a', 'b', 'c'].map(required).join('; '));
});

test('what is quoted back is cut at 60 characters', () => {
  const quoted = (length: number) => String(read(flag({ summary: 'x' }), 'y'.repeat(length)));
  assert.equal(quoted(60), `refused: name takes true or false, not "${'y'.repeat(60)}"`);
  assert.match(quoted(61), /not "y{60}[^y]+" of 61 characters$/);
  assert.equal(read(flag({ summary: 'x' }), { a: 1 }), 'refused: name takes true or false, not an object');
});

test('expectations tell bounds, choices up to twenty, and the form that is declared', () => {
  const words = Array.from({ length: 22 }, (_, i) => `w${i}`);
  const rows: [Param, string][] = [
    [integer({ summary: '', min: 0, max: 1_000_000 }), 'a whole number from 0 to 1,000,000'],
    [number({ summary: '', min: 0, max: Number.MAX_SAFE_INTEGER }), 'a number of at least 0'],
    [choice(words, { summary: '' }), `one of ${words.slice(0, 20).join(', ')}`],
    [
      list({ summary: '', maxEntries: 2_000, maxLength: 5_000 }),
      'text of at most 5,000 characters, or a list of at most 2,000',
    ],
    [list({ summary: '', choices: ['a', 'b'], maxEntries: 3 }), 'one of a, b, or a list of at most 3'],
    [NAMES, 'names, each with a text'],
    [text({ summary: '', form: 'a model name' }), 'a model name'],
  ];
  for (const [param, expected] of rows) assert.equal(expectation(param), expected);
  assert.equal(expectation(list({ summary: '', choices: ['a'] }), true), 'one of a');
});

test('the nearest name differs in at most a third of its letters, signs and case left out, and the first of equals wins', () => {
  const near = (name: string, ...known: string[]) => nearestName(name, known);
  assert.equal(near('ab', 'ax'), 'ax');
  assert.equal(near('abc', 'axy'), null);
  assert.equal(near('abcdef', 'abcdxy'), 'abcdxy');
  assert.equal(near('abcdef', 'abcxyz'), null);
  assert.equal(near('abcd', 'abcx', 'abcy'), 'abcx');
  assert.equal(near('abcd', 'abxd', 'abcd'), 'abcd');
  assert.equal(near('MAX_Tokens', 'max-tokens'), 'max-tokens');
});
