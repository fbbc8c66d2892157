/** Shapes of answers: the schema of each accepts what its type says, and nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as s from '../../src/params/shape.js';
import { faultOf } from '../support/check.js';

const isFit = ({ jsonSchema }: s.Any, value: unknown) => faultOf(jsonSchema, value) === undefined;

/** Fails to compile where the types differ. */
const same = <A, B>(_: [A] extends [B] ? ([B] extends [A] ? true : false) : false) => {};

const place = s.object({ path: s.string(), line: s.integer({ exclusiveMinimum: 0 }).optional() });

test('the type of a document is that of plain values', () => {
  const shape = s.object({
    schemaVersion: s.literal(1),
    kind: s.enum(['file', 'symbol']).nullable().describe('What it is.'),
    places: s.array(place),
    counts: s.record(s.number()).optional(),
    either: s.union([s.boolean(), s.null()]),
    open: s.unknown(),
  });
  interface Written {
    schemaVersion: 1;
    kind: 'file' | 'symbol' | null;
    places: { path: string; line?: number }[];
    counts?: Record<string, number>;
    either: boolean | null;
    open: unknown;
  }
  same<s.Infer<typeof shape>, Written>(true);
  same<s.InferFields<typeof place.fields>, { path: string; line?: number }>(true);
});

test('what is made from an object has its fields in their order, and the type goes along', () => {
  const more = place.extend({ path: s.string().nullable(), end: place.fields.line.required() });
  same<s.Infer<typeof more>, { path: string | null; line?: number; end: number }>(true);
  assert.deepEqual(Object.keys(more.fields), ['path', 'line', 'end']);
  assert.deepEqual(more.jsonSchema.required, ['path', 'end']);
  const less = more.omit('line');
  same<s.Infer<typeof less>, s.Infer<ReturnType<typeof more.pick<'path' | 'end'>>>>(true);
  assert.deepEqual(less.jsonSchema, more.pick('end', 'path').jsonSchema);
  assert.ok(!('required' in s.object({ line: place.fields.line }).jsonSchema));
});

test('a description changes nothing of the shape that it is given to', () => {
  const { jsonSchema } = place;
  const told = place.describe('A place.').describe('The place.');
  assert.equal(place.jsonSchema, jsonSchema);
  assert.deepEqual(told.jsonSchema, { ...jsonSchema, description: 'The place.' });
  assert.equal(told.pick('path').jsonSchema.description, undefined);
  assert.ok(told.optional().describe('Perhaps.').isOptional);
});

test('bounds and patterns hold', () => {
  const cases: [s.Any, unknown[], unknown[]][] = [
    [s.integer(), [0, -1, 2 ** 53 - 1], [0.5, 2 ** 53, '1', null]],
    [s.integer({ minimum: 0 }), [0, 1], [-1]],
    [s.integer({ exclusiveMinimum: 0, maximum: 2 }), [1, 2], [0, 3]],
    [s.number({ minimum: 0, maximum: 1 }), [0, 0.5, 1], [-0.1, 1.1]],
    [s.string({ pattern: /^[0-9a-f]{2}$/ }), ['0f'], ['0F', '0ff']],
  ];
  for (const [shape, good, bad] of cases) {
    for (const value of good) assert.ok(isFit(shape, value), String(value));
    for (const value of bad) assert.ok(!isFit(shape, value), String(value));
  }
});

interface Sample {
  shape: s.Any;
  good: fc.Arbitrary<unknown>;
  /** A value that the shape refuses, never null. */
  bad: unknown;
}

const leaves = fc.constantFrom<Sample>(
  { shape: s.string(), good: fc.string(), bad: 1 },
  { shape: s.number(), good: fc.double({ noNaN: true, noDefaultInfinity: true }), bad: '1' },
  { shape: s.integer({ minimum: 0 }), good: fc.nat(), bad: -1 },
  { shape: s.boolean(), good: fc.boolean(), bad: 'true' },
  { shape: s.literal('a'), good: fc.constant('a'), bad: 'b' },
  { shape: s.enum(['a', 'b']), good: fc.constantFrom('a', 'b'), bad: 'c' },
);

const fields = (sample: fc.Arbitrary<Sample>) =>
  fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.tuple(sample, fc.boolean()), { minKeys: 1, maxKeys: 4 });

const samples = fc.letrec<{ any: Sample }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    leaves,
    tie('any').map(({ shape, good, bad }) => ({
      shape: s.array(shape),
      good: fc.array(good, { maxLength: 3 }),
      bad: [bad],
    })),
    tie('any').map(({ shape, good, bad }) => ({
      shape: s.record(shape).describe('By name.'),
      good: fc.dictionary(fc.string(), good, { maxKeys: 3, noNullPrototype: true }),
      bad: { name: bad },
    })),
    tie('any').map(({ shape, good, bad }) => ({
      shape: shape.nullable().describe('Null for none.'),
      good: fc.option(good),
      bad,
    })),
    fields(tie('any')).map((entries): Sample => {
      const named = Object.entries(entries);
      return {
        shape: s.object(
          Object.fromEntries(named.map(([name, [{ shape }, may]]) => [name, may ? shape.optional() : shape])),
        ),
        good: fc.record(Object.fromEntries(named.map(([name, [{ good }]]) => [name, good])), {
          requiredKeys: named.flatMap(([name, [, may]]) => (may ? [] : [name])),
          noNullPrototype: true,
        }),
        bad: { unnamed: 1 },
      };
    }),
  ),
}));

test('the schema of any shape takes each value of its type, and refuses others', () => {
  const property = fc.property(
    samples.any.chain(({ shape, good, bad }) => fc.tuple(fc.constant({ shape, bad }), good)),
    ([{ shape, bad }, good]) => isFit(shape, good) && !isFit(shape, bad),
  );
  fc.assert(property, { numRuns: 60 });
});
