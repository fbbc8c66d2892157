/** One output schema for tools that answer with one of several documents. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneOf } from '../../src/mcp/outputs.js';
import * as s from '../../src/params/shape.js';
import { check } from '../support/check.js';

test('a field that documents declare in different ways takes each of them, and no other', () => {
  const shape = oneOf([
    s.object({ query: s.string(), results: s.array(s.object({ path: s.string() })) }),
    s.object({ query: s.string(), results: s.array(s.object({ commit: s.string() })), unknown: s.number() }),
  ]);
  for (const results of [[{ path: 'a.ts' }], [{ commit: 'abc' }]]) check(shape, { query: 'a', results });
  for (const wrong of [{ query: 'a', results: [{ oid: 'a' }] }, { query: 1, results: [] }, { results: [] }])
    assert.throws(() => check(shape, wrong));
});

test('a field that any document may lack is optional', () => {
  const shape = oneOf([s.object({ all: s.string(), some: s.string() }), s.object({ all: s.string().optional() })]);
  for (const good of [{ all: 'a', some: 'b' }, { all: 'a' }, {}]) check(shape, good);
});
