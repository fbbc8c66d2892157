/** Lines that relations name lie in the text: a record with others is refused, and with it all facts of the file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extract, loadAllRules } from '../../src/extract/extract.js';
import { decodeSyntaxRecord, encodeSyntaxRecord } from '../../src/record/syntax-codec.js';

await loadAllRules();

const OID = 'a'.repeat(40);
const CASES: readonly [what: string, text: string][] = [
  ['a callback that ends the text', 'const cart = open();\nrun((cart) => {\n  cart.total();\n});'],
  ['a callback that ends the last line', 'const cart = open();\nrun((cart) => {\n  cart.total();\n});\n'],
  ['a condition that ends the text', 'let cart: Cart | Basket;\nif (cart instanceof Basket) {\n  cart.total();\n}'],
];

for (const [what, text] of CASES) {
  test(`${what} gives a record that can be read again`, () => {
    const extraction = extract(Buffer.from(text), 'typescript');
    assert.ok('facts' in extraction);
    const record = { facts: { typescript: extraction.facts } };
    const read = decodeSyntaxRecord(encodeSyntaxRecord(OID, record), OID);
    assert.ok(read.ok);
    assert.deepEqual(read.record, record);
  });
}
