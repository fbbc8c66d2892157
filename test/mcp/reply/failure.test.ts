/** What a failed call says: no more than a thousand characters of a message, and its further lines are indented. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SocraticodeError } from '../../../src/base/errors.js';
import { failure } from '../../../src/mcp/reply/failure.js';

const told = (message: string) => {
  const { structuredContent } = failure(
    new SocraticodeError('BAD_CONFIG', message, { hint: 'Mend it.' }),
    'codebase_x',
  );
  return (structuredContent as { error: { message: string } }).error.message;
};

test('a message of a thousand characters is told whole, and a longer one is cut', () => {
  assert.equal(told('x'.repeat(1_000)), 'x'.repeat(1_000));
  assert.equal(told('x'.repeat(1_001)), `${'x'.repeat(1_000)}…`);
});

test('quoted lines cannot pass for the next step', () => {
  const { content } = failure(new SocraticodeError('BAD_CONFIG', 'one\ntwo', { hint: 'Mend it.' }), 'codebase_x');
  assert.deepEqual(content, [{ type: 'text', text: 'BAD_CONFIG: one\n two\nMend it.' }]);
});
