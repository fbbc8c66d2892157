/** Grammar of SCIP's symbols: what is escaped, and what is no symbol. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  formatSymbol,
  isSymbol,
  parseSymbol,
  type ScipDescriptor,
  type ScipSuffix,
} from '../../src/scip/index-file.js';
import { record } from './samples.js';

const SUFFIXES: readonly ScipSuffix[] = ['/', '#', '.', '().', ':', '!', '()', '[]'];
const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.constantFrom('total', 'a b', '`', 'src/cart.ts', 'é', '$x', '#', '()', '.'),
);
const descriptor: fc.Arbitrary<ScipDescriptor> = fc.oneof(
  record({ name, suffix: fc.constantFrom(...SUFFIXES) }),
  record({ name, suffix: fc.constant('().' as const), disambiguator: fc.constantFrom('+1', '12') }),
);
const part = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('npm', '', '@scope/a b', '1.0.0  beta')).filter(
  // A single dot stands for an empty part, so a part cannot be one.
  (it) => it !== '.' && !/^ | $/.test(it),
);

test('every symbol that is written is read as the same symbol', () => {
  const scheme = part.filter((it) => it !== '' && !it.startsWith('local'));
  const descriptors = fc.array(descriptor, { minLength: 1, maxLength: 4 });
  const symbol = record({ scheme, manager: part, name: part, version: part, descriptors });
  fc.assert(
    fc.property(symbol, (it) => {
      const written = formatSymbol(it);
      assert.ok(isSymbol(written), written);
      assert.deepEqual(parseSymbol(written), it, written);
    }),
    { numRuns: 300 },
  );
});

test('symbols of other indexers are read', () => {
  const symbol = parseSymbol('scip-typescript npm @scope/a 1.0.0 src/`cart.ts`/Cart#total(+1).(tax)');
  assert.deepEqual(symbol, {
    ...{ scheme: 'scip-typescript', manager: 'npm', name: '@scope/a', version: '1.0.0' },
    descriptors: [
      { name: 'src', suffix: '/' },
      { name: 'cart.ts', suffix: '/' },
      { name: 'Cart', suffix: '#' },
      { name: 'total', suffix: '().', disambiguator: '+1' },
      { name: 'tax', suffix: '()' },
    ],
  });
  for (const it of ['local 12', 'a . . . x.', 'a  b . n  m . `a``b`#[T]', 'rust-analyzer cargo x 1 impl#[Y][Z]f().'])
    assert.ok(isSymbol(it), it);
});

test('texts outside of the grammar are no symbols', () => {
  const wrong = [
    ...['', 'local ', 'local a b', 'a', 'a b c d', 'a b c d ', ' b c d x.', 'a b c d x', 'a b c d x()', 'a b c d `x.'],
    ...['a b c d `x`.', 'a b c d .', 'a b c d x y.', 'a b c d (x', 'a b c d [x)', 'locals b c d x.', 'a b c d x(!).'],
  ];
  for (const it of wrong) assert.equal(isSymbol(it), false, it);
});
