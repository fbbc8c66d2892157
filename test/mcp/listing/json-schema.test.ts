/** Schemas of answers as agents see them: names and types of fields, the names of entries, and nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { outputSchema } from '../../../src/mcp/listing/json-schema.js';

const properties = (shape: z.ZodRawShape, unoffered: string[] = [], further = {}) =>
  outputSchema(z.object(shape), new Set(unoffered), further).properties;

test('a field has its type, and an entry of a list the names of its fields', () => {
  const entry = z.object({ path: z.string().max(9), lines: z.array(z.number()) });
  assert.deepEqual(
    properties({
      query: z.string().min(1).describe('prose'),
      count: z.number().optional(),
      ok: z.literal(true),
      results: z.array(entry),
      names: z.array(z.string()),
      pairs: z.array(z.array(entry)),
      nested: entry,
      any: z.any(),
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
  const entry = z.object({ path: z.string() });
  assert.deepEqual(
    properties({
      maybe: z.string().nullable(),
      list: z.array(entry).nullable(),
      either: z.union([z.string(), z.number()]),
      same: z.union([z.literal('a'), z.literal('b')]),
      open: z.union([z.string(), z.any()]),
      nothing: z.null(),
      some: z.union([z.array(entry), z.string()]),
      mixed: z.literal(['a', 1]),
      kinds: z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
      both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
    }),
    {
      maybe: { type: ['string', 'null'] },
      list: { type: ['array', 'null'], items: { properties: { path: {} } } },
      either: { type: ['string', 'number'] },
      same: { type: 'string' },
      open: {},
      nothing: { type: 'null' },
      some: { type: ['array', 'string'] },
      mixed: {},
      kinds: { type: 'object' },
      both: { type: 'object' },
    },
  );
});

test('a type that contains itself is named once', () => {
  type Tree = { name: string; children: Tree[] };
  const tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), children: z.array(tree) }));
  assert.deepEqual(properties({ top: tree, all: z.array(tree) }), {
    top: { type: 'object' },
    all: { type: 'array', items: { properties: { name: {}, children: {} } } },
  });
});

test('fields of every document, and those that no call can ask for, are left out; further ones follow', () => {
  const shape = { ref: z.string(), results: z.string(), extra: z.string().optional(), must: z.string() };
  const more = { more: { type: 'object' } };
  assert.deepEqual(Object.keys(properties(shape)), ['results', 'extra', 'must']);
  assert.deepEqual(Object.keys(properties(shape, ['extra', 'must'], more)), ['results', 'must', 'more']);
});
