/** Keys of units and views, which every machine computes alike, and names that a fleet takes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkName,
  familyId,
  fleetProfile,
  keptName,
  keptOf,
  keyBytes,
  keyOf,
  unitKey,
  viewKey,
} from '../../fleet/src/keys.js';

const OID = 'a'.repeat(40);

test('a key depends on each of its parts and on where one ends, and never changes', () => {
  const family = familyId('shop');
  assert.deepEqual(
    [family, unitKey(family, OID, 'go'), viewKey('acme/shop', 'main')],
    ['IeT7YcmLROc', 'U-wZkOIsRq97AfV-zua3zQ', '49_0r3huBFGBjfnFcu5DuQ'],
  );
  const keys = [
    unitKey(family, OID, 'go'),
    unitKey(family, OID, 'c'),
    unitKey(family, 'b'.repeat(40), 'go'),
    unitKey(familyId('bank'), OID, 'go'),
    viewKey('a', 'bc'),
    viewKey('ab', 'c'),
    viewKey('a', 'b'),
    viewKey('b', 'a'),
  ];
  assert.equal(new Set(keys).size, keys.length);
  assert.notEqual(familyId('a'), familyId('b'));
});

test('a key is 16 bytes and a family 8', () => {
  const key = viewKey('a', 'b');
  assert.deepEqual([key.length, keyBytes(key).length, familyId('a').length], [22, 16, 11]);
  const packed = Buffer.concat([Buffer.from('xyz'), keyBytes(key), keyBytes(viewKey('c', 'd'))]).subarray(3);
  assert.deepEqual([keyOf(packed), keyOf(packed, 0), keyOf(packed, 1)], [key, key, viewKey('c', 'd')]);
});

test('a kept commit is named after its branch with 12 digits', () => {
  const name = keptName('dev', `0123456789abcdef${'0'.repeat(24)}`);
  assert.equal(name, 'dev@{0123456789ab}');
  assert.deepEqual([name, 'a@{b}@{0}', 'dev', '@{12}', 'dev@{}', 'dev@{xyz}', 'dev@{12}x'].map(keptOf), [
    'dev',
    'a@{b}',
    null,
    null,
    null,
    null,
    null,
  ]);
});

test('names are 1 to 400 printable characters without spaces around them', () => {
  const isTaken = (name: string) => {
    try {
      return checkName(name, 'repository') === name;
    } catch (error) {
      assert.equal((error as { code: string }).code, 'BAD_ARGUMENT');
      return false;
    }
  };
  const taken = ['a', 'acme/shop', 'ünï 漢', 'a b', 'x'.repeat(400), '😀'];
  const refused = ['', ' a', 'a ', 'x'.repeat(401), 'a\nb', 'a\u202eb', 'a\u200bb', '\ud800', 'a\u2028b', '\ue000'];
  assert.deepEqual(taken.filter(isTaken), taken);
  assert.deepEqual(refused.filter(isTaken), []);
  assert.throws(() => familyId(''), { code: 'BAD_ARGUMENT' });
});

test('a profile has the numbers of the built-in model behind those of a provider', () => {
  assert.deepEqual(fleetProfile('s', 'v', { pathDimensions: 64, provider: null }), {
    ...{ id: 's-v', content: 64, dimensions: 64 },
  });
  assert.deepEqual(fleetProfile('s', 'v', { pathDimensions: 64, provider: 768 }), {
    ...{ id: 's-v', content: 768, dimensions: 832 },
  });
});
