/** Columns of integers: what is written is read back, and every value has one form only. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_ARITY, PARAMETERS_END } from '../../src/extract/facts.js';
import {
  addParameters,
  ColumnReader,
  ColumnWriter,
  EXPORTED,
  FIXED,
  parameterFlags,
  readLanguages,
  symbolSteps,
  unzigzag,
  zigzag,
} from '../../src/record/columns.js';

const MAX = 0xffff_ffff;
const uint = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: MAX }), fc.constant(MAX));
const read = (bytes: number[], count = 1) => {
  const reader = new ColumnReader(Uint8Array.from(bytes));
  const values = [...reader.column(count)];
  reader.end();
  return values;
};

test('columns come back as they were written, one after the other, in the shortest bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.array(uint, { maxLength: 120 }), { maxLength: 5 }), (columns) => {
      const writer = new ColumnWriter();
      for (const column of columns) writer.column(column);
      const bytes = writer.finish();
      const width = (value: number) => Math.max(1, Math.ceil(Math.log2(value + 1) / 7));
      assert.equal(
        bytes.length,
        columns.flat().reduce((sum, value) => sum + width(value), 0),
      );
      const reader = new ColumnReader(bytes);
      for (const column of columns) assert.deepEqual([...reader.column(column.length)], column);
      reader.end();
    }),
  );
});

test('only unsigned integers of 32 bits are written', () => {
  for (const value of [-1, 1.5, MAX + 1, Number.NaN])
    assert.throws(() => new ColumnWriter().column([value]), { code: 'INTERNAL' }, String(value));
});

test('a value that is longer than it has to be, or larger than 32 bits, is refused', () => {
  assert.deepEqual(read([0xff, 0xff, 0xff, 0xff, 0x0f]), [MAX]);
  assert.deepEqual(read([0x80, 0x01]), [128]);
  for (const bytes of [
    [0x80, 0x00],
    [0xff, 0x80, 0x00],
    [0x80, 0x80, 0x80, 0x80, 0x10],
    [0xff, 0xff, 0xff, 0xff, 0x1f],
    [0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
  ])
    assert.throws(() => read(bytes), { code: 'RECORD_CORRUPT' }, bytes.join());
});

test('bytes that end too early or too late are refused', () => {
  for (const [bytes, count] of [
    [[], 1],
    [[1], 2],
    [[0x80], 1],
    [[1, 0xff], 2],
    [[1, 2], 1],
  ] as const)
    assert.throws(() => read([...bytes], count), { code: 'RECORD_CORRUPT' }, `${count} of ${bytes.join()}`);
  assert.deepEqual(read([], 0), []);
});

test('signs are folded into the lowest bit, and back', () => {
  assert.deepEqual([0, -1, 1, -2, 2].map(zigzag), [0, 1, 2, 3, 4]);
  fc.assert(fc.property(fc.integer({ min: -(2 ** 30), max: 2 ** 30 }), (value) => unzigzag(zigzag(value)) === value));
});

test('steps between symbols leave out places without one', () => {
  assert.deepEqual(symbolSteps([5, -1, 5, 3, -1, 4]), [zigzag(5) + 1, 0, 1, zigzag(-2) + 1, 0, zigzag(1) + 1]);
  assert.deepEqual(symbolSteps([]), []);
});

const some = (count: number) => new Map(Array.from({ length: count }, (_, i) => [`l${i}`, i]));

test('a record holds 1 to 16 languages', () => {
  for (const count of [1, 16]) assert.equal(Object.keys(readLanguages(some(count), Number)).length, count);
  for (const count of [0, 17]) assert.throws(() => readLanguages(some(count), Number), /languages/);
});

test('names that are no languages are refused', () => {
  for (const id of ['__proto__', 'Upper', '', 'a b', 7]) assert.throws(() => readLanguages(new Map([[id, 1]]), Number));
});

test('the parameters of a symbol lie above its flags: their number if it is known, and then their marks', () => {
  const read = (flags: number) => {
    const symbol: Parameters<typeof addParameters>[0] = {};
    addParameters(symbol, flags);
    return symbol;
  };
  for (const [symbol, flags] of [
    [{}, 0],
    [{ arity: 0 }, 8],
    [{ arity: 2 }, 24],
    [{ arity: 2, parameters: 1 }, 24 + 128],
    [{ arity: 0, parameters: 3 }, 8 + 3 * 128],
  ] as const) {
    assert.equal(parameterFlags(symbol), flags);
    for (const others of [0, EXPORTED | FIXED, 7]) assert.deepEqual(read(flags + others), symbol, `${flags} ${others}`);
  }
  assert.equal(parameterFlags({ parameters: 3 }), 0, 'without their number nothing is known of them');
  assert.doesNotThrow(() => read((MAX_ARITY + 1) * 8));
  for (const flags of [(MAX_ARITY + 2) * 8, 128, PARAMETERS_END * 128 + 8])
    assert.throws(() => read(flags), { code: 'RECORD_CORRUPT' }, `${flags}`);
  assert.doesNotThrow(() => read((PARAMETERS_END - 1) * 128 + 8));
});
