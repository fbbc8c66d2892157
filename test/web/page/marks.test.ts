/** Marks of a query's words in code, as people expect them: other forms of a word are marked, and words inside of others are not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Marker, markerOf, splitAtMarks, wordsOf } from '../../../src/web/page/marks.js';

/** The text with its marks in brackets. */
function marked(text: string, query: string): string {
  const marker = markerOf(wordsOf(query)) as Marker;
  return splitAtMarks(text, marker)
    .map((part, i) => (i % 2 === 1 ? `[${part}]` : part))
    .join('');
}

test('words of a query are marked; its filters, and words that a search ignores, are not', () => {
  assert.deepEqual(wordsOf('Cart.total author:ann is:test of a'), ['Cart', 'total']);
  assert.deepEqual(wordsOf('where is the price taken off'), ['price', 'taken', 'off']);
  assert.deepEqual(wordsOf('how is this'), ['how', 'this']);
});

test('other forms of a word are marked where a word begins, the word itself everywhere', () => {
  assert.equal(marked('Rollback, rolling it back', 'rolled back'), '[Roll][back], [rolling] it [back]');
  assert.equal(marked('beforeTransactionROLLBACK', 'transactions'), 'before[Transaction]ROLLBACK');
  assert.equal(marked('parser, parseRequest, sparse', 'parsing requests'), '[parser], [parse][Request], sparse');
  assert.equal(marked('unparsed a.b', 'parsed'), 'un[parsed] a.b');
  assert.equal(marked('price$ and $price', '$price'), 'price$ and [$price]');
});

test('nothing to mark', () => {
  assert.equal(markerOf([]), null);
  assert.equal(markerOf(['a']), null);
});
