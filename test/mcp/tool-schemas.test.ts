/** Schemas of answers as agents see them: names and types of fields, the names of entries, and nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneOf, outputSchema } from '../../src/mcp/tool-schemas.js';
import * as s from '../../src/params/shape.js';
import { check } from '../support/check.js';

const properties = (fields: s.Fields, unoffered: string[] = [], further = {}) =>
  outputSchema(s.object(fields), new Set(unoffered), further).properties;

test('a field has its type, and an entry of a list the names of its fields', () => {
  const entry = s.object({ path: s.string(), lines: s.array(s.number()) });
  assert.deepEqual(
    properties({
      query: s.string().describe('prose'),
      count: s.number().optional(),
      ok: s.literal(true),
      results: s.array(entry),
      names: s.array(s.string()),
      pairs: s.array(s.array(entry)),
      nested: entry,
      any: s.unknown(),
    }),
    {
      query: { type: 'string' },
      count: { type: 'number' },
      ok: { type: 'boolean' },
      results: { type: 'array', items: { properties: { path: {}, lines: {} } } },
      names: { type: 'array' },
      pairs: { type: 'array' },
      nested: { type: 'object' },
      any: {},
    },
  );
});

test('alternatives have the types of all, exact where one of two is null, and none where one has none', () => {
  const entry = s.object({ path: s.string() });
  assert.deepEqual(
    properties({
      maybe: s.string().nullable(),
      list: s.array(entry).nullable(),
      either: s.union([s.string(), s.number()]),
      same: s.union([s.literal('a'), s.literal('b')]),
      open: s.union([s.string(), s.unknown()]),
      nothing: s.null(),
      some: s.union([s.array(entry), s.string()]),
    }),
    {
      maybe: { type: ['string', 'null'] },
      list: { type: ['array', 'null'], items: { properties: { path: {} } } },
      either: { type: ['string', 'number'] },
      same: { type: 'string' },
      open: {},
      nothing: { type: 'null' },
      some: { type: ['array', 'string'] },
    },
  );
});

test('fields of every document, and those that no call can ask for, are left out; further ones follow', () => {
  const shape = { ref: s.string(), results: s.string(), extra: s.string().optional(), must: s.string() };
  const more = { more: { type: 'object' } };
  assert.deepEqual(Object.keys(properties(shape)), ['results', 'extra', 'must']);
  assert.deepEqual(Object.keys(properties(shape, ['extra', 'must'], more)), ['results', 'must', 'more']);
});

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
