/** Texts that are parsed in place of a file's own: whatever they leave out, each place in them is the same place of the file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LANGUAGE_IDS, loadAllRules, rulesOf } from '../../src/languages/registry.js';
import { withClosedBrackets } from '../../src/languages/roles/masks.js';

await loadAllRules();

const WORDS = [
  ...'create table x function begin end as is delimiter // $$ go case type opaque class struct macro if else endif include define'.split(
    ' ',
  ),
  ...'{ } {| |} ( ) [ ] < > ; : , . = == => - + * / /* */ // -- # \' " ` @ ? ! | & % \\ {{ }} {% %} <script> <!-- --> ___ === --- ## é 😀'.split(
    ' ',
  ),
];
const TEXT = fc
  .array(fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom(' ', '\n', '\r\n', '\t')), { maxLength: 80 })
  .chain((parts) => fc.constantFrom('', ' ').map((between) => parts.join(between)));

test('a text that is parsed in place of another has its length and its lines', () => {
  for (const id of LANGUAGE_IDS) {
    const { definitions, dialect, inline, relations } = rulesOf(id);
    const closed = relations && ((text: string) => withClosedBrackets(text, relations.lexical));
    const masks = [definitions?.parsed, definitions?.repaired, dialect?.parsed, inline?.parsed, closed].filter(
      (mask) => mask !== undefined,
    );
    if (masks.length === 0) continue;
    fc.assert(
      fc.property(TEXT, (text) => {
        for (const mask of masks) assert.deepEqual(linesOf(mask(text, text)), linesOf(text), id);
      }),
      { numRuns: 300 },
    );
  }
});

function linesOf(text: string): number[] {
  return [...[...text.matchAll(/\n/g)].map(({ index }) => index), text.length];
}
