/** Parameters that many questions share refuse what no user can mean. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Params } from '../../src/params/param.js';
import { readNamed } from '../../src/questions/asker.js';
import { loadQuestions } from '../../src/questions/table.js';

test('a ref that is empty, as an unset variable of a script makes it, is refused by every question', async () => {
  let asked = 0;
  for (const { name, params } of await loadQuestions())
    for (const [key, param] of Object.entries(params as Params)) {
      if (param.completes !== 'ref') continue;
      const read = (value: string) =>
        readNamed({ [key]: param }, [key], { name, given: { [key]: param.type === 'list' ? [value] : value } });
      const error = { code: 'BAD_ARGUMENT', message: new RegExp(`^${key} takes text of .* characters.*, not ""`) };
      assert.throws(() => read(''), error, `${name} ${key}`);
      assert.doesNotThrow(() => read('v1'), `${name} ${key}`);
      asked++;
    }
  assert.ok(asked > 50, `${asked}`);
});
