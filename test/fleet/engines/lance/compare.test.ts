/** Rows of LanceDB: scores of their vectors, seals, texts in conditions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ComparedRow, compareRows } from '../../../../fleet/src/engines/lance/compare.js';
import { plainRow } from '../../../../fleet/src/engines/lance/lost.js';
import { isWhole, plainRows, quoted, sealedRow } from '../../../../fleet/src/engines/lance/rows.js';

/** A batch of columns, as Arrow has it; vectors are bits of 16-bit floats. */
const batchOf = (columns: Record<string, readonly unknown[]>, bits: readonly number[] = [], offset = 0) => ({
  numRows: Object.values(columns)[0].length,
  getChild: (name: string) =>
    name === 'vector'
      ? { data: bits.length === 0 ? [] : [{ offset, children: [{ values: Uint16Array.from(bits) }] }] }
      : (columns[name] ?? null) && { get: (row: number) => columns[name][row] },
});

test('a row is scored by the cosine of its vector with the question, whatever the length of either', () => {
  // 1, -2, 0.5, the smallest number, and nothing.
  const [one, minusTwo, half, tiny, zero] = [0x3c00, 0xc000, 0x3800, 0x0001, 0x0000];
  const rows: ComparedRow[] = [];
  const bits = [zero, zero, one, zero, zero, minusTwo, half, half, zero, zero, tiny, zero];
  const batch = batchOf({ key: ['a', 'b', 'c', 'd', 'e'], family: ['f', 'f', 'g', 'g', 'h'] }, bits, 1);
  compareRows(batch as never, Float32Array.from([3, 4]), rows);
  assert.deepEqual(
    rows.map(({ key, family, score }) => [key, family, score.toFixed(3)]),
    [
      ['a', 'f', '0.600'],
      ['b', 'f', '-0.800'],
      ['c', 'g', '0.990'],
      ['d', 'g', '0.000'],
      ['e', 'h', '0.600'],
    ],
  );
  compareRows(batchOf({ key: ['x'] }) as never, Float32Array.from([1]), rows);
  assert.equal(rows.length, 5, 'a batch without vectors adds nothing');
});

test('a seal is about every column, in whatever order they are read', () => {
  const row = { key: 'a', at: 1, bytes: new Uint8Array([1, 2]), vector: [0.5, 1] };
  const { seal, ...columns } = sealedRow(row);
  assert.equal(seal.length, 8);
  assert.ok(isWhole({ seal, ...Object.fromEntries(Object.entries(columns).reverse()) }));
  for (const other of [{ key: 'b' }, { at: 2 }, { bytes: new Uint8Array([1, 3]) }, { vector: [0.5, 2] }, { more: 1 }])
    assert.ok(!isWhole({ ...columns, seal, ...other }), JSON.stringify(other));
});

test('rows are read by column, and copied out of the bytes that they share', () => {
  const rows: object[] = [];
  plainRows(batchOf({ key: ['a', 'b'], at: [1, 2] }) as never, ['at', 'key', 'none'], rows);
  assert.deepEqual(rows, [
    { at: 1, key: 'a', none: undefined },
    { at: 2, key: 'b', none: undefined },
  ]);
  const bytes = new Uint8Array([1, 2]);
  const plain = plainRow({ bytes, list: new Set([1, 2]), text: 'ab', none: null });
  bytes[0] = 9;
  assert.deepEqual(plain, { bytes: new Uint8Array([1, 2]), list: [1, 2], text: 'ab', none: null });
  assert.equal(quoted("it's"), "'it''s'");
});
