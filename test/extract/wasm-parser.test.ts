/** What comes of a parser that fails: an error, and a fresh instance for the next text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WasmParser } from '../../src/extract/wasm-parser.js';

const text = (name: string) => [name.length, ...Buffer.from(name)];
const section = (id: number, ...content: number[]) => [id, content.length, ...content];
/** Body of a function that returns a constant below 64. */
const returning = (value: number) => [4, 0, 0x41, value, 0x0b];

/** A module with our functions, which do nothing and return these numbers. */
function moduleWith({ allocate, parse }: { allocate: number; parse: number }): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 3, ...[0x60, 1, 0x7f, 1, 0x7f], ...[0x60, 2, 0x7f, 0x7f, 1, 0x7f], ...[0x60, 0, 1, 0x7f]),
    ...section(3, 3, 0, 1, 2),
    ...section(5, 1, 0, 1),
    ...section(
      7,
      4,
      ...text('memory'),
      2,
      0,
      ...text('allocate'),
      0,
      0,
      ...text('parse'),
      0,
      1,
      ...text('columns'),
      0,
      2,
    ),
    ...section(10, 3, ...returning(allocate), ...returning(parse), ...returning(8)),
  ]);
}

test('a parser without memory for the text is an error: address 0 is none', () => {
  const parser = new WasmParser(moduleWith({ allocate: 0, parse: 1 }));
  assert.throws(() => parser.parse('let a', 'let a'), /no memory for 10 bytes/);
});

test('a parser that gives no tree is an error', () => {
  const parser = new WasmParser(moduleWith({ allocate: 8, parse: 0 }));
  assert.throws(() => parser.parse('let a', 'let a'), /gave no tree/);
});

test('a text beyond the memory of the module is an error', () => {
  const parser = new WasmParser(moduleWith({ allocate: 8, parse: 1 }));
  assert.throws(() => parser.parse('a'.repeat(65_536), 'a'.repeat(65_536)), RangeError);
});
