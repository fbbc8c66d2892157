/** Texts that made grammars take time in proportion to the square of their length. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extract } from '../../src/extract/extract.js';
import { cpuTimer } from '../support/processes/cpu-time.js';
import './helpers.js';

type Shape = (count: number) => string;
const row = (piece: string): Shape => {
  return (count) => piece.repeat(count);
};
const SHAPES: readonly (readonly [language: string, shape: Shape])[] = [
  ['c', row('a=>')],
  ['c', row('a->')],
  ['c', row('/*')],
  // A mistake in each link of a chain of operators.
  ['c', row('<!--')],
  ['csharp', row('<!--')],
  ['java', row('<!--')],
  ['javascript', row('a->')],
  ['javascript', row('a=>')],
  ['javascript', row('/*')],
  ['php', (count) => `<?php ${'a->'.repeat(count)}`],
  ['html', row('<div>')],
  ['html', row('<!--')],
  // Scanners that look ahead for a bracket or a colon which is not there.
  ['bash', row(')')],
  ['bash', row('<a>')],
  ['bash', row('[a](')],
  ['css', row('a: ')],
  ['html', row('<a>')],
  ['lua', row('return a\n')],
  ['xml', (count) => '<a>'.repeat(count) + '</a>'.repeat(count)],
  ['xml', row('<a b="c">')],
];
const FEW = 800;
const GROWN = 10;
/** Ten times the text takes ten times as long; a busy machine may add to that. */
const MOST_GROWTH = 18;
/** Milliseconds that are noise: quadratic time takes a hundred times those of the small text. */
const FLOOR_MS = 40;

test('ten times as much of what hung parsers takes about ten times as long', () => {
  for (const [language, shape] of SHAPES) {
    const timeOf = (count: number) => {
      const bytes = Buffer.from(shape(count));
      return Math.min(
        ...[1, 2].map(() => {
          const usedMs = cpuTimer();
          extract(bytes, language);
          return usedMs();
        }),
      );
    };
    timeOf(FEW);
    const [few, many] = [timeOf(FEW), timeOf(FEW * GROWN)];
    const words = `${language}, ${JSON.stringify(shape(2))}: ${Math.round(few)} and ${Math.round(many)} ms`;
    assert.ok(many <= Math.max(few, FLOOR_MS) * MOST_GROWTH, words);
  }
});
