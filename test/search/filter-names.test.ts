/** Words of filters that name nothing: the failure says what was meant, and what there is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unknownKind, withIds } from '../../src/search/filter-names.js';

test('an unknown kind is told with the nearest one, if one is near, and with all', () => {
  const kinds = ['function', 'method', 'class'];
  assert.equal(unknownKind('functoin', kinds).hint, 'Did you mean function? Kinds: function, method, class');
  assert.equal(unknownKind('zzzzzzzz', kinds).hint, 'Kinds: function, method, class');
});

test('languages and kinds go by usual names; one that is unknown is refused with the nearest', () => {
  assert.deepEqual(withIds({ lang: ['py', 'c++'], kind: ['function'] }), {
    lang: ['python', 'cpp'],
    kind: ['function'],
  });
  assert.throws(() => withIds({ lang: ['pyhton'] }), { code: 'BAD_ARGUMENT', hint: 'Did you mean python?' });
  assert.throws(() => withIds({ lang: ['zzzzzzzz'] }), { hint: /^Languages go by ids/ });
  assert.throws(() => withIds({ kind: ['functoin'] }), { hint: /^Did you mean function\? Kinds: / });
});
