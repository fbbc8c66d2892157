/** One output schema for tools that answer with one of several documents. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { oneOf } from '../../src/mcp/outputs.js';

test('a field that documents declare in different ways takes each of them, and no other', () => {
  const schema = oneOf(
    z.strictObject({ query: z.string(), results: z.array(z.strictObject({ path: z.string() })) }),
    z.strictObject({
      query: z.string(),
      results: z.array(z.strictObject({ commit: z.string() })),
      unknown: z.number(),
    }),
  );
  for (const results of [[{ path: 'a.ts' }], [{ commit: 'abc' }]]) schema.parse({ query: 'a', results });
  for (const wrong of [{ query: 'a', results: [{ oid: 'a' }] }, { query: 1, results: [] }, { results: [] }])
    assert.throws(() => schema.parse(wrong));
});
