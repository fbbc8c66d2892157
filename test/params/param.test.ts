/** How a declared parameter looks on a command line and in help. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  choice,
  commandText,
  describeParam,
  flag,
  integer,
  list,
  number,
  optionForm,
  optionOf,
  optionText,
  splitParams,
  text,
} from '../../src/params/param.js';

test('a parameter has bounds of its own where none are declared', () => {
  const { required, minLength, maxLength, maxEntries, commas } = text({ summary: 'x' });
  assert.deepEqual([required, minLength, maxLength, maxEntries, commas], [false, 0, 4_096, 1_000, false]);
  assert.deepEqual(choice(['a', 'b'], { summary: 'x' }).choices, ['a', 'b']);
});

test('an option is its name in kebab case, one that clears a flag, or the declared one', () => {
  assert.equal(optionOf('minConfidence', number({ summary: 'x', min: 0, max: 1 })), '--min-confidence');
  assert.equal(optionOf('tests', flag({ summary: 'x', default: true })), '--no-tests');
  assert.equal(optionOf('tests', flag({ summary: 'x' })), '--tests');
  assert.equal(optionOf('queryOption', text({ summary: 'x', cli: { option: 'query' } })), '--query');
  assert.equal(optionText('failOn'), '--fail-on');
});

test('help shows the short form, the value, and one that may be left out', () => {
  assert.equal(optionForm('ignoreCase', flag({ summary: 'x', cli: { short: '-i' } })), '-i, --ignore-case');
  assert.equal(optionForm('depth', integer({ summary: 'x', min: 1, max: 9, cli: { value: 'n' } })), '--depth <n>');
  assert.equal(optionForm('depth', integer({ summary: 'x', min: 1, max: 9 })), '--depth <depth>');
  assert.equal(optionForm('remote', text({ summary: 'x', cli: { value: 'name', bare: '' } })), '--remote [name]');
});

test('a summary is followed by bounds, choices and default, as far as there are any', () => {
  assert.equal(
    describeParam(integer({ summary: 'hops', min: 1, max: 10_000, default: 3_000 })),
    'hops, 1 to 10,000 (default: 3,000)',
  );
  assert.equal(describeParam(number({ summary: 'share', max: 1 } as never)), 'share, 0 to 1');
  assert.equal(describeParam(integer({ summary: 'n', min: 1, max: Number.MAX_SAFE_INTEGER })), 'n');
  assert.equal(describeParam(choice(['a', 'b'], { summary: 'form', default: 'b' })), 'form: a, b (default: b)');
  assert.equal(describeParam(flag({ summary: 'tests', default: true })), 'tests');
  assert.equal(describeParam(flag({ summary: 'tests', defaultText: 'off' })), 'tests (default: off)');
});

test('a command line is quoted for a shell, and leaves out what is undefined', () => {
  assert.equal(
    commandText('fsck', { repair: true, profile: 'a b', depth: 3, none: undefined }),
    "git socraticode fsck --repair --profile 'a b' --depth 3",
  );
  assert.equal(
    commandText('graph impact', { minConfidence: 0.5 }),
    'git socraticode graph impact --min-confidence 0.5',
  );
});

test('arguments stand in order before options; what a command line has not is neither', () => {
  const params = {
    limit: integer({ summary: 'x', min: 1, max: 9 }),
    from: text({ summary: 'x', cli: { argument: '<from>' } }),
    hidden: list({ summary: 'x', cli: false }),
    to: text({ summary: 'x', cli: { argument: '[to]' } }),
  };
  assert.deepEqual(splitParams(params), { argumentKeys: ['from', 'to'], optionKeys: ['limit'] });
});
