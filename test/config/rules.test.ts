/** Names of tags, as settings and commands take them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TAG_NAME } from '../../src/config/rules.js';

test('a tag has 1 to 64 letters of lower case, digits, dots and lines, and begins with a letter or a digit', () => {
  for (const name of ['a', '7', 'api-v2', 'pci_dss.4', 'x'.repeat(64)]) assert.ok(TAG_NAME.test(name), name);
  for (const name of ['', '-a', '.a', 'API', 'two words', 'é', 'x'.repeat(65)]) assert.ok(!TAG_NAME.test(name), name);
});
